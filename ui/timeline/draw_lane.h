/* draw_lane.h - the slices of one lane as cells of a row of the screen. */
#ifndef FXTOP_DRAW_LANE_H
#define FXTOP_DRAW_LANE_H

#include "ui/session.h"

struct lane_look {
    struct trace *trace;
    struct search *search;        /* hits are marked; may be NULL */
    const struct slice *selected; /* the selected slice, or NULL */
    /* its runs are named after their threads; NULL: slices have names of their own */
    const struct sched_cpu *cpu;
    /* its slices are rows of a question; NULL: of the trace */
    const struct row_track *rows;
    uint32_t track, row; /* of the lane, as the search numbers them */
    int64_t open_end; /* of the lane's open slice, if it has one: trace_open_end(), trace_end() */
};

/* Draws a row of which :only may hide or dim a part. Calls draw() with NULL for all events of the
 * row, unless some are hidden. Then it dims these, and calls draw() with :only for the others. */
void draw_lane_only(struct app *app, int y,
                    void (*draw)(void *ctx, const struct filter_lanes *only), void *ctx);
/* Draws what the window and :only hold of the lane at screen row y, names inside slices if they
 * fit. Reads blocks of the index and names of the file, so it may do IO and find damage
 * (lane.h). */
/* draw_lane_left() of all that the lane holds, whatever :only leaves. */
void draw_lane_all(struct app *app, int y, struct lane *lane, const struct lane_look *look);
void draw_lane_left(struct app *app, int y, struct lane *lane, const struct lane_look *look);
struct look draw_lane_dim(void); /* of dimmed text and outlines; the extent of slices has its own */
/* Dims the cells from column x on: text and outlines fade, the extent of slices stays. */
void draw_lane_fade(struct grid *grid, int x, int y);

#endif
