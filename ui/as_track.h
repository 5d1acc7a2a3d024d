/* as_track.h - :as-track, a question whose rows are a track (model/store/row_track.h).
 *
 * A question is SQL, `gaps`, `critical`, `ranges` or a filter of events. A question that depends on
 * the current line becomes SQL or times, so that a session can ask it again. It is asked in the
 * background when the trace is read, and again after it has changed.
 */
#ifndef FXTOP_AS_TRACK_H
#define FXTOP_AS_TRACK_H

#include "ui/session.h"

/* Actions of the command table: "NAME QUESTION", or NAME alone: what the view shows. */
void as_track_type(struct app *app, const char *text);
void as_track_list(struct app *app); /* a message with the names */
/* "NAME", or of the current line. */
void as_track_remove(struct app *app, const char *text);
void as_track_remove_current(struct app *app);

/* Background work; true: there is more to do. */
bool as_track_step(struct app *app);
/* Stops the question that reads the trace: it changes. */
void as_track_halt(struct app *app);
void as_track_free(struct app *app);
/* The fault of the latest question that failed, or NULL. */
const char *as_track_fault(const struct app *app);

#endif
