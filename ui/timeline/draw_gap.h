/* draw_gap.h - a gap between the slices of a track, chosen in a table: drawn as a selected slice
 * is, until an event is selected. */
#ifndef FXTOP_DRAW_GAP_H
#define FXTOP_DRAW_GAP_H

#include "ui/session.h"

/* Over the first row of a track, if the gap is on it. */
void draw_gap(struct app *app, int y, const struct track *track);
void draw_gap_overview(struct app *app, const struct window *whole, int y);

#endif
