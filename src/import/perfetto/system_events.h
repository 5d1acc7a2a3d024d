/* system_events.h - packets about threads and CPUs of any kernel: Generic...Event of Perfetto. */
#ifndef FXTOP_SYSTEM_EVENTS_H
#define FXTOP_SYSTEM_EVENTS_H

#include "src/import/perfetto/bundles.h"

/* field: of the packet: 117 the state of a task, 118 the frequency of a CPU, 120 a new name, 122
 * processes and threads. */
void system_events_take(struct bundles *b, uint64_t field, uint64_t ts, struct str message);

#endif
