/* chrome_plan.c - which events are written, on which tracks and with which numbers, so that viewers show the trace as
 * it is. Viewers demand more than the format does; a function meets each demand:
 * - Perfetto drops a slice that overlaps another on its thread: such slices go to a track of their own, place_slices().
 * - Perfetto puts complete events of one time in the order of their durations, and closes them at their end, before
 *   one of no length there; and a flow event belongs to the slice on top, even if it has ended. A track on which that
 *   matters is written as pairs of begin and end, which stay in order, place_slices() and place_flows().
 * - A single complete event makes Perfetto put all ends of a time before its begins. So if a slice of no length is a
 *   pair, all slices are, pair_all().
 * - Async events of one category and id are one stack: those that do not nest get an id of their own, place_async().
 * - An instant is a slice for Perfetto, on top until the next event of a slice: a flow event after it moves to the
 *   begin of its own slice, bind_flows().
 * - pid and tid must fit 32 bits, a pair is a thread, and tid 0 is read as the pid: number_threads().
 *
 * The steps of chrome_plan_init() run in that order; each adds events, and bind_flows() sorts them. */
#include "model/output/chrome_plan.h"

#include <stdlib.h>

#include "model/output/chrome_stack.h"
#include "model/query/detail.h"
#include "src/base/lower_bound.h"

/* ---- events of threads ---- */

/* Order of events at one time. Events of tracks are in the order of place_at(). */
enum rank { RANK_TRACK, RANK_CPU, RANK_OTHER, RANK_ASYNC };

/* Order within a track at one time, after the slice at `place`. */
enum minor { MINOR_BEGIN, MINOR_FLOW_AT_BEGIN, MINOR_END, MINOR_FLOW, MINOR_INSTANT };

struct placed { /* a slice, in the order of its track */
    int64_t time;
    uint32_t place; /* in the order parent before child, by time: a tree walk */
};

struct track_slices {
    VEC(struct placed) v;
};

struct planner {
    struct chrome_plan *plan;
    struct chrome_numbers numbers; /* pids and tids in use */
    uint32_t *track_of;     /* by index in the event list: the track of a slice */
    uint32_t *place, *last; /* by id of a slice: its place in the tree walk, and the last one of its descendants */
    VEC(struct track_slices) slices; /* by track */
};

static uint32_t main_track(const struct planner *c, uint32_t thread) {
    return trace_stands_for(c->plan->trace, thread);
}

static uint32_t track_at(const struct planner *c, uint32_t thread, const struct event_list_entry *slice) {
    return slice ? c->track_of[slice - c->plan->list.v.v] : main_track(c, thread);
}

/* A number that a viewer keeps: tid 0 is for Perfetto the thread whose number is the pid. */
static bool keeps_tid(const struct trace *trace, const struct thread *t) {
    if (t->id.form == THREAD_UNDEFINED || t->id.tid >= CHROME_NUMBER_MAX)
        return false;
    return t->id.tid > 0 || (t->process != NO_PROCESS && trace_process(trace, t->process)->pid == 0);
}

static void number_threads(struct planner *c) {
    struct trace *trace = c->plan->trace;
    size_t cpus = sched_cpu_count(trace_sched(trace));
    c->plan->pids = err_malloc((trace_process_count(trace) + 1) * sizeof *c->plan->pids);
    c->plan->cpu_tids = err_malloc((cpus + 1) * sizeof *c->plan->cpu_tids);
    for (size_t i = 0; i < trace_process_count(trace); i++)
        if (trace_process(trace, i)->pid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(&c->numbers, 0, trace_process(trace, i)->pid);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.form != THREAD_UNDEFINED && trace_thread(trace, i)->id.tid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(&c->numbers, 0, trace_thread(trace, i)->id.tid);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        uint64_t pid = trace_process(trace, i)->pid;
        c->plan->pids[i] = pid < CHROME_NUMBER_MAX ? pid : chrome_numbers_fresh(&c->numbers, 0);
    }
    c->plan->no_pid = chrome_numbers_fresh(&c->numbers, 0);
    c->plan->cpus_pid = chrome_numbers_fresh(&c->numbers, 0);
    for (size_t i = 0; i < cpus; i++)
        c->plan->cpu_tids[i] = chrome_numbers_fresh(&c->numbers, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        vec_push(&c->plan->tracks, ((struct chrome_track){
                                       .thread = (uint32_t)i,
                                       .pid = t->process == NO_PROCESS ? c->plan->no_pid : c->plan->pids[t->process],
                                       .tid = keeps_tid(trace, t) ? t->id.tid : chrome_numbers_fresh(&c->numbers, 0)}));
    }
}

