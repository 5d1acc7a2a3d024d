/* draw_range.h - the range on the lines above the tracks. */
#ifndef FXTOP_DRAW_RANGE_H
#define FXTOP_DRAW_RANGE_H

#include "ui/session.h"

/* The line of its own below the ruler; on a small screen on the ruler itself, at row y. */
void draw_range_line(struct app *app);
void draw_range_ruler(struct app *app, int y);
/* On the overview at row y, which shows `whole`. */
void draw_range_overview(struct app *app, const struct window *whole, int y);

#endif
