/* draw_ruler.h - the time axis. */
#ifndef FXTOP_DRAW_RULER_H
#define FXTOP_DRAW_RULER_H

#include "ui/session.h"

void draw_ruler(struct app *app);

#endif
