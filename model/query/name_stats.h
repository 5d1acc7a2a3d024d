/* name_stats.h - all slices, or all async operations, of one name: their number, covered time and
 * quantiles. Slices: of all threads. Operations: of all groups.
 *
 * Durations are gathered for one name, which takes little time. Totals and selves need all slices
 * in nesting order, so they are computed for all names at once. */
#ifndef FXTOP_NAME_STATS_H
#define FXTOP_NAME_STATS_H

#include "model/query/aggregate.h"
#include "model/query/answer.h"

struct name_stats {
    /* the question */
    struct trace *trace;
    struct slice_set set; /* of slices, or of operations; its tracks are borrowed */
    uint32_t name;        /* number; not of name_stats_times() */
    struct aggregate aggregate;
};

/* The question is set, all else is 0. The aggregate gets one row: of the name, with its durations
 * in order, without total and self. */
void name_stats_make(struct task *task, void *stats);
extern const struct answer_ops name_stats_ops;
/* The aggregate gets the rows of all names, with total and self, without durations. */
extern const struct answer_ops name_stats_times_ops;
void name_stats_free(void *stats);

/* The row that name_stats_make() made; NULL if stats are. */
static inline const struct aggregate_row *name_stats_row(const struct name_stats *stats) {
    return stats ? &stats->aggregate.rows.v[0] : NULL;
}

#endif
