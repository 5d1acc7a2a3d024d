/* report.h - the trace for a person to read on paper: --summary, --check, --records. */
#ifndef FXTOP_REPORT_H
#define FXTOP_REPORT_H

#include <stdio.h>

#include "model/trace/trace.h"

void report_summary(struct trace *trace, FILE *out, bool ascii);

/* Every problem by kind: count, first byte, a sentence. Returns whether there are any (strict: notes count). */
bool report_check(struct trace *trace, FILE *out, bool strict);

/* Every record in file order, damaged ones too; reads the file itself. False where it is no trace, or out cannot be
 * written. */
bool report_records(const char *path, const struct trace_options *options, FILE *out, bool ascii, struct err *err);

#endif
