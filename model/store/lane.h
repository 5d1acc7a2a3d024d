/* lane.h - the slices of one row: sorted, never overlapping. Times: ns relative to the reader's base.
 *
 * Starts and ends are both sorted, so every question about a window is a binary search. Per 16 slices a block keeps the
 * first start, the busy time before it and its longest slice (20 bytes); per 16 blocks the start and the longest again,
 * and the longest so on: a question costs O(log n) whatever the window holds. Of slices that start at one time all but the
 * last have no length, and stand in file order. Blocks are added as slices come and dropped when a lane is cut.
 *
 * The slices lie in pieces: a pointer to one lasts until the lane grows, and only LANE_PIECE that begin at a multiple
 * of it are an array. */
#ifndef FXTOP_LANE_H
#define FXTOP_LANE_H

#include <stddef.h>

#include "model/store/slice.h"
#include "src/io/cache.h"

struct lane_index;

#define LANE_PIECE 4096u

struct lane {
    struct slice **pieces;    /* a short lane's only one is part of the same allocation */
    struct lane_index *index; /* NULL while short */
    struct cache_far *far;     /* NULL, or where they were kept (cache.h): then the lane does not change any more */
    struct slice *next, *stop; /* where the next slice goes; stop: it goes elsewhere, see lane_grow() */
    uint32_t n, cap;
    int64_t start,
        end; /* of the last slice, where nesting looks most; INT64_MIN without one, end INT64_MAX while open */
};

#define LANE_EMPTY ((struct lane){NULL, NULL, NULL, NULL, NULL, 0, 0, INT64_MIN, INT64_MIN})

struct slice *lane_at(const struct lane *lane, uint32_t i); /* i < n */

/* The slices from i on that are an array: *n of them. */
const struct slice *lane_array(const struct lane *lane, uint32_t i, uint32_t *n);

void lane_grow(struct lane *lane); /* room for more; for the two below */

/* One more at the end, which the caller fills; then lane_tail(). */
static inline struct slice *lane_extend(struct lane *lane) {
    if (lane->next == lane->stop)
        lane_grow(lane);
    lane->n++;
    return lane->next++;
}

static inline struct slice *lane_last(const struct lane *lane) { /* n > 0 */
    return lane->next ? lane->next - 1 : lane_at(lane, lane->n - 1);
}

/* After the last slice changed. */
static inline void lane_tail(struct lane *lane) {
    const struct slice *s = lane->n > 0 ? lane_last(lane) : NULL;
    lane->start = s ? s->start : INT64_MIN;
    lane->end = s ? slice_end(s) : INT64_MIN;
}

static inline void lane_push(struct lane *lane, const struct slice *slice) {
    *lane_extend(lane) = *slice;
    lane->start = slice->start;
    lane->end = slice_end(slice);
}

/* Brings the index up to date, so that no question has to: while what is new is still at hand. */
void lane_index(struct lane *lane);

#define LANE_BLOCK 16u /* slices of which the index knows something: 64 halve it, but then a column's busy time reads
                          twice as many cache lines as all else */

/* lane_push(), and the index is up to date if it was. */
static inline void lane_append(struct lane *lane, const struct slice *slice) {
    lane_push(lane, slice);
    if (lane->n % LANE_BLOCK == 1)
        lane_index(lane);
}

void lane_cut(struct lane *lane, uint32_t n); /* keeps the first n */
void lane_free(struct lane *lane);
size_t lane_bytes(const struct lane *lane);
void lane_walk(struct lane *lane, struct cache *cache);

/* First slice that starts at or after t; n where there is none. */
uint32_t lane_from(const struct lane *lane, int64_t t);
/* The slice that starts at t with its record at `offset`, or UINT32_MAX. */
uint32_t lane_find(const struct lane *lane, int64_t t, uint64_t offset);
/* Which of the lane's slices this one is, UINT32_MAX where it is none or NULL. */
uint32_t lane_place(const struct lane *lane, const struct slice *slice);
/* Last slice with start <= t, or UINT32_MAX. It need not reach t. */
uint32_t lane_before(const struct lane *lane, int64_t t);

/* Nanoseconds of [from, to) that slices cover; open slices reach to INT64_MAX. */
int64_t lane_busy(struct lane *lane, int64_t from, int64_t to);
/* Adds what lane_busy() says of each column [edges[c], edges[c + 1]), as a share of the column, to share[c]. */
void lane_busy_columns(struct lane *lane, const int64_t *edges, int columns, double *share);
/* The longest of the slices [i, j), the first of equals. i < j. */
uint32_t lane_longest(struct lane *lane, uint32_t i, uint32_t j);

/* A stretch of a row as it can be shown: one slice, or all that begin in one column and are too small to be told
 * apart. */
struct span {
    int64_t start, end; /* of the slice, unclipped; of the column where n > 1 */
    int64_t busy;       /* where n > 1: lane_busy() of the column */
    uint32_t first, n;  /* slices [first, first + n); lane_longest() knows the one to name */
    int column;         /* where it begins (of the window's columns; 0 for what began before) */
};

/* The spans of the window whose columns are [edges[c], edges[c + 1]), c < columns; at most 2 x columns. Slices that
 * touch the window (those of no length too) are each in exactly one span. Returns how many were written to out. */
size_t lane_spans(struct lane *lane, const int64_t *edges, int columns, struct span *out);

#endif
