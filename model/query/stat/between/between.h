/* between.h - two traces, or two sets of runs, compared by the names of their slices and operations.
 *
 * A change counts if it is large and sure. It is large if p50 or p99 changed by the threshold and by 1 us. It is also
 * large if slices a time or the share of the span changed by BETWEEN_MORE, or the threshold if that is more.
 * With one trace a side, durations are compared by the U test of two_samples.h. It has to have p < 0.01 after the
 * correction of Benjamini and Hochberg. A change of p99 is sure if the intervals do not overlap, one of numbers by a
 * normal approximation. With several runs a side, the U test is over the values of the runs, p < 0.05, from
 * BETWEEN_RUNS runs on.
 * A name without a verdict takes that of a changed name which it contains, if it moved the same way. */
#ifndef FXTOP_BETWEEN_H
#define FXTOP_BETWEEN_H

#include "model/query/stat/between/trace_names.h"

#define BETWEEN_MORE 0.10
#define BETWEEN_LEAST_NS 1000
#define BETWEEN_ENOUGH 8       /* durations a side for the U test */
#define BETWEEN_ENOUGH_P99 300 /* durations a side for p99 */
#define BETWEEN_RUNS 4         /* a side */
#define BETWEEN_SHARE 0.001    /* of the span: names of one trace alone with less total time are left out */

enum between_side { BETWEEN_A, BETWEEN_B, BETWEEN_SIDES };
/* Worst first, as a name has one verdict. FEW: a large change, but too few durations or runs to be sure. */
enum between_verdict {
    BETWEEN_SAME,
    BETWEEN_FEW,
    BETWEEN_GONE,
    BETWEEN_FEWER,
    BETWEEN_FASTER,
    BETWEEN_NEW,
    BETWEEN_MORE_OF,
    BETWEEN_SLOWER,
    BETWEEN_VERDICTS
};
enum between_number {
    BETWEEN_COUNT,
    BETWEEN_RATE,
    BETWEEN_TOTAL,
    BETWEEN_OF_SPAN,
    BETWEEN_P50,
    BETWEEN_P99,
    BETWEEN_NUMBERS
};

struct between_row {
    const struct trace_names_row *like;            /* of one of the traces that have the name */
    double values[BETWEEN_NUMBERS][BETWEEN_SIDES]; /* of several runs their median */
    uint64_t ended[BETWEEN_SIDES];                 /* in all runs */
    bool has[BETWEEN_SIDES];                       /* a run has the name */
    bool tested;
    double p; /* of the durations or of the runs' p50, corrected; if it is tested */
    bool sure_p99;
    enum between_verdict verdict;
    uint32_t because; /* the row that it contains and that has changed; BETWEEN_NO_ROW: it has changed itself */
};
#define BETWEEN_NO_ROW UINT32_MAX

struct between {
    VEC(struct trace_names) runs[BETWEEN_SIDES];
    double threshold;          /* 0.05: 5 % */
    VEC(struct between_row) v; /* the greatest change of the total first */
    size_t counts[BETWEEN_VERDICTS];
};

/* The runs and the threshold are set, and belong to it. */
void between_compare(struct between *between);
/* Gives verdicts to the names that contain changed ones in the last run of B, a complete trace. Then counts are known.
 */
void between_contain(struct between *between, struct trace *trace, const struct question *asked);
void between_free(struct between *between);
/* From A to B as a part of A; false: A has none. */
bool between_change(const struct between_row *row, enum between_number number, double *change);
const char *between_word(enum between_verdict verdict);

#endif
