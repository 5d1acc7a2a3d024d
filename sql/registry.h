/* registry.h - all tables and views of SQL. */
#ifndef FXTOP_REGISTRY_H
#define FXTOP_REGISTRY_H

#include "sql/table.h"

/* Registers every table and makes every view; a status of SQLite. */
int registry_fill(sqlite3 *db, struct source *source);
/* Registers the tables whose rows are added up by the index in a database of batches. */
int registry_fill_batches(sqlite3 *db, struct source *source);
/* Whether a statement has made something with the name of one of these. */
bool registry_hides_batches(sqlite3 *db);
/* The tables, without the views, in their order; NULL after the last. */
const struct table *registry_table(size_t i);

/* Copies them to the database `saved`: tables that need no argument, but record, and the views; a
 * status of SQLite. */
int registry_save(sqlite3 *db);

#endif
