/* children.c - the children of a slice by name.
 *
 * Without overlaps the children are the slices of the row below. With overlaps they may be on any row: then all slices
 * of the time come in nesting order, and those whose parent is the slice are taken. A stack of children that still cover gives each ns to the last one, as aggregate.c does. */
#include "model/query/stat/slice/children.h"

#include "src/base/units.h"

static struct children of(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i) {
    const struct slice *s = lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i);
    return (struct children){.trace = trace,
                             .thread = thread,
                             .row = row,
                             .i = i,
                             .start = s->start,
                             .end = trace_slice_end(trace, thread, s),
                             .time = s->start};
}

/* The slices of a row that may be children. */
static void take_row(struct children *c, uint32_t row) {
    const struct nest *nest = &trace_thread(c->trace, c->thread)->nest;
    if (row < nest_rows(nest)) /* one of no length may begin at the end */
        slice_iter_window(nest_row(nest, row), c->start, units_sum(c->end, 1), &c->at, &c->last);
}

void children_init(struct children *c, struct trace *trace, uint32_t thread, uint32_t row, uint32_t i) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    *c = of(trace, thread, row, i);
    c->overlaps = nest->displaced > 0 || nest->overlaps > 0;
    if (c->overlaps)
        slice_order_init(&c->order, trace, &SLICE_SET(SLICE_ITER_SLICES, thread, c->start, units_sum(c->end, 1)));
    else
        take_row(c, row + 1);
}

void children_free(struct children *c) {
    vec_free(&c->parts);
    vec_free(&c->covering);
    u64map_free(&c->by_name);
    slice_order_free(&c->order);
    *c = (struct children){0};
}

static uint32_t part_of(struct children *c, uint32_t name) {
    uint64_t known = u64map_get(&c->by_name, name);
    if (known != UINT64_MAX)
        return (uint32_t)known;
    u64map_set(&c->by_name, name, c->parts.n);
    vec_push(&c->parts, ((struct children_part){.name = name, .longest = -1}));
    return (uint32_t)c->parts.n - 1;
}

/* Gives the time up to `until` to the children that cover it. */
static void cover(struct children *c, int64_t until) {
    while (c->covering.n > 0 && c->time < until) {
        const struct children_covering *top = &c->covering.v[c->covering.n - 1];
        int64_t end = top->end < until ? top->end : until;
        if (end > c->time) {
            c->parts.v[top->part].total += end - c->time;
            c->time = end;
        }
        if (top->end <= until)
            c->covering.n--;
    }
    c->time = c->time > until ? c->time : until;
}

static void add(struct children *c, const struct slice *s, uint32_t row, uint32_t i) {
    int64_t end = trace_slice_end(c->trace, c->thread, s);
    end = end < c->end ? end : c->end;
    uint32_t part = part_of(c, trace_packed_name(c->trace, s->begin_word));
    struct children_part *p = &c->parts.v[part];
    p->count++;
    if (end - s->start > p->longest) {
        p->longest = end - s->start;
        p->row = row;
        p->i = i;
    }
    if (end <= s->start)
        return;
    cover(c, s->start);
    while (c->covering.n > 0 && c->covering.v[c->covering.n - 1].end <= end)
        c->covering.n--;
    vec_push(&c->covering, ((struct children_covering){part, end}));
}

/* Whether the parent of a slice is the one that is asked about. */
static bool belongs(const struct children *c, uint32_t row, uint32_t i) {
    uint32_t up, parent;
    if (!trace_slice_parent(c->trace, c->thread, row, i, &up, &parent))
        return false;
    return up == c->row && parent == c->i;
}

static bool finish(struct children *c) {
    cover(c, c->end);
    c->self = units_since(c->start, c->end);
    for (size_t k = 0; k < c->parts.n; k++)
        c->self -= c->parts.v[k].total;
    c->done = true;
    return true;
}

static bool step_row(struct children *c, struct budget *budget) {
    uint32_t row = c->row + 1;
    const struct lane *lane = nest_row(&trace_thread(c->trace, c->thread)->nest, c->at < c->last ? row : 0);
    while (c->at < c->last) {
        if (!budget_spend(budget, 3))
            return false;
        const struct slice *s = lane_at(lane, c->at);
        if (!trace_damaged_slice(c->trace, s) && belongs(c, row, c->at))
            add(c, s, row, c->at);
        c->at++;
    }
    return finish(c);
}

bool children_step(struct children *c, struct budget *budget) {
    struct slice_run run;
    if (c->done)
        return true;
    if (!c->overlaps)
        return step_row(c, budget);
    while (slice_order_next(&c->order, budget, &run))
        for (uint32_t k = 0; k < run.n; k++)
            if (belongs(c, run.row, run.i + k))
                add(c, &run.v[k], run.row, run.i + k);
    return slice_order_done(&c->order) && finish(c);
}
