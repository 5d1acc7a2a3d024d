/* chrome_plan.c - which events are written, on which tracks and with which numbers, so that viewers show the trace as
 * it is. Viewers demand more than the format does; a function meets each demand:
 * - Perfetto drops a slice that overlaps another on its thread: such slices go to a track of their own, place_slices().
 * - Async events of one category and id are one stack: those that do not nest get an id of their own, place_async().
 * - A flow event belongs to the slice that Perfetto saw begin last on its thread: bind_flows().
 * - pid and tid must fit 32 bits, and a pair is a thread: number_threads().
 *
 * The steps of chrome_plan_init() run in that order; each adds events, and bind_flows() sorts them. */
#include "model/output/chrome_plan.h"

#include <stdlib.h>

#include "src/base/u64map.h"

#define LOOK_BACK 64 /* stacks that are tried for a slice, the newest ones first */
#define ANY_PARENT UINT32_MAX
#define NO_PARENT (UINT32_MAX - 1)

/* ---- numbers ---- */

/* Numbers that are unique in a scope: an object's own number if that is free, else a small one that no object has. */
struct numbers {
    struct u64map taken; /* scope and number -> RESERVED, GIVEN */
    uint64_t next;
};

enum { RESERVED, GIVEN };

static uint64_t number_key(uint64_t scope, uint64_t n) {
    return u64map_key(hash_words(scope, n));
}

static void reserve(struct numbers *numbers, uint64_t scope, uint64_t n) {
    if (u64map_get(&numbers->taken, number_key(scope, n)) == UINT64_MAX)
        u64map_set(&numbers->taken, number_key(scope, n), RESERVED);
}

static uint64_t fresh(struct numbers *numbers, uint64_t scope) {
    do
        numbers->next++;
    while (u64map_get(&numbers->taken, number_key(scope, numbers->next)) != UINT64_MAX);
    u64map_set(&numbers->taken, number_key(scope, numbers->next), GIVEN);
    return numbers->next;
}

static uint64_t give(struct numbers *numbers, uint64_t scope, uint64_t n) {
    if (u64map_get(&numbers->taken, number_key(scope, n)) == GIVEN)
        return fresh(numbers, scope);
    u64map_set(&numbers->taken, number_key(scope, n), GIVEN);
    return n;
}

/* ---- stacks ---- */

/* Open slices or operations, each within the one before it: viewers take them for one stack. */
struct stack {
    struct open {
        int64_t end;
        uint32_t id; /* of a slice, or index of an operation; they ascend */
    } * v;
    size_t n, cap;
    uint64_t tag; /* number of the track, id of the operations */
};

struct stacks {
    struct stack *v;
    size_t n, cap;
    /* called with each entry that ends; NULL: not called */
    void (*closed)(void *ctx, const struct stack *stack, const struct open *open);
    void *ctx;
};

/* Closes what has ended by `time`, `keep` excepted. */
static void stack_close(const struct stacks *all, struct stack *s, int64_t time, uint32_t keep) {
    while (s->n > 0 && s->v[s->n - 1].end <= time && s->v[s->n - 1].id != keep) {
        s->n--;
        if (all->closed)
            all->closed(all->ctx, s, &s->v[s->n]);
    }
}

/* The stack for a slice from start to end: one whose top is `parent` (ANY_PARENT: whose top contains it, the one that
 * began last), else an empty one, else a new one, whose tag is not set. */
static struct stack *stack_for(struct stacks *all, int64_t start, int64_t end, uint32_t parent, bool *is_new) {
    struct stack *best = NULL;
    *is_new = false;
    for (size_t i = all->n; i-- > 0 && all->n - i <= LOOK_BACK;) {
        struct stack *s = &all->v[i];
        stack_close(all, s, start, parent);
        if (s->n == 0) {
            if (best == NULL || best->n == 0)
                best = s;
            continue;
        }
        const struct open *top = &s->v[s->n - 1];
        if ((parent == ANY_PARENT ? top->end >= end : top->id == parent) &&
            (best == NULL || best->n == 0 || top->id > best->v[best->n - 1].id))
            best = s;
    }
    if (best)
        return best;
    *is_new = true;
    vec_push(all, (struct stack){0});
    return &all->v[all->n - 1];
}

static void stacks_free(struct stacks *all) {
    for (size_t i = 0; i < all->n; i++)
        vec_free(&all->v[i]);
    vec_free(all);
}

/* ---- events of threads ---- */

/* Order of events at one time. LATE: slices whose parent ends here, before the next one begins. An instant is a slice
 * for Perfetto: it comes after the flows that belong to slices that begin here. */
