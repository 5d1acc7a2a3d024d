/* kernel_text.h - an event of the kernel as text: its name, and its fields as the kernel, trace-cmd
 * or perf print them. */
#ifndef FXTOP_KERNEL_TEXT_H
#define FXTOP_KERNEL_TEXT_H

#include "src/import/kernel/kernel_events.h"

/* name: `sched_switch`, without its system. kernel_events_take() has taken the event. */
void kernel_text(struct kernel_events *k, struct kernel_event *e, struct str name, struct str text);

#endif
