/* app.h - the whole interface but the terminal: keys go in, a grid comes out.
 *
 * Times are ns of the reader's base, as the model speaks them; session_point() makes them readable. Lines count from the top
 * of all tracks (rows.h), rows and columns are the screen's. */
#ifndef FXTOP_APP_H
#define FXTOP_APP_H

#include "ui/session.h"
#include "ui/timeline/track_line.h"

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii);
void app_free(struct app *app);
void app_resize(struct app *app, int cols, int rows);

/* --at, --window and --keys as typed (NULL: not given), applied as the trace comes in. False with a sentence where they
 * are none. */
bool app_start(struct app *app, const char *at, const char *window, const char *keys, struct err *err);

void app_key(struct app *app, const struct key *key);
bool app_in_prompt(const struct app *app);

/* Takes in what the trace has read since. */
void app_update(struct app *app);
/* Work that can wait (counting hits): a little of it; true while there is more. */
bool app_idle(struct app *app);

void app_draw(struct app *app);       /* all of the grid */
void app_draw_title(struct app *app);   /* its first row alone, for progress */

/* Actions of the command table. */
void app_quit(struct app *app); /* closes what is open, the program last */
void app_quit_now(struct app *app);
void app_suspend(struct app *app);
void app_redraw(struct app *app);
void app_mouse(struct app *app);

#endif
