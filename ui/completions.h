/* completions.h - the list of what Tab offers while a command is typed, over the rows above the
 * prompt. */
#ifndef FXTOP_COMPLETIONS_H
#define FXTOP_COMPLETIONS_H

#include "ui/session.h"

/* Draws the list if the prompt of : is open and there is space; else nothing. */
void completions_draw(struct app *app);

#endif
