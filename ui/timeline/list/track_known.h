/* track_known.h - answers about processes that are the same for each list of tracks of one version of the trace.
 *
 * A zoom makes the list again, but asks the processes only whether their threads are gone. While the trace grows, all
 * of it is asked each time. */
#ifndef FXTOP_TRACK_KNOWN_H
#define FXTOP_TRACK_KNOWN_H

#include "ui/timeline/list/track_order.h"

#define LIST_CPUS (NO_PROCESS - 1) /* in place of a process: the CPUs */

/* Index of a group in `folded` and `empty`: 0 for threads without a process, 1 for the CPUs, then the processes. */
static inline size_t track_known_place(uint32_t process) {
    return process == NO_PROCESS ? 0 : process == LIST_CPUS ? 1 : (size_t)process + 2;
}

/* The tracks of one kind, chained by process; links are places + 1. Threads have no chains: a process knows its own. */
struct track_members {
    VEC(uint32_t) next;        /* by place */
    VEC(uint32_t) first, last; /* by track_known_place() */
};

struct track_known {
    uint64_t version;              /* of the trace; valid if there are members */
    struct track_members *members; /* by kind of track */
    size_t kinds;
    VEC(uint32_t) order; /* of the processes */
    VEC(bool) shows;     /* by process: it has something to show */
    enum track_order order_of;
    unsigned shows_for;  /* the caller's number of the other inputs of `shows` */
    bool ordered, shown; /* order and shows are valid */
};

/* False: the members and all else have to be found again, which are empty now. */
bool track_known_current(struct track_known *known, const struct trace *trace, size_t kinds);
/* Chains n tracks of a kind by their processes; order: puts them in order first, or NULL. */
void track_known_chain(struct track_members *members, struct trace *trace, uint32_t n,
                       uint32_t (*process)(struct trace *trace, uint32_t of),
                       void (*order)(struct trace *trace, uint32_t *of));
/* Sorts the processes, after the lives of threads were asked. */
void track_known_sort(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives);
/* False: the caller has to fill known->shows, of as many processes as there are. */
bool track_known_shows(struct track_known *known, const struct trace *trace, unsigned shows_for);
void track_known_free(struct track_known *known);

#endif
