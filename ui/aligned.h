/* aligned.h - a message, once, about how the traces of a timeline are aligned, if that may be
 * wrong. */
#ifndef FXTOP_ALIGNED_H
#define FXTOP_ALIGNED_H

#include "ui/session.h"

/* To be called when the trace has changed. */
void aligned_say(struct app *app);

#endif
