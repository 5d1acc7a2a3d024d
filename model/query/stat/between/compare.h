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

#define COMPARE_NONE UINT32_MAX /* the side has no slice of the name */

struct compare_row {
    uint32_t name;
    uint32_t rows[COMPARE_SIDES]; /* of the tables, or COMPARE_NONE */
    uint32_t judged;              /* of `between`, when it is done */
};

struct compare {
    struct trace *trace;
    struct range ranges[COMPARE_SIDES]; /* copies */
    struct names_table sides[COMPARE_SIDES];
    VEC(struct compare_row) rows, in_order; /* as they come; as they are when it is done */
    bool done;
    struct between between; /* when it is done */
    /* while it is not */
    enum compare_stage {
        COMPARE_COUNTING,
        COMPARE_NAMING_A,
        COMPARE_NAMING_B,
        COMPARE_JUDGING,
        COMPARE_CONTAINING,
        COMPARE_LINKING,
        COMPARE_PLACING,
        COMPARE_READY
    } stage;
    struct question asked; /* of B: its range is borrowed */
    struct between_contain contain;
    struct sort *sort;
    VEC(uint32_t) by_name;          /* name -> row + 1 */
    uint32_t joined[COMPARE_SIDES]; /* rows of the tables that have one */
    /* rows of `between` that are known to those here; rows of both tables in order */
    uint32_t linked, placed;
    unsigned turn; /* of the sides and of joining */
};

/* The ranges are copied. */
void compare_begin(struct compare *compare, struct trace *trace, const struct range *a,
                   const struct range *b);
/* frees in steps; true: done */
bool compare_free_step(struct compare *compare, struct budget *budget);
/* true: only compare_finish() is left */
bool compare_step(struct compare *compare, struct budget *budget);
void compare_finish(struct compare *compare); /* rows get other numbers */
/* Whether counts and totals are of all slices. Percentiles, and with them verdicts, come later. */
bool compare_counted(const struct compare *compare);
unsigned compare_percent(const struct compare *compare);

/* The numbers and the verdict of a row; NULL: it is not done. */
const struct between_row *compare_judged(const struct compare *compare, uint64_t row);
/* A number of a side so far; false: it has none. */
bool compare_value(const struct compare *compare, uint64_t row, enum compare_side side,
                   enum names_column column, int64_t *value);

#endif
