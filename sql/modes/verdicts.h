/* verdicts.h - the answers to --assert for one trace: a line each, rows of CSV, ndjson or
 * Markdown, or a report of tests. */
#ifndef FXTOP_VERDICTS_H
#define FXTOP_VERDICTS_H

#include <stdio.h>

#include "sql/print.h"

struct verdicts_style {
    enum relation_format format;
    bool ascii;
    const char *trace; /* its name */
};

/* Asks n assertions and prints their verdicts. Returns an exit status: 0 all hold, 1 one does not,
 * 2 one has a fault.
 */
int verdicts_print(struct query *query, const char *const *expressions, int n,
                   const struct verdicts_style *style, FILE *out);

#endif
