/* assertion.c - one assertion on a trace.
 *
 * A comparison is asked as WITH sides AS (SELECT left, right), so that both sides are worked out
 * once. An expression is split only if the comparison is the operator that binds last; operators of
 * words, and COLLATE, keep it whole. */
#include "sql/modes/assertion.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sql/rewrite/rewrite.h"

static bool is_one_of(struct str word, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == word.n && strncasecmp(*words, word.s, word.n) == 0)
            return true;
    return false;
}

/* The bytes of the operator at the front; *compares: it is a comparison. */
static size_t operator_of(struct str s, bool *compares) {
    static const char *const longer[] = {"<=", ">=", "==", "!=",  "<>",
                                         "<<", ">>", "||", "->>", "->"};
    *compares = *s.s == '<' || *s.s == '>' || *s.s == '=';
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        size_t n = strlen(longer[i]);
        if (s.n >= n && memcmp(s.s, longer[i], n) == 0) {
            *compares = i < 5;
            return n;
        }
    }
    return 1;
}

bool assertion_split(struct str s, struct assertion_split *split) {
    static const char *const binding[] = {
        "and",   "or",   "not",    "between", "case",    "is",     "in",      "like",
        "match", "glob", "regexp", "isnull",  "notnull", "escape", "collate", NULL};
    int depth = 0, found = 0;
    for (size_t at = 0, n; at < s.n; at += n) {
        struct rewrite_token t = rewrite_token(s, at);
        struct str rest = {s.s + at, s.n - at};
        bool compares = false;
        n = t.n;
        if (t.kind == REWRITE_WORD && depth == 0 && is_one_of((struct str){rest.s, n}, binding))
            return false;
        if (t.kind != REWRITE_OTHER)
            continue;
        n = operator_of(rest, &compares);
        depth += (*rest.s == '(') - (*rest.s == ')');
        if (depth < 0 || *rest.s == ';' || (depth == 0 && *rest.s == ','))
            return false;
        if (depth > 0 || !compares)
            continue;
        if (++found > 1)
            return false;
        *split = (struct assertion_split){{s.s, at}, {rest.s, n}, {rest.s + n, s.n - at - n}};
    }
    return found == 1 && depth == 0;
}

/* Whether the text names durations: ms(5), dur, dur_p99('x'). */
static bool names_durations(struct str s) {
    static const char *const units[] = {"ms", "us", "s", NULL};
    for (struct rewrite_token t = rewrite_token(s, 0); t.kind != REWRITE_END;
         t = rewrite_token(s, t.at + t.n)) {
        struct str word = {s.s + t.at, t.n};
        bool called = t.at + t.n < s.n && s.s[t.at + t.n] == '(';
        if (t.kind != REWRITE_WORD)
            continue;
        if (t.n >= 3 && strncasecmp(word.s, "dur", 3) == 0 &&
            (t.n < 9 || strncasecmp(word.s, "dur_count", 9) != 0))
            return true;
        if (called && is_one_of(word, units))
            return true;
    }
    return false;
}

static bool is_statement(struct str s) {
    static const char *const begins[] = {"select", "with",   "include", "create",
                                         "drop",   "values", NULL};
    return is_one_of((struct str){s.s, rewrite_token(s, 0).n}, begins);
}

/* ---- asking ---- */

struct asked { /* the text that is run, and where pieces of the expression are in it */
    struct chars sql;
    struct {
        size_t at, from, n;
    } pieces[2];
    int n;
};

static void add_piece(struct asked *a, struct str whole, struct str piece) {
    a->pieces[a->n].at = a->sql.n;
    a->pieces[a->n].from = (size_t)(piece.s - whole.s);
    a->pieces[a->n++].n = piece.n;
    chars_add(&a->sql, piece);
}

static void fail(struct assertion *r, const struct asked *a, const struct err *err) {
    size_t n = (size_t)snprintf(r->why, sizeof r->why, "%s", err->text);
    r->verdict = ASSERTION_ERROR;
    for (int i = 0; i < a->n && err->at != ERR_NO_OFFSET; i++)
        if (err->at >= a->pieces[i].at && err->at <= a->pieces[i].at + a->pieces[i].n) {
            snprintf(r->why + n, sizeof r->why - n, " (at byte %" PRIu64 ")",
                     err->at - a->pieces[i].at + a->pieces[i].from);
            return;
        }
}

