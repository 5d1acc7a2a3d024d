/* ndjson_head.h - the lines of ndjson without a time, and what the others share with them. */
#ifndef FXTOP_NDJSON_HEAD_H
#define FXTOP_NDJSON_HEAD_H

#include "model/output/json.h"
#include "model/trace/trace.h"

void ndjson_head_line(struct json *j, const char *type); /* begins a line, and counts it */
void ndjson_head_end(struct json *j);
/* The name of a number, or the number if it has none. */
void ndjson_head_number(struct json *j, const char *field, const char *name, uint64_t number);
/* nothing of NO_THREAD */
void ndjson_head_thread(struct json *j, const struct trace *trace, uint32_t thread);
/* Modules and mappings may have a process and no thread. */
void ndjson_head_whose(struct json *j, const struct trace *trace, uint32_t thread,
                       const struct detail *d);
/* The file of a record, if there are several; and its offset there. */
void ndjson_head_file(struct json *j, const struct trace *trace, uint64_t offset);
void ndjson_head_offset(struct json *j, const struct trace *trace, uint64_t offset);
void ndjson_head_lost(struct json *j, struct trace *trace, const struct lost *l);

/* All lines without a time. */
void ndjson_head_write(struct json *j, struct trace *trace);

#endif
