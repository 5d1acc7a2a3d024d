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
void flows_get(struct table_cursor *cursor, int column, sqlite3_context *out);
extern const struct table_column flows_columns[FLOWS_COLUMNS];
extern const struct table flows_table, flows_hops;

#endif
