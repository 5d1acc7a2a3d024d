/* numbers.h - functions of the slices of a name: dur_p99('name'), dur_count('name', 'thread').
 *
 * They give the numbers of the table slice_name, with a second argument those of the threads that
 * have this name. There is no number without such a slice; then dur_count is 0 and the others are
 * NULL. */
#ifndef FXTOP_SQL_TABLES_NUMBERS_H
#define FXTOP_SQL_TABLES_NUMBERS_H

#include <sqlite3.h>

#include "sql/source.h"

int numbers_register(sqlite3 *db, struct source *source);

#endif
