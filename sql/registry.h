/* registry.h - all tables and views of SQL. */
#ifndef FXTOP_REGISTRY_H
#define FXTOP_REGISTRY_H

#include "sql/table.h"

/* Registers every table and makes every view; a status of SQLite. */
int registry_fill(sqlite3 *db, struct source *source);
/* The tables, without the views, in their order; NULL after the last. */
const struct table *registry_table(size_t i);

/* Copies them to the database `saved`: tables that need no argument, but record, and the views; a
 * status of SQLite. */
int registry_save(sqlite3 *db);

#endif
