/* strace.h - the importer of strace's output with times (-t, -tt, -ttt or -r). */
#ifndef FXTOP_STRACE_H
#define FXTOP_STRACE_H

#include "src/io/import.h"

extern const struct importer strace;

#endif