static void take_side(struct assertion_side *side, const struct query_cell *cell) {
    side->type = cell->type;
    side->integer = cell->integer;
    side->real = cell->real;
    chars_add(&side->text, cell->type == QUERY_TEXT ? cell->text : STR(""));
}

static void judge(struct assertion *r, struct query *query) {
    struct query_cell cell = query_cell(query, 0);
    bool number = cell.type == QUERY_INTEGER || cell.type == QUERY_REAL;
    bool holds = cell.type == QUERY_INTEGER ? cell.integer != 0 : number && cell.real != 0;
    r->verdict = holds ? ASSERTION_OK : ASSERTION_FAILED;
    for (int side = 0; side < 2 && r->compared; side++) {
        struct query_cell own = query_cell(query, 1 + side);
        take_side(&r->sides[side], &own);
    }
    if (cell.type == QUERY_NULL)
        snprintf(r->why, sizeof r->why, "no value: NULL");
    else if (!number) {
        r->verdict = ASSERTION_ERROR;
        snprintf(r->why, sizeof r->why,
                 "its value is a text: an assertion wants a number, e.g. a comparison");
    }
}

static void run(struct assertion *r, struct query *query, const struct asked *a) {
    struct err err;
    enum query_state state = QUERY_FAILED;
    if (query_begin(query, (struct str){a->sql.v, a->sql.n}, &err))
        state = query_step(query, &err);
    if (state == QUERY_FAILED) {
        fail(r, a, &err);
        return;
    }
    if (query_columns(query) != (r->compared ? 3 : 1)) {
        r->verdict = ASSERTION_ERROR;
        snprintf(r->why, sizeof r->why, "it has %d columns: an assertion wants one value",
                 query_columns(query));
        return;
    }
    r->verdict = ASSERTION_FAILED;
    if (state == QUERY_ROW)
        judge(r, query);
    else
        snprintf(r->why, sizeof r->why, "no value: no row");
    if (state == QUERY_ROW && (state = query_step(query, &err)) == QUERY_ROW) {
        r->verdict = ASSERTION_ERROR;
        snprintf(r->why, sizeof r->why, "it has several rows: an assertion wants one value");
    } else if (state == QUERY_FAILED) {
        fail(r, a, &err);
    }
}

/* An assertion over a name with a damaged slice cannot be sure, nor one over a name whose longest
 * slice has no end. */
static void doubt(struct assertion *r, struct query *query, bool ascii) {
    char said[120];
    struct left_out n = query_left_out(query);
    struct unended open = {.names = 0};
    if (r->verdict != ASSERTION_ERROR)
        open = query_unended(query);
    if (open.names > 0 && !open.unsure)
        unended_text(&open, ascii, r->note);
    if ((!left_out_any(n) && !open.unsure) || r->verdict == ASSERTION_ERROR)
        return;
    r->verdict = ASSERTION_FAILED;
    if (left_out_any(n))
        snprintf(r->why, sizeof r->why, "%s", slice_iter_left_out_text(n, said));
    else
        unended_text(&open, ascii, r->why);
}

void assertion_ask(struct assertion *r, struct query *query, const char *expression, bool ascii) {
    struct str all = str_of(expression), s = all;
    struct assertion_split split;
    struct asked a = {.n = 0};
    size_t blank = rewrite_blank(s.s, s.n);
    *r = (struct assertion){.verdict = ASSERTION_ERROR};
    query_left_out(query);
    s = (struct str){s.s + blank, s.n - blank};
    r->durations = names_durations(s);
    if (is_statement(s)) {
        add_piece(&a, all, s);
    } else if (assertion_split(s, &split)) {
        r->compared = true;
        chars_text(&a.sql, "WITH sides(l, r) AS MATERIALIZED (SELECT (\n");
        add_piece(&a, all, split.left);
        chars_text(&a.sql, "\n), (\n");
        add_piece(&a, all, split.right);
        chars_text(&a.sql, "\n)) SELECT l ");
        chars_add(&a.sql, split.op);
        chars_text(&a.sql, " r, l, r FROM sides");
    } else {
        chars_text(&a.sql, "SELECT (\n");
        add_piece(&a, all, s);
        chars_text(&a.sql, "\n)");
    }
    run(r, query, &a);
    doubt(r, query, ascii);
    if (r->verdict == ASSERTION_ERROR)
        r->compared = false;
    vec_free(&a.sql);
}

void assertion_free(struct assertion *r) {
    vec_free(&r->sides[0].text);
    vec_free(&r->sides[1].text);
}
