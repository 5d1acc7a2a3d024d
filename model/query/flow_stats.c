/* flow_stats.c - goes through all flows, point by point, and adds up their totals and hops.
 *
 * Two aggregates hold the durations: totals by name and hops by (name, from, to). A name's row in the first has the
 * number of its struct flow_stats_name. At last all durations are put in order. */
#include "model/query/flow_stats.h"

#include <stdio.h>

#include "src/base/units.h"

#define POINT_UNITS 8 /* of the budget: a point costs about 500 ns */

struct flow_stats {
    struct trace *trace;
    uint64_t version;
    uint32_t round;
    bool known;
    VEC(struct flow_stats_name) names;
    VEC(struct flow_stats_flow) flows;
    struct aggregate totals, hops;
    /* the current flow */
    uint32_t point, name; /* NO_POINT: between two flows */
    struct flow_slice_place place;
    int64_t start;
};

static void clear(struct flow_stats *s) {
    for (size_t i = 0; i < s->names.n; i++) {
        vec_free(&s->names.v[i].flows);
        vec_free(&s->names.v[i].hops);
    }
    vec_free(&s->names);
    vec_free(&s->flows);
    aggregate_free(&s->totals);
    aggregate_free(&s->hops);
    s->point = NO_POINT;
    s->known = false;
}

struct flow_stats *flow_stats_new(struct trace *trace) {
    struct flow_stats *s = err_calloc(1, sizeof *s);
    s->trace = trace;
    s->version = trace_version(trace);
    s->point = NO_POINT;
    s->totals = s->hops = AGGREGATE_INIT(AGGREGATE_NAME);
    s->totals.durations = s->hops.durations = true;
    return s;
}

void flow_stats_free(struct flow_stats *s) {
    if (s == NULL)
        return;
    clear(s);
    free(s);
}

static uint32_t place_of_name(struct flow_stats *s, uint32_t name) {
    uint32_t place = aggregate_row(&s->totals, &(struct aggregate_key){.name = name});
    if (place == s->names.n)
        vec_push(&s->names, ((struct flow_stats_name){.name = name}));
    return place;
}

static void add_hop(struct flow_stats *s, uint32_t from, uint32_t to, int64_t transit, uint32_t arrival) {
    uint32_t hop = aggregate_row(&s->hops, &(struct aggregate_key){s->name, from, to});
    if (s->hops.rows.v[hop].count == 0)
        vec_push(&s->names.v[s->name].hops, hop);
    aggregate_add(&s->hops, hop, transit, arrival);
}

/* ---- from point to point ---- */

bool flow_stats_same_stop(const struct flow_slice_place *a, const struct flow_slice_place *b) {
    return a->in_slice && b->in_slice && a->thread == b->thread && a->row == b->row && a->i == b->i;
}

uint32_t flow_stats_next_stop(struct trace *trace, uint32_t point) {
    struct flow_slice_place here = flow_slice_place(trace, point), there;
    do {
        point = flow_link(trace_flows(trace), point)->after;
        if (point == NO_POINT)
            return point;
        there = flow_slice_place(trace, point);
    } while (flow_stats_same_stop(&here, &there));
    return point;
}

static void begin_flow(struct flow_stats *s) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = flows_at(all, s->flows.n);
    s->name = place_of_name(s, flow_name(all, f->first));
    s->point = f->first;
    s->place = flow_slice_place(s->trace, s->point);
    s->start = s->place.start;
    struct flow_stats_name *name = &s->names.v[s->name];
    vec_push(&name->flows, (uint32_t)s->flows.n);
    name->complete += flow_complete(f);
    name->unresolved += f->unresolved;
    name->unbegun += !f->begun && !f->unresolved;
    name->unfinished += f->begun && !f->ended;
    vec_push(
        &s->flows,
        ((struct flow_stats_flow){
            .work = units_since(s->place.start, s->place.end), .slowest = INT64_MIN, .arrival = NO_POINT, .stops = 1}));
}

