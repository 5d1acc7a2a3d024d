/* status.h - the title and status lines of the screen. */
#ifndef FXTOP_UI_STATUS_H
#define FXTOP_UI_STATUS_H

#include "ui/session.h"

/* The first row: file, size, events and span at the left; problems, progress and the view's title
 * at the right. */
/* filter: what hides something, as it was typed; NULL: nothing does. */
void status_draw_title(struct app *app, const char *view, const char *filter);
/* The status line of the timeline: prompt, else message, else cursor, window, hits and enclosing
 * slices. */
void status_draw(struct app *app);
/* The prompt or the message in the status line; false: there is neither, and the caller writes
 * it. */
bool status_draw_message(struct app *app);
/* A status line of two texts; the right one only if both fit. Prompt and message go first. */
void status_draw_texts(struct app *app, const char *left, const char *right);

#endif