#define NO_SLICE UINT32_MAX

/* Numbers the slices so that all descendants of one follow it, and its later siblings them; siblings by id, which is by
 * time. last[]: the greatest number among a slice and its descendants. */
static void walk_trees(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    size_t n = t->nslices;
    uint32_t *child = err_malloc((n + 1) * sizeof *child), *next = err_malloc((n + 1) * sizeof *next), root = NO_SLICE;
    c->place = err_malloc((n + 1) * sizeof *c->place);
    c->last = err_malloc((n + 1) * sizeof *c->last);
    for (size_t i = 0; i < n; i++)
        child[i] = NO_SLICE;
    for (uint32_t i = (uint32_t)n; i-- > 0;) { /* backward: each list is in the order of ids */
        uint32_t *first = t->slices[i]->parent ? &child[t->slices[i]->parent->id] : &root;
        next[i] = *first;
        *first = i;
    }
    uint32_t places = 0;
    for (uint32_t i = root; i != NO_SLICE;) {
        c->place[i] = places++;
        if (child[i] != NO_SLICE) {
            i = child[i];
            continue;
        }
        for (; i != NO_SLICE; i = t->slices[i]->parent ? t->slices[i]->parent->id : NO_SLICE) { /* it is done */
            c->last[i] = places - 1;
            if (next[i] != NO_SLICE)
                break;
        }
        i = i != NO_SLICE ? next[i] : NO_SLICE;
    }
    free(child);
    free(next);
}

static int placed_order(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The position at one time on a track: after the slice at `place`, then by `minor` and `order`. */
static void place_at(struct chrome_event *ev, uint32_t place, enum minor minor, uint64_t order) {
    ev->rank = RANK_TRACK;
    ev->major = (uint64_t)ev->track << 32 | place;
    ev->minor = (uint64_t)minor << 56 | order;
}

/* Which stack a slice is on is its track; a new one gets a number. */
static uint32_t track_of_slice(struct planner *c, struct chrome_stacks *own, const struct event_list_entry *e) {
    bool is_new;
    struct chrome_open open = {slice_end(event_list_slice(c->plan->trace, e)), e->id};
    struct chrome_stack *stack =
        chrome_stack_for(own, e->time, open.end, e->parent ? e->parent->id : CHROME_NO_PARENT, &is_new);
    if (is_new) {
        struct chrome_track track = c->plan->tracks.v[e->thread];
        stack->tag = e->thread;
        if (own->n > 1) { /* a second track */
            track.overlap = (uint32_t)own->n - 1;
            track.tid = chrome_numbers_fresh(&c->numbers, 0);
            stack->tag = c->plan->tracks.n;
            vec_push(&c->plan->tracks, track);
            vec_push(&c->slices, (struct track_slices){0});
        }
    }
    vec_push(stack, open);
    return (uint32_t)stack->tag;
}

/* Whether complete events would not keep a slice's depth: it is at the end of its parent, or has no length and another
 * one begins there. */
static bool needs_pairs(const struct planner *c, const struct event_list_entry *e,
                        const struct event_list_entry *before) {
    const struct event_list_entry *parent = e->parent;
    if (parent && parent->time < e->time && slice_end(event_list_slice(c->plan->trace, parent)) <= e->time)
        return true;
    return before && before->time == e->time && slice_end(event_list_slice(c->plan->trace, before)) == e->time;
}

static void place_slices(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    size_t threads = trace_thread_count(c->plan->trace);
    struct chrome_stacks *stacks = err_calloc(threads + 1, sizeof *stacks);
    struct placed *order = err_malloc((t->nslices + 1) * sizeof *order);
    uint32_t *by_place = err_malloc((t->nslices + 1) * sizeof *by_place);
    c->track_of = err_malloc((t->v.n + 1) * sizeof *c->track_of);
    for (size_t i = 0; i < threads; i++)
        vec_push(&c->slices, (struct track_slices){0});
    walk_trees(c);
    for (size_t i = 0; i < t->nslices; i++) {
        order[i] = (struct placed){t->slices[i]->time, c->place[i]};
        by_place[c->place[i]] = (uint32_t)i;
    }
    if (t->nslices > 0)
        qsort(order, t->nslices, sizeof *order, placed_order);
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[by_place[order[i].place]], *before = NULL;
        uint32_t track = track_of_slice(c, &stacks[e->thread], e);
        struct track_slices *own = &c->slices.v[track];
        if (own->v.n > 0)
            before = t->slices[by_place[own->v.v[own->v.n - 1].place]];
        c->track_of[e - t->v.v] = track;
        c->plan->tracks.v[track].pairs |= needs_pairs(c, e, before);
        vec_push(&own->v, order[i]);
    }
    for (size_t i = 0; i < threads; i++)
        chrome_stacks_free(&stacks[i]);
    free(stacks);
    free(order);
    free(by_place);
}

