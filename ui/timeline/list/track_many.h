/* track_many.h - the order of the threads of a process; of many threads it is kept, and found in
 * steps.
 *
 * A list of tracks is made again at many keys, and sorting 100,000 threads by name takes 100 ms. So
 * many threads stay in the former order, the new ones last, until the steps have sorted them. */
#ifndef FXTOP_TRACK_MANY_H
#define FXTOP_TRACK_MANY_H

#include "ui/timeline/list/track_sort.h"

#define MANY_THREADS 1024 /* threads of a process that are sorted at once */

struct track_group {  /* a process, or the threads without one */
    uint32_t process; /* place, or NO_PROCESS */
    const uint32_t *threads;
    size_t n;
    uint32_t host; /* of NO_PROCESS: the world, or UINT32_MAX for all */
};

struct track_many_process {
    uint32_t process; /* place, or NO_PROCESS */
    enum track_order order;
    uint64_t version;     /* of the trace; `sorted` is of this version and order */
    VEC(uint32_t) given;  /* the threads as the trace has them */
    VEC(uint32_t) sorted; /* the same in order, or in a former one */
    bool wanted;          /* another order or version than the sorted one */
};

struct track_many { /* zero-initialised: none */
    VEC(struct track_many_process) v;
    struct track_sorting sorting;
    struct track_many_process *sorted; /* the process of these threads */
    VEC(uint32_t) few;                 /* threads that were sorted at once */
};

/* The threads of a process in order, or in the best order that is known so far. Valid until the
 * next call. */
const uint32_t *track_many_order(struct track_many *many, enum track_order order,
                                 struct trace *trace, const struct track_lives *lives,
                                 const struct track_group *group);
/* Sorts until the task is over; to be called after a list of this version of the trace was made.
 * True: there is more to do; *news: one of them is in order now. */
bool track_many_step(struct track_many *many, struct trace *trace, const struct track_lives *lives,
                     struct task *task, bool *news);
void track_many_free(struct track_many *many);

#endif
