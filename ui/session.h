/* session.h - the state of the interface, in the parts that the floors of ui/ share.
 *
 * ui/app.c and the folders of ui/ change the state; functions take the part that they need. The
 * functions below are what all of these folders ask of it. Times are ns relative to the reader's
 * base; lines count from the top of all tracks; rows and columns are the screen's. */
#ifndef FXTOP_SESSION_H
#define FXTOP_SESSION_H

#include "model/output/chars.h"
#include "model/query/flow_stats.h"
#include "model/query/search.h"
#include "model/query/stat/question.h"
#include "model/query/stat/range.h"
#include "model/query/stat/slice_group.h"
#include "model/query/stat/time_text.h"
#include "model/trace/trace.h"
#include "src/base/task.h"
#include "src/io/file_names.h"
#include "ui/screen/grid.h"
#include "ui/screen/key.h"
#include "ui/screen/layout.h"
#include "ui/screen/pager.h"
#include "ui/screen/prompt.h"
#include "ui/screen/style.h"
#include "ui/timeline/list/process_busy.h"
#include "ui/timeline/list/track_verdicts.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/track_line.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/window.h"

enum drawer_tab {
    DRAWER_DETAILS,
    DRAWER_ARGS,
    DRAWER_FLOWS,
    DRAWER_SAME,
    DRAWER_CHILDREN,
    DRAWER_WHY,
    DRAWER_TABS
};
enum time_format { TIME_RELATIVE, TIME_WALL, TIME_CLOCK, TIME_FORMATS };

/* arrows that are drawn */
enum flows_mode { FLOWS_CHAIN, FLOWS_DIRECT, FLOWS_ALL, FLOWS_OFF, FLOWS_MODES };

enum curve_scale { CURVE_FIT, CURVE_ZERO, CURVE_LOG, CURVE_SHARED, CURVE_FIXED, CURVE_SCALES };
enum curve_mode { CURVE_VALUE, CURVE_DELTA, CURVE_RATE, CURVE_MODES };

struct curve_derived {             /* deltas or rates */
    struct counter_series *series; /* NULL: not made */
    uint64_t version;              /* of the trace */
    uint32_t changes; /* timeline.only_changes, if it is of the samples that :only leaves; else 0 */
};

struct curve { /* how a counter is drawn */
    enum curve_scale scale;
    enum curve_mode mode;
    double lo, hi;                   /* CURVE_FIXED */
    struct curve_derived derived[2]; /* of all samples, of those that :only leaves */
};

/* what a curve's rows share in a frame: samples, least and greatest of each half column */
struct curve_columns {
    size_t *v;
    uint32_t of;
    enum curve_mode mode;
    int64_t from, width;
    uint64_t version;
    uint32_t changes; /* as of struct curve_derived */
    int n;
};

struct curve_member { /* of a group: a series, and the extent of all its samples */
    double lo, hi;
    uint32_t series;
};

struct curve_group {    /* ui/timeline/kinds/curve.h */
    uint32_t of, count; /* one of its series; of all series of the trace */
    enum curve_mode mode;
    uint64_t version;
    uint32_t changes;                         /* as of struct curve_derived */
    VEC(struct curve_member) least, greatest; /* its members, by lo and by hi */
    /* the extent in this window */
    int64_t from, width;
    int n; /* columns; 0: it is not known */
    bool any;
    double lo, hi;
};

struct app_place { /* an entry of the view history: < and > */
    int64_t from, width, cursor;
    uint64_t line;
};

struct overview {          /* how busy all threads are */
    unsigned char *levels; /* 0..8, of the columns of `window` */
    int columns;           /* 0: nothing is known so far */
    /* what busy means: of some threads running time, of some the time that slices cover; counted:
     * no time, but the number of events */
    bool running, covered, counted;
    uint32_t left; /* timeline.only_changes, if it is of the events that :only leaves; 0: of all */
    struct window window;
    uint64_t version, read; /* of the trace; bytes that had been read */
    /* the sum under way: */
    size_t next;  /* threads added so far; 0: none is under way */
    double *busy; /* their busy times, by the columns of: */
    struct window asking;
    uint64_t asking_version; /* of the trace, when it began */
    bool asking_running, asking_covered;
    int64_t asking_until; /* a thread begun later is left out until its scheduling is read */
    uint32_t asking_left;
};

