/* chrome.c - Chrome's trace event format, written for those that read it: Perfetto, speedscope, chrome://tracing.
 *
 * What they ask for beyond the format, and where it is met:
 * - Perfetto drops a slice that overlaps another on its thread: such slices go to a thread of their own (struct stack).
 * - Async events of one category and id are one stack: those that do not nest get an id of their own.
 * - A flow event belongs to the slice that Perfetto saw begin last on its thread: bind_flows().
 * - pid and tid must fit 32 bits; a pair is a thread: struct numbers.
 * - Surrogate pairs as escapes are refused; numbers are doubles. */
#include "model/output/ndjson.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model/output/event_list.h"
#include "model/output/json.h"
#include "model/trace/trace.h"

#define NUMBER_MAX (UINT64_C(1) << 31) /* pid and tid are below */
#define EXACT_MAX (UINT64_C(1) << 53)  /* integers up to here are exact as doubles */
#define LOOK_BACK 64                   /* stacks that are tried */
#define ANY_PARENT UINT32_MAX
#define NO_PARENT (UINT32_MAX - 1)

/* ---- numbers ---- */

/* Numbers that are unique in a scope: a thing's own where it is free, else a small one that is nobody's own. */
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

/* Slices or operations of which each lies in the one before it that is still open: what viewers take for one stack. */
struct stack {
    struct open {
        int64_t end;
        uint32_t id; /* of a slice; place of an operation: they grow */
    } * v;
    size_t n, cap;
    uint64_t tag; /* number of the track, id of the operations */
};

struct stacks {
    struct stack *v;
    size_t n, cap;
};

typedef void stack_closed(void *ctx, const struct stack *stack, const struct open *open);

/* Closes what has ended by `time`, `keep` excepted. */
static void stack_close(struct stack *s, int64_t time, uint32_t keep, stack_closed *closed, void *ctx) {
    while (s->n > 0 && s->v[s->n - 1].end <= time && s->v[s->n - 1].id != keep) {
        s->n--;
        if (closed)
            closed(ctx, s, &s->v[s->n]);
    }
}

/* The stack for what runs from start to end: one where it lies in `parent`, with ANY_PARENT in the one that began last;
 * else an empty one; else a new one, whose tag is not set. */
