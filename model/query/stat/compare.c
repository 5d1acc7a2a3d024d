/* compare.c - two tables of names, and their rows joined by name.
 *
 * Both sides count in turn, so that names of both are known early, and rows are joined as they come. Percentiles are
 * found one side after the other, because each takes memory for its slices. At last the joined rows get the order of A;
 * rows of B that A lacks follow. */
#include "model/query/stat/compare.h"

#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define WHOLE 10000 /* ten-thousandths */

bool compare_free_step(struct compare *c, struct budget *budget) {
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (!names_table_free_step(&c->sides[side], budget))
            return false;
    if (!vec_free_step(&c->rows, budget) || !vec_free_step(&c->in_order, budget) || !vec_free_step(&c->by_name, budget))
        return false;
    range_free(&c->ranges[COMPARE_A]);
    range_free(&c->ranges[COMPARE_B]);
    *c = (struct compare){0};
    return true;
}

void compare_begin(struct compare *c, struct trace *trace, const struct range *a, const struct range *b,
                   bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i), void *ctx) {
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
                                                .has = has,
                                                .ctx = ctx,
                                                .two_from = NAMES_TWO_FROM});
    }
}

#define JOIN_UNITS 4   /* of the budget */
#define PLACE_UNITS 12 /* with its verdict: numbers of both sides */

/* Joins the next row of a side. */
static void join(struct compare *c, enum compare_side side) {
    uint32_t at = c->joined[side]++, name = names_table_row(&c->sides[side], at)->key.name;
    vec_reserve(&c->by_name, (size_t)name + 1);
    while (c->by_name.n <= name)
        c->by_name.v[c->by_name.n++] = 0;
    if (c->by_name.v[name] == 0) {
        vec_push(&c->rows, ((struct compare_row){.name = name, .rows = {COMPARE_NONE, COMPARE_NONE}}));
        c->by_name.v[name] = (uint32_t)c->rows.n;
    }
    c->rows.v[c->by_name.v[name] - 1].rows[side] = at;
}

/* The rows that both sides have so far, in turn; false: not all. */
static bool join_so_far(struct compare *c, struct budget *budget) {
    uint32_t a = names_table_rows(&c->sides[COMPARE_A]), b = names_table_rows(&c->sides[COMPARE_B]), *at = c->joined;
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
    return (names_table_percent(&c->sides[COMPARE_A]) + names_table_percent(&c->sides[COMPARE_B])) / 2;
}

/* ---- numbers ---- */

bool compare_value(const struct compare *c, uint32_t row, enum compare_side side, enum compare_column column,
                   int64_t *value) {
    static const enum names_column columns[] = {[COMPARE_COUNT] = NAMES_COUNT,
                                                [COMPARE_TOTAL] = NAMES_SHARE,
                                                [COMPARE_P50] = NAMES_P50,
                                                [COMPARE_P99] = NAMES_P99};
    uint32_t at = c->rows.v[row].rows[side];
    *value = 0;
    return at != COMPARE_NONE && names_table_value(&c->sides[side], at, columns[column], value);
}

static int64_t ratio(double a, double b) {
    double change = (b - a) / a * WHOLE;
    return change > 1e15 ? (int64_t)1e15 : (int64_t)(change < 0 ? change - 0.5 : change + 0.5);
}

static double length_of(const struct compare *c, enum compare_side side) {
    int64_t from = range_begin(&c->ranges[side], c->trace), to = range_end(&c->ranges[side], c->trace);
    return to > from ? (double)units_since(from, to) : 1;
}

bool compare_change(const struct compare *c, uint32_t row, enum compare_column column, int64_t *change) {
    int64_t a, b;
    if (!compare_counted(c)) /* one side may be counted further than the other */
        return false;
    bool has_a = compare_value(c, row, COMPARE_A, column, &a), has_b = compare_value(c, row, COMPARE_B, column, &b);
    if (column == COMPARE_TOTAL) {
        *change = b - a;
        return has_a || has_b;
    }
    if (!has_a || !has_b || a <= 0)
        return false;
    if (column == COMPARE_COUNT)
        *change = ratio((double)a / length_of(c, COMPARE_A), (double)b / length_of(c, COMPARE_B));
    else
        *change = ratio((double)a, (double)b);
    return true;
}

static uint64_t ended(const struct compare *c, const struct compare_row *row, enum compare_side side) {
    const struct aggregate_row *r = names_table_row(&c->sides[side], row->rows[side]);
    return r->count - r->open;
}

