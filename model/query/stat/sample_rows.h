/* sample_rows.h - adds samples to rows of names: to that of the innermost frame one more, to those
 * of all frames of a blocked sample its off-CPU time.
 *
 * The rows exist: they have the sums of their slices (aggregate.h). */
#ifndef FXTOP_SAMPLE_ROWS_H
#define FXTOP_SAMPLE_ROWS_H

#include "model/query/aggregate.h"
#include "model/query/stat/range.h"

/* set: of the slices that were added, with their filter. After trace_find_sampled(). */
void sample_rows_add(struct task *task, struct trace *trace, const struct range *range,
                     const struct slice_set *set, struct aggregate *aggregate);

#endif