static struct stack *stack_for(struct stacks *all, int64_t start, int64_t end, uint32_t parent, bool *is_new,
                               stack_closed *closed, void *ctx) {
    struct stack *best = NULL;
    *is_new = false;
    for (size_t i = all->n; i-- > 0 && all->n - i <= LOOK_BACK;) {
        struct stack *s = &all->v[i];
        stack_close(s, start, parent, closed, ctx);
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

/* ---- what is to be written ---- */

enum rank {            /* at one time */
            RANK_LATE, /* slices whose parent ends here: before the next one begins */
            RANK_SLICE,
            RANK_FLOW,
            RANK_INSTANT, /* a slice too, for Perfetto: behind the flows that belong to those that begin here */
            RANK_OTHER,
            RANK_ASYNC,
};

enum event_kind { SLICE, FLOW, INSTANT, LOG, COUNTER, SCHED, ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT };

struct event {
    int64_t time;
    uint64_t major, minor; /* order within rank */
    uint8_t rank, kind;
    bool bare;                   /* FLOW: in no slice */
    uint32_t track;              /* SLICE, FLOW, INSTANT, LOG */
    uint32_t point;              /* FLOW */
    uint64_t id;                 /* FLOW, ASYNC_* */
    const struct event_list_entry *e; /* FLOW: the slice it is in, or NULL */
};

struct track { /* a thread, or a second one for what overlaps on it */
    uint32_t thread, overlap;
    uint64_t pid, tid;
    const struct event_list_entry *last; /* slice that began last; NULL: none, or an instant */
};

struct chrome {
    struct json j;
    struct trace *trace;
    int64_t origin;
    struct event_list timed;
    struct numbers numbers; /* pids and tids */
    uint64_t *pids;         /* of processes */
    uint64_t no_pid, cpus_pid;
    VEC(struct track) tracks; /* first one for each thread */
    uint32_t *track_of;       /* of entries: slices */
    VEC(struct event) events;
    bool any;
    /* of the object "args" being written */
    bool in_args;
    struct chars keys;
    VEC(size_t) key_ends;
};

static uint32_t main_track(const struct chrome *c, uint32_t thread) {
    return trace_stands_for(c->trace, thread);
}

static uint32_t track_at(const struct chrome *c, uint32_t thread, const struct event_list_entry *slice) {
    return slice ? c->track_of[slice - c->timed.v.v] : main_track(c, thread);
}

static void number_threads(struct chrome *c) {
    struct trace *trace = c->trace;
    c->pids = err_malloc((trace_process_count(trace) + 1) * sizeof *c->pids);
    for (size_t i = 0; i < trace_process_count(trace); i++)
        if (trace_process(trace, i)->pid < NUMBER_MAX)
            reserve(&c->numbers, 0, trace_process(trace, i)->pid);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.form != THREAD_UNDEFINED && trace_thread(trace, i)->id.tid < NUMBER_MAX)
            reserve(&c->numbers, 0, trace_thread(trace, i)->id.tid);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        uint64_t pid = trace_process(trace, i)->pid;
        c->pids[i] = pid < NUMBER_MAX ? pid : fresh(&c->numbers, 0);
    }
    c->no_pid = fresh(&c->numbers, 0);
    c->cpus_pid = fresh(&c->numbers, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        bool own = t->id.form != THREAD_UNDEFINED && t->id.tid < NUMBER_MAX;
        vec_push(&c->tracks, ((struct track){.thread = (uint32_t)i,
                                             .pid = t->process == NO_PROCESS ? c->no_pid : c->pids[t->process],
                                             .tid = own ? t->id.tid : fresh(&c->numbers, 0)}));
    }
}

static void place_slices(struct chrome *c) {
    const struct event_list *t = &c->timed;
    struct stacks *stacks = err_calloc(trace_thread_count(c->trace) + 1, sizeof *stacks);
    uint32_t *group = err_malloc((t->nslices + 1) * sizeof *group); /* by id: the first ancestor that begins with it */
    c->track_of = err_malloc((t->v.n + 1) * sizeof *c->track_of);
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[i], *parent = e->parent;
        struct stacks *own = &stacks[e->thread];
        int64_t end = slice_end(event_list_slice(c->trace, e));
        bool is_new;
        struct stack *stack = stack_for(own, e->time, end, parent ? parent->id : NO_PARENT, &is_new, NULL, NULL);
        if (is_new) {
            struct track track = c->tracks.v[e->thread];
            stack->tag = e->thread;
            if (own->n > 1) {
                track.overlap = (uint32_t)own->n - 1;
                track.tid = fresh(&c->numbers, 0);
                stack->tag = c->tracks.n;
                vec_push(&c->tracks, track);
            }
        }
        vec_push(stack, ((struct open){end, e->id}));
        c->track_of[e - t->v.v] = (uint32_t)stack->tag;
        group[e->id] = parent && parent->time == e->time ? group[parent->id] : e->id;
        bool late = parent && slice_end(event_list_slice(c->trace, parent)) <= e->time && parent->time < e->time;
        vec_push(&c->events, ((struct event){.time = e->time,
                                             .rank = late ? RANK_LATE : RANK_SLICE,
                                             .major = group[e->id],
                                             .minor = (uint64_t)e->id * 2,
                                             .kind = SLICE,
                                             .track = (uint32_t)stack->tag,
                                             .e = e}));
    }
    for (size_t i = 0; i < trace_thread_count(c->trace); i++)
        stacks_free(&stacks[i]);
    free(stacks);
    free(group);
}

