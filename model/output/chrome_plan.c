/* chrome_plan.c - which events are written, on which tracks and with which numbers, so that viewers
 * show the trace as it is. Viewers demand more than the format does; a function meets each demand:
 * - Perfetto drops a slice that overlaps another on its thread: such slices go to a track of their
 *   own, place_slices().
 * - Perfetto puts complete events of one time in the order of their durations, and closes them at
 *   their end, before one of no length there; and a flow event belongs to the slice on top, even if
 *   it has ended. A track on which that matters is written as pairs of begin and end, which stay in
 *   order, place_slices() and place_flows().
 * - fxtop itself reads an instant at the end of a complete event as in it (SEMANTICS 7.4). If it is
 *   not, or if another slice begins there, the track is written as pairs, chrome_pair.c.
 * - A single complete event makes Perfetto put all ends of a time before its begins. So if a slice
 *   of no length is a pair, all slices are, chrome_pair_all().
 * - Async events of one category and id are one stack: those that do not nest get an id of their
 *   own, chrome_async.c.
 * - An instant is a slice for Perfetto, on top until the next event of a slice: a flow event after
 *   it moves to the begin of its own slice, bind_flows().
 * - pid and tid must fit 32 bits, a pair is a thread, and tid 0 is read as the pid:
 *   chrome_number.c.
 *
 * The steps of chrome_plan_init() run in that order; each adds events, and bind_flows() sorts them:
 * by digits of their times, and those of one time by keys that are made for the comparison. */
#include "model/output/chrome_plan.h"

#include <stdlib.h>

#include "model/output/lines/row_order.h"
#include "src/base/lower_bound.h"

/* ---- events of threads ---- */

/* Order of events at one time. Events of tracks are in the order of their places. */
enum rank { RANK_TRACK, RANK_CPU, RANK_OTHER, RANK_ASYNC };

/* Order within a track at one time, after the slice at `place`. */
enum minor { MINOR_BEGIN, MINOR_FLOW_AT_BEGIN, MINOR_END, MINOR_FLOW, MINOR_INSTANT };

struct planned { /* a slice */
    int64_t end;
    uint32_t place; /* in the order parent before child, by time: a tree walk */
    uint32_t last;  /* the place of the last one among itself and its descendants */
    uint32_t inner; /* id of the slice in it that begins before its end, and ends then; 0: none */
    bool open;
};

struct track_slices {
    VEC(uint32_t) ids; /* in the order of the track */
};

struct planner {
    struct chrome_plan *plan;
    struct chrome_numbers numbers;   /* pids and tids in use */
    struct planned *planned;         /* by id of a slice */
    VEC(struct track_slices) slices; /* by track */
};

static uint32_t main_track(const struct planner *c, uint32_t thread) {
    return trace_stands_for(c->plan->trace, thread);
}

static uint32_t track_at(const struct planner *c, uint32_t thread,
                         const struct event_list_entry *slice) {
    return slice ? c->plan->track_of[slice - c->plan->list.v.v] : main_track(c, thread);
}

/* Ends of slices, row by row: a row is read faster in its own order. */
static void plan_ends(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    for (size_t i = 0; i < t->nslices; i++) {
        const struct slice *s = event_list_slice(c->plan->trace, &t->v.v[i]);
        c->planned[t->v.v[i].id] =
            (struct planned){.end = slice_end(s), .last = 1, .open = slice_open(s)};
    }
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[i];
        struct planned *around = e->parent ? &c->planned[e->parent->id] : NULL;
        if (around && around->end == c->planned[i].end && e->time < around->end)
            around->inner = e->id;
    }
}

/* Numbers the slices so that all descendants of one follow it, and its later siblings them;
 * siblings by id, which is by time. A parent's id is less than those of its children. */
static void walk_trees(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    struct planned *v = c->planned;
    /* place of the next child */
    uint32_t *next = err_malloc((t->nslices + 1) * sizeof *next), root = 0;
    /* until places are known, `last` counts a slice and its descendants */
    for (size_t i = t->nslices; i-- > 0;)
        if (t->slices[i]->parent)
            v[t->slices[i]->parent->id].last += v[i].last;
    for (size_t i = 0; i < t->nslices; i++) {
        uint32_t *place = t->slices[i]->parent ? &next[t->slices[i]->parent->id] : &root;
        v[i].place = *place;
        *place += v[i].last;
        next[i] = v[i].place + 1;
        v[i].last = *place - 1;
    }
    free(next);
}

