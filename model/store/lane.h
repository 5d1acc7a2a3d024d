/* lane.h - the slices of one row: sorted, never overlapping. Times: ns relative to the reader's
 * base.
 *
 * Starts and ends are both sorted, so every question about a window is a binary search. If slices
 * start at one time, all but the last have no length; these are in file order.
 *
 * Blocks of 16 slices are packed (pack.h), to about half of their bytes, and indexed. A few slices
 * at the end, the tail, are kept as they are. Slices are given as copies; only the last one may
 * still change, in place.
 *
 * The block index has 24 bytes per block: the first start, the busy time before it, where it is
 * packed, the name that covers most (vote.h). All but the busy times are indexed again per 16
 * blocks and further up, with the longest slice. So a question costs O(log n), whatever the window
 * holds. Blocks are added as slices come, and unpacked when a lane is cut.
 *
 * A lane from the index cache is not in memory: reading a slice, and so drawing, may read the file,
 * check a block of it and find damage (src/io/cache.h). */
#ifndef FXTOP_LANE_H
#define FXTOP_LANE_H

#include <stddef.h>

#include "model/store/slice.h"
#include "src/io/cache.h"

struct lane_index;

/* Slices in a block. 64 would halve the index, but then the busy time of a column reads twice as
 * many cache lines as all else together. */
#define LANE_BLOCK 16u

#define LANE_PIECE 4096u /* about so many slices are freed at once */

struct lane {
    struct slice *tail;        /* the slices [first, n) */
    struct slice *next, *stop; /* where the next slice goes; at `stop`, call lane_grow() first */
    struct lane_index *index;  /* the slices before `first`; NULL: there are none */
    uint32_t n, first;         /* first: a multiple of LANE_BLOCK */
    int64_t start, end; /* of the last slice; INT64_MIN without one; end: INT64_MAX while endless */
};

#define LANE_EMPTY ((struct lane){NULL, NULL, NULL, NULL, 0, 0, INT64_MIN, INT64_MIN})

struct slice lane_slice(const struct lane *lane, uint32_t i); /* i < n */
/* Points to a copy of slice i, which lasts as long as the block of code that asks for it. */
#define lane_at(lane, i) ((const struct slice[1]){lane_slice((lane), (i))})
/* Copies the slices [i, i + n). */
void lane_copy(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to);
/* lane_copy() for sums, in half of the time: only names and times hold (pack_read_times()). */
void lane_copy_times(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to);
/* of the slices [i, i + n) */
void lane_starts(const struct lane *lane, uint32_t i, uint32_t n, int64_t *to);
int64_t lane_start(const struct lane *lane, uint32_t i); /* of slice i */
int64_t lane_dur(const struct lane *lane, uint32_t i);   /* slice_dur() */
void lane_prefetch(const struct lane *lane, uint32_t i);

void lane_grow(struct lane *lane); /* makes space; called by the two below */

/* Adds a slice at the end, which the caller fills; then call lane_tail(). */
static inline struct slice *lane_extend(struct lane *lane) {
    if (lane->next == lane->stop)
        lane_grow(lane);
    lane->n++;
    return lane->next++;
}

static inline struct slice *lane_last(const struct lane *lane) { /* n > 0 */
    return lane->tail + (lane->n - 1 - lane->first);
}

/* After the last slice changed. */
static inline void lane_tail(struct lane *lane) {
    const struct slice *s = lane->n > 0 ? lane_last(lane) : NULL;
    lane->start = s ? s->start : INT64_MIN;
    lane->end = s ? slice_end(s) : INT64_MIN;
}

/* After slices were stored at `next`. */
static inline void lane_count(struct lane *lane) {
    lane->n = lane->first + (uint32_t)(lane->next - lane->tail);
    lane_tail(lane);
}

static inline void lane_push(struct lane *lane, const struct slice *slice) {
    *lane_extend(lane) = *slice;
    lane->start = slice->start;
    lane->end = slice_end(slice);
}

/* Packs and indexes the blocks of the tail but for the last slices: while they are in the CPU
 * cache. Pointers into the tail are invalid after it. */
void lane_index(struct lane *lane);

void lane_cut(struct lane *lane, uint32_t n); /* keeps the first n */
void lane_free(struct lane *lane);
size_t lane_bytes(const struct lane *lane);
void lane_walk(struct lane *lane, struct cache *cache);

/* First slice that starts at or after t; n if there is none. */
uint32_t lane_from(const struct lane *lane, int64_t t);
/* lane_from() of n rising times, for a lane with an index that is up to date. */
void lane_froms(const struct lane *lane, const int64_t *t, int n, uint32_t *first);
/* The slice that starts at t with its record at `offset`, or UINT32_MAX. */
uint32_t lane_find(const struct lane *lane, int64_t t, uint64_t offset);
/* The number of the slice that starts when this one does, with the same record; UINT32_MAX if there
 * is none, or NULL. */
uint32_t lane_place(const struct lane *lane, const struct slice *slice);
/* Last slice with start <= t, or UINT32_MAX. It need not reach t. */
uint32_t lane_before(const struct lane *lane, int64_t t);

/* Nanoseconds of [from, to) that slices cover; open slices reach to INT64_MAX. */
int64_t lane_busy(struct lane *lane, int64_t from, int64_t to);
/* Adds lane_busy() of each column [edges[c], edges[c + 1]), as a share of the column, to
 * share[c]. */
void lane_busy_columns(struct lane *lane, const int64_t *edges, int columns, double *share);
/* The longest of the slices [i, j), the first of equals. i < j. */
uint32_t lane_longest(struct lane *lane, uint32_t i, uint32_t j);

#define LANE_NO_NAME EVENT_NAME_MAX

uint32_t lane_name(const struct lane *lane, uint32_t i); /* slice_name() of slice i */

/* Whether one of the slices [i, i + n) has this name, or does not hold its name. Reads names
 * alone. */
bool lane_has_name(const struct lane *lane, uint32_t i, uint32_t n, uint32_t name);

/* lane_busy() of a column. *name is the number of the name that covers most of it: never one that
 * covers less than half, and always one that covers three quarters or more; else LANE_NO_NAME. A
 * slice of 4.5 years does not hold its name and counts as without. */
int64_t lane_column(struct lane *lane, int64_t from, int64_t to, uint32_t *name);

/* A stretch of a row on the screen: one slice, or all slices that begin in one column and are too
 * small to be shown by themselves. */
struct span {
    int64_t start, end; /* of the slice, unclipped; if n > 1, of the column */
    int64_t busy;       /* lane_busy() of the column, if n > 1 */
    uint32_t first, n;  /* slices [first, first + n); lane_longest() gives the one to name */
    int column;         /* of the window, in which it begins; 0 if it began before */
    bool reached_in;    /* n > 1: the first slice began before the column, which is the first one */
    bool reaches_out;   /* n > 1: the slice after the last one begins in the column, too */
};

/* The name of a span with n > 1, as lane_column() has it. */
uint32_t lane_span_name(const struct lane *lane, const struct span *span);

/* The spans of the window whose columns are [edges[c], edges[c + 1]), c < columns; at most 2 x
 * columns. Each slice that touches the window, also one of no length, is in exactly one span.
 * Returns the number of spans written to out. */
size_t lane_spans(struct lane *lane, const int64_t *edges, int columns, struct span *out);

#endif