enum rank { RANK_LATE, RANK_SLICE, RANK_FLOW, RANK_INSTANT, RANK_OTHER, RANK_ASYNC };

struct planner {
    struct chrome_plan *plan;
    struct numbers numbers; /* pids and tids in use */
    uint32_t *track_of;     /* by index in the event list: the track of a slice */
};

static uint32_t main_track(const struct planner *c, uint32_t thread) {
    return trace_stands_for(c->plan->trace, thread);
}

static uint32_t track_at(const struct planner *c, uint32_t thread, const struct event_list_entry *slice) {
    return slice ? c->track_of[slice - c->plan->list.v.v] : main_track(c, thread);
}

static void number_threads(struct planner *c) {
    struct trace *trace = c->plan->trace;
    c->plan->pids = err_malloc((trace_process_count(trace) + 1) * sizeof *c->plan->pids);
    for (size_t i = 0; i < trace_process_count(trace); i++)
        if (trace_process(trace, i)->pid < CHROME_NUMBER_MAX)
            reserve(&c->numbers, 0, trace_process(trace, i)->pid);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.form != THREAD_UNDEFINED && trace_thread(trace, i)->id.tid < CHROME_NUMBER_MAX)
            reserve(&c->numbers, 0, trace_thread(trace, i)->id.tid);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        uint64_t pid = trace_process(trace, i)->pid;
        c->plan->pids[i] = pid < CHROME_NUMBER_MAX ? pid : fresh(&c->numbers, 0);
    }
    c->plan->no_pid = fresh(&c->numbers, 0);
    c->plan->cpus_pid = fresh(&c->numbers, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        bool own = t->id.form != THREAD_UNDEFINED && t->id.tid < CHROME_NUMBER_MAX;
        vec_push(&c->plan->tracks,
                 ((struct chrome_track){.thread = (uint32_t)i,
                                        .pid = t->process == NO_PROCESS ? c->plan->no_pid : c->plan->pids[t->process],
                                        .tid = own ? t->id.tid : fresh(&c->numbers, 0)}));
    }
}

static void place_slices(struct planner *c) {
    const struct event_list *t = &c->plan->list;
    struct stacks *stacks = err_calloc(trace_thread_count(c->plan->trace) + 1, sizeof *stacks);
    uint32_t *group =
        err_malloc((t->nslices + 1) * sizeof *group); /* by id: the outermost ancestor that begins at the same time */
    c->track_of = err_malloc((t->v.n + 1) * sizeof *c->track_of);
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[i], *parent = e->parent;
        struct stacks *own = &stacks[e->thread];
        int64_t end = slice_end(event_list_slice(c->plan->trace, e));
        bool is_new;
        struct stack *stack = stack_for(own, e->time, end, parent ? parent->id : NO_PARENT, &is_new);
        if (is_new) {
            struct chrome_track track = c->plan->tracks.v[e->thread];
            stack->tag = e->thread;
            if (own->n > 1) { /* a second track */
                track.overlap = (uint32_t)own->n - 1;
                track.tid = fresh(&c->numbers, 0);
                stack->tag = c->plan->tracks.n;
                vec_push(&c->plan->tracks, track);
            }
        }
        vec_push(stack, ((struct open){end, e->id}));
        c->track_of[e - t->v.v] = (uint32_t)stack->tag;
        group[e->id] = parent && parent->time == e->time ? group[parent->id] : e->id;
        bool late = parent && slice_end(event_list_slice(c->plan->trace, parent)) <= e->time && parent->time < e->time;
        vec_push(&c->plan->events, ((struct chrome_event){.time = e->time,
                                                          .rank = late ? RANK_LATE : RANK_SLICE,
                                                          .major = group[e->id],
                                                          .minor = (uint64_t)e->id * 2,
                                                          .kind = CHROME_SLICE,
                                                          .track = (uint32_t)stack->tag,
                                                          .entry = e}));
    }
    for (size_t i = 0; i < trace_thread_count(c->plan->trace); i++)
        stacks_free(&stacks[i]);
    free(stacks);
    free(group);
}