static bool pair_without_length(const struct planner *c) {
    const struct event_list *t = &c->plan->list;
    for (size_t i = 0; i < t->nslices; i++) {
        const struct slice *s = event_list_slice(c->plan->trace, t->slices[i]);
        if (c->plan->tracks.v[c->track_of[t->slices[i] - t->v.v]].pairs && slice_end(s) == t->slices[i]->time)
            return true;
    }
    return false;
}

static void pair_all(struct planner *c) {
    c->plan->pairs = pair_without_length(c);
    for (size_t i = 0; i < c->plan->tracks.n && c->plan->pairs; i++)
        c->plan->tracks.v[i].pairs = true;
}

/* Adds the begins of slices, and the ends of those that are pairs and have ended. */
static void add_slices(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[i];
        const struct slice *s = event_list_slice(c->plan->trace, e);
        struct chrome_event ev = {.time = e->time, .kind = CHROME_SLICE, .track = c->track_of[e - t->v.v], .entry = e};
        place_at(&ev, c->place[i], MINOR_BEGIN, 0);
        vec_push(&c->plan->events, ev);
        if (!c->plan->tracks.v[ev.track].pairs || slice_open(s))
            continue;
        ev.kind = CHROME_SLICE_END;
        ev.time = slice_end(s);
        place_at(&ev, c->last[i], MINOR_END, UINT32_MAX - e->depth);
        vec_push(&c->plan->events, ev);
    }
}

static void add(struct planner *c, const struct event_list_entry *e, enum chrome_kind kind) {
    vec_push(&c->plan->events, ((struct chrome_event){.time = e->time,
                                                      .rank = RANK_OTHER,
                                                      .major = e->offset,
                                                      .minor = c->plan->events.n,
                                                      .kind = (uint8_t)kind,
                                                      .entry = e}));
}

/* A run of a CPU. Runs of one CPU follow each other. */
static void add_run(struct planner *c, const struct event_list_entry *e) {
    const struct slice *s = lane_at(&sched_cpu(trace_sched(c->plan->trace), e->thread)->lane, e->i);
    struct chrome_event ev = {.time = e->time,
                              .rank = RANK_CPU,
                              .major = (uint64_t)e->thread << 32 | (uint32_t)e->i,
                              .kind = CHROME_SCHED,
                              .entry = e};
    vec_push(&c->plan->events, ev);
    if (!c->plan->pairs || slice_open(s))
        return;
    ev.time = slice_end(s);
    ev.minor = 1;
    ev.kind = CHROME_SCHED_END;
    vec_push(&c->plan->events, ev);
}

/* Instants come last at their time: each is on top for what follows it. */
static void add_instant(struct planner *c, const struct event_list_entry *e, enum chrome_kind kind) {
    struct chrome_event ev = {.time = e->time, .kind = (uint8_t)kind, .entry = e};
    ev.track = track_at(c, e->thread, event_list_slice_at(&c->plan->list, c->plan->trace, e->thread, e->time));
    place_at(&ev, UINT32_MAX, MINOR_INSTANT, e->offset);
    vec_push(&c->plan->events, ev);
}

