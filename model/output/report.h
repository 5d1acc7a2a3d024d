/* report.h - the trace as plain text: --summary, --records.
 *
 * ascii: nothing but ASCII is printed. The trace must be complete. */
#ifndef FXTOP_REPORT_H
#define FXTOP_REPORT_H

#include <stdio.h>

#include "model/query/stat/question.h"
#include "model/trace/trace.h"

void report_summary(struct trace *trace, FILE *out, bool ascii);
/* The file, and the requested parts of its events: counts, threads with their busiest names
 * (report_range.c). */
void report_range(struct trace *trace, const struct question *asked, FILE *out, bool ascii);
/* The lines about the file and its span, with which both begin. */
void report_file(struct trace *trace, FILE *out, bool ascii);

/* Every record in file order, damaged ones too; reads the file itself. False, with one line in err,
 * if it is no trace or out cannot be written. */
bool report_records(const char *path, const struct trace_options *options, FILE *out, bool ascii,
                    struct err *err);

#endif
