/* ingest_flush.c - brings the model up to date with the events that were buffered.
 *
 * It nests the event buffers of threads and derives from the logs of async, flow and scheduling
 * events. While input follows it takes some threads at a time. In a pause and at the end of input
 * it takes all of them, and sorts logs that are out of order. A key may wait for any of it, so all
 * is done in steps, within a budget: some buffers, then the late events of one thread after the
 * other, then the logs. After a step a thread is either flushed or in the list `touched` [T3]. The
 * rest is as before, so a frame may be drawn.
 *
 * Invariants [T1] to [T7]: trace.c. */
#include "model/trace/trace_internal.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/budget.h"
#include "src/base/worker.h"

/* How often and how much FLUSH_SOME flushes. A thread costs time, even with few events. So for
 * FLUSH_FULL_BYTES of input a flush takes an eighth of the waiting threads, or FLUSH_MOST_THREADS
 * if they are fewer. For less input it takes fewer threads in proportion. The next one comes after
 * FLUSH_INTERVAL_BYTES more of input. The first FLUSH_EARLY_BYTES are read within a few frames, and
 * these should show all threads of most traces. */
#define FLUSH_INTERVAL_BYTES (UINT64_C(512) << 10)
#define FLUSH_FULL_BYTES (UINT64_C(2) << 20)
#define FLUSH_EARLY_BYTES (UINT64_C(32) << 20)
#define FLUSH_EARLY_THREADS 64 /* threads, at least, while no more bytes were read */
#define FLUSH_PART 8           /* an eighth */
#define FLUSH_MOST_THREADS 512

/* Both threads nest buffers with many events, in groups. */
#define GROUP 64           /* threads, at most: */
#define GROUP_EVENTS 4096u /* in their buffers, or more: enough work for handing it over */
#define PART (4 * GROUP)   /* threads, at most, between two looks at the clock */
#define PART_EVENTS 12288u /* events in their buffers: a millisecond or two of work */
#define THREAD_COST 8      /* of a thread that is flushed, in units of the budget */

struct group {
    struct trace *trace;
    const uint32_t *first, *end; /* thread numbers */
    bool all;
};

static void place_group(void *ctx, void *none) {
    const struct group *g = ctx;
    (void)none;
    for (const uint32_t *thread = g->first; thread < g->end; thread++) {
        struct nest_buffer *buffer = &g->trace->threads.v[*thread]->buffer;
        nest_buffer_flush(buffer);
        if (g->all)
            nest_buffer_release(buffer); /* the slices of the next ones take its memory */
    }
}

/* Divides n threads into groups and nests their buffers; does nothing if one group would have
 * all. */
static void place_groups(struct trace *trace, const uint32_t *threads, size_t n, bool all) {
    VEC(struct group) groups = {NULL, 0, 0};
    size_t events = GROUP_EVENTS;
    vec_reserve(&groups, n);
    for (const uint32_t *thread = threads; thread < threads + n; thread++) {
        if (events >= GROUP_EVENTS ||
            groups.v[groups.n - 1].end - groups.v[groups.n - 1].first == GROUP) {
            vec_push(&groups, ((struct group){trace, thread, thread, all}));
            events = 0;
        }
        groups.v[groups.n - 1].end++;
        events += nest_buffer_count(&trace->threads.v[*thread]->buffer);
    }
    for (size_t i = 0; i < groups.n && groups.n > 1; i++)
        worker_give(trace->slice_extra.worker, place_group, &groups.v[i], NULL);
    worker_wait(trace->slice_extra.worker);
    vec_free(&groups);
}

/* Nests the buffers of n of the touched threads, from one on, then the late events of one after the
 * other. Returns the number of those that are done: less than n if the budget is spent. They stay
 * in the list until drop_touched(). */
