/* sample_iter.h - the samples of a profiler on one thread, in the order of their times.
 *
 * A blocked sample lasts from the time at which its thread left its CPU to its next run, or to its
 * end: off-CPU time. One that begins before the range is given if a part of that is inside. Valid
 * until the trace changes. */
#ifndef FXTOP_SAMPLE_ITER_H
#define FXTOP_SAMPLE_ITER_H

#include "model/query/stat/range.h"
#include "model/trace/trace.h"

struct sample {
    struct moment at;
    bool blocked;
    bool before;      /* it is blocked, and its own time is before the range */
    int64_t from, to; /* blocked: the part of its off-CPU time that is in the range */
};

struct sample_iter {
    struct trace *trace;
    uint32_t thread; /* number */
    const struct range *range;
    const struct instant *v;
    size_t i, n;
    uint32_t name, blocked;            /* names of instants; UINT32_MAX: none has it */
    const struct sched_thread *states; /* of the thread that the samples are of; or NULL */
};

/* The thread is one of trace_find_sampled(); range: borrowed. */
void sample_iter_init(struct sample_iter *iter, struct trace *trace, uint32_t thread,
                      const struct range *range);
bool sample_iter_next(struct sample_iter *iter, struct sample *sample);

/* Whether a frame is of the kernel, by its argument `dso`. */
bool sample_iter_of_kernel(struct trace *trace, const struct slice *frame);

#endif
