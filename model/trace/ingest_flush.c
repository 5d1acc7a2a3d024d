/* ingest_flush.c - brings the model up to date with the events that were buffered.
 *
 * It nests the event buffers of threads and derives from the logs of async, flow and scheduling events. While input
 * follows it takes some threads at a time. In a pause and at the end of input it takes all of them. A key may wait for
 * the end, so ingest_flush_part() takes the threads in steps, then sorts logs that are out of order. After each step
 * every thread is either flushed or in the list `touched` [T3], so a frame may be drawn.
 *
 * Invariants [T1] to [T7]: trace.c. */
#include "model/trace/trace_internal.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/budget.h"
#include "src/base/worker.h"

#define KEY_NS 16000000 /* no key waits for longer steps: logs are sorted if they are asked for */

/* How often and how much FLUSH_SOME flushes. A thread costs time, even with few events. So for FLUSH_FULL_BYTES of
 * input a flush takes an eighth of the waiting threads, or FLUSH_MOST_THREADS if they are fewer. For less input it
 * takes fewer threads in proportion. The next one comes after FLUSH_INTERVAL_BYTES more of input. The first
 * FLUSH_EARLY_BYTES are read within a few frames, and these should show all threads of most traces. */
#define FLUSH_INTERVAL_BYTES (UINT64_C(512) << 10)
#define FLUSH_FULL_BYTES (UINT64_C(2) << 20)
#define FLUSH_EARLY_BYTES (UINT64_C(32) << 20)
#define FLUSH_EARLY_THREADS 64 /* threads, at least, while no more bytes were read */
#define FLUSH_PART 8           /* an eighth */
#define FLUSH_MOST_THREADS 512

/* Both threads nest the buffers of many threads, in groups. */
#define GROUP 64         /* threads: enough work for handing it over */
#define PART (4 * GROUP) /* threads between two looks at the clock: a millisecond or two of work */

struct group {
    struct trace *trace;
    const uint32_t *first, *end; /* thread numbers */
};

static void place_group(void *ctx, void *none) {
    const struct group *g = ctx;
    (void)none;
    for (const uint32_t *thread = g->first; thread < g->end; thread++)
        nest_buffer_flush(&g->trace->threads.v[*thread]->buffer);
}

static void place_groups(struct trace *trace, const uint32_t *threads, size_t n) {
    struct group *groups = err_malloc((n / GROUP + 1) * sizeof *groups);
    for (size_t i = 0; i < n; i += GROUP) {
        groups[i / GROUP] = (struct group){trace, threads + i, threads + (i + GROUP < n ? i + GROUP : n)};
        worker_give(trace->slice_extra.worker, place_group, &groups[i / GROUP], NULL);
    }
    worker_wait(trace->slice_extra.worker);
    free(groups);
}

/* Nests what n of the touched threads have, from one on. They stay in the list until drop_touched(). */
static void flush_threads(struct trace *trace, size_t from, size_t n, bool all) {
    if (n > GROUP)
        place_groups(trace, trace->touched.v + from, n);
    for (size_t i = from; i < from + n; i++) {
        struct thread *t = trace->threads.v[trace->touched.v[i]];
        nest_buffer_flush_all(&t->buffer, all);
        ingest_count(trace, t, t->nest.events, t->nest.first, t->nest.reach);
        t->nest.events = 0;
        if (t->nest.late.n > 0 || (!all && nest_open(&t->nest) > 0))
            vec_push(&trace->touched, t->number);
        else
            t->touched = false;
    }
}

static void drop_touched(struct trace *trace, size_t n) {
    trace->touched.n -= n;
    if (trace->touched.n > 0)
        memmove(trace->touched.v, trace->touched.v + n, trace->touched.n * sizeof *trace->touched.v);
}

bool ingest_flush_sort(struct occurrences *list, struct budget *budget) {
    struct quantiles *order = &list->order;
    if (!list->unsorted)
        return true;
    if (order->v.n < list->v.n)
        list->sorted.n = 0;
    while (order->v.n < list->v.n) {
        quantiles_add(order, list->v.v[order->v.n].at.time, (uint32_t)order->v.n);
        if (!budget_spend(budget, 1))
            return false;
    }
    if (!quantiles_step(order, budget))
        return false;
    while (list->sorted.n < list->v.n) {
        const struct occurrence *next = &list->v.v[order->v.v[list->sorted.n].id];
        vec_push(&list->sorted, *next);
        if (!budget_spend(budget, 1))
            return false;
    }
    struct occurrence *v = list->v.v;
    list->v.v = list->sorted.v;
    list->v.cap = list->sorted.cap;
    list->sorted.v = v;
    list->unsorted = false;
    vec_free(&list->sorted);
    quantiles_free(order);
    return true;
}

void ingest_flush_free(struct occurrences *list) {
    vec_free(&list->v);
    vec_free(&list->sorted);
    quantiles_free(&list->order);
    *list = (struct occurrences){0};
}

bool ingest_flush_part(struct trace *trace, int64_t ns) {
    struct budget budget = budget_until(ns);
    size_t k = trace->touched.n, n = 0;
    worker_wait(trace->slice_extra.worker);
    if (k <= GROUP)
        return ns > KEY_NS || (ingest_flush_sort(&trace->logs, &budget) && ingest_flush_sort(&trace->profile, &budget));
    do {
        size_t part = k - n < PART ? k - n : PART;
        flush_threads(trace, n, part, true);
        n += part;
    } while (n < k && budget_spend(&budget, BUDGET_UNITS));
    drop_touched(trace, n);
    return false;
}

/* The number of threads that FLUSH_SOME takes. */
static size_t some_threads(const struct trace *trace, uint64_t read) {
    uint64_t bytes = read - trace->flushed, some = trace->touched.n / FLUSH_PART + 1;
    if (some > FLUSH_MOST_THREADS)
        some = FLUSH_MOST_THREADS;
    if (bytes < FLUSH_FULL_BYTES)
        some = some * bytes / FLUSH_FULL_BYTES + 1;
    if (read < FLUSH_EARLY_BYTES && some < FLUSH_EARLY_THREADS)
        some = FLUSH_EARLY_THREADS;
    return some < trace->touched.n ? (size_t)some : trace->touched.n;
}

void ingest_flush(struct trace *trace, enum ingest_flush how) {
    bool all = how == FLUSH_ALL;
    uint64_t read = reader_offset(trace->reader);
    size_t k = how == FLUSH_SOME ? some_threads(trace, read) : trace->touched.n;
    worker_wait(trace->slice_extra.worker);
    bool soon = read >= FLUSH_EARLY_BYTES && read - trace->flushed < FLUSH_INTERVAL_BYTES;
    if (how == FLUSH_LATER || (how == FLUSH_SOME && soon))
        return;
    trace->flushed = read;
    flush_threads(trace, 0, k, all);
    drop_touched(trace, k);
    if (all)
        worker_rest(trace->slice_extra.worker);
    batch_flush(&trace->batches);
    async_flush(&trace->derived.async, &trace->slice_extra, all);
    flows_flush(&trace->derived.flows, all);
    sched_flush(&trace->derived.sched, ingest_stands_for, trace, trace_origin(trace), all);
    if (all)
        batches_free(&trace->batches);
}
