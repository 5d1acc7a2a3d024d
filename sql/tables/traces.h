/* traces.h - the table trace: the traces that are one timeline. */
#ifndef FXTOP_TRACES_H
#define FXTOP_TRACES_H

#include "sql/table.h"

extern const struct table traces_table;

#endif
