/* colors.h - colours of their own for the heaviest names of the trace, by total time: style_rank().
 *
 * They are ranked as soon as something is loaded, and again when all is. A name that stays among
 * the heaviest keeps its colour, also in the session. */
#ifndef FXTOP_COLORS_H
#define FXTOP_COLORS_H

#include "ui/session.h"

/* Background work; true: there is more to do. */
bool colors_step(struct app *app);
void colors_free(struct app *app);

#endif
