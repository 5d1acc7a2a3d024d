/* filter_lanes.h - the events that a filter holds for, as rows of their own, for :only.
 *
 * A row that has such slices, operations or states gets a lane of copies of them. So heights of
 * columns, colours and names are those of the matching events. A run of a CPU is left if the
 * running state of its thread is. A counter gets a series with gaps. A thread gets the stretches
 * that its slices cover, for headers and the overview. They are made again after the trace has
 * changed; those of the former version stay until then. */
#ifndef FXTOP_FILTER_LANES_H
#define FXTOP_FILTER_LANES_H

#include "model/query/search.h"

struct filter_lanes;

/* takes the filter over */
struct filter_lanes *filter_lanes_new(struct trace *trace, struct filter *filter);
void filter_lanes_free(struct filter_lanes *lanes); /* may be NULL */
const char *filter_lanes_text(const struct filter_lanes *lanes);
/* once known */
const char *filter_lanes_fault(const struct filter_lanes *lanes, char line[FILTER_FAULT]);

/* A step of the work; true: there is more. *news: the lanes have just become complete. */
bool filter_lanes_step(struct filter_lanes *lanes, struct task *task, bool *news);
/* those of an older version may be known, too */
bool filter_lanes_known(const struct filter_lanes *lanes);
/* events that are left, once they are known */
uint64_t filter_lanes_hits(const struct filter_lanes *lanes);
/* Adds the share of each column [edges[c], edges[c + 1]) that the thread's slices cover, damaged
 * ones excepted. */
void filter_lanes_busy(const struct filter_lanes *lanes, uint32_t thread, const int64_t *edges,
                       int columns, double *share);
/* + the place of a CPU: the track of its runs, idle ones excepted */
#define FILTER_LANES_CPU UINT32_C(0xd8000000)

/* The slices left of a row (tracks as in slice_iter.h, and CPUs); NULL: none. */
struct lane *filter_lanes_of(const struct filter_lanes *lanes, uint32_t track, uint32_t row);
/* A counter's series with all its samples, of which those that are not left are gaps; NULL: none is
 * left. */
struct counter_series *filter_lanes_counter(const struct filter_lanes *lanes, uint32_t series);
/* The moment that is left nearest to number i, i included: from there on (d > 0) or before it;
 * UINT32_MAX: none. */
uint32_t filter_lanes_moment_along(const struct filter_lanes *lanes, uint32_t track, uint32_t i,
                                   int d);

#endif
