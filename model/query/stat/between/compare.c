/* compare.c - two tables of names, and their rows joined by name.
 *
 * Both sides count in turn, so that names of both are known early, and rows are joined as they
 * come. Percentiles are found one side after the other, because each takes memory for its slices.
 * Then their rows are judged as those of two traces, which find each other by the number of the
 * name. At last the joined rows get the order of A; rows of B that A lacks follow. */
#include "model/query/stat/between/compare.h"

#include <string.h>

#include "src/base/units.h"

bool compare_free_step(struct compare *c, struct budget *budget) {
    between_contain_stop(&c->contain);
    sort_free(c->sort);
    c->sort = NULL;
    if (!between_free_step(&c->between, budget))
        return false;
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (!names_table_free_step(&c->sides[side], budget))
            return false;
    if (!vec_free_step(&c->rows, budget) || !vec_free_step(&c->in_order, budget) ||
        !vec_free_step(&c->by_name, budget))
        return false;
    range_free(&c->ranges[COMPARE_A]);
    range_free(&c->ranges[COMPARE_B]);
    *c = (struct compare){0};
    return true;
}

void compare_begin(struct compare *c, struct trace *trace, const struct range *a,
                   const struct range *b) {
    struct range copies[COMPARE_SIDES] = {{0}};
    range_copy(&copies[COMPARE_A], a); /* they may be those of the comparison before */
    range_copy(&copies[COMPARE_B], b);
    compare_free_step(c, BUDGET_ENDLESS);
    c->trace = trace;
    for (int side = 0; side < COMPARE_SIDES; side++) {
        c->ranges[side] = copies[side];
        names_table_begin(&c->sides[side], trace,
                          &(struct names_query){.range = &c->ranges[side],
                                                .kinds = SLICE_ITER_SLICES,
                                                .two_from = NAMES_TWO_FROM,
                                                .sample = TRACE_NAMES_SAMPLE});
    }
    c->between.threshold = BETWEEN_THRESHOLD;
    c->asked.range = c->ranges[COMPARE_B];
}

#define JOIN_UNITS 4 /* of the budget */
#define PLACE_UNITS 12

/* Joins the next row of a side. */
static void join(struct compare *c, enum compare_side side) {
    uint32_t at = c->joined[side]++, name = names_table_row(&c->sides[side], at)->key.name;
    vec_reserve(&c->by_name, (size_t)name + 1);
    while (c->by_name.n <= name)
        c->by_name.v[c->by_name.n++] = 0;
    if (c->by_name.v[name] == 0) {
        vec_push(&c->rows,
                 ((struct compare_row){.name = name, .rows = {COMPARE_NONE, COMPARE_NONE}}));
        c->by_name.v[name] = (uint32_t)c->rows.n;
    }
    c->rows.v[c->by_name.v[name] - 1].rows[side] = at;
}

/* The rows that both sides have so far, in turn; false: not all. */
static bool join_so_far(struct compare *c, struct budget *budget) {
    uint32_t a = names_table_rows(&c->sides[COMPARE_A]), b = names_table_rows(&c->sides[COMPARE_B]),
             *at = c->joined;
    while (at[COMPARE_A] < a || at[COMPARE_B] < b) {
        bool of_a = at[COMPARE_A] < a && (at[COMPARE_A] <= at[COMPARE_B] || at[COMPARE_B] == b);
        join(c, of_a ? COMPARE_A : COMPARE_B);
        if (!budget_spend(budget, JOIN_UNITS))
            return false;
    }
    return true;
}

bool compare_counted(const struct compare *c) {
    return c->sides[COMPARE_A].stage > NAMES_LIVING && c->sides[COMPARE_B].stage > NAMES_LIVING;
}

unsigned compare_percent(const struct compare *c) {
    unsigned tables =
        names_table_percent(&c->sides[COMPARE_A]) + names_table_percent(&c->sides[COMPARE_B]);
    return tables * 9 / 20 + (c->stage < COMPARE_JUDGING ? 0 : between_percent(&c->between) / 10);
}

const struct between_row *compare_judged(const struct compare *c, uint64_t row) {
    return c->done ? &c->between.v.v[c->rows.v[row].judged] : NULL;
}

