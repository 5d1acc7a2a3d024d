/* cpuprofile.h - the importer of .cpuprofile files: CPU profiles of V8 (Node, Chrome). */
#ifndef FXTOP_CPUPROFILE_H
#define FXTOP_CPUPROFILE_H

#include "src/io/import.h"

extern const struct importer cpuprofile;

#endif
