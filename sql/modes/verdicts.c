/* verdicts.c - the answers to --assert for one trace.
 *
 * A reader gets durations with their unit; programs get numbers as SQLite has them. */
#include "sql/modes/verdicts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/relation.h"
#include "model/output/test_report.h"
#include "sql/modes/assertion.h"
#include "src/base/text.h"
#include "src/base/units.h"

enum { TRACE, RESULT, ASSERTION, LEFT, RIGHT, MESSAGE, COLUMNS };

struct verdicts {
    const struct verdicts_style *style;
    const char *const *expressions;
    VEC(struct assertion) v;
};

static const char *const results[] = {
    [ASSERTION_OK] = "ok", [ASSERTION_FAILED] = "FAILED", [ASSERTION_ERROR] = "ERROR"};

static bool is_for_reader(const struct verdicts_style *style) {
    return style->format == FORMAT_TABLE || style->format == FORMAT_MARKDOWN;
}

/* A number of ns as a duration; false: it is none. */
static bool duration(const struct assertion *a, const struct assertion_side *side, bool ascii,
                     char buf[32]) {
    double ns = side->type == QUERY_INTEGER ? (double)side->integer : side->real;
    if (!a->durations || side->type > QUERY_REAL || side->type == QUERY_NULL || !(fabs(ns) < 9e18))
        return false;
    units_duration_short(side->type == QUERY_INTEGER ? side->integer : llround(ns), ascii, buf);
    return true;
}

static void get_side(const struct verdicts *v, const struct assertion *a,
                     const struct assertion_side *side, struct relation_value *value) {
    char buf[32];
    if (!a->compared || side->type == QUERY_NULL)
        return;
    if (is_for_reader(v->style) && duration(a, side, v->style->ascii, buf)) {
        snprintf(value->buf, sizeof value->buf, "%s", buf);
        relation_set_text(value, str_of(value->buf));
    } else if (side->type == QUERY_INTEGER) {
        relation_set_integer(value, side->integer);
    } else if (side->type == QUERY_REAL) {
        relation_set_real(value, side->real);
    } else {
        relation_set_text(value, (struct str){side->text.v, side->text.n});
    }
}

static uint64_t rows(void *ctx) {
    return ((const struct verdicts *)ctx)->v.n;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct verdicts *v = ctx;
    const struct assertion *a = &v->v.v[row.row];
    if (column == TRACE)
        relation_set_text(value, str_of(v->style->trace));
    else if (column == RESULT)
        relation_set_text(value, str_of(results[a->verdict]));
    else if (column == ASSERTION)
        relation_set_text(value, str_of(v->expressions[row.row]));
    else if (column == MESSAGE && a->why[0])
        relation_set_text(value, str_of(a->why));
    else if (column == LEFT || column == RIGHT)
        get_side(v, a, &a->sides[column - LEFT], value);
}

static const struct relation_column columns[COLUMNS] = {
    [TRACE] = {"trace", "trace", RELATION_TEXT, RELATION_NONE, false},
    [RESULT] = {"result", "result", RELATION_TEXT, RELATION_NONE, false},
    [ASSERTION] = {"assertion", "assertion", RELATION_TEXT, RELATION_NONE, true},
    [LEFT] = {"left", "left", RELATION_INTEGER, RELATION_NONE, false},
    [RIGHT] = {"right", "right", RELATION_INTEGER, RELATION_NONE, false},
    [MESSAGE] = {"message", "message", RELATION_TEXT, RELATION_NONE, false},
};
static const struct relation relation = {"verdict", columns, COLUMNS, true, rows, get};

/* ---- lines ---- */

