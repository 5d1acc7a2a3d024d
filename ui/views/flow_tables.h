/* flow_tables.h - the three tables of 6 Flows: names of flows, the flows of a name, the stops of a flow.
 *
 * A stop is what the points of a flow in one slice are together; a hop leads from one stop to the next
 * (model/query/flow_stats.h). Names and flows are numbers of flow_stats.h and flow.h; times are ns. */
#ifndef FXTOP_FLOW_TABLES_H
#define FXTOP_FLOW_TABLES_H

#include "ui/screen/table.h"
#include "ui/session.h"

enum flow_level { FLOW_NAMES, FLOW_FLOWS, FLOW_STOPS, FLOW_LEVELS };
enum flow_stop_column {
    STOP_HOP,
    STOP_SLICE,
    STOP_WORK,
    STOP_THIS,
    STOP_COUNT,
    STOP_P50,
    STOP_P95,
    STOP_P99,
    STOP_MAX,
    STOP_VERDICT,
    STOP_COLUMNS
};

struct flow_tables {
    struct app *app;
    struct flow_stats *stats; /* the app's */
    uint32_t name, flow;      /* shown by FLOW_FLOWS and FLOW_STOPS */
    VEC(uint32_t) stops;      /* of the flow: the first point of each */
};

extern const struct table_source flow_tables[FLOW_LEVELS]; /* their ctx: struct flow_tables */

/* Collects the stops of tables->flow. */
void flow_tables_set_stops(struct flow_tables *tables);

const struct flow *flow_tables_flow(const struct flow_tables *tables, uint32_t flow);
struct flow_point flow_tables_point(const struct flow_tables *tables, uint32_t point);
const struct flow_stats_name *flow_tables_name(const struct flow_tables *tables); /* the current one */

struct flow_hop { /* a stop, and the hop that arrives there */
    struct flow_slice_place here;
    bool arrives; /* false: it is the first stop */
    int64_t transit;
    const struct aggregate_row *stats; /* NULL: not known yet */
};
struct flow_hop flow_tables_hop(const struct flow_tables *tables, uint32_t stop);
bool flow_tables_slow(const struct flow_hop *hop);

/* "main > render" in buf. */
struct str flow_tables_hop_text(const struct flow_tables *tables, uint32_t from, uint32_t to, char *buf, size_t cap);

#endif
