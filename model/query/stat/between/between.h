/* between.h - two traces, or two sets of runs, compared by the names of their slices, operations
 * and instants.
 *
 * A change counts if it is large and sure. It is large if p50 or p99 changed by the threshold and
 * by 1 us. It is also large if slices a time or the share of the span changed by BETWEEN_MORE, or
 * the threshold if that is more. Instants have nothing but their number. With one trace a side,
 * durations are compared by the U test of two_samples.h. It has to have p < 0.01 after the
 * correction of Benjamini and Hochberg. A change of p99 is sure if the intervals do not overlap,
 * one of numbers by a normal approximation. With several runs a side, the U test is over the values
 * of the runs, p < 0.05, from BETWEEN_RUNS runs on. One slice is large and sure by itself if it is
 * BETWEEN_FAR times as long as any of the other side. The difference has to be a
 * BETWEEN_SHARE of the span, and BETWEEN_MORE of the total. No test of many durations sees it. A
 * change a second or of a share is none if the lengths of the traces made it: as many slices, or as
 * much time, in a shorter run are not more of them. A name that contains changed ones owes its
 * change to the one whose own time changed most, the same way: `because`. If it has no verdict it
 * takes that of the changed name with the most, if that is slower or faster. Then the cause may be
 * any name that has most of the change. */
#ifndef FXTOP_BETWEEN_H
#define FXTOP_BETWEEN_H

#include "model/query/stat/between/trace_names.h"

#define BETWEEN_THRESHOLD 0.05 /* of p50 and p99, unless asked otherwise */
#define BETWEEN_MORE 0.10
#define BETWEEN_SURE 0.01 /* the p of durations below which a change is sure */
#define BETWEEN_LEAST_NS 1000
#define BETWEEN_ENOUGH_P99 300 /* durations a side for p99 */
#define BETWEEN_RUNS 4         /* a side */
/* of the span: names of one trace alone with less total time are left out */
#define BETWEEN_SHARE 0.001
#define BETWEEN_FAR 10       /* times as long */
#define BETWEEN_LENGTHS 0.01 /* lengths of traces differ if one is so much longer than another */

enum between_side { BETWEEN_A, BETWEEN_B, BETWEEN_SIDES };
/* The last is the worst, as a name has one verdict. CHANCE: durations changed by much, but by no
 * more than chance. FEW: a large change, but too few durations or runs to be sure. */
enum between_verdict {
    BETWEEN_SAME,
    BETWEEN_CHANCE,
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
    BETWEEN_SELF,
    BETWEEN_OF_SPAN,
    BETWEEN_P50,
    BETWEEN_P99,
    BETWEEN_LONGEST,
    BETWEEN_NUMBERS
};

struct between_row {
    const struct trace_names_row *like; /* of one of the traces that have the name */
    /* of one trace a side; NULL: it lacks the name */
    const struct trace_names_row *of[BETWEEN_SIDES];
    /* of several runs their median; of the longest slice the greatest */
    double values[BETWEEN_NUMBERS][BETWEEN_SIDES];
    uint64_t ended[BETWEEN_SIDES]; /* in all runs */
    bool has[BETWEEN_SIDES];       /* a run has the name */
    bool tested;
    double p; /* of the durations or of the runs' p50, corrected; if it is tested */
    bool sure_p99;
    /* P99, LONGEST, and OF_SPAN of runs: slower or faster is of this number, not of p */
    enum between_number decided;
    struct between_open {
        uint64_t n;     /* slices without an end, of the run that has the longest of them */
        int64_t lasted; /* that one, so far */
        int64_t most;   /* the longest that ended, of all runs */
    } open[BETWEEN_SIDES];
    enum between_verdict verdict;
    /* the row that it contains and that has changed; BETWEEN_NO_ROW: it has changed itself */
    uint32_t because;
};
#define BETWEEN_NO_ROW UINT32_MAX

struct between {
    VEC(struct trace_names) runs[BETWEEN_SIDES];
    double threshold;          /* 0.05: 5 % */
    VEC(struct between_row) v; /* the greatest change of the total first */
    size_t counts[BETWEEN_VERDICTS];
    size_t unsure;    /* a row + 1: it is in doubt for a slice without an end; 0: none */
    unsigned percent; /* about, while it is made */
};

/* Makes the rows; the runs and the threshold are set, and belong to it. */
void between_make(struct task *task, struct between *between);
void between_compare(struct between *between); /* all of it at once */
/* Gives verdicts to the names that contain changed ones in the last run of B, and names causes.
 * Then counts are known. The question is borrowed. */
void between_contain_make(struct task *task, struct between *between, struct trace *trace,
                          const struct question *asked);
/* all at once */
void between_contain(struct between *between, struct trace *trace, const struct question *asked);
/* Whether names that are gone may be causes. If so, the names around them are found in the last run
 * of A, after between_contain_make(). */
bool between_wants_gone(const struct between *between);
void between_gone_make(struct task *task, struct between *between, struct trace *trace,
                       const struct question *asked);
void between_free(struct between *between);
/* Whether any change is reported: slower, faster, more, fewer, new, gone. */
static inline bool between_changed(const struct between_row *row) {
    return row->verdict > BETWEEN_FEW;
}
/* Whether a side has several runs, of which numbers are medians. */
static inline bool between_of_runs(const struct between *between) {
    return between->runs[BETWEEN_A].n > 1 || between->runs[BETWEEN_B].n > 1;
}
void between_count(struct between *between); /* verdicts, once they are known */
static inline double between_by(const struct between_row *row, enum between_number number) {
    return row->values[number][BETWEEN_B] - row->values[number][BETWEEN_A];
}
/* From A to B as a part of A; false: A has none. */
bool between_change(const struct between_row *row, enum between_number number, double *change);
const char *between_word(enum between_verdict verdict);
/* The verdict for a reader: "slower", or "slower (p99)" if p did not decide. */
const char *between_said(const struct between_row *row, char buf[32]);
/* "1 slice of request has no end and has lasted 5.000 ms: longer than all that ended": B may be
 * slower than its verdicts say. NULL: they are sure. */
const char *between_unsure(const struct between *between, bool ascii,
                           char buf[SLICE_ITER_OPEN_TEXT]);
/* "B: 1 slice with a damaged time is left out", of the first run that has one; NULL: none has. */
const char *between_left_out(const struct between *between, char buf[SLICE_ITER_OPEN_TEXT]);
/* A sentence on how numbers of traces of different lengths are compared; NULL: all are about as
 * long. */
const char *between_lengths(const struct between *between);

#endif
