/* loaded.h - a whole trace of a fixture's text (tracegen.h), for suites of the model. Fails the
 * test if there is none.
 */
#ifndef FXTOP_LOADED_H
#define FXTOP_LOADED_H

#include "model/trace/trace.h"

struct trace *loaded_text(const char *text); /* for trace_free() */
struct trace *loaded_names(int n);           /* slices of 1 ns, each of another name: n0, n1, .. */
struct trace *loaded_fixture(const char *name); /* tests/traces/NAME.txt */

#endif
