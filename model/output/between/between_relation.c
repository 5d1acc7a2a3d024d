/* between_relation.c - the rows of a comparison of traces as a relation.
 *
 * Changes are parts of A: +10.0% for a reader, 0.1 for programs. */
#include "model/output/between/between_relation.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/text.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"

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
    [COMPARED_COUNT_A] = {BETWEEN_COUNT, BETWEEN_A},
    [COMPARED_COUNT_B] = {BETWEEN_COUNT, BETWEEN_B},
    [COMPARED_RATE_A] = {BETWEEN_RATE, BETWEEN_A},
    [COMPARED_RATE_B] = {BETWEEN_RATE, BETWEEN_B},
    [COMPARED_RATE_BY] = {BETWEEN_RATE, BETWEEN_SIDES},
    [COMPARED_TOTAL_A] = {BETWEEN_TOTAL, BETWEEN_A},
    [COMPARED_TOTAL_B] = {BETWEEN_TOTAL, BETWEEN_B},
    [COMPARED_TOTAL_BY] = {BETWEEN_TOTAL, BETWEEN_SIDES},
    [COMPARED_P50_A] = {BETWEEN_P50, BETWEEN_A},
    [COMPARED_P50_B] = {BETWEEN_P50, BETWEEN_B},
    [COMPARED_P50_BY] = {BETWEEN_P50, BETWEEN_SIDES},
    [COMPARED_P99_A] = {BETWEEN_P99, BETWEEN_A},
    [COMPARED_P99_B] = {BETWEEN_P99, BETWEEN_B},
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

const char *between_relation_p(double probability, char buf[16]) {
    if (probability < 0.0001)
        snprintf(buf, 16, "< 0.0001");
    else
        snprintf(buf, 16, "%.4f", probability);
    return buf;
}

static void set_p(bool texts, double probability, struct relation_value *value) {
    if (!texts) {
        relation_set_real(value, probability);
        return;
    }
    relation_set_text(value, str_of(between_relation_p(probability, value->buf)));
}

static void get_number(const struct between_row *row, enum between_column column, bool texts,
                       struct relation_value *value) {
    const struct cell *cell = &cells[column];
    bool duration = cell->number == BETWEEN_P50 || cell->number == BETWEEN_P99;
    /* of no length */
    bool timed = cell->number == BETWEEN_TOTAL && row->like->kind == SLICE_ITER_INSTANTS;
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

static struct str kind_of(const struct between_row *row) {
    switch (row->like->kind) {
    case SLICE_ITER_OPERATIONS:
        return STR("async");
    case SLICE_ITER_SLICES:
        return STR("slice");
    default:
        return STR("instant");
    }
}

/* A name of one side alone is not the same, also if it has too little time to count as a change. */
static void set_verdict(const struct between_row *row, bool texts, struct relation_value *value) {
    bool both = row->has[BETWEEN_A] && row->has[BETWEEN_B];
    if (row->verdict == BETWEEN_SAME && !both)
        relation_set_text(value, row->has[BETWEEN_B] ? STR("new, short") : STR("gone, short"));
    else if (texts)
        relation_set_text(value, str_of(between_said(row, value->buf)));
    else
        relation_set_text(value, str_of(between_word(row->verdict)));
}

void between_relation_get(const struct between *between, uint64_t at, enum between_column column,
                          bool texts, struct relation_value *value) {
    const struct between_row *row = &between->v.v[at];
    if (column == COMPARED_NAME)
        relation_set_text(value, (struct str){row->like->name, row->like->n});
    else if (column == COMPARED_KIND)
        relation_set_text(value, kind_of(row));
    else if (column >= COMPARED_PROCESS && row->like->pool)
        relation_set_text(value,
                          column == COMPARED_PROCESS
                              ? (struct str){row->like->pool->process, row->like->pool->nprocess}
                              : (struct str){row->like->pool->thread, row->like->pool->nthread});
    else if (column == COMPARED_VERDICT)
        set_verdict(row, texts, value);
    else if (column == COMPARED_CONTAINS && row->because != BETWEEN_NO_ROW)
        relation_set_text(value, (struct str){between->v.v[row->because].like->name,
                                              between->v.v[row->because].like->n});
    else if (column == COMPARED_P && row->tested)
        set_p(texts, row->p, value);
    else if (column >= COMPARED_COUNT_A && column <= COMPARED_P99_BY)
        get_number(row, column, texts, value);
}

/* ---- reasons ---- */

static void add_name(const struct between_row *row, bool ascii, struct chars *out) {
    char *safe = text_dup((struct str){row->like->name, row->like->n},
                          TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
    chars_text(out, safe);
    free(safe);
}

static void add_by(const struct between_row *row, enum between_number number, bool ascii,
                   struct chars *out) {
    char ns[32];
    double by = between_by(row, number);
    units_duration_short(sum_clamped(round(fabs(by))), ascii, ns);
    chars_format(out, " %s%s", by < 0 ? "-" : "+", ns);
}

/* " (6 calls)", " (6 calls, new)", " (12 calls, 6 in A)" */
static void add_calls(const struct between_row *row, struct chars *out) {
    char n[32], before[32];
    uint64_t calls[BETWEEN_SIDES];
    for (int side = 0; side < BETWEEN_SIDES; side++)
        calls[side] = (uint64_t)llround(row->values[BETWEEN_COUNT][side]);
    uint64_t of = row->has[BETWEEN_B] ? calls[BETWEEN_B] : calls[BETWEEN_A];
    chars_format(out, " (%s call%s", units_count(of, false, n), of == 1 ? "" : "s");
    if (!row->has[BETWEEN_A] || !row->has[BETWEEN_B])
        chars_text(out, row->has[BETWEEN_A] ? ", gone" : ", new");
    else if (calls[BETWEEN_A] != calls[BETWEEN_B])
        chars_format(out, ", %s in A", units_count(calls[BETWEEN_A], false, before));
    chars_put(out, ')');
}

bool between_relation_reason(const struct between *b, const struct between_row *row, bool ascii,
                             struct chars *out) {
    const struct between_row *part = row->because == BETWEEN_NO_ROW ? row : &b->v.v[row->because];
    char longest[BETWEEN_SIDES][32];
    bool by_longest = part == row && row->decided == BETWEEN_LONGEST;
    add_name(row, ascii, out);
    /* the median of the totals may not have changed by it */
    if (!by_longest || !between_of_runs(b))
        add_by(row, BETWEEN_TOTAL, ascii, out);
    if (part == row && row->verdict < BETWEEN_FEW) { /* nothing made a change that there is not */
        add_calls(row, out);
        return false;
    }
    chars_text(out, ":");
    if (by_longest) {
        for (int side = 0; side < BETWEEN_SIDES; side++)
            units_duration_short(sum_clamped(row->values[BETWEEN_LONGEST][side]), ascii,
                                 longest[side]);
        chars_format(out, " its longest %s, %s in A", longest[BETWEEN_B], longest[BETWEEN_A]);
        return true;
    }
    chars_text(out, part == row ? " its own time" : " ");
    if (part != row)
        add_name(part, ascii, out);
    add_by(part, BETWEEN_SELF, ascii, out);
    add_calls(part, out);
    return part != row;
}
