#include "model/query/flow_stats.h"

#include <stdio.h>

#include "src/base/hash.h"
#include "src/base/vec.h"

struct flow_stats {
    struct trace *trace;
    uint64_t version;
    uint32_t round;
    bool known;
    VEC(uint32_t) by_name; /* name's number -> place + 1 */
    VEC(struct flow_stats_name) names;
    VEC(struct flow_stats_hop) hops;
    VEC(struct flow_stats_flow) flows;
    struct map by_threads; /* hops */
    /* the flow being walked */
    uint32_t point, name; /* NO_POINT: between two flows */
    struct flow_slice_place place;
    int64_t start;
    size_t sorted; /* names, then hops, whose spreads are in order */
};

static void clear(struct flow_stats *s) {
    for (size_t i = 0; i < s->names.n; i++) {
        vec_free(&s->names.v[i].flows);
        vec_free(&s->names.v[i].hops);
        quantiles_free(&s->names.v[i].total);
    }
    for (size_t i = 0; i < s->hops.n; i++)
        quantiles_free(&s->hops.v[i].transit);
    vec_free(&s->by_name);
    vec_free(&s->names);
    vec_free(&s->hops);
    vec_free(&s->flows);
    map_free(&s->by_threads);
    s->by_threads = (struct map){0};
    s->point = NO_POINT;
    s->sorted = 0;
    s->known = false;
}

struct flow_stats *flow_stats_new(struct trace *trace) {
    struct flow_stats *s = err_calloc(1, sizeof *s);
    s->trace = trace;
    s->version = trace_version(trace);
    s->point = NO_POINT;
    return s;
}

void flow_stats_free(struct flow_stats *s) {
    if (s == NULL)
        return;
    clear(s);
    free(s);
}

static uint32_t place_of_name(struct flow_stats *s, uint32_t name) {
    vec_reserve(&s->by_name, (size_t)name + 1);
    while (s->by_name.n <= name)
        s->by_name.v[s->by_name.n++] = 0;
    if (s->by_name.v[name] == 0) {
        vec_push(&s->names, ((struct flow_stats_name){.name = name}));
        s->by_name.v[name] = (uint32_t)s->names.n;
    }
    return s->by_name.v[name] - 1;
}

/* ---- hops ---- */

struct between {
    const struct flow_stats *stat;
    uint32_t name, from, to;
};

static bool same_hop(const void *ctx, uint32_t number) {
    const struct between *b = ctx;
    const struct flow_stats_hop *h = &b->stat->hops.v[number];
    return h->name == b->name && h->from == b->from && h->to == b->to;
}

static uint64_t hash_of(const struct between *b) {
    return hash_words(hash_words(b->name, b->from), b->to);
}

static uint32_t find_hop(const struct between *b) {
    return b->stat->hops.n > 0 ? map_find(&b->stat->by_threads, hash_of(b), same_hop, b) : UINT32_MAX;
}

const struct flow_stats_hop *flow_stats_between(const struct flow_stats *s, uint32_t name, uint32_t from, uint32_t to) {
    struct between b = {s, name, from, to};
    uint32_t i = find_hop(&b);
    return i == UINT32_MAX ? NULL : &s->hops.v[i];
}

static int64_t since(int64_t from, int64_t to) { /* saturates */
    int64_t ns;
    return __builtin_sub_overflow(to, from, &ns) ? (to < from ? INT64_MIN : INT64_MAX) : ns;
}

static int64_t sum(int64_t a, int64_t b) {
    int64_t ns;
    return __builtin_add_overflow(a, b, &ns) ? (a < 0 ? INT64_MIN : INT64_MAX) : ns;
}

static void add_hop(struct flow_stats *s, uint32_t from, uint32_t to, int64_t transit, uint32_t arrival) {
    struct between b = {s, s->name, from, to};
    uint32_t i = find_hop(&b);
    if (i == UINT32_MAX) {
        i = (uint32_t)s->hops.n;
        vec_push(&s->hops, ((struct flow_stats_hop){.name = s->name, .from = from, .to = to}));
        map_add(&s->by_threads, hash_of(&b), i);
        vec_push(&s->names.v[s->name].hops, i);
    }
    quantiles_add(&s->hops.v[i].transit, transit, arrival);
}

