/* switches.h - context switches, names, forks and exits of the program and its descendants, from
 * the kernel.
 *
 * perf_event_open(2) gives them to each user for own processes, if kernel.perf_event_paranoid is at
 * most 2 and no seccomp filter is in the way. Wakeups are only shown to root. Without them a thread
 * that does not run is blocked, or runnable if it was preempted (fxtop-record(1)). */
#ifndef FXTOP_SWITCHES_H
#define FXTOP_SWITCHES_H

#include <sys/types.h>

#include "record/output.h"
#include "record/ticks.h"
#include "record/watch/alone.h"
#include "record/watch/attach.h"
#include "record/watch/calls.h"
#include "record/watch/lives.h"
#include "record/watch/living.h"
#include "record/watch/perf_rings.h"
#include "record/watch/stacks.h"
#include "record/watch/unseen.h"
#include "record/watch/wakes.h"
#include "src/base/u64map.h"

struct switches_options {
    bool switches;   /* scheduling records; else only names, forks and exits */
    uint64_t period; /* ns of CPU time between samples of stacks; 0: none */
    /* processes that run already; NULL: one that has not begun */
    const struct attach *attach;
    bool calls; /* system calls */
};

struct switches_news { /* one record of the kernel */
    uint64_t time;     /* ns of CLOCK_MONOTONIC */
    uint32_t order;    /* among those of the same time */
    uint32_t pid, tid, cpu;
    uint16_t kind;  /* PERF_RECORD_ */
    uint16_t flags; /* misc */
    /* of a fork the parent's pid << 32 | tid; of a loss the number; of a mapping and a sample its
     * place */
    uint64_t more;
    uint32_t size; /* of a mapping; of a sample the number that was lost instead of it */
    char name[16];
};

struct switches_sums { /* of all processes, for the last lines */
    uint64_t cpu;      /* ns that their threads ran */
    /* ns: the longest time that a thread waited; those of processes that have others left out */
    uint64_t wait;
    char waited[16]; /* the name of that thread */
};

struct switches {
    struct perf_rings rings; /* n is 0: nothing is recorded */
    struct stacks stacks;
    struct calls calls;
    struct wakes wakes;
    struct perf_event_attr attributes;
    bool everywhere;       /* the rings have all processes of the system */
    bool switches;         /* they are written */
    struct output *output; /* during a take */
    VEC(struct switches_news) news;
    VEC(unsigned char) bodies; /* of mappings among them */
    struct living living;
    uint64_t lost; /* records that found no space, but for those of samples, calls and wakeups */
    struct unseen unseen;
    struct alone alone;
    struct lives lives;
    struct attach_threads present; /* threads that ran before, until they are written */
    struct u64map attached;        /* their numbers, if each has an event of its own */
    struct switches_sums sums;
    unsigned unattached;        /* threads without one */
    uint64_t opened, opened_ns; /* ticks, and ns of CLOCK_MONOTONIC */
    bool has_calls;
    /* further lines than that of switches_open(); text is "" if there is none */
    struct err no_calls, unattached_why;
    uint64_t latest;     /* ticks: of the records so far */
    uint64_t busy_until; /* ns: an exec is likely until then */
    uint64_t take_at;    /* ns: a take is due, while the process of an exec may live; 0: none is */
};

/* Begins with a process that has not begun to run, or with those that are attached. False with one
 * line in err: the kernel refuses something; rings.n and stacks.rings.n show what there is. */
bool switches_open(struct switches *switches, pid_t pid, const struct ticks *ticks,
                   const struct switches_options *options, struct err *err);
/* Writes the processes that ran before. */
void switches_begin(struct switches *switches, struct output *output);
void switches_close(struct switches *switches);
/* The descriptors of rings, of processes out of sight, and of names, which can be read when a take
 * is due; some may be -1. */
size_t switches_fds(const struct switches *switches);
int switches_fd(const struct switches *switches, size_t i);
/* Writes the records since the last call. */
void switches_take(struct switches *switches, struct output *output, const struct ticks *ticks);
/* Writes the begins of calls that go on at the end. */
void switches_finish(struct switches *switches, struct output *output);
/* Whether threads live, as far as they were written. */
bool switches_has_threads(const struct switches *switches);

#endif
