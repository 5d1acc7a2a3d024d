/* percentile.h - the aggregates percentile(x, p), p50(x), p90(x), p99(x): linear between neighbours, NULLs left out. */
#ifndef FXTOP_PERCENTILE_H
#define FXTOP_PERCENTILE_H

#include <sqlite3.h>

int percentile_register(sqlite3 *db);

#endif
