/* flow_slice.c - asks the nest for the slice around a point, and the thread's points for those inside a slice.
 *
 * The points of a thread are sorted by time: a binary search finds the first one at or after the slice's start. A point
 * inside the slice may belong to a deeper one, so each candidate is asked for its own slice. */
#include "model/query/flow_slice.h"

#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"

struct flow_slice_place flow_slice_place(struct trace *trace, uint32_t point) {
    int64_t time = flow_time(trace_flows(trace), point);
    struct flow_slice_place place = {.thread = flow_thread(trace_flows(trace), point), .start = time, .end = time};
    if (place.thread == NO_THREAD)
        return place;
    const struct thread *t = trace_thread(trace, place.thread);
    place.in_slice = trace_slice_at(trace, t->number, time, &place.row, &place.i);
    if (place.in_slice) {
        const struct slice *s = lane_at(nest_row(&t->nest, place.row), place.i);
        place.start = s->start;
        place.end = trace_slice_end(trace, place.thread, s);
    }
    return place;
}

size_t flow_slice_points(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i, uint32_t *points, size_t cap) {
    const struct slice *s = lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i);
    int64_t end = slice_open(s) ? INT64_MAX : slice_end(s);
    size_t found = 0, n, lo = 0;
    const uint32_t *v = flow_points_on(trace_flows(trace), thread, &n);
    lower_bound(lo, n, k, flow_time(trace_flows(trace), v[k]) < s->start);
    for (size_t looked = 0; lo < n && found < cap && looked < 4096; lo++, looked++) {
        int64_t time = flow_time(trace_flows(trace), v[lo]);
        if (time > end || (time == end && time != s->start))
            break;
        struct flow_slice_place place = flow_slice_place(trace, v[lo]);
        if (place.in_slice && place.row == row && place.i == i)
            points[found++] = v[lo];
    }
    return found;
}
