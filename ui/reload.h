/* reload.h - a file that changes while it is looked at: read again, or followed as it grows. */
#ifndef FXTOP_RELOAD_H
#define FXTOP_RELOAD_H

#include "ui/app.h"

void reload_now(struct app *app);    /* R: the view, the selection and the pins stay */
void reload_follow(struct app *app); /* F: on and off */

void reload_damaged(struct app *app); /* what was kept of the trace is damaged: it is read after all */

/* Looks at the file: once it has changed, offers to read it again; one that is followed and was replaced or rewritten
 * is read again at once. Costs a system call or two. */
void reload_watch(struct app *app);

#endif
