/* filter.c - parser and printer of filters, and comparisons with texts and numbers.
 *
 * The parser goes over the text once. A term has a left side if an operator comes before any blank
 * or comma; the table `fields` decides how its values are read. A left side that is in no table is
 * read twice: as the name of an argument, and the whole term as a literal. If it cannot be the
 * former, it is the latter.
 *
 * The printer is the inverse of the parser: it quotes what would be read in another way. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter_internal.h"

static const struct filter_row fields[] = {
    {"name", FILTER_NAME, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"cat", FILTER_CATEGORY, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"thread", FILTER_THREAD, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"process", FILTER_PROCESS, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"pid", FILTER_PID, FILTER_WHOLE, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"tid", FILTER_TID, FILTER_WHOLE, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"cpu", FILTER_CPU, FILTER_WHOLE, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"depth", FILTER_DEPTH, FILTER_WHOLE, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"kind", FILTER_KIND, FILTER_KINDS, FILTER_SET_OPS},
    {"dur", FILTER_DURATION, FILTER_TIMES, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"self", FILTER_SELF, FILTER_TIMES, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"ts", FILTER_TIME, FILTER_TIMES, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"hop", FILTER_HOP, FILTER_TIMES, FILTER_SET_OPS | FILTER_ORDER_OPS},
    {"in", FILTER_IN, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"parent", FILTER_PARENT, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"has", FILTER_HAS, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"flow", FILTER_FLOW, FILTER_TEXTS, FILTER_TEXT_OPS},
    {"state", FILTER_STATE, FILTER_STATE_SETS, FILTER_SET_OPS},
    {"open", FILTER_OPEN, FILTER_WORD, 0},
    {"problem", FILTER_PROBLEM, FILTER_WORD, 0},
};
#define FIELDS (sizeof fields / sizeof *fields)

const char *const filter_operators[] = {"=", "!=", "~", "!~", "<", "<=", ">", ">="};

const struct filter_row *filter_row_named(const char *name) {
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

const struct filter_row *filter_row_of(enum filter_field field) {
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].field == field)
            return &fields[i];
    return NULL;
}

bool filter_beginning(size_t n, char *buf, size_t cap) {
    const char *value;
    if (n < FIELDS) {
        unsigned ops = fields[n].ops;
        enum filter_operator usual = ops & FILTER_BIT(FILTER_MORE) ? FILTER_MORE : FILTER_EQUALS;
        snprintf(buf, cap, "%s%s", fields[n].name, ops == 0 ? "" : filter_operators[usual]);
        return true;
    }
    n -= FIELDS;
    for (size_t i = 0; i < FIELDS; i++)
        for (size_t k = 0; (value = filter_value_name(fields[i].values, k)) != NULL; k++)
            if (n-- == 0) {
                snprintf(buf, cap, "%s=%s", fields[i].name, value);
                return true;
            }
    return false;
}

bool filter_is_joint(const char *word, size_t n) {
    static const char *const joints[] = {"or", "OR", "||", "and", "AND", "&&"};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (strlen(joints[i]) == n && memcmp(word, joints[i], n) == 0)
            return true;
    return false;
}

/* ---- characters ---- */

struct parser {
    const char *text;
    size_t at;
    const struct filter_column *columns; /* of a table; NULL: a filter of events */
    int ncolumns;
    struct err *err;
};

typedef VEC(char) chars_vec;

/* The column of byte `at`, in characters. */
static size_t column_of(const struct parser *p, size_t at) {
    size_t column = 1;
    for (size_t i = 0; i < at; i++)
        column += ((unsigned char)p->text[i] & 0xc0) != 0x80;
    return column;
}

