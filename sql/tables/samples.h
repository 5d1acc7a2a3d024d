/* samples.h - the table counter: the samples of all counters. */
#ifndef FXTOP_SAMPLES_H
#define FXTOP_SAMPLES_H

#include "sql/table.h"

extern const struct table samples_table;

#endif
