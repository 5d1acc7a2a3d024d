/* wakeup.h - which thread woke a thread (SEMANTICS 10.9).
 *
 * Times: ns relative to the reader's base. Valid until the next trace_step(). */
#ifndef FXTOP_WAKEUP_H
#define FXTOP_WAKEUP_H

#include "model/trace/trace.h"

struct wakeup {
    int64_t time;    /* of the wakeup; of a flow, the time of its source */
    uint32_t thread; /* that woke it; NO_THREAD: the trace has no events or states of it */
    uint64_t koid;   /* of that thread, as the record names it; 0: a flow names it */
};

/* The wakeup that began state i of a thread. False: its waker is unknown. Costs O(log n) and the
 * decoding of a record.
 */
bool wakeup_of(struct trace *trace, const struct sched_thread *t, uint32_t i,
               struct wakeup *wakeup);

#endif