static unsigned verdict_of(const struct compare *c, uint32_t row) {
    const struct compare_row *r = &c->rows.v[row];
    unsigned verdict = 0;
    int64_t change;
    if (r->rows[COMPARE_A] == COMPARE_NONE)
        return COMPARE_NEW;
    if (r->rows[COMPARE_B] == COMPARE_NONE)
        return COMPARE_GONE;
    uint64_t a = ended(c, r, COMPARE_A), b = ended(c, r, COMPARE_B), fewer = a < b ? a : b;
    if (fewer < COMPARE_ENOUGH)
        verdict |= COMPARE_FEW;
    int last = fewer < COMPARE_ENOUGH ? -1 : fewer < COMPARE_ENOUGH_P99 ? COMPARE_P50 : COMPARE_P99;
    for (int column = COMPARE_P50; column <= last; column++)
        if (compare_change(c, row, (enum compare_column)column, &change))
            verdict |= change >= COMPARE_NOTABLE    ? COMPARE_SLOWER
                       : change <= -COMPARE_NOTABLE ? COMPARE_FASTER
                                                    : 0u;
    if (compare_change(c, row, COMPARE_COUNT, &change))
        verdict |= change >= COMPARE_MORE ? COMPARE_MORE_OF : change <= -COMPARE_MORE ? COMPARE_LESS_OF : 0u;
    return verdict;
}

/* ---- the rows in their order ---- */

/* Gives a joined row its verdict, and its place among the rows in order. */
static void place(struct compare *c, uint32_t joined) {
    struct compare_row row = c->rows.v[joined];
    unsigned verdict = row.verdict = verdict_of(c, joined);
    bool slower = (verdict & COMPARE_SLOWER) != 0, faster = (verdict & COMPARE_FASTER) != 0;
    c->counts.changed += (verdict & COMPARE_CHANGED) != 0;
    c->counts.new += (verdict & COMPARE_NEW) != 0;
    c->counts.gone += (verdict & COMPARE_GONE) != 0;
    c->counts.slower += slower && !faster;
    c->counts.faster += faster && !slower;
    c->counts.mixed += slower && faster;
    vec_push(&c->in_order, row);
}

/* The joined rows in the order of A, then those that A lacks in the order of B; false: not all. */
static bool put_in_order(struct compare *c, struct budget *budget) {
    uint32_t a = names_table_rows(&c->sides[COMPARE_A]), b = names_table_rows(&c->sides[COMPARE_B]);
    while (c->placed < a + b) {
        uint32_t at = c->placed++;
        const struct aggregate_row *of = at < a ? names_table_row(&c->sides[COMPARE_A], at)
                                                : names_table_row(&c->sides[COMPARE_B], at - a);
        uint32_t joined = c->by_name.v[of->key.name] - 1;
        if (at < a || c->rows.v[joined].rows[COMPARE_A] == COMPARE_NONE)
            place(c, joined);
        if (!budget_spend(budget, PLACE_UNITS))
            return false;
    }
    return vec_free_step(&c->by_name, budget);
}

bool compare_step(struct compare *c, struct budget *budget) {
    while (!compare_counted(c)) { /* each side and joining have a turn: counting leaves nothing of the budget */
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
    return put_in_order(c, budget);
}

void compare_finish(struct compare *c) {
    vec_free(&c->rows);
    c->rows = c->in_order;
    memset(&c->in_order, 0, sizeof c->in_order);
    c->done = true;
}

/* ---- words ---- */

const char *compare_verdict_text(unsigned verdict, char buf[40]) {
    const char *speed = verdict & COMPARE_NEW                                                            ? "new"
                        : verdict & COMPARE_GONE                                                         ? "gone"
                        : (verdict & COMPARE_SLOWER) && (verdict & COMPARE_FASTER)                       ? "mixed"
                        : verdict & COMPARE_SLOWER                                                       ? "slower"
                        : verdict & COMPARE_FASTER                                                       ? "faster"
                                                                                                         : "";
    const char *number = verdict & COMPARE_MORE_OF ? "more" : verdict & COMPARE_LESS_OF ? "fewer" : "";
    bool few = (verdict & COMPARE_FEW) && *number;
    snprintf(buf, 40, "%s%s%s%s", speed, *speed && *number ? ", " : "", number, few ? ", few" : "");
    return buf;
}
