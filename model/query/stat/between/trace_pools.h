/* trace_pools.h - threads that do the same work, as one: those of equal process and thread names.
 *
 * Digits at the end of a thread's name, with the blanks and signs before them, are left out:
 * "worker 12" is in the pool "worker". A thread or process without a name has one that is made from
 * its number, which is left out likewise. The texts outlive the trace. */
#ifndef FXTOP_TRACE_POOLS_H
#define FXTOP_TRACE_POOLS_H

#include "model/trace/trace.h"

struct trace_pool {
    char *process, *thread; /* nprocess and nthread bytes, and a NUL */
    size_t nprocess, nthread;
};

struct trace_pools {
    VEC(uint32_t) of_thread;  /* by thread: the number of its pool, from 1 on */
    VEC(struct trace_pool) v; /* of number 1 first */
};

void trace_pools_take(struct trace_pools *pools, const struct trace *trace);
void trace_pools_free(struct trace_pools *pools);
/* The number of the pool of a track (slice_iter.h); 0: it is no thread. */
uint32_t trace_pools_of(const struct trace_pools *pools, uint32_t track);
/* By process, then by thread: <0, 0, >0. NULL, which is first, is no pool. */
int trace_pools_order(const struct trace_pool *a, const struct trace_pool *b);

#endif
