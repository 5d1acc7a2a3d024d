/* view_log.h - commands of the log. Actions of the command table; they say so if the log is not the
 * current view. */
#ifndef FXTOP_VIEWS_LOG_H
#define FXTOP_VIEWS_LOG_H

#include "ui/session.h"

/* records of all, or of the selection's process, thread, slice or flow */
void view_log_scope(struct app *app);
void view_log_silence(struct app *app); /* shows and hides the gaps between records */

#endif
