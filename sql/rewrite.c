/* rewrite.c - Perfetto's words in SQL become SQLite's.
 *
 * A tokenizer knows words, quotes, comments and parentheses, and nothing more. At the begin of a statement its first
 * words decide; elsewhere only `name!(` means something. The rest is copied in runs, so that each byte has
 * its place in the typed text. */
#include "sql/rewrite.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/text.h"

static const char *const modules[] = {
    "slices.with_context",  "slices.self_dur",   "slices.hierarchy",   "slices.flow",
    "slices.slices",        "slices.cpu_time",   "slices.time_in_state", "sched.states",
    "sched.time_in_state",  "counters.intervals", "time.conversion",    "intervals.overlap",
    "intervals.intersect",
    "prelude.slices",       "fxtop.all",
};

/* ---- tokens ---- */

static bool in_word(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c >= 0x80;
}

static size_t comment(const char *s, size_t n) {
    size_t i = 2;
    if (s[0] == '-') {
        while (i < n && s[i] != '\n')
            i++;
        return i;
    }
    while (i < n && !(s[i] == '*' && i + 1 < n && s[i + 1] == '/'))
        i++;
    return i + 2 < n ? i + 2 : n;
}

static size_t quoted(const char *s, size_t n) {
    char end = s[0] == '[' ? ']' : s[0];
    size_t i = 1;
    while (i < n && !(s[i] == end && !(end != ']' && i + 1 < n && s[i + 1] == end)))
        i += s[i] == end ? 2 : 1;
    return i < n ? i + 1 : n;
}

struct rewrite_token rewrite_token(struct str sql, size_t at) {
    const char *s = sql.s + at;
    size_t n = sql.n - at, i = 1;
    if (n == 0)
        return (struct rewrite_token){REWRITE_END, at, 0};
    if (strchr(" \t\n\f\r", s[0]))
        return (struct rewrite_token){REWRITE_BLANK, at, 1};
    if (n > 1 && ((s[0] == '-' && s[1] == '-') || (s[0] == '/' && s[1] == '*')))
        return (struct rewrite_token){REWRITE_BLANK, at, comment(s, n)};
    if (strchr("'\"`[", s[0]))
        return (struct rewrite_token){REWRITE_QUOTED, at, quoted(s, n)};
    if (!in_word((unsigned char)s[0]))
        return (struct rewrite_token){REWRITE_OTHER, at, 1};
    while (i < n && in_word((unsigned char)s[i]))
        i++;
    return (struct rewrite_token){REWRITE_WORD, at, i};
}

static struct rewrite_token next_token(struct str sql, size_t at) {
    struct rewrite_token t = rewrite_token(sql, at);
    while (t.kind == REWRITE_BLANK)
        t = rewrite_token(sql, t.at + t.n);
    return t;
}

size_t rewrite_blank(const char *s, size_t n) {
    struct str sql = {s, n};
    struct rewrite_token t = next_token(sql, 0);
    while (t.kind == REWRITE_OTHER && s[t.at] == ';')
        t = next_token(sql, t.at + 1);
    return t.at;
}

/* ---- the state of rewriting ---- */

#define CASTS 32 /* macros inside of each other */

struct state {
    struct rewrite *out;
    struct str sql;
    struct err *err;
    size_t at;     /* bytes of sql that are done */
    int depth;     /* of parentheses */
    struct {
        int depth;
        const char *type;
    } casts[CASTS];
    int ncasts;
    int nested; /* interval_intersect! inside of each other */
};

static bool is(const struct state *s, struct rewrite_token t, const char *word) {
    return t.kind == REWRITE_WORD && t.n == strlen(word) && strncasecmp(s->sql.s + t.at, word, t.n) == 0;
}

static bool is_char(const struct state *s, struct rewrite_token t, char c) {
    return t.kind == REWRITE_OTHER && s->sql.s[t.at] == c;
}

static struct rewrite_token after(const struct state *s, struct rewrite_token t) {
    return next_token(s->sql, t.at + t.n);
}

static void put(struct state *s, struct str text, size_t from, bool copied) {
    vec_push(&s->out->pieces, ((struct rewrite_piece){s->out->text.n, from, copied}));
    chars_add(&s->out->text, text);
}

