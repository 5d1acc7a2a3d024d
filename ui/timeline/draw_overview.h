/* draw_overview.h - the line above the tracks: the whole trace, how busy it is, and what part the window is. */
#ifndef FXTOP_DRAW_OVERVIEW_H
#define FXTOP_DRAW_OVERVIEW_H

#include "ui/session.h"

void draw_overview(struct app *app);
/* Brings the sums over all threads up to the trace as read so far: all of it, or a step of it while the trace loads. */
void draw_overview_update(struct app *app);

#endif
