/* compare.h - two ranges of a trace compared by the names of their slices: which became slower,
 * faster, more, new, or is gone.
 *
 * Each side is a names_table.h of its range; a row is a name that one of them has. Once both are
 * complete, between.h tests and judges the rows, as it does those of two traces: a verdict is the
 * same here and there. It belongs to one version of the trace. Times: ns. */
#ifndef FXTOP_COMPARE_H
#define FXTOP_COMPARE_H

#include "model/query/stat/between/between.h"

enum compare_side { COMPARE_A, COMPARE_B, COMPARE_SIDES };

#define COMPARE_NONE AGGREGATE_ANY /* the side has no slice of the name */

struct compare_row {
    uint32_t name;
    uint32_t rows[COMPARE_SIDES]; /* of the tables, or COMPARE_NONE */
    uint32_t judged;              /* of `between`, when it is done */
};

struct compare {
    struct trace *trace;
    struct range ranges[COMPARE_SIDES]; /* copies */
    struct names_table sides[COMPARE_SIDES];
    /* of A in the order of its table, then those that A lacks */
    VEC(struct compare_row) rows;
    bool joined, done;      /* rows are known; verdicts are, too */
    struct between between; /* when it is done */
};

/* The question; the ranges are copied. It was zero. */
void compare_set(struct compare *compare, struct trace *trace, const struct range *a,
                 const struct range *b);
void compare_make(struct task *task, void *compare); /* its answer */
void compare_free(void *compare);
/* Whether counts and totals are of all slices. Percentiles, and with them verdicts, come later. */
bool compare_counted(const struct compare *compare);
unsigned compare_percent(const struct compare *compare);

/* Rows so far, and one of them; before they are joined, only those of A. */
uint64_t compare_rows(const struct compare *compare);
struct compare_row compare_row(const struct compare *compare, uint64_t row);
/* The numbers and the verdict of a row; NULL: it is not done. */
const struct between_row *compare_judged(const struct compare *compare, uint64_t row);
/* A number of a side so far; false: it has none. */
bool compare_value(const struct compare *compare, uint64_t row, enum compare_side side,
                   enum names_column column, int64_t *value);

#endif
