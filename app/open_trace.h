/* open_trace.h - opens the trace of the command line, or a part of it. */
#ifndef FXTOP_OPEN_TRACE_H
#define FXTOP_OPEN_TRACE_H

#include "app/options.h"

/* Opens the part of --load, or all. The screen asks on the terminal for a part if the index does
 * not fit into memory. Fails with one line. */
struct trace *open_trace(const struct options *o, struct err *err);

/* Whether the trace has the wanted providers; it is read for that. One that is followed may get
 * them. */
bool open_trace_has_providers(struct trace *trace, const struct options *o, struct err *err);

#endif
