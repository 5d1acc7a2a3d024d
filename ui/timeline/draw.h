/* draw.h - the panes: each draws its own rectangle of the grid from what the app knows, and changes nothing else. */
#ifndef FXTOP_DRAW_H
#define FXTOP_DRAW_H

#include "ui/session.h"

void draw_overview(struct app *app);
/* Brings the overview up to the trace as read so far: all of it, or a step of it while the trace is loading. */
void draw_ask_overview(struct app *app);
void draw_ruler(struct app *app);
void draw_tracks(struct app *app);
void draw_flows(struct app *app); /* over the tracks */

/* The row of one lane into the timeline's columns at screen row y: name inside where it fits. */
struct lane_look {
    struct trace *trace;
    struct search *search;      /* hits are marked; may be NULL */
    const struct slice *picked; /* the selected slice, or NULL */
    const struct sched_cpu *cpu; /* whose runs they are: each is called as its thread; NULL: by their own names */
};
void draw_lane(struct app *app, int y, struct lane *lane, const struct lane_look *look);
void draw_states(struct app *app, int y, struct sched_thread *t); /* a character a column: running, waiting, blocked */
void draw_instants_begin(struct app *app);                        /* of a frame */
void draw_instants_free(struct app *app);
void draw_instants(struct app *app, int y, const struct track_line *line);   /* moments: over what is drawn there */
void draw_instants_profile(struct app *app, int y, uint32_t thread);         /* the profiler's records of a thread */
void draw_curve(struct app *app, int y, const struct track *track, int row); /* one of the lines of a counter */
void draw_stack(struct app *app, int y, const struct track *track, int row); /* the same of a stack */
/* By column the sum over n lanes, 0..n: density of a header. */
void draw_density(struct app *app, int y, const double *busy, size_t n);

void draw_tracks_bar(struct app *app, int y);         /* between gutter and timeline */
void draw_tracks_mark(struct app *app, int x, int y); /* the time cursor in a cell */
void draw_tracks_cursor(struct app *app, int y);      /* the time cursor on a line, if it is in the window */

/* Name at the left of the gutter from x on, number at the right; the number is never cut. */
void draw_gutter(struct app *app, int y, int x, struct str name, const char *id, struct look look);
struct look draw_gutter_look(const struct app *app, const struct track *track, uint32_t row); /* that of a name */
void draw_gutter_header(struct app *app, int y, const struct track *track, struct str name, const char *id);
void draw_gutter_deeper(struct app *app, int y, const struct track *track); /* "+3 deeper" */

#endif
