/* thrown_events.h - random traces with events of all kinds, for suites of filters. */
#ifndef FXTOP_THROWN_EVENTS_H
#define FXTOP_THROWN_EVENTS_H

#include "model/trace/trace.h"
#include "tests/lib/chance.h"

/* Threads 10 to 12, of which 10 is "ui", of processes 1, "render", and 2: slices that overlap or
 * stay open, operations, flows, samples, log records, and switches that contradict each other;
 * arguments on many; ns are ticks. */
struct trace *thrown_events(struct chance *chance, unsigned events);

#endif
