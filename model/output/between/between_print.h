/* between_print.h - the names that changed between traces: for a reader, a pull request, or
 * programs. */
#ifndef FXTOP_BETWEEN_PRINT_H
#define FXTOP_BETWEEN_PRINT_H

#include <stdio.h>

#include "model/output/top.h"
#include "model/query/stat/between/between.h"

struct between_style {
    enum relation_format format;
    bool all;       /* names that have not changed, too */
    bool by_thread; /* with the columns of pools */
    bool ascii;
    const char *sides[BETWEEN_SIDES]; /* as typed */
};

/* The caller checks ferror(out). */
void between_print(const struct between *between, const struct between_style *style, FILE *out);

#endif
