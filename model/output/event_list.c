/* event_list.c - collects every entry of a trace that has a time, numbers the slices and sorts all
 * of it.
 *
 * Slices come first, thread by thread and row by row, so that the index of a row's first slice
 * finds each slice again. A parent is on a row above its child: one pass over the rows, outermost
 * first, gives all parents and depths. If there are many slices, both threads of the index do so, a
 * thread of the trace each. Then one sort by time gives two arrays of pointers: the slices in the
 * order of their ids, and all entries in the order of exports (EXPORT 1). */
#include "model/output/event_list.h"

#include "model/output/lines/time_order.h"
#include "model/query/stat/track_scope.h"
#include "model/trace/trace.h"
#include "src/base/worker.h"

#define FEW 4096 /* slices that take as long as the start of a thread */

static int slice_id_order(const void *a, const void *b) {
    const struct event_list_entry *x = *(struct event_list_entry *const *)a,
                                  *y = *(struct event_list_entry *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int entry_order(const void *a, const void *b) {
    const struct event_list_entry *x = *(struct event_list_entry *const *)a,
                                  *y = *(struct event_list_entry *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    /* states that the same switch record began */
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* The slices of one thread: a piece of work for the worker. */
struct part {
    struct event_list *list;
    struct trace *trace;
    size_t thread;
};

struct place { /* of a slice */
    uint32_t row, i;
};

/* The parent of a slice: mostly the last one above that begins no later (slice.h), *next - 1. The
 * begins of a row rise, so *next does. */
static bool parent_of(const struct part *p, const struct nest *nest, struct place at,
                      uint32_t *next, struct place *parent) {
    const struct slice *s = lane_at(nest_row(nest, at.row), at.i);
    if (at.row == 0 || slice_flags(s) & SLICE_DISPLACED || !slice_has_length(s))
        return nest_parent(nest, trace_slice_extra(p->trace), at.row, at.i, &parent->row,
                           &parent->i);
    const struct lane *above = nest_row(nest, at.row - 1);
    while (*next < above->n && lane_start(above, *next) <= s->start)
        ++*next;
    *parent = (struct place){at.row - 1, *next - 1};
    return *next > 0;
}

/* A parent is on a row above. Rows are visited from the outermost on, so the depth of each parent
 * is known. */
static void fill_part(void *ctx, void *none) {
    const struct part *p = ctx;
    struct event_list *t = p->list;
    const struct thread *th = trace_thread(p->trace, p->thread);
    const uint64_t *rows = t->row_start.v[p->thread];
    (void)none;
    for (uint32_t row = 0; row < nest_rows(&th->nest); row++) {
        const struct lane *lane = nest_row(&th->nest, row);
        uint32_t next = 0;
        struct place parent;
        for (uint32_t i = 0; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            struct event_list_entry *e = &t->v.v[rows[row] + i];
            *e = (struct event_list_entry){.time = s->start,
                                           .offset = slice_offset(s),
                                           .thread = th->number,
                                           .row = row,
                                           .i = i,
                                           .kind = EVENT_LIST_SLICE};
            if (!parent_of(p, &th->nest, (struct place){row, i}, &next, &parent))
                continue;
            e->parent = &t->v.v[rows[parent.row] + parent.i];
            e->depth = e->parent->depth + 1;
        }
    }
}

/* Space for the slices, before all others. */
static void lay_out(struct trace *trace, struct event_list *t) {
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        const struct nest *nest = &trace_thread(trace, k)->nest;
        uint64_t *rows = err_malloc((nest_rows(nest) + 1) * sizeof *rows);
        for (uint32_t row = 0; row < nest_rows(nest); row++) {
            rows[row] = t->nslices;
            t->nslices += nest_row(nest, row)->n;
        }
        vec_push(&t->row_start, rows);
    }
    vec_reserve(&t->v, t->nslices);
    t->v.n = t->nslices;
}

/* Parents are pointers, so no entry is added later. */
static void fill_slices(struct trace *trace, struct event_list *t) {
    struct worker *worker = t->nslices < FEW ? NULL : trace_share(trace);
    size_t threads = trace_thread_count(trace);
    struct part *parts = err_malloc((threads + 1) * sizeof *parts);
    for (size_t k = 0; k < threads; k++) {
        parts[k] = (struct part){t, trace, k};
        if (worker)
            worker_give(worker, fill_part, &parts[k], NULL);
        else
            fill_part(&parts[k], NULL);
    }
    if (worker)
        worker_rest(worker);
    free(parts);
}

static void add(struct event_list *t, enum event_list_kind kind, const struct moment *at,
                size_t thread, uint32_t row, size_t i) {
    vec_push(&t->v, ((struct event_list_entry){.time = at->time,
                                               .offset = at->offset,
                                               .thread = (uint32_t)thread,
                                               .row = row,
                                               .i = (uint32_t)i,
                                               .kind = (uint8_t)kind}));
}

static void add_lane(struct event_list *t, enum event_list_kind kind, const struct lane *lane,
                     size_t thread, uint32_t row) {
    for (uint32_t i = 0; i < lane->n; i++)
        add(t, kind, &(struct moment){lane_start(lane, i), slice_offset(lane_at(lane, i))}, thread,
            row, i);
}

static void collect_others(struct trace *trace, struct event_list *t) {
    size_t n;
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        const struct instant *in = trace_instants(trace_thread(trace, k), &n);
        for (size_t i = 0; i < n; i++) {
            uint64_t offset = event_offset(in[i].packed);
            if (blob_event(trace_blobs(trace), offset) == NULL) /* exports list these as blobs */
                add(t, EVENT_LIST_INSTANT, &(struct moment){in[i].time, offset},
                    trace_thread(trace, k)->number, 0, 0);
        }
    }
    for (size_t k = 0; k < async_group_count(trace_async(trace)); k++) {
        const struct async_group *g = async_group(trace_async(trace), k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            add_lane(t, EVENT_LIST_ASYNC, &g->lanes[row], k, row);
        for (size_t i = 0; i < g->instants.n; i++)
            add(t, EVENT_LIST_ASYNC_INSTANT, &g->instants.v[i].at, k, 0, i);
    }
    for (size_t k = 0; k < counter_series_count(trace_counters(trace)); k++) {
        const struct counter_sample *v =
            counter_samples(counter_series(trace_counters(trace), k), &n);
        for (size_t i = 0; i < n; i++)
            add(t, EVENT_LIST_COUNTER, &(struct moment){v[i].at.time, counter_offset(&v[i])}, k,
                counter_argument(&v[i]), i);
    }
    for (size_t k = 0; k < sched_cpu_count(trace_sched(trace)); k++)
        add_lane(t, EVENT_LIST_SCHED, &sched_cpu(trace_sched(trace), k)->lane, k, 0);
    for (size_t k = 0; k < sched_thread_count(trace_sched(trace)); k++)
        add_lane(t, EVENT_LIST_STATE, &sched_thread_at(trace_sched(trace), k)->lane, k, 0);
    const struct occurrence *v = trace_logs(trace, &n);
    for (size_t i = 0; i < n; i++)
        add(t, EVENT_LIST_LOG, &v[i].at, v[i].thread, 0, i);
    v = trace_profile(trace, &n);
    for (size_t i = 0; i < n; i++)
        if (v[i].kind != FXT_K_MODULE)
            add(t, EVENT_LIST_PROFILE, &v[i].at, v[i].thread, 0, i);
    const struct lost *lost = trace_lost(trace, &n);
    for (size_t i = 0; i < n; i++)
        if (lost[i].has_time)
            add(t, EVENT_LIST_LOST, &(struct moment){lost[i].time, lost[i].offset}, 0, 0, i);
}

/* Both orders begin with the time. */
static void sort_all(struct event_list *t) {
    struct time_order *v = err_malloc((t->v.n + 1) * sizeof *v);
    size_t nslices = 0;
    for (size_t i = 0; i < t->v.n; i++)
        v[i] = (struct time_order){t->v.v[i].time, i};
    time_order_sort(v, t->v.n);
    t->order = err_malloc((t->v.n + 1) * sizeof *t->order);
    t->slices = err_malloc((t->nslices + 1) * sizeof *t->slices);
    for (size_t i = 0, end; i < t->v.n; i = end) {
        size_t first = nslices;
        end = time_order_run(v, t->v.n, i);
        for (size_t k = i; k < end; k++) {
            t->order[k] = &t->v.v[v[k].number];
            if (t->order[k]->kind == EVENT_LIST_SLICE)
                t->slices[nslices++] = t->order[k];
        }
        time_order_ties(&t->order[i], end - i, entry_order);
        time_order_ties(&t->slices[first], nslices - first, slice_id_order);
    }
    for (size_t i = 0; i < nslices; i++)
        t->slices[i]->id = (uint32_t)i;
    t->norder = t->v.n;
    free(v);
}

void event_list_init(struct event_list *t, struct trace *trace, bool all) {
    *t = (struct event_list){0};
    lay_out(trace, t);
    if (all)
        collect_others(trace, t);
    fill_slices(trace, t);
    sort_all(t);
}

/* ---- filters ---- */

struct kept { /* a hit as exports know it */
    uint64_t offset;
    /* enum event_list_kind; argument of a counter's sample, place of a scheduled thread */
    uint32_t kind, sub;
};

static int kept_order(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static struct kept kept_of_entry(const struct event_list_entry *e) {
    struct kept kept = {e->offset, e->kind, 0};
    if (e->kind == EVENT_LIST_COUNTER)
        kept.sub = e->row;
    else if (e->kind == EVENT_LIST_STATE)
        kept.sub = e->thread;
    return kept;
}

struct event_list_entry event_list_entry_of(const struct slice_series *s, uint32_t i) {
    struct event_list_entry e = {
        .time = slice_iter_time(s, i), .offset = slice_iter_offset(s, i), .row = s->row, .i = i};
    switch (s->kind) {
    case SLICE_ITER_SLICES:
        e.kind = EVENT_LIST_SLICE;
        e.thread = s->track;
        break;
    case SLICE_ITER_INSTANTS:
        e.kind = EVENT_LIST_INSTANT;
        e.thread = s->track;
        break;
    case SLICE_ITER_OPERATIONS:
        e.kind = EVENT_LIST_ASYNC;
        e.thread = s->track - SLICE_ITER_ASYNC;
        break;
    case SLICE_ITER_ASYNC_INSTANTS:
        e.kind = EVENT_LIST_ASYNC_INSTANT;
        e.thread = s->track - SLICE_ITER_ASYNC;
        break;
    case SLICE_ITER_COUNTERS:
        e.kind = EVENT_LIST_COUNTER;
        e.row = counter_argument(counter_sample(s->counter, i));
        e.thread = s->track - SLICE_ITER_COUNTER_TRACK;
        break;
    case SLICE_ITER_STATES:
        e.kind = EVENT_LIST_STATE;
        e.thread = s->track - SLICE_ITER_STATE_TRACK;
        break;
    default:
        e.kind = EVENT_LIST_LOG;
        e.thread = s->logs[i].thread;
        break;
    }
    return e;
}

/* Leaves out what the search does not hit. */
static void keep_hits(struct event_list *t, struct search *search) {
    VEC(struct kept) hits = {0};
    unsigned char *flows = err_calloc(t->flows.n + 1, 1);
    struct slice_series s;
    struct hit hit;
    uint64_t total;
    search_count(search, NULL, &total);
    for (uint64_t k = 0; k < total && search_at(search, k, &hit, &s); k++) {
        if (s.flows) {
            flows[flow_link(s.flows, hit.i)->flow] = 1;
            continue;
        }
        struct event_list_entry e = event_list_entry_of(&s, hit.i);
        vec_push(&hits, kept_of_entry(&e));
    }
    if (hits.n > 0)
        qsort(hits.v, hits.n, sizeof *hits.v, kept_order);
    for (size_t i = 0; i < t->norder; i++) {
        struct kept wanted = kept_of_entry(t->order[i]);
        if (hits.n == 0 || !bsearch(&wanted, hits.v, hits.n, sizeof wanted, kept_order))
            t->order[i]->left_out = EVENT_LIST_OUT;
    }
    for (size_t i = 0; i < t->flows.n; i++)
        t->flows.v[i] &= flows[i];
    free(flows);
    vec_free(&hits);
}

/* ---- ranges ---- */

/* Its row, if it lasts; else NULL. */
static const struct lane *lasting(const struct trace *trace, const struct event_list_entry *e) {
    switch ((enum event_list_kind)e->kind) {
    case EVENT_LIST_SLICE:
        return event_list_row(trace, e);
    case EVENT_LIST_ASYNC:
        return event_list_group_row(trace, e);
    case EVENT_LIST_SCHED:
        return &sched_cpu(trace_sched(trace), e->thread)->lane;
    case EVENT_LIST_STATE:
        return &sched_thread_at(trace_sched(trace), e->thread)->lane;
    default:
        return NULL;
    }
}

static bool thread_asked(const struct trace *trace, const struct range *range, uint32_t thread) {
    return thread != NO_THREAD && track_set_has(&range->tracks, trace_stands_for(trace, thread));
}

static bool track_asked(struct trace *trace, const struct range *range,
                        const struct event_list_entry *e) {
    const struct track_set *set = &range->tracks;
    size_t n;
    switch ((enum event_list_kind)e->kind) {
    case EVENT_LIST_ASYNC:
    case EVENT_LIST_ASYNC_INSTANT:
        return track_set_has(set, SLICE_ITER_ASYNC + e->thread);
    case EVENT_LIST_COUNTER:
        return track_set_has(set, SLICE_ITER_COUNTER_TRACK + e->thread);
    case EVENT_LIST_SCHED:
        return track_set_has(set, SCOPE_CPU + e->thread) ||
               thread_asked(trace, range,
                            sched_run(sched_cpu(trace_sched(trace), e->thread), e->i).thread);
    case EVENT_LIST_STATE:
        return thread_asked(trace, range, sched_thread_at(trace_sched(trace), e->thread)->thread);
    case EVENT_LIST_LOG:
        return track_set_has(set, SLICE_ITER_LOG_TRACK) || thread_asked(trace, range, e->thread);
    case EVENT_LIST_PROFILE:
        return track_set_has(set, SCOPE_PROFILE) || thread_asked(trace, range, e->thread);
    case EVENT_LIST_LOST:
        return thread_asked(trace, range, trace_lost(trace, &n)[e->i].thread);
    default:
        return thread_asked(trace, range, e->thread);
    }
}

bool event_list_flow_asked(const struct trace *trace, const struct range *range,
                           const struct flow *flow) {
    const struct flows *flows = trace_flows(trace);
    bool tracked = range->tracks.v.n == 0;
    int64_t from = flow_time(flows, flow->first), to = from;
    for (uint32_t k = flow->first; k != NO_POINT; k = flow_link(flows, k)->after) {
        to = flow_time(flows, k);
        tracked = tracked || thread_asked(trace, range, flow_point(flows, k).thread);
    }
    return tracked && range_overlaps(range, from, to);
}

bool event_list_asked(struct trace *trace, const struct range *range,
                      const struct event_list_entry *e) {
    const struct lane *row = lasting(trace, e);
    return range_overlaps(range, e->time, row ? slice_end(lane_at(row, e->i)) : e->time) &&
           (range->tracks.v.n == 0 || track_asked(trace, range, e));
}

static void keep_range(struct event_list *t, struct trace *trace, const struct range *range) {
    for (size_t i = 0; i < t->norder; i++)
        if (!event_list_asked(trace, range, t->order[i]))
            t->order[i]->left_out = EVENT_LIST_OUT;
    for (size_t i = 0; i < t->flows.n; i++)
        t->flows.v[i] &= event_list_flow_asked(trace, range, flows_at(trace_flows(trace), i));
}

/* The series of a counter that one record has follow each other. */
static void mark_beside(struct event_list *t) {
    for (size_t i = 0, j; i < t->norder; i = j) {
        bool any = false;
        for (j = i; j < t->norder && t->order[j]->offset == t->order[i]->offset; j++)
            any = any || (t->order[j]->kind == EVENT_LIST_COUNTER && !t->order[j]->left_out);
        for (size_t k = i; any && k < j; k++)
            if (t->order[k]->kind == EVENT_LIST_COUNTER && t->order[k]->left_out)
                t->order[k]->left_out = EVENT_LIST_BESIDE;
    }
}

void event_list_keep(struct event_list *t, struct trace *trace, const struct question *asked) {
    size_t left = 0;
    if (asked == NULL || !question_any(asked))
        return;
    t->filtered = true;
    for (size_t i = 0; i < flow_count(trace_flows(trace)); i++)
        vec_push(&t->flows, 1);
    keep_range(t, trace, &asked->range);
    if (asked->search)
        keep_hits(t, asked->search);
    mark_beside(t);
    for (size_t i = 0; i < t->norder; i++)
        if (!t->order[i]->left_out)
            t->order[left++] = t->order[i];
    t->norder = left;
}

void event_list_free(struct event_list *t) {
    for (size_t i = 0; i < t->row_start.n; i++)
        free(t->row_start.v[i]);
    vec_free(&t->row_start);
    vec_free(&t->flows);
    vec_free(&t->v);
    free(t->order);
    free(t->slices);
}

const struct event_list_entry *event_list_point_slice(const struct event_list *t,
                                                      const struct trace *trace,
                                                      const struct trace_point *p) {
    uint32_t row, i;
    return trace_point_slice(trace, p, &row, &i) ? &t->v.v[t->row_start.v[p->thread][row] + i]
                                                 : NULL;
}

const struct lane *event_list_row(const struct trace *trace, const struct event_list_entry *e) {
    return nest_row(&trace_thread(trace, e->thread)->nest, e->row);
}

const struct lane *event_list_group_row(const struct trace *trace,
                                        const struct event_list_entry *e) {
    return async_group_row(async_group(trace_async(trace), e->thread), e->row);
}

struct event_list_identity event_list_identity(const struct trace *trace,
                                               const struct thread *thread) {
    const struct thread_id *id = &thread->id;
    if (id->form != THREAD_UNDEFINED)
        return (struct event_list_identity){id->form == THREAD_PAIR, true, id->pid, id->tid, NULL};
    const struct provider *p = reader_provider(trace_reader(trace), id->provider);
    return (struct event_list_identity){.provider = p->implicit ? NULL : p};
}
