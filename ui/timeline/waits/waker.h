/* waker.h - the key b: from a thread that waits to the thread and slice that woke it
 * (SEMANTICS 10.9). */
#ifndef FXTOP_WAKER_H
#define FXTOP_WAKER_H

#include "ui/session.h"

/* Goes from the selected state, else the wait at the cursor, else the longest wait in the selected
 * slice, to its waker. A message if there is no wait or the waker is unknown. */
void waker_go(struct app *app);

#endif
