/* ftrace.h - the importer of ftrace's text: tracefs, trace-cmd report, systrace. */
#ifndef FXTOP_FTRACE_H
#define FXTOP_FTRACE_H

#include "src/io/import.h"

extern const struct importer ftrace;

#endif
