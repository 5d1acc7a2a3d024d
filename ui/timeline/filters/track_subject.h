/* track_subject.h - whether a filter holds for a track. */
#ifndef FXTOP_TRACK_SUBJECT_H
#define FXTOP_TRACK_SUBJECT_H

#include "ui/session.h"

/* A typed filter; NULL: the text is empty, or no filter: then a message has the reason. */
struct filter *track_subject_filter(struct app *app, const char *text);
/* events: its terms about events, which are counted if `known`; NULL: it has none. */
bool track_subject_matches(struct trace *trace, const struct track *track,
                           const struct filter *filter, const struct search *events, bool known);

#endif
