/* window.h - the stretch of time that is shown; arithmetic only. Coordinates: ns relative to the
 * reader's base, and columns.
 *
 * [from, from + width) is spread over `columns`; a column is never shorter than 1 ns, so width >=
 * columns. The limits [lo, hi) are the trace with a small margin. A window is clamped to them, and
 * is never wider than they are (or than `columns` ns if the trace is shorter). No arithmetic
 * overflows for any lo <= hi with hi - lo < 2^63. */
#ifndef FXTOP_WINDOW_H
#define FXTOP_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window {
    int64_t from, width;
    int columns;    /* > 0 */
    int64_t lo, hi; /* limits, hi > lo */
};

/* The whole trace, events from first to last, over the columns. The limits have a margin of up to 1
 * % at the right, so that the last event is visible. */
void window_whole(struct window *w, int64_t first, int64_t last, int columns);
/* New limits and columns; from and width are kept as far as possible. */
void window_limits(struct window *w, int64_t first, int64_t last, int columns);
void window_set(struct window *w, int64_t from, int64_t width); /* clamped */
/* Sets width to width * num / den; time t stays in its column if the limits allow. */
void window_zoom(struct window *w, int64_t t, int num, int den);
void window_pan(struct window *w, int64_t columns); /* by columns */
void window_center(struct window *w, int64_t t);
/* Shows [start, end] with a margin of 5 % at both sides. */
void window_fit(struct window *w, int64_t start, int64_t end);
/* If t is outside, moves the window so that t is a tenth of it from the edge, and returns true. */
bool window_reveal(struct window *w, int64_t t);

/* time where the column begins; column 0..columns */
int64_t window_edge(const struct window *w, int column);
/* the column that holds t; -1: before, `columns`: after */
int window_column(const struct window *w, int64_t t);
/* Position of t in eighths of a column from the left edge, clamped to [0, 8 * columns]. */
int64_t window_eighth(const struct window *w, int64_t t);
void window_edges(const struct window *w, int64_t *edges); /* columns + 1 of them */
int64_t window_per_column(const struct window *w);         /* ns, at least 1, rounded down */
bool window_eq(const struct window *a, const struct window *b);

#endif
