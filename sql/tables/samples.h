/* samples.h - the table counter: the samples of all counters. */
#ifndef FXTOP_SQL_TABLES_SAMPLES_H
#define FXTOP_SQL_TABLES_SAMPLES_H

#include "sql/table.h"

extern const struct table samples_table;

#endif