bool compare_value(const struct compare *c, uint64_t row, enum compare_side side,
                   enum names_column column, int64_t *value) {
    uint32_t at = c->rows.v[row].rows[side];
    *value = 0;
    return at != COMPARE_NONE && names_table_value(&c->sides[side], at, column, value);
}

/* ---- verdicts ---- */

/* The rows of a side as those of a trace; false: not all. */
static bool name_side(struct compare *c, enum compare_side side, struct budget *budget) {
    if (c->between.runs[side].n == 0) {
        int64_t from = range_begin(&c->ranges[side], c->trace),
                to = range_end(&c->ranges[side], c->trace);
        struct trace_names names = {.by_number = true,
                                    .span = to > from ? units_since(from, to) : 1};
        struct slice_set set = range_slices(&c->ranges[side], SLICE_ITER_SLICES);
        names.left_out = slice_iter_left_out(c->trace, &set);
        vec_push(&c->between.runs[side], names);
    }
    struct trace_names *names = c->between.runs[side].v;
    return trace_names_take_rows(names, &c->sides[side], 0, SLICE_ITER_SLICES, budget) &&
           trace_names_sort_step(names, &c->sort, budget);
}

static bool link_rows(struct compare *c, struct budget *budget) {
    for (; c->linked < c->between.v.n; c->linked++) {
        if (!budget_left(budget))
            return false;
        c->rows.v[c->by_name.v[c->between.v.v[c->linked].like->number] - 1].judged = c->linked;
        budget_spend(budget, JOIN_UNITS);
    }
    return true;
}

/* ---- the rows in their order ---- */

/* The joined rows in the order of A, then those that A lacks in the order of B; false: not all. */
static bool put_in_order(struct compare *c, struct budget *budget) {
    uint32_t a = names_table_rows(&c->sides[COMPARE_A]), b = names_table_rows(&c->sides[COMPARE_B]);
    while (c->placed < a + b) {
        uint32_t at = c->placed++;
        const struct aggregate_row *of = at < a ? names_table_row(&c->sides[COMPARE_A], at)
                                                : names_table_row(&c->sides[COMPARE_B], at - a);
        uint32_t joined = c->by_name.v[of->key.name] - 1;
        if (at < a || c->rows.v[joined].rows[COMPARE_A] == COMPARE_NONE)
            vec_push(&c->in_order, c->rows.v[joined]);
        if (!budget_spend(budget, PLACE_UNITS))
            return false;
    }
    return vec_free_step(&c->by_name, budget);
}

static bool step_tables(struct compare *c, struct budget *budget) {
    /* each side and joining have a turn: counting leaves nothing of the budget */
    while (!compare_counted(c)) {
        unsigned side = c->turn++ % (COMPARE_SIDES + 1);
        if (side == COMPARE_SIDES)
            join_so_far(c, budget);
        else
            names_table_step(&c->sides[c->sides[side].stage > NAMES_LIVING ? !side : side], budget);
        if (!budget_left(budget))
            return false;
    }
    if (!join_so_far(c, budget))
        return false;
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (!names_table_step(&c->sides[side], budget))
            return false;
    return true;
}

static bool step_stage(struct compare *c, struct budget *budget) {
    switch (c->stage) {
    case COMPARE_COUNTING:
        return step_tables(c, budget);
    case COMPARE_NAMING_A:
    case COMPARE_NAMING_B:
        return name_side(c, c->stage == COMPARE_NAMING_A ? COMPARE_A : COMPARE_B, budget);
    case COMPARE_JUDGING:
        return between_compare_step(&c->between, budget);
    case COMPARE_CONTAINING:
        if (c->contain.trace == NULL)
            between_contain_begin(&c->contain, &c->between, c->trace, &c->asked);
        return between_contain_step(&c->contain, &c->between, budget);
    case COMPARE_LINKING:
        return link_rows(c, budget);
    default:
        return put_in_order(c, budget);
    }
}

bool compare_step(struct compare *c, struct budget *budget) {
    for (; c->stage < COMPARE_READY; c->stage++)
        if (!step_stage(c, budget))
            return false;
    return true;
}

void compare_finish(struct compare *c) {
    vec_free(&c->rows);
    c->rows = c->in_order;
    memset(&c->in_order, 0, sizeof c->in_order);
    c->done = true;
}
