/* chrome_async.c - the operations sorted by key and time, and each put on a stack of its key.
 *
 * The key is read from the record again, as the model keeps it only for operations that have not
 * ended. */
#include "model/output/lines/chrome_async.h"

#include <stdlib.h>

#include "model/output/chrome_stack.h"
#include "model/query/detail.h"

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
    struct trace *trace;
    const struct operation *ops;
    struct chrome_operations *out;
};

static void add(struct placing *p, int64_t time, enum chrome_phase phase,
                const struct event_list_entry *e, uint64_t id) {
    vec_push(p->out, ((struct chrome_operation){time, e, id, phase}));
}

static void operation_closed(void *ctx, const struct chrome_stack *stack,
                             const struct chrome_open *open) {
    struct placing *p = ctx;
    if (open->end != INT64_MAX)
        add(p, open->end, CHROME_PHASE_END, p->ops[open->id].e, stack->tag);
}

/* Adds operations [from, to), all of one key and in order of time, each to the stack in which it
 * nests. */
static void place_key(struct placing *p, struct chrome_numbers *ids, size_t from, size_t to) {
    struct chrome_stacks stacks = {.closed = operation_closed, .ctx = p};
    const struct async_event *key = &p->ops[from].event;
    for (size_t i = from; i < to; i++) {
        const struct event_list_entry *e = p->ops[i].e;
        bool instant = e->kind == EVENT_LIST_ASYNC_INSTANT, is_new;
        int64_t end = instant ? e->time : slice_end(event_list_operation(p->trace, e));
        struct chrome_stack *stack =
            chrome_stack_for(&stacks, e->time, end, CHROME_ANY_PARENT, &is_new);
        if (is_new)
            stack->tag = chrome_numbers_give(ids, key->category, key->id);
        add(p, e->time, instant ? CHROME_PHASE_INSTANT : CHROME_PHASE_BEGIN, e, stack->tag);
        if (!instant)
            vec_push(stack, ((struct chrome_open){end, (uint32_t)i}));
    }
    for (size_t i = 0; i < stacks.n; i++)
        chrome_stack_close(&stacks, &stacks.v[i], INT64_MAX, CHROME_ANY_PARENT);
    chrome_stacks_free(&stacks);
}

/* The event of an entry, decoded again; false: its record cannot be read. */
static bool event_of(struct trace *trace, const struct event_list_entry *e,
                     struct detail_memo *memo, struct async_event *event) {
    struct detail d;
    if (!detail_open_by(&d, trace, e->offset, memo))
        return false;
    uint32_t thread = detail_thread(&d);
    *event = (struct async_event){
        .at = {e->time, e->offset},
        .id = d.record.id,
        .process = thread == NO_THREAD ? NO_PROCESS : trace_thread(trace, thread)->process,
        .category = names_find(reader_names(trace_reader(trace)), d.category.s, d.category.n)};
    return true;
}

struct chrome_operations chrome_async(const struct event_list *list, struct trace *trace) {
    struct chrome_operations out = {0};
    struct detail_memo *memo = detail_memo_new();
    VEC(struct operation) ops = {0};
    struct chrome_numbers ids = {0};
    for (size_t i = 0; i < list->v.n; i++) {
        const struct event_list_entry *e = list->order[i];
        if (e->kind != EVENT_LIST_ASYNC && e->kind != EVENT_LIST_ASYNC_INSTANT)
            continue;
        struct operation op = {.e = e, .place = ops.n};
        if (!event_of(trace, e, memo, &op.event))
            continue;
        chrome_numbers_reserve(&ids, op.event.category, op.event.id);
        vec_push(&ops, op);
    }
    if (ops.n > 0)
        qsort(ops.v, ops.n, sizeof *ops.v, operation_order);
    struct placing p = {trace, ops.v, &out};
    for (size_t from = 0, to; from < ops.n; from = to) {
        for (to = from + 1; to < ops.n && same_key(&ops.v[from].event, &ops.v[to].event);)
            to++;
        place_key(&p, &ids, from, to);
    }
    vec_free(&ops);
    u64map_free(&ids.taken);
    detail_memo_free(memo);
    return out;
}