static size_t flush_threads(struct trace *trace, size_t from, size_t n, bool all,
                            struct budget *budget) {
    if (n > 1)
        place_groups(trace, trace->touched.v + from, n, all);
    for (size_t i = from; i < from + n; i++) {
        struct thread *t = trace->threads.v[trace->touched.v[i]];
        bool done = nest_buffer_flush_step(&t->buffer, all, budget);
        ingest_count(trace, t, t->nest.events, t->nest.first, t->nest.reach, false);
        t->nest.events = 0;
        if (!done)
            return i - from;
        if (t->nest.late.n > 0 || (!all && nest_open(&t->nest) > 0))
            vec_push(&trace->touched, t->number);
        else
            t->touched = false;
        if (!budget_spend(budget, THREAD_COST))
            return i + 1 - from;
    }
    return n;
}

static void drop_touched(struct trace *trace, size_t n) {
    trace->touched.n -= n;
    if (trace->touched.n > 0)
        memmove(trace->touched.v, trace->touched.v + n,
                trace->touched.n * sizeof *trace->touched.v);
}

static int instant_order(const void *a, const void *b) {
    const struct instant *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    uint64_t ox = event_offset(x->packed), oy = event_offset(y->packed);
    return ox < oy ? -1 : ox > oy;
}

struct time_log_entries ingest_instants(const struct thread *t) {
    return (struct time_log_entries){t->instants.v, t->instants.n, sizeof *t->instants.v,
                                     instant_order, NULL};
}

struct time_log_entries ingest_occurrences(const struct occurrences *list) {
    return (struct time_log_entries){list->v.v, list->v.n, sizeof *list->v.v, NULL, NULL};
}

/* Replaces the content of a vector by v, as many. */
#define REPLACE(vec, with)                                                                         \
    do {                                                                                           \
        size_t n_ = (vec)->n;                                                                      \
        vec_free(vec);                                                                             \
        (vec)->v = (with);                                                                         \
        (vec)->n = (vec)->cap = n_;                                                                \
    } while (0)

static bool sort_occurrences(struct trace *trace, struct occurrences *list, struct budget *budget) {
    void *v =
        time_log_list_step(&list->order, &trace->sort.again, ingest_occurrences(list), budget);
    if (v == NULL)
        return false;
    REPLACE(&list->v, v);
    return true;
}

static bool sort_instants(struct trace *trace, struct thread *t, struct budget *budget) {
    void *v =
        time_log_list_step(&t->instants_order, &trace->sort.again, ingest_instants(t), budget);
    if (v == NULL)
        return false;
    REPLACE(&t->instants, v);
    if (t->instants_order.unsorted)
        vec_push(&trace->derived.unsorted.threads, t->number);
    return true;
}

/* The next list out of order; false: none. */
static bool sort_next(struct trace *trace) {
    struct counters *counters = &trace->derived.counters;
    struct unsorted *unsorted = &trace->derived.unsorted;
    trace->sort.list = SORT_NONE;
    if (unsorted->threads.n > 0) {
        trace->sort.list = SORT_INSTANTS;
        trace->sort.of = unsorted->threads.v[--unsorted->threads.n];
    } else if (counters->unsorted.n > 0) {
        trace->sort.list = SORT_SAMPLES;
        trace->sort.of = counters->unsorted.v[--counters->unsorted.n];
    } else if (trace->derived.lists.logs.order.unsorted) {
        trace->sort.list = SORT_LOGS;
    } else if (trace->derived.lists.profile.order.unsorted) {
        trace->sort.list = SORT_PROFILE;
    }
    return trace->sort.list != SORT_NONE;
}

/* Sorts lists that are out of order, then indexes the samples of counters. */
static bool sort_one(struct trace *trace, struct budget *budget) {
    switch (trace->sort.list) {
    case SORT_INSTANTS:
        return sort_instants(trace, trace->threads.v[trace->sort.of], budget);
    case SORT_SAMPLES:
        return counters_sort(&trace->derived.counters, trace->sort.of, &trace->sort.again, budget);
    case SORT_LOGS:
        return sort_occurrences(trace, &trace->derived.lists.logs, budget);
    default:
        return sort_occurrences(trace, &trace->derived.lists.profile, budget);
    }
}