static void copy(struct state *s, size_t to) {
    if (to > s->at)
        put(s, (struct str){s->sql.s + s->at, to - s->at}, s->at, true);
    s->at = to;
}

static void insert(struct state *s, const char *text) {
    put(s, str_of(text), s->at, false);
}

static bool refuse(struct state *s, struct rewrite_token t, const char *why) {
    return err_set(s->err, t.at, "%s", why);
}

/* The end of the statement: at its semicolon, or the end of the text. */
static size_t statement_end(const struct state *s, struct rewrite_token t) {
    while (t.kind != REWRITE_END && !is_char(s, t, ';'))
        t = after(s, t);
    return t.at;
}

/* The token after the parenthesis that closes the one at t. */
static struct rewrite_token after_list(const struct state *s, struct rewrite_token t) {
    int depth = 0;
    do {
        depth += is_char(s, t, '(') ? 1 : is_char(s, t, ')') ? -1 : 0;
        t = after(s, t);
    } while (depth > 0 && t.kind != REWRITE_END);
    return t;
}

static struct str between(const struct state *s, size_t from, size_t to) {
    return (struct str){s->sql.s + from, to - from};
}

/* ---- statements ---- */

bool rewrite_module_known(struct str name) {
    if (name.n > 4 && memcmp(name.s, "std.", 4) == 0)
        return true;
    if (name.n > 2 && memcmp(name.s + name.n - 2, ".*", 2) == 0)
        name.n--; /* slices. is the begin of some */
    for (size_t i = 0; i < sizeof modules / sizeof *modules && name.n > 0; i++) {
        size_t n = strlen(modules[i]);
        if (n >= name.n && memcmp(modules[i], name.s, name.n) == 0 && (n == name.n || name.s[name.n - 1] == '.'))
            return true;
    }
    return false;
}

