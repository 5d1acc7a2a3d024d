/* range.h - a stretch of time and a set of tracks: the part of the trace of which numbers are asked (SEMANTICS 6.10).
 *
 * A range that is not timed is of the whole trace, times that are far off left out; one without tracks is of all tracks.
 * Counts, totals and selves are of the part of slices within the range; durations are of whole slices. The end is
 * exclusive, unless it is the end of the trace. Times: ns relative to the reader's base. */
#ifndef FXTOP_RANGE_H
#define FXTOP_RANGE_H

#include "model/query/slice_iter.h"

struct range {
    bool timed;
    int64_t from, to; /* if timed: from <= to */
    bool to_end;      /* `to` was the end of the trace when it was set, and is included */
    struct track_set tracks;
};

void range_free(struct range *range);
/* Makes it timed, from the earlier of the two times to the later one. */
void range_set_time(struct range *range, const struct trace *trace, int64_t from, int64_t to);

/* The slices of the range: kinds is a set of enum slice_iter_kind. The set borrows the tracks. */
struct slice_set range_slices(const struct range *range, unsigned kinds);

/* The begin and the end of the range, cut to the trace. */
int64_t range_begin(const struct range *range, const struct trace *trace);
int64_t range_end(const struct range *range, const struct trace *trace);
/* Thread time: the length of the range, cut to the life of a thread (trace_life.h). A thread whose end is not known lives
 * to the end of the trace. */
int64_t range_thread_time(const struct range *range, const struct trace *trace, uint32_t thread);
/* The time that the thread ran in the range; -1: its scheduling is not in the trace. */
int64_t range_running(const struct range *range, const struct trace *trace, uint32_t thread);

#endif
