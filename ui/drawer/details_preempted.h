/* details_preempted.h - the CPU and the runs of others while a thread was preempted. */
#ifndef FXTOP_DETAILS_PREEMPTED_H
#define FXTOP_DETAILS_PREEMPTED_H

#include "ui/drawer/drawer_text.h"

/* A line about state i of a thread, if it is runnable right after it ran: the CPU that it left, the
 * threads that had it until it ran again, and where that was. */
void details_preempted(struct drawer_text *p, const struct sched_thread *thread, uint32_t i);

#endif
