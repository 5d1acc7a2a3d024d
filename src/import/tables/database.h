/* database.h - rows of the tables of an SQLite database from anywhere.
 *
 * Only tables are read: no view, no virtual table and no expression of the schema, which an
 * authorizer refuses. Columns are asked by name; those that a table lacks are NULL. A table has no
 * more rows than its file has space for, however its pages refer to each other. */
#ifndef FXTOP_DATABASE_H
#define FXTOP_DATABASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

#define DATABASE_COLUMNS 64 /* names that are asked for */

struct database;

/* fd: of a file without a name, which stays the caller's; stop: ends a row that takes long.
 * columns: their names; a column is its index. */
struct database *database_open(int fd, const atomic_bool *stop, const char *const *columns,
                               size_t n);
void database_close(struct database *db); /* may be NULL */

/* The names of its tables, or NULL from there on. */
const char *database_table(const struct database *db, size_t i);
/* Begins the rows of a table with these columns, a bit each. order: up to two columns, or -1.
 * False: it has none of them, or cannot be read. */
bool database_select(struct database *db, const char *table, uint64_t columns, const int order[2]);
/* The next row. False: there is none; why, if reading failed. */
bool database_next(struct database *db);
/* The failure since database_open(), or the last database_select(); NULL: none. */
const char *database_why(const struct database *db);
int64_t database_count(struct database *db, const char *table);

/* These are of the row, until the next one. False: it is of another type. */
bool database_has(const struct database *db, int column); /* it is not NULL */
bool database_whole(const struct database *db, int column, int64_t *v);
bool database_real(const struct database *db, int column, double *v);
bool database_text(const struct database *db, int column, struct str *text);

#endif
