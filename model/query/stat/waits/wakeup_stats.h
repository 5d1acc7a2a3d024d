/* wakeup_stats.h - wake-up latency by thread and by CPU, waits by waker, and idle CPUs while a
 * thread was runnable.
 *
 * All of it is of a range (range.h). A wakeup counts if its thread begins to run in
 * the range (SEMANTICS 10.10); times of states are cut to the range. Tracks of the range select the
 * threads that are woken and that wait; CPUs count as a whole. Idle threads do not count. Times:
 * ns. Valid until the trace changes. */
#ifndef FXTOP_WAKEUP_STATS_H
#define FXTOP_WAKEUP_STATS_H

#include "model/query/answer.h"
#include "model/query/stat/range.h"
#include "src/base/quantiles.h"
#include "src/base/time/sum.h"
#include "src/base/u64map.h"

#define WAKEUP_UNKNOWN NO_THREAD /* as a waker */

struct wakeup_row { /* of a thread, a CPU (by place) or a waker */
    uint32_t of;
    uint64_t wakeups;
    struct sum latency; /* of all */
    int64_t longest;    /* the greatest */
    uint32_t slowest;   /* thread of the greatest, which begins to run at: */
    int64_t slowest_at;
    struct sum runnable, blocked; /* of the thread; of all threads that the waker woke */
    int64_t idle, idle_wanted;    /* of the CPU; and while a thread was runnable */
    struct quantiles latencies;   /* of threads and CPUs; ids: 0 */
};

struct wakeup_rows {
    VEC(struct wakeup_row) v;
    struct u64map by; /* `of` -> place */
};

struct wakeup_stats {
    /* the question: the owner sets it */
    struct trace *trace;
    struct range range; /* a copy, which is freed with the answer */
    /* the answer */
    struct wakeup_rows threads, cpus, wakers;
    /* how much of it is known: waits of threads; idle times of CPUs; all */
    bool waits, idle, done;
    int64_t from, to;     /* of the range */
    int64_t past;         /* runs that begin before it count: the end of the trace is included */
    uint64_t passed, all; /* runs, states and idle times */
};

extern const struct answer_ops wakeup_stats_ops;
/* of runs, states and idle times, about */
unsigned wakeup_stats_percent(const struct wakeup_stats *stats);

#endif
