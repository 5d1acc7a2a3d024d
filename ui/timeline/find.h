/* find.h - the commands that go anywhere in the trace: to events by name, to problems, to a time.
 *
 * If nothing is found, a message is shown and nothing moves. */
#ifndef FXTOP_FIND_H
#define FXTOP_FIND_H

#include "ui/session.h"

/* Actions of the command table. */
void find_next(struct app *app);
void find_previous(struct app *app);
void find_same_next(struct app *app); /* searches for the name of the selected event */
void find_same_previous(struct app *app);
/* The next case after the last one that ! selected: problems first, then notes. kind: the first of
 * the next kind. */
void find_problem(struct app *app);
void find_problem_kind(struct app *app);
/* To a time that has no relation to the selection: that becomes the event of the current line
 * there, or none. */
void find_moment(struct app *app, int64_t t);
/* A message: which end of the trace the time cursor is at, if it could not go to `t`. */
void find_say_outside(struct app *app, int64_t t);

/* For the prompts. */
void find_name(struct app *app, const char *pattern); /* "": drops the search */
/* The prompt of / while it is edited: the hits of its text are counted and drawn, a text that is no
 * filter so far changes nothing; and after Esc: the search before it is back. */
void find_typed(struct app *app, const char *text);
void find_cancelled(struct app *app);
void find_time(struct app *app, const char *text);   /* as session_time() takes it, or a range */
void find_window(struct app *app, const char *text); /* a duration around the cursor, or a range */

/* A step of looking for the next hit, which is selected when it is found; true: there is more to
 * do. It is dropped when the selection, or the cursor without one, has moved. */
bool find_step(struct app *app);

/* The hit that n or N came to, if nothing has moved since, else the selected event as a hit; false:
 * the search does not cover its kind. */
bool find_hit(const struct app *app, struct hit *hit);

/* Selects the event of a hit: of a flow's point the slice around it, or its thread and time. */
void find_go(struct app *app, const struct hit *hit);

#endif
