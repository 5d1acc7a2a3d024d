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
    bool known;
    VEC(struct flow_stats_name) names;
    VEC(struct flow_stats_flow) flows;
    struct aggregate totals, hops;
    /* the current flow */
    uint32_t point, name; /* NO_POINT: between two flows */
    struct flow_stats_stop stop;
    struct flow_stats_stop source; /* the stop from which the latest hop came */
    int64_t start;
    bool damaged; /* a point of the flow so far is */
    /* the range, if within */
    bool within;
    int64_t from, to;
    const struct track_set *tracks;
    uint32_t probe; /* the next point of a flow whose tracks are asked; NO_POINT: none */
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
    s->point = s->probe = NO_POINT;
    s->known = false;
}

void flow_stats_within(struct flow_stats *s, const struct slice_set *set) {
    clear(s);
    s->totals = s->hops = AGGREGATE_INIT(AGGREGATE_NAME);
    s->totals.durations = s->hops.durations = true;
    s->within = set != NULL;
    s->from = set ? set->from : 0;
    s->to = set ? set->to : 0;
    s->tracks = set ? set->tracks : NULL;
}

struct flow_stats *flow_stats_new(struct trace *trace) {
    struct flow_stats *s = err_calloc(1, sizeof *s);
    s->trace = trace;
    s->version = trace_version(trace);
    s->point = s->probe = NO_POINT;
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

struct flow_stats_stop flow_stats_stop_at(struct trace *trace, uint32_t point) {
    int64_t time = flow_time(trace_flows(trace), point);
    return (struct flow_stats_stop){flow_slice_place(trace, point), time, time, point, FLOW_STATS_NO_HOP};
}

bool flow_stats_join(struct flow_stats_stop *stop, const struct flow_stats_stop *next) {
    const struct flow_slice_place *a = &stop->place, *b = &next->place;
    if (!a->in_slice || !b->in_slice || a->thread != b->thread || a->row != b->row || a->i != b->i)
        return false;
    stop->last = next->last;
    return true;
}

uint32_t flow_stats_add(struct flow_stats_stops *stops, struct trace *trace, uint32_t point) {
    struct flow_stats_stop at = flow_stats_stop_at(trace, point);
    uint32_t before = flow_link(trace_flows(trace), point)->before;
    if (stops->n > 0 && before != NO_POINT) {
        if (before == stops->last)
            stops->source = stops->here;
        at.from = stops->source;
    }
    stops->last = point;
    if (at.from == FLOW_STATS_NO_HOP || !flow_stats_join(&stops->v[at.from], &at)) {
        stops->here = (uint32_t)stops->n;
        vec_push(stops, at);
    } else {
        stops->here = at.from;
    }
    return stops->here;
}

int64_t flow_stats_transit(const struct flow_stats_stop *from, const struct flow_stats_stop *to) {
    return units_since(from->last, to->first);
}

int64_t flow_stats_in_flight(const struct flow_stats_stop *from, const struct flow_stats_stop *to) {
    return to->place.start > from->place.end ? units_since(from->place.end, to->place.start) : 0;
}

static bool point_is_damaged(const struct flow_stats *s, uint32_t point) {
    return trace_damaged_at(s->trace, flow_offset(trace_flows(s->trace), point));
}

static void begin_flow(struct flow_stats *s) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = flows_at(all, s->flows.n);
    s->name = place_of_name(s, flow_name(all, f->first));
    s->point = f->first;
    s->stop = flow_stats_stop_at(s->trace, s->point);
    s->start = s->stop.first;
    s->damaged = point_is_damaged(s, s->point);
    struct flow_stats_name *name = &s->names.v[s->name];
    vec_push(&name->flows, (uint32_t)s->flows.n);
    name->complete += flow_complete(f);
    name->unresolved += f->unresolved;
    name->unbegun += !f->begun && !f->unresolved;
    name->unfinished += f->begun && !f->ended;
    vec_push(&s->flows, ((struct flow_stats_flow){.slowest = INT64_MIN, .arrival = NO_POINT, .stops = 1}));
}

/* The current stop has no further point. */
static void end_stop(struct flow_stats *s) {
    struct flow_stats_flow *flow = &s->flows.v[s->flows.n - 1];
    flow->within = units_sum(flow->within, units_since(s->stop.first, s->stop.last));
}

