/* records.h - the table record: every record of the file. */
#ifndef FXTOP_RECORDS_H
#define FXTOP_RECORDS_H

#include "sql/table.h"

extern const struct table records_table;

#endif
