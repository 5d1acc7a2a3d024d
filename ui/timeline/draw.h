/* draw.h - the panes: each draws its own rectangle of the grid from what the app knows, and changes nothing else. */
#ifndef FXTOP_DRAW_H
#define FXTOP_DRAW_H

#include "ui/session.h"

void draw_overview(struct app *app);
/* Brings the overview up to the trace as read so far: all of it, or a step of it while the trace is loading. */
void draw_ask_overview(struct app *app);
void draw_ruler(struct app *app);
void draw_tracks(struct app *app);
void draw_drawer(struct app *app);
void draw_flows(struct app *app); /* over the tracks */

/* On the drawer's pane (pane.h), from its current line on. */
struct drawer_text;
void draw_details(struct drawer_text *pane);  /* of the selected event, or of the current row */
void draw_counters(struct drawer_text *pane); /* all of view 7, side by side */
/* What is known of the selected one's name (name_stats.h); NULL: nothing yet, or nothing with a length is selected. */
const struct aggregate_row *tab_name_stats(const struct app *app);
void draw_same(struct drawer_text *pane);     /* all of the selected one's name: numbers, and how long they are */
void draw_same_line(struct drawer_text *pane, const struct slice *s); /* the same in a line, where it is known */
void draw_hops(
    struct drawer_text *pane); /* the chosen flow, and what its hops usually take; which of several, if several pass */

/* The row of one lane into the timeline's columns at screen row y: name inside where it fits. */
struct lane_look {
    struct trace *trace;
    struct search *search;      /* hits are marked; may be NULL */
    const struct slice *picked; /* the selected slice, or NULL */
    const struct sched_cpu *cpu; /* whose runs they are: each is called as its thread; NULL: by their own names */
};
void draw_lane(struct app *app, int y, struct lane *lane, const struct lane_look *look);
void draw_states(struct app *app, int y, struct sched_thread *t); /* a character a column: running, waiting, blocked */
void draw_run(struct app *app, int y, struct sched_cpu *cpu);
void draw_instants_begin(struct app *app); /* of a frame */
void draw_instants_free(struct app *app);
void draw_instants(struct app *app, int y,
                   const struct track_line *line);          /* instants, log records: over what is there */
void draw_profile(struct app *app, int y, uint32_t thread); /* the profiler's records on their thread's first row */
void draw_curve(struct app *app, int y, const struct track *track, int row); /* one of a counter's lines */
void draw_losses(struct app *app, int y, const struct track *track);         /* shades what a provider lost */
void draw_cursor_mark(struct app *app, int y);
/* Name at the left of the gutter, number at the right; the number is never cut. */
void draw_gutter(struct app *app, int y, int x, struct str name, const char *id, struct look look);

#endif
