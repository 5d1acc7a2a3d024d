/* wakeup_stats.h - wake-up latency by thread and by CPU, waits by waker, and idle CPUs while a
 * thread was runnable.
 *
 * All of it is of a range (range.h) and in steps. A wakeup counts if its thread begins to run in
 * the range (SEMANTICS 10.10); times of states are cut to the range. Tracks of the range select the
 * threads that are woken and that wait; CPUs count as a whole. Idle threads do not count. Times:
 * ns. Valid until the trace changes. */
#ifndef FXTOP_WAKEUP_STATS_H
#define FXTOP_WAKEUP_STATS_H

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

struct wakeup_stretch {
    int64_t from, to;
};

struct wakeup_stats {
    /* the question */
    struct trace *trace;
    const struct range *range; /* borrowed */
    int64_t from, to;
    uint64_t version;
    /* the answer, once done */
    bool done;
    struct wakeup_rows threads, cpus, wakers;
    /* state */
    enum wakeup_stage {
        WAKEUP_RUNS,
        WAKEUP_STATES,
        WAKEUP_EDGES,
        WAKEUP_UNION,
        WAKEUP_IDLE,
        WAKEUP_SORT,
        WAKEUP_READY
    } stage;
    uint64_t passed, all;   /* runs, states and idle times */
    size_t at;              /* CPU or thread of the stage */
    uint32_t i;             /* of its runs or states */
    bool begun;             /* on it */
    struct quantiles edges; /* begins (id 1) and ends (id 0) of runnable states */
    int64_t open;           /* runnable states around the current edge */
    /* times when at least one thread was runnable: in order, apart */
    VEC(struct wakeup_stretch) wanted;
};

/* The range lives as long as the answer. */
void wakeup_stats_init(struct wakeup_stats *stats, struct trace *trace, const struct range *range);
void wakeup_stats_free(struct wakeup_stats *stats);
bool wakeup_stats_step(struct wakeup_stats *stats, struct budget *budget); /* true: done */
/* of runs, states and idle times, about */
unsigned wakeup_stats_percent(const struct wakeup_stats *stats);

#endif
