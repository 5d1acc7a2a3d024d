/* thrown_sched.h - random traces with slices and scheduling on three CPUs, for suites of
 * statistics. */
#ifndef FXTOP_THROWN_SCHED_H
#define FXTOP_THROWN_SCHED_H

#include "model/trace/trace.h"
#include "tests/lib/chance.h"

/* Threads 10 to 13 of process 1, which switch, are woken and die; slices on them; ns are ticks. */
struct trace *thrown_sched(struct chance *chance, unsigned events);

#endif
