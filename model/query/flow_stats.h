/* flow_stats.h - flows by name: their number, how long they take, and the time of each of their hops.
 *
 * A flow goes from stop to stop: neighbouring points in one slice are one stop. A hop is the time from the end of one
 * stop's slice to the begin of the next one's (flow_slice.h), negative if they overlap. Work is the time of a stop's
 * slice. So total = hops + work, from the begin of the first slice to the end of the last. All is computed in steps,
 * and again after the trace has changed. Times are ns. */
#ifndef FXTOP_FLOW_STATS_H
#define FXTOP_FLOW_STATS_H

#include "model/query/aggregate.h"
#include "model/query/flow_slice.h"

struct flow_stats_name {
    uint32_t name;       /* number, of the flows' first points */
    VEC(uint32_t) flows; /* of that name, in order of their begins */
    uint64_t complete, unfinished, unbegun, unresolved;
    VEC(uint32_t) hops; /* numbers, in order of their first ones */
};

struct flow_stats_flow {
    int64_t total;    /* from the first slice to the last, as far as they are known */
    int64_t work;     /* part of it in slices */
    int64_t slowest;  /* longest hop */
    uint32_t arrival; /* point at which the longest hop arrives; NO_POINT: the flow has no hop */
    uint32_t stops;
};

struct flow_stats;
struct flow_stats *flow_stats_new(struct trace *trace);
void flow_stats_free(struct flow_stats *stat);
/* A step of the work. True: all flows are counted, durations in order. Before, the functions below answer for the
 * flows counted so far. */
bool flow_stats_step(struct flow_stats *stat, struct budget *budget);
uint32_t flow_stats_round(const struct flow_stats *stat); /* grows whenever counting starts again */
uint32_t flow_stats_done(const struct flow_stats *stat);  /* flows counted */

uint32_t flow_stats_names(const struct flow_stats *stat);
const struct flow_stats_name *flow_stats_name(const struct flow_stats *stat, uint32_t i);
/* The durations of the complete flows of name i; ids: flows. */
const struct aggregate_row *flow_stats_total(const struct flow_stats *stat, uint32_t i);
/* A hop between two threads, of flows of one name. key.name: place of the name; key.a and key.b: from and to;
 * durations: ids are the points they arrive at. */
const struct aggregate_row *flow_stats_hop(const struct flow_stats *stat, uint32_t i);
const struct flow_stats_flow *flow_stats_flow(const struct flow_stats *stat, uint32_t flow); /* NULL: not counted yet */
/* The index of a name in the statistics; UINT32_MAX: no flow of that name was counted yet. */
uint32_t flow_stats_place(const struct flow_stats *stat, uint32_t name);
/* The hops of a name's flows between these threads, or NULL. */
const struct aggregate_row *flow_stats_between(const struct flow_stats *stat, uint32_t name, uint32_t from,
                                               uint32_t to);

/* Whether a hop takes longer than 95 of 100 such hops; and the same in words, "slow: p99.1": longer than 99.1 % of
 * them. To be asked when everything is known. */
bool flow_stats_slow(const struct aggregate_row *hop, int64_t transit);
void flow_stats_verdict(const struct aggregate_row *hop, int64_t transit, char out[24]);

bool flow_stats_same_stop(const struct flow_slice_place *a, const struct flow_slice_place *b);
/* The first point of the next stop after the one of `point`; NO_POINT: there is none. */
uint32_t flow_stats_next_stop(struct trace *trace, uint32_t point);

#endif