static bool include(struct state *s, struct rewrite_token t) {
    struct rewrite_token name = after(s, after(s, after(s, t)));
    size_t end = statement_end(s, name), n = 0;
    char typed[100], list[400];
    while (n < sizeof typed - 1 && name.at + n < end && !strchr(" \t\r\n", s->sql.s[name.at + n]))
        n++;
    if (!rewrite_module_known(between(s, name.at, name.at + n))) {
        text_plain(typed, n + 1, between(s, name.at, name.at + n), 0);
        size_t used = 0;
        for (size_t i = 0; i < sizeof modules / sizeof *modules && used + 40 < sizeof list; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", modules[i]);
        return err_set(s->err, name.at, "INCLUDE: fxtop has no module %s; it has: %.*s", typed, 170, list);
    }
    s->at = end;
    return true;
}

/* name (arguments) RETURNS type AS body. */
static bool function(struct state *s, struct rewrite_token name) {
    struct rewrite_function f = {.name = between(s, name.at, name.at + name.n)};
    struct rewrite_token open = after(s, name), returns = is_char(s, open, '(') ? after_list(s, open) : open;
    if (name.kind != REWRITE_WORD || !is_char(s, open, '(') || !is(s, returns, "returns"))
        return refuse(s, name, "CREATE PERFETTO FUNCTION wants name(arguments) RETURNS type AS select");
    f.arguments = between(s, open.at, returns.at);
    struct rewrite_token type = after(s, returns), as = after(s, type);
    f.table = is(s, type, "table");
    if (is_char(s, as, '(')) /* of a table; or of a type as JOINID(slice.id) */
        as = after_list(s, as);
    f.returns = between(s, type.at, as.at);
    if (!is(s, as, "as"))
        return refuse(s, as, "CREATE PERFETTO FUNCTION wants AS and a select after its type");
    struct rewrite_token body = after(s, as);
    size_t end = statement_end(s, body);
    f.body = between(s, body.at, end);
    f.at = body.at;
    vec_push(&s->out->functions, f);
    s->at = end;
    return true;
}

/* After CREATE [OR REPLACE] PERFETTO. */
static bool perfetto(struct state *s, struct rewrite_token what, bool replace) {
    struct rewrite_token name = after(s, what), next = after(s, name);
    bool table = is(s, what, "table"), view = is(s, what, "view");
    if (is(s, what, "macro"))
        return refuse(s, what, "fxtop has no MACRO: write the query out");
    if (is(s, what, "function"))
        return function(s, name);
    if (is(s, what, "index")) {
        s->at = statement_end(s, what);
        return true;
    }
    if (!table && !view)
        return refuse(s, what, "CREATE PERFETTO wants TABLE, VIEW, FUNCTION or INDEX");
    char drop[200];
    snprintf(drop, sizeof drop, "DROP %s IF EXISTS temp.%.*s;", table ? "TABLE" : "VIEW",
             (int)(name.n < 120 ? name.n : 120), s->sql.s + name.at);
    if (replace)
        insert(s, drop);
    insert(s, table ? "CREATE TEMP TABLE " : "CREATE TEMP VIEW ");
    s->at = name.at;
    copy(s, name.at + name.n);
    if (is_char(s, next, '('))
        next = after_list(s, next);
    insert(s, " ");
    s->at = next.at;
    return true;
}

/* CREATE of something that is not temporary yet. */
static bool create(struct state *s, struct rewrite_token t) {
    struct rewrite_token what = after(s, t), next;
    bool replace = is(s, what, "or");
    if (replace)
        what = after(s, after(s, what));
    if (is(s, what, "perfetto"))
        return perfetto(s, after(s, what), replace);
    next = after(s, what);
    if (is(s, what, "table") || is(s, what, "view")) {
        copy(s, what.at);
        insert(s, "TEMP ");
        return true;
    }
    bool virtual = is(s, what, "virtual"), unique = is(s, what, "unique");
    if (!virtual && !unique && !is(s, what, "index"))
        return true;
    struct rewrite_token name = virtual || unique ? after(s, next) : next;
    if (is(s, name, "if"))
        name = after(s, after(s, after(s, name)));
    if (!is_char(s, after(s, name), '.')) {
        copy(s, name.at);
        insert(s, "temp.");
    }
    return true;
}

static bool drop(struct state *s, struct rewrite_token t) {
    struct rewrite_token word = after(s, t), what = after(s, word);
    if (!is(s, word, "perfetto"))
        return true;
    if (is(s, what, "index") || is(s, what, "function")) {
        s->at = statement_end(s, what);
        return true;
    }
    insert(s, "DROP ");
    s->at = what.at;
    return true;
}

static bool statement(struct state *s, struct rewrite_token t) {
    copy(s, t.at);
    if (is(s, t, "include") && is(s, after(s, t), "perfetto"))
        return include(s, t);
    if (is(s, t, "create"))
        return create(s, t);
    return !is(s, t, "drop") || drop(s, t);
}

/* ---- interval_intersect! ---- */

#define TABLES 5
#define COLUMNS 8
#define NESTED 8
#define WANTS "interval_intersect! wants ((table, table, ..), (column, ..)), at most 5 tables and 8 columns"

struct piece { /* of the typed text */
    size_t from, to;
};

static bool tokens(struct state *s, struct rewrite_token t, size_t end, bool statements);

/* Finds the pieces between the commas of the list in parentheses at `open`. Returns their number; -1: more than `most`. */
static int split(const struct state *s, struct rewrite_token open, struct piece *pieces, int most) {
    struct rewrite_token t = after(s, open);
    int depth = 0, n = 0;
    for (size_t from = t.at; t.kind != REWRITE_END; t = after(s, t)) {
        bool closes = is_char(s, t, ')') && depth == 0;
        if (closes && n == 0 && t.at == from) /* it is empty */
            return 0;
        if (closes || (is_char(s, t, ',') && depth == 0)) {
            if (n == most)
                return -1;
            pieces[n++] = (struct piece){from, t.at};
            from = after(s, t).at;
        }
        if (closes)
            return n;
        depth += is_char(s, t, '(') ? 1 : is_char(s, t, ')') ? -1 : 0;
    }
    return -1;
}

static void put_piece(struct state *s, struct piece piece) {
    put(s, between(s, piece.from, piece.to), piece.from, true);
}

/* An operand, in which there may be macros. */
static bool put_operand(struct state *s, struct piece piece) {
    s->at = piece.from;
    if (!tokens(s, next_token(s->sql, piece.from), piece.to, false))
        return false;
    copy(s, piece.to);
    return true;
}

/* The rows of a table as a value: ordered, as the aggregate wants them. */
static bool put_intervals(struct state *s, struct piece table, const struct piece *columns, int n) {
    insert(s, "(SELECT fxtop_intervals(id, ts, dur");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++) {
            insert(s, ", ");
            put_piece(s, columns[i]);
        }
        insert(s, round == 0 ? ") FROM (SELECT id, ts, dur" : " FROM ");
    }
    if (!put_operand(s, table))
        return false;
    insert(s, " ORDER BY ");
    for (int i = 0; i < n; i++) {
        put_piece(s, columns[i]);
        insert(s, " COLLATE BINARY, ");
    }
    insert(s, "ts))");
    return true;
}

