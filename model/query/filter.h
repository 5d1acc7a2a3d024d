/* filter.h - a condition on events, tracks or rows of a table: the expression after / and &, parsed
 * and printed.
 *
 * A filter is a list of terms that are separated by blanks and must all hold. A term compares one
 * field by one operator with one or more values; values are separated by commas, and one of them
 * has to fit. `!` before a term negates it.
 *
 *     abc  "a b"  /re/     the text contains it, or matches the expression (pattern.h); //re/ is /re/
 *     name=Frame           fields of text: = ~ ~/re/ != !~
 *     dur>5ms pid!=12      numbers: = != < <= > >=; times have a unit
 *     bytes>4k             any other name: an argument of that name; arg.NAME if a field has that name
 *     arg.*~503            any argument
 *     open  problem        words
 *
 * A term whose left side is neither a field nor an argument of the trace is literal text
 * (`operator<`): such a term has both readings, and filter_match.h decides. A comparison with a
 * field that the subject lacks is false, != too.
 *
 * In a table the fields are its columns (filter_new_rows()), and all others are literal text.
 *
 * A filter belongs to one thread, because its patterns have buffers. */
#ifndef FXTOP_FILTER_H
#define FXTOP_FILTER_H

#include "src/base/pattern.h"
#include "src/base/vec.h"

enum filter_field {
    FILTER_TEXT, /* a bare word: the name of an event, the text of a track, the cells of a row */
    FILTER_NAME,
    FILTER_CATEGORY,
    FILTER_THREAD,
    FILTER_PROCESS,
    FILTER_PID,
    FILTER_TID,
    FILTER_CPU,
    FILTER_DEPTH,
    FILTER_KIND,
    FILTER_DURATION,
    FILTER_SELF,
    FILTER_TIME,
    FILTER_HOP,
    FILTER_IN,
    FILTER_PARENT,
    FILTER_HAS,
    FILTER_FLOW,
    FILTER_STATE,
    FILTER_OPEN,
    FILTER_PROBLEM,
    FILTER_ARGUMENT, /* `left` names it */
    FILTER_COLUMN,   /* of a table: `column` */
    FILTER_FIELDS
};

enum filter_operator {
    FILTER_EQUALS,
    FILTER_NOT_EQUALS,
    FILTER_CONTAINS,
    FILTER_NOT_CONTAINS,
    FILTER_LESS,
    FILTER_AT_MOST,
    FILTER_MORE,
    FILTER_AT_LEAST,
};

enum filter_kind { /* values of kind=, a set of bits */
                   FILTER_SLICE = 1,
                   FILTER_INSTANT = 2,
                   FILTER_ASYNC = 4,
                   FILTER_FLOWS = 8,
                   FILTER_COUNTER = 16,
                   FILTER_LOG = 32,
                   FILTER_STATES = 64,
                   FILTER_USUAL = 7, /* of a filter that does not ask for a kind */
};

enum filter_measure { FILTER_IS_TEXT, FILTER_IS_NUMBER, FILTER_IS_TIME }; /* times are ns */

struct filter_number {
    enum { FILTER_NO_NUMBER, FILTER_SIGNED, FILTER_UNSIGNED, FILTER_REAL, FILTER_PERCENTILE } type;
    int64_t i; /* FILTER_SIGNED */
    uint64_t u;
    double d; /* FILTER_REAL; of a percentile 0 to 100 */
};

#define FILTER_FAULT 160 /* bytes of a line about a term */

struct filter_value {
    char *text; /* without quotes; an expression with both slashes */
    bool quoted, is_regex;
    struct pattern *pattern;     /* of texts; NULL for fields of numbers */
    struct filter_number number; /* kinds and states: in u */
};

struct filter_term {
    enum filter_field field;
    enum filter_operator op;
    bool negated;
    /* of arguments and columns as typed, without arg.; of a literal its left side, which is no
     * column */
    char *left;
    int column; /* FILTER_COLUMN */
    /* FILTER_ARGUMENT: the term as text, if the trace has no such argument; NULL: arg. */
    struct pattern *literal;
    VEC(struct filter_value) values;
};

/* In a table of threads or processes a bare word may also be in their name or number. */
enum filter_owner { FILTER_NO_OWNER, FILTER_OWNER_THREAD, FILTER_OWNER_PROCESS };

struct filter {
    char *text;              /* as it was typed */
    bool exact;              /* of filter_new(): the text is a name, not of the grammar */
    enum filter_owner owner; /* filter_new() sets none: the caller may before it is matched */
    VEC(struct filter_term) terms;
};

struct filter_column { /* of a table; both are its names */
    const char *name, *title;
    enum filter_measure measure;
};

/* NULL: text is empty, or not of the grammar; then err has one line: the column of the fault and
 * the expected syntax. exact: the whole text is one literal, and names equal it to the letter. */
struct filter *filter_new(const char *text, bool exact, struct err *err);
struct filter *filter_new_rows(const char *text, const struct filter_column *columns, int n,
                               struct err *err);
void filter_free(struct filter *filter);              /* may be NULL */
const char *filter_text(const struct filter *filter); /* as it was typed */
/* The terms as text of the grammar: parsed again, they are the same filter. NUL-terminated, cut to
 * cap; returns the length of all of it. Exact terms print as quoted literals. */
size_t filter_print(const struct filter *filter, char *out, size_t cap);
/* Prints one term alike. */
size_t filter_print_term(const struct filter_term *term, char *out, size_t cap);
/* The text that filter_new() reads as this filter, for free(): as it was typed, or an exact name as
 * a literal. */
char *filter_typed(const struct filter *filter);

/* The places of two terms that nothing fits at once, such as name=a name=b or dur>5ms dur<3ms, or
 * twice that of one which nothing fits: depth<0. False: none were found. */
bool filter_contradiction(const struct filter *filter, size_t terms[2]);
/* The left side of the first term of filter_new_rows() that names no column, so that the term is
 * text; NULL: none. */
const char *filter_no_column(const struct filter *filter);
/* Whether it holds for a subject that is a text and has no other field; and the cost of that in
 * units of work. */
bool filter_matches(const struct filter *filter, struct str text);
uint32_t filter_cost(const struct filter *filter);

/* ---- one term: `negated` and the != of the operator are applied by filter_term_result() ---- */

/* Whether a term of FILTER_ARGUMENT is about an argument of this name. */
bool filter_term_names(const struct filter_term *term, struct str argument);
/* Whether one of the values fits a text, or a number. */
bool filter_term_fits(const struct filter_term *term, struct str text);
bool filter_term_fits_number(const struct filter_term *term, struct filter_number number);
/* fits: one value fits; present: the subject has the field. */
bool filter_term_result(const struct filter_term *term, bool fits, bool present);
/* a < b, a = b, a > b: -1, 0, 1; 2: not comparable. */
int filter_compare(struct filter_number a, struct filter_number b);
bool filter_compares(enum filter_operator op, int order); /* order: of filter_compare() */

static inline struct filter_number filter_signed(int64_t i) {
    return (struct filter_number){.type = FILTER_SIGNED, .i = i};
}
static inline struct filter_number filter_unsigned(uint64_t u) {
    return (struct filter_number){.type = FILTER_UNSIGNED, .u = u};
}
static inline struct filter_number filter_real(double d) {
    return (struct filter_number){.type = FILTER_REAL, .d = d};
}

/* The n-th text that a term can begin with, for completions: "name=", "dur>", "open", then
 * "kind=slice" and others with a value. False after the last. */
bool filter_beginning(size_t n, char *buf, size_t cap);

#endif
