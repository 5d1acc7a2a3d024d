/* track_life.h - when each thread lived and how long it ran, in memory, for orders and folding.
 *
 * Asking every thread each time would cost a few cache misses each. Threads are asked again when the trace has changed:
 * all of them once it is complete, some at each call while it grows, so that a call stays short. Times: ns relative to
 * the reader's base. */
#ifndef FXTOP_TRACK_LIFE_H
#define FXTOP_TRACK_LIFE_H

#include "model/trace/trace.h"

struct track_life { /* trace_thread_span(), trace_thread_cpu_time() of the whole trace */
    int64_t begin, end, cpu_time;
    int64_t covered; /* trace_thread_covered(), if that is asked for */
    bool known, ended;
    bool scheduled; /* trace_thread_scheduled() */
};

struct track_lives {
    VEC(struct track_life) v; /* by thread */
    size_t next;              /* the first thread that was not asked since `version`; v.n: none */
    uint64_t version;         /* of the trace */
    bool covered;             /* ask for covered times, too */
};

void track_life_free(struct track_lives *lives);
/* Brings the lives up to date; new threads are always asked. */
void track_life_update(struct track_lives *lives, struct trace *trace, bool covered);

#endif
