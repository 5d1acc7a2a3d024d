/* overview_events.h - how many events begin in each column, for a trace that has neither slices of
 * threads nor scheduling: instants, samples of counters, async operations, log records. */
#ifndef FXTOP_OVERVIEW_EVENTS_H
#define FXTOP_OVERVIEW_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/trace/trace.h"
#include "src/base/task.h"

/* Adds the events of the trace from part *next on, which it moves, to the sums of the columns
 * [edges[c], edges[c + 1]). False: time is up before the last part. */
bool overview_events_add(struct trace *trace, size_t *next, const int64_t *edges, int columns,
                         double *sums, struct task *task);

#endif
