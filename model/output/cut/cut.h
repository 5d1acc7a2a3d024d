/* cut.h - a part of a trace as a trace (--cut): a range of time, tracks, and the events that a
 * filter holds for.
 *
 * The part shows the same slices, states, counters and flows in the range as the whole. Slices,
 * operations and flows stay whole. A state or a counter's value that lasts into the range begins
 * with it. A CPU's run that goes on after the range ends with it. These records have another time.
 * Names, objects and blobs are all kept. */
#ifndef FXTOP_CUT_H
#define FXTOP_CUT_H

#include <stdio.h>

#include "model/query/stat/question.h"

/* Writes the part of a complete trace; redact: enum redact_what. Fails with one line. */
bool cut_write(struct trace *trace, const struct question *asked, unsigned redact, FILE *out,
               struct err *err);

#endif
