/* drawer.h - the pane below the tracks: tabs, and the text of the current one. */
#ifndef FXTOP_DRAWER_H
#define FXTOP_DRAWER_H

#include "ui/session.h"

void drawer_draw(struct app *app);

#endif
