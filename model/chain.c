#include "model/chain.h"

#include "model/build.h"

/* Made anew where the trace has changed: one pass over all points, no more often than somebody looks. */
static void index_points(struct trace *trace) {
    struct flow_index *x = &trace->flow_index;
    const struct flows *flows = &trace->flows;
    if (x->version == trace->version && x->known)
        return;
    x->known = true;
    x->version = trace->version;
    x->first.n = 0;
    x->points.n = 0;
    vec_reserve(&x->first, trace->threads.n + 2);
    vec_reserve(&x->points, flows->points.n + 1);
    for (size_t i = 0; i <= trace->threads.n; i++)
        x->first.v[x->first.n++] = 0;
    for (uint32_t i = 0; i < flows->points.n; i++) {
        uint32_t thread = flow_thread(flows, i);
        if (thread != NO_THREAD)
            x->first.v[thread + 1]++;
    }
    for (size_t i = 1; i < x->first.n; i++)
        x->first.v[i] += x->first.v[i - 1];
    for (uint32_t i = 0; i < flows->points.n; i++) { /* first[t] moves on to the end of t: that of t + 1's begin */
        uint32_t thread = flow_thread(flows, i);
        if (thread != NO_THREAD)
            x->points.v[x->first.v[thread]++] = i;
    }
    for (size_t i = x->first.n - 1; i > 0; i--)
        x->first.v[i] = x->first.v[i - 1];
    x->first.v[0] = 0;
    x->points.n = x->first.v[x->first.n - 1];
}

const uint32_t *chain_on_thread(struct trace *trace, uint32_t thread, size_t *n) {
    index_points(trace);
    const struct flow_index *x = &trace->flow_index;
    *n = x->first.v[thread + 1] - x->first.v[thread];
    return x->points.v + x->first.v[thread];
}

struct chain_place chain_place(struct trace *trace, uint32_t point) {
    int64_t time = flow_time(&trace->flows, point);
    struct chain_place place = {.thread = flow_thread(&trace->flows, point), .start = time, .end = time};
    if (place.thread == NO_THREAD)
        return place;
    const struct thread *t = trace->threads.v[place.thread];
    place.in_slice = nest_at(&t->nest, &trace->nest_aside, time, &place.row, &place.i);
    if (place.in_slice) {
        const struct slice *s = lane_at(&t->nest.lanes[place.row], place.i);
        place.start = s->start;
        place.end = slice_open(s) ? trace_end(trace) : slice_end(s);
    }
    return place;
}

size_t chain_in_slice(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i, uint32_t *points, size_t cap) {
    const struct slice *s = lane_at(&trace->threads.v[thread]->nest.lanes[row], i);
    int64_t end = slice_open(s) ? INT64_MAX : slice_end(s);
    size_t n, found = 0, lo = 0;
    const uint32_t *v = chain_on_thread(trace, thread, &n);
    size_t hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (flow_time(&trace->flows, v[mid]) < s->start)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (size_t looked = 0; lo < n && found < cap && looked < 4096; lo++, looked++) {
        int64_t time = flow_time(&trace->flows, v[lo]);
        if (time > end || (time == end && time != s->start))
            break;
        struct chain_place place = chain_place(trace, v[lo]);
        if (place.in_slice && place.row == row && place.i == i)
            points[found++] = v[lo];
    }
    return found;
}

int64_t chain_transit(struct trace *trace, uint32_t point, uint32_t next) {
    return chain_place(trace, next).start - chain_place(trace, point).end;
}
