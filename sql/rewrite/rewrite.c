/* rewrite.c - Perfetto's words in SQL become SQLite's.
 *
 * A tokenizer knows words, quotes, comments and parentheses, and nothing more. At the begin of a
 * statement its first words decide; elsewhere only `name!(` means something. The rest is copied in
 * runs, so that each byte has its place in the typed text. */
#include "sql/rewrite/rewrite_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/text.h"

/* In order; of prelude, which Perfetto includes by itself, those whose names people type. */
static const char *const modules[] = {
    "counters.intervals",
    "fxtop.all",
    "intervals.intersect",
    "intervals.overlap",
    "prelude.after_eof.casts",
    "prelude.after_eof.counters",
    "prelude.after_eof.cpu_scheduling",
    "prelude.after_eof.events",
    "prelude.after_eof.slices",
    "prelude.after_eof.tables_views",
    "prelude.after_eof.tracks",
    "prelude.after_eof.views",
    "prelude.before_eof.trace_bounds",
    "sched.latency",
    "sched.runnable",
    "sched.states",
    "sched.thread_level_parallelism",
    "sched.time_in_state",
    "sched.with_context",
    "slices.cpu_time",
    "slices.hierarchy",
    "slices.self_dur",
    "slices.slices",
    "slices.time_in_state",
    "slices.with_context",
    "time.conversion",
};

/* ---- tokens ---- */

