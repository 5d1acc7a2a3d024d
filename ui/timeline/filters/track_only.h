/* track_only.h - the filter of events, :only. */
#ifndef FXTOP_TRACK_ONLY_H
#define FXTOP_TRACK_ONLY_H

#include "ui/session.h"

/* shows only the events that a filter holds for */
void track_only_set(struct app *app, const char *text);
void track_only_all(struct app *app); /* drops that */
void track_only_say(struct app *app); /* a message: hidden, dimmed or marked */
/* A step of looking for the slices that are left; true: there is more. */
bool track_only_step(struct app *app);

#endif
