/* percentile.h - the aggregates percentile(x, p) with p up to 100, quantile(x, q) with q up to 1,
 * median(x), p50(x), p90(x), p99(x): linear between neighbours. stddev(x) and variance(x) are of a
 * sample. NULLs are left out. */
#ifndef FXTOP_PERCENTILE_H
#define FXTOP_PERCENTILE_H

#include <sqlite3.h>

int percentile_register(sqlite3 *db);

#endif
