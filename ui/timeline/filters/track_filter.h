/* track_filter.h - the filter of tracks, &, and what x does to the others. */
#ifndef FXTOP_TRACK_FILTER_H
#define FXTOP_TRACK_FILTER_H

#include "ui/session.h"

void track_filter_set(struct app *app, const char *text); /* as typed; "": shows all */
void track_filter_free(struct timeline *timeline);
void track_filter_others(struct app *app); /* hides other tracks and events, dims them, or marks the matching ones */
/* A step of looking for the events that the filter asks for, and those that :only leaves; true: there is more. */
bool track_filter_step(struct app *app, struct budget *budget);

#endif
