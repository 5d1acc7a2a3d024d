/* show.h - the commands that open and close things: drawer, text views; and leaving. Actions of command.h. */
#ifndef FXTOP_SHOW_H
#define FXTOP_SHOW_H

#include "ui/app.h"

void show_time_format(struct app *app);
void show_nothing(struct app *app);
void show_drawer(struct app *app);
void show_tab_next(struct app *app);
void show_tab_previous(struct app *app);
void show_drawer_down(struct app *app);
void show_drawer_up(struct app *app);
void show_timeline(struct app *app);
void show_counters(struct app *app);
void show_cpus(struct app *app);
void show_info(struct app *app);
void show_problems(struct app *app);
void show_help(struct app *app);
void show_reloaded(struct app *app);   /* pages are left, or made again: what they list was another trace's */
void show_page_again(struct app *app); /* the list that is shown, of what has come since */
int show_text_rows(const struct app *app); /* lines of a text on the screen */
void show_text_down(struct app *app);
void show_text_up(struct app *app);
void show_text_page_down(struct app *app);
void show_text_page_up(struct app *app);
void show_text_half_down(struct app *app);
void show_text_half_up(struct app *app);
void show_text_start(struct app *app);
void show_text_end(struct app *app);
void show_text_next(struct app *app);
void show_text_previous(struct app *app);
void show_text_enter(struct app *app);
void show_quit(struct app *app);
void show_quit_now(struct app *app);
void show_suspend(struct app *app);
void show_redraw(struct app *app);
void show_mouse(struct app *app);

#endif
