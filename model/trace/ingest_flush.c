/* ingest_flush.c - brings the model up to date with the events that were buffered.
 *
 * It nests the event buffers of threads and derives from the logs of async, flow and scheduling
 * events. While input follows it takes some threads at a time. In a pause and at the end of input
 * it takes all of them, and sorts logs that are out of order. A key may wait for any of it, so it
 * is a task: nothing is read until it has ended, but frames are drawn between its steps. Each
 * thread and log is as before until it is complete.
 *
 * Invariants [T1] to [T7]: trace.c. */
#include "model/trace/trace_internal.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/discard.h"
#include "src/base/worker.h"

/* How much FLUSH_SOME flushes. A thread costs time, even with few events. So it takes an eighth of
 * the waiting threads, or FLUSH_MOST_THREADS if they are fewer. The first FLUSH_EARLY_BYTES are
 * read within a few frames, and these should show all threads of most traces. */
#define FLUSH_EARLY_BYTES (UINT64_C(32) << 20)
#define FLUSH_EARLY_THREADS 64 /* threads, at least, while no more bytes were read */
#define FLUSH_PART 8           /* an eighth */
#define FLUSH_MOST_THREADS 512

/* Both threads nest buffers with many events, in groups. */
#define GROUP 64           /* threads, at most: */
#define GROUP_EVENTS 4096u /* in their buffers, or more: enough work for handing it over */
#define PART (4 * GROUP)   /* threads, at most, between two looks at the clock */
#define PART_EVENTS 12288u /* events in their buffers: a millisecond or two of work */
#define THREAD_COST 8      /* of a thread that is flushed, in units of work */

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
 * other. They stay in the list until drop_touched(). */