enum window_mode {
    WINDOW_WHOLE, /* all that has been read so far */
    /* by a key, the mouse or an option: it stays, or goes along with the end if it shows that */
    WINDOW_PLACED,
};

enum fit_step {              /* what the key f does */
                FIT_CENTERS, /* the selection or the cursor in the window */
                FIT_FITS,    /* the window to the selection: f was pressed before */
};

struct filter_typing { /* a filter of tracks is typed: the state that Esc restores */
    bool on;
    struct filter *filter;
    struct search *events;
    bool events_known;
    bool again;          /* the list that is being made takes the line from here: */
    struct track before; /* the track of the current line, its row, and the scroll position */
    uint32_t row;
    uint64_t top;
};

/* How much of the trace is shown as the whole (trace.h). */
enum shown {
    SHOWN_WINDOW, /* the first window */
    SHOWN_SPAN,   /* all that happened */
    SHOWN_ALL,    /* with damaged and unset times, and with what is outside of a part */
};

#define COLORS_ARGUMENT 80 /* bytes of its name */

struct colors {             /* ui/timeline/colors.h */
    enum slice_group_by by; /* the key */
    char argument[COLORS_ARGUMENT];
    uint64_t changes; /* of the key, counted */
    struct answer totals;
    uint32_t ranks; /* counted */
    bool ranked;    /* values have colours of their own */
    bool patterns;  /* of names: those that differ in numbers alone share one */
    struct {        /* the heaviest ones, for the legend */
        uint32_t hash;
        char text[40];
    } top[STYLE_SERIES];
    uint32_t ntop;
};

struct chosen_gap { /* ui/timeline/draw_gap.h */
    bool any;
    const struct track_ops *kind; /* NULL: of all threads */
    uint32_t of;
    int64_t from, to;
};

struct timeline {
    struct track_list tracks;
    struct window window;
    enum window_mode window_mode;
    enum shown shown;      /* the limits of the window */
    enum fit_step fit;     /* of the next f */
    bool touched;          /* a key was pressed: cursor and line stay where they are */
    int64_t cursor;        /* time */
    int64_t decided_width; /* of the window that decided which threads are gone */
    int decided_columns;
    /* the current line, and the first line on the screen below the pinned ones */
    uint64_t line, top;
    struct selection selection;
    struct chosen_gap gap;     /* hidden while an event is selected */
    uint32_t remade;           /* number of the changes of its set, order or filter */
    struct filter *filter;     /* of tracks, or NULL */
    struct search *events;     /* for its terms about events; NULL: it has none */
    struct filter_lanes *only; /* what :only leaves; NULL: everything */
    uint32_t only_changes;     /* counts up whenever that is another set of events; 0: never */
    uint64_t only_said;      /* their number in the last message about it, + 1; 0: there was none */
    char hiding[160];        /* scratch of the title */
    bool events_known;       /* all of them are counted, and the list of tracks knows it */
    uint64_t events_version; /* of the trace, then */
    struct track_verdicts verdicts; /* of the filter on tracks */
    struct filter_typing typing;
    VEC(struct app_place) back, forth;
    /* the command that moved the window: a repetition is the same step of history */
    const void *last_command;
    uint32_t prefix; /* first key of a sequence: z, m, '; 0: none */
    /* the key before, if it ran a command: with the next it may be another, as yy; 0: none */
    uint32_t ran;
    enum time_format time_format;
    VEC(struct curve) curves; /* by series */
    /* the curves drawn last: of all samples, of those that :only leaves */
    struct curve_columns drawn[2];
    VEC(struct curve_group) shared; /* that share a scale */
    struct overview overview;
    struct colors colors;
    struct process_busy busy; /* of the headers of processes */
    int64_t *edges;           /* of the window's columns */
    struct span *spans;       /* scratch of one row */
    unsigned char *dense;     /* by column: 1 if it is drawn as density */
    struct crowds *crowds;    /* of draw_instants.c: columns with instants */
};

