/* flow_stats.h - flows by name: how many there are, how long they take, and what each of their hops costs.
 *
 * A flow goes from stop to stop: neighbouring points in one slice are one stop. A hop is the time from the end of one
 * stop's slice to the begin of the next one's (chain.h), negative where they overlap; work is the time of a stop's slice.
 * So total = hops + work, from the begin of the first slice to the end of the last. All is computed in steps, from the
 * begin again when the trace has changed. Times in ns. */
#ifndef FXTOP_FLOW_STATS_H
#define FXTOP_FLOW_STATS_H

#include "model/query/flow_slice.h"
#include "src/base/quantiles.h"

struct flowstat_name {
    uint32_t name;       /* number, of the flows' first points */
    VEC(uint32_t) flows; /* of that name, in order of their begins */
    uint64_t complete, unfinished, unbegun, unresolved;
    struct spread total; /* of the complete ones; ids: flows */
    VEC(uint32_t) hops;  /* places, in order of their first ones */
};

struct flowstat_hop { /* between two threads, of flows of one name */
    uint32_t name;    /* place of the flowstat_name */
    uint32_t from, to;
    struct spread transit; /* ids: the points they arrive at */
};

struct flowstat_flow {
    int64_t total;    /* of what there is of it */
    int64_t work;     /* of that in slices */
    int64_t slowest;  /* hop */
    uint32_t arrival; /* point where that one arrives, or NO_POINT: there is no hop */
    uint32_t stops;
};

struct flowstat;
struct flowstat *flowstat_new(struct trace *trace);
void flowstat_free(struct flowstat *stat);
/* True: all is known, for the trace as it is. Until then names and flows stand as far as they were counted. */
bool flowstat_step(struct flowstat *stat, uint64_t budget);
uint32_t flowstat_round(const struct flowstat *stat); /* grows when it began again */
uint32_t flowstat_done(const struct flowstat *stat);  /* flows counted */

uint32_t flowstat_names(const struct flowstat *stat);
const struct flowstat_name *flowstat_name(const struct flowstat *stat, uint32_t i);
const struct flowstat_hop *flowstat_hop(const struct flowstat *stat, uint32_t i);
const struct flowstat_flow *flowstat_flow(const struct flowstat *stat, uint32_t flow); /* NULL: not counted yet */
uint32_t flowstat_place(const struct flowstat *stat, uint32_t name); /* of its number; UINT32_MAX: none counted yet */
/* The hops of a name's flows between these threads, or NULL. */
const struct flowstat_hop *flowstat_between(const struct flowstat *stat, uint32_t name, uint32_t from, uint32_t to);

/* Longer than 95 of 100 such hops? And in words, "slow: p99.1": longer than so many of them. Once all is known. */
bool flowstat_slow(const struct flowstat_hop *hop, int64_t transit);
void flowstat_verdict(const struct flowstat_hop *hop, int64_t transit, char out[24]);

bool flowstat_same_stop(const struct chain_place *a, const struct chain_place *b);
/* The points of a flow that begin a stop: the next one behind `point`, or NO_POINT. */
uint32_t flowstat_next_stop(struct trace *trace, uint32_t point);

#endif
