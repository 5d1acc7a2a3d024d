/* hot.h - the functions that a profiler's samples of a stretch of time were in, and those that
 * blocked samples were in, by their off-CPU time.
 *
 * A sample is of its innermost frame, a blocked one of the innermost frame outside of the kernel,
 * if there is one: in the kernel all waits look alike. The callers that all samples of a function
 * have in common are kept. An answer (model/query/answer.h). */
#ifndef FXTOP_HOT_H
#define FXTOP_HOT_H

#include "model/query/answer.h"
#include "model/query/stat/range.h"
#include "src/base/time/sum.h"

#define HOT_CALLERS 5

struct hot_function {
    uint32_t name;
    uint64_t samples;                        /* or blocked ones */
    struct sum off;                          /* their off-CPU time */
    uint32_t callers[HOT_CALLERS], ncallers; /* the innermost first */
};

struct hot_side {                /* the samples of running threads, or blocked ones */
    VEC(struct hot_function) v; /* the heaviest first, once made */
    struct map by_name;
    uint64_t samples;
    struct sum time; /* off-CPU time */
};

struct hot {
    /* the question; thread: number of one that was sampled, on its own row or another one;
     * NO_THREAD: all of a process in the range; process: NO_PROCESS: of all processes */
    struct trace *trace;
    uint32_t thread, process;
    struct range range; /* owned */
    uint32_t inside;    /* a name: samples in a slice of it alone; or UINT32_MAX */
    struct hot_side on, off; /* the answer */
};

extern const struct answer_ops hot_ops;

#endif
