/* curve.h - how the counter of the current line is drawn. Actions of the command table; each says what it did. */
#ifndef FXTOP_CURVE_H
#define FXTOP_CURVE_H

#include "ui/session.h"

void curve_next_scale(struct app *app);
void curve_set_scale(struct app *app, const char *text); /* "fit", "zero", "log", "0..100" */
void curve_next_mode(struct app *app);
void curve_set_mode(struct app *app, const char *name); /* "value", "delta", "rate" */
void curve_stack(struct app *app);                      /* all arguments of the counter in one curve, or separately */

#endif
