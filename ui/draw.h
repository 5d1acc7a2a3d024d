/* draw.h - the panes: each draws its own rectangle of the grid from what the app knows, and changes nothing else. */
#ifndef FXTOP_DRAW_H
#define FXTOP_DRAW_H

#include "ui/app.h"

void draw_title(struct app *app);
void draw_overview(struct app *app);
void draw_ruler(struct app *app);
void draw_tracks(struct app *app);
void draw_drawer(struct app *app);
void draw_status(struct app *app);
void draw_page(struct app *app);

/* The row of one lane into the timeline's columns at screen row y: name inside where it fits. */
struct lane_look {
    struct trace *trace;
    struct search *search;   /* hits are marked; may be NULL */
    const struct slice *picked; /* the selected slice, or NULL */
};
void draw_lane(struct app *app, int y, struct lane *lane, const struct lane_look *look);

#endif
