/* names_list.h - a table of names (names_table.h) as a relation: the columns of --top.
 *
 * Its context is a struct names_table. Rows are in the table's order; names_table_sort() gives
 * another one. */
#ifndef FXTOP_NAMES_LIST_H
#define FXTOP_NAMES_LIST_H

#include "model/output/relation.h"
#include "model/query/stat/names_table.h"

extern const struct relation names_list;
/* Rows are traces (GROUP_BY_TRACE), whose column is the first one. */
extern const struct relation names_list_of_traces;

#endif