static void end_flow(struct flow_stats *s) {
    uint32_t i = (uint32_t)s->flows.n - 1;
    struct flow_stats_flow *flow = &s->flows.v[i];
    flow->total = units_since(s->start, s->place.end);
    if (flow_complete(flows_at(trace_flows(s->trace), i)))
        aggregate_add(&s->totals, s->name, flow->total, i);
    s->point = NO_POINT;
}

static void walk_on(struct flow_stats *s) {
    uint32_t next = flow_link(trace_flows(s->trace), s->point)->after;
    if (next == NO_POINT) {
        end_flow(s);
        return;
    }
    s->point = next;
    struct flow_slice_place there = flow_slice_place(s->trace, next);
    if (flow_stats_same_stop(&s->place, &there))
        return;
    struct flow_stats_flow *flow = &s->flows.v[s->flows.n - 1];
    int64_t transit = units_since(s->place.end, there.start);
    add_hop(s, s->place.thread, there.thread, transit, next);
    if (flow->arrival == NO_POINT || transit > flow->slowest) {
        flow->slowest = transit;
        flow->arrival = next;
    }
    flow->stops++;
    flow->work = units_sum(flow->work, units_since(there.start, there.end));
    s->place = there;
}

bool flow_stats_step(struct flow_stats *s, struct budget *budget) {
    if (s->version != trace_version(s->trace)) {
        clear(s);
        s->version = trace_version(s->trace);
        s->round++;
    }
    if (s->known)
        return true;
    size_t n = flow_count(trace_flows(s->trace));
    while (s->flows.n < n || s->point != NO_POINT) {
        if (!budget_left(budget))
            return false;
        budget_spend(budget, POINT_UNITS);
        if (s->point == NO_POINT)
            begin_flow(s);
        else
            walk_on(s);
    }
    s->known = aggregate_sort(&s->totals, budget) && aggregate_sort(&s->hops, budget);
    return s->known;
}

uint32_t flow_stats_round(const struct flow_stats *s) {
    return s->round;
}

uint32_t flow_stats_done(const struct flow_stats *s) {
    return (uint32_t)s->flows.n;
}

uint32_t flow_stats_names(const struct flow_stats *s) {
    return (uint32_t)s->names.n;
}

const struct flow_stats_name *flow_stats_name(const struct flow_stats *s, uint32_t i) {
    return &s->names.v[i];
}

uint32_t flow_stats_place(const struct flow_stats *s, uint32_t name) {
    return aggregate_find(&s->totals, &(struct aggregate_key){.name = name});
}

bool flow_stats_slow(const struct aggregate_row *hop, int64_t transit) {
    return transit > quantiles_at(&hop->durations, 950);
}

void flow_stats_verdict(const struct aggregate_row *hop, int64_t transit, char out[24]) {
    const struct quantiles *all = &hop->durations;
    double share = all->v.n > 0 ? (double)quantiles_below(all, transit) * 100 / (double)all->v.n : 0;
    if (flow_stats_slow(hop, transit))
        snprintf(out, 24, "slow: p%.1f", share);
    else if (transit < quantiles_at(all, 50))
        snprintf(out, 24, "fast: p%.1f", share);
    else if (all->v.n < 2)
        snprintf(out, 24, "only one");
    else
        snprintf(out, 24, "usual: p%.0f", share);
}

const struct aggregate_row *flow_stats_total(const struct flow_stats *s, uint32_t i) {
    return &s->totals.rows.v[i];
}

const struct aggregate_row *flow_stats_hop(const struct flow_stats *s, uint32_t i) {
    return &s->hops.rows.v[i];
}

const struct aggregate_row *flow_stats_between(const struct flow_stats *s, uint32_t name, uint32_t from, uint32_t to) {
    uint32_t i = aggregate_find(&s->hops, &(struct aggregate_key){name, from, to});
    return i == AGGREGATE_ANY ? NULL : flow_stats_hop(s, i);
}

const struct flow_stats_flow *flow_stats_flow(const struct flow_stats *s, uint32_t flow) {
    return flow < s->flows.n && (flow + 1 < s->flows.n || s->point == NO_POINT) ? &s->flows.v[flow] : NULL;
}