static bool in_word(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c >= 0x80;
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

struct rewrite_token rewrite_next(struct str sql, size_t at) {
    struct rewrite_token t = rewrite_token(sql, at);
    while (t.kind == REWRITE_BLANK)
        t = rewrite_token(sql, t.at + t.n);
    return t;
}

size_t rewrite_blank(const char *s, size_t n) {
    struct str sql = {s, n};
    struct rewrite_token t = rewrite_next(sql, 0);
    while (t.kind == REWRITE_OTHER && s[t.at] == ';')
        t = rewrite_next(sql, t.at + 1);
    return t.at;
}

/* ---- the state of rewriting ---- */

bool rewrite_is(const struct rewrite_state *s, struct rewrite_token t, const char *word) {
    return t.kind == REWRITE_WORD && t.n == strlen(word) &&
           strncasecmp(s->sql.s + t.at, word, t.n) == 0;
}

bool rewrite_is_char(const struct rewrite_state *s, struct rewrite_token t, char c) {
    return t.kind == REWRITE_OTHER && s->sql.s[t.at] == c;
}

struct rewrite_token rewrite_after(const struct rewrite_state *s, struct rewrite_token t) {
    return rewrite_next(s->sql, t.at + t.n);
}

void rewrite_put(struct rewrite_state *s, struct str text, size_t from, bool copied) {
    vec_push(&s->out->pieces, ((struct rewrite_piece){s->out->text.n, from, copied}));
    chars_add(&s->out->text, text);
}

void rewrite_copy(struct rewrite_state *s, size_t to) {
    if (to > s->at)
        rewrite_put(s, (struct str){s->sql.s + s->at, to - s->at}, s->at, true);
    s->at = to;
}

void rewrite_insert(struct rewrite_state *s, const char *text) {
    rewrite_put(s, str_of(text), s->at, false);
}

bool rewrite_refuse(struct rewrite_state *s, struct rewrite_token t, const char *why) {
    return err_set(s->err, t.at, "%s", why);
}

size_t rewrite_statement_end(const struct rewrite_state *s, struct rewrite_token t) {
    while (t.kind != REWRITE_END && !rewrite_is_char(s, t, ';'))
        t = rewrite_after(s, t);
    return t.at;
}

/* The token after the parenthesis that closes the one at t. */
struct rewrite_token rewrite_after_list(const struct rewrite_state *s, struct rewrite_token t) {
    int depth = 0;
    do {
        depth += rewrite_is_char(s, t, '(') - rewrite_is_char(s, t, ')');
        t = rewrite_after(s, t);
    } while (depth > 0 && t.kind != REWRITE_END);
    return t;
}

int rewrite_split(const struct rewrite_state *s, struct rewrite_token open,
                  struct rewrite_range *ranges, int most) {
    struct rewrite_token t = rewrite_after(s, open);
    int depth = 0, n = 0;
    for (size_t from = t.at; t.kind != REWRITE_END; t = rewrite_after(s, t)) {
        bool closes = rewrite_is_char(s, t, ')') && depth == 0;
        if (closes && n == 0 && t.at == from) /* it is empty */
            return 0;
        if (closes || (rewrite_is_char(s, t, ',') && depth == 0)) {
            if (n == most)
                return -1;
            ranges[n++] = (struct rewrite_range){from, t.at};
            from = rewrite_after(s, t).at;
        }
        if (closes)
            return n;
        depth += rewrite_is_char(s, t, '(') - rewrite_is_char(s, t, ')');
    }
    return -1;
}

struct str rewrite_between(const struct rewrite_state *s, size_t from, size_t to) {
    return (struct str){s->sql.s + from, to - from};
}

/* ---- statements ---- */

bool rewrite_module_known(struct str name) {
    if (name.n == 1 && name.s[0] == '*')
        return true;
    if (name.n > 2 && memcmp(name.s + name.n - 2, ".*", 2) == 0)
        name.n--; /* slices. is the begin of some */
    for (size_t i = 0; i < sizeof modules / sizeof *modules && name.n > 0; i++) {
        size_t n = strlen(modules[i]);
        if (n >= name.n && memcmp(modules[i], name.s, name.n) == 0 &&
            (n == name.n || name.s[name.n - 1] == '.'))
            return true;
    }
    return false;
}

/* The bytes of a module's name up to its first full stop, that included; 0: it has none. */
static size_t package(struct str name) {
    size_t n = 0;
    while (n < name.n && name.s[n] != '.')
        n++;
    return n < name.n ? n + 1 : 0;
}

/* Lists the modules of the package that a name begins with, or all packages. */
static void list_modules(struct str name, char *out, size_t cap) {
    size_t n = package(name), last = SIZE_MAX, at = 0;
    bool known = false;
    for (size_t i = 0; i < sizeof modules / sizeof *modules && n > 0; i++)
        known = known || strncmp(modules[i], name.s, n) == 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t own = package(str_of(modules[i]));
        if (known && strncmp(modules[i], name.s, n) != 0)
            continue;
        if (!known && last != SIZE_MAX && strncmp(modules[i], modules[last], own) == 0)
            continue;
        int more = snprintf(out + at, cap - at, "%s%.*s%s", at > 0 ? ", " : "",
                            known ? 99 : (int)own, modules[i], known ? "" : "*");
        last = i;
        at += (size_t)more < cap - at ? (size_t)more : cap - at - 1;
    }
}

static bool include(struct rewrite_state *s, struct rewrite_token t) {
    struct rewrite_token name = rewrite_after(s, rewrite_after(s, rewrite_after(s, t)));
    size_t end = rewrite_statement_end(s, name), n = 0;
    char typed[60], has[170];
    while (n < sizeof typed - 1 && name.at + n < end && !strchr(" \t\r\n", s->sql.s[name.at + n]))
        n++;
    struct str module = rewrite_between(s, name.at, name.at + n);
    if (!rewrite_module_known(module)) {
        text_plain(typed, n + 1, module, 0);
        list_modules(module, has, sizeof has);
        return err_set(s->err, name.at, "INCLUDE: fxtop has no module %s; it has: %s", typed, has);
    }
    s->at = end;
    return true;
}

/* Rewrites the body of a function, which does not stay in the text. */
static bool function_body(struct rewrite_state *s, struct rewrite_token t, size_t end,
                          struct chars *body) {
    size_t text = s->out->text.n, pieces = s->out->pieces.n;
    s->at = t.at;
    bool fine = rewrite_tokens(s, t, end, false);
    rewrite_copy(s, end);
    if (s->out->text.v) /* for analysers */
        chars_add(body, (struct str){s->out->text.v + text, s->out->text.n - text});
    s->out->text.n = text;
    s->out->pieces.n = pieces;
    s->at = end;
    return fine;
}

