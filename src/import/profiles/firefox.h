/* firefox.h - profiles of Firefox's profiler: its own, and those of samply and perf. */
#ifndef FXTOP_FIREFOX_H
#define FXTOP_FIREFOX_H

#include "src/io/import.h"

extern const struct importer firefox;

#endif
