/* draw_states.h - the scheduling states of a thread, as a strip or in the gaps of its slices. */
#ifndef FXTOP_DRAW_STATES_H
#define FXTOP_DRAW_STATES_H

#include "ui/session.h"

/* One character per column; of the states that :only leaves, over the others if these are dimmed.
 * busy: a strip, with the share of each column that the thread ran; NULL: the gaps of slices. */
void draw_states(struct app *app, int y, struct sched_thread *t, const double *busy);
/* A faint mark after the end of each life, if its cell is blank. */
void draw_states_ends(struct app *app, int y, const struct sched_thread *t);
/* The label of the thread near its begin, if it is blocked there for so many columns. */
void draw_states_label(struct app *app, int y, const struct sched_thread *t, struct str label);
/* How long the thread lived, after the end of its last life if there is space. */
void draw_states_lasted(struct app *app, int y, const struct sched_thread *t);

#endif
