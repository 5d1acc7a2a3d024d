/* monkey.h - invariants after each key, shared by the files of monkey. monkey.c presses them and
 * has main(); monkey_budget.c has budgets by chance. */
#ifndef FXTOP_MONKEY_H
#define FXTOP_MONKEY_H

#include "ui/app.h"

/* Each returns the broken invariant as a part of a sentence, or NULL. */
const char *bad_window(const struct app *app);
const char *bad_lines(const struct app *app);
const char *bad_text(const char *text);
const char *bad_grid(const struct grid *grid, int cols, int rows);

/* Budgets by chance from now on, the same ones for a seed; 0: by the clock. */
void budget_by_chance(uint64_t seed);

/* Draws once more, which must not change the picture. */
const char *draws_another(struct app *app);

#endif
