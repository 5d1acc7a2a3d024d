/* folded.h - paths as folded stacks, for flame graph tools (--export=folded, EXPORT 5.4). */
#ifndef FXTOP_FOLDED_H
#define FXTOP_FOLDED_H

#include <stdio.h>

#include "model/output/chars.h"
#include "model/query/filter/filter_match.h"
#include "model/query/stat/range.h"

/* In place of self time the samples of a profiler, the sums of their weights, or the off-CPU time
 * of blocked ones. By default time, and samples if no slice of the trace was measured. */
enum folded_by { FOLDED_BY_DEFAULT, FOLDED_BY_SAMPLES, FOLDED_BY_WEIGHT, FOLDED_BY_OFF_CPU };

/* "THREAD;FRAME;FRAME NS", a line for each path of each thread with self time in the range. only:
 * NULL, or a filter of the slices whose time counts. The trace must be complete. False if out
 * cannot be written; errno has the reason. */
bool folded_export(struct trace *trace, const struct range *range, struct filter_match *only,
                   enum folded_by by, FILE *out);

/* Adds a name as it is on the screen; ";" separates frames, so one in a name is "\x3b". An empty
 * name is "". */
void folded_name(struct chars *line, struct str name);

#endif
