/* between_print.c - the names that changed between traces.
 *
 * Rows are those of between_relation.h. A line sums up for a reader: above the table in
 * Markdown, so that it is the first line of a comment, else below it. */
#include "model/output/between/between_print.h"

#include <stdlib.h>

#include "model/output/between/between_relation.h"
#include "src/base/text.h"
#include "src/base/units.h"

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

/* By thread its process and its own name are before the others. */
static enum between_column column_at(const struct between_style *style, int place) {
    if (!style->by_thread)
        return (enum between_column)place;
    static const enum between_column first[] = {COMPARED_PROCESS, COMPARED_THREAD};
    return place < 2 ? first[place] : (enum between_column)(place - 2);
}

static void get(void *ctx, struct relation_row at, int place, struct relation_value *value) {
    const struct printed *p = ctx;
    between_relation_get(p->between, at.row, column_at(p->style, place), is_for_reader(p->style),
                         value);
}

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
    fprintf(out, "%s%zu changed of %s name%s", bold ? "**" : "", changed,
            units_count(b->v.n, false, text), b->v.n == 1 ? "" : "s");
    const char *before = ": ";
    for (int verdict = BETWEEN_VERDICTS - 1; verdict >= BETWEEN_FEW; verdict--)
        if (b->counts[verdict] > 0) {
            fprintf(out,
                    verdict == BETWEEN_FEW ? "%s%zu with too few slices or runs to be sure"
                                           : "%s%zu %s",
                    before, b->counts[verdict], between_word((enum between_verdict)verdict));
            before = ", ";
        }
    fputs(bold ? "**\n" : "\n", out);
}

#define REASONS 10 /* names, the greatest change first */

/* A line for each of the names that contain the cause of their change, or owe it to one slice. */
static void print_reasons(const struct between *b, const struct between_style *style, FILE *out) {
    bool markdown = style->format == FORMAT_MARKDOWN;
    struct chars line = {.v = NULL};
    int said = 0;
    for (size_t i = 0; i < b->v.n && said < REASONS; i++) {
        bool reason = between_changed(&b->v.v[i]) &&
                      between_relation_reason(b, &b->v.v[i], style->ascii, &line);
        chars_put(&line, '\0');
        if (reason && markdown) {
            fputs(said == 0 ? "\n- " : "- ", out);
            relation_markdown_text(line.v, out);
        } else if (reason) {
            fputs(line.v, out);
        }
        if (reason)
            putc('\n', out);
        line.n = 0;
        said += reason;
    }
    vec_free(&line);
}

static void print_note(const char *note, bool escaped, const struct between_style *style,
                       FILE *out) {
    bool markdown = style->format == FORMAT_MARKDOWN;
    if (markdown)
        putc('\n', out);
    if (markdown && escaped)
        relation_markdown_text(note, out);
    else
        fputs(note, out);
    putc('\n', out);
}

static void name_sides(const struct between *b, const struct between_style *style, FILE *out) {
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        char *safe =
            text_dup(str_of(style->sides[side]), TEXT_TRACK | (style->ascii ? TEXT_ASCII : 0));
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
    char said[SLICE_ITER_OPEN_TEXT];
    const char *unsure = between_unsure(b, style->ascii, said);
    if (unsure)
        print_note(unsure, true, style, out);
    if (between_lengths(b))
        print_note(between_lengths(b), false, style, out);
}

void between_print(const struct between *b, const struct between_style *style, FILE *out) {
    struct printed p = {b, style};
    struct relation_column columns[COMPARED_COLUMNS];
    int n = style->by_thread ? COMPARED_COLUMNS : COMPARED_PROCESS;
    for (int place = 0; place < n; place++)
        columns[place] = between_relation_columns[column_at(style, place)];
    struct relation relation = {"compared", columns, n, true, rows, get};
    struct relation_order order = {b->v.n, row_at, &p};
    struct relation_style plain = {.order = &order, .ascii = style->ascii};
    size_t unchanged = b->counts[BETWEEN_SAME] + b->counts[BETWEEN_CHANCE] + b->counts[BETWEEN_FEW];
    bool rows_follow = style->all ? b->v.n > 0 : b->v.n > unchanged;
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
        print_reasons(b, style, out);
        break;
    default:
        name_sides(b, style, out);
        if (rows_follow)
            relation_aligned(&relation, &p, out, &plain);
        print_reasons(b, style, out);
        sum_up(b, false, out);
    }
}
