/* slowest.h - goes to the slowest slice of the selected one's name, to the next slowest, and to the
 * first of a bucket. The slice is sought in steps, by a job. */
#ifndef FXTOP_SLOWEST_H
#define FXTOP_SLOWEST_H

#include "ui/session.h"

/* Actions of the command table, and links of the drawer; a message names the reason if there is
 * none. */
void slowest_go(struct app *app);
void slowest_next(struct app *app); /* after the selected one, in the order of ranks */
/* To the earliest of a duration from `least` to `most` ns. */
void slowest_bucket(struct app *app, int64_t least, int64_t most);
/* Selects the slice once it is found; true: there is more to do. */
bool slowest_step(struct app *app);

#endif
