/* draw_curve.h - a series of a counter as a curve. */
#ifndef FXTOP_DRAW_CURVE_H
#define FXTOP_DRAW_CURVE_H

#include "ui/session.h"

/* Row `row` of the track at screen row y, gutter included. */
void draw_curve(struct app *app, int y, const struct track *track, int row);

#endif
