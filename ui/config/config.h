/* config.h - the configuration: a file of commands that one can type, run at the start.
 *
 * It is $XDG_CONFIG_HOME/fxtop/config, or ~/.config/fxtop/config. Lines of set, map, unmap, theme
 * and style hold from the first frame on; those about the trace (filter, only, scale, ..) run when
 * it is read, before its session is taken up. A wrong line is named in a message, and the others
 * hold. */
#ifndef FXTOP_CONFIG_H
#define FXTOP_CONFIG_H

#include "ui/session.h"

/* Runs a file, or the user's own ("": nothing happens if there is none). */
void config_take(struct app *app, const char *path);
/* Runs the lines that have waited for the trace. */
void config_finish(struct app *app);
#endif