/* ---- walking ---- */

bool flow_stats_same_stop(const struct flow_slice_place *a, const struct flow_slice_place *b) {
    return a->in_slice && b->in_slice && a->thread == b->thread && a->row == b->row && a->i == b->i;
}

uint32_t flow_stats_next_stop(struct trace *trace, uint32_t point) {
    struct flow_slice_place here = flow_slice_place(trace, point), there;
    do {
        point = trace_flows(trace)->points.v[point].after;
        if (point == NO_POINT)
            return point;
        there = flow_slice_place(trace, point);
    } while (flow_stats_same_stop(&here, &there));
    return point;
}

static void begin_flow(struct flow_stats *s) {
    const struct flows *all = trace_flows(s->trace);
    const struct flow *f = &all->v.v[s->flows.n];
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
    vec_push(&s->flows,
             ((struct flow_stats_flow){
                 .work = since(s->place.start, s->place.end), .slowest = INT64_MIN, .arrival = NO_POINT, .stops = 1}));
}

static void end_flow(struct flow_stats *s) {
    uint32_t i = (uint32_t)s->flows.n - 1;
    struct flow_stats_flow *flow = &s->flows.v[i];
    flow->total = since(s->start, s->place.end);
    if (flow_complete(&trace_flows(s->trace)->v.v[i]))
        quantiles_add(&s->names.v[s->name].total, flow->total, i);
    s->point = NO_POINT;
}

static void walk_on(struct flow_stats *s) {
    uint32_t next = trace_flows(s->trace)->points.v[s->point].after;
    if (next == NO_POINT) {
        end_flow(s);
        return;
    }
    s->point = next;
    struct flow_slice_place there = flow_slice_place(s->trace, next);
    if (flow_stats_same_stop(&s->place, &there))
        return;
    struct flow_stats_flow *flow = &s->flows.v[s->flows.n - 1];
    int64_t transit = since(s->place.end, there.start);
    add_hop(s, s->place.thread, there.thread, transit, next);
    if (flow->arrival == NO_POINT || transit > flow->slowest) {
        flow->slowest = transit;
        flow->arrival = next;
    }
    flow->stops++;
    flow->work = sum(flow->work, since(there.start, there.end));
    s->place = there;
}

static bool sort_all(struct flow_stats *s, uint64_t *budget) {
    for (; s->sorted < s->names.n + s->hops.n; s->sorted++) {
        struct quantiles *quantiles =
            s->sorted < s->names.n ? &s->names.v[s->sorted].total : &s->hops.v[s->sorted - s->names.n].transit;
        if (*budget == 0 || !quantiles_step(quantiles, budget))
            return false;
    }
    return true;
}

bool flow_stats_step(struct flow_stats *s, uint64_t budget) {
    if (s->version != trace_version(s->trace)) {
        clear(s);
        s->version = trace_version(s->trace);
        s->round++;
    }
    if (s->known)
        return true;
    size_t n = trace_flows(s->trace)->v.n;
    while (s->flows.n < n || s->point != NO_POINT) {
        if (budget == 0)
            return false;
        budget--;
        if (s->point == NO_POINT)
            begin_flow(s);
        else
            walk_on(s);
    }
    s->known = sort_all(s, &budget);
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
    return name < s->by_name.n ? s->by_name.v[name] - 1 : UINT32_MAX;
}

bool flow_stats_slow(const struct flow_stats_hop *hop, int64_t transit) {
    return transit > quantiles_at(&hop->transit, 950);
}

void flow_stats_verdict(const struct flow_stats_hop *hop, int64_t transit, char out[24]) {
    const struct quantiles *all = &hop->transit;
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

const struct flow_stats_hop *flow_stats_hop(const struct flow_stats *s, uint32_t i) {
    return &s->hops.v[i];
}

const struct flow_stats_flow *flow_stats_flow(const struct flow_stats *s, uint32_t flow) {
    return flow < s->flows.n && (flow + 1 < s->flows.n || s->point == NO_POINT) ? &s->flows.v[flow] : NULL;
}
