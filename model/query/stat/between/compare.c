/* compare.c - two tables of names, and their rows joined by name.
 *
 * Both sides count before the percentiles of either are found, which take memory for its slices.
 * Then their rows are judged as those of two traces, which find each other by the number of the
 * name. */
#include "model/query/stat/between/compare.h"

#include <string.h>

#include "src/base/units.h"

#define JOIN_UNITS 12
#define LINK_UNITS 4

void compare_set(struct compare *c, struct trace *trace, const struct range *a,
                 const struct range *b) {
    c->trace = trace;
    range_copy(&c->ranges[COMPARE_A], a);
    range_copy(&c->ranges[COMPARE_B], b);
    c->between.threshold = BETWEEN_THRESHOLD;
}

void compare_free(void *compare) {
    struct compare *c = compare;
    between_free(&c->between);
    for (int side = 0; side < COMPARE_SIDES; side++) {
        names_table_free(&c->sides[side]);
        range_free(&c->ranges[side]);
    }
    vec_free(&c->rows);
    *c = (struct compare){.trace = NULL};
}

bool compare_counted(const struct compare *c) {
    return c->sides[COMPARE_A].counted && c->sides[COMPARE_B].counted;
}

unsigned compare_percent(const struct compare *c) {
    unsigned tables =
        names_table_percent(&c->sides[COMPARE_A]) + names_table_percent(&c->sides[COMPARE_B]);
    return tables * 9 / 20 + c->between.percent / 10;
}

uint64_t compare_rows(const struct compare *c) {
    return c->joined ? c->rows.n : names_table_rows(&c->sides[COMPARE_A]);
}

/* Before rows are joined, those of A are shown as they come. */
struct compare_row compare_row(const struct compare *c, uint64_t row) {
    if (c->joined)
        return c->rows.v[row];
    const struct aggregate_key *key = &names_table_row(&c->sides[COMPARE_A], (uint32_t)row)->key;
    uint32_t in_b = aggregate_find(&c->sides[COMPARE_B].aggregate, key);
    return (struct compare_row){.name = key->name, .rows = {(uint32_t)row, in_b}};
}

const struct between_row *compare_judged(const struct compare *c, uint64_t row) {
    return c->done ? &c->between.v.v[c->rows.v[row].judged] : NULL;
}

bool compare_value(const struct compare *c, uint64_t row, enum compare_side side,
                   enum names_column column, int64_t *value) {
    uint32_t at = compare_row(c, row).rows[side];
    *value = 0;
    return at != COMPARE_NONE && names_table_value(&c->sides[side], at, column, value);
}

/* The rows of A with those of B that have their name, then those that A lacks. */
static void join(struct task *task, struct compare *c) {
    const struct names_table *a = &c->sides[COMPARE_A], *b = &c->sides[COMPARE_B];
    vec_reserve(&c->rows, (size_t)names_table_rows(a) + names_table_rows(b));
    for (uint32_t i = 0; i < names_table_rows(a); i++) {
        vec_push(&c->rows, compare_row(c, i));
        if (!task_spend(task, JOIN_UNITS))
            return;
    }
    for (uint32_t i = 0; i < names_table_rows(b); i++) {
        const struct aggregate_key *key = &names_table_row(b, i)->key;
        if (aggregate_find(&a->aggregate, key) == AGGREGATE_ANY)
            vec_push(&c->rows,
                     ((struct compare_row){.name = key->name, .rows = {COMPARE_NONE, i}}));
        if (!task_spend(task, JOIN_UNITS))
            return;
    }
    c->joined = true;
}

/* The rows of a side as those of a trace. */
static void name_side(struct task *task, struct compare *c, enum compare_side side) {
    int64_t from = range_begin(&c->ranges[side], c->trace),
            to = range_end(&c->ranges[side], c->trace);
    struct slice_set set = range_slices(&c->ranges[side], SLICE_ITER_SLICES);
    vec_push(&c->between.runs[side],
             ((struct trace_names){.by_number = true,
                                   .span = to > from ? units_since(from, to) : 1,
                                   .left_out = slice_iter_left_out(c->trace, &set)}));
    struct trace_names *names = c->between.runs[side].v;
    trace_names_take_rows(task, names, &c->sides[side], SLICE_ITER_SLICES);
    if (!task_over(task))
        trace_names_sort(task, names);
}

/* Gives each joined row the one that is judged. */
static void link_rows(struct task *task, struct compare *c) {
    VEC(uint32_t) judged = {0}; /* by name */
    for (uint32_t i = 0; i < c->between.v.n && !task_over(task); i++) {
        uint32_t name = c->between.v.v[i].like->number;
        vec_reserve(&judged, (size_t)name + 1);
        judged.n = name >= judged.n ? (size_t)name + 1 : judged.n;
        judged.v[name] = i;
        task_spend(task, LINK_UNITS);
    }
    for (size_t i = 0; i < c->rows.n && !task_over(task); i++) {
        c->rows.v[i].judged = judged.v[c->rows.v[i].name];
        task_spend(task, LINK_UNITS);
    }
    vec_free(&judged);
}

static void count(struct task *task, struct compare *c, enum compare_side side) {
    names_table_begin(&c->sides[side], c->trace,
                      &(struct names_query){.range = &c->ranges[side],
                                            .kinds = SLICE_ITER_SLICES,
                                            .two_from = NAMES_TWO_FROM,
                                            .sample = TRACE_NAMES_SAMPLE});
    names_table_count(task, &c->sides[side]);
}

/* Numbers of both sides. */
static void make_sides(struct task *task, struct compare *c) {
    for (int side = 0; side < COMPARE_SIDES && !task_over(task); side++)
        count(task, c, (enum compare_side)side);
    if (!task_over(task))
        join(task, c);
    for (int side = 0; side < COMPARE_SIDES && !task_over(task); side++)
        names_table_finish(task, &c->sides[side]);
}

void compare_make(struct task *task, void *compare) {
    struct compare *c = compare;
    make_sides(task, c);
    for (int side = 0; side < COMPARE_SIDES && !task_over(task); side++)
        name_side(task, c, (enum compare_side)side);
    if (!task_over(task))
        between_make(task, &c->between);
    if (!task_over(task))
        between_contain_make(task, &c->between, c->trace,
                             &(struct question){.range = c->ranges[COMPARE_B]});
    if (!task_over(task) && between_wants_gone(&c->between))
        between_gone_make(task, &c->between, c->trace,
                          &(struct question){.range = c->ranges[COMPARE_A]});
    if (!task_over(task))
        link_rows(task, c);
    c->done = !task_over(task);
}
