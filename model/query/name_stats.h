/* name_stats.h - all slices, or all async operations, of one name: their number, total time and quantiles, computed in
 * steps while the program is idle. Slices: of all threads. Operations: of all groups. Open ones are not counted. */
#ifndef FXTOP_NAME_STATS_H
#define FXTOP_NAME_STATS_H

#include "model/query/aggregate.h"

struct name_stats {
    struct aggregate aggregate; /* one row, once anything is known */
    struct slice_iter iter;
    bool any, gathered;
    /* the question */
    enum slice_iter_kind kind; /* SLICE_ITER_SLICES or SLICE_ITER_OPERATIONS */
    uint32_t name;             /* number of the name */
    uint64_t version;          /* trace_version() when the work began */
};

void name_stats_free(struct name_stats *stats);
/* A step of the work for a name; true while there is more to do. It starts again if the question or the trace has
 * changed, but not while more input is about to follow (trace_unflushed()). *news is set when the answer becomes
 * available. */
bool name_stats_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name,
                     struct budget *budget, bool *news);
/* The answer, its durations in order; NULL: not yet, or the last question was another one. */
const struct aggregate_row *name_stats_of(const struct name_stats *stats, const struct trace *trace,
                                          enum slice_iter_kind kind, uint32_t name);

#endif
