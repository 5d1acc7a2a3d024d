/* intersect.h - the functions that interval_intersect!((a, b, ..), (columns)) is rewritten to: the
 * stretches of time that a row of each table shares.
 *
 * fxtop_intervals(id, ts, dur, columns..) is an aggregate over the rows of a table, ordered by the
 * columns, then by ts. fxtop_intersection(x, y, ..) is a table of 2 to 5 of its values: ts, dur,
 * id_0 .. id_4, part_0 .. part_7. Rows meet if the columns are equal, NULLs too. Rows of one table
 * may overlap. A dur of -1 has no end; a row of no length meets rows that begin at its time or are
 * there already. */
#ifndef FXTOP_INTERSECT_H
#define FXTOP_INTERSECT_H

#include <sqlite3.h>

#include "sql/source.h"

#define INTERSECT_TABLES 5
#define INTERSECT_PARTS 8

int intersect_register(sqlite3 *db, struct source *source);

#endif