static bool flush_threads(struct trace *trace, size_t from, size_t n, bool all, struct task *task) {
    if (n > 1)
        place_groups(trace, trace->touched.v + from, n, all);
    for (size_t i = from; i < from + n; i++) {
        struct thread *t = trace->threads.v[trace->touched.v[i]];
        bool done = nest_buffer_flush_late(&t->buffer, all, task);
        ingest_count(trace, t, t->nest.events, t->nest.first, t->nest.reach, false);
        t->nest.events = 0;
        if (!done)
            return false;
        if (t->nest.late.n > 0 || (!all && nest_open(&t->nest) > 0))
            vec_push(&trace->touched, t->number);
        else
            t->touched = false;
        if (!task_spend(task, THREAD_COST))
            return false;
    }
    return true;
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

/* Sorts a vector that has so many entries. */
#define SORT(task, vec, entries)                                                                   \
    do {                                                                                           \
        void *sorted_ = time_log_sorted(task, entries);                                            \
        size_t n_ = (vec)->n;                                                                      \
        if (sorted_ == NULL)                                                                       \
            return false;                                                                          \
        discard_vec(vec);                                                                          \
        (vec)->v = sorted_;                                                                        \
        (vec)->n = (vec)->cap = n_;                                                                \
    } while (0)

static bool sort_occurrences(struct occurrences *list, struct task *task) {
    if (list->order.unsorted)
        SORT(task, &list->v, ingest_occurrences(list));
    list->order.unsorted = false;
    return true;
}

static bool sort_instants(struct trace *trace, struct task *task) {
    struct unsorted *unsorted = &trace->derived.unsorted;
    for (; unsorted->threads.n > 0; unsorted->threads.n--) {
        struct thread *t = trace->threads.v[unsorted->threads.v[unsorted->threads.n - 1]];
        SORT(task, &t->instants, ingest_instants(t));
        t->instants_order.unsorted = false;
    }
    return true;
}

/* Indexes the samples, as a frame may ask for them. */
static bool index_samples(const struct counters *counters, struct task *task) {
    for (size_t i = 0; i < counter_series_count(counters) && task_pauses(task); i++)
        if (!counter_index(counter_series(counters, i), task))
            return false;
    return true;
}

/* Sorts lists that are out of order. */
static bool sort_lists(struct trace *trace, struct task *task) {
    struct derived *d = &trace->derived;
    return sort_instants(trace, task) && counters_sort(&d->counters, task) &&
           sort_occurrences(&d->lists.logs, task) && sort_occurrences(&d->lists.profile, task) &&
           index_samples(&d->counters, task);
}

/* The number of touched threads from one on, `most` at most, whose buffers are nested together. */
static size_t part_of(const struct trace *trace, size_t from, size_t most) {
    size_t n = 0;
    for (size_t events = 0; n < most && n < PART && events < PART_EVENTS; n++)
        events += nest_buffer_count(&trace->threads.v[trace->touched.v[from + n]]->buffer);
    return n;
}

/* Flushes the first k touched threads. */
static bool flush_touched(struct trace *trace, size_t k, bool all, struct task *task) {
    for (size_t n = 0, part; n < k; n += part) {
        part = task_pauses(task) ? part_of(trace, n, k - n) : k - n;
        if (!flush_threads(trace, n, part, all, task) ||
            !task_spend(task, task_pauses(task) ? BUDGET_UNITS : 0))
            return false;
    }
    drop_touched(trace, k);
    return true;
}

/* The number of threads that FLUSH_SOME takes. */
static size_t some_threads(const struct trace *trace) {
    size_t some = trace->touched.n / FLUSH_PART + 1;
    if (some > FLUSH_MOST_THREADS)
        some = FLUSH_MOST_THREADS;
    if (trace->flushed < FLUSH_EARLY_BYTES && some < FLUSH_EARLY_THREADS)
        some = FLUSH_EARLY_THREADS;
    return some < trace->touched.n ? some : trace->touched.n;
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
static bool derive(struct trace *trace, bool all, struct task *task) {
    struct sched_world world = {ingest_stands_for, trace, trace_origin(trace), NULL};
    if (trace->worlds.n > 0) {
        trace_bounds_find(trace);
        world.origins = trace->origins.v;
    }
    return async_flush(&trace->derived.async, &trace->slice_extra, all, task) &&
           flows_flush(&trace->derived.flows, all, task) &&
           sched_flush(&trace->derived.sched, &world, all, task);
}

static void flush(struct task *task, void *ctx) {
    struct trace *trace = ctx;
    bool all = trace->flush.how == FLUSH_ALL;
    if (all)
        trace_part_find(trace); /* a part's runs may be older than its first event */
    if (!flush_touched(trace, trace->flush.threads, all, task))
        return;
    if (all) {
        for (int i = 0; i < CROWDS; i++)
            crowd_free(&trace->crowds[i]);
        worker_rest(trace->slice_extra.worker);
    }
    if (batch_flush(&trace->batches, task) && derive(trace, all, task) && all &&
        sort_lists(trace, task))
        batches_free(&trace->batches);
}

static void begin(struct trace *trace, enum ingest_flush how) {
    flush_crowds(trace);
    trace->flushed = reader_offset(trace->reader);
    trace->flush.how = how;
    trace->flush.threads = how == FLUSH_SOME ? some_threads(trace) : trace->touched.n;
    trace->flush.task = task_new(&trace->flush.tasks, flush, trace);
}

bool ingest_flush(struct trace *trace, enum ingest_flush how, struct task *task) {
    if (trace->flush.task == NULL) {
        worker_wait(trace->slice_extra.worker);
        if (how == FLUSH_LATER)
            return true;
        begin(trace, how);
    }
    if (!task_step(trace->flush.task, task))
        return false;
    ingest_flush_stop(trace);
    return true;
}

void ingest_flush_stop(struct trace *trace) {
    task_free(trace->flush.task);
    trace->flush.task = NULL;
}

/* Bytes of logs, as if none were packed: a smaller trace can be followed without reading it
 * again. */
#define RELEASED_LEAST (UINT64_C(4) << 20)

void ingest_release(struct trace *trace) {
    struct derived *d = &trace->derived;
    uint64_t bytes = (async_logged(&d->async) + time_log_array_count(&d->sched.input.log)) *
                     sizeof(struct time_log_entry);
    if (bytes < RELEASED_LEAST || file_follows(trace->file))
        return;
    trace->released = true;
    async_release(&d->async);
    sched_release(&d->sched);
}
