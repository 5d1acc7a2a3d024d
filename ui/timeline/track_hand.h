/* track_hand.h - moves processes and threads by hand, past the next ones on the timeline. */
#ifndef FXTOP_TRACK_HAND_H
#define FXTOP_TRACK_HAND_H

#include "ui/session.h"

/* ---- actions of the command table ---- */

void track_hand_down(struct app *app); /* the thread or process of the current line */
void track_hand_up(struct app *app);
void track_hand_back(struct app *app); /* forgets all moves */

/* Puts a track before another one, both threads of a process or both processes; false: they are
 * not, or there are too many moves. */
bool track_hand_put(struct app *app, const struct track *item, const struct track *before);

#endif
