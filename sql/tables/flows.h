/* flows.h - the tables flow and flow_hop: hops of flows between slices; and the hops for functions
 * that follow them. */
#ifndef FXTOP_SQL_FLOWS_H
#define FXTOP_SQL_FLOWS_H

#include "sql/table.h"

#define FLOWS_COLUMNS 5 /* those that functions return */

struct flows_hop {
    int64_t out, in;    /* ids of slices; out begins first */
    uint32_t flow, hop; /* numbers, from 0 on */
    uint32_t from, to;  /* points */
};

/* The rows of flow: row numbers are those of hops. */
struct rows *flows_rows(struct source *source);
const struct flows_hop *flows_hop(struct source *source, uint32_t number);
size_t flows_hops_count(struct source *source);
/* The time from the end of one slice to the begin of the other; false: one has not ended, or is
 * damaged. */
bool flows_gap(struct source *source, const struct flows_hop *hop, int64_t *gap);
/* The slice around a point; -1: none. */
int64_t flows_point_slice(struct source *source, uint32_t point);

/* Notes that an answer has read the gap of a hop of a flow, or joined: its ends. Others of its name
 * may not have arrived (flows_open.c). */
void flows_read_gap(struct source *source, uint32_t flow, bool joined);
/* Notes that an answer reads gaps, of the flows of a name or, if it is NULL, of all: of some name
 * none may have arrived. */
void flows_read_gaps(struct source *source, const struct str *name, bool joined);

void flows_get(struct table_cursor *cursor, int column, sqlite3_context *out);
extern const struct table_column flows_columns[FLOWS_COLUMNS];
extern const struct table flows_table, flows_hops;

#endif
