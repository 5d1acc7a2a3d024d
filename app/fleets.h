/* fleets.h - a mode's answers about many traces, each of them for itself. */
#ifndef FXTOP_FLEETS_H
#define FXTOP_FLEETS_H

#include "app/options.h"
#include "sql/modes/run.h"

/* The answer about options->path, to standard output; returns an exit status. */
typedef int fleets_one(const struct options *options, const struct run *run);

/* Asks each trace; --compare compares each with the first one. run: of a query or assertions, else
 * NULL. Returns the greatest status. */
int fleets_ask(const struct options *options, const struct run *run, fleets_one *one);

#endif
