/* raster.h - how long the slices of a group are over time: counts by column of the range and bucket
 * of spread.h.
 *
 * A slice that has ended counts in the column of its begin; one that began before the range, in the
 * first. Made in a task, for one version of the trace. Times: ns relative to the reader's base. */
#ifndef FXTOP_RASTER_H
#define FXTOP_RASTER_H

#include "model/query/stat/spread.h"

#define RASTER_COLUMNS 240

struct raster {
    struct trace *trace;
    struct instances_query query;
    int columns;
    int64_t from, to; /* of the range */
    uint64_t count;
    uint32_t most; /* in one place */
    uint32_t counts[SPREAD_BUCKETS][RASTER_COLUMNS];
};

/* Range, filter, group and key of the query are used. At most RASTER_COLUMNS columns, at least
 * one. */
void raster_make(struct task *task, struct raster *raster, struct trace *trace,
                 const struct instances_query *query, int columns);

#endif