static bool refuse(const struct parser *p, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns false, with the column of byte `at` in front of the message. */
static bool refuse(const struct parser *p, size_t at, const char *fmt, ...) {
    char why[160];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    return err_set(p->err, ERR_NO_OFFSET, "column %zu: %s", column_of(p, at), why);
}

static bool ends_term(char c) {
    return c == '\0' || c == ' ';
}

static bool is_operator(const char *s) {
    return *s == '=' || *s == '~' || *s == '<' || *s == '>' ||
           (*s == '!' && (s[1] == '=' || s[1] == '~'));
}

/* Whether a quote opens at byte `at` of a text that begins at `begin`. A single one within a word
 * is an apostrophe. */
static bool opens_quote(const char *text, size_t begin, size_t at) {
    return text[at] == '"' || (text[at] == '\'' && at == begin);
}

/* Whether the single quote at byte `at`, which opens nothing, ends a value or a word: it closes
 * nothing either. */
static bool is_stray(const char *text, size_t at, char stop) {
    return text[at] == '\'' && (ends_term(text[at + 1]) || text[at + 1] == stop);
}

/* Appends text without its quotes up to a blank, the end, `stop`, or byte `end`; false: a quote is
 * missing. */
static bool read_text(struct parser *p, char stop, size_t end, chars_vec *out, bool *quoted) {
    const size_t begin = p->at;
    while (p->at < end && !ends_term(p->text[p->at]) && p->text[p->at] != stop) {
        size_t from = p->at;
        const char quote = p->text[from];
        if (!opens_quote(p->text, begin, from)) {
            if (is_stray(p->text, from, stop))
                return refuse(p, from, "no quote is open that ends here; quotes make %s text",
                              "\"a'\"");
            vec_push(out, p->text[p->at++]);
            continue;
        }
        *quoted = true;
        for (p->at++; p->text[p->at] != quote; p->at++) {
            if (p->text[p->at] == '\\' &&
                (p->text[p->at + 1] == quote || p->text[p->at + 1] == '\\'))
                p->at++;
            if (p->text[p->at] == '\0')
                return refuse(p, from, "a closing quote is wanted");
            vec_push(out, p->text[p->at]);
        }
        p->at++;
    }
    return true;
}

/* The closing slash of the expression that begins at byte `at`; 0: there is none. */
static size_t closing_slash(const char *text, size_t at) {
    for (at++; text[at] != '\0'; at++) {
        if (text[at] == '\\' && text[at + 1] != '\0')
            at++;
        else if (text[at] == '/' && (ends_term(text[at + 1]) || text[at + 1] == ','))
            return at;
    }
    return 0;
}

/* ---- values ---- */

static bool takes_pattern(const struct filter_term *term, enum filter_values values) {
    return values == FILTER_TEXTS || values == FILTER_FREE || term->op == FILTER_CONTAINS ||
           term->op == FILTER_NOT_CONTAINS;
}

/* Fills in number and pattern of a value whose text is read; `at`: where it begins. */
static bool understand(struct parser *p, const struct filter_term *term, enum filter_values values,
                       struct filter_value *v, size_t at) {
    const char *name = "";
    if (term->left)
        name = term->left;
    else if (term->field != FILTER_TEXT)
        name = filter_row_of(term->field)->name;
    bool whole = term->op == FILTER_EQUALS || term->op == FILTER_NOT_EQUALS;
    if (v->is_regex) {
        v->pattern = pattern_regex(v->text, column_of(p, at), p->err);
        return v->pattern != NULL;
    }
    if (takes_pattern(term, values))
        v->pattern = pattern_literal(v->text, whole);
    switch (values) {
    case FILTER_WHOLE:
        return filter_whole(v->text, &v->number) || refuse(p, at, "%s takes a whole number", name);
    case FILTER_TIMES:
        if (v->pattern ||
            (term->field == FILTER_DURATION && filter_percentile(v->text, &v->number)))
            return true;
        return filter_time(v->text, &v->number) ||
               refuse(p, at, "%s takes a time with its unit, such as 5ms%s", name,
                      term->field == FILTER_DURATION ? ", or p99" : "");
    case FILTER_KINDS:
        return filter_kind(v->text, &v->number) ||
               refuse(p, at, "kind is slice, instant, async, flow, counter, log or state");
    case FILTER_STATE_SETS:
        return filter_state(v->text, &v->number) ||
               refuse(p, at,
                      "state is running, runnable, blocked, suspended, new, dying, dead, unknown "
                      "or a number");
    case FILTER_FREE:
        if (!filter_number(v->text, &v->number))
            v->number.type = FILTER_NO_NUMBER;
        return true;
    case FILTER_TEXTS:
    case FILTER_WORD:
        break;
    }
    return true;
}

static void free_value(struct filter_value *v) {
    free(v->text);
    pattern_free(v->pattern);
}

static void free_term(struct filter_term *term) {
    for (size_t i = 0; i < term->values.n; i++)
        free_value(&term->values.v[i]);
    vec_free(&term->values);
    pattern_free(term->literal);
    free(term->left);
}

/* "/re/" with both slashes, from byte p->at on. One slash of //re/ is dropped; `open`: it may go on
 * to the end. */
static bool read_regex(struct parser *p, bool open, chars_vec *out) {
    size_t from = p->at;
    if (open && p->text[from + 1] == '/' && !ends_term(p->text[from + 2]) &&
        p->text[from + 2] != ',')
        from++;
    size_t end = closing_slash(p->text, from);
    if (end == 0 && !open)
        return refuse(p, p->at, "a closing / is wanted");
    vec_push(out, '/');
    /* printed, it must not look like //re/ */
    if (open && p->text[from + 1] == '/' && end != from + 1)
        vec_push(out, '\\');
    size_t stop = end > 0 ? end : strlen(p->text);
    for (size_t i = from + 1; i < stop; i++)
        vec_push(out, p->text[i]);
    size_t backslashes = 0; /* after an odd number of them the expression is refused */
    while (end == 0 && p->text[stop - 1 - backslashes] == '\\')
        backslashes++;
    if (stop > from + 1 && backslashes % 2 == 0)
        vec_push(out, '/');
    p->at = end > 0 ? end + 1 : stop;
    return true;
}

static char *taken(chars_vec *text) {
    vec_push(text, '\0');
    return text->v;
}

/* One value at p->at; empty: its text is. */
static bool read_value(struct parser *p, struct filter_term *term, enum filter_values values,
                       bool *empty) {
    struct filter_value v = {0};
    chars_vec text = {0};
    size_t from = p->at;
    bool contains = term->op == FILTER_CONTAINS || term->op == FILTER_NOT_CONTAINS;
    v.is_regex = contains && p->text[from] == '/';
    bool fine = v.is_regex ? read_regex(p, term->field == FILTER_TEXT, &text)
                           : read_text(p, ',', SIZE_MAX, &text, &v.quoted);
    *empty = fine && text.n == 0 && !v.quoted;
    v.text = taken(&text);
    if (!fine || *empty || !understand(p, term, values, &v, from)) {
        free_value(&v);
        return false;
    }
    vec_push(&term->values, v);
    return true;
}

/* The values of a term, with commas between them; false with a message, unless a value is empty. */
static bool read_values(struct parser *p, struct filter_term *term, enum filter_values values,
                        bool *empty) {
    for (;;) {
        if (!read_value(p, term, values, empty))
            return false;
        if (p->text[p->at] != ',')
            return true;
        p->at++;
    }
}

/* ---- terms ---- */

/* The byte of the operator of the term at `at`; 0: it has none, and is a bare word. */
static size_t operator_at(const char *text, size_t at) {
    size_t from = at;
    if (text[at] == '/')
        return 0;
    for (; !ends_term(text[at]) && text[at] != ','; at++) {
        if (is_operator(text + at))
            return at > from ? at : 0;
        const char quote = text[at];
        if (opens_quote(text, from, at))
            for (at++; text[at] != quote; at++)
                if (text[at] == '\0' || (text[at] == '\\' && text[++at] == '\0'))
                    return 0;
    }
    return 0;
}

static enum filter_operator read_operator(struct parser *p) {
    for (size_t i = sizeof filter_operators / sizeof *filter_operators; i-- > 0;) {
        size_t n = strlen(filter_operators[i]);
        if (strncmp(p->text + p->at, filter_operators[i], n) != 0 ||
            (n == 1 && i != FILTER_EQUALS && p->text[p->at + 1] == '=' && i != FILTER_CONTAINS))
            continue;
        p->at += n;
        return (enum filter_operator)i;
    }
    return FILTER_EQUALS;
}

/* The term from byte `from` on as text; quotes open where they do for its values, which begin at
 * byte `values`. */
static bool read_as_text(struct parser *p, size_t from, size_t values, chars_vec *text) {
    bool quoted = false;
    p->at = from;
    bool fine = read_text(p, '\0', values, text, &quoted);
    while (fine && !ends_term(p->text[p->at])) {
        fine = read_text(p, ',', SIZE_MAX, text, &quoted);
        if (fine && p->text[p->at] == ',')
            vec_push(text, p->text[p->at++]);
    }
    return fine;
}

/* The term from byte `from` on as one literal; its values begin at byte `values`. */
static bool read_literal(struct parser *p, size_t from, size_t values, struct filter_term *term) {
    struct filter_value v = {.quoted = true};
    chars_vec text = {0};
    free_term(term);
    *term = (struct filter_term){.op = FILTER_CONTAINS, .negated = term->negated};
    if (!read_as_text(p, from, values, &text)) {
        vec_free(&text);
        return false;
    }
    v.text = taken(&text);
    v.pattern = pattern_literal(v.text, false);
    vec_push(&term->values, v);
    return true;
}

static bool read_bare(struct parser *p, size_t from, struct filter_term *term) {
    bool empty = false;
    term->op = FILTER_CONTAINS;
    if (read_values(p, term, FILTER_TEXTS, &empty))
        return true;
    if (!empty)
        return false;
    if (p->text[from] == '/')
        return err_set(p->err, ERR_NO_OFFSET, "nothing to search for");
    return read_literal(p, from, from, term); /* "a," */
}

static int column_named(const struct parser *p, const char *name) {
    int i = 0;
    while (i < p->ncolumns && strcmp(p->columns[i].name, name) != 0 &&
           (p->columns[i].title == NULL || strcmp(p->columns[i].title, name) != 0))
        i++;
    return i < p->ncolumns ? i : -1;
}

/* The values of a field or a column; its operator is read. */
static bool read_field(struct parser *p, struct filter_term *term, enum filter_values values,
                       unsigned ops, size_t op_at) {
    bool empty = false;
    const char *name = term->left ? term->left : filter_row_of(term->field)->name;
    const char *by = ops == FILTER_SET_OPS ? "= and !=" : "= != < <= > >=";
    if (!(FILTER_BIT(term->op) & ops))
        return refuse(p, op_at, "%s is compared by %s", name,
                      ops == FILTER_TEXT_OPS ? "= ~ != !~" : by);
    if (read_values(p, term, values, &empty))
        return true;
    if (empty)
        return refuse(p, p->at, "a value is wanted after %s",
                      p->text[p->at - 1] == ',' ? "," : filter_operators[term->op]);
    return false;
}

/* An argument; if it cannot be one, the term is a literal. */
static bool read_argument(struct parser *p, size_t from, struct filter_term *term, bool explicit) {
    chars_vec text = {0};
    size_t values = p->at;
    bool empty = false;
    term->field = FILTER_ARGUMENT;
    if (!read_values(p, term, FILTER_FREE, &empty)) {
        if (explicit && empty)
            return refuse(p, p->at, "a value is wanted after %s", filter_operators[term->op]);
        return !explicit && read_literal(p, from, values, term);
    }
    size_t end = p->at;
    if (explicit)
        return true;
    bool fine = read_as_text(p, from, values, &text);
    char *whole = taken(&text);
    p->at = end;
    term->literal = fine ? pattern_literal(whole, false) : NULL;
    free(whole);
    return fine;
}

/* A term whose left side is no column of the table, as text. */
static bool read_no_column(struct parser *p, size_t from, struct filter_term *term) {
    char *left = term->left;
    term->left = NULL;
    bool fine = read_literal(p, from, p->at, term);
    term->left = left;
    return fine;
}

/* A term with an operator. */
static bool read_comparison(struct parser *p, size_t op_at, struct filter_term *term) {
    size_t from = p->at;
    bool quoted = false;
    chars_vec left = {0};
    bool fine = read_text(p, '\0', op_at, &left, &quoted);
    term->left = taken(&left);
    if (!fine)
        return false;
    term->op = read_operator(p);
    if (p->columns) {
        term->column = column_named(p, term->left);
        if (term->column < 0)
            return read_no_column(p, from, term);
        static const enum filter_values values[] = {FILTER_TEXTS, FILTER_FREE, FILTER_TIMES};
        enum filter_measure measure = p->columns[term->column].measure;
        term->field = FILTER_COLUMN;
        return read_field(p, term, values[measure],
                          measure == FILTER_IS_TEXT ? FILTER_TEXT_OPS
                                                    : FILTER_TEXT_OPS | FILTER_ORDER_OPS,
                          op_at);
    }
    const struct filter_row *field = quoted ? NULL : filter_row_named(term->left);
    bool prefix = !quoted && strncmp(term->left, "arg.", 4) == 0 && term->left[4] != '\0';
    if (field && field->values != FILTER_WORD &&
        !(field->field == FILTER_KIND && opens_quote(p->text, p->at, p->at))) {
        term->field = field->field;
        free(term->left);
        term->left = NULL;
        return read_field(p, term, field->values, field->ops, op_at);
    }
    if (prefix)
        memmove(term->left, term->left + 4, strlen(term->left + 4) + 1);
    return read_argument(p, from, term, prefix || quoted || (field && field->field == FILTER_KIND));
}

static bool read_term(struct parser *p, struct filter_term *term) {
    for (; p->text[p->at] == '!'; p->at++) {
        term->negated = !term->negated;
        if (ends_term(p->text[p->at + 1]))
            return refuse(p, p->at + 1, "a term is wanted after !");
    }
    size_t op = operator_at(p->text, p->at), n = strcspn(p->text + p->at, " ");
    if (op > 0)
        return read_comparison(p, op, term);
    for (size_t i = 0; i < FIELDS && p->columns == NULL; i++)
        if (fields[i].values == FILTER_WORD && strlen(fields[i].name) == n &&
            memcmp(p->text + p->at, fields[i].name, n) == 0) {
            term->field = fields[i].field;
            p->at += n;
            return true;
        }
    return read_bare(p, p->at, term);
}

/* Refuses "a or b": it would be the terms a, or, b, which must all hold. */
static bool no_joint(const struct parser *p, const struct filter *filter) {
    const char *word = p->text + p->at;
    size_t n = strcspn(word, " ");
    if (filter->terms.n == 0 || word[n + strspn(word + n, " ")] == '\0' ||
        !filter_is_joint(word, n))
        return true;
    if (*word == 'a' || *word == 'A' || *word == '&')
        return refuse(p, p->at,
                      "all terms must hold, without %.*s between them; quotes make it text", (int)n,
                      word);
    return refuse(p, p->at, "commas in a value mean or: name=a,b; quotes make %.*s text", (int)n,
                  word);
}

static struct filter *parse(struct parser *p) {
    struct filter *filter = err_calloc(1, sizeof *filter);
    filter->text = err_copy(p->text, strlen(p->text));
    for (;;) {
        struct filter_term term = {0};
        p->at += strspn(p->text + p->at, " ");
        if (p->text[p->at] == '\0')
            break;
        bool fine = no_joint(p, filter) && read_term(p, &term);
        vec_push(&filter->terms, term);
        if (fine)
            continue;
        filter_free(filter);
        return NULL;
    }
    if (filter->terms.n > 0)
        return filter;
    err_set(p->err, ERR_NO_OFFSET, "nothing to search for");
    filter_free(filter);
    return NULL;
}

struct filter *filter_new(const char *text, bool exact, struct err *err) {
    struct parser p = {.text = text, .err = err};
    if (!exact || *text == '\0')
        return parse(&p);
    struct filter *filter = err_calloc(1, sizeof *filter);
    filter->exact = true;
    struct filter_value v = {.quoted = true, .pattern = pattern_new(text, true, err)};
    struct filter_term term = {.op = FILTER_EQUALS};
    filter->text = err_copy(text, strlen(text));
    v.text = err_copy(text, strlen(text));
    vec_push(&term.values, v);
    vec_push(&filter->terms, term);
    return filter;
}

struct filter *filter_new_rows(const char *text, const struct filter_column *columns, int n,
                               struct err *err) {
    struct parser p = {.text = text, .columns = columns, .ncolumns = n, .err = err};
    return parse(&p);
}

void filter_free(struct filter *filter) {
    if (filter == NULL)
        return;
    for (size_t i = 0; i < filter->terms.n; i++)
        free_term(&filter->terms.v[i]);
    vec_free(&filter->terms);
    free(filter->text);
    free(filter);
}

bool filter_matches(const struct filter *filter, struct str text) {
    for (size_t i = 0; i < filter->terms.n; i++) {
        const struct filter_term *term = &filter->terms.v[i];
        bool holds = term->negated;
        if (term->field == FILTER_TEXT || term->field == FILTER_NAME)
            holds = filter_term_result(term, filter_term_fits(term, text), true);
        else if (term->literal)
            holds = pattern_matches(term->literal, text) != term->negated;
        if (!holds)
            return false;
    }
    return true;
}

uint32_t filter_cost(const struct filter *filter) {
    uint32_t cost = 1;
    for (size_t i = 0; i < filter->terms.n; i++) {
        const struct filter_term *term = &filter->terms.v[i];
        for (size_t k = 0; k < term->values.n; k++)
            cost += term->values.v[k].pattern ? pattern_cost(term->values.v[k].pattern) : 0;
        cost += term->literal ? pattern_cost(term->literal) : 0;
    }
    return cost;
}

const char *filter_no_column(const struct filter *filter) {
    for (size_t i = 0; i < filter->terms.n; i++)
        if (filter->terms.v[i].field == FILTER_TEXT && filter->terms.v[i].left)
            return filter->terms.v[i].left;
    return NULL;
}

const char *filter_text(const struct filter *filter) {
    return filter->text;
}
