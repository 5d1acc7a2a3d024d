/* between_print.c - the names that changed between traces.
 *
 * Changes are parts of A: +10.0% for a reader, 0.1 for programs. A line sums up for a reader: above the table in
 * Markdown, so that it is the first line of a comment, else below it. */
#include "model/output/between/between_print.h"

#include <math.h>
#include <stdlib.h>

#include "model/output/relation.h"
#include "src/base/text.h"
#include "src/base/units.h"

enum {
    NAME,
    KIND,
    COUNT_A,
    COUNT_B,
    TOTAL_A,
    TOTAL_B,
    TOTAL_BY,
    P50_A,
    P50_B,
    P50_BY,
    P99_A,
    P99_B,
    P99_BY,
    P,
    VERDICT,
    CONTAINS,
    COLUMNS
};

static const struct relation_column columns[COLUMNS] = {
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [KIND] = {"kind", NULL, RELATION_TEXT, RELATION_NONE, false},
    [COUNT_A] = {"count_a", "count A", RELATION_INTEGER, RELATION_COUNT, false},
    [COUNT_B] = {"count_b", "count B", RELATION_INTEGER, RELATION_COUNT, false},
    [TOTAL_A] = {"total_a_ns", "total A", RELATION_INTEGER, RELATION_DURATION, false},
    [TOTAL_B] = {"total_b_ns", "total B", RELATION_INTEGER, RELATION_DURATION, false},
    [TOTAL_BY] = {"total_change", "change", RELATION_REAL, RELATION_NONE, false},
    [P50_A] = {"p50_a_ns", "p50 A", RELATION_INTEGER, RELATION_DURATION, false},
    [P50_B] = {"p50_b_ns", "p50 B", RELATION_INTEGER, RELATION_DURATION, false},
    [P50_BY] = {"p50_change", "change", RELATION_REAL, RELATION_NONE, false},
    [P99_A] = {"p99_a_ns", "p99 A", RELATION_INTEGER, RELATION_DURATION, false},
    [P99_B] = {"p99_b_ns", "p99 B", RELATION_INTEGER, RELATION_DURATION, false},
    [P99_BY] = {"p99_change", "change", RELATION_REAL, RELATION_NONE, false},
    [P] = {"p", "p", RELATION_REAL, RELATION_NONE, false},
    [VERDICT] = {"verdict", "verdict", RELATION_TEXT, RELATION_NONE, false},
    [CONTAINS] = {"contains", "contains", RELATION_TEXT, RELATION_NONE, false},
};

static const struct cell {
    enum between_number number;
    int side; /* BETWEEN_SIDES: the change */
} cells[COLUMNS] = {
    [COUNT_A] = {BETWEEN_COUNT, BETWEEN_A},      [COUNT_B] = {BETWEEN_COUNT, BETWEEN_B},
    [TOTAL_A] = {BETWEEN_TOTAL, BETWEEN_A},      [TOTAL_B] = {BETWEEN_TOTAL, BETWEEN_B},
    [TOTAL_BY] = {BETWEEN_TOTAL, BETWEEN_SIDES}, [P50_A] = {BETWEEN_P50, BETWEEN_A},
    [P50_B] = {BETWEEN_P50, BETWEEN_B},          [P50_BY] = {BETWEEN_P50, BETWEEN_SIDES},
    [P99_A] = {BETWEEN_P99, BETWEEN_A},          [P99_B] = {BETWEEN_P99, BETWEEN_B},
    [P99_BY] = {BETWEEN_P99, BETWEEN_SIDES},
};

struct printed {
    const struct between *between;
    const struct between_style *style;
};

static bool is_for_reader(const struct between_style *style) {
    return style->format == FORMAT_TABLE || style->format == FORMAT_MARKDOWN;
}

static uint64_t rows(void *ctx) {
    return ((const struct printed *)ctx)->between->v.n;
}

static void set_change(const struct printed *p, double change, struct relation_value *value) {
    if (!is_for_reader(p->style)) {
        relation_set_real(value, change);
        return;
    }
    if (fabs(change) < 0.0005)
        snprintf(value->buf, sizeof value->buf, "0.0%%");
    else
        snprintf(value->buf, sizeof value->buf, "%+.1f%%", change * 100);
    relation_set_text(value, str_of(value->buf));
}

static void set_p(const struct printed *p, double probability, struct relation_value *value) {
    if (!is_for_reader(p->style)) {
        relation_set_real(value, probability);
        return;
    }
    if (probability < 0.0001)
        snprintf(value->buf, sizeof value->buf, "< 0.0001");
    else
        snprintf(value->buf, sizeof value->buf, "%.4f", probability);
    relation_set_text(value, str_of(value->buf));
}

