/* move.h - the commands that move the window, the time cursor, the current line and the selection,
 * and the steps that other commands are built from.
 *
 * Times: ns relative to the reader's base, clamped to the trace. Lines count from the top of all
 * tracks. If there is nowhere to go, nothing moves and a message is shown. */
#ifndef FXTOP_MOVE_H
#define FXTOP_MOVE_H

#include "ui/session.h"

/* Actions of the command table. */
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
void move_rows(struct app *app, int64_t n); /* n rows down, or up */
void move_row_down(struct app *app);
void move_row_up(struct app *app);
void move_rows_down(struct app *app);
void move_rows_up(struct app *app);
void move_half_down(struct app *app);
void move_half_up(struct app *app);
void move_track_down(struct app *app);
void move_track_up(struct app *app);
void move_process_down(struct app *app);
void move_process_up(struct app *app);
void move_parent(struct app *app);
void move_child(struct app *app);
void move_first(struct app *app);
void move_last(struct app *app);
bool move_fit(struct app *app); /* true: the selected event was fitted, not only centred */
void move_whole(struct app *app);
void move_show_whole(struct app *app, enum shown shown);
void move_start(struct app *app);
void move_end(struct app *app);
/* to the middle, unless it and the two rows below it are on the screen */
void move_row_near(struct app *app);
void move_row_center(struct app *app);
void move_row_top(struct app *app);
void move_row_bottom(struct app *app);
void move_back(struct app *app);
void move_forth(struct app *app);

/* Selects an event, shows its line, and moves the cursor to it if it is not in the event
 * already. */
void move_select(struct app *app, struct selection selection);
void move_to_time(struct app *app, int64_t t, bool center);
/* Shows [from, from + width), as far as there is trace; the cursor moves into it if it must. */
void move_show(struct app *app, int64_t from, int64_t width);
void move_to_line(struct app *app, uint64_t line); /* and selects the event at the cursor */
/* Makes the line of a track's row the current one: unfolds its process and shows more rows if
 * needed. */
void move_show_row(struct trace *trace, struct timeline *timeline, const struct track_ops *kind,
                   uint32_t of, uint32_t row);
uint64_t move_track_line(const struct track *track); /* the first line below its strip */
void move_remember(struct timeline *timeline);       /* pushes the place on the view history */
/* The event nearest to t on a line, at most `reach` ns away. */
struct selection move_event_at(struct trace *trace, struct timeline *timeline, uint64_t line,
                               int64_t t, int64_t reach);

#endif
