/* top.h - the names of slices with their numbers, without a screen: --top (EXPORT 6.5).
 *
 * The trace must be complete. False if out cannot be written; errno has the reason. */
#ifndef FXTOP_TOP_H
#define FXTOP_TOP_H

#include <stdio.h>

#include "model/output/relation.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/question.h"

struct table_request {
    enum relation_format format;
    uint64_t most; /* rows; 0: all */
    bool ascii;
    bool traces; /* of --top: a row for each of several traces, in place of each name */
};

/* by: the column of the order, descending. */
bool top_print(struct trace *trace, const struct question *asked, enum names_column by,
               const struct table_request *request, FILE *out);
/* The line above a table for a reader: range, tracks and filter. */
void top_heading(struct trace *trace, const struct question *asked, bool ascii, FILE *out);

#endif
