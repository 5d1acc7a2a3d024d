/* sums.h - count, sum, total, avg, min and max of a database of batches. */
#ifndef FXTOP_SUMS_H
#define FXTOP_SUMS_H

#include <sqlite3.h>

#include "sql/source.h"

/* Whether a word of bytecode, such as "sum(1)", is one of these. */
bool sums_has(const char *function);
int sums_register(sqlite3 *db, struct source *source);

#endif
