/* plan.h - whether a statement may be asked of batches of rows. */
#ifndef FXTOP_PLAN_H
#define FXTOP_PLAN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the statement of n bytes reads one table, once, and takes the sums of its batches for
 * aggregates alone, by its bytecode. *columns: bits of the columns that it reads. */
bool plan_sound(sqlite3 *db, const char *sql, size_t n, unsigned long *columns);

#endif
