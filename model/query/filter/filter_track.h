/* filter_track.h - whether a filter holds for a track: by what the gutter shows of it, and by the
 * events on it.
 *
 * Bare words are compared with each of the track's texts: its name, name and number, and those of
 * its process. thread, process, pid, tid and the cpu of a CPU are those of the track. All other
 * terms are about events: the track has to hold one for which all of them hold, and
 * filter_track_events() makes them a filter of their own for a search. */
#ifndef FXTOP_FILTER_TRACK_H
#define FXTOP_FILTER_TRACK_H

#include "model/query/filter.h"
#include "model/trace/trace.h"

#define FILTER_TRACK_TEXTS 4

struct filter_track {
    struct str texts[FILTER_TRACK_TEXTS];
    size_t n;
    uint32_t thread, process;     /* number or NO_THREAD, place or NO_PROCESS */
    int64_t cpu;                  /* number of a CPU; -1: the track is none */
    const struct sched_cpu *runs; /* it; NULL: the track is none */
    bool events;                  /* it holds an event that fits, or that is not known yet */
};

bool filter_track_holds(const struct filter *filter, const struct trace *trace,
                        const struct filter_track *track);
/* The terms about events, to be freed; NULL: there are none. */
struct filter *filter_track_events(const struct filter *filter, const struct trace *trace);
/* A filter of the slices for which a track was chosen, to be freed: without bare words, which are
 * of the track's name. NULL: no term is about events. */
struct filter *filter_track_slices(const struct filter *filter, const struct trace *trace);

#endif
