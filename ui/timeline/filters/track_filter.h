/* track_filter.h - the filter of tracks, &, and the effect of x on the others. */
#ifndef FXTOP_TRACK_FILTER_H
#define FXTOP_TRACK_FILTER_H

#include "ui/session.h"

void track_filter_set(struct app *app, const char *text); /* as typed; "": shows all */
/* While it is typed: the tracks follow, unless the text is no filter. After Esc: those from before
 * come back. */
void track_filter_typed(struct app *app, const char *text);
void track_filter_cancelled(struct app *app);
void track_filter_free(struct timeline *timeline);
/* hides other tracks and events, dims them, or marks the matching ones */
void track_filter_others(struct app *app);
/* A step of asking the filter about all tracks, and of finding its events and those of :only; true:
 * there is more. */
bool track_filter_step(struct app *app);

#endif
