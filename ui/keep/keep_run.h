/* keep_run.h - programs that the user asks for: a shell command for | and the editor for O.
 *
 * A program is requested of the owner of the terminal (app->requests.run), which calls
 * keep_run_done() when it has ended. The command of | is what the user typed; the text reaches it
 * by its standard input alone. The editor gets a number and an absolute path (source_place.h), and
 * no shell is between. Keys of --keys request nothing unless --keys-may-write was given; then they
 * go on when the program has ended. */
#ifndef FXTOP_KEEP_RUN_H
#define FXTOP_KEEP_RUN_H

#include "ui/session.h"

void keep_run_pipe(struct app *app, const char *command); /* :pipe */
void keep_run_editor(struct app *app);                    /* an action */

/* Reports how the program ended (program.h), and drops the request. */
void keep_run_done(struct app *app, int status, const struct err *err);
void keep_run_free(struct run_request *request);

#endif
