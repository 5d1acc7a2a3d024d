/* loaded.h - a whole trace of a fixture's text (tracegen.h), for suites of the model. Fails the
 * test if there is none.
 */
#ifndef FXTOP_LOADED_H
#define FXTOP_LOADED_H

#include "model/trace/trace.h"

struct trace *loaded_text(const char *text); /* for trace_free() */
struct trace *loaded_names(int n);           /* slices of 1 ns, each of another name: n0, n1, .. */
struct trace *loaded_fixture(const char *name); /* tests/traces/NAME.txt */

/* The ndjson of a source in any format, for free(). */
char *loaded_export(const char *source, size_t n);
/* How often a part occurs in a text. */
unsigned loaded_count(const char *text, const char *part);

#endif
