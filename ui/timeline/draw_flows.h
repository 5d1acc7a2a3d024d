/* draw_flows.h - arrows between the slices of flows. */
#ifndef FXTOP_DRAW_FLOWS_H
#define FXTOP_DRAW_FLOWS_H

#include "ui/session.h"

void draw_flows(struct app *app); /* after the tracks: only blank cells are written */

#endif
