/* export.h - the trace for programs: EXPORT.md. */
#ifndef FXTOP_EXPORT_H
#define FXTOP_EXPORT_H

#include <stdio.h>

#include "model/trace.h"

/* One JSON object a line. False when out cannot be written (errno says why). */
bool export_ndjson(struct trace *trace, FILE *out);

#endif
