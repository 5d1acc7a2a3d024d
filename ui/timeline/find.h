/* find.h - the commands that look for something anywhere in the trace and go there: events by name, problems, a time.
 * What is not found is said in a message, and nothing moves. */
#ifndef FXTOP_FIND_H
#define FXTOP_FIND_H

#include "ui/session.h"

/* Actions of command.h's table. */
void find_next(struct app *app);
void find_previous(struct app *app);
void find_same_next(struct app *app); /* makes the name of the selected event the search */
void find_same_previous(struct app *app);
void find_problem(struct app *app); /* the next case after where ! was last, kind by kind */

/* For the prompts. */
void find_name(struct app *app, const char *pattern); /* empty: what was searched for last */
void find_time(struct app *app, const char *text);    /* as session_time() takes it */

/* The selected event as a hit; false where it is none of those that are searched. */
bool find_hit(const struct app *app, struct hit *hit);

#endif
