/* children.c - the children of a slice by name.
 *
 * Without overlaps the children are the slices of the row below. With overlaps they may be on any
 * row: then all slices of the time come in nesting order, and those whose parent is the slice are
 * taken. So it is with damaged times: such a slice is nobody's child, and those in it are children
 * of the slice around it. A stack of children that still cover gives each ns to the last one, as
 * aggregate.c does. */
#include "model/query/stat/slice/children.h"

#include "src/base/u64map.h"
#include "src/base/units.h"

struct covering { /* a child that leaves something of the ones before it */
    uint32_t part;
    int64_t end;
};

struct adding {
    struct children *c;
    struct u64map by_name;         /* name -> part */
    VEC(struct covering) covering; /* later ones end earlier and are on top */
    int64_t time;                  /* up to which time is counted */
    struct u64map inside;          /* damaged slice -> whether its children belong */
    VEC(uint64_t) climbed;         /* damaged slices around one */
};

void children_free(struct children *c) {
    vec_free(&c->parts);
    *c = (struct children){0};
}

static uint32_t part_of(struct adding *a, uint32_t name) {
    struct children *c = a->c;
    uint64_t known = u64map_get(&a->by_name, name);
    if (known != UINT64_MAX)
        return (uint32_t)known;
    u64map_set(&a->by_name, name, c->parts.n);
    vec_push(&c->parts, ((struct children_part){.name = name, .longest = -1}));
    return (uint32_t)c->parts.n - 1;
}

/* Gives the time up to `until` to the children that cover it. */
static void cover(struct adding *a, int64_t until) {
    while (a->covering.n > 0 && a->time < until) {
        const struct covering *top = &a->covering.v[a->covering.n - 1];
        int64_t end = top->end < until ? top->end : until;
        if (end > a->time) {
            a->c->parts.v[top->part].total += end - a->time;
            a->time = end;
        }
        if (top->end <= until)
            a->covering.n--;
    }
    a->time = a->time > until ? a->time : until;
}

static void add(struct adding *a, const struct slice *s, uint32_t row, uint32_t i) {
    struct children *c = a->c;
    int64_t end = trace_slice_end(c->trace, c->thread, s);
    end = end < c->end ? end : c->end;
    uint32_t part = part_of(a, trace_packed_name(c->trace, s->begin_word));
    struct children_part *p = &c->parts.v[part];
    p->count++;
    if (end - s->start > p->longest) {
        p->longest = end - s->start;
        p->row = row;
        p->i = i;
    }
    if (end <= s->start)
        return;
    cover(a, s->start);
    while (a->covering.n > 0 && a->covering.v[a->covering.n - 1].end <= end)
        a->covering.n--;
    vec_push(&a->covering, ((struct covering){part, end}));
}

/* Whether the parent of a slice is the one that is asked about. One with a damaged time is none; it
 * is passed once. */
static bool belongs(struct adding *a, uint32_t row, uint32_t i) {
    const struct children *c = a->c;
    const struct nest *nest = &trace_thread(c->trace, c->thread)->nest;
    uint64_t found = 0, known = UINT64_MAX;
    a->climbed.n = 0;
    while (known == UINT64_MAX && trace_slice_parent(c->trace, c->thread, row, i, &row, &i)) {
        uint64_t key = (uint64_t)row << 32 | i;
        found = row == c->row && i == c->i;
        if (found || !trace_damaged_slice(c->trace, lane_at(nest_row(nest, row), i)))
            break;
        known = u64map_get(&a->inside, key);
        vec_push(&a->climbed, key);
    }
    found = known == UINT64_MAX ? found : known;
    for (size_t k = 0; k < a->climbed.n; k++)
        u64map_set(&a->inside, a->climbed.v[k], found);
    return found;
}

/* The children are on the row below; one of no length may begin at the end. */
static void add_row(struct task *task, struct adding *a) {
    struct children *c = a->c;
    const struct nest *nest = &trace_thread(c->trace, c->thread)->nest;
    uint32_t row = c->row + 1, first, last;
    if (row >= nest_rows(nest))
        return;
    const struct lane *lane = nest_row(nest, row);
    slice_iter_window(lane, c->start, units_sum(c->end, 1), &first, &last);
    for (uint32_t i = first; i < last && task_spend(task, 3); i++) {
        const struct slice *s = lane_at(lane, i);
        if (belongs(a, row, i))
            add(a, s, row, i);
    }
}

static void add_all_rows(struct task *task, struct adding *a) {
    struct children *c = a->c;
    struct slice_order order;
    struct slice_run run;
    int64_t until = units_sum(c->end, 1);
    slice_order_init(&order, c->trace, &SLICE_SET(SLICE_ITER_SLICES, c->thread, c->start, until));
    while (slice_order_next(&order, task, &run))
        for (uint32_t k = 0; k < run.n; k++)
            if (belongs(a, run.row, run.i + k))
                add(a, &run.v[k], run.row, run.i + k);
    slice_order_free(&order);
}

void children_make(struct task *task, void *children) {
    struct children *c = children;
    const struct nest *nest = &trace_thread(c->trace, c->thread)->nest;
    const struct slice *s = lane_at(nest_row(nest, c->row), c->i);
    c->start = s->start;
    c->end = trace_slice_end(c->trace, c->thread, s);
    c->overlaps = nest->displaced > 0;
    struct adding a = {.c = c, .time = c->start};
    if (slice_iter_displaced(c->trace, c->thread))
        add_all_rows(task, &a);
    else
        add_row(task, &a);
    cover(&a, c->end);
    c->self = units_since(c->start, c->end);
    for (size_t k = 0; k < c->parts.n; k++)
        c->self -= c->parts.v[k].total;
    vec_free(&a.covering);
    vec_free(&a.climbed);
    u64map_free(&a.by_name);
    u64map_free(&a.inside);
}
