/* search.h - events whose name matches a filter (filter.h).
 *
 * Names are few and events are many: each name is matched once, and events by their name's number. While loading only
 * new names are matched. Hits are slices, async operations and the instants of both, in (time, thread, row) order.
 * Times are ns relative to the reader's base. */
#ifndef FXTOP_SEARCH_H
#define FXTOP_SEARCH_H

#include "model/query/name_set.h"
#include "model/query/slice_iter.h"

struct search;

/* A hit: a slice (row < rows) or an instant (row == SEARCH_INSTANT) of a thread, or those of async operations (thread
 * is SEARCH_ASYNC + the index of their group). */
#define SEARCH_INSTANT SLICE_ITER_INSTANT_ROW
#define SEARCH_ASYNC SLICE_ITER_ASYNC
struct hit {
    uint32_t thread, row, i;
    int64_t time;
};

/* pattern, exact: as of filter_new(). NULL: a fault of the grammar, with one line in err. */
struct search *search_new(struct trace *trace, const char *pattern, bool exact, struct err *err);
void search_free(struct search *search);
const char *search_pattern(const struct search *search);

bool search_name(struct search *search, uint32_t name); /* whether a name matches; O(1) after the first time */

/* The nearest hit after (or before) `at` in (time, thread, row, i) order. If `wrapped` is not NULL, the search
 * continues at the other end of the trace and *wrapped is whether it did. at.thread = UINT32_MAX: from that time on (or
 * up to it), inclusive. False: no hit. */
bool search_next(struct search *search, struct hit at, bool forward, struct hit *hit, bool *wrapped);

/* A step of counting; true: all are counted. Counting starts again when the trace changes. */
bool search_count(struct search *search, struct budget *budget, uint64_t *total);
/* The rank of `hit` among all hits in that order, from 1; 0: not all are counted yet, or it is no hit. */
uint64_t search_rank(struct search *search, const struct hit *hit);
/* Sets flags[c] for each column [edges[c], edges[c + 1]) in which a hit begins, among the hits counted so far; for the
 * overview. */
void search_columns(struct search *search, const int64_t *edges, int columns, unsigned char *flags);

#endif
