/* search.h - events by name: a smart-case literal, or /re/ a POSIX extended regular expression; names are few, events
 * are many, so names are matched once (and again only the new ones while loading) and events by their name's number.
 *
 * Smart case: upper and lower case are the same unless the pattern has an upper-case ASCII letter. Hits are slices,
 * async operations and the instants of both whose name matches, in (time, thread, row) order. */
#ifndef FXTOP_SEARCH_H
#define FXTOP_SEARCH_H

#include "model/query/filter.h"
#include "model/query/slice_iter.h"

struct search;

/* What is found: a slice (row < rows) or an instant (row == SEARCH_INSTANT) of a thread, or those of async operations
 * (thread is SEARCH_ASYNC + the place of their group). */
#define SEARCH_INSTANT SLICE_ITER_INSTANT_ROW
#define SEARCH_ASYNC SLICE_ITER_ASYNC
struct hit {
    uint32_t thread, row, i;
    int64_t time;
};

/* pattern "abc" or "/a.c/" (the closing slash may be missing); exact: the whole name equals pattern, whatever it is.
 * Fails in one line on a bad regular expression. An empty pattern is an error. */
struct search *search_new(struct trace *trace, const char *pattern, bool exact, struct err *err);
void search_free(struct search *search);
const char *search_pattern(const struct search *search);

bool search_name(struct search *search, uint32_t name); /* does this name match? O(1) after the first time */

/* The nearest hit after (or before) `at` in (time, thread, row, i) order; wraps around the trace when `wrapped` is not
 * NULL, and says so. at.thread = UINT32_MAX: from that time on (or up to it), inclusive. False where nothing
 * matches. */
bool search_next(struct search *search, struct hit at, bool forward, struct hit *hit, bool *wrapped);

/* Counting goes on in steps; true when all are counted (again after more was loaded). */
bool search_count(struct search *search, struct budget *budget, uint64_t *total);
/* Where `hit` stands among all hits in that order, from 1; 0 while not all are counted, and of what is none. */
uint64_t search_rank(struct search *search, const struct hit *hit);
/* Does any hit begin in [edges[c], edges[c + 1])? For the row of hits under the overview: fills `columns` flags. Says
 * yes only for a hit that is there, and no for those that search_count() has not come to yet. */
void search_columns(struct search *search, const int64_t *edges, int columns, unsigned char *flags);

#endif