struct app;

struct view_state {   /* ui/views/view.h */
    struct view *all; /* by place in view_list.h */
    struct view *current;
    struct view *home;  /* the timeline, counters or CPUs: the one that was current last */
    struct chars later; /* lines of ui/views/view_place.h that wait for the view's work */
    /* of the command table, which is above */
    void (*write_help)(struct pager *pager, const struct app *app);
    void (*describe)(struct app *app, FILE *out); /* ui/describe_view.h, which is above, too */
};

struct drawer_state {
    bool open, focus;
    enum drawer_tab tab;
    int scroll;
    int link;               /* number of the current link in the text, if it is visible */
    bool on_link;           /* there was one in the last frame */
    int rows;               /* chosen by + and -; 0: by the size of the screen */
    struct answer same;     /* struct name_stats: durations of the selection's name */
    struct answer times[2]; /* total and self of all names: of slices, of operations */
    struct answer hot;      /* struct hot: details_hot.c */
    struct answer states;   /* how a thread spent a stretch of time: details_sched.c */
    struct answer children; /* struct children: of the slice with its record at `question` */
    struct answer why;      /* struct why: of the same */
    struct answer pick;     /* struct pick: the slice that a key has asked for */
    bool picking;
};

struct command;

struct prompt_state {
    struct prompt line;
    const struct command *command; /* the command that opened it and takes the text */
    struct prompt_history history[PROMPT_HISTORIES];
    struct chars completion; /* the candidate that was offered last */
    struct file_names files; /* for the text that is completed */
    /* rows left by the text typed so far: "12 of 400 rows "; "": nothing is typed */
    char found[80];
};

struct find_state {
    struct search *search;
    bool in_arguments;   /* no name has the text that was typed */
    struct search *kept; /* while a pattern is typed: the search before, or NULL */
    bool typing;
    uint32_t changes; /* of the search, counted: for the list of hits */
    /* the hit of the last jump, if it is a point of a flow, and the selection then */
    struct hit landed;
    struct selection landed_on;
    int64_t landed_at; /* the cursor */
    bool has_landed;
    bool looking, forward; /* the search looks for the next hit, in that direction */
    unsigned again;        /* hits to be found after it: keys pressed meanwhile */
    struct hit from;       /* where it began, and the trace's version then */
    uint64_t from_version;
    uint64_t hits; /* counted so far */
    bool hits_known;
    /* the problem that ! selected last; PROBLEM_KINDS: before the first kind */
    uint64_t problem_kind, problem_at;
    uint64_t problem_tag; /* its tag in the list of problems; 0 after any other key */
};

struct flow_state {
    enum flows_mode mode;
    uint64_t offset; /* of the slice that `choice` belongs to */
    uint32_t choice; /* index among the points in that slice */
    uint32_t point;  /* selected by [ or ], outside any slice; valid for one version of the trace */
    uint64_t point_version;
    struct answer stats;  /* session_flow_stats() */
    struct answer ranged; /* session_range_flow_stats() */
};

struct key_set;

struct key_map {
    uint64_t code;           /* a key, or first << 32 | second */
    unsigned modes;          /* of the command of the line */
    const char *keys, *line; /* of :map: allocated, and freed with it */
};

struct keymap {                /* ui/config/keymap.h */
    const struct key_set *set; /* NULL: that of the manual */
    VEC(struct key_map) own;   /* by :map; they come before: */
    VEC(struct key_map) added; /* those of the set */
    uint32_t prefix;           /* the first key of a sequence of these, as typed; 0: none */
};

