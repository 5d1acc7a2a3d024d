/* view_timeline.h - commands on the timeline as a whole. Actions of the command table. */
#ifndef FXTOP_VIEWS_TIMELINE_H
#define FXTOP_VIEWS_TIMELINE_H

#include "ui/session.h"

/* since the first event, wall clock, the trace's clock */
void view_timeline_time_format(struct app *app);
/* Enter in the drawer: to the thread, process, object or stop */
void view_timeline_link(struct app *app);

#endif