/* name (arguments) RETURNS type AS body. */
static bool function(struct rewrite_state *s, struct rewrite_token name) {
    struct rewrite_function f = {.name = rewrite_between(s, name.at, name.at + name.n)};
    struct rewrite_token open = rewrite_after(s, name), returns = rewrite_is_char(s, open, '(')
                                                                      ? rewrite_after_list(s, open)
                                                                      : open;
    if (name.kind != REWRITE_WORD || !rewrite_is_char(s, open, '(') ||
        !rewrite_is(s, returns, "returns"))
        return rewrite_refuse(
            s, name, "CREATE PERFETTO FUNCTION wants name(arguments) RETURNS type AS select");
    f.arguments = rewrite_between(s, open.at, returns.at);
    struct rewrite_token type = rewrite_after(s, returns), as = rewrite_after(s, type);
    f.table = rewrite_is(s, type, "table");
    if (rewrite_is_char(s, as, '(')) /* of a table; or of a type as JOINID(slice.id) */
        as = rewrite_after_list(s, as);
    f.returns = rewrite_between(s, type.at, as.at);
    if (!rewrite_is(s, as, "as"))
        return rewrite_refuse(s, as,
                              "CREATE PERFETTO FUNCTION wants AS and a select after its type");
    struct rewrite_token body = rewrite_after(s, as);
    size_t end = rewrite_statement_end(s, body);
    if (body.at == end)
        return rewrite_refuse(s, as,
                              "CREATE PERFETTO FUNCTION wants AS and a select after its type");
    f.at = body.at;
    f.before = s->out->text.n;
    bool fine = function_body(s, body, end, &f.body);
    vec_push(&s->out->functions, f);
    return fine;
}

/* After CREATE [OR REPLACE] PERFETTO. */
static bool perfetto(struct rewrite_state *s, struct rewrite_token what, bool replace) {
    struct rewrite_token name = rewrite_after(s, what), next = rewrite_after(s, name);
    bool table = rewrite_is(s, what, "table"), view = rewrite_is(s, what, "view");
    if (rewrite_is(s, what, "function"))
        return function(s, name);
    if (rewrite_is(s, what, "index")) {
        s->at = rewrite_statement_end(s, what);
        return true;
    }
    if (!table && !view)
        return rewrite_refuse(s, what,
                              "CREATE PERFETTO wants TABLE, VIEW, FUNCTION, MACRO or INDEX");
    char drop[200];
    snprintf(drop, sizeof drop, "DROP %s IF EXISTS temp.%.*s;", table ? "TABLE" : "VIEW",
             (int)(name.n < 120 ? name.n : 120), s->sql.s + name.at);
    if (replace)
        rewrite_insert(s, drop);
    rewrite_insert(s, table ? "CREATE TEMP TABLE " : "CREATE TEMP VIEW ");
    s->at = name.at;
    rewrite_copy(s, name.at + name.n);
    if (rewrite_is_char(s, next, '('))
        next = rewrite_after_list(s, next);
    rewrite_insert(s, " ");
    s->at = next.at;
    return true;
}

