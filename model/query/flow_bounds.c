/* flow_bounds.c - goes over the hops of all flows once. */
#include "model/query/flow_bounds.h"

#include "src/base/units.h"

/* A hop lasts `ns` now, and grows with the move if it goes to the moved file. */
static void bound(struct flow_bounds *b, bool forward, int64_t ns) {
    if (forward && (!b->has_least || -ns > b->least)) {
        b->least = -ns;
        b->has_least = true;
    } else if (!forward && (!b->has_most || ns < b->most)) {
        b->most = ns;
        b->has_most = true;
    }
}

/* Whether a point has a hop between the files that comes to it; *forward: to the moved one. */
static bool is_hop(const struct trace *trace, uint32_t point, size_t reference, size_t moved,
                   bool *forward, int64_t *ns) {
    const struct flows *flows = trace_flows(trace);
    uint32_t before = flow_link(flows, point)->before;
    if (before == NO_POINT)
        return false;
    size_t from = trace_record_file(trace, flow_offset(flows, before)),
           to = trace_record_file(trace, flow_offset(flows, point));
    *forward = from == reference && to == moved;
    *ns = units_since(flow_time(flows, before), flow_time(flows, point));
    return *forward || (from == moved && to == reference);
}

struct flow_bounds flow_bounds_of(const struct trace *trace, size_t reference, size_t moved) {
    struct flow_bounds b = {0};
    uint32_t n = (uint32_t)flow_point_count(trace_flows(trace));
    bool forward;
    int64_t ns;
    for (uint32_t k = 0; k < n; k++)
        if (is_hop(trace, k, reference, moved, &forward, &ns)) {
            bound(&b, forward, ns);
            b.hops++;
        }
    if (!b.has_least || !b.has_most)
        return b;
    int64_t middle = b.least + units_since(b.least, b.most) / 2;
    for (uint32_t k = 0; k < n; k++)
        if (is_hop(trace, k, reference, moved, &forward, &ns))
            b.violate += (forward ? units_sum(ns, middle) : units_since(middle, ns)) < 0;
    return b;
}
