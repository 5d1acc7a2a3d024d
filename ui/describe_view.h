/* describe_view.h - the view in plain sentences, for tickets and without a screen: --describe.
 *
 * Everything is computed at once, so the caller has time. Text of the trace is made safe as on the
 * screen. */
#ifndef FXTOP_DESCRIBE_VIEW_H
#define FXTOP_DESCRIBE_VIEW_H

#include <stdio.h>

#include "ui/session.h"

/* Goes to what the text names: a time as g takes it, or the event whose record is at "@OFFSET", a
 * byte of the trace. At a time it selects the innermost slice of the current track, if there is
 * one. Fails with one line. */
bool describe_view_go(struct app *app, const char *text, struct err *err);
/* The current view, whose last frame is in the grid. */
void describe_view(struct app *app, FILE *out);
void describe_view_open(struct app *app); /* the same as a page: an action of the command table */

#endif