static void get_number(const struct printed *p, const struct between_row *row, int column,
                       struct relation_value *value) {
    const struct cell *cell = &cells[column];
    bool duration = cell->number == BETWEEN_P50 || cell->number == BETWEEN_P99;
    double change;
    if (cell->side < BETWEEN_SIDES) {
        if (row->has[cell->side] && (!duration || row->ended[cell->side] > 0))
            relation_set_integer(value, llround(row->values[cell->number][cell->side]));
    } else if (between_change(row, cell->number, &change)) {
        set_change(p, change, value);
    }
}

static void get(void *ctx, struct relation_row at, int column, struct relation_value *value) {
    const struct printed *p = ctx;
    const struct between_row *row = &p->between->v.v[at.row];
    if (column == NAME)
        relation_set_text(value, (struct str){row->like->name, row->like->n});
    else if (column == KIND)
        relation_set_text(value, row->like->operations ? STR("async") : STR("slice"));
    else if (column == VERDICT)
        relation_set_text(value, str_of(between_word(row->verdict)));
    else if (column == CONTAINS && row->because != BETWEEN_NO_ROW)
        relation_set_text(
            value, (struct str){p->between->v.v[row->because].like->name, p->between->v.v[row->because].like->n});
    else if (column == P && row->tested)
        set_p(p, row->p, value);
    else if (column >= COUNT_A && column <= P99_BY)
        get_number(p, row, column, value);
}

static const struct relation relation = {"compared", columns, COLUMNS, true, rows, get};

static bool row_at(void *ctx, uint64_t at, struct relation_row *row) {
    const struct printed *p = ctx;
    *row = (struct relation_row){at, RELATION_NO_ROW};
    return p->style->all || p->between->v.v[at].verdict > BETWEEN_FEW;
}

/* "2 changed of 420 names: 1 slower, 1 new". */
static void sum_up(const struct between *b, bool bold, FILE *out) {
    size_t changed = 0;
    char text[32];
    for (int verdict = BETWEEN_FEW + 1; verdict < BETWEEN_VERDICTS; verdict++)
        changed += b->counts[verdict];
    fprintf(out, "%s%zu changed of %s name%s", bold ? "**" : "", changed, units_count(b->v.n, false, text),
            b->v.n == 1 ? "" : "s");
    const char *before = ": ";
    for (int verdict = BETWEEN_VERDICTS - 1; verdict >= BETWEEN_FEW; verdict--)
        if (b->counts[verdict] > 0) {
            fprintf(out, verdict == BETWEEN_FEW ? "%s%zu with too few slices or runs to be sure" : "%s%zu %s", before,
                    b->counts[verdict], between_word((enum between_verdict)verdict));
            before = ", ";
        }
    fputs(bold ? "**\n" : "\n", out);
}

static void name_sides(const struct between *b, const struct between_style *style, FILE *out) {
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        char *safe = text_dup(str_of(style->sides[side]), TEXT_TRACK | (style->ascii ? TEXT_ASCII : 0));
        char span[32];
        fprintf(out, "%c: ", "AB"[side]);
        if (style->format == FORMAT_MARKDOWN)
            relation_markdown_text(safe, out);
        else
            fputs(safe, out);
        if (b->runs[side].n > 1)
            fprintf(out, " (%zu runs)", b->runs[side].n);
        else
            fprintf(out, " (%s)", units_duration(b->runs[side].v[0].span, style->ascii, span));
        fputs(side == BETWEEN_A ? ", " : "\n", out);
        free(safe);
    }
}

void between_print(const struct between *b, const struct between_style *style, FILE *out) {
    struct printed p = {b, style};
    struct relation_order order = {b->v.n, row_at, &p};
    struct relation_style plain = {.order = &order, .ascii = style->ascii};
    bool rows_follow = style->all ? b->v.n > 0 : b->v.n > b->counts[BETWEEN_SAME] + b->counts[BETWEEN_FEW];
    switch (style->format) {
    case FORMAT_CSV:
        relation_csv(&relation, &p, out, &order, 0);
        break;
    case FORMAT_NDJSON:
        relation_ndjson(&relation, &p, out, &plain);
        break;
    case FORMAT_MARKDOWN:
        sum_up(b, true, out);
        putc('\n', out);
        name_sides(b, style, out);
        if (rows_follow)
            putc('\n', out);
        if (rows_follow)
            relation_markdown(&relation, &p, out, &plain);
        break;
    default:
        name_sides(b, style, out);
        if (rows_follow)
            relation_aligned(&relation, &p, out, &plain);
        sum_up(b, false, out);
    }
}
