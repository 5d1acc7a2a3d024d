/* slice_order.h - the slices of a trace by their begin, track by track, in steps: the order for sums of covered time.
 *
 * On a track slices come by start, and those that start together outermost first. So slices that have a length come in
 * nesting order (SEMANTICS 6.2), overlaps included. Slices of no length at one time come in any order. Slices with a
 * time that is far off are left out, as in slice_iter.h.
 *
 * Times are ns relative to the reader's base. The iterator is valid until the trace changes. It holds memory: a few
 * words for each row of the current track. */
#ifndef FXTOP_SLICE_ORDER_H
#define FXTOP_SLICE_ORDER_H

#include "model/query/slice_iter.h"

struct slice_order_row {
    const struct slice *next, *stop; /* in memory: slices i to i + (stop - next); more may follow */
    uint32_t i, end;                 /* numbers in the row: of `next`, and after the last slice of the set */
    int64_t reach;                   /* end of the latest slice; INT64_MAX: it is open */
};

struct slice_order {
    const struct trace *trace;
    struct slice_set set;             /* its names and filter are not used: they select slices for an aggregate */
    uint32_t track;                   /* the current one if nrows > 0, else the next; UINT32_MAX: there is none */
    uint32_t nrows;                   /* of the current track; 0: between two tracks */
    const struct lane *lanes;         /* of the current track */
    bool overlaps;                    /* rows are not nested: the heap merges them */
    uint32_t at;                      /* the row to look at next: below the latest slice */
    uint32_t drained;                 /* number of rows that are at their end, once row 0 is */
    VEC(struct slice_order_row) rows; /* as far as they were reached */
    VEC(uint32_t) heap;               /* rows by (start of next, row) */
};

void slice_order_init(struct slice_order *order, const struct trace *trace, const struct slice_set *set);
void slice_order_free(struct slice_order *order);

/* The next run of slices that follow each other in the order and on one row; run->n is 0 when a track begins. False at
 * the end, or if the budget is spent: then the next call continues. A run costs one unit and one more for each two
 * slices. */
bool slice_order_next(struct slice_order *order, struct budget *budget, struct slice_run *run);
static inline bool slice_order_done(const struct slice_order *order) {
    return order->track == UINT32_MAX;
}

#endif
