/* perf.h - the importer of the output of perf script. */
#ifndef FXTOP_PERF_H
#define FXTOP_PERF_H

#include "src/io/import.h"

extern const struct importer perf;

#endif
