/* trace_remains.h - the slices of a trace that is read again, freed by a thread of its own.
 *
 * Freeing takes time in proportion to the trace, and a key waits for it. All else is freed at once. */
#ifndef FXTOP_TRACE_REMAINS_H
#define FXTOP_TRACE_REMAINS_H

#include "model/trace/trace.h"

struct worker_aside;

struct trace_remains { /* zero-initialised: none */
    VEC(struct thread *) threads;
    struct worker_aside *aside; /* frees them, or NULL */
};

/* Takes n threads of the trace over, and frees them, after those taken before. again: another trace is read, so a
 * thread of its own does it. */
void trace_remains_take(struct trace_remains *remains, struct thread *const *threads, size_t n, bool again);

#endif
