/* sql_each.h - a query for the slices of a name, as iterations: frames, steps, requests. */
#ifndef FXTOP_SQL_EACH_H
#define FXTOP_SQL_EACH_H

#include "model/output/chars.h"

/* Appends the query: a row a slice, the slowest first. It has the number by time, the time since
 * the one before on its track, and the shares of children by name. */
void sql_each_query(struct chars *out, struct str name);

#endif