static bool intersect(struct state *s, struct rewrite_token name, struct rewrite_token open) {
    struct piece tables[TABLES], columns[COLUMNS];
    struct rewrite_token list = after(s, open), comma = is_char(s, list, '(') ? after_list(s, list) : list;
    struct rewrite_token names = after(s, comma);
    struct rewrite_token close = is_char(s, comma, ',') && is_char(s, names, '(') ? after_list(s, names) : names;
    if (!is_char(s, list, '(') || !is_char(s, names, '(') || !is_char(s, close, ')'))
        return refuse(s, name, WANTS);
    int ntables = split(s, list, tables, TABLES), ncolumns = split(s, names, columns, COLUMNS);
    bool fine = ntables >= 2 && ncolumns >= 0;
    for (int i = 0; i < ncolumns; i++) {
        struct rewrite_token column = next_token(s->sql, columns[i].from);
        fine = fine && (column.kind == REWRITE_WORD || column.kind == REWRITE_QUOTED) &&
               after(s, column).at == columns[i].to;
    }
    if (!fine)
        return refuse(s, name, WANTS);
    copy(s, name.at);
    insert(s, "(SELECT ts, dur");
    for (int i = 0; i < ntables; i++) {
        char column[24];
        snprintf(column, sizeof column, ", id_%d", i);
        insert(s, column);
    }
    for (int i = 0; i < ncolumns; i++) {
        char column[24];
        snprintf(column, sizeof column, ", part_%d AS ", i);
        insert(s, column);
        put_piece(s, columns[i]);
    }
    for (int i = 0; i < ntables; i++) {
        insert(s, i == 0 ? " FROM fxtop_intersection(" : ", ");
        if (!put_intervals(s, tables[i], columns, ncolumns))
            return false;
    }
    s->at = close.at + close.n;
    insert(s, "))");
    return true;
}

/* The rows of a table within one stretch: (ts, dur, table). */
static bool intersect_single(struct state *s, struct rewrite_token name, struct rewrite_token open) {
    struct piece pieces[3];
    if (split(s, open, pieces, 3) != 3)
        return refuse(s, name, "interval_intersect_single! wants (ts, dur, table)");
    copy(s, name.at);
    insert(s, "(SELECT id_0 AS id, ts, dur FROM fxtop_intersection(");
    if (!put_intervals(s, pieces[2], NULL, 0))
        return false;
    /* SQLite gives an aggregate to the outer select if all its arguments are of that. */
    insert(s, ", (SELECT fxtop_intervals(id, ts, dur) FROM (SELECT 0 AS id, ");
    if (!put_operand(s, pieces[0]))
        return false;
    insert(s, " AS ts, ");
    if (!put_operand(s, pieces[1]))
        return false;
    s->at = pieces[2].to + 1; /* the parenthesis */
    insert(s, " AS dur))))");
    return true;
}

/* ---- words inside ---- */

static bool nested(struct state *s, struct rewrite_token t, struct rewrite_token open, bool single) {
    if (s->nested == NESTED)
        return refuse(s, t, "interval_intersect! is nested too deeply");
    s->nested++;
    bool fine = single ? intersect_single(s, t, open) : intersect(s, t, open);
    s->nested--;
    return fine;
}

