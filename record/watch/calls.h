/* calls.h - system calls of the program and its descendants, as slices of their threads.
 *
 * The kernel has an event as a thread enters a call, and one as it leaves it. A call is written at
 * its end. The begin of a long one is written before, so that a thread that is blocked is seen. */
#ifndef FXTOP_CALLS_H
#define FXTOP_CALLS_H

#include "record/output.h"
#include "record/ticks.h"
#include "record/watch/call_names.h"
#include "record/watch/descriptors.h"
#include "record/watch/perf_rings.h"

struct call {          /* that a thread is in */
    uint32_t pid, tid; /* tid 0: a free entry */
    uint64_t number;
    uint64_t time; /* ns of CLOCK_MONOTONIC */
    uint64_t ts;   /* ticks */
    bool narrow;   /* of a 32-bit program */
    bool begun;    /* its begin is written */
    bool before;   /* it was there when the recording began */
    uint64_t arguments[CALL_NAMES_ARGUMENTS];
    char *file; /* that it is about; NULL: none is known so far */
};

struct calls {
    struct perf_rings rings; /* n is 0: calls are not recorded */
    uint64_t enter, leave;   /* numbers of the events */
    VEC(struct call) v;
    VEC(uint32_t) unused;
    struct u64map places; /* tid -> entry + 1; 0: none */
    struct descriptors descriptors;
    VEC(uint64_t) scanned; /* of each ring: records up to there were looked at for closes */
    uint64_t lost;
    uint32_t held; /* the process that becomes the program: its calls before are ours; 0: none */
    size_t n;      /* calls that threads are in */
    bool traced;   /* they come with their files, and not from rings */
};

/* Begins with a process that has not begun to run, or as perf_rings_open() has it. False with one
 * line in err. */
bool calls_open(struct calls *calls, pid_t pid, struct err *err);
/* Begins with a thread that runs already. 0, or errno. */
int calls_add(struct calls *calls, pid_t tid);
void calls_close(struct calls *calls);

/* Looks for the call that a thread was in at that time, when the recording began. */
void calls_look(struct calls *calls, uint32_t pid, uint32_t tid, uint64_t time, uint64_t ts);
/* It was not in that. */
void calls_forget(struct calls *calls, uint32_t tid);
/* The next record up to a time, which stays in its ring until perf_rings_release(). */
bool calls_next(struct calls *calls, unsigned ring, uint64_t until, struct perf_news *news);
/* Looks at all records that have come, ahead of their turn, before any is released. */
void calls_scan(struct calls *calls);
void calls_take(struct calls *calls, unsigned ring, const struct perf_news *news,
                struct output *output, uint64_t ts);
/* A thread enters a call, or leaves the one that it is in, at the time of `at`. file: it is about,
 * or that it has opened; NULL: none. */
void calls_enter(struct calls *calls, struct output *output, const struct call *call,
                 const char *file);
void calls_leave(struct calls *calls, struct output *output, const struct call *at, uint64_t result,
                 const char *file);
/* The program has begun: the process that was held. */
void calls_exec(struct calls *calls, uint32_t pid);
/* A thread runs or has ended: the call in which it was before the recording, or any, has, too. */
void calls_run(struct calls *calls, struct output *output, uint32_t tid, uint64_t ts);
void calls_end(struct calls *calls, struct output *output, uint32_t tid, uint64_t ts);
/* No more is known from then on: calls that threads are in end there, without a result. */
void calls_cut(struct calls *calls, struct output *output, uint64_t ts);
/* The status that a thread has given to exit_group(), as wait() has it; -1: none. */
int calls_status(const struct calls *calls, uint32_t tid);
/* Writes the begins of calls that have not ended for a while; all: of all. */
void calls_step(struct calls *calls, struct output *output, uint64_t now, bool all);

#endif
