/* tracepoints.h - events of the kernel that tracefs has numbers for. */
#ifndef FXTOP_TRACEPOINTS_H
#define FXTOP_TRACEPOINTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"

/* The number of an event such as "sched/sched_waking". 0, or errno. */
int tracepoints_find(const char *event, uint64_t *number);
/* Each event of that number, with its own bytes. */
struct perf_event_attr tracepoints_attributes(uint64_t number);
/* Sets the reason for which there are none of `what`, one line. Returns false. */
bool tracepoints_refused(const char *what, int why, struct err *err);

#endif
