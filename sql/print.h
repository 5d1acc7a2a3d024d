/* print.h - the rows of a query as text: a table for a reader, CSV, ndjson, Markdown.
 *
 * Texts are safe for a terminal in every format: controls, bad UTF-8 and characters that
 * RELIABILITY 1.2 substitutes are written as in the exports (EXPORT 2.3). */
#ifndef FXTOP_PRINT_H
#define FXTOP_PRINT_H

#include <stdio.h>

#include "model/output/relation.h"
#include "sql/query.h"

struct print_style {
    enum relation_format format;
    bool ascii;
    const char *trace;  /* of a first column `trace`; NULL: no such column */
    bool (*fits)(void); /* whether the disk of the output has space; NULL: another side's concern */
};

/* Runs the query to its end and prints its rows. The caller checks ferror(out). */
enum query_state print_rows(struct query *query, const struct print_style *style, FILE *out,
                            struct err *err);

#endif
