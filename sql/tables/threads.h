/* threads.h - the tables thread and process. */
#ifndef FXTOP_SQL_THREADS_H
#define FXTOP_SQL_THREADS_H

#include "sql/table.h"

extern const struct table threads_table, threads_processes;

#endif