static void add(struct chrome *c, const struct event_list_entry *e, enum event_kind kind, enum rank rank,
                uint32_t track) {
    vec_push(&c->events, ((struct event){.time = e->time,
                                         .rank = (uint8_t)rank,
                                         .major = e->offset,
                                         .minor = c->events.n,
                                         .kind = (uint8_t)kind,
                                         .track = track,
                                         .e = e}));
}

static void place_others(struct chrome *c) {
    const struct event_list *t = &c->timed;
    uint64_t counter = UINT64_MAX;
    for (size_t i = 0; i < t->v.n; i++) {
        const struct event_list_entry *e = t->order[i];
        switch ((enum event_list_kind)e->kind) {
        case EVENT_LIST_INSTANT:
        case EVENT_LIST_LOG:
            if (e->thread != NO_THREAD)
                add(c, e, e->kind == EVENT_LIST_LOG ? LOG : INSTANT, RANK_INSTANT,
                    track_at(c, e->thread, event_list_slice_at(t, c->trace, e->thread, e->time)));
            break;
        case EVENT_LIST_COUNTER: /* one for all series of a record */
            if (e->offset != counter)
                add(c, e, COUNTER, RANK_OTHER, 0);
            counter = e->offset;
            break;
        case EVENT_LIST_SCHED:
            add(c, e, SCHED, RANK_OTHER, 0);
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
    size_t place; /* in order of time */
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
    struct chrome *c;
    const struct operation *ops;
    uint64_t sequence;
};

static void add_async(struct placing *p, int64_t time, enum event_kind kind, const struct event_list_entry *e,
                      uint64_t id) {
    vec_push(&p->c->events,
             ((struct event){
                 .time = time, .rank = RANK_ASYNC, .major = p->sequence++, .kind = (uint8_t)kind, .id = id, .e = e}));
}

static void operation_closed(void *ctx, const struct stack *stack, const struct open *open) {
    struct placing *p = ctx;
    if (open->end != INT64_MAX)
        add_async(p, open->end, ASYNC_END, p->ops[open->id].e, stack->tag);
}

static const struct slice *operation_slice(const struct chrome *c, const struct event_list_entry *e) {
    return lane_at(async_group_row(async_group(trace_async(c->trace), e->thread), e->row), e->i);
}

/* Operations [from, to) of one key, in order: each into the stack where it nests. */
static void place_key(struct placing *p, struct numbers *ids, size_t from, size_t to) {
    struct stacks stacks = {0};
    const struct async_event *key = &p->ops[from].event;
    for (size_t i = from; i < to; i++) {
        const struct event_list_entry *e = p->ops[i].e;
        bool instant = e->kind == EVENT_LIST_ASYNC_INSTANT, is_new;
        int64_t end = instant ? e->time : slice_end(operation_slice(p->c, e));
        struct stack *stack = stack_for(&stacks, e->time, end, ANY_PARENT, &is_new, operation_closed, p);
        if (is_new)
            stack->tag = give(ids, key->category, key->id);
        add_async(p, e->time, instant ? ASYNC_INSTANT : ASYNC_BEGIN, e, stack->tag);
        if (!instant)
            vec_push(stack, ((struct open){end, (uint32_t)i}));
    }
    for (size_t i = 0; i < stacks.n; i++)
        stack_close(&stacks.v[i], INT64_MAX, ANY_PARENT, operation_closed, p);
    stacks_free(&stacks);
}

static void place_async(struct chrome *c) {
    const struct async *async = trace_async(c->trace);
    VEC(struct operation) ops = {0};
    struct numbers ids = {0};
    size_t at = 0;
    for (size_t i = 0; i < c->timed.v.n; i++) {
        const struct event_list_entry *e = c->timed.order[i];
        if (e->kind != EVENT_LIST_ASYNC && e->kind != EVENT_LIST_ASYNC_INSTANT)
            continue;
        while (at < async->input.log.n &&
               event_key_offset(async->input.log.v[at].at.offset) != e->offset) /* ends; both are in order */
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
    const struct event *x = a, *y = b;
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

static void sort_events(struct chrome *c) {
    if (c->events.n > 0)
        qsort(c->events.v, c->events.n, sizeof *c->events.v, event_order);
}

static void place_flows(struct chrome *c) {
    const struct flows *flows = trace_flows(c->trace);
    struct numbers ids = {0};
    for (size_t i = 0; i < flow_count(flows); i++)
        reserve(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
    for (size_t i = 0; i < flow_count(flows); i++) {
        uint64_t id = give(&ids, 0, flow_id(flows, flows_at(flows, i)->first));
        for (uint32_t k = flows_at(flows, i)->first; k != NO_POINT; k = flow_link(flows, k)->after) {
            struct flow_point p = flow_point(flows, k);
            if (p.thread == NO_THREAD)
                continue;
            const struct event_list_entry *slice = event_list_slice_at(&c->timed, c->trace, p.thread, p.at.time);
            vec_push(&c->events, ((struct event){.time = p.at.time,
                                                 .rank = RANK_FLOW,
                                                 .major = p.at.offset,
                                                 .kind = FLOW,
                                                 .bare = slice == NULL,
                                                 .track = track_at(c, p.thread, slice),
                                                 .point = k,
                                                 .id = id,
                                                 .e = slice}));
        }
    }
    u64map_free(&ids.taken);
}

/* The event as it would stand right behind the begin of its slice. */
static struct event at_begin(const struct event *flow, const struct event *const *slices) {
    struct event at = *flow;
    if (!flow->bare) {
        const struct event *begin = slices[flow->e->id];
        at.time = begin->time;
        at.rank = begin->rank;
        at.major = begin->major;
        at.minor = begin->minor + 1;
    }
    return at;
}

/* Flow events that would be taken for another slice's get an instant to stand on, as those in no slice do. */
static void give_instants(struct chrome *c) {
    for (size_t i = 0; i < c->tracks.n; i++)
        c->tracks.v[i].last = NULL;
    for (size_t i = 0; i < c->events.n; i++) {
        struct event *ev = &c->events.v[i];
        if (ev->kind > LOG)
            continue;
        struct track *track = &c->tracks.v[ev->track];
        if (ev->kind == FLOW)
            ev->bare = ev->bare || track->last != ev->e;
        if (ev->kind != FLOW || ev->bare)
            track->last = ev->kind == SLICE ? ev->e : NULL;
    }
}

/* Perfetto takes for a flow event's slice the one that began last on the thread, ended or not. Where that is another
 * one, all events of the flow move to the begins of their slices, if they stay in order; arrows go from slice to slice,
 * so they are the same. */
static void bind_flows(struct chrome *c) {
    const struct flows *flows = trace_flows(c->trace);
    struct event **of_point = err_calloc(flow_point_count(flows) + 1, sizeof *of_point);
    const struct event **slices = err_calloc(c->timed.nslices + 1, sizeof *slices);
    bool *astray = err_calloc(flow_count(flows) + 1, sizeof *astray), moved = false;
    sort_events(c);
    for (size_t i = 0; i < c->events.n; i++) {
        struct event *ev = &c->events.v[i];
        if (ev->kind > LOG)
            continue;
        struct track *track = &c->tracks.v[ev->track];
        if (ev->kind == FLOW && !ev->bare) {
            astray[flow_link(flows, ev->point)->flow] |= track->last != ev->e;
        } else {
            track->last = ev->kind == SLICE ? ev->e : NULL;
        }
        if (ev->kind == FLOW)
            of_point[ev->point] = ev;
        else if (ev->kind == SLICE)
            slices[ev->e->id] = ev;
    }
    VEC(struct event) to = {0};
    for (size_t i = 0; i < flow_count(flows); i++) {
        bool in_order = true;
        to.n = 0;
        for (uint32_t k = flows_at(flows, i)->first; astray[i] && k != NO_POINT; k = flow_link(flows, k)->after) {
            if (of_point[k] == NULL)
                continue;
            vec_push(&to, at_begin(of_point[k], slices));
            in_order &= to.n == 1 || event_order(&to.v[to.n - 2], &to.v[to.n - 1]) <= 0;
        }
        for (size_t k = 0; in_order && k < to.n; k++, moved = true)
            *of_point[to.v[k].point] = to.v[k];
    }
    vec_free(&to);
    free(of_point);
    free(slices);
    free(astray);
    if (moved)
        sort_events(c);
    give_instants(c);
}

/* ---- writing ---- */

static void time_field(struct chrome *c, const char *name, int64_t ns) {
    json_key(&c->j, name);
    fprintf(c->j.out, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

static void begin_event(struct chrome *c, const char *phase, struct str category, struct str name, uint64_t pid,
                        uint64_t tid, int64_t time) {
    fputs(c->any ? ",\n{" : "\n{", c->j.out);
    c->any = true;
    c->j.first = true;
    json_text(&c->j, "ph", str_of(phase));
    if (category.s)
        json_text(&c->j, "cat", category);
    json_text(&c->j, "name", name);
    json_u64(&c->j, "pid", pid);
    json_u64(&c->j, "tid", tid);
    time_field(c, "ts", time);
}

static bool key_used(const struct chrome *c, const char *key, size_t n) {
    size_t from = 0;
    for (size_t i = 0; i < c->key_ends.n; from = c->key_ends.v[i++])
        if (c->key_ends.v[i] - from == n && memcmp(c->keys.v + from, key, n) == 0)
            return true;
    return false;
}

/* The next key of "args": a second one of that name is "name (2)". */
static void argument_key(struct chrome *c, struct str name) {
    size_t from = c->keys.n;
    chars_add(&c->keys, "", 0);
    json_escape(&c->j, name, &c->keys);
    size_t escaped = c->keys.n;
    for (unsigned i = 2; key_used(c, c->keys.v + from, c->keys.n - from); i++) {
        char suffix[16];
        c->keys.n = escaped;
        chars_add(&c->keys, suffix, (size_t)snprintf(suffix, sizeof suffix, " (%u)", i));
    }
    vec_push(&c->key_ends, c->keys.n);
    if (!c->in_args)
        json_key(&c->j, "args");
    putc(c->in_args ? ',' : '{', c->j.out);
    putc('"', c->j.out);
    if (c->keys.n > from)
        fwrite(c->keys.v + from, 1, c->keys.n - from, c->j.out);
    fputs("\":", c->j.out);
    c->in_args = true;
}

static void text_argument(struct chrome *c, const char *name, struct str value) {
    argument_key(c, str_of(name));
    json_string(&c->j, value);
}

static bool beyond_doubles(const struct detail_argument *a) {
    switch (a->type) {
    case FXT_ARG_INT64:
        return (a->bits >> 63 ? -a->bits : a->bits) > EXACT_MAX;
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        return a->bits > EXACT_MAX;
    default:
        return false;
    }
}

static void argument(struct chrome *c, struct str name, const struct detail_argument *a) {
    char buf[64];
    argument_key(c, name);
    if (a->type == FXT_ARG_NULL)
        fputs("null", c->j.out);
    else if (!json_has_value(a) || beyond_doubles(a))
        json_string(&c->j, detail_value(a, buf));
    else
        json_value(&c->j, a);
}

static void number_argument(struct chrome *c, const char *name, uint64_t v) {
    argument(c, str_of(name), &(struct detail_argument){.type = FXT_ARG_UINT64, .bits = v});
}

static void hex_argument(struct chrome *c, const char *name, uint64_t v) {
    argument(c, str_of(name), &(struct detail_argument){.type = FXT_ARG_POINTER, .bits = v});
}

static void record_arguments(struct chrome *c, uint64_t offset) {
    struct detail d;
    struct detail_argument a;
    if (!detail_open(&d, c->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a))
        argument(c, a.name, &a);
}

static void end_event(struct chrome *c) {
    if (c->in_args)
        putc('}', c->j.out);
    c->in_args = false;
    c->keys.n = c->key_ends.n = 0;
    putc('}', c->j.out);
}

static void name_event(struct chrome *c, const char *what, uint64_t pid, uint64_t tid, struct str name,
                       const char *suffix) {
    struct chars text = {0};
    chars_add(&text, name.s, name.n);
    chars_add(&text, suffix, strlen(suffix));
    begin_event(c, "M", (struct str){NULL, 0}, str_of(what), pid, tid, 0);
    text_argument(c, "name", (struct str){text.v, text.n});
    end_event(c);
    vec_free(&text);
}

static void name_thread(struct chrome *c, const struct track *track) {
    const struct thread *t = trace_thread(c->trace, track->thread);
    char buf[40], suffix[80] = "";
    bool named;
    struct str name = trace_thread_name(c->trace, t, buf, &named);
    int n = 0;
    if (t->id.form == THREAD_UNDEFINED) {
        const struct provider *p = reader_provider(trace_reader(c->trace), t->id.provider);
        if (!p->implicit)
            n = snprintf(suffix, sizeof suffix, " of provider %" PRIu32, p->id);
    } else if (named && t->id.tid >= NUMBER_MAX) {
        n = snprintf(suffix, sizeof suffix, " (koid %" PRIu64 ")", t->id.tid);
    }
    if (track->overlap)
        snprintf(suffix + n, sizeof suffix - (size_t)n, " (overlap %" PRIu32 ")", track->overlap);
    name_event(c, "thread_name", track->pid, track->tid, name, suffix);
}

static void write_names(struct chrome *c) {
    struct trace *trace = c->trace;
    bool homeless = false;
    char buf[40], suffix[40];
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        const struct process *p = trace_process(trace, i);
        bool named;
        struct str name = trace_process_name(trace, p, buf, &named);
        suffix[0] = '\0';
        if (named && p->pid >= NUMBER_MAX)
            snprintf(suffix, sizeof suffix, " (koid %" PRIu64 ")", p->pid);
        name_event(c, "process_name", c->pids[i], c->pids[i], name, suffix);
    }
    for (size_t i = 0; i < c->tracks.n; i++) {
        const struct track *track = &c->tracks.v[i];
        if (trace_thread_hidden(trace, trace_thread(trace, track->thread)))
            continue;
        if (track->pid == c->no_pid && !homeless)
            name_event(c, "process_name", c->no_pid, c->no_pid, STR("no process"), "");
        homeless |= track->pid == c->no_pid;
        name_thread(c, track);
    }
    if (sched_cpu_count(trace_sched(trace)) > 0)
        name_event(c, "process_name", c->cpus_pid, c->cpus_pid, STR("CPUs"), "");
    for (size_t i = 0; i < sched_cpu_count(trace_sched(trace)); i++) {
        snprintf(suffix, sizeof suffix, "CPU %u", sched_cpu(trace_sched(trace), i)->number);
        name_event(c, "thread_name", c->cpus_pid, sched_cpu(trace_sched(trace), i)->number, str_of(suffix), "");
    }
}

static void write_slice(struct chrome *c, const struct event *ev) {
    const struct track *track = &c->tracks.v[ev->track];
    const struct slice *s = event_list_slice(c->trace, ev->e);
    struct detail d;
    bool known = detail_open(&d, c->trace, ev->e->offset);
    begin_event(c, slice_open(s) ? "B" : "X", known ? d.category : STR(""),
                trace_name(c->trace, trace_packed_name(c->trace, s->a)), track->pid, track->tid, ev->time - c->origin);
    if (!slice_open(s))
        time_field(c, "dur", slice_dur(s));
    record_arguments(c, ev->e->offset);
    uint64_t end = slice_extra_end_offset(trace_slice_extra(c->trace), s);
    if (end != 0)
        record_arguments(c, end);
    end_event(c);
}

static void write_instant(struct chrome *c, const struct event *ev) {
    static const char *const scopes[] = {"t", "p", "g"};
    const struct track *track = &c->tracks.v[ev->track];
    struct detail d;
    if (!detail_open(&d, c->trace, ev->e->offset))
        return;
    bool log = ev->kind == LOG;
    uint64_t scope = !log && d.record.kind == FXT_K_INSTANT && d.record.scope.present ? d.record.scope.value : 0;
    begin_event(c, "i", log ? STR("log") : d.category, log ? STR("log") : d.name, track->pid, track->tid,
                ev->time - c->origin);
    json_text(&c->j, "s", str_of(scopes[scope < 3 ? scope : 0]));
    if (log)
        text_argument(c, "message", d.record.payload);
    else
        record_arguments(c, ev->e->offset);
    end_event(c);
}

/* Counters are drawn, so their values stay numbers; those that are none leave a gap. */
static void write_counter(struct chrome *c, const struct event *ev) {
    uint32_t thread = trace_thread_at(c->trace, ev->e->offset);
    const struct track *track = thread == NO_THREAD ? NULL : &c->tracks.v[main_track(c, thread)];
    struct detail d;
    struct detail_argument a;
    bool any = false;
    if (!detail_open(&d, c->trace, ev->e->offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        struct counter_sample sample = {{0, a.type}, a.bits};
        if (!counter_numeric(a.type) || isnan(counter_value(&sample)))
            continue;
        if (!any) {
            begin_event(c, "C", d.category, d.name, track ? track->pid : c->no_pid, track ? track->tid : c->no_pid,
                        ev->time - c->origin);
            if (!(d.record.faults & FXT_FAULT_NO_TAIL) && d.record.id != 0)
                json_hex(&c->j, "id", d.record.id);
        }
        any = true;
        if (beyond_doubles(&a)) {
            double x = counter_value(&sample);
            a.type = FXT_ARG_DOUBLE;
            memcpy(&a.bits, &x, sizeof x);
        }
        argument(c, a.name, &a);
    }
    if (any)
        end_event(c);
}

static void write_sched(struct chrome *c, const struct event *ev) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(c->trace), ev->e->thread);
    const struct slice *s = lane_at(&cpu->lane, ev->e->i);
    const struct thread *t = trace_thread(c->trace, sched_run(cpu, ev->e->i)->thread);
    uint32_t flags = sched_run(cpu, ev->e->i)->flags;
    struct detail d;
    struct detail_argument a;
    char buf[40];
    bool named, first = flags & SCHED_FIRST;
    begin_event(c, slice_open(s) ? "B" : "X", STR("sched"), trace_thread_name(c->trace, t, buf, &named), c->cpus_pid,
                cpu->number, ev->time - c->origin);
    if (!slice_open(s))
        time_field(c, "dur", slice_dur(s));
    if (t->id.form == THREAD_PAIR)
        number_argument(c, "pid", t->id.pid);
    if (t->id.form != THREAD_UNDEFINED)
        number_argument(c, "tid", t->id.tid);
    if (flags & SCHED_KNOWN) {
        const char *state = sched_state_name(flags & SCHED_LEFT);
        if (state)
            text_argument(c, "end_state", str_of(state));
        else
            number_argument(c, "end_state", flags & SCHED_LEFT);
    }
    if (detail_open(&d, c->trace, ev->e->offset)) {
        if (d.record.kind == FXT_K_SWITCH_LEGACY)
            number_argument(c, "priority", first ? d.record.sched.out_priority : d.record.sched.in_priority);
        else if (detail_find(&d, first ? "outgoing_weight" : "incoming_weight", &a))
            argument(c, STR("weight"), &a);
    }
    end_event(c);
}

static void write_async(struct chrome *c, const struct event *ev) {
    uint32_t thread = trace_thread_at(c->trace, ev->e->offset);
    const struct track *track = thread == NO_THREAD ? NULL : &c->tracks.v[main_track(c, thread)];
    struct detail d;
    if (!detail_open(&d, c->trace, ev->e->offset))
        return;
    const struct slice *s = ev->kind == ASYNC_INSTANT ? NULL : operation_slice(c, ev->e);
    begin_event(c,
                ev->kind == ASYNC_BEGIN ? "b"
                : s                     ? "e"
                                        : "n",
                d.category, s ? trace_name(c->trace, trace_packed_name(c->trace, s->a)) : d.name,
                track ? track->pid : c->no_pid, track ? track->tid : c->no_pid, ev->time - c->origin);
    json_hex(&c->j, "id", ev->id);
    uint64_t id = d.record.id, end = s ? slice_extra_end_offset(trace_slice_extra(c->trace), s) : 0;
    if (ev->kind != ASYNC_END)
        record_arguments(c, ev->e->offset);
    else if (end != 0)
        record_arguments(c, end);
    if (id != ev->id && ev->kind != ASYNC_END)
        hex_argument(c, "id", id);
    end_event(c);
}

/* All events of a flow have the category and name of its first: viewers tell flows apart by them too. What is in no
 * slice gets an instant to start from or end at. */
static void write_flow(struct chrome *c, const struct event *ev) {
    const struct track *track = &c->tracks.v[ev->track];
    const struct flows *flows = trace_flows(c->trace);
    const struct flow *f = flows_at(flows, flow_link(flows, ev->point)->flow);
    struct flow_point p = flow_point(flows, ev->point);
    struct detail d;
    if (!detail_open(&d, c->trace, flow_offset(flows, f->first)))
        return;
    if (ev->bare) {
        begin_event(c, "i", d.category, d.name, track->pid, track->tid, ev->time - c->origin);
        json_text(&c->j, "s", STR("t"));
        end_event(c);
    }
    bool first = ev->point == f->first && (f->begun || f->points > 1);
    begin_event(c,
                first                ? "s"
                : p.kind == FLOW_END ? "f"
                                     : "t",
                d.category, d.name, track->pid, track->tid, ev->time - c->origin);
    json_hex(&c->j, "id", ev->id);
    json_text(&c->j, "bp", STR("e"));
    if (ev->time != p.at.time) {
        argument_key(c, STR("at"));
        fprintf(c->j.out, "%" PRId64 ".%03d", (p.at.time - c->origin) / 1000, (int)((p.at.time - c->origin) % 1000));
    }
    if (p.id != ev->id)
        hex_argument(c, "id", p.id);
    end_event(c);
}

static void write_event(struct chrome *c, const struct event *ev) {
    switch ((enum event_kind)ev->kind) {
    case SLICE:
        write_slice(c, ev);
        break;
    case FLOW:
        write_flow(c, ev);
        break;
    case INSTANT:
    case LOG:
        write_instant(c, ev);
        break;
    case COUNTER:
        write_counter(c, ev);
        break;
    case SCHED:
        write_sched(c, ev);
        break;
    case ASYNC_BEGIN:
    case ASYNC_END:
    case ASYNC_INSTANT:
        write_async(c, ev);
        break;
    }
}

bool export_json(struct trace *trace, FILE *out) {
    struct chrome c = {.j = {.out = out, .no_pairs = true}, .trace = trace, .origin = trace_origin(trace)};
    errno = 0;
    event_list_init(&c.timed, trace, true);
    number_threads(&c);
    place_slices(&c);
    place_others(&c);
    place_async(&c);
    place_flows(&c);
    bind_flows(&c);
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
    write_names(&c);
    for (size_t i = 0; i < c.events.n; i++)
        write_event(&c, &c.events.v[i]);
    fputs("\n]}\n", out);
    vec_free(&c.events);
    vec_free(&c.tracks);
    vec_free(&c.keys);
    vec_free(&c.key_ends);
    u64map_free(&c.numbers.taken);
    free(c.track_of);
    free(c.pids);
    event_list_free(&c.timed);
    return fflush(out) == 0 && !ferror(out);
}