/* CREATE of something that is not temporary yet. */
static bool create(struct rewrite_state *s, struct rewrite_token t) {
    struct rewrite_token what = rewrite_after(s, t), next;
    bool replace = rewrite_is(s, what, "or");
    if (replace)
        what = rewrite_after(s, rewrite_after(s, what));
    if (rewrite_is(s, what, "perfetto"))
        return perfetto(s, rewrite_after(s, what), replace);
    next = rewrite_after(s, what);
    if (rewrite_is(s, what, "table") || rewrite_is(s, what, "view")) {
        rewrite_copy(s, what.at);
        rewrite_insert(s, "TEMP ");
        return true;
    }
    bool virtual = rewrite_is(s, what, "virtual"), unique = rewrite_is(s, what, "unique");
    if (!virtual && !unique && !rewrite_is(s, what, "index"))
        return true;
    struct rewrite_token name = virtual || unique ? rewrite_after(s, next) : next;
    if (rewrite_is(s, name, "if"))
        name = rewrite_after(s, rewrite_after(s, rewrite_after(s, name)));
    if (!rewrite_is_char(s, rewrite_after(s, name), '.')) {
        rewrite_copy(s, name.at);
        rewrite_insert(s, "temp.");
    }
    return true;
}

static bool drop(struct rewrite_state *s, struct rewrite_token t) {
    struct rewrite_token word = rewrite_after(s, t), what = rewrite_after(s, word);
    if (!rewrite_is(s, word, "perfetto"))
        return true;
    if (rewrite_is(s, what, "index") || rewrite_is(s, what, "function")) {
        s->at = rewrite_statement_end(s, what);
        return true;
    }
    rewrite_insert(s, "DROP ");
    s->at = what.at;
    return true;
}

static bool statement(struct rewrite_state *s, struct rewrite_token t) {
    rewrite_copy(s, t.at);
    if (rewrite_is(s, t, "include") && rewrite_is(s, rewrite_after(s, t), "perfetto"))
        return include(s, t);
    if (rewrite_is(s, t, "create"))
        return create(s, t);
    /* The authorizer is not asked about these of temp. */
    if (rewrite_is(s, t, "vacuum") || rewrite_is(s, t, "reindex"))
        return rewrite_refuse(s, t,
                              rewrite_is(s, t, "vacuum")
                                  ? "fxtop only reads: VACUUM is not allowed"
                                  : "fxtop only reads: REINDEX is not allowed");
    return !rewrite_is(s, t, "drop") || drop(s, t);
}

/* ---- words inside ---- */

static bool macro(struct rewrite_state *s, struct rewrite_token t) {
    static const struct {
        const char *name, *type;
    } casts[] = {{"cast_int", "INT"}, {"cast_double", "REAL"}, {"cast_string", "TEXT"}};
    struct rewrite_token bang = rewrite_token(s->sql, t.at + t.n), open = rewrite_after(s, bang);
    if (!rewrite_is_char(s, bang, '!') || !rewrite_is_char(s, open, '('))
        return true; /* a != b, or nothing */
    for (size_t i = 0; i < sizeof casts / sizeof *casts && s->ncasts < REWRITE_CASTS; i++) {
        if (!rewrite_is(s, t, casts[i].name))
            continue;
        rewrite_copy(s, t.at);
        rewrite_insert(s, "CAST(");
        s->at = open.at + 1;
        s->casts[s->ncasts].depth = s->depth++;
        s->casts[s->ncasts++].type = casts[i].type;
        return true;
    }
    bool known;
    bool fine = rewrite_macros_expand(s, t, open, &known);
    if (known || !fine)
        return fine;
    return rewrite_refuse(
        s, t,
        "no such macro: CREATE PERFETTO MACRO makes one, doc/QUERIES.md lists those of fxtop");
}

/* Functions that later versions of SQLite have by another name, too. */
static void other_name(struct rewrite_state *s, struct rewrite_token t) {
    bool called = rewrite_is_char(s, rewrite_after(s, t), '(');
    const char *name = NULL;
    if (called && rewrite_is(s, t, "if"))
        name = "iif";
    else if (called && rewrite_is(s, t, "string_agg"))
        name = "group_concat";
    if (name == NULL)
        return;
    rewrite_copy(s, t.at);
    rewrite_insert(s, name);
    s->at = t.at + t.n;
}

