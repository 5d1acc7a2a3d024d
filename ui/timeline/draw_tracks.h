/* draw_tracks.h - the lines of the tracks on the screen, and marks that other lines share with
 * them. */
#ifndef FXTOP_DRAW_TRACKS_H
#define FXTOP_DRAW_TRACKS_H

#include "ui/session.h"

void draw_tracks(struct app *app);

/* A row of a track, as its kind draws it. */
void draw_tracks_row(struct app *app, int y, const struct track *track, uint32_t row);
void draw_tracks_bar(struct app *app, int y);           /* between gutter and timeline */
void draw_tracks_mark(struct grid *grid, int x, int y); /* the time cursor in a cell */
/* the time cursor on a line, if it is in the window */
void draw_tracks_cursor(struct app *app, int y);
/* The columns that edges are of, and the events that :only leaves while it hides the others. */
struct process_busy_of draw_tracks_busy_of(const struct timeline *timeline);
/* By column the sum over n lanes, 0..n: the density of a header. */
void draw_tracks_density(struct app *app, int y, const double *busy, size_t n);

#endif
