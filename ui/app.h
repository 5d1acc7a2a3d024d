/* app.h - the whole interface but the terminal: keys and news of the trace go in, a grid of cells
 * comes out.
 *
 * Times are ns relative to the reader's base; lines count from the top of all tracks; rows and
 * columns are the screen's. */
#ifndef FXTOP_APP_H
#define FXTOP_APP_H

#include "ui/session.h"

/* The trace outlives the app. ascii: nothing but ASCII is drawn. */
void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii);
void app_free(struct app *app);
void app_resize(struct app *app, int cols, int rows);

/* --at, --window and --keys as typed, or NULL; they outlive the app. Times apply to as much of the
 * trace as there is, keys when all is read. False if one of them is malformed. */
bool app_start(struct app *app, const char *at, const char *window, const char *keys,
               struct err *err);
/* Plays the keys that waited for a program that they asked for (requests.run), and that has
 * ended. */
void app_play(struct app *app);

/* To be called after the trace has read on, before app_draw(); app_key() does it. */
void app_update(struct app *app);

void app_key(struct app *app, const struct key *key);
bool app_in_prompt(const struct app *app);

/* A few ms of background work; true while there is more. Called until it returns false, it leads to
 * the same screen in every run. */
bool app_idle(struct app *app);

void app_draw(struct app *app);       /* the whole grid */
void app_draw_title(struct app *app); /* its first row, for progress */

/* Looks at the file, which costs a few system calls: a change is reported once; a followed file
 * that was replaced is read again. */
void app_watch(struct app *app);
/* The cached index is damaged: reads the trace instead. */
void app_reload_damaged(struct app *app);

/* Actions of the command table. */
void app_quit(struct app *app); /* closes drawer or view, else the program */
void app_quit_now(struct app *app);
void app_suspend(struct app *app);
void app_redraw(struct app *app);
void app_mouse(struct app *app);
void app_reload(struct app *app); /* window, selection and pins stay */
void app_follow(struct app *app); /* on and off */

#endif
