/* search.h - events that a filter holds for (filter/filter_match.h).
 *
 * If the filter is about names alone, each name is matched once, and events by their name's number.
 * Else each event is evaluated once, and the result kept in a bit. Hits are in (time, thread, row)
 * order: slices, async operations and the instants of both, or whatever kinds the filter asks for.
 * Times are ns relative to the reader's base. */
#ifndef FXTOP_SEARCH_H
#define FXTOP_SEARCH_H

#include "model/query/filter.h"
#include "model/query/slice_iter.h"

struct search;

/* A hit: a slice (row < rows) or an instant (row == SEARCH_INSTANT) of a thread; or one of
 * other series, by its track (slice_iter.h): SEARCH_ASYNC + the index of a group. */
#define SEARCH_INSTANT SLICE_ITER_INSTANT_ROW
#define SEARCH_ASYNC SLICE_ITER_ASYNC
struct hit {
    uint32_t thread, row, i;
    int64_t time;
};

/* pattern, exact: as of filter_new(). NULL: a fault of the grammar, with one line in err. */
struct search *search_new(struct trace *trace, const char *pattern, bool exact, struct err *err);
/* takes the filter over; NULL for NULL */
struct search *search_of(struct trace *trace, struct filter *filter);
void search_free(struct search *search);
const char *search_pattern(const struct search *search);
const struct filter *search_filter(const struct search *search);
char *search_typed(const struct search *search); /* filter_typed() */

/* filter_match_fault() of a search that is counted, or has found nothing. */
const char *search_fault(const struct search *search, char line[FILTER_FAULT]);
/* Whether names alone decide, whatever the place of an event. */
bool search_by_name(const struct search *search);
/* for events of any of them: enum slice_iter_kind */
bool search_asks(const struct search *search, unsigned kinds);
/* Whether a slice, an operation or an instant is drawn as a hit. If the filter asks for more than
 * names, its series has to be counted first. */
bool search_draws(const struct search *search, uint32_t track, uint32_t row, uint32_t i,
                  uint32_t name);

/* Begins to look for the nearest hit after (or before) `at` in (time, thread, row, i) order. wrap:
 * goes on at the other end of the trace. at.thread = UINT32_MAX: from that time on (or up to it),
 * inclusive. */
void search_begin(struct search *search, struct hit at, bool forward, bool wrap);
/* A step of it, after which the trace has not changed since search_begin(). FOUND: *hit and
 * *wrapped are set. */
enum search_state { SEARCH_GOES_ON, SEARCH_FOUND, SEARCH_NONE };
enum search_state search_step(struct search *search, struct task *task, struct hit *hit,
                              bool *wrapped);
/* of the trace that it has looked through: 0 to 99 */
unsigned search_percent(const struct search *search);
/* All of it at once, if there is time. wrapped NULL: it does not wrap. False: no hit. */
static inline bool search_next(struct search *search, struct hit at, bool forward, struct hit *hit,
                               bool *wrapped) {
    bool around = false;
    search_begin(search, at, forward, wrapped != NULL);
    bool found = search_step(search, NULL, hit, &around) == SEARCH_FOUND;
    if (wrapped)
        *wrapped = found && around;
    return found;
}

/* A step of counting; true: all are counted. Counting starts again when the trace changes. */
bool search_count(struct search *search, struct task *task, uint64_t *total);

/* Hit k of all, from 0, in the order of tracks, rows and entries, once all are counted; false:
 * there is none. */
bool search_at(struct search *search, uint64_t k, struct hit *hit, struct slice_series *series);
/* Finds the threads with hits that are points of flows, which search_has() then knows, after all
 * are counted. A step returns true if there is no more to do. */
bool search_flow_threads_step(struct search *search, struct task *task);
/* Whether a track (slice_iter.h) holds a counted hit; a thread holds the points of flows on it,
 * too. */
bool search_has(const struct search *search, uint32_t track);
/* Whether one series of it does. A track may have as many of them as the trace has slices. */
bool search_has_in(const struct search *search, const struct slice_series *series);

/* The counted hit nearest to moment i of a track, i included: from there on (d > 0) or before it.
 * Moments are instants of a thread or an async group, samples and log records. UINT32_MAX: none. */
uint32_t search_moment_along(struct search *search, uint32_t track, uint32_t i, int d);

/* The rank of `hit` among all hits in that order, from 1; 0: it is not known yet, or it is no hit.
 * A step returns true if there is no more to do: it is known, or not all hits are counted yet. A
 * hit that search_step() found next to one of known rank has its rank at once. */
bool search_rank_step(struct search *search, const struct hit *hit, struct task *task);
uint64_t search_rank(const struct search *search, const struct hit *hit);

/* Flags for each column [edges[c], edges[c + 1]) in which a hit begins, among the series that are
 * counted; for the overview. A step returns true if there is no more to do, and sets *news when
 * they are complete. The flags are those of the last edges that were completed, or of the first
 * while they are made; NULL: not so many columns. Valid until the next step. */
bool search_columns_step(struct search *search, const int64_t *edges, int columns,
                         struct task *task, bool *news);
const unsigned char *search_columns(const struct search *search, int columns);

#endif
