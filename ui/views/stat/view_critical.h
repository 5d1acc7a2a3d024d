/* view_critical.h - the critical path of the selection or of the range: a table below the tracks of
 * its threads. */
#ifndef FXTOP_VIEW_CRITICAL_H
#define FXTOP_VIEW_CRITICAL_H

#include "ui/session.h"

/* Zooms to the current stretch; again: to the whole path. */
void view_critical_zoom(struct app *app);

#endif
