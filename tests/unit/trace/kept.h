/* kept.h - the fixture of suite_persist: a trace in a folder of its own, which is the folder of
 * cached indexes too.
 *
 * Every function fails the calling test if it cannot do its work. */
#ifndef FXTOP_TESTS_UNIT_TRACE_KEPT_H
#define FXTOP_TESTS_UNIT_TRACE_KEPT_H

#include "model/trace/trace.h"
#include "tests/lib/scratch.h"

extern char kept_folder[SCRATCH_PATH];          /* $XDG_CACHE_HOME */
extern char kept_trace[SCRATCH_PATH + 20];      /* path of the trace */
extern char kept_index[SCRATCH_PATH + 300];     /* path of its cached index, after kept_find() */
extern const struct trace_options kept_options; /* an index is kept of any trace */
extern const struct trace_options kept_whole;   /* and verified as a whole */

void kept_set_up(void);
void kept_tear_down(void);

/* Writes the trace: these bytes, or nested calls on three threads with all other kinds of
 * events. */
void kept_put(const void *bytes, size_t n);
void kept_put_calls(int n);

/* Reads the trace to its end; NULL if it is none. For trace_free(). */
struct trace *kept_load(const struct trace_options *options);

/* All that is said of a trace; for free(). */
char *kept_said(struct trace *trace);

/* Whether there is a cached index; more than one is a failure. */
bool kept_find(void);

/* Reads the trace, keeps its index, and returns its message; for free(). */
char *kept_write(void);

#endif