static void end_flow(struct flow_stats *s) {
    uint32_t i = (uint32_t)s->flows.n - 1;
    struct flow_stats_flow *flow = &s->flows.v[i];
    end_stop(s);
    flow->total = units_since(s->start, s->stop.last);
    if (flow->within > flow->total) /* the last of several ends is in a stop before */
        flow->within = flow->total;
    if (flow_complete(flows_at(trace_flows(s->trace), i)) && !s->damaged)
        aggregate_add(&s->totals, s->name, flow->total, i);
    s->point = NO_POINT;
}

static void walk_on(struct flow_stats *s) {
    uint32_t next = flow_link(trace_flows(s->trace), s->point)->after;
    if (next == NO_POINT) {
        end_flow(s);
        return;
    }
    uint32_t before = flow_link(trace_flows(s->trace), next)->before;
    bool goes_on = before == s->point; /* else it is a further end */
    bool damaged = point_is_damaged(s, goes_on || before == NO_POINT ? s->point : before) || point_is_damaged(s, next);
    s->damaged = s->damaged || damaged;
    s->point = next;
    if (before == NO_POINT) /* no hop leads to it */
        return;
    struct flow_stats_stop there = flow_stats_stop_at(s->trace, next);
    if (goes_on)
        s->source = s->stop;
    s->stop = s->source;
    if (flow_stats_join(&s->stop, &there))
        return;
    if (goes_on)
        end_stop(s);
    struct flow_stats_flow *flow = &s->flows.v[s->flows.n - 1];
    int64_t transit = flow_stats_transit(&s->stop, &there);
    flow->stops++;
    if (damaged) {
        s->stop = there; /* such a hop is not among durations */
        return;
    }
    add_hop(s, s->stop.place.thread, there.place.thread, transit, next);
    if (flow->arrival == NO_POINT || transit > flow->slowest) {
        flow->slowest = transit;
        flow->arrival = next;
    }
    flow->in_flight = units_sum(flow->in_flight, flow_stats_in_flight(&s->stop, &there));
    s->stop = there;
}

static void leave_out(struct flow_stats *s) {
    vec_push(&s->flows, ((struct flow_stats_flow){.arrival = NO_POINT}));
    s->probe = NO_POINT;
}

/* Begins the next flow if it is in the range; of its tracks it asks one point a call. */
static void next_flow(struct flow_stats *s) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = flows_at(all, s->flows.n);
    if (s->within && (flow_time(all, f->first) >= s->to || flow_time(all, f->last) < s->from)) {
        leave_out(s);
        return;
    }
    if (s->within && s->tracks) {
        s->probe = s->probe == NO_POINT ? f->first : s->probe;
        if (!track_set_has(s->tracks, flow_thread(all, s->probe))) {
            s->probe = flow_link(all, s->probe)->after;
            if (s->probe == NO_POINT)
                leave_out(s);
            return;
        }
    }
    s->probe = NO_POINT;
    begin_flow(s);
}

bool flow_stats_step(struct flow_stats *s, struct budget *budget) {
    if (s->version != trace_version(s->trace)) {
        clear(s);
        s->version = trace_version(s->trace);
    }
    if (s->known)
        return true;
    size_t n = flow_count(trace_flows(s->trace));
    while (s->flows.n < n || s->point != NO_POINT) {
        if (!budget_left(budget))
            return false;
        budget_spend(budget, POINT_UNITS);
        if (s->point == NO_POINT)
            next_flow(s);
        else
            walk_on(s);
    }
    s->known = aggregate_sort(&s->totals, budget) && aggregate_sort(&s->hops, budget);
    return s->known;
}

uint32_t flow_stats_done(const struct flow_stats *s) {
    return (uint32_t)s->flows.n;
}

bool flow_stats_counted(const struct flow_stats *s) {
    return s->known || (s->flows.n == flow_count(trace_flows(s->trace)) && s->point == NO_POINT);
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

void flow_stats_verdict(const struct aggregate_row *hop, int64_t transit, char out[24]) {
    const struct quantiles *all = &hop->durations;
    unsigned share;
    if (!quantiles_share(all, transit, &share))
        snprintf(out, 24, "only one");
    else if (all->v.n < QUANTILES_USUAL)
        snprintf(out, 24, "rank %zu of %zu", quantiles_rank(all, transit), all->v.n);
    else if (quantiles_slow(all, transit))
        snprintf(out, 24, "slow: p%u.%u", share / 10, share % 10);
    else if (quantiles_fast(all, transit))
        snprintf(out, 24, "fast: p%u.%u", share / 10, share % 10);
    else
        snprintf(out, 24, "usual: p%u", share / 10);
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
