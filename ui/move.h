/* move.h - what the commands do: cursor, window, rows, selection, views. Each is an action of command.h's table. */
#ifndef FXTOP_MOVE_H
#define FXTOP_MOVE_H

#include "ui/app.h"

void move_zoom_in(struct app *app);
void move_zoom_out(struct app *app);
void move_zoom_in_far(struct app *app);
void move_zoom_out_far(struct app *app);
void move_pan_left(struct app *app);
void move_pan_right(struct app *app);
void move_page_left(struct app *app);
void move_page_right(struct app *app);
void move_previous(struct app *app);
void move_next(struct app *app);
void move_cursor_left(struct app *app);
void move_cursor_right(struct app *app);
void move_row_down(struct app *app);
void move_row_up(struct app *app);
void move_rows_down(struct app *app);
void move_rows_up(struct app *app);
void move_track_down(struct app *app);
void move_track_up(struct app *app);
void move_process_down(struct app *app);
void move_process_up(struct app *app);
void move_parent(struct app *app);
void move_child(struct app *app);
void move_first(struct app *app);
void move_last(struct app *app);
void move_fit(struct app *app);
void move_whole(struct app *app);
void move_start(struct app *app);
void move_end(struct app *app);
void move_row_center(struct app *app);
void move_row_top(struct app *app);
void move_row_bottom(struct app *app);
void move_back(struct app *app);
void move_forth(struct app *app);
bool move_hit(const struct app *app, struct hit *hit);
void move_rows_anew(struct app *app);
void move_order(struct app *app);
void move_pin(struct app *app);
void move_pin_pattern(struct app *app, const char *text);
void move_find_track(struct app *app, const char *text);
void move_filter(struct app *app, const char *text);
void move_expand(struct app *app);
void move_collapse(struct app *app);
void move_expand_all(struct app *app);
void move_collapse_all(struct app *app);
void move_enter(struct app *app);
void move_search_next(struct app *app);
void move_search_previous(struct app *app);
void move_same_next(struct app *app);
void move_same_previous(struct app *app);
void move_problem(struct app *app);

/* For the prompts. */
void move_goto(struct app *app, const char *text);
void move_search(struct app *app, const char *pattern);

/* Selects, moves the cursor there, reveals it. */
void move_pick(struct app *app, struct pick pick);
void move_to_time(struct app *app, int64_t t, bool center);
void move_to_line(struct app *app, uint64_t line); /* and selects what is under the cursor there */
void move_remember(struct app *app); /* the place, for < */
/* What is drawn at a column of a line: the slice or instant nearest to it. */
struct pick move_pick_at(struct app *app, uint64_t line, int64_t t, int64_t reach);

#endif
