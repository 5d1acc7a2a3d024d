/* collapsed.h - the importer of collapsed stacks: lines such as "main;read;copy 12" (flamegraph.pl,
 * --export=folded). */
#ifndef FXTOP_COLLAPSED_H
#define FXTOP_COLLAPSED_H

#include "src/io/import.h"

extern const struct importer collapsed;

#endif
