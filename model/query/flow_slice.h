/* flow_slice.h - flows as seen from slices: which points a slice holds, which slice a point stands in, what a hop costs.
 *
 * A hop goes from the end of the slice around one point to the begin of the slice around the next; a point without a
 * slice stands for itself (SEMANTICS 7.5). Times: ns relative to the reader's base. Points are places in
 * trace_flows(), good until the next trace_step(). */
#ifndef FXTOP_FLOW_SLICE_H
#define FXTOP_FLOW_SLICE_H

#include "model/trace/trace.h"

struct flow_slice_place { /* where a point stands */
    uint32_t thread;
    bool in_slice;
    uint32_t row, i;
    int64_t start, end; /* of the slice, or the point's own time; an open slice ends with the trace */
};
struct flow_slice_place flow_slice_place(struct trace *trace, uint32_t point);

/* The points that stand in this slice, at most cap of them, in order; those behind the first `cap` are not found. */
size_t flow_slice_points(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i, uint32_t *points, size_t cap);

#endif