static bool word(struct rewrite_state *s, struct rewrite_token t) {
    static const struct {
        const char *word, *why;
        bool begins;
    } refused[] = {
        {"run_metric", "fxtop has no metrics (RUN_METRIC): write the query out", false},
        {"build_proto", "fxtop has no protocol buffers (build_proto)", false},
        {"experimental_", "fxtop has no experimental_ tables and functions of Perfetto", true},
        {"__intrinsic_", "fxtop has no __intrinsic_ tables and functions of Perfetto", true},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        size_t n = strlen(refused[i].word);
        if (t.n >= n && (refused[i].begins || t.n == n) &&
            strncasecmp(s->sql.s + t.at, refused[i].word, n) == 0)
            return rewrite_refuse(s, t, refused[i].why);
    }
    other_name(s, t);
    return macro(s, t);
}

static void parenthesis(struct rewrite_state *s, struct rewrite_token t) {
    if (rewrite_is_char(s, t, '('))
        s->depth++;
    if (!rewrite_is_char(s, t, ')'))
        return;
    s->depth--;
    if (s->ncasts > 0 && s->casts[s->ncasts - 1].depth == s->depth) {
        rewrite_copy(s, t.at);
        rewrite_insert(s, " AS ");
        rewrite_insert(s, s->casts[--s->ncasts].type);
    }
}

/* Rewrites the tokens from t up to a byte. statements: some begin there. */
bool rewrite_tokens(struct rewrite_state *s, struct rewrite_token t, size_t end, bool statements) {
    bool begins = statements, fine = true;
    while (fine && t.kind != REWRITE_END && t.at < end) {
        bool first = begins && !rewrite_is_char(s, t, ';');
        size_t before = s->at;
        begins = statements && rewrite_is_char(s, t, ';');
        fine = !first || statement(s, t);
        if (fine && t.kind == REWRITE_WORD && s->at <= t.at)
            fine = word(s, t);
        parenthesis(s, t);
        t = rewrite_next(s->sql, s->at > t.at + t.n && s->at != before ? s->at : t.at + t.n);
    }
    return fine;
}

/* The byte of the other text that a byte comes from. */
static size_t place(const struct rewrite_pieces *pieces, size_t at) {
    size_t k = pieces->n;
    while (k > 0 && pieces->v[k - 1].at > at)
        k--;
    if (k == 0)
        return 0;
    const struct rewrite_piece *piece = &pieces->v[k - 1];
    return piece->from + (piece->copied ? at - piece->at : 0);
}

bool rewrite_sql(struct rewrite *out, struct rewrite_macros *macros, struct str sql,
                 struct err *err) {
    struct rewrite_state s = {.out = out, .err = err};
    const char *nul = sql.n > 0 ? memchr(sql.s, 0, sql.n) : NULL;
    if (nul)
        return err_set(err, (uint64_t)(nul - sql.s), "the query has a NUL");
    if (sql.n > 1 << 20)
        return err_set(err, ERR_NO_OFFSET, "the query is longer than 1 MB");
    if (!rewrite_expand(out, macros, sql, err))
        return false;
    s.sql = (struct str){out->expanded.v, out->expanded.n};
    bool fine = rewrite_tokens(&s, rewrite_next(s.sql, 0), s.sql.n, true);
    rewrite_copy(&s, s.sql.n);
    chars_add(&out->text, STR("\0"));
    out->text.n--;
    for (size_t i = 0; i < out->functions.n; i++)
        out->functions.v[i].at = place(&out->calls, out->functions.v[i].at);
    if (!fine && err->at != ERR_NO_OFFSET)
        err->at = place(&out->calls, err->at);
    return fine;
}

void rewrite_free(struct rewrite *out) {
    for (size_t i = 0; i < out->functions.n; i++)
        vec_free(&out->functions.v[i].body);
    vec_free(&out->expanded);
    vec_free(&out->calls);
    vec_free(&out->text);
    vec_free(&out->pieces);
    vec_free(&out->functions);
}

uint64_t rewrite_offset(const struct rewrite *out, size_t at) {
    return place(&out->calls, place(&out->pieces, at));
}
