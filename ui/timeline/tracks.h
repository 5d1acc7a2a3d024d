/* tracks.h - the commands on the set of tracks: what is unfolded and how deep, in which order, what is pinned, shown
 * and found by name. The current line stays on its track. Texts are as typed; where one is no pattern, or nothing can
 * be done, a message says so. */
#ifndef FXTOP_TRACKS_H
#define FXTOP_TRACKS_H

#include "ui/session.h"

/* Actions of command.h's table. */
void tracks_expand(struct app *app);
void tracks_collapse(struct app *app);
void tracks_expand_all(struct app *app);
void tracks_collapse_all(struct app *app);
void tracks_enter(struct app *app); /* folds a process; selects what is at the cursor; then goes to the drawer */
void tracks_order(struct app *app);
void tracks_pin(struct app *app);
void tracks_others(struct app *app); /* what the filter does to other tracks */

/* With what a prompt was given. */
void tracks_pin_pattern(struct app *app, const char *text); /* all whose names match; empty: lets all pins go */
void tracks_find(struct app *app, const char *text); /* the next below, round again from the top; in folded ones last */
void tracks_filter(struct app *app, const char *text); /* as tracks_others() said; empty: shows all */
const char *tracks_filter_text(struct app *app);       /* as typed; "": no filter */

/* Makes the rows anew after the kinds, the order or the filter changed, and keeps the current line on its track. */
void tracks_update(struct app *app);

#endif