struct startup { /* --at, --window, --keys and others until they are applied; NULL: not given */
    const char *at, *window, *keys;
    /* --range, --tracks, --filter: set by the owner before app_start() */
    struct question_texts asked;
    const char *config;     /* a file of ui/config/config.h; "": the user's own */
    char *config_later;     /* its lines that wait for the trace, owned */
    char config_name[100];  /* of that file, in messages */
    char *session;          /* lines of commands (ui/keep/), owned */
    unsigned session_parts; /* enum keep_parts: those that are taken up */
    bool session_own;       /* it is the one that was kept for this trace */
    bool window_pends;      /* the trace may grow into the range of --window */
    bool playing;           /* keys are applied: each after all background work of the one before */
    bool exports;           /* the table that these keys lead to is exported: set by the owner */
    bool may_write;         /* these keys may write files and run programs: set by the owner */
};

enum reload_phase {
    RELOAD_NONE,
    /* the file is read again: `end` does not shrink, and the selection comes back when it can */
    RELOAD_READING,
};

struct reload_state {
    uint64_t version; /* of the trace, for which tracks and selection are valid; UINT64_MAX: none */
    uint32_t generation, reloads; /* of the trace, at the last update */
    int64_t end;                  /* of the trace, at the last update */
    enum reload_phase phase;
    struct selection held; /* RELOAD_READING: the selection to come back to */
    bool reported;         /* the file has changed, and a message said so */
};

struct range_state { /* the scope of all numbers; ui/timeline/range/ranges.h changes it */
    /* its tracks: the tagged ones, else, if it is timed, those that a filter leaves */
    struct range range;
    uint32_t serial; /* number of its changes: dependent work starts again */
    bool has_kept;
    struct range kept;    /* by =, for a comparison */
    uint32_t kept_serial; /* number of its changes */
    bool extending;       /* v: the cursor extends it from the anchor */
    int64_t anchor;
    int64_t at; /* the cursor and the selection after the last key, while extending */
    struct selection seen;
    bool whole_event;        /* that key selected an event, which the range takes in */
    struct track_set tagged; /* by Space */
    bool own_tracks;         /* its tracks are those that it was made on: of a selected event */
    uint32_t filter_remade;  /* timeline.remade, for which its tracks were chosen */
    bool has_dropped;
    struct range dropped; /* the one before; of times only */
    uint32_t tracks;      /* tracks that can be tagged, as of `version` of the trace */
    uint64_t version;
    struct answer slices; /* struct range_count: slices in the range */
};

enum { MARK_QUICK = 26, MARKS }; /* places of marks: a to z, then the one that '' visits */

struct mark {
    bool any;
    int64_t time;
    uint64_t line;
};

struct mark_note {
    int64_t time;
    char *text;
};

struct marks_state { /* ui/timeline/range/marks.h */
    struct mark v[MARKS];
    int last[2]; /* the letters set last, from 1; 0: none */
    VEC(struct mark_note) notes;
};

enum drag { DRAG_NONE, DRAG_PRESSED, DRAG_PANS, DRAG_RANGE };

struct mouse_state {
    bool on;
    bool explained; /* a message has described dragging */
    enum drag drag;
    int drag_x;      /* the column where the last step of it ended */
    int drag_from_x; /* the one where it began */
    bool on_lanes;   /* it began on the lanes of the tracks */
};

enum link { LINK_AUTO, LINK_FAST, LINK_SLOW }; /* auto: slow over ssh */

struct message { /* shown instead of the status line until the next key */
    char text[240];
    bool is_error;
};

enum quit { QUIT_NO, QUIT_ASKED, QUIT_INTERRUPTED }; /* by Ctrl-C: status 130 */

struct run_request { /* of a program (ui/keep/keep_run.h), owned */
    char **argv;     /* ends with NULL; NULL: no program is requested */
    bool pipes;      /* it reads `input` from its standard input, else the terminal */
    struct chars input;
};

struct requests { /* to the owner of the terminal, which clears them */
    enum quit quit;
    bool suspend;      /* Ctrl-Z */
    bool redraw;       /* Ctrl-L */
    bool copied;       /* copy is new */
    struct chars copy; /* the text that y or Y copied last */
    struct run_request run;
};

