/* runs.h - comparisons of traces that a test makes. */
#ifndef FXTOP_RUNS_H
#define FXTOP_RUNS_H

#include "model/query/stat/between/between.h"

/* Adds a run, and returns it; the last one of B stays open for runs_finish(). */
struct trace *runs_add(struct between *between, int side, struct trace *trace);
/* Works out all verdicts, and frees the last run. */
void runs_finish(struct between *between, struct trace *last);
/* Fails the test if there is no such row. */
const struct between_row *runs_row(const struct between *between, const char *name);

#endif