static void add(struct planner *c, const struct event_list_entry *e, enum chrome_kind kind, enum rank rank,
                uint32_t track) {
    vec_push(&c->plan->events, ((struct chrome_event){.time = e->time,
                                                      .rank = (uint8_t)rank,
                                                      .major = e->offset,
                                                      .minor = c->plan->events.n,
                                                      .kind = (uint8_t)kind,
                                                      .track = track,
                                                      .entry = e}));
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
                add(c, e, e->kind == EVENT_LIST_LOG ? CHROME_LOG : CHROME_INSTANT, RANK_INSTANT,
                    track_at(c, e->thread, event_list_slice_at(t, c->plan->trace, e->thread, e->time)));
            break;
        case EVENT_LIST_COUNTER: /* one event for all series of a record */
            if (e->offset != counter)
                add(c, e, CHROME_COUNTER, RANK_OTHER, 0);
            counter = e->offset;
            break;
        case EVENT_LIST_SCHED:
            add(c, e, CHROME_SCHED, RANK_OTHER, 0);
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

static void operation_closed(void *ctx, const struct stack *stack, const struct open *open) {
    struct placing *p = ctx;
    if (open->end != INT64_MAX)
        add_async(p, open->end, CHROME_ASYNC_END, p->ops[open->id].e, stack->tag);
}

/* Adds operations [from, to), all of one key and in order of time, each to the stack in which it nests. */
static void place_key(struct placing *p, struct numbers *ids, size_t from, size_t to) {
    struct stacks stacks = {.closed = operation_closed, .ctx = p};
    const struct async_event *key = &p->ops[from].event;
    for (size_t i = from; i < to; i++) {
        const struct event_list_entry *e = p->ops[i].e;
        bool instant = e->kind == EVENT_LIST_ASYNC_INSTANT, is_new;
        int64_t end = instant ? e->time : slice_end(event_list_operation(p->c->plan->trace, e));
        struct stack *stack = stack_for(&stacks, e->time, end, ANY_PARENT, &is_new);
        if (is_new)
            stack->tag = give(ids, key->category, key->id);
        add_async(p, e->time, instant ? CHROME_ASYNC_INSTANT : CHROME_ASYNC_BEGIN, e, stack->tag);
        if (!instant)
            vec_push(stack, ((struct open){end, (uint32_t)i}));
    }
    for (size_t i = 0; i < stacks.n; i++)
        stack_close(&stacks, &stacks.v[i], INT64_MAX, ANY_PARENT);
    stacks_free(&stacks);
}

static void place_async(struct planner *c) {
    const struct async *async = trace_async(c->plan->trace);
    VEC(struct operation) ops = {0};
    struct numbers ids = {0};
    size_t at = 0;
    for (size_t i = 0; i < c->plan->list.v.n; i++) {
        const struct event_list_entry *e = c->plan->list.order[i];
        if (e->kind != EVENT_LIST_ASYNC && e->kind != EVENT_LIST_ASYNC_INSTANT)
            continue;
        while (at < async->input.log.n && event_key_offset(async->input.log.v[at].at.offset) !=
                                              e->offset) /* an end; log and list are in the same order */
            at++;
        if (at == async->input.log.n)
            break;
        struct operation op = {e, async_event(async, at), ops.n};
        reserve(&ids, op.event.category, op.event.id);
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

static void place_flows(struct planner *c) {
    const struct flows *flows = trace_flows(c->plan->trace);
    struct numbers ids = {0};
    for (size_t i = 0; i < flow_count(flows); i++)
        reserve(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
    for (size_t i = 0; i < flow_count(flows); i++) {
        uint64_t id = give(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
        for (uint32_t k = flows_at(flows, i)->first; k != NO_POINT; k = flow_link(flows, k)->after) {
            struct flow_point p = flow_point(flows, k);
            if (p.thread == NO_THREAD)
                continue;
            const struct event_list_entry *slice =
                event_list_slice_at(&c->plan->list, c->plan->trace, p.thread, p.at.time);
            vec_push(&c->plan->events, ((struct chrome_event){.time = p.at.time,
                                                              .rank = RANK_FLOW,
                                                              .major = p.at.offset,
                                                              .kind = CHROME_FLOW,
                                                              .bare = slice == NULL,
                                                              .track = track_at(c, p.thread, slice),
                                                              .point = k,
                                                              .id = id,
                                                              .entry = slice}));
        }
    }
    u64map_free(&ids.taken);
}

/* The event with the order that it would have right after the begin of its slice. */
static struct chrome_event at_begin(const struct chrome_event *flow, const struct chrome_event *const *slices) {
    struct chrome_event at = *flow;
    if (!flow->bare) {
        const struct chrome_event *begin = slices[flow->entry->id];
        at.time = begin->time;
        at.rank = begin->rank;
        at.major = begin->major;
        at.minor = begin->minor + 1;
    }
    return at;
}

/* A flow event that viewers would take for another slice's gets an instant of its own, like one in no slice. */
static void give_instants(struct planner *c) {
    for (size_t i = 0; i < c->plan->tracks.n; i++)
        c->plan->tracks.v[i].last = NULL;
    for (size_t i = 0; i < c->plan->events.n; i++) {
        struct chrome_event *ev = &c->plan->events.v[i];
        if (ev->kind > CHROME_LOG)
            continue;
        struct chrome_track *track = &c->plan->tracks.v[ev->track];
        if (ev->kind == CHROME_FLOW)
            ev->bare = ev->bare || track->last != ev->entry;
        if (ev->kind != CHROME_FLOW || ev->bare)
            track->last = ev->kind == CHROME_SLICE ? ev->entry : NULL;
    }
}

/* Which flows have an event after the begin of another slice than its own, and where their events are. */
struct astray {
    struct chrome_event **of_point;     /* by point: its event, or NULL */
    const struct chrome_event **slices; /* by id: their event */
    bool *flows;                        /* by number */
};

static void find_astray(struct planner *c, struct astray *a) {
    const struct flows *flows = trace_flows(c->plan->trace);
    for (size_t i = 0; i < c->plan->events.n; i++) {
        struct chrome_event *ev = &c->plan->events.v[i];
        if (ev->kind > CHROME_LOG)
            continue;
        struct chrome_track *track = &c->plan->tracks.v[ev->track];
        if (ev->kind == CHROME_FLOW && !ev->bare)
            a->flows[flow_link(flows, ev->point)->flow] |= track->last != ev->entry;
        else
            track->last = ev->kind == CHROME_SLICE ? ev->entry : NULL;
        if (ev->kind == CHROME_FLOW)
            a->of_point[ev->point] = ev;
        else if (ev->kind == CHROME_SLICE)
            a->slices[ev->entry->id] = ev;
    }
}

struct chrome_events {
    struct chrome_event *v;
    size_t n, cap;
};

/* Moves the events of a flow to the begins of their slices, if they stay in order; to: a buffer. */
static bool move_flow(const struct planner *c, const struct astray *a, uint32_t first, struct chrome_events *to) {
    const struct flows *flows = trace_flows(c->plan->trace);
    to->n = 0;
    for (uint32_t k = first; k != NO_POINT; k = flow_link(flows, k)->after) {
        if (a->of_point[k] == NULL)
            continue;
        vec_push(to, at_begin(a->of_point[k], a->slices));
        if (to->n > 1 && event_order(&to->v[to->n - 2], &to->v[to->n - 1]) > 0)
            return false;
    }
    for (size_t k = 0; k < to->n; k++)
        *a->of_point[to->v[k].point] = to->v[k];
    return to->n > 0;
}

/* Perfetto takes for a flow event's slice the one that began last on the thread, ended or not. If that is another one,
 * all events of the flow move to the begins of their slices. Arrows go from slice to slice, so they stay the same. */
static void bind_flows(struct planner *c) {
    const struct flows *flows = trace_flows(c->plan->trace);
    struct astray a = {err_calloc(flow_point_count(flows) + 1, sizeof *a.of_point),
                       err_calloc(c->plan->list.nslices + 1, sizeof *a.slices),
                       err_calloc(flow_count(flows) + 1, sizeof *a.flows)};
    struct chrome_events to = {0};
    bool moved = false;
    sort_events(c);
    find_astray(c, &a);
    for (size_t i = 0; i < flow_count(flows); i++)
        if (a.flows[i])
            moved |= move_flow(c, &a, flows_at(flows, i)->first, &to);
    vec_free(&to);
    free(a.of_point);
    free(a.slices);
    free(a.flows);
    if (moved)
        sort_events(c);
    give_instants(c);
}

void chrome_plan_init(struct chrome_plan *plan, struct trace *trace) {
    struct planner c = {.plan = plan};
    *plan = (struct chrome_plan){.trace = trace};
    event_list_init(&plan->list, trace, true);
    number_threads(&c);
    place_slices(&c);
    place_others(&c);
    place_async(&c);
    place_flows(&c);
    bind_flows(&c);
    u64map_free(&c.numbers.taken);
    free(c.track_of);
}

void chrome_plan_free(struct chrome_plan *plan) {
    vec_free(&plan->events);
    vec_free(&plan->tracks);
    free(plan->pids);
    event_list_free(&plan->list);
}

const struct chrome_track *chrome_plan_track(const struct chrome_plan *plan, uint32_t thread) {
    return &plan->tracks.v[trace_stands_for(plan->trace, thread)];
}
