/* name_stats.h - all slices, or all async operations, of one name: their number, covered time and quantiles, in steps
 * while the program is idle. Slices: of all threads. Operations: of all groups.
 *
 * Durations are gathered for one name, which takes little time. Totals and selves need all slices in nesting order, so
 * they are computed for all names at once and kept until the trace changes. */
#ifndef FXTOP_NAME_STATS_H
#define FXTOP_NAME_STATS_H

#include "model/query/aggregate.h"

struct name_stats_times { /* of all names */
    struct aggregate aggregate;
    struct aggregate *last; /* the answer of an earlier version, until this one is known; or NULL */
    struct slice_order order;
    bool any, known;
    uint64_t version; /* trace_version() when the work began, and trace_generation() */
    uint32_t generation;
};

struct name_stats {
    struct aggregate aggregate; /* one row, once anything is known */
    struct slice_iter iter;
    bool any, gathered;
    struct name_stats_times times[2]; /* of slices, of operations */
    /* the question */
    enum slice_iter_kind kind; /* SLICE_ITER_SLICES or SLICE_ITER_OPERATIONS */
    uint32_t name;             /* number of the name */
    uint64_t version;          /* trace_version() when the work began */
    uint32_t generation;       /* trace_generation() then */
    struct aggregate *last;    /* the answer of an earlier version, until this one is known; or NULL */
    bool within;               /* of a range: */
    int64_t from, to;
    const struct track_set *tracks; /* NULL: all */
};

void name_stats_free(struct name_stats *stats);
/* From now on the answers are of the slices of a set of times and tracks; NULL: of all. Answers so far are dropped. The
 * tracks are borrowed, and a change of them needs another call. */
void name_stats_within(struct name_stats *stats, const struct slice_set *set);
/* A step of the work for the durations of a name; true while there is more to do. It starts again if the question or
 * the trace has changed. *news is set when the answer becomes available. */
bool name_stats_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name,
                     struct budget *budget, bool *news);
/* The answer, its durations in order, without total and self; NULL: not yet, or the last question was another one. */
const struct aggregate_row *name_stats_of(const struct name_stats *stats, const struct trace *trace,
                                          enum slice_iter_kind kind, uint32_t name);

/* For the screen: the answer, or that of an earlier version of the trace until there is one of this. */
const struct aggregate_row *name_stats_shown(const struct name_stats *stats, const struct trace *trace,
                                             enum slice_iter_kind kind, uint32_t name);

/* A step of the work for total and self of all names of a kind; as name_stats_step(). */
bool name_stats_times_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind,
                           struct budget *budget, bool *news);
/* The row of a name, with total and self, without durations; NULL: not yet, or no slice has the name. It is of an earlier
 * version of the trace until there is one of this. */
const struct aggregate_row *name_stats_times_of(const struct name_stats *stats, const struct trace *trace,
                                                enum slice_iter_kind kind, uint32_t name);

#endif
