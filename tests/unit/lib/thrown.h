/* thrown.h - random traces of slices and async operations, and random sets of these, for suites of
 * questions. */
#ifndef FXTOP_THROWN_H
#define FXTOP_THROWN_H

#include "model/query/slice_iter.h"
#include "model/query/stat/range.h"
#include "model/trace/trace.h"
#include "tests/lib/chance.h"

/* more events than this are on one thread, and a row is longer than LANE_PIECE */
#define THROWN_LONG 40000u

/* So many events: begins, ends and completes on a few threads of two processes, some of no length,
 * some unfinished; async operations and instants. */
struct trace *thrown_trace(struct chance *chance, unsigned events);

/* A random trace without slices that overlap and without async operations. It has begins, ends
 * (about `ends` to 10 events), and complete events of no length, on two threads. Many events have
 * the same time. */
struct trace *thrown_nested(struct chance *chance, unsigned events, unsigned ends);

/* A trace as thrown_trace() makes it, with some complete events at times that are far off, and
 * 1,000 events or more. */
struct trace *thrown_far(struct chance *chance);

/* A slice of the trace, found row by row; kind: enum slice_iter_kind. */
struct thrown_slice {
    struct slice slice;
    unsigned kind;
    uint32_t track, row, i; /* track: as slice_iter.h numbers them */
};

/* All slices of the trace, in (track, row, i) order: threads, then async groups. Free v. */
struct thrown_slices {
    struct thrown_slice *v;
    size_t n, cap;
};
struct thrown_slices thrown_slices(const struct trace *trace);

/* A random set: kinds; mostly a stretch of time, short or long; sometimes the track of one of the
 * slices. */
struct slice_set thrown_set(struct chance *chance, const struct trace *trace,
                            const struct thrown_slices *all);

/* A random range: mostly a stretch of time, and up to two tracks of the slices. Free it with
 * range_free(). */
struct range thrown_range(struct chance *chance, const struct trace *trace,
                          const struct thrown_slices *all);

/* Whether a slice is in the range, by the sentences of SEMANTICS 6.10, one by one. */
bool thrown_inside(const struct trace *trace, const struct range *range,
                   const struct thrown_slice *s);

#endif
