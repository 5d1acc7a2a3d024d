/* nsys_tables.h - the tables of Nsight Systems, in the order in which they are read. */
#ifndef FXTOP_NSYS_TABLES_H
#define FXTOP_NSYS_TABLES_H

#include "src/import/tables/nsys_row.h"

#define NSYS_TABLES 23
extern const struct nsys_job nsys_tables[NSYS_TABLES]; /* the first one has the texts */
extern const struct nsys_job nsys_tables_unread;       /* any other one: its rows are counted */
struct samples *nsys_tables_samples(struct nsys *n);

#endif
