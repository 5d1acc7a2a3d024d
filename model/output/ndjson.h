/* ndjson.h - the trace for programs (EXPORT 1 to 3): as ndjson, as Chrome's JSON, its slices as
 * CSV.
 *
 * The trace must be complete. False if out cannot be written; errno has the reason. */
#ifndef FXTOP_NDJSON_H
#define FXTOP_NDJSON_H

#include <stdio.h>

#include "model/query/stat/question.h"
#include "model/trace/trace.h"

/* asked: NULL, or of which events; these have the ids of the whole trace. Lines without a time are
 * printed anyway. */
bool export_ndjson_only(struct trace *trace, const struct question *asked, FILE *out);
bool export_json_only(struct trace *trace, const struct question *asked, FILE *out);
bool export_csv_only(struct trace *trace, const struct question *asked, FILE *out);

/* all of it, one JSON object a line */
static inline bool export_ndjson(struct trace *trace, FILE *out) {
    return export_ndjson_only(trace, NULL, out);
}
/* Chrome's trace event format, for other viewers */
static inline bool export_json(struct trace *trace, FILE *out) {
    return export_json_only(trace, NULL, out);
}
static inline bool export_csv(struct trace *trace, FILE *out) { /* slices, RFC 4180 */
    return export_csv_only(trace, NULL, out);
}

#endif
