/* range.h - a stretch of time and a set of tracks: the part of the trace of which numbers are asked
 * (SEMANTICS 6.10).
 *
 * A range that is not timed is of the whole trace, times that are far off left out; one without
 * tracks is of all tracks. Counts, totals and selves are of the part of slices within the range;
 * durations are of whole slices. The end is exclusive, unless it is the end of the trace. Times: ns
 * relative to the reader's base. */
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
void range_copy(struct range *to, const struct range *from); /* what `to` had is freed */
/* Whether numbers are of less than the whole trace. */
static inline bool range_any(const struct range *range) {
    return range->timed || range->tracks.v.n > 0;
}
/* Whether a track is in it, by its number in slice_iter.h; whether a time is. */
static inline bool range_has_track(const struct range *range, uint32_t track) {
    return range->tracks.v.n == 0 || track_set_has(&range->tracks, track);
}
static inline bool range_has_time(const struct range *range, int64_t t) {
    return !range->timed ||
           (t >= range->from && (t < range->to || (range->to_end && t == range->to)));
}
/* Whether a stretch [from, to) overlaps it in time; one of no length: whether its time is in it. */
static inline bool range_overlaps(const struct range *range, int64_t from, int64_t to) {
    return range_has_time(range, from) || (range->timed && from < range->from && to > range->from);
}
/* About how many slices and operations are in it, of a set of kinds: for the progress of work. */
uint64_t range_slices_about(const struct range *range, const struct trace *trace, unsigned kinds);
/* Its tracks in two parts with about as many slices of these kinds each. The parts depend on the
 * trace alone. False: it has too few or too many tracks for that. */
bool range_split(const struct range *range, const struct trace *trace, unsigned kinds,
                 struct track_set parts[2]);
/* Makes it timed, from the earlier of the two times to the later one. */
void range_set_time(struct range *range, const struct trace *trace, int64_t from, int64_t to);

/* Its first half and its second one. The previous contents of both are freed. */
void range_halves(const struct range *range, const struct trace *trace, struct range *a,
                  struct range *b);

/* The slices of the range: kinds is a set of enum slice_iter_kind. The set borrows the tracks. */
struct slice_set range_slices(const struct range *range, unsigned kinds);

/* The begin and the end of the range, cut to the trace. */
int64_t range_begin(const struct range *range, const struct trace *trace);
int64_t range_end(const struct range *range, const struct trace *trace);
/* Thread time: the length of the range, cut to the life of a thread (trace_life.h). A thread whose
 * end is not known lives to the end of the trace. */
int64_t range_thread_time(const struct range *range, const struct trace *trace, uint32_t thread);
/* The time that the thread ran in the range; -1: its scheduling is not in the trace. */
int64_t range_running(const struct range *range, const struct trace *trace, uint32_t thread);

#endif
