/* span.h - SPAN_JOIN and its relatives: CREATE VIRTUAL TABLE x USING SPAN_JOIN(a PARTITIONED c, b
 * PARTITIONED c).
 *
 * Rows are the stretches of time in which a row of a and a row of b overlap, in the same partition.
 * The columns are ts, dur, the partition, then the others of a and of b. SPAN_LEFT_JOIN has all
 * time of a; where no row of b covers it, the columns of b are NULL. SPAN_OUTER_JOIN has all time
 * of both. In one partition the rows of a table must not overlap. If one table has no partitions,
 * its rows are in each one of the other. A dur of -1 has no end. */
#ifndef FXTOP_SPAN_H
#define FXTOP_SPAN_H

#include <sqlite3.h>

#include "sql/source.h"

int span_register(sqlite3 *db, struct source *source);

#endif