struct turns {        /* of reading and background work: ui/turns.h; times of clock_now() */
    bool working;     /* it is the turn of background work */
    bool of_key;      /* a key has asked for it */
    bool key;         /* a key has asked for something since */
    bool held;        /* a query reads the trace: it must not step, whatever its state */
    bool held_rows;   /* the same by the query of a track */
    uint64_t version; /* of the trace in the last turn */
    int64_t began, ended, took;
};

struct offsets_state { /* ui/offsets.h: the last move */
    bool any, fresh;   /* fresh: the key u takes it back */
    size_t file;
    int64_t before;
};

struct sql_answer_ops;
struct sql_answer;
struct row_track_maker;

struct as_track_question {
    char *name, *text;
    bool known;       /* it was asked of: */
    uint64_t version; /* of the trace */
};

struct as_track_state { /* ui/as_track.h */
    VEC(struct as_track_question) v;
    size_t asked;                 /* the one that is asked, + 1; 0: none */
    struct sql_answer *answer;    /* of SQL; lasts for the next one */
    struct search *search;        /* of a filter */
    struct row_track_maker *rows; /* of that question */
    uint64_t next;                /* row or hit that the maker takes next */
    uint32_t generation;
    bool full; /* there are more rows than a track may have */
    struct err fault;
    bool failed;
};

struct app {
    struct trace *trace;
    const struct sql_answer_ops *answers; /* sql/answer.h, set by the owner; NULL: without SQLite */
    uint64_t query_memory; /* bytes that a query may take, set by the owner; 0: the default */
    struct grid grid;
    struct layout layout;
    struct timeline timeline;
    struct view_state views;
    struct drawer_state drawer;
    struct prompt_state prompts;
    struct find_state find;
    struct flow_state flow;
    struct range_state range;
    struct marks_state marks;
    struct startup startup;
    struct reload_state reload;
    struct mouse_state mouse;
    struct turns turns;
    struct keymap keymap;
    enum link link;    /* to the terminal */
    bool cursor_shown; /* the terminal's own, where the selection is */
    char theme[64];    /* the one chosen by name; "": none */
    bool in_theme;     /* its file is read */
    bool session_off;  /* :session off */
    bool aligned;      /* a message has said how several traces are aligned, or need not */
    struct offsets_state offsets;
    struct as_track_state as_track;
    struct message message;
    struct requests requests;
    bool asks;    /* it is the turn of background work */
    bool dirty;   /* something changed since the last frame */
    bool printed; /* on no screen: a picture is the same however fast the machine is */
    /* of work between a key and its frame; spent: the rest is left to the jobs */
    struct budget answer;
    struct task key;   /* with `answer` */
    struct task *work; /* under way: `key`, or that of the jobs; NULL: to the end */
};

/* Whether text without slashes looks like a regular expression: "^Layout$". */
bool session_like_regex(const char *text);

/* Whether a key may write a file or run a program: a person's always, one of --keys if it was
 * allowed. False: it may not, with a message. */
bool session_may_write(struct app *app, const char *what);
/* Shows a message instead of the status line until the next key; error: as an error. */
void session_say(struct app *app, bool error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- the work under way ---- */

/* A step of an answer that was asked for; the screen shows it when it is complete. True: there is
 * more to do. */
bool session_work(struct app *app, struct answer *answer);
/* step() within another task. */
bool session_within(struct app *app, struct task *task, bool (*step)(struct app *app));

/* ---- times ---- */

/* The limits of the timeline, by what it shows. While the trace is read again, the end is at least
 * the one it had. */
int64_t session_begin(const struct trace *trace, const struct timeline *timeline);
int64_t session_end(const struct trace *trace, const struct timeline *timeline,
                    const struct reload_state *reload);
/* Whether showing `more` of the trace reaches over what `shown` shows. */
bool session_shows_more(const struct trace *trace, enum shown shown, enum shown more);
/* Widens the limits of the window if t is outside of them and in the trace, so that the window can
 * go there. */
void session_reach(struct app *app, int64_t t);
/* The unit in ns to which lists show points in time: 1 in a trace of less than 1 ms, else 1000. */
int64_t session_resolution(const struct trace *trace);
/* A point in time in the format that the user chose: relative, wall clock or the trace's clock.
 * Returns buf. */
const char *session_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]);
/* Parses a time as typed: "1.5s" and "50%" count from the begin of the trace, "+20us" and "-1ms"
 * from the cursor. While the ruler shows the trace's clock, "49493200000ns" is of that clock.
 * "00:00:01.5" is of the wall clock. A number other than 0 needs a unit. */