static bool sort_lists(struct trace *trace, struct budget *budget) {
    while (trace->sort.list != SORT_NONE || sort_next(trace)) {
        if (!sort_one(trace, budget))
            return false;
        trace->sort.list = SORT_NONE;
        if (!budget_spend(budget, 1))
            return false;
    }
    if (!budget_is_endless(budget)) /* else when it is asked for */
        for (; trace->sort.series < counter_series_count(&trace->derived.counters);
             trace->sort.series++)
            if (!counter_index(counter_series(&trace->derived.counters, trace->sort.series),
                               budget))
                return false;
    trace->sort.series = 0;
    return true;
}

/* The number of touched threads from one on, `most` at most, whose buffers are nested together. */
static size_t part_of(const struct trace *trace, size_t from, size_t most) {
    size_t n = 0;
    for (size_t events = 0; n < most && n < PART && events < PART_EVENTS; n++)
        events += nest_buffer_count(&trace->threads.v[trace->touched.v[from + n]]->buffer);
    return n;
}

/* Flushes the first k touched threads until the budget is spent. */
static bool flush_touched(struct trace *trace, size_t k, bool all, struct budget *budget) {
    size_t n = 0;
    bool at_once = budget_is_endless(budget);
    while (n < k && budget_left(budget)) {
        size_t part = at_once ? k - n : part_of(trace, n, k - n),
               done = flush_threads(trace, n, part, all, budget);
        n += done;
        if (done < part || !budget_spend(budget, at_once ? 0 : BUDGET_UNITS))
            break;
    }
    drop_touched(trace, n);
    return n >= k;
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

static void flush_crowds(struct trace *trace) {
    for (struct crowd *crowd = trace->crowds; crowd < trace->crowds + CROWDS; crowd++) {
        crowd_flush(crowd);
        for (size_t i = 0; i < crowd->touched.n; i++)
            vec_push(&trace->touched, crowd->touched.v[i]);
        crowd->touched.n = 0;
    }
}

/* Derives from what waits in the logs. */
static bool derive(struct trace *trace, bool all, struct budget *budget) {
    const struct sched_world world = {ingest_stands_for, trace, trace_first(trace)};
    return async_flush(&trace->derived.async, &trace->slice_extra, all, budget) &&
           flows_flush(&trace->derived.flows, all, budget) &&
           sched_flush(&trace->derived.sched, &world, all, budget);
}

bool ingest_flush(struct trace *trace, enum ingest_flush how, int64_t ns) {
    bool all = how == FLUSH_ALL;
    uint64_t read = reader_offset(trace->reader);
    worker_wait(trace->slice_extra.worker);
    bool soon = read >= FLUSH_EARLY_BYTES && read - trace->flushed < FLUSH_INTERVAL_BYTES;
    if (how == FLUSH_LATER || (how == FLUSH_SOME && soon))
        return true;
    flush_crowds(trace);
    size_t k = how == FLUSH_SOME ? some_threads(trace, read) : trace->touched.n;
    trace->flushed = read;
    struct budget budget = budget_until(ns);
    bool done = flush_touched(trace, k, all, &budget);
    if (all && !done)
        return false;
    if (all) {
        for (int i = 0; i < CROWDS; i++)
            crowd_free(&trace->crowds[i]);
        worker_rest(trace->slice_extra.worker);
    } else {
        budget = budget_until(ns); /* threads and logs have a share each */
    }
    done = batch_flush(&trace->batches, &budget) && derive(trace, all, &budget) && done;
    if (!all || !done)
        return done;
    if (!sort_lists(trace, &budget))
        return false;
    batches_free(&trace->batches);
    return true;
}

/* Bytes of logs, as if none were packed: a smaller trace can be followed without reading it
 * again. */
#define RELEASED_LEAST (UINT64_C(4) << 20)

bool ingest_release(struct trace *trace, int64_t ns) {
    struct derived *d = &trace->derived;
    uint64_t bytes = (async_logged(&d->async) + time_log_array_count(&d->sched.input.log)) *
                     sizeof(struct time_log_entry);
    if (!trace->released && (bytes < RELEASED_LEAST || file_follows(trace->file)))
        return true;
    struct budget budget = budget_until(ns);
    trace->released = true;
    return async_release(&d->async, &budget) && sched_release(&d->sched, &budget);
}
