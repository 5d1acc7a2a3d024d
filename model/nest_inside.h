/* nest_inside.h - inside of the nest, for nest.c (events one by one), postorder.c (many at once) and settle.c (those
 * that come late) only.
 *
 * Where a function asks about the last slice of a row, the row must have one. Times are ns relative to the reader's
 * base. */
#ifndef FXTOP_NEST_INSIDE_H
#define FXTOP_NEST_INSIDE_H

#include "model/nest.h"

/* The next event in file order, at once or into `late`: a slice that begins there; an end as one with the end's time,
 * offset and name. */
void nest_take(struct nest *nest, const struct nest_aside *aside, enum nest_event event, struct slice *x);
/* The same of a run of fresh ones. */
void nest_one_by_one(struct nest *nest, const struct nest_aside *aside, struct slice *v, size_t n);

/* A run of fresh events in the order of their ends, 0 < n <= NEST_FRESH, where nothing is late. False: they are not,
 * and nothing has changed. */
bool postorder_place(struct nest *nest, const struct nest_aside *aside, struct slice *v, uint32_t n);

struct lane *nest_add_row(struct nest *nest);

/* Pushes x, which must come behind all that is placed in nesting order, on the row below what contains it, and gives it
 * its parent and flags. hope: an open one may stand in what ends. */
void nest_place(struct nest *nest, const struct nest_aside *aside, struct slice *x, bool hope);

/* The two halves of nest_settle(): what waits in `late` (may be left there unless `all`), ... */
void settle_late(struct nest *nest, const struct nest_aside *aside, bool all);
/* ... and, when all was read, open slices that hoped to end inside what ends: placed again as ones that outlast it. */
void settle_hope(struct nest *nest, const struct nest_aside *aside);

/* The last slice of a row. */
static inline struct slice *nest_tail(const struct nest *nest, uint32_t row) {
    return lane_at(&nest->lanes[row], nest->lanes[row].n - 1);
}

static inline bool nest_flagged(const struct slice *s, enum slice_flag flag) {
    return (s->b >> 60 & flag) != 0;
}

/* When an event that is on its way ends. */
static inline int64_t nest_event_end(const struct slice *x) {
    return nest_flagged(x, SLICE_COMPLETE) ? x->start + x->dur : x->start;
}

/* Of rule (1): begins, ends and completes of no length nest as a stack does. */
static inline bool nest_of_stack(const struct slice *s) {
    return !nest_flagged(s, SLICE_COMPLETE) || s->dur == 0;
}

/* Is the name of an end (0: none) another than that of its begin? */
static inline bool nest_name_differs(const struct slice *begin, uint32_t end_name) {
    return end_name != 0 && slice_name(begin) != (end_name < SLICE_NAME_MAX ? end_name : SLICE_NAME_MAX);
}

static inline void nest_add_stray(struct nest *nest, int64_t time, uint64_t offset) {
    vec_push(&nest->strays, ((struct nest_stray){time, offset}));
}

/* When the parent of a row's last slice ends; INT64_MAX where it has none. */
static inline int64_t nest_parent_end(const struct nest *nest, const struct nest_aside *aside, uint32_t row) {
    const struct slice *s = nest_tail(nest, row);
    uint32_t parent = slice_parent(s), parent_row = row - 1;
    if (parent == SLICE_NO_PARENT)
        return INT64_MAX;
    if (nest_flagged(s, SLICE_DISPLACED))
        nest_parent(nest, aside, row, nest->lanes[row].n - 1, &parent_row, &parent);
    const struct lane *lane = &nest->lanes[parent_row];
    return parent == lane->n - 1 ? lane->end : slice_end(lane_at(lane, parent));
}

#endif
