/* kernel_mark.h - marks that programs write to trace_marker: `B|pid|name` and the like (atrace). */
#ifndef FXTOP_KERNEL_MARK_H
#define FXTOP_KERNEL_MARK_H

#include "src/import/kernel/kernel_events.h"

void kernel_mark(struct kernel_events *k, struct kernel_event *e, struct str text);

#endif