static bool macro(struct state *s, struct rewrite_token t) {
    static const struct {
        const char *name, *type;
    } casts[] = {{"cast_int", "INT"}, {"cast_double", "REAL"}, {"cast_string", "TEXT"}};
    struct rewrite_token bang = rewrite_token(s->sql, t.at + t.n), open = after(s, bang);
    if (!is_char(s, bang, '!') || !is_char(s, open, '('))
        return true; /* a != b, or nothing */
    for (size_t i = 0; i < sizeof casts / sizeof *casts && s->ncasts < CASTS; i++) {
        if (!is(s, t, casts[i].name))
            continue;
        copy(s, t.at);
        insert(s, "CAST(");
        s->at = open.at + 1;
        s->casts[s->ncasts].depth = s->depth++;
        s->casts[s->ncasts++].type = casts[i].type;
        return true;
    }
    if (is(s, t, "interval_intersect") || is(s, t, "_interval_intersect"))
        return nested(s, t, open, false);
    if (is(s, t, "interval_intersect_single") || is(s, t, "_interval_intersect_single"))
        return nested(s, t, open, true);
    return refuse(s, t, "fxtop has no macros but cast_int!, cast_double!, cast_string! and interval_intersect!: write "
                        "the query out");
}

static bool word(struct state *s, struct rewrite_token t) {
    static const struct {
        const char *word, *why;
        bool begins;
    } refused[] = {
        {"run_metric", "fxtop has no metrics (RUN_METRIC): write the query out", false},
        {"span_outer_join", "fxtop has no SPAN_OUTER_JOIN: SPAN_JOIN and SPAN_LEFT_JOIN are there", false},
        {"build_proto", "fxtop has no protocol buffers (build_proto)", false},
        {"experimental_", "fxtop has no experimental_ tables and functions of Perfetto", true},
        {"__intrinsic_", "fxtop has no __intrinsic_ tables and functions of Perfetto", true},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        size_t n = strlen(refused[i].word);
        if (t.n >= n && (refused[i].begins || t.n == n) && strncasecmp(s->sql.s + t.at, refused[i].word, n) == 0)
            return refuse(s, t, refused[i].why);
    }
    return macro(s, t);
}

static void parenthesis(struct state *s, struct rewrite_token t) {
    if (is_char(s, t, '('))
        s->depth++;
    if (!is_char(s, t, ')'))
        return;
    s->depth--;
    if (s->ncasts > 0 && s->casts[s->ncasts - 1].depth == s->depth) {
        copy(s, t.at);
        insert(s, " AS ");
        insert(s, s->casts[--s->ncasts].type);
    }
}

/* Rewrites the tokens from t up to a byte. statements: some begin there. */
static bool tokens(struct state *s, struct rewrite_token t, size_t end, bool statements) {
    bool begins = statements, fine = true;
    while (fine && t.kind != REWRITE_END && t.at < end) {
        bool first = begins && !is_char(s, t, ';');
        size_t before = s->at;
        begins = statements && is_char(s, t, ';');
        fine = !first || statement(s, t);
        if (fine && t.kind == REWRITE_WORD && s->at <= t.at)
            fine = word(s, t);
        parenthesis(s, t);
        t = next_token(s->sql, s->at > t.at + t.n && s->at != before ? s->at : t.at + t.n);
    }
    return fine;
}

bool rewrite_sql(struct rewrite *out, struct str sql, struct err *err) {
    chars_add(&out->typed, sql);
    struct state s = {.out = out, .sql = {out->typed.v, sql.n}, .err = err};
    const char *nul = sql.n > 0 ? memchr(sql.s, 0, sql.n) : NULL;
    if (nul)
        return err_set(err, (uint64_t)(nul - sql.s), "the query has a NUL");
    if (sql.n > 1 << 20)
        return err_set(err, ERR_NO_OFFSET, "the query is longer than 1 MB");
    bool fine = tokens(&s, next_token(s.sql, 0), s.sql.n, true);
    copy(&s, sql.n);
    chars_add(&out->text, STR("\0"));
    out->text.n--;
    return fine;
}

void rewrite_free(struct rewrite *out) {
    vec_free(&out->typed);
    vec_free(&out->text);
    vec_free(&out->pieces);
    vec_free(&out->functions);
}

uint64_t rewrite_offset(const struct rewrite *out, size_t at) {
    size_t k = out->pieces.n;
    while (k > 0 && out->pieces.v[k - 1].at > at)
        k--;
    if (k == 0)
        return 0;
    const struct rewrite_piece *piece = &out->pieces.v[k - 1];
    return piece->from + (piece->copied ? at - piece->at : 0);
}
