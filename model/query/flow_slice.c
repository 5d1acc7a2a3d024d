/* flow_slice.c - asks the nest for the slice around a point, and the thread's points for those
 * inside a slice.
 *
 * The points of a thread are sorted by time: a binary search finds the first one at or after the
 * slice's start. A point inside the slice may belong to a deeper one, so each candidate is asked
 * for its own slice. */
#include "model/query/flow_slice.h"

#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"

struct flow_slice_place flow_slice_place(struct trace *trace, uint32_t point) {
    int64_t time = flow_time(trace_flows(trace), point);
    struct flow_slice_place place = {
        .thread = flow_thread(trace_flows(trace), point), .start = time, .end = time};
    if (place.thread == NO_THREAD)
        return place;
    const struct thread *t = trace_thread(trace, place.thread);
    struct flow_point p = flow_point(trace_flows(trace), point);
    place.in_slice = trace_point_slice(
        trace, &(struct trace_point){t->number, p.at, p.kind != FLOW_BEGIN}, &place.row, &place.i);
    if (place.in_slice) {
        const struct slice *s = lane_at(nest_row(&t->nest, place.row), place.i);
        place.start = s->start;
        place.end = trace_slice_end(trace, place.thread, s);
        place.damaged = trace_damaged_slice(trace, s);
    }
    return place;
}

#define TRIED 4096 /* points of a thread, and slices between a point's and the one in question */

/* The points of the thread that can be in a slice: *n of them from the result on. */
static const uint32_t *points_in(struct trace *trace, uint32_t thread, const struct slice *s,
                                 size_t *n) {
    const struct flows *flows = trace_flows(trace);
    size_t lo = 0, all, end;
    const uint32_t *v = flow_points_on(flows, thread, &all);
    lower_bound(lo, all, k, flow_time(flows, v[k]) < s->start);
    for (end = lo; end < all && end - lo < TRIED; end++) {
        int64_t time = flow_time(flows, v[end]);
        if (!slice_endless(s) && time > slice_end(s)) /* one at the end may belong to it */
            break;
    }
    *n = end - lo;
    return lo < end ? v + lo : NULL;
}

size_t flow_slice_points(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
                         uint32_t *points, size_t cap) {
    size_t found = 0, n;
    const uint32_t *v =
        points_in(trace, thread, lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i), &n);
    for (size_t k = 0; k < n && found < cap; k++) {
        struct flow_slice_place place = flow_slice_place(trace, v[k]);
        if (place.in_slice && place.row == row && place.i == i)
            points[found++] = v[k];
    }
    return found;
}

uint32_t flow_slice_below(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    size_t n, tried = 0;
    const uint32_t *v = points_in(trace, thread, lane_at(nest_row(nest, row), i), &n);
    for (size_t k = 0; k < n; k++) {
        struct flow_slice_place place = flow_slice_place(trace, v[k]);
        bool up = place.in_slice && place.row > row;
        while (up && place.row > row && tried++ < TRIED)
            up = nest_parent(nest, trace_slice_extra(trace), place.row, place.i, &place.row,
                             &place.i);
        if (up && place.row == row && place.i == i)
            return v[k];
    }
    return NO_POINT;
}