static void place_others(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    uint64_t counter = UINT64_MAX;
    for (size_t i = 0; i < t->v.n; i++) {
        const struct event_list_entry *e = t->order[i];
        switch ((enum event_list_kind)e->kind) {
        case EVENT_LIST_INSTANT:
        case EVENT_LIST_LOG:
            if (e->thread != NO_THREAD)
                add_instant(c, e, e->kind == EVENT_LIST_LOG ? CHROME_LOG : CHROME_INSTANT);
            break;
        case EVENT_LIST_COUNTER: /* one event for all series of a record */
            if (e->offset != counter)
                add(c, e, CHROME_COUNTER);
            counter = e->offset;
            break;
        case EVENT_LIST_SCHED:
            add_run(c, e);
            add(c, e, CHROME_RUNNING);
            break;
        case EVENT_LIST_STATE:
            add(c, e, CHROME_STATE);
            break;
        default:
            break;
        }
    }
}

/* ---- async operations ---- */

struct operation {
    const struct event_list_entry *e;
    struct async_event event;
    size_t place; /* index in the order of time */
};

static int operation_order(const void *a, const void *b) {
    const struct operation *x = a, *y = b;
    if (x->event.process != y->event.process)
        return x->event.process < y->event.process ? -1 : 1;
    if (x->event.category != y->event.category)
        return x->event.category < y->event.category ? -1 : 1;
    if (x->event.id != y->event.id)
        return x->event.id < y->event.id ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool same_key(const struct async_event *x, const struct async_event *y) {
    return x->process == y->process && x->category == y->category && x->id == y->id;
}

struct placing {
    struct planner *c;
    const struct operation *ops;
    uint64_t sequence;
};

static void add_async(struct placing *p, int64_t time, enum chrome_kind kind, const struct event_list_entry *e,
                      uint64_t id) {
    vec_push(
        &p->c->plan->events,
        ((struct chrome_event){
            .time = time, .rank = RANK_ASYNC, .major = p->sequence++, .kind = (uint8_t)kind, .id = id, .entry = e}));
}

static void operation_closed(void *ctx, const struct chrome_stack *stack, const struct chrome_open *open) {
    struct placing *p = ctx;
    if (open->end != INT64_MAX)
        add_async(p, open->end, CHROME_ASYNC_END, p->ops[open->id].e, stack->tag);
}

/* Adds operations [from, to), all of one key and in order of time, each to the stack in which it nests. */
static void place_key(struct placing *p, struct chrome_numbers *ids, size_t from, size_t to) {
    struct chrome_stacks stacks = {.closed = operation_closed, .ctx = p};
    const struct async_event *key = &p->ops[from].event;
    for (size_t i = from; i < to; i++) {
        const struct event_list_entry *e = p->ops[i].e;
        bool instant = e->kind == EVENT_LIST_ASYNC_INSTANT, is_new;
        int64_t end = instant ? e->time : slice_end(event_list_operation(p->c->plan->trace, e));
        struct chrome_stack *stack = chrome_stack_for(&stacks, e->time, end, CHROME_ANY_PARENT, &is_new);
        if (is_new)
            stack->tag = chrome_numbers_give(ids, key->category, key->id);
        add_async(p, e->time, instant ? CHROME_ASYNC_INSTANT : CHROME_ASYNC_BEGIN, e, stack->tag);
        if (!instant)
            vec_push(stack, ((struct chrome_open){end, (uint32_t)i}));
    }
    for (size_t i = 0; i < stacks.n; i++)
        chrome_stack_close(&stacks, &stacks.v[i], INT64_MAX, CHROME_ANY_PARENT);
    chrome_stacks_free(&stacks);
}

/* The event of an entry, decoded again; false: its record cannot be read. */
static bool event_of(const struct planner *c, const struct event_list_entry *e, struct detail_memo *memo,
                     struct async_event *event) {
    struct trace *trace = c->plan->trace;
    struct detail d;
    if (!detail_open_by(&d, trace, e->offset, memo))
        return false;
    uint32_t thread = detail_thread(&d);
    *event = (struct async_event){.at = {e->time, e->offset},
                                  .id = d.record.id,
                                  .process = thread == NO_THREAD ? NO_PROCESS : trace_thread(trace, thread)->process,
                                  .category = names_find(reader_names(trace_reader(trace)), d.category.s, d.category.n)};
    return true;
}

static void place_async(struct planner *c) {
    struct detail_memo *memo = detail_memo_new();
    VEC(struct operation) ops = {0};
    struct chrome_numbers ids = {0};
    for (size_t i = 0; i < c->plan->list.v.n; i++) {
        const struct event_list_entry *e = c->plan->list.order[i];
        if (e->kind != EVENT_LIST_ASYNC && e->kind != EVENT_LIST_ASYNC_INSTANT)
            continue;
        struct operation op = {.e = e, .place = ops.n};
        if (!event_of(c, e, memo, &op.event))
            continue;
        chrome_numbers_reserve(&ids, op.event.category, op.event.id);
        vec_push(&ops, op);
    }
    if (ops.n > 0)
        qsort(ops.v, ops.n, sizeof *ops.v, operation_order);
    struct placing p = {c, ops.v, 0};
    for (size_t from = 0, to; from < ops.n; from = to) {
        for (to = from + 1; to < ops.n && same_key(&ops.v[from].event, &ops.v[to].event);)
            to++;
        place_key(&p, &ids, from, to);
    }
    vec_free(&ops);
    u64map_free(&ids.taken);
    detail_memo_free(memo);
}

/* ---- flows ---- */

static int event_order(const void *a, const void *b) {
    const struct chrome_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static void sort_events(struct planner *c) {
    if (c->plan->events.n > 0)
        qsort(c->plan->events.v, c->plan->events.n, sizeof *c->plan->events.v, event_order);
}

/* The place on a track right before the slices that begin at t: after the ends at that time. */
static uint32_t place_before(const struct planner *c, uint32_t track, int64_t t) {
    const struct placed *v = c->slices.v[track].v.v;
    size_t at = 0, n = c->slices.v[track].v.n;
    lower_bound(at, n, i, v[i].time < t);
    return at > 0 ? v[at - 1].place : 0;
}

static void place_flow(struct planner *c, uint32_t point, uint64_t id) {
    struct flow_point p = flow_point(trace_flows(c->plan->trace), point);
    if (p.thread == NO_THREAD)
        return;
    const struct event_list_entry *slice = event_list_slice_at(&c->plan->list, c->plan->trace, p.thread, p.at.time);
    struct chrome_event ev = {.time = p.at.time,
                              .kind = CHROME_FLOW,
                              .track = track_at(c, p.thread, slice),
                              .point = point,
                              .id = id,
                              .entry = slice};
    if (slice && slice->time == p.at.time)
        place_at(&ev, c->place[slice->id], MINOR_FLOW_AT_BEGIN, p.at.offset);
    else
        place_at(&ev, place_before(c, ev.track, p.at.time), MINOR_FLOW, p.at.offset);
    c->plan->tracks.v[ev.track].pairs = true;
    vec_push(&c->plan->events, ev);
}

static void place_flows(struct planner *c) {
    const struct flows *flows = trace_flows(c->plan->trace);
    struct chrome_numbers ids = {0};
    for (size_t i = 0; i < flow_count(flows); i++)
        chrome_numbers_reserve(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
    for (size_t i = 0; i < flow_count(flows); i++) {
        uint64_t id = chrome_numbers_give(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
        for (uint32_t k = flows_at(flows, i)->first; k != NO_POINT; k = flow_link(flows, k)->after)
            place_flow(c, k, id);
    }
    u64map_free(&ids.taken);
}

/* Flows with an event at which an instant is on top of its slice. */
struct astray {
    struct chrome_event **of_point;    /* by point: its event, or NULL */
    const struct chrome_event **since; /* by point: the event that put its slice on top, or NULL */
    bool *points, *flows;              /* by number: whether it is astray, whether one of its points is */
};

/* Finds what Perfetto sees on top of a track that has pairs: an instant is there until the next begin or end. */
static void find_astray(struct planner *c, struct astray *a) {
    const struct flows *flows = trace_flows(c->plan->trace);
    for (size_t i = 0; i < c->plan->events.n; i++) {
        struct chrome_event *ev = &c->plan->events.v[i];
        if (ev->kind > CHROME_LOG)
            continue;
        struct chrome_track *track = &c->plan->tracks.v[ev->track];
        if (ev->kind == CHROME_FLOW) {
            a->of_point[ev->point] = ev;
            a->since[ev->point] = ev->entry ? track->since : NULL;
            a->points[ev->point] = ev->entry && track->instant;
            a->flows[flow_link(flows, ev->point)->flow] |= a->points[ev->point];
        } else if (ev->kind == CHROME_SLICE || ev->kind == CHROME_SLICE_END) {
            track->since = ev;
            track->instant = false;
        } else {
            track->instant = true;
        }
    }
}

/* The event right after the one that put its slice on top. */
static struct chrome_event before_instant(const struct planner *c, const struct chrome_event *flow,
                                          const struct chrome_event *since) {
    struct chrome_event at = *flow;
    uint64_t offset = flow->minor & (UINT64_MAX >> 8);
    at.time = since->time;
    if (since->kind == CHROME_SLICE)
        place_at(&at, c->place[since->entry->id], MINOR_FLOW_AT_BEGIN, offset);
    else
        place_at(&at, c->last[since->entry->id], MINOR_FLOW, offset);
    return at;
}

struct chrome_events {
    struct chrome_event *v;
    size_t n, cap;
};

/* Moves the events of a flow that are astray, or all of them, if they stay in order; to: a buffer. */
static bool move_flow(const struct planner *c, const struct astray *a, uint32_t first, bool all,
                      struct chrome_events *to) {
    const struct flows *flows = trace_flows(c->plan->trace);
    to->n = 0;
    for (uint32_t k = first; k != NO_POINT; k = flow_link(flows, k)->after) {
        if (a->of_point[k] == NULL)
            continue;
        bool moves = a->since[k] && (all || a->points[k]);
        vec_push(to, moves ? before_instant(c, a->of_point[k], a->since[k]) : *a->of_point[k]);
        if (to->n > 1 && to->v[to->n - 2].time > to->v[to->n - 1].time)
            return false;
    }
    for (size_t k = 0; k < to->n; k++)
        *a->of_point[to->v[k].point] = to->v[k];
    return to->n > 0;
}

/* Perfetto binds a flow event to the event on top. If that is an instant, the flow event moves before it. Arrows
 * go from slice to slice, so they stay the same. */
static void bind_flows(struct planner *c) {
    const struct flows *flows = trace_flows(c->plan->trace);
    struct astray a = {err_calloc(flow_point_count(flows) + 1, sizeof *a.of_point),
                       err_calloc(flow_point_count(flows) + 1, sizeof *a.since),
                       err_calloc(flow_point_count(flows) + 1, sizeof *a.points),
                       err_calloc(flow_count(flows) + 1, sizeof *a.flows)};
    struct chrome_events to = {0};
    bool moved = false;
    sort_events(c);
    find_astray(c, &a);
    for (size_t i = 0; i < flow_count(flows); i++)
        if (a.flows[i])
            moved |= move_flow(c, &a, flows_at(flows, i)->first, false, &to) ||
                     move_flow(c, &a, flows_at(flows, i)->first, true, &to);
    vec_free(&to);
    free(a.of_point);
    free(a.since);
    free(a.points);
    free(a.flows);
    if (moved)
        sort_events(c);
}

void chrome_plan_init(struct chrome_plan *plan, struct trace *trace) {
    struct planner c = {.plan = plan};
    *plan = (struct chrome_plan){.trace = trace};
    event_list_init(&plan->list, trace, true);
    number_threads(&c);
    place_slices(&c);
    place_flows(&c);
    pair_all(&c);
    add_slices(&c);
    place_others(&c);
    place_async(&c);
    bind_flows(&c);
    u64map_free(&c.numbers.taken);
    for (size_t i = 0; i < c.slices.n; i++)
        vec_free(&c.slices.v[i].v);
    vec_free(&c.slices);
    free(c.track_of);
    free(c.place);
    free(c.last);
}

void chrome_plan_free(struct chrome_plan *plan) {
    vec_free(&plan->events);
    vec_free(&plan->tracks);
    free(plan->pids);
    free(plan->cpu_tids);
    event_list_free(&plan->list);
}

const struct chrome_track *chrome_plan_track(const struct chrome_plan *plan, uint32_t thread) {
    return &plan->tracks.v[trace_stands_for(plan->trace, thread)];
}
