/* flow_tables.h - the tables of 6 Flows: names of flows, the flows or the hops of a name, the stops
 * of a flow.
 *
 * A stop is what the points of a flow in one slice are together; a hop leads from one stop to the
 * next (model/query/flow_stats.h). Names and flows are numbers of flow_stats.h and flow.h; times
 * are ns. */
#ifndef FXTOP_FLOW_TABLES_H
#define FXTOP_FLOW_TABLES_H

#include "ui/screen/table.h"
#include "ui/session.h"

enum flow_level { FLOW_NAMES, FLOW_FLOWS, FLOW_STOPS, FLOW_LEVELS };
/* table of the level FLOW_FLOWS: hops between threads instead of flows */
#define FLOW_HOPS FLOW_LEVELS
enum flow_stop_column {
    STOP_HOP,
    STOP_SLICE,
    STOP_LENGTH,
    STOP_WITHIN,
    STOP_THIS,
    STOP_FLIGHT,
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
    const struct answer *stats; /* the app's, whose `next` are statistics so far */
    uint32_t name_id;           /* number of the name shown by FLOW_FLOWS and FLOW_STOPS */
    uint32_t name;       /* its place in the statistics; UINT32_MAX: not counted (again) so far */
    uint32_t flow;       /* shown by FLOW_STOPS */
    VEC(uint32_t) flows; /* of the name, as far as they were counted before or are now */
    /* of the flow, as far as they are known; the last one may be incomplete */
    struct flow_stats_stops stops;
    uint32_t next; /* the point after them; NO_POINT: they are complete */
};

static inline const struct flow_stats *flow_tables_stats(const struct flow_tables *tables) {
    return tables->stats->next;
}

extern const struct table_source flow_tables[FLOW_LEVELS + 1]; /* their ctx: struct flow_tables */

/* Collects the first stops of tables->flow. */
void flow_tables_set_stops(struct flow_tables *tables);
/* A step towards the others; true: all are known. */
bool flow_tables_more_stops(struct flow_tables *tables);

const struct flow *flow_tables_flow(const struct flow_tables *tables, uint32_t flow);
struct flow_point flow_tables_point(const struct flow_tables *tables, uint32_t point);
#define FLOW_NONE UINT32_MAX
/* The flow of a row of FLOW_FLOWS; FLOW_NONE: it is not counted again so far. */
uint32_t flow_tables_row(const struct flow_tables *tables, uint64_t row);
/* The row, of n, of the last flow or stop that begins no later than a flow or point: sorted
 * numbers. False: there is none. */
bool flow_tables_flow_row(const struct flow_tables *tables, uint32_t n, uint32_t flow,
                          uint32_t *row);
bool flow_tables_stop_row(const struct flow_tables *tables, uint32_t n, uint32_t point,
                          uint32_t *row);
/* Makes a name the current one. */
void flow_tables_set_name(struct flow_tables *tables, uint32_t place);
/* Finds the current name in statistics that are counted again; known: they are complete. The flows
 * found before stay until then, so that a table of them stays. */
void flow_tables_again(struct flow_tables *tables, bool known);

/* The lines of the open level (ui/views/view_place.h): the name, "hops", and the row of the
 * flow. */
void flow_tables_keep(const struct flow_tables *tables, enum flow_level level, bool hops,
                      struct chars *out);
/* The place of a name that such a line has; false: it is not in the statistics. */
bool flow_tables_named(const struct flow_tables *tables, const char *text, uint32_t *place);

struct flow_hop { /* a stop, and the hop that arrives there */
    const struct flow_stats_stop *here;
    /* where it came from; NULL: no hop arrives, as at the first stop */
    const struct flow_stats_stop *from;
    int64_t transit, in_flight;
    const struct aggregate_row *stats; /* NULL: not known yet */
};
struct flow_hop flow_tables_hop(const struct flow_tables *tables, uint32_t stop);
bool flow_tables_slow(const struct flow_hop *hop);
/* Row of FLOW_HOPS: the hops of the current name between two threads. */
/* NULL: not counted */
const struct aggregate_row *flow_tables_pair(const struct flow_tables *tables, uint64_t row);

/* "main > render" in buf. */
struct str flow_tables_hop_text(const struct flow_tables *tables, uint32_t from, uint32_t to,
                                char *buf, size_t cap);

/* "Flows  35", or "Flows  3 of 35" in a range. */
void flow_tables_count(const struct flow_tables *tables, char text[80]);

#endif
