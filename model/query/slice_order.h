/* slice_order.h - the slices of a trace by their begin, track by track, in steps: the order for
 * sums of covered time.
 *
 * On a track slices come by start, and those that start together outermost first. So slices that
 * have a length come in nesting order (SEMANTICS 6.2), overlaps included. Slices of no length at
 * one time come in any order. Slices with a damaged time are left out, as in slice_iter.h.
 *
 * Times are ns relative to the reader's base. The iterator is valid until the trace changes. It
 * holds memory: a few words for each row of the current track, and the next slices of the row. */
#ifndef FXTOP_SLICE_ORDER_H
#define FXTOP_SLICE_ORDER_H

#include "model/query/slice_iter.h"

struct slice_order_row {
    uint32_t next, stop; /* of its buffer: the slices i to i + (stop - next); more may follow */
    uint32_t i, end;     /* numbers in the row: of `next`, and after the last slice of the set */
    int64_t reach;       /* end of the latest slice; INT64_MAX: it is open */
    size_t buffer;       /* place of its first slice in `slices` */
};

struct slice_order {
    const struct trace *trace;
    struct slice_set set; /* its filter is not used: the caller asks set.has for each slice */
    uint32_t track; /* the current one if nrows > 0, else the next; UINT32_MAX: there is none */
    uint32_t nrows; /* of the current track; 0: between two tracks */
    const struct lane *lanes;         /* of the current track */
    bool overlaps;                    /* rows are not nested: the heap merges them */
    uint32_t at;                      /* the row to look at next: below the latest slice */
    uint32_t drained;                 /* number of rows that are at their end, once row 0 is */
    VEC(struct slice_order_row) rows; /* as far as they were reached */
    VEC(struct slice) slices; /* buffers of these rows, no longer than the rows: they may be many */
    VEC(uint32_t) heap;       /* rows by (start of next, row) */
    bool moved;               /* slices of its first row were taken: it has another place now */
    uint64_t passed;          /* slices of all runs so far */
};

void slice_order_init(struct slice_order *order, const struct trace *trace,
                      const struct slice_set *set);
void slice_order_free(struct slice_order *order);

/* The next run of slices that follow each other in the order and on one row; run->n is 0 when a
 * track begins. False at the end, or if the task is over: then the next call continues. A run
 * costs one unit and one more for each two slices. */
bool slice_order_next(struct slice_order *order, struct task *task, struct slice_run *run);
static inline bool slice_order_done(const struct slice_order *order) {
    return order->track == UINT32_MAX;
}

/* ---- self time: which slice is the last in nesting order that covers ---- */

struct slice_order_covering { /* a slice that the slices so far leave something of */
    uint64_t of;              /* the caller's number */
    int64_t end;
};

/* Slices come on top by their begin; those that do not outlast the top are dropped, for nothing is
 * left of them. So ends fall towards the top, and each slice enters and leaves once.
 * Zero-initialised; the owner frees v. */
struct slice_order_stack {
    VEC(struct slice_order_covering) v;
    int64_t time; /* up to which time was given */
};

typedef void slice_order_give(void *ctx, uint64_t of, int64_t from, int64_t to); /* from < to */

/* Gives the time up to `until` to the slices that cover it. */
static inline void slice_order_until(struct slice_order_stack *stack, int64_t until,
                                     slice_order_give *give, void *ctx) {
    while (stack->v.n > 0) {
        const struct slice_order_covering *top = &stack->v.v[stack->v.n - 1];
        int64_t end = top->end < until ? top->end : until, from = stack->time;
        stack->time = end;
        if (from < end)
            give(ctx, top->of, from, end);
        if (end < top->end)
            return;
        stack->v.n--;
    }
    stack->time = until;
}

/* Gives the time up to the begin of a slice, and puts the slice on top. */
static inline void slice_order_put(struct slice_order_stack *stack, uint64_t of, int64_t start,
                                   int64_t end, slice_order_give *give, void *ctx) {
    slice_order_until(stack, start, give, ctx);
    while (stack->v.n > 0 && stack->v.v[stack->v.n - 1].end <= end)
        stack->v.n--;
    vec_push(&stack->v, ((struct slice_order_covering){of, end}));
}

#endif
