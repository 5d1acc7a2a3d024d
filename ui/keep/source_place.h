/* source_place.h - the file and line that the arguments of an event name.
 *
 * The file is the string of an argument file, path, filename or source, with the line in line or
 * lineno, or after it: "draw.c:12" or "draw.c:12:5". Without such an argument, the first string of
 * any name that has a line so. Only a regular file that exists counts, and its path is made
 * absolute: no content of a trace is an option, a command, or a name of another kind to the program
 * that opens it. */
#ifndef FXTOP_SOURCE_PLACE_H
#define FXTOP_SOURCE_PLACE_H

#include <limits.h>

#include "model/trace/trace.h"

struct source_place {
    char path[PATH_MAX]; /* absolute */
    uint32_t line;       /* from 1; 0: not known */
    char missing[80]; /* the first file that was named and is not there, safe to print; "": none */
};

/* Begins with no place. */
void source_place_init(struct source_place *place);
/* Takes the arguments of the record at an offset in. A place that is found stays. True: there is
 * one. */
bool source_place_take(struct source_place *place, struct trace *trace, uint64_t offset);

#endif
