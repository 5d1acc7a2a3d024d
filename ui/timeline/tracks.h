/* tracks.h - the commands on the set of tracks: folding, depth, order, pins, and finding a track by
 * name.
 *
 * The current line stays on its track. Texts are as typed; a text that is no pattern, or a command
 * that cannot be done, leads to a message. */
#ifndef FXTOP_UI_TIMELINE_TRACKS_H
#define FXTOP_UI_TIMELINE_TRACKS_H

#include "ui/session.h"

/* Actions of the command table. */
void tracks_expand(struct app *app);
void tracks_collapse(struct app *app);
void tracks_expand_all(struct app *app);
void tracks_collapse_all(struct app *app);
void tracks_fold_all(struct app *app);
void tracks_unfold_all(struct app *app);
/* to the innermost slice at the cursor; from there to the last row */
void tracks_deepest(struct app *app);
/* folds a header; else selects the event at the cursor; else focuses the drawer */
void tracks_enter(struct app *app);
void tracks_order(struct app *app);
void tracks_pin(struct app *app);

/* move_fit(), and the rows of slices inside a fitted one come on the screen, as far as they fit. */
void tracks_fit(struct app *app);

/* With the text of a prompt. */
/* pins all that match; "": unpins all */
void tracks_pin_pattern(struct app *app, const char *text);
/* the next one below, then from the top, then folded ones */
void tracks_find(struct app *app, const char *text);

/* Makes the list again after its set, order or filter changed, and keeps the current line on its
 * track. */
void tracks_update(struct trace *trace, struct timeline *timeline);
/* Does so after the trace has changed or more is known of it; the line stays on its row of the
 * screen, too. */
void tracks_update_in_place(struct trace *trace, struct timeline *timeline);
/* To the first line with slices, or the first of all, at the top. */
void tracks_to_first(struct trace *trace, struct timeline *timeline);
/* Does so until a key is pressed. */
void tracks_first(struct trace *trace, struct timeline *timeline);
/* Continues what track_list_step() does for many tracks; true: there is more to do. */
bool tracks_step(struct app *app);
void tracks_finish(struct app *app); /* the same to the end */
/* Makes the list again, and goes to the track and row that tracks_current() returned earlier.
 * False: it is not shown, and the line stays. */
bool tracks_update_at(struct trace *trace, struct timeline *timeline, const struct track *before,
                      uint32_t row);
struct track tracks_current(const struct timeline *timeline, uint32_t *row);

#endif
