/* compare.h - two ranges compared by the names of their slices: what became slower, faster, more, new, or is gone.
 *
 * Each side is a names_table.h of its range; a row is a name that one of them has. A total is compared by its share of
 * the thread time, because ranges differ in length. Percentiles are compared by their ratio, counts by the time.
 * Slower and faster mean that p50 or p99 changed by COMPARE_NOTABLE or more. Both sides need COMPARE_ENOUGH slices for
 * that, and COMPARE_ENOUGH_P99 for the p99, which is one slice of fewer. It belongs to one version of the
 * trace. Times: ns. */
#ifndef FXTOP_COMPARE_H
#define FXTOP_COMPARE_H

#include "model/query/stat/names_table.h"

enum compare_side { COMPARE_A, COMPARE_B, COMPARE_SIDES };
enum compare_column { COMPARE_COUNT, COMPARE_TOTAL, COMPARE_P50, COMPARE_P99 };

#define COMPARE_NONE UINT32_MAX /* the side has no slice of the name */
#define COMPARE_NOTABLE 500     /* ten-thousandths */
#define COMPARE_MORE 2000       /* of counts */
#define COMPARE_ENOUGH 20       /* slices that have ended */
#define COMPARE_ENOUGH_P99 100

enum compare_verdict { /* a set of bits */
                       COMPARE_NEW = 1,
                       COMPARE_GONE = 2,
                       COMPARE_SLOWER = 4,
                       COMPARE_FASTER = 8, /* with SLOWER: p50 and p99 disagree */
                       COMPARE_MORE_OF = 16,
                       COMPARE_LESS_OF = 32,
                       COMPARE_FEW = 64, /* too few to say slower or faster */
};
#define COMPARE_CHANGED (COMPARE_FEW - 1)

struct compare_row {
    uint32_t name;
    uint32_t rows[COMPARE_SIDES]; /* of the tables, or COMPARE_NONE */
    unsigned verdict;             /* a set of enum compare_verdict; 0 until the comparison is done */
};

struct compare_counts { /* of rows by their verdict */
    uint32_t changed, new, gone;
    uint32_t slower, faster, mixed; /* mixed: slower and faster */
};

struct compare {
    struct trace *trace;
    struct range ranges[COMPARE_SIDES]; /* copies */
    struct names_table sides[COMPARE_SIDES];
    VEC(struct compare_row) rows, in_order; /* as they come; as they are when it is done */
    bool done;
    struct compare_counts counts; /* when it is done */
    /* while it is not */
    VEC(uint32_t) by_name;          /* name -> row + 1 */
    uint32_t joined[COMPARE_SIDES]; /* rows of the tables that have one */
    uint32_t placed;                /* rows of both tables that were put in order */
    unsigned turn;                  /* of the sides and of joining */
};

/* The ranges are copied; has and ctx: a filter of slices as in names_table.h, or NULL. */
void compare_begin(struct compare *compare, struct trace *trace, const struct range *a, const struct range *b,
                   bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i), void *ctx);
bool compare_free_step(struct compare *compare, struct budget *budget); /* frees in steps; true: done */
bool compare_step(struct compare *compare, struct budget *budget); /* true: only compare_finish() is left */
void compare_finish(struct compare *compare);                      /* rows get other numbers */
/* Whether counts and shares are of all slices. Percentiles, and with them verdicts, come later. */
bool compare_counted(const struct compare *compare);
unsigned compare_percent(const struct compare *compare);

/* A number of a side: a count, a share in ten-thousandths, a duration; false: it has none. */
bool compare_value(const struct compare *compare, uint32_t row, enum compare_side side, enum compare_column column,
                   int64_t *value);
/* From A to B: of shares the difference, else the difference as a part of A, in ten-thousandths; of counts that of
 * slices a time. False: one side has no such number, or A's is 0. */
bool compare_change(const struct compare *compare, uint32_t row, enum compare_column column, int64_t *change);
/* "slower, more", "new", "": as tables show it. Returns buf. */
const char *compare_verdict_text(unsigned verdict, char buf[40]);

#endif
