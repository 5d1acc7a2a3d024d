/* asked.h - --range, --tracks and --filter on the screen: the range of tables, and :only. */
#ifndef FXTOP_UI_ASKED_H
#define FXTOP_UI_ASKED_H

#include "ui/session.h"

/* Checks the texts as far as that needs no trace; fails with one line that begins with the
 * option. */
bool asked_check(const struct app *app, struct err *err);
/* Applies app->startup.asked to the trace as it is, and forgets it. False: it is wrong for this
 * trace; the line is in err. */
bool asked_apply(struct app *app, struct err *err);

#endif
