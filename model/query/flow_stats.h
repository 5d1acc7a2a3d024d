/* flow_stats.h - flows by name: their number, how long they take, and the time of each of their
 * hops.
 *
 * A flow goes from stop to stop (SEMANTICS 7.7): neighbouring points in one slice are one stop. A
 * hop is the time from a stop's last point to the next stop's first, by the points' own times, and
 * never negative. So total, from the first point to the last, is the sum of all hops and of the
 * time within stops. A flow is in flight from the end of a stop's slice to the begin of the next
 * one's, if that is later (flow_slice.h). Each of several ends has a hop of its own; the last one
 * counts for total and within. Times are ns. */
#ifndef FXTOP_FLOW_STATS_H
#define FXTOP_FLOW_STATS_H

#include "model/query/aggregate.h"
#include "model/query/answer.h"
#include "model/query/flow_slice.h"

struct flow_stats_name {
    uint32_t name;       /* number, of the flows' first points */
    VEC(uint32_t) flows; /* of that name, in order of their begins */
    uint64_t complete, unfinished, unbegun, unresolved;
    VEC(uint32_t) hops; /* numbers, in order of their first ones */
};

struct flow_stats_flow {
    int64_t total;     /* from the first point to the last, as far as they are known */
    int64_t within;    /* part of it within stops; the rest is hops */
    int64_t in_flight; /* sum over the hops */
    int64_t slowest;   /* longest hop */
    uint32_t arrival;  /* point at which the longest hop arrives; NO_POINT: the flow has no hop */
    uint32_t stops;
    bool damaged; /* its first or last point is: it is not among the durations of its name */
};

struct flow_stats_stop {
    struct flow_slice_place place;
    int64_t first, last; /* times of its points */
    uint32_t point;      /* the first one */
    /* in a list of stops: the one that the hop here leaves; FLOW_STATS_NO_HOP: none */
    uint32_t from;
    bool damaged; /* so is that hop: it begins or ends at a damaged time */
};

#define FLOW_STATS_NO_HOP UINT32_MAX

/* The stops of a flow. Zeros: none so far. */
struct flow_stats_stops {
    struct flow_stats_stop *v; /* a vector (vec.h) */
    size_t n, cap;
    uint32_t last;         /* the point that was added last */
    uint32_t here, source; /* stops of that point, and of the one before it in its arrow */
};
/* Adds the next point of a flow; returns the number of its stop, which may be a new one. */
uint32_t flow_stats_add(struct flow_stats_stops *stops, struct trace *trace, uint32_t point);

/* The stop that is this point alone. */
struct flow_stats_stop flow_stats_stop_at(struct trace *trace, uint32_t point);
/* Adds the stop of the flow's next point; false: it is another stop, and nothing changes. */
bool flow_stats_join(struct flow_stats_stop *stop, const struct flow_stats_stop *next);
/* a hop's time */
int64_t flow_stats_transit(const struct flow_stats_stop *from, const struct flow_stats_stop *to);
/* 0: never */
int64_t flow_stats_in_flight(const struct flow_stats_stop *from, const struct flow_stats_stop *to);

struct flow_stats { /* of one version of the trace */
    struct trace *trace;
    /* If `within`, only flows whose time overlaps that of the set, and that have a point on one of
     * its tracks, are counted. The tracks are borrowed. Other flows have no stops. */
    bool within;
    struct slice_set set;
    VEC(struct flow_stats_name) names;
    VEC(struct flow_stats_flow) flows; /* the last one may be incomplete */
    uint32_t counted;                  /* flows that are complete */
    /* The durations of complete flows: a row for each name, ids: flows. */
    struct aggregate totals;
    /* Hops between two threads, of flows of one name. key.name: place of the name; key.a and key.b:
     * from and to; durations: ids are the points they arrive at. */
    struct aggregate hops;
    bool done; /* all are counted, and durations are in order */
};

/* Data of answers: trace, within and set are set, all else is 0. */
extern const struct answer_ops flow_stats_ops;
void flow_stats_make(struct task *task, void *stats);
void flow_stats_free(void *stats);

/* NULL: not counted yet */
const struct flow_stats_flow *flow_stats_flow(const struct flow_stats *stat, uint32_t flow);
/* The index of a name in the statistics; UINT32_MAX: no flow of that name was counted yet. */
uint32_t flow_stats_place(const struct flow_stats *stat, uint32_t name);
/* The hops of a name's flows between these threads, or NULL. */
const struct aggregate_row *flow_stats_between(const struct flow_stats *stat, uint32_t name,
                                               uint32_t from, uint32_t to);

/* A hop among all such hops in words: "slow: p99.1", longer than 99.1 % of the others. Without
 * QUANTILES_USUAL of them its rank. To be asked when everything is known. */
void flow_stats_verdict(const struct aggregate_row *hop, int64_t transit, char out[24]);

#endif
