/* signals.h - the signals of a recording, as a descriptor. */
#ifndef FXTOP_SIGNALS_H
#define FXTOP_SIGNALS_H

#include <signal.h>

#include "src/base/err.h"

/* Blocks the signals that the manager reads from the descriptor; before: the mask until then.
 * Writes that cannot be done fail from now on instead of ending the process. -1 with one line in
 * err: there is none. */
int signals_open(sigset_t *before, struct err *err);

#endif
