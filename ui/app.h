/* app.h - the whole interface but the terminal: keys go in, a grid comes out.
 *
 * Times are ns of the reader's base, as the model speaks them; app_point() makes them readable. Lines count from the top
 * of all tracks (rows.h), rows and columns are the screen's. */
#ifndef FXTOP_APP_H
#define FXTOP_APP_H

#include "ui/session.h"
#include "ui/timeline/track_line.h"

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii);
void app_free(struct app *app);
void app_resize(struct app *app, int cols, int rows);

/* --at, --window and --keys as typed (NULL: not given), applied as the trace comes in. False with a sentence where they
 * are none. */
bool app_start(struct app *app, const char *at, const char *window, const char *keys, struct err *err);

void app_key(struct app *app, const struct key *key);
bool app_in_prompt(const struct app *app);

/* Takes in what the trace has read since. */
void app_update(struct app *app);
/* Work that can wait (counting hits): a little of it; true while there is more. */
bool app_idle(struct app *app);

void app_draw(struct app *app);       /* all of the grid */
void app_draw_title(struct app *app);   /* its first row alone, for progress */
void app_ask_overview(struct app *app); /* goes on with what pictures say of all threads, while more is read */

/* ---- for the panes and the commands ---- */

void app_say(struct app *app, bool error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Of the times in lists: of a short trace each ns counts. */
int64_t app_resolution(const struct app *app);
int64_t app_end(const struct app *app); /* of the trace; while it is read again, at least where it ended */
/* A point in time as the user wants it: relative, wall clock or the trace's own. */
const char *app_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]);
void app_fit_tracks(struct app *app); /* after the size or the kinds of tracks shown changed */
void app_layout(struct app *app); /* after something opened or closed */
const struct track *app_track(const struct app *app); /* of the current line, or NULL */
bool app_line(const struct app *app, struct track_line *line); /* what the current line holds; false on headers */
struct flow_stats *app_flow_stats(struct app *app);              /* of all flows; made when somebody asks */
const struct slice *app_slice(const struct app *app); /* the selected one, or NULL */
struct curve *curve_of(struct app *app, uint32_t series);
struct counter_series *curve_series(struct app *app, uint32_t series); /* its values, deltas or rates */
const struct counter_sample *curve_at(struct counter_series *series, int64_t t); /* the one that holds at t, or NULL */
const char *curve_number(double x, char buf[24]);
/* As above or, of an integer that it cannot tell from others, all digits if they have room; "min+6" where it would read
 * as the least does (or NULL) that is 6 less. */
const char *curve_text(const struct counter_sample *s, const struct counter_sample *least, int room, char buf[32]);
/* Rows of the screen that pinned tracks take; the line of the tracks at a screen row, UINT64_MAX on the rule. */
int app_pinned_rows(const struct app *app);
uint64_t app_line_at(const struct app *app, int y);
bool app_time(struct app *app, const char *text, int64_t *t); /* what the goto prompt takes */

#endif
