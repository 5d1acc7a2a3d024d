/* between_relation.c - the rows of a comparison of traces as a relation.
 *
 * Changes are parts of A: +10.0% for a reader, 0.1 for programs. */
#include "model/output/between/between_relation.h"

#include <math.h>

#include "src/base/time/sum.h"

const struct relation_column between_relation_columns[COMPARED_COLUMNS] = {
    [COMPARED_NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_KIND] = {"kind", NULL, RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_COUNT_A] = {"count_a", "count A", RELATION_INTEGER, RELATION_COUNT, false},
    [COMPARED_COUNT_B] = {"count_b", "count B", RELATION_INTEGER, RELATION_COUNT, false},
    [COMPARED_RATE_A] = {"per_s_a", NULL, RELATION_REAL, RELATION_NONE, false},
    [COMPARED_RATE_B] = {"per_s_b", NULL, RELATION_REAL, RELATION_NONE, false},
    [COMPARED_RATE_BY] = {"per_s_change", "per s", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_TOTAL_A] = {"total_a_ns", "total A", RELATION_INTEGER, RELATION_SUM, false},
    [COMPARED_TOTAL_B] = {"total_b_ns", "total B", RELATION_INTEGER, RELATION_SUM, false},
    [COMPARED_TOTAL_BY] = {"total_change", "change", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P50_A] = {"p50_a_ns", "p50 A", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P50_B] = {"p50_b_ns", "p50 B", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P50_BY] = {"p50_change", "change", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P99_A] = {"p99_a_ns", "p99 A", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P99_B] = {"p99_b_ns", "p99 B", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P99_BY] = {"p99_change", "change", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P] = {"p", "p", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_VERDICT] = {"verdict", "verdict", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_CONTAINS] = {"contains", "contains", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_PROCESS] = {"process", "process", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
};

static const struct cell {
    enum between_number number;
    int side; /* BETWEEN_SIDES: the change */
} cells[COMPARED_COLUMNS] = {
    [COMPARED_COUNT_A] = {BETWEEN_COUNT, BETWEEN_A},      [COMPARED_COUNT_B] = {BETWEEN_COUNT, BETWEEN_B},
    [COMPARED_RATE_A] = {BETWEEN_RATE, BETWEEN_A},        [COMPARED_RATE_B] = {BETWEEN_RATE, BETWEEN_B},
    [COMPARED_RATE_BY] = {BETWEEN_RATE, BETWEEN_SIDES},
    [COMPARED_TOTAL_A] = {BETWEEN_TOTAL, BETWEEN_A},      [COMPARED_TOTAL_B] = {BETWEEN_TOTAL, BETWEEN_B},
    [COMPARED_TOTAL_BY] = {BETWEEN_TOTAL, BETWEEN_SIDES}, [COMPARED_P50_A] = {BETWEEN_P50, BETWEEN_A},
    [COMPARED_P50_B] = {BETWEEN_P50, BETWEEN_B},          [COMPARED_P50_BY] = {BETWEEN_P50, BETWEEN_SIDES},
    [COMPARED_P99_A] = {BETWEEN_P99, BETWEEN_A},          [COMPARED_P99_B] = {BETWEEN_P99, BETWEEN_B},
    [COMPARED_P99_BY] = {BETWEEN_P99, BETWEEN_SIDES},
};

static void set_change(bool texts, double change, struct relation_value *value) {
    if (!texts) {
        relation_set_real(value, change);
        return;
    }
    if (fabs(change) < 0.0005)
        snprintf(value->buf, sizeof value->buf, "0.0%%");
    else
        snprintf(value->buf, sizeof value->buf, "%+.1f%%", change * 100);
    relation_set_text(value, str_of(value->buf));
}

static void set_rate(bool texts, double per_s, struct relation_value *value) {
    if (!texts) {
        relation_set_real(value, per_s);
        return;
    }
    snprintf(value->buf, sizeof value->buf, "%.4g", per_s);
    relation_set_text(value, str_of(value->buf));
}

static void set_p(bool texts, double probability, struct relation_value *value) {
    if (!texts) {
        relation_set_real(value, probability);
        return;
    }
    if (probability < 0.0001)
        snprintf(value->buf, sizeof value->buf, "< 0.0001");
    else
        snprintf(value->buf, sizeof value->buf, "%.4f", probability);
    relation_set_text(value, str_of(value->buf));
}

static void get_number(const struct between_row *row, enum between_column column, bool texts,
                       struct relation_value *value) {
    const struct cell *cell = &cells[column];
    bool duration = cell->number == BETWEEN_P50 || cell->number == BETWEEN_P99;
    bool timed = cell->number == BETWEEN_TOTAL && row->like->kind == SLICE_ITER_INSTANTS; /* of no length */
    double change;
    if (cell->side < BETWEEN_SIDES) {
        if (row->has[cell->side] && cell->number == BETWEEN_RATE)
            set_rate(texts, row->values[BETWEEN_RATE][cell->side] * 1e9, value);
        else if (row->has[cell->side] && !timed && (!duration || row->ended[cell->side] > 0))
            relation_set_integer(value, sum_clamped(round(row->values[cell->number][cell->side])));
    } else if (between_change(row, cell->number, &change)) {
        set_change(texts, change, value);
    }
}

void between_relation_get(const struct between *between, uint64_t at, enum between_column column, bool texts,
                 struct relation_value *value) {
    const struct between_row *row = &between->v.v[at];
    if (column == COMPARED_NAME)
        relation_set_text(value, (struct str){row->like->name, row->like->n});
    else if (column == COMPARED_KIND)
        relation_set_text(value, row->like->kind == SLICE_ITER_OPERATIONS ? STR("async")
                                 : row->like->kind == SLICE_ITER_SLICES   ? STR("slice")
                                                                          : STR("instant"));
    else if (column >= COMPARED_PROCESS && row->like->pool)
        relation_set_text(value, column == COMPARED_PROCESS
                                     ? (struct str){row->like->pool->process, row->like->pool->nprocess}
                                     : (struct str){row->like->pool->thread, row->like->pool->nthread});
    else if (column == COMPARED_VERDICT)
        relation_set_text(value, str_of(between_word(row->verdict)));
    else if (column == COMPARED_CONTAINS && row->because != BETWEEN_NO_ROW)
        relation_set_text(
            value, (struct str){between->v.v[row->because].like->name, between->v.v[row->because].like->n});
    else if (column == COMPARED_P && row->tested)
        set_p(texts, row->p, value);
    else if (column >= COMPARED_COUNT_A && column <= COMPARED_P99_BY)
        get_number(row, column, texts, value);
}
