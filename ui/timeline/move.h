/* move.h - the commands that move: window, time cursor, current line, selection; and the steps that whatever goes
 * somewhere is made of. Times: ns of the reader's base, held inside the trace; lines: from the top of all tracks. Where
 * there is nothing to go to, nothing moves and a message says so. */
#ifndef FXTOP_MOVE_H
#define FXTOP_MOVE_H

#include "ui/session.h"

/* Actions of command.h's table. */
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

/* Selects, moves the cursor there, reveals it. */
void move_pick(struct app *app, struct selection selection);
void move_to_time(struct app *app, int64_t t, bool center);
void move_to_line(struct app *app, uint64_t line); /* and selects what is under the cursor there */
/* Unfolds and deepens what hides a row of a track, and makes its line the current one. */
void move_show_row(struct app *app, const struct track_ops *kind, uint32_t of, uint32_t row);
uint64_t move_track_line(const struct track *track); /* the line that going to a track goes to: below its strip */
void move_remember(struct app *app);                 /* the place, for < */
/* What is drawn at a column of a line: the slice or instant nearest to it. */
struct selection move_pick_at(struct app *app, uint64_t line, int64_t t, int64_t reach);

#endif
