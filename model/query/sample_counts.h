/* sample_counts.h - how many samples of a profiler were taken in a slice, or in a stretch of time.
 *
 * A sample is in the slices that begin before its record and end after it, in time and then in the
 * file (doc/IMPORT.md). Samples of a thread are listed once, in 16 bytes each; they belong to one
 * version of the trace. */
#ifndef FXTOP_SAMPLE_COUNTS_H
#define FXTOP_SAMPLE_COUNTS_H

#include "model/trace/trace.h"

struct sample_list {
    VEC(struct moment) v; /* in order */
    bool made;
};

struct sample_counts { /* zero-initialised */
    VEC(struct sample_list) threads;
};

void sample_counts_free(struct sample_counts *counts);

/* Whether a track (slice_iter.h) is a thread whose slices are frames of a profiler, after
 * trace_find_sampled(). */
bool sample_counts_of(const struct trace *trace, uint32_t track);

/* Numbers of samples of such a thread: from a time on and before another one, or at it if the trace
 * ends there; and in a slice. */
struct sample_stretch {
    uint64_t from, to; /* to: after the last one */
};
struct sample_stretch sample_counts_time(struct sample_counts *counts, struct trace *trace,
                                         uint32_t thread, int64_t from, int64_t to);
struct sample_stretch sample_counts_slice(struct sample_counts *counts, struct trace *trace,
                                          uint32_t thread, const struct slice *slice);

#endif
