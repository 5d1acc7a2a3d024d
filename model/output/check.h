/* check.h - --check: every problem of a trace by kind. */
#ifndef FXTOP_CHECK_H
#define FXTOP_CHECK_H

#include <stdio.h>

#include "model/output/relation.h"
#include "model/trace/trace.h"

struct check_style {
    bool strict;                 /* notes are problems, too */
    enum relation_format format; /* of test_report.h, or FORMAT_TABLE: lines */
    const char *name;            /* of the trace, in such a report */
};

/* Prints count, first byte and a sentence of each kind, file by file. Returns whether there are
 * problems. The trace must be complete. */
bool check_print(struct trace *trace, const struct check_style *style, FILE *out);

#endif
