/* draw_overview.h - the line above the tracks: the whole trace, how busy it is, and what part the
 * window is. */
#ifndef FXTOP_DRAW_OVERVIEWS_H
#define FXTOP_DRAW_OVERVIEWS_H

#include "ui/session.h"

void draw_overview(struct app *app);
/* The window that it shows: the whole trace over the columns of the lanes. */
struct window draw_overview_window(const struct app *app);
/* A step of bringing the sums over all threads up to the trace as read so far; true while there is
 * more. */
bool draw_overview_update(struct app *app);
/* A step of finding the columns with hits of the search, which exists; true while there is more.
 * *news: they are complete now. */
bool draw_overview_hits(struct app *app, bool *news);

#endif
