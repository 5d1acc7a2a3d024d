/* draw_stack.h - all series of a counter on each other. */
#ifndef FXTOP_DRAW_STACK_H
#define FXTOP_DRAW_STACK_H

#include "ui/session.h"

/* Row `row` of the track of the first series at screen row y, gutter included. */
void draw_stack(struct app *app, int y, const struct track *track, int row);

#endif
