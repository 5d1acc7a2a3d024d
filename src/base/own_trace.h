/* own_trace.h - trace macros (fxttrace(3)) in fxtop's own steps, frames and keys, with configure
 * --enable-trace.
 *
 * Else they are nothing. `fxtop record ./fxtop TRACE` makes the trace: doc/TUTORIAL.md reads
 * one. */
#ifndef FXTOP_OWN_TRACE_H
#define FXTOP_OWN_TRACE_H

#ifdef ENABLE_TRACE
#include "provider/lib/trace/event.h"
#else
#define TRACE_DURATION(...) /* nothing, also among declarations */ struct own_trace_nothing
#endif

#endif