static void put_text(FILE *out, struct str s, bool ascii) {
    char *safe = text_dup(s, TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
    fputs(safe, out);
    free(safe);
}

static void put_side(const struct verdicts *v, const struct assertion *a, int side, FILE *out) {
    char buf[32];
    const struct assertion_side *s = &a->sides[side];
    fputs(side == 0 ? "left " : ", right ", out);
    if (duration(a, s, v->style->ascii, buf))
        fputs(buf, out);
    else if (s->type == QUERY_INTEGER)
        fprintf(out, "%" PRId64, s->integer);
    else if (s->type == QUERY_REAL)
        fprintf(out, "%.10g", s->real);
    else if (s->type == QUERY_NULL)
        fputs("NULL", out);
    else
        put_text(out, (struct str){s->text.v, s->text.n}, v->style->ascii);
}

static void put_line(const struct verdicts *v, size_t i, FILE *out) {
    const struct assertion *a = &v->v.v[i];
    fprintf(out, "%-6s ", results[a->verdict]);
    put_text(out, str_of(v->style->trace), v->style->ascii);
    fputs(": ", out);
    put_text(out, str_of(v->expressions[i]), v->style->ascii);
    if (a->compared)
        fputs("   ", out);
    for (int side = 0; side < 2 && a->compared; side++)
        put_side(v, a, side, out);
    if (a->why[0])
        fprintf(out, "   %s", a->why);
    putc('\n', out);
}

/* ---- a report of tests ---- */

/* "left 7 ms, right 5 ms: why", which the caller frees. */
static char *message_of(const struct verdicts *v, const struct assertion *a) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL)
        return text_dup(str_of(a->why), 0);
    for (int side = 0; side < 2 && a->compared; side++)
        put_side(v, a, side, out);
    fprintf(out, "%s%s", a->compared && a->why[0] ? ": " : "", a->why);
    fclose(out);
    return text;
}

static void report(const struct verdicts *v, FILE *out) {
    static const enum test_report_result of[] = {
        [ASSERTION_OK] = TEST_OK, [ASSERTION_FAILED] = TEST_FAILED, [ASSERTION_ERROR] = TEST_ERROR};
    VEC(struct test_case) cases = {0};
    for (size_t i = 0; i < v->v.n; i++)
        vec_push(&cases, ((struct test_case){v->expressions[i], message_of(v, &v->v.v[i]),
                                             of[v->v.v[i].verdict]}));
    test_report_print(v->style->format, "fxtop assert", v->style->trace, cases.v, cases.n, out);
    for (size_t i = 0; i < cases.n; i++)
        free((char *)(uintptr_t)cases.v[i].message);
    vec_free(&cases);
}

/* Prints the note of an assertion, unless an earlier one has it. */
static void note(const struct verdicts *v, const struct assertion *a) {
    struct err err;
    for (size_t i = 0; i < v->v.n; i++)
        if (strcmp(v->v.v[i].note, a->note) == 0)
            return;
    err_set(&err, ERR_NO_OFFSET, "%s", a->note);
    if (a->note[0])
        text_complain(v->style->trace, "note: ", v->style->ascii, &err);
}

/* The reason is on standard error as well: what -o names stays as it was then. */
static void complain(const struct verdicts *v, const char *expression, const struct assertion *a) {
    struct err err;
    err_set(&err, ERR_NO_OFFSET, "%s: %s", expression, a->why);
    text_complain(v->style->trace, "", v->style->ascii, &err);
}

int verdicts_print(struct query *query, const char *const *expressions, int n,
                   const struct verdicts_style *style, FILE *out) {
    struct verdicts v = {.style = style, .expressions = expressions};
    struct relation_style plain = {.ascii = style->ascii};
    enum assertion_verdict worst = ASSERTION_OK;
    for (int i = 0; i < n; i++) {
        struct assertion a;
        assertion_ask(&a, query, expressions[i], style->ascii);
        note(&v, &a);
        if (a.verdict == ASSERTION_ERROR)
            complain(&v, expressions[i], &a);
        worst = a.verdict > worst ? a.verdict : worst;
        vec_push(&v.v, a);
    }
    if (style->format == FORMAT_CSV)
        relation_csv(&relation, &v, out, NULL, 0);
    else if (style->format == FORMAT_NDJSON)
        relation_ndjson(&relation, &v, out, &plain);
    else if (style->format == FORMAT_MARKDOWN)
        relation_markdown(&relation, &v, out, &plain);
    else if (test_report_is(style->format))
        report(&v, out);
    else
        for (size_t i = 0; i < v.v.n; i++)
            put_line(&v, i, out);
    for (size_t i = 0; i < v.v.n; i++)
        assertion_free(&v.v.v[i]);
    vec_free(&v.v);
    return (int)worst;
}
