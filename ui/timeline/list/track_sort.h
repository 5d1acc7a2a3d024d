/* track_sort.h - puts processes or threads in an order of the list of tracks, in steps.
 *
 * 100,000 names take 100 ms, which no key waits for. Equal ones stay as they were. The trace and
 * the lives of its threads must not change between two steps. */
#ifndef FXTOP_TRACK_SORT_H
#define FXTOP_TRACK_SORT_H

#include "src/base/quantiles.h"
#include "ui/timeline/list/track_order.h"

struct track_sort_name;

struct track_sort_ties { /* v[first, first + n): equal in the first `skip` bytes of their names */
    size_t first, n, skip;
};

struct track_sort {
    enum track_order order;
    bool processes;                /* else threads */
    VEC(uint32_t) numbers;         /* as they were at the begin; a place is an index of it */
    VEC(uint32_t) v;               /* places; at the end numbers in order */
    size_t named;                  /* names that are known */
    struct track_sort_name *names; /* by place; NULL: sorted by times */
    struct quantiles values;       /* of the stretch `now`; ids: places */
    struct track_sort_ties now;
    VEC(struct track_sort_ties) waiting; /* to be sorted by the next bytes */
    bool done;
};

/* Begins to sort numbers of processes or threads. */
void track_sort_begin(struct track_sort *sort, enum track_order order, bool processes,
                      const uint32_t *numbers, size_t n);
/* Sorts until the budget is spent; true: sort->v is in order. lives: of all threads. */
bool track_sort_step(struct track_sort *sort, struct trace *trace, const struct track_lives *lives,
                     struct budget *budget);
void track_sort_free(struct track_sort *sort);
/* Sorts v[0..n), numbers of processes or of threads, at once. */
void track_sort_all(enum track_order order, bool processes, struct trace *trace,
                    const struct track_lives *lives, uint32_t *v, size_t n);
/* Whether the order is that of the numbers. */
bool track_sort_needless(enum track_order order, const struct trace *trace);

#endif