bool session_time(struct app *app, const char *text, int64_t *t);
/* Why session_time() refused the text, and what to type instead. */
const char *session_not_a_time(const struct app *app, const char *text, char buf[320]);
bool session_duration(const char *text, int64_t *ns); /* "40ms"; false without a unit */

/* ---- the range ---- */

/* Whether a question may be asked of the trace as it is now. While it is read, only in a turn of
 * background work (ui/turns.h), because else it would be asked in vain. */
static inline bool session_may_ask(const struct app *app) {
    return app->asks || trace_state(app->trace) == TRACE_COMPLETE;
}
/* The stretch of time and the tracks of which tables, the drawer and the status give numbers. */
const struct range *session_range(const struct app *app);
/* "range 15.33 ms  3 of 48 tracks", or "whole trace 12.42 s" if there is none: the heading of a
 * number. "range 15.33 ms, of the trace so far" or "trace so far 12.42 s" while more may come.
 * Returns buf. */
const char *session_range_text(const struct app *app, char buf[96]);
/* The same at the head of an answer, with the damaged slices and states that it leaves out. */
const char *session_answer_text(const struct app *app, char buf[240]);
/* ", of the trace so far" while more may come, else "": after the heading of a number that is not
 * of the range. */
const char *session_read_text(const struct app *app);
/* The range kept by =, for comparisons; NULL: none. */
const struct range *session_kept_range(const struct app *app);
/* A range as typed (model/query/stat/range_text.h). */
bool session_typed_range(const struct app *app, const char *text, struct range *range,
                         struct err *err);

/* ---- the current line and selection ---- */

/* of the current line, or NULL */
const struct track *session_track(const struct timeline *timeline);
/* The events of the current line; false on headers. */
bool session_line(struct trace *trace, const struct timeline *timeline, struct track_line *line);
/* The events that :only leaves, if the others are hidden; NULL: all are shown. */
struct filter_lanes *session_left(const struct timeline *timeline);
/* The same if the other events are hidden or dimmed; NULL also if they look like these. */
struct filter_lanes *session_only(const struct timeline *timeline);
/* The selected one, or NULL. */
#define session_slice(trace, timeline) selection_slice((trace), &(timeline)->selection)
/* Statistics of all flows of the trace as it is, asked for if they are not: `next` is a struct
 * flow_stats. */
struct answer *session_flow_stats(struct trace *trace, struct flow_state *flow);
/* Statistics of the flows of the range; without a range, those of all flows. */
struct answer *session_range_flow_stats(struct app *app);

/* ---- sizes ---- */

/* To be called after something opened or closed, or the size changed: rectangles and buffers of the
 * window's columns.
 */
void session_layout(struct app *app);
/* To be called after the lines of the tracks changed: an open drawer takes the rows that they
 * leave. */
void session_fit_drawer(struct app *app);
/* Heights of curves, after the size or the kinds of tracks shown changed. */
void session_fit_tracks(struct app *app);
/* Rows of the screen that pinned tracks take: at most half; below them is a rule. */
int session_pinned_rows(const struct app *app);
/* The line of the tracks at a row of the screen; UINT64_MAX on the rule. */
uint64_t session_line_at(const struct app *app, int y);

#endif
