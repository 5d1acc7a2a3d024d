/* app.h - the whole interface but the terminal: keys go in, a grid comes out.
 *
 * Times are ns of the reader's base, as the model speaks them; app_point() makes them readable. Lines count from the top
 * of all tracks (rows.h), rows and columns are the screen's. */
#ifndef FXTOP_APP_H
#define FXTOP_APP_H

#include "model/query/flow_stats.h"
#include "model/query/search.h"
#include "model/trace/trace.h"
#include "ui/same.h"
#include "ui/screen/grid.h"
#include "ui/screen/key.h"
#include "ui/screen/layout.h"
#include "ui/screen/pager.h"
#include "ui/screen/prompt.h"
#include "ui/timeline/track_line.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/window.h"

enum view { VIEW_TIMELINE, VIEW_HELP, VIEW_INFO, VIEW_PROBLEMS, VIEW_OBJECTS, VIEW_BLOBS, VIEW_BLOB, VIEW_PROFILE,
            VIEW_BYTES, VIEW_LOG, VIEW_FLOWS };
enum drawer_tab { DRAWER_DETAILS, DRAWER_ARGS, DRAWER_FLOWS, DRAWER_SAME, DRAWER_TABS };
enum time_format { TIME_RELATIVE, TIME_WALL, TIME_CLOCK, TIME_FORMATS };

enum flows_mode { FLOWS_CHAIN, FLOWS_DIRECT, FLOWS_ALL, FLOWS_OFF, FLOWS_MODES }; /* arrows that are drawn */

enum curve_scale { CURVE_FIT, CURVE_ZERO, CURVE_LOG, CURVE_FIXED, CURVE_SCALES };
enum curve_mode { CURVE_VALUE, CURVE_DELTA, CURVE_RATE, CURVE_MODES };

struct curve { /* how a counter is drawn */
    enum curve_scale scale;
    enum curve_mode mode;
    double lo, hi; /* CURVE_FIXED */
    struct counter_series *derived; /* of deltas or rates, as of a version of the trace */
    uint64_t version;
};

struct curve_columns { /* what a curve's rows share in a frame: samples, least and greatest of each half column */
    size_t *v;
    uint32_t of;
    enum curve_mode mode;
    int64_t from, width;
    uint64_t version;
    int n;
};

struct app_place { /* what < and > go through */
    int64_t from, width, cursor;
    uint64_t line;
};

struct overview { /* how busy all threads are */
    unsigned char *levels; /* 0..8, of the columns of `window` */
    int columns;           /* 0: nothing is known so far */
    struct window window;
    uint64_t version, read; /* of the trace; bytes that had been read */
    /* being asked anew: */
    size_t next;          /* so many threads were; 0: it is not */
    double *busy;         /* what they said, of the columns of: */
    struct window asking;
};

struct app {
    struct trace *trace;
    struct grid grid;
    struct layout layout;
    struct track_list tracks;
    struct window window;
    bool window_moved; /* by a key: it no longer follows what is loaded */
    int64_t cursor;    /* time */
    uint64_t line, top; /* the current line, and the first one shown */
    struct selection selection;
    bool fitted;       /* the last key was f: the next fits */
    enum view view;
    struct pager page;   /* of the views that are text */
    enum view help_back; /* what the help stands over, ... */
    struct pager behind; /* ... and its text */
    struct views *views; /* that are tables: view.h; NULL until one was opened */
    bool drawer, drawer_focus;
    enum drawer_tab tab;
    int drawer_scroll;
    struct prompt prompt;
    struct prompt_history commands, searches, places;
    struct search *search;
    uint64_t hits;     /* counted so far */
    bool hits_known;
    VEC(struct app_place) back, forth;
    VEC(struct curve) curves; /* by series */
    struct curve_columns drawn; /* the curve that was drawn last */
    struct name_stats same;
    struct flow_stats *flow_stats; /* app_flowstat() */
    struct pattern *filter; /* of track names, or NULL */
    struct prompt_history track_names;
    uint32_t blob; /* of VIEW_BLOB */
    enum view bytes_back; /* where X was pressed, and on which line of a page */
    size_t bytes_line;
    enum flows_mode flows;
    uint64_t flow_offset;  /* of the slice that flow_choice is of */
    uint32_t flow_choice;  /* which of the points in it */
    uint32_t flow_point;   /* one without a slice that [ or ] went to, as of a version of the trace */
    uint64_t flow_point_version;
    const void *last_command; /* that moved the window: the same again is the same step of history */
    uint32_t prefix;   /* a key that waits for its second one: z */
    char message[240]; /* instead of the status line until the next key */
    bool message_is_error;
    enum time_format time_format;
    uint64_t problem_kind, problem_at; /* where ! is */
    uint64_t problem_tag; /* the one that ! has just gone to, as in the list of problems; 0: other keys came since */
    uint64_t version;  /* of the trace, as rows and picks know it */
    uint32_t generation, reloads;
    int64_t end; /* of the trace, at the last update */
    bool holding; /* a reload, until all is there again: `end` stays, and what was selected comes back */
    struct selection held;
    bool stale; /* the file has changed, and that was said */
    bool mouse, mouse_told, dragging, drag_moved;
    int drag_x;
    bool pages_stale; /* they say what was read so far: until it is whole */
    bool used; /* a key was pressed: what is current is the user's */
    const char *start_at, *start_window, *start_keys; /* of the command line, until they were applied */
    bool quit;
    bool interrupted;  /* by Ctrl-C: status 130 */
    bool suspend;      /* Ctrl-Z: whoever has the terminal does it */
    bool redraw;       /* Ctrl-L */
    bool dirty;        /* something changed since it was drawn */
    int64_t *edges;    /* of the window's columns */
    struct span *spans; /* scratch of a row */
    unsigned char *dense; /* which of its columns are density */
    struct crowds *crowds; /* draw_moments.c's: where the moments of a track stand */
    struct overview overview;
};

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
struct flow_stats *app_flowstat(struct app *app);              /* of all flows; made when somebody asks */
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
