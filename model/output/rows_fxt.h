/* rows_fxt.h - tracks of questions (model/store/row_track.h) as records, after those of a trace. */
#ifndef FXTOP_ROWS_FXT_H
#define FXTOP_ROWS_FXT_H

#include <stdio.h>

#include "model/trace/trace.h"

/* Writes them to a file that has all other records of the trace: slices of threads of a process
 * `questions`, of a provider of their own. Without tracks nothing is written. Fails with one
 * line. */
bool rows_fxt_write(struct trace *trace, FILE *out, struct err *err);
bool rows_fxt_any(struct trace *trace); /* there are some */

#endif
