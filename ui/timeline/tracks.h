/* tracks.h - the commands on the set of tracks: folding, depth, order, pins, the filter, and finding a track by name.
 *
 * The current line stays on its track. Texts are as typed; a text that is no pattern, or a command that cannot be done,
 * leads to a message. */
#ifndef FXTOP_TRACKS_H
#define FXTOP_TRACKS_H

#include "ui/session.h"

/* Actions of the command table. */
void tracks_expand(struct app *app);
void tracks_collapse(struct app *app);
void tracks_expand_all(struct app *app);
void tracks_collapse_all(struct app *app);
void tracks_fold_all(struct app *app);
void tracks_unfold_all(struct app *app);
void tracks_deepest(struct app *app); /* to the innermost slice at the cursor; from there to the last row */
void tracks_enter(struct app *app); /* folds a header; else selects the event at the cursor; else focuses the drawer */
void tracks_order(struct app *app);
void tracks_pin(struct app *app);
void tracks_others(struct app *app); /* the filter hides other tracks, dims them, or marks the matching ones */

/* With the text of a prompt. */
void tracks_pin_pattern(struct app *app, const char *text); /* pins all that match; "": unpins all */
void tracks_find(struct app *app, const char *text); /* the next one below, then from the top, then folded ones */
void tracks_filter(struct app *app, const char *text); /* "": shows all */
void tracks_free_filter(struct timeline *timeline);
void tracks_only(struct app *app, const char *text);   /* shows only the events that a filter holds for */
void tracks_only_all(struct app *app);                 /* drops that */
/* A step of looking for the events that the filter asks for; true: there is more. */
bool tracks_step(struct app *app, struct budget *budget);

/* Makes the list again after its set, order or filter changed, and keeps the current line on its track. */
void tracks_update(struct trace *trace, struct timeline *timeline);

#endif
