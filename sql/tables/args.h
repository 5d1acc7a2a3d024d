/* args.h - the table args: the arguments of slices. */
#ifndef FXTOP_ARGS_H
#define FXTOP_ARGS_H

#include "sql/table.h"

extern const struct table args_table;

#endif
