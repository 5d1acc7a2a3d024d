/* stat_go.h - Enter in the tables of view 2: a stretch of time on a track of the timeline,
 * fitted. */
#ifndef FXTOP_STAT_GO_H
#define FXTOP_STAT_GO_H

#include "ui/session.h"
#include "ui/timeline/track_ops.h"

/* `of`: as the kind numbers its tracks; kind NULL: none of them. from = to: a moment, in the middle
 * of the window. */
void stat_go(struct app *app, const struct track_ops *kind, uint32_t of, int64_t from, int64_t to);

#endif
