/* ndjson.h - the trace for programs (EXPORT 1 to 3). False when out cannot be written (errno says why). */
#ifndef FXTOP_NDJSON_H
#define FXTOP_NDJSON_H

#include <stdio.h>

#include "model/trace/trace.h"

bool export_ndjson(struct trace *trace, FILE *out); /* all of it, one JSON object a line */
bool export_json(struct trace *trace, FILE *out);   /* Chrome's trace event format: what other viewers can show */
bool export_csv(struct trace *trace, FILE *out);    /* slices, RFC 4180 */

/* A cell of RFC 4180, in quotes; then `after`. */
void export_csv_text(FILE *out, struct str s, const char *after);
void export_csv_lines(FILE *out, struct str s, const char *after); /* its line feeds stay what they are */

#endif
