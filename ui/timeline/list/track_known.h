/* track_known.h - answers about processes that are the same for each list of tracks of one version
 * of the trace.
 *
 * A zoom makes the list again, but asks the processes only whether their threads are gone. While
 * the trace grows, the members are asked each time; the threads of many processes are asked in
 * rounds, as track_life.h does. */
#ifndef FXTOP_TRACK_KNOWN_H
#define FXTOP_TRACK_KNOWN_H

#include "ui/timeline/list/track_sort.h"

#define FEW_PROCESSES 4096         /* processes asked at a call */
#define LIST_CPUS (NO_PROCESS - 1) /* in place of a process: the CPUs */

#define LIST_HOSTS 64 /* at most */

/* In place of a process: a host of several. */
static inline uint32_t track_known_host(uint32_t host) {
    return LIST_CPUS - 1 - host;
}

static inline uint32_t track_known_host_of(uint32_t process) {
    return LIST_CPUS - 1 - process;
}

static inline bool track_known_is_host(uint32_t process) {
    return process < LIST_CPUS && process >= LIST_CPUS - LIST_HOSTS;
}

#define PLACES_BEFORE (2 + LIST_HOSTS) /* those of processes */

/* Index of a group in `folded` and `empty`: 0 for threads without a process, 1 for the CPUs, then
 * the hosts, then the processes. */
static inline size_t track_known_place(uint32_t process) {
    if (process == NO_PROCESS)
        return 0;
    return process >= LIST_CPUS - LIST_HOSTS ? LIST_CPUS - process + 1
                                             : (size_t)process + PLACES_BEFORE;
}

/* The tracks of one kind, chained by process; links are places + 1. Threads have no chains: a
 * process knows its own. */
struct track_members {
    VEC(uint32_t) next;        /* by place */
    VEC(uint32_t) first, last; /* by track_known_place() */
};

struct track_known_process {
    /* threads; the first of them, which saves two cache misses if it is the only one */
    uint32_t n, first;
};

struct track_known {
    uint64_t version;              /* of the trace; valid if there are members */
    struct track_members *members; /* by kind of track */
    size_t kinds;
    bool any;                                  /* there are members of some kind */
    VEC(struct track_known_process) processes; /* those that are listed */
    size_t next;                               /* the first process that this round has not asked */
    uint64_t asked, generation;                /* the version of the trace when the round began */
    /* of the processes; a former one, and then those that are new, until it is sorted */
    VEC(uint32_t) order;
    struct track_sorting sorting; /* of `order` */
    struct process_tree tree;
    enum track_order order_of;
    bool ordered; /* `order` is in that order */
};

/* False: the members and all else have to be found again, which are empty now. */
bool track_known_current(struct track_known *known, const struct trace *trace, size_t kinds);
/* Chains n tracks of a kind by their processes; order: puts them in order first, or NULL. False:
 * there are none. */
bool track_known_chain(struct track_members *members, struct trace *trace, uint32_t n,
                       uint32_t (*process)(struct trace *trace, uint32_t of),
                       void (*order)(struct trace *trace, uint32_t *of));
/* Asks the processes for their threads: all of FEW_PROCESSES, else so many of a round. */
void track_known_ask(struct track_known *known, struct trace *trace);
/* Sorts the processes, after the lives of threads were asked; more than FEW_PROCESSES by
 * track_known_step(). */
void track_known_sort(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives);
/* Goes on after both. True: there is more to do; *news: processes or their order are new. */
bool track_known_step(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives, struct task *task, bool *news);
void track_known_free(struct track_known *known);

/* The threads of a process, *n of them. */
static inline const uint32_t *track_known_threads(const struct track_known *known,
                                                  struct trace *trace, uint32_t process,
                                                  size_t *n) {
    const struct track_known_process *p = &known->processes.v[process];
    *n = p->n;
    return p->n > 1 ? trace_process_threads(trace_process(trace, process), n) : &p->first;
}

#endif
