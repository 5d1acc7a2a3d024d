/* flow_slice.h - flows and slices: the points that a slice contains, and the slice that contains a
 * point.
 *
 * A hop goes from the end of the slice around one point to the begin of the slice around the next.
 * A point in no slice begins and ends at its own time (SEMANTICS 7.5). Times are ns relative to the
 * reader's base. Points are indices of trace_flows(), valid until the next trace_step(). */
#ifndef FXTOP_FLOW_SLICE_H
#define FXTOP_FLOW_SLICE_H

#include "model/trace/trace.h"

struct flow_slice_place { /* the thread of a point, and the slice around it */
    uint32_t thread;
    bool in_slice;
    bool damaged; /* the slice has a damaged time */
    uint32_t row, i;
    /* of the slice, or the point's own time; an open slice ends with the trace */
    int64_t start, end;
};
struct flow_slice_place flow_slice_place(struct trace *trace, uint32_t point);

/* The first points inside this slice, at most cap, in order of time; returns their number. At most
 * 4,096 points of the thread are tried. */
size_t flow_slice_points(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
                         uint32_t *points, size_t cap);

/* The first point inside a slice that is inside this one, at any depth; NO_POINT: there is none. At
 * most 4,096 points of the thread are tried. */
uint32_t flow_slice_below(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i);

#endif