/* Which stack a slice is on is its track; a new one gets a number. */
static uint32_t track_of_slice(struct planner *c, struct chrome_stacks *own,
                               const struct event_list_entry *e) {
    bool is_new;
    struct chrome_open open = {c->planned[e->id].end, e->id};
    struct chrome_stack *stack = chrome_stack_for(
        own, e->time, open.end, e->parent ? e->parent->id : CHROME_NO_PARENT, &is_new);
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

/* Whether complete events would not keep a slice's depth: it is at the end of its parent, or has no
 * length and another one begins there. */
static bool needs_pairs(const struct planner *c, const struct event_list_entry *e,
                        const struct event_list_entry *before) {
    const struct event_list_entry *parent = e->parent;
    if (parent && parent->time < e->time && c->planned[parent->id].end <= e->time)
        return true;
    return before && before->time == e->time && c->planned[before->id].end == e->time;
}

static int key_order(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The slices by time, those of one time by place: keys whose lower half is an id. */
static uint64_t *order_slices(const struct planner *c) {
    const struct event_list *t = &c->plan->list;
    uint64_t *order = err_malloc((t->nslices + 1) * sizeof *order);
    for (size_t i = 0, end; i < t->nslices; i = end) {
        bool sorted = true;
        for (end = i; end < t->nslices && t->slices[end]->time == t->slices[i]->time; end++) {
            order[end] = (uint64_t)c->planned[end].place << 32 | end;
            sorted = sorted && (end == i || order[end - 1] < order[end]);
        }
        if (!sorted)
            qsort(&order[i], end - i, sizeof *order, key_order);
    }
    return order;
}

static void place_slices(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    size_t threads = trace_thread_count(c->plan->trace);
    struct chrome_stacks *stacks = err_calloc(threads + 1, sizeof *stacks);
    c->planned = err_malloc((t->nslices + 1) * sizeof *c->planned);
    c->plan->track_of = err_malloc((t->v.n + 1) * sizeof *c->plan->track_of);
    for (size_t i = 0; i < threads; i++)
        vec_push(&c->slices, (struct track_slices){0});
    plan_ends(c);
    walk_trees(c);
    uint64_t *order = order_slices(c);
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[(uint32_t)order[i]], *before = NULL;
        uint32_t track = track_of_slice(c, &stacks[e->thread], e);
        struct track_slices *own = &c->slices.v[track];
        if (own->ids.n > 0)
            before = t->slices[own->ids.v[own->ids.n - 1]];
        c->plan->track_of[e - t->v.v] = track;
        c->plan->tracks.v[track].pairs |= needs_pairs(c, e, before);
        vec_push(&own->ids, e->id);
    }
    for (size_t i = 0; i < threads; i++)
        chrome_stacks_free(&stacks[i]);
    free(stacks);
    free(order);
}

/* of a number in the order: kind, and index in the list, or among flows or operations */
#define KIND_SHIFT 56

static size_t index_of(const struct time_order *event) {
    return event->number & ((UINT64_C(1) << KIND_SHIFT) - 1);
}

static void add(struct chrome_plan *plan, int64_t time, enum chrome_kind kind, size_t index) {
    vec_push(&plan->order, ((struct time_order){time, (uint64_t)kind << KIND_SHIFT | index}));
}

/* Adds the begins of slices, and the ends of those that are pairs and have ended. */
static void add_slices(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    for (size_t i = 0; i < t->nslices; i++) {
        size_t index = (size_t)(t->slices[i] - t->v.v);
        add(c->plan, t->slices[i]->time, CHROME_SLICE, index);
        if (c->plan->tracks.v[c->plan->track_of[index]].pairs && !c->planned[i].open &&
            !chrome_pair_lasts(c->plan, t->slices[i]))
            add(c->plan, c->planned[i].end, CHROME_SLICE_END, index);
    }
}

/* A run of a CPU. */
static void add_run(struct planner *c, const struct event_list_entry *e, size_t index) {
    const struct slice *s = lane_at(&sched_cpu(trace_sched(c->plan->trace), e->thread)->lane, e->i);
    add(c->plan, e->time, CHROME_SCHED, index);
    if (c->plan->pairs && !slice_open(s))
        add(c->plan, slice_end(s), CHROME_SCHED_END, index);
    add(c->plan, e->time, CHROME_RUNNING, index);
}

static void add_instant(struct planner *c, const struct event_list_entry *e, enum chrome_kind kind,
                        size_t index) {
    if (e->thread == NO_THREAD)
        return;
    c->plan->track_of[index] = track_at(c, e->thread, chrome_slice_of_instant(c->plan, e));
    add(c->plan, e->time, kind, index);
}

static void place_others(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    uint64_t counter = UINT64_MAX;
    for (size_t i = 0; i < t->v.n; i++) {
        const struct event_list_entry *e = t->order[i];
        size_t index = (size_t)(e - t->v.v);
        switch ((enum event_list_kind)e->kind) {
        case EVENT_LIST_INSTANT:
            add_instant(c, e, CHROME_INSTANT, index);
            break;
        case EVENT_LIST_LOG:
            add_instant(c, e, CHROME_LOG, index);
            break;
        case EVENT_LIST_COUNTER: /* one event for all series of a record */
            if (e->offset != counter)
                add(c->plan, e->time, CHROME_COUNTER, index);
            counter = e->offset;
            break;
        case EVENT_LIST_SCHED:
            add_run(c, e, index);
            break;
        case EVENT_LIST_STATE:
            add(c->plan, e->time, CHROME_STATE, index);
            break;
        default:
            break;
        }
    }
}

static void place_operations(struct planner *c) {
    static const enum chrome_kind kinds[] = {CHROME_ASYNC_BEGIN, CHROME_ASYNC_END,
                                             CHROME_ASYNC_INSTANT};
    c->plan->operations = chrome_async(&c->plan->list, c->plan->trace);
    for (size_t i = 0; i < c->plan->operations.n; i++) {
        const struct chrome_operation *o = &c->plan->operations.v[i];
        add(c->plan, o->time, kinds[o->phase], i);
    }
}

/* ---- flows ---- */

/* The place on a track right before the slices that begin at t: after the ends at that time. */
static uint32_t place_before(const struct planner *c, uint32_t track, int64_t t) {
    const uint32_t *ids = c->slices.v[track].ids.v;
    size_t at = 0, n = c->slices.v[track].ids.n;
    lower_bound(at, n, i, c->plan->list.slices[ids[i]]->time < t);
    return at > 0 ? c->planned[ids[at - 1]].place : 0;
}

/* The place of a point at the end of its slice: before those of no length in there that begin at
 * that time. An inner slice that ends then comes first, with all that is in it. */
static uint32_t place_at_end(const struct planner *c, const struct event_list_entry *slice,
                             int64_t t) {
    const struct track_slices *own = &c->slices.v[c->plan->track_of[slice - c->plan->list.v.v]];
    const struct planned *around = &c->planned[slice->id];
    size_t at = 0;
    lower_bound(at, own->ids.n, i,
                c->plan->list.slices[own->ids.v[i]]->time < t ||
                    (c->plan->list.slices[own->ids.v[i]]->time == t &&
                     c->planned[own->ids.v[i]].place <= around->place));
    const struct event_list_entry *next =
        at < own->ids.n ? c->plan->list.slices[own->ids.v[at]] : NULL;
    if (next == NULL || next->time != t || c->planned[next->id].place > around->last)
        return around->last;
    const struct planned *inner = &c->planned[around->inner];
    if (around->inner > 0 && c->planned[next->id].place <= inner->last)
        return inner->last;
    return c->planned[next->id].place - 1;
}

static void place_flow(struct planner *c, uint32_t point, uint64_t id) {
    struct flow_point p = flow_point(trace_flows(c->plan->trace), point);
    if (p.thread == NO_THREAD)
        return;
    const struct event_list_entry *slice =
        event_list_point_slice(&c->plan->list, c->plan->trace,
                               &(struct trace_point){p.thread, p.at, p.kind != FLOW_BEGIN});
    struct chrome_event ev = {.time = p.at.time,
                              .kind = CHROME_FLOW,
                              .track = track_at(c, p.thread, slice),
                              .point = point,
                              .id = id,
                              .entry = slice};
    bool begins = slice && slice->time == p.at.time;
    bool ends = slice && !begins && slice_end(event_list_slice(c->plan->trace, slice)) == p.at.time;
    ev.place = place_before(c, ev.track, p.at.time);
    ev.minor = MINOR_FLOW;
    if (begins || ends) { /* after the begin of its slice, before the end */
        ev.place = begins ? c->planned[slice->id].place : place_at_end(c, slice, p.at.time);
        ev.minor = begins ? MINOR_FLOW_AT_BEGIN : MINOR_END;
    }
    c->plan->tracks.v[ev.track].pairs = true;
    add(c->plan, ev.time, CHROME_FLOW, c->plan->flows.n);
    vec_push(&c->plan->flows, ev);
}

/* Whether a flow had ended before a point that ends it again: no arrow leads there. */
static bool ends_again(const struct flows *flows, uint32_t point) {
    const struct flow_link *link = flow_link(flows, point);
    return link->before == NO_POINT && flows_at(flows, link->flow)->first != point;
}

/* A flow of JSON goes on after an end, so a later end that no arrow leads to gets another id. */
static void place_flows(struct planner *c) {
    const struct flows *flows = trace_flows(c->plan->trace);
    struct chrome_numbers ids = {0};
    for (size_t i = 0; i < flow_count(flows); i++)
        chrome_numbers_reserve(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
    for (size_t i = 0; i < flow_count(flows); i++) {
        uint64_t id = chrome_numbers_give(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
        for (uint32_t k = flows_at(flows, i)->first; k != NO_POINT; k = flow_link(flows, k)->after)
            place_flow(c, k,
                       ends_again(flows, k) ? chrome_numbers_give(&ids, 0, flow_id(flows, k)) : id);
    }
    u64map_free(&ids.taken);
}

/* ---- order ---- */

struct chrome_event chrome_plan_event(const struct chrome_plan *plan, size_t i) {
    const struct time_order *at = &plan->order.v[i];
    enum chrome_kind kind = (enum chrome_kind)(at->number >> KIND_SHIFT);
    size_t index = index_of(at);
    if (kind == CHROME_FLOW)
        return plan->flows.v[index];
    if (kind >= CHROME_ASYNC_BEGIN) {
        const struct chrome_operation *o = &plan->operations.v[index];
        return (struct chrome_event){
            .time = o->time, .entry = o->entry, .id = o->id, .kind = (uint8_t)kind};
    }
    return (struct chrome_event){.time = at->time,
                                 .entry = &plan->list.v.v[index],
                                 .track = kind <= CHROME_LOG ? plan->track_of[index] : 0,
                                 .kind = (uint8_t)kind};
}

struct key { /* of an event among those of its time */
    uint64_t major, order, offset;
    size_t before; /* events before it, as they were added */
    struct time_order event;
    uint8_t rank, minor;
};

static int key_compare(const void *a, const void *b) {
    const struct key *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->before < y->before ? -1 : x->before > y->before;
}

/* The order of ends at one place: inner ones come first. */
static uint64_t order_of_end(const struct event_list_entry *slice) {
    return 2 * ((uint64_t)UINT32_MAX - slice->depth) + 1;
}

/* A point at the end of its slice, in the same tick: after the ends in the slice, before its
 * own. */
static void order_at_end(struct key *key, const struct event_list_entry *slice, uint64_t offset) {
    key->minor = MINOR_END;
    key->order = order_of_end(slice) - 1;
    key->offset = offset;
}

/* An instant comes last, or before the end of its slice. */
static uint32_t place_of_instant(const struct planner *c, const struct event_list_entry *e,
                                 struct key *key) {
    const struct event_list_entry *slice = chrome_slice_of_instant(c->plan, e);
    bool ends = slice && slice_end(event_list_slice(c->plan->trace, slice)) == e->time;
    key->minor = MINOR_INSTANT;
    key->order = e->offset;
    if (ends)
        order_at_end(key, slice, e->offset);
    return ends ? place_at_end(c, slice, e->time) : UINT32_MAX;
}

/* Instants come last, as each is on top of its track until the next event. Runs of one CPU follow
 * each other. */
static struct key key_of(const struct planner *c, size_t i) {
    struct chrome_event ev = chrome_plan_event(c->plan, i);
    const struct event_list_entry *e = ev.entry;
    struct key key = {.before = i, .event = c->plan->order.v[i], .rank = RANK_TRACK};
    uint32_t place = 0;
    switch ((enum chrome_kind)ev.kind) {
    case CHROME_SLICE:
        place = c->planned[e->id].place;
        key.minor = MINOR_BEGIN;
        break;
    case CHROME_SLICE_END:
        place = c->planned[e->id].last;
        key.minor = MINOR_END;
        key.order = order_of_end(e);
        break;
    case CHROME_FLOW:
        place = ev.place;
        key.minor = ev.minor;
        key.order = flow_offset(trace_flows(c->plan->trace), ev.point);
        if (ev.minor == MINOR_END)
            order_at_end(&key, e, key.order);
        break;
    case CHROME_INSTANT:
    case CHROME_LOG:
        place = place_of_instant(c, e, &key);
        break;
    case CHROME_SCHED:
    case CHROME_SCHED_END:
        key.rank = RANK_CPU;
        key.major = (uint64_t)e->thread << 32 | e->i;
        key.minor = ev.kind == CHROME_SCHED_END;
        break;
    case CHROME_COUNTER:
    case CHROME_RUNNING:
    case CHROME_STATE:
        key.rank = RANK_OTHER;
        key.major = e->offset;
        break;
    case CHROME_ASYNC_BEGIN:
    case CHROME_ASYNC_END:
    case CHROME_ASYNC_INSTANT:
        key.rank = RANK_ASYNC;
        break;
    }
    if (key.rank == RANK_TRACK)
        key.major = (uint64_t)ev.track << 32 | place;
    return key;
}

/* Sorts n events of one time. At one time a flow begins before it ends, on whatever tracks
 * (SEMANTICS 7.1). */
static void sort_run(struct planner *c, size_t from, size_t n) {
    struct time_order *v = c->plan->order.v + from;
    struct key *keys = err_malloc(n * sizeof *keys);
    struct row_event *rows = err_malloc(n * sizeof *rows);
    uint32_t *order = err_malloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++)
        keys[i] = key_of(c, from + i);
    qsort(keys, n, sizeof *keys, key_compare);
    for (size_t i = 0; i < n; i++) {
        rows[i] = (struct row_event){(uint64_t)keys[i].rank << 32 | keys[i].major >> 32,
                                     ROW_ORDER_NONE, ROW_ORDER_NONE};
        if (keys[i].event.number >> KIND_SHIFT != CHROME_FLOW)
            continue;
        rows[i].point = c->plan->flows.v[index_of(&keys[i].event)].point;
        rows[i].after = flow_link(trace_flows(c->plan->trace), rows[i].point)->after;
    }
    row_order(rows, n, order);
    for (size_t i = 0; i < n; i++)
        v[i] = keys[order[i]].event;
    free(keys);
    free(rows);
    free(order);
}

static void sort_events(struct planner *c) {
    struct time_order *v = c->plan->order.v;
    size_t n = c->plan->order.n;
    time_order_sort(v, n);
    for (size_t i = 0, end; i < n; i = end) {
        end = time_order_run(v, n, i);
        if (end - i > 1)
            sort_run(c, i, end - i);
    }
}

/* Flows with an event at which an instant is on top of its slice. */
struct astray {
    struct time_order **of_point;    /* by point: its event, or NULL */
    const struct time_order **since; /* by point: the event that put its slice on top, or NULL */
    bool *points, *flows; /* by number: whether it is astray, whether one of its points is */
};

/* Finds what Perfetto sees on top of a track that has pairs: an instant is there until the next
 * begin or end. */
static void find_astray(struct planner *c, struct astray *a) {
    const struct flows *flows = trace_flows(c->plan->trace);
    for (size_t i = 0; i < c->plan->order.n; i++) {
        struct chrome_event ev = chrome_plan_event(c->plan, i);
        if (ev.kind > CHROME_LOG)
            continue;
        struct chrome_track *track = &c->plan->tracks.v[ev.track];
        if (ev.kind == CHROME_FLOW) {
            a->of_point[ev.point] = &c->plan->order.v[i];
            a->since[ev.point] = ev.entry ? track->since : NULL;
            a->points[ev.point] = ev.entry && track->instant;
            a->flows[flow_link(flows, ev.point)->flow] |= a->points[ev.point];
        } else if (ev.kind == CHROME_SLICE || ev.kind == CHROME_SLICE_END) {
            track->since = &c->plan->order.v[i];
            track->instant = false;
        } else {
            track->instant = true;
        }
    }
}

/* The event right after the one that put its slice on top. */
static struct chrome_event before_instant(const struct planner *c, struct chrome_event flow,
                                          const struct time_order *since) {
    struct chrome_event slice = chrome_plan_event(c->plan, (size_t)(since - c->plan->order.v));
    bool begins = slice.kind == CHROME_SLICE;
    flow.time = slice.time;
    flow.place = begins ? c->planned[slice.entry->id].place : c->planned[slice.entry->id].last;
    flow.minor = begins ? MINOR_FLOW_AT_BEGIN : MINOR_FLOW;
    return flow;
}

struct chrome_events {
    struct chrome_event *v;
    size_t n, cap;
};

/* Moves the events of a flow that are astray, or all of them, if they stay in order; to: a
 * buffer. */
static bool move_flow(struct planner *c, const struct astray *a, uint32_t first, bool all,
                      struct chrome_events *to) {
    const struct flows *flows = trace_flows(c->plan->trace);
    to->n = 0;
    for (uint32_t k = first; k != NO_POINT; k = flow_link(flows, k)->after) {
        if (a->of_point[k] == NULL)
            continue;
        struct chrome_event ev = c->plan->flows.v[index_of(a->of_point[k])];
        bool moves = a->since[k] && (all || a->points[k]);
        vec_push(to, moves ? before_instant(c, ev, a->since[k]) : ev);
        if (to->n > 1 && to->v[to->n - 2].time > to->v[to->n - 1].time)
            return false;
    }
    for (size_t k = 0; k < to->n; k++) {
        struct time_order *at = a->of_point[to->v[k].point];
        at->time = to->v[k].time;
        c->plan->flows.v[index_of(at)] = to->v[k];
    }
    return to->n > 0;
}

/* Perfetto binds a flow event to the event on top. If that is an instant, the flow event moves
 * before it. Arrows go from slice to slice, so they stay the same. */
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
    chrome_number_threads(plan, &c.numbers);
    place_slices(&c);
    place_flows(&c);
    chrome_pair_damaged(plan);
    chrome_pair_ties(plan);
    chrome_pair_all(plan);
    chrome_pair_lasting(plan);
    add_slices(&c);
    place_others(&c);
    place_operations(&c);
    bind_flows(&c);
    u64map_free(&c.numbers.taken);
    for (size_t i = 0; i < c.slices.n; i++)
        vec_free(&c.slices.v[i].ids);
    vec_free(&c.slices);
    free(c.planned);
}

void chrome_plan_free(struct chrome_plan *plan) {
    vec_free(&plan->order);
    vec_free(&plan->flows);
    vec_free(&plan->operations);
    free(plan->track_of);
    u64map_free(&plan->lasting);
    vec_free(&plan->tracks);
    free(plan->pids);
    free(plan->cpu_tids);
    free(plan->no_pids);
    free(plan->cpus_pids);
    free(plan->rows_tids);
    event_list_free(&plan->list);
}

const struct chrome_track *chrome_plan_track(const struct chrome_plan *plan, uint32_t thread) {
    return &plan->tracks.v[trace_stands_for(plan->trace, thread)];
}
