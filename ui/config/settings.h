/* settings.h - the settings of :set, one row of a table each. */
#ifndef FXTOP_SETTINGS_H
#define FXTOP_SETTINGS_H

#include "ui/session.h"

/* The command :set with "NAME VALUE" or "NAME"; a message names the result. */
void settings_type(struct app *app, const char *text);
/* Candidates for Tab, as struct command_prompt has them: "set keys", then "set keys azerty". */
const char *settings_complete(struct app *app, const char *stem, size_t n);
/* Whether a setting is of the trace's picture, so that a configuration sets it when the trace is
 * read. */
bool settings_of_trace(const char *text);
/* "keys=default theme=auto ...", with a NUL. */
void settings_write(const struct app *app, struct chars *out);

#endif
