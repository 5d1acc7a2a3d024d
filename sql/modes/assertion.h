/* assertion.h - one assertion on a trace: an expression of SQL that is true, false, or has no
 * value.
 *
 * An expression is run as SELECT (expression). A text that begins with select, with, or another
 * statement is run as it is. The answer is one number: true is not 0. NULL and no row are false. */
#ifndef FXTOP_ASSERTION_H
#define FXTOP_ASSERTION_H

#include "model/output/chars.h"
#include "model/query/slice_iter.h"
#include "sql/query.h"

/* also the exit status */
enum assertion_verdict { ASSERTION_OK, ASSERTION_FAILED, ASSERTION_ERROR };

struct assertion_side {
    enum query_type type;
    int64_t integer;
    double real;
    struct chars text;
};

struct assertion {
    enum assertion_verdict verdict;
    bool compared;  /* it is one comparison: both sides are known */
    bool durations; /* the sides are ns */
    struct assertion_side sides[2];
    /* of ASSERTION_ERROR, of a value that is NULL, of a damaged or endless slice; safe to print */
    char why[SLICE_ITER_OPEN_TEXT];
    char note[SLICE_ITER_OPEN_TEXT]; /* of slices that are not counted, or empty; safe to print */
};

/* The result was zero, or freed. */
void assertion_ask(struct assertion *assertion, struct query *query, const char *expression,
                   bool ascii);
void assertion_free(struct assertion *assertion);

/* The sides of a text that is one comparison outside of parentheses, without AND, OR and the
 * like. */
struct assertion_split {
    struct str left, op, right;
};
bool assertion_split(struct str expression, struct assertion_split *split);

#endif
