/* flow_stats.c - goes through all flows, point by point, and adds up their totals and hops.
 *
 * Two aggregates hold the durations: totals by name and hops by (name, from, to). A name's row in
 * the first has the number of its struct flow_stats_name. At last all durations are put in
 * order. */
#include "model/query/flow_stats.h"

#include <stdio.h>

#include "src/base/units.h"

#define POINT_UNITS 8 /* a point costs about 500 ns */

struct walk {      /* along the points of one flow */
    uint32_t name; /* its place */
    struct flow_stats_flow *flow;
    struct flow_stats_stop stop;
    struct flow_stats_stop source; /* the stop from which the latest hop came */
    bool damaged;                  /* the latest point in a stop is */
};

void flow_stats_free(void *stats) {
    struct flow_stats *s = stats;
    for (size_t i = 0; i < s->names.n; i++) {
        vec_free(&s->names.v[i].flows);
        vec_free(&s->names.v[i].hops);
    }
    vec_free(&s->names);
    vec_free(&s->flows);
    aggregate_free(&s->totals);
    aggregate_free(&s->hops);
}

static uint32_t place_of_name(struct flow_stats *s, uint32_t name) {
    uint32_t place = aggregate_row(&s->totals, &(struct aggregate_key){.name = name});
    if (place == s->names.n)
        vec_push(&s->names, ((struct flow_stats_name){.name = name}));
    return place;
}

static void add_hop(struct flow_stats *s, uint32_t name, const struct flow_stats_stop *from,
                    const struct flow_stats_stop *to, int64_t transit) {
    struct aggregate_key key = {name, from->place.thread, to->place.thread};
    uint32_t hop = aggregate_row(&s->hops, &key);
    if (s->hops.rows.v[hop].count == 0)
        vec_push(&s->names.v[name].hops, hop);
    aggregate_add(&s->hops, hop, transit, to->point);
}

/* ---- from point to point ---- */

struct flow_stats_stop flow_stats_stop_at(struct trace *trace, uint32_t point) {
    int64_t time = flow_time(trace_flows(trace), point);
    return (struct flow_stats_stop){
        flow_slice_place(trace, point), time, time, point, FLOW_STATS_NO_HOP, false};
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
        at.damaged = trace_damaged_point(trace, before) || trace_damaged_point(trace, point);
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
    bool known = !from->place.damaged && !to->place.damaged && !to->damaged;
    return known && to->place.start > from->place.end
               ? units_since(from->place.end, to->place.start)
               : 0;
}

static struct walk begin_flow(struct flow_stats *s, uint32_t i) {
    const struct flow *f = flows_at(trace_flows(s->trace), i);
    struct walk w = {.flow = &s->flows.v[i]};
    w.name = place_of_name(s, flow_name(trace_flows(s->trace), f->first));
    w.stop = flow_stats_stop_at(s->trace, f->first);
    struct flow_stats_name *name = &s->names.v[w.name];
    vec_push(&name->flows, i);
    name->complete += flow_complete(f);
    name->unresolved += f->unresolved;
    name->unbegun += !f->begun && !f->unresolved;
    name->unfinished += f->begun && !f->ended;
    *w.flow = (struct flow_stats_flow){.slowest = INT64_MIN, .arrival = NO_POINT, .stops = 1};
    return w;
}

/* The current stop has no further point. */
static void end_stop(struct walk *w) {
    w->flow->within = units_sum(w->flow->within, units_since(w->stop.first, w->stop.last));
}

/* From a point to the next one. */
static void walk_on(struct flow_stats *s, struct walk *w, uint32_t point, uint32_t next) {
    struct flow_stats_flow *flow = w->flow;
    uint32_t before = flow_link(trace_flows(s->trace), next)->before;
    bool goes_on = before == point; /* else it is a further end */
    bool damaged = trace_damaged_point(s->trace, before == NO_POINT ? point : before) ||
                   trace_damaged_point(s->trace, next);
    if (before == NO_POINT) /* no hop leads to it */
        return;
    w->damaged = trace_damaged_point(s->trace, next);
    struct flow_stats_stop there = flow_stats_stop_at(s->trace, next);
    if (goes_on)
        w->source = w->stop;
    w->stop = w->source;
    if (flow_stats_join(&w->stop, &there))
        return;
    if (goes_on)
        end_stop(w);
    flow->stops++;
    if (!damaged) { /* else it is not among durations */
        int64_t transit = flow_stats_transit(&w->stop, &there);
        add_hop(s, w->name, &w->stop, &there, transit);
        if (flow->arrival == NO_POINT || transit > flow->slowest) {
            flow->slowest = transit;
            flow->arrival = next;
        }
        flow->in_flight = units_sum(flow->in_flight, flow_stats_in_flight(&w->stop, &there));
    }
    w->stop = there;
}

static void count_flow(struct task *task, struct flow_stats *s, uint32_t i) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = flows_at(all, i);
    struct walk w = begin_flow(s, i);
    for (uint32_t point = f->first, next; task_spend(task, POINT_UNITS); point = next) {
        next = flow_link(all, point)->after;
        if (next == NO_POINT)
            break;
        walk_on(s, &w, point, next);
    }
    if (task_over(task))
        return;
    end_stop(&w);
    w.flow->total = units_since(flow_time(all, f->first), w.stop.last);
    if (w.flow->within > w.flow->total) /* the last of several ends is in a stop before */
        w.flow->within = w.flow->total;
    w.flow->damaged = w.damaged || trace_damaged_point(s->trace, f->first);
    if (flow_complete(f) && !w.flow->damaged)
        aggregate_add(&s->totals, w.name, w.flow->total, i);
}

/* Whether the flow is in the range. */
static bool is_within(struct task *task, const struct flow_stats *s, uint32_t i) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = flows_at(all, i);
    const struct slice_set *set = &s->set;
    if (!s->within)
        return true;
    if (flow_time(all, f->first) >= set->to || flow_time(all, f->last) < set->from)
        return false;
    if (set->tracks == NULL)
        return true;
    for (uint32_t point = f->first; point != NO_POINT; point = flow_link(all, point)->after)
        if (track_set_has(set->tracks, flow_thread(all, point)) || !task_spend(task, POINT_UNITS))
            return true;
    return false;
}

void flow_stats_make(struct task *task, void *stats) {
    struct flow_stats *s = stats;
    uint32_t n = (uint32_t)flow_count(trace_flows(s->trace));
    s->totals = s->hops = AGGREGATE_INIT(AGGREGATE_NAME);
    s->totals.durations = s->hops.durations = true;
    while (s->counted < n && task_spend(task, POINT_UNITS)) {
        vec_push(&s->flows, ((struct flow_stats_flow){.arrival = NO_POINT}));
        if (is_within(task, s, s->counted))
            count_flow(task, s, s->counted);
        s->counted += !task_over(task);
    }
    s->done = aggregate_sort(task, &s->totals) && aggregate_sort(task, &s->hops);
}

const struct answer_ops flow_stats_ops = {sizeof(struct flow_stats), flow_stats_make,
                                          flow_stats_free};

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

const struct aggregate_row *flow_stats_between(const struct flow_stats *s, uint32_t name,
                                               uint32_t from, uint32_t to) {
    uint32_t i = aggregate_find(&s->hops, &(struct aggregate_key){name, from, to});
    return i == AGGREGATE_ANY ? NULL : &s->hops.rows.v[i];
}

const struct flow_stats_flow *flow_stats_flow(const struct flow_stats *s, uint32_t flow) {
    return flow < s->counted ? &s->flows.v[flow] : NULL;
}
