/* view_flows.h - commands of the view of flows. */
#ifndef FXTOP_VIEW_FLOWS_H
#define FXTOP_VIEW_FLOWS_H

#include "ui/session.h"

/* Whether the flows of a name are listed, so that one can be opened as a ladder. */
bool view_flows_lists(const struct app *app);
void view_flows_ladder(struct app *app); /* opens it: its stops and hops */

#endif
