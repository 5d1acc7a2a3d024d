/* spread.h - how many slices of a group have which length: counts by buckets of a logarithmic axis.
 *
 * Buckets begin at 0, 1, 2 ... 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100 ... ns. Counts are of
 * slices in the range that have ended: all of the group, and these that the filter holds for. They
 * belong to one version of the trace. Times: ns. */
#ifndef FXTOP_SPREAD_H
#define FXTOP_SPREAD_H

#include "model/query/stat/instances.h"

#define SPREAD_DECADE 10 /* buckets between two powers of ten, from 10 ns on */
#define SPREAD_BUCKETS 190

struct spread {
    struct instances_query query;
    uint64_t these[SPREAD_BUCKETS], all[SPREAD_BUCKETS]; /* these: that the filter holds for */
    uint64_t count, count_all;
};

/* The begin and the end of a bucket; the last one has no end: INT64_MAX. */
int64_t spread_begin_of(int bucket);
int64_t spread_end_of(int bucket);
int spread_bucket(int64_t duration);

/* Range, filter, group and key of the query are used. */
void spread_make(struct task *task, struct spread *spread, struct trace *trace,
                 const struct instances_query *query);

#endif
