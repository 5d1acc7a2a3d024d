/* move.c - moving the window, the time cursor, the current line and the selection.
 *
 * Zoom and pan change the window and hold the cursor inside it. Everything that selects an event
 * ends in move_select(): it unfolds and deepens the event's track, makes its line the current one
 * and brings its time into the window. h and l take the next event of the current line, from its
 * lane and its moments alike. The view history is two stacks, as in a web browser. */
#include "ui/timeline/move.h"

#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/timeline/track_ops.h"

#define HISTORY 100

/* ---- places ---- */

static struct app_place here(const struct timeline *timeline) {
    return (struct app_place){timeline->window.from, timeline->window.width, timeline->cursor,
                              timeline->line};
}

static bool same_place(const struct app_place *a, const struct app_place *b) {
    return a->from == b->from && a->width == b->width && a->line == b->line;
}

void move_remember(struct timeline *timeline) {
    struct app_place p = here(timeline);
    if (timeline->back.n > 0 && same_place(&timeline->back.v[timeline->back.n - 1], &p))
        return;
    if (timeline->back.n == HISTORY) {
        memmove(timeline->back.v, timeline->back.v + 1, (HISTORY - 1) * sizeof *timeline->back.v);
        timeline->back.n--;
    }
    vec_push(&timeline->back, p);
    timeline->forth.n = 0;
}

static int64_t clamp_time(const struct app *app, int64_t t) {
    int64_t lo = session_begin(app->trace, &app->timeline),
            hi = session_end(app->trace, &app->timeline, &app->reload);
    if (t < lo)
        return lo;
    return t > hi ? hi : t;
}

/* Makes a line the current one, or the last one if the list has fewer. */
static void set_line(struct timeline *timeline, uint64_t line) {
    uint64_t lines = timeline->tracks.lines;
    if (line >= lines)
        line = lines > 0 ? lines - 1 : 0;
    timeline->line = line;
}

/* The place is clamped: the trace may have been read again since, or tracks folded. */
static void go(struct app *app, const struct app_place *p) {
    session_reach(app, p->cursor);
    window_set(&app->timeline.window, p->from, p->width);
    app->timeline.cursor = clamp_time(app, p->cursor);
    set_line(&app->timeline, p->line);
    app->timeline.window_mode = WINDOW_PLACED;
}

void move_back(struct app *app) {
    struct app_place p = here(&app->timeline);
    while (app->timeline.back.n > 0 &&
           same_place(&app->timeline.back.v[app->timeline.back.n - 1], &p))
        app->timeline.back.n--;
    if (app->timeline.back.n == 0) {
        session_say(app, false, "no earlier view");
        return;
    }
    vec_push(&app->timeline.forth, p);
    go(app, &app->timeline.back.v[--app->timeline.back.n]);
}

void move_forth(struct app *app) {
    if (app->timeline.forth.n == 0) {
        session_say(app, false, "no later view");
        return;
    }
    vec_push(&app->timeline.back, here(&app->timeline));
    go(app, &app->timeline.forth.v[--app->timeline.forth.n]);
}

/* ---- time ---- */

static void keep_cursor_inside(struct timeline *timeline) {
    int64_t last = window_edge(&timeline->window, timeline->window.columns);
    if (timeline->cursor < timeline->window.from)
        timeline->cursor = timeline->window.from;
    if (timeline->cursor >= last)
        timeline->cursor = window_edge(&timeline->window, timeline->window.columns - 1);
}

static void zoom(struct app *app, int num, int den) {
    int64_t width = app->timeline.window.width;
    app->timeline.window_mode = WINDOW_PLACED;
    keep_cursor_inside(&app->timeline);
    window_zoom(&app->timeline.window, app->timeline.cursor, num, den);
    if (app->timeline.window.width == width)
        session_say(app, false,
                    num < den ? "cannot zoom in further: a column is 1 ns"
                              : "this is the whole trace");
}

void move_zoom_in(struct app *app) {
    zoom(app, 2, 3);
}

void move_zoom_out(struct app *app) {
    zoom(app, 3, 2);
}

void move_zoom_in_far(struct app *app) {
    zoom(app, 1, 8);
}

void move_zoom_out_far(struct app *app) {
    zoom(app, 8, 1);
}

/* The cursor stays on its column: panning moves it through the trace. */
static void pan(struct app *app, int64_t columns) {
    int64_t from = app->timeline.window.from;
    app->timeline.window_mode = WINDOW_PLACED;
    keep_cursor_inside(&app->timeline);
    window_pan(&app->timeline.window, columns);
    app->timeline.cursor += app->timeline.window.from - from;
    if (app->timeline.window.from == from)
        session_say(app, false,
                    columns < 0 ? "this is the start of the trace"
                                : "this is the end of the trace");
}

static int64_t quarter(const struct timeline *timeline) {
    return timeline->window.columns / 4 > 0 ? timeline->window.columns / 4 : 1;
}

void move_pan_left(struct app *app) {
    pan(app, -quarter(&app->timeline));
}

void move_pan_right(struct app *app) {
    pan(app, quarter(&app->timeline));
}

void move_page_left(struct app *app) {
    pan(app, -app->timeline.window.columns);
}

void move_page_right(struct app *app) {
    pan(app, app->timeline.window.columns);
}

void move_to_time(struct app *app, int64_t t, bool center) {
    session_reach(app, t);
    app->timeline.cursor = clamp_time(app, t);
    app->timeline.window_mode = WINDOW_PLACED;
    if (center)
        window_center(&app->timeline.window, app->timeline.cursor);
    else
        window_reveal(&app->timeline.window, app->timeline.cursor);
}

void move_show(struct app *app, int64_t from, int64_t width) {
    struct timeline *timeline = &app->timeline;
    struct window *w = &timeline->window;
    int64_t to = from;
    if (__builtin_add_overflow(from, width, &to))
        to = INT64_MAX;
    move_remember(timeline);
    session_reach(app, from);
    session_reach(app, to);
    timeline->window_mode = WINDOW_PLACED;
    window_set(w, from, width);
    if (timeline->cursor < w->from || timeline->cursor >= window_edge(w, w->columns))
        timeline->cursor = clamp_time(app, w->from);
}

static void cursor_by(struct app *app, int columns) {
    int column = window_column(&app->timeline.window, app->timeline.cursor) + columns;
    app->timeline.window_mode = WINDOW_PLACED;
    if (column < 0 || column >= app->timeline.window.columns) {
        int64_t step = window_per_column(&app->timeline.window);
        int64_t room =
            columns < 0
                ? app->timeline.cursor - session_begin(app->trace, &app->timeline)
                : session_end(app->trace, &app->timeline, &app->reload) - app->timeline.cursor;
        step = step < room ? step : room;
        move_to_time(app, columns < 0 ? app->timeline.cursor - step : app->timeline.cursor + step,
                     false);
        return;
    }
    app->timeline.cursor = clamp_time(app, window_edge(&app->timeline.window, column));
}

void move_cursor_left(struct app *app) {
    cursor_by(app, -1);
}

void move_cursor_right(struct app *app) {
    cursor_by(app, 1);
}

void move_show_whole(struct app *app, enum shown shown) {
    struct timeline *timeline = &app->timeline;
    timeline->decided_width = 0; /* decides again which threads are gone */
    if (shown != timeline->shown)
        timeline->overview.columns = 0; /* its sums are of other columns */
    timeline->shown = shown;
    window_whole(&timeline->window, session_begin(app->trace, timeline),
                 session_end(app->trace, timeline, &app->reload), timeline->window.columns);
    timeline->cursor = clamp_time(app, timeline->cursor);
    timeline->window_mode =
        trace_state(app->trace) == TRACE_COMPLETE ? WINDOW_PLACED : WINDOW_WHOLE;
}

/* The next larger whole, if there is one, and after the largest the first window. */
static enum shown next_whole(const struct trace *trace, enum shown shown) {
    for (enum shown more = shown + 1; more <= SHOWN_ALL; more++)
        if (session_shows_more(trace, shown, more))
            return more;
    return SHOWN_WINDOW;
}

/* The whole of the first window; once more: of the span; once more: of all times. */
void move_whole(struct app *app) {
    const struct window *w = &app->timeline.window;
    bool again = w->from == w->lo && w->width >= w->hi - w->lo;
    move_show_whole(app, again ? next_whole(app->trace, app->timeline.shown) : SHOWN_WINDOW);
    if (app->timeline.shown == SHOWN_SPAN)
        session_say(app, false, "all that happened: 0 goes back to most of it");
    else if (app->timeline.shown == SHOWN_ALL)
        session_say(app, false,
                    trace_is_part(app->trace)
                        ? "with events outside of the range that was cut: 0 leaves them out"
                        : "with damaged and unset times: ! visits them, 0 leaves them out");
}

/* Times that are far decide the first window alone, so the start and the end are those of the
 * span. */
void move_start(struct app *app) {
    int64_t shown = session_begin(app->trace, &app->timeline), begin = trace_begin(app->trace);
    move_to_time(app, begin < shown ? begin : shown, false);
}

void move_end(struct app *app) {
    int64_t shown = session_end(app->trace, &app->timeline, &app->reload);
    int64_t end = trace_end(app->trace);
    move_to_time(app, end > shown ? end : shown, false);
}

/* An event in the middle of the window; the second time, as wide as the window. */
bool move_fit(struct app *app) {
    struct timeline *timeline = &app->timeline;
    const struct selection *now = &timeline->selection;
    const struct slice *s = session_slice(app->trace, timeline);
    int64_t from = timeline->cursor, to = from;
    bool any = selection_stretch(app->trace, now, &from, &to);
    timeline->window_mode = WINDOW_PLACED;
    if (selection_any(now))
        session_reach(app, now->time);
    if (s && !slice_open(s))
        session_reach(app, slice_end(s));
    int64_t left = timeline->window.from;
    if (timeline->fit != FIT_FITS)
        window_center(&timeline->window, from + units_since(from, to) / 2);
    bool again = timeline->fit == FIT_FITS || timeline->window.from == left;
    if (!again)
        timeline->fit = FIT_FITS;
    else if (any || selection_surroundings(app->trace, now, &from, &to))
        window_fit(&timeline->window, from, to);
    else
        session_say(app, false, "nothing to fit: %s",
                    selection_any(now) ? "no event is near" : "select an event");
    if (again && selection_any(now))
        timeline->cursor = clamp_time(app, now->time);
    return again && any;
}

/* ---- rows and selection ---- */

static void set_selection(struct app *app, struct selection selection) {
    if (!selection_any(&app->timeline.selection) && selection_any(&selection) &&
        !app->drawer.open && !app->layout.small) {
        app->drawer.open = true;
        session_layout(app);
    }
    if (app->timeline.selection.offset != selection.offset)
        app->drawer.scroll = app->drawer.link = 0;
    app->timeline.selection = selection;
    app->timeline.gap.any = app->timeline.gap.any && !selection_any(&selection);
}

void move_show_row(struct trace *trace, struct timeline *timeline, const struct track_ops *kind,
                   uint32_t of, uint32_t row) {
    if (kind->process) {
        uint32_t process = kind->process(trace, of);
        if (track_list_folded(&timeline->tracks, process))
            track_list_fold(&timeline->tracks, process, false);
    }
    if (timeline->tracks.version != trace_version(trace))
        track_list_update(&timeline->tracks, trace);
    uint64_t line;
    if (!track_list_find(&timeline->tracks, kind, of, row, &line) && kind->process &&
        track_list_open(&timeline->tracks, kind->process(trace, of)))
        track_list_update(&timeline->tracks, trace);
    if (!track_list_find(&timeline->tracks, kind, of, row, &line) && kind->process &&
        track_list_hides_more(&timeline->tracks, kind->process(trace, of))) {
        track_list_show_more(&timeline->tracks, kind->process(trace, of), true);
        track_list_update(&timeline->tracks, trace);
    }
    set_line(timeline, timeline->line); /* the list may have become shorter */
    if (!track_list_find(&timeline->tracks, kind, of, row, &line))
        return;
    const struct track *track = track_list_at(&timeline->tracks, line);
    const struct selection_ops *event = timeline->selection.kind;
    bool below_strip = !(event && event->strip) && track->strip && track->height > 1;
    if (!kind->stretch && row + below_strip >= track->height) {
        track_list_set_depth(&timeline->tracks, kind, of, row + 1);
        track_list_update(&timeline->tracks, trace);
    }
    if (track_list_find(&timeline->tracks, kind, of, kind->stretch ? 0 : row + below_strip, &line))
        timeline->line = line;
}

void move_select(struct app *app, struct selection selection) {
    app->timeline.window_mode = WINDOW_PLACED;
    set_selection(app, selection);
    if (!selection_any(&selection))
        return;
    move_show_row(app->trace, &app->timeline, selection.kind->track, selection.of,
                  selection_row(app->trace, &selection));
    const struct slice *s = session_slice(app->trace, &app->timeline);
    int64_t end = s ? slice_end(s) : selection.time;
    if (s && app->timeline.cursor >= s->start && app->timeline.cursor < end &&
        app->timeline.cursor >= app->timeline.window.from &&
        app->timeline.cursor < window_edge(&app->timeline.window, app->timeline.window.columns))
        return; /* the cursor is in it already, and on the screen */
    session_reach(app, selection.time);
    app->timeline.cursor = selection.time;
    window_reveal(&app->timeline.window, selection.time);
}

/* The slice of a line at `time`, or the nearest one within `reach` ns of it. */
static struct selection nearest_slice(const struct track_line *line, int64_t time, int64_t reach) {
    const struct lane *lane = line->lane;
    struct selection selection = {0};
    if (lane == NULL)
        return selection;
    uint32_t before = lane_before(lane, time), after = before == UINT32_MAX ? 0 : before + 1;
    int64_t best = INT64_MAX;
    if (before != UINT32_MAX) {
        const struct slice *s = lane_at(lane, before);
        int64_t away =
            slice_end(s) > time || s->start == time ? -1 : units_since(slice_end(s), time);
        if (away < reach) {
            best = away + 1;
            selection = track_line_slice(line, before);
        }
    }
    int64_t ahead = after < lane->n ? units_since(time, lane_start(lane, after)) : INT64_MAX;
    if (ahead < best && ahead < reach)
        selection = track_line_slice(line, after);
    return selection;
}

/* The first moment of the line in the column of `time`, or the sample that holds at that time. */
static struct selection nearest_moment(struct trace *trace, struct timeline *timeline,
                                       const struct track_line *line, int64_t time, int64_t reach) {
    size_t n = track_line_moments(trace, line), tries = 0;
    int64_t from = window_edge(&timeline->window, window_column(&timeline->window, time));
    for (size_t i = track_line_from(trace, line, from, 0), next; i < n && tries < MOMENTS_TRIED;
         i = next, tries++) {
        if (units_since(from, track_line_moment(trace, line, i).time) >= reach)
            break;
        if (track_line_holds_next(trace, line, i, &next))
            return track_line_selection(trace, line, i);
    }
    size_t after =
        line->moments && line->moments->lasts ? track_line_from(trace, line, time, UINT64_MAX) : 0;
    return after > 0 ? track_line_selection(trace, line, after - 1) : (struct selection){0};
}

struct selection move_event_at(struct trace *trace, struct timeline *timeline, uint64_t at,
                               int64_t time, int64_t reach) {
    struct track_line line;
    if (!track_line_at(trace, &timeline->tracks, at, &line))
        return (struct selection){0};
    struct selection selection = nearest_moment(trace, timeline, &line, time, reach);
    if (!selection_any(&selection))
        selection = nearest_slice(&line, time, reach);
    return selection_any(&selection) ? selection : track_line_gap(&line, time);
}

void move_to_line(struct app *app, uint64_t line) {
    if (app->timeline.tracks.lines == 0)
        return;
    set_line(&app->timeline, line);
    struct track_line at;
    if (session_line(app->trace, &app->timeline, &at)) {
        bool any = selection_any(&app->timeline.selection);
        struct selection selection = {0};
        if (at.slices)
            selection = nearest_slice(&at, app->timeline.cursor, 0);
        else if (any)
            selection = nearest_moment(app->trace, &app->timeline, &at, app->timeline.cursor, 0);
        if (any || selection_any(&selection))
            set_selection(app, selection);
    } else {
        app->timeline.selection = (struct selection){0};
    }
}

void move_rows(struct app *app, int64_t n) {
    if (n < 0 && (uint64_t)-n > app->timeline.line)
        move_to_line(app, 0);
    else
        move_to_line(app, app->timeline.line + (uint64_t)n);
}

void move_row_down(struct app *app) {
    move_rows(app, 1);
}

void move_row_up(struct app *app) {
    move_rows(app, -1);
}

void move_rows_down(struct app *app) {
    move_rows(app, app->layout.track_rows > 1 ? app->layout.track_rows - 1 : 1);
}

void move_rows_up(struct app *app) {
    move_rows(app, app->layout.track_rows > 1 ? -(app->layout.track_rows - 1) : -1);
}

static int half_screen(const struct app *app) {
    return app->layout.track_rows > 2 ? app->layout.track_rows / 2 : 1;
}

void move_half_down(struct app *app) {
    move_rows(app, half_screen(app));
}

void move_half_up(struct app *app) {
    move_rows(app, -half_screen(app));
}

uint64_t move_track_line(const struct track *track) {
    return track->top + (track->strip && track->height > 1);
}

/* To the next track, or the next header of a process, in direction d. */
static void track_by(struct app *app, int d, bool process) {
    const struct track *track = session_track(&app->timeline);
    if (track == NULL)
        return;
    const struct track *first = app->timeline.tracks.tracks.v,
                       *last = first + app->timeline.tracks.tracks.n - 1;
    uint64_t top = move_track_line(track);
    if (d < 0 && app->timeline.line > top && !process) {
        move_to_line(app, top);
        return;
    }
    while (d < 0 ? track > first : track < last) {
        track += d;
        if (!process || track->kind->header || track->alone) {
            move_to_line(app, move_track_line(track));
            return;
        }
    }
}

void move_track_down(struct app *app) {
    track_by(app, 1, false);
}

void move_track_up(struct app *app) {
    track_by(app, -1, false);
}

void move_process_down(struct app *app) {
    track_by(app, 1, true);
}

void move_process_up(struct app *app) {
    track_by(app, -1, true);
}

static void no_events(struct app *app) {
    session_say(app, false, "no events on this row");
}

/* Whether the selection is among the events of the line. */
static bool is_on(struct trace *trace, const struct timeline *timeline,
                  const struct track_line *line) {
    const struct selection *now = &timeline->selection;
    if (!selection_any(now) || now->of != line->track->of ||
        (now->kind != line->slices && now->kind != line->moments))
        return false;
    return line->slices == NULL || selection_row(trace, now) == line->row;
}

/* The current line, without the events that are hidden if there is time to know these. */
static bool line_left(struct app *app, struct track_line *line) {
    track_only_step(app);
    return session_line(app->trace, &app->timeline, line);
}

/* The event of the line before or after the selected one, else the cursor: slices and the moments
 * among them. */
static void along(struct app *app, int d) {
    struct track_line line;
    if (!line_left(app, &line)) {
        no_events(app);
        return;
    }
    const struct selection *now =
        is_on(app->trace, &app->timeline, &line) ? &app->timeline.selection : NULL;
    struct selection best = track_line_along(app->trace, &line, now, app->timeline.cursor, d);
    if (!selection_any(&best))
        session_say(app, false,
                    d > 0 ? "no later event on this row" : "no earlier event on this row");
    else
        move_select(app, best);
}

void move_previous(struct app *app) {
    along(app, -1);
}

void move_next(struct app *app) {
    along(app, 1);
}

static void at_end(struct app *app, bool first) {
    struct track_line line;
    size_t n = 0;
    if (!line_left(app, &line)) {
        no_events(app);
        return;
    }
    if (line.left) {
        struct selection end = track_line_along(app->trace, &line, NULL,
                                                first ? INT64_MIN : INT64_MAX, first ? 1 : -1);
        if (selection_any(&end))
            move_select(app, end);
        else
            no_events(app);
        return;
    }
    if (line.lane && line.lane->n > 0) {
        move_select(app, track_line_slice(&line, first ? 0 : line.lane->n - 1));
        return;
    }
    n = track_line_moments(app->trace, &line);
    if (n == 0 || !track_line_holds(app->trace, &line, first ? 0 : n - 1))
        no_events(app);
    else
        move_select(app, track_line_selection(app->trace, &line, first ? 0 : n - 1));
}

void move_first(struct app *app) {
    at_end(app, true);
}

void move_last(struct app *app) {
    at_end(app, false);
}

/* Selects the enclosing slice or operation. Events that have none of their own kind have the slice
 * of their thread that encloses their time. */
void move_parent(struct app *app) {
    const struct selection *now = &app->timeline.selection;
    struct selection parent;
    uint32_t row, i;
    if (now->kind && now->kind->parent && now->kind->parent(app->trace, now, &parent)) {
        move_select(app, parent);
        return;
    }
    uint32_t thread = selection_any(now) ? selection_thread(app->trace, now)
                                         : track_list_thread(session_track(&app->timeline));
    if (thread == NO_THREAD) {
        session_say(app, false, "nothing selected: h, l or Enter selects");
        return;
    }
    const struct thread *t = trace_thread(app->trace, thread);
    struct trace_point point = {t->number, {now->time, now->offset}, false};
    if (!selection_is_slice(now) &&
        (selection_any(now)
             ? trace_point_slice(app->trace, &point, &row, &i)
             : trace_slice_at(app->trace, t->number, app->timeline.cursor, &row, &i)))
        move_select(app, selection_of_slice(t, row, i));
    else
        session_say(app, false, selection_any(now) ? "no parent" : "no slice at the time cursor");
}

static bool is_child(struct trace *trace, const struct timeline *timeline, const struct thread *t,
                     uint32_t row, uint32_t i) {
    uint32_t parent_row, parent;
    return nest_parent(&t->nest, trace_slice_extra(trace), row, i, &parent_row, &parent) &&
           parent_row == timeline->selection.row && parent == timeline->selection.i;
}

/* Children are on lower rows, between the slice's start and end. Nearly always all are on the row
 * below, so only that one is searched. The longest child is selected. */
void move_child(struct app *app) {
    const struct slice *s = selection_is_slice(&app->timeline.selection)
                                ? session_slice(app->trace, &app->timeline)
                                : NULL;
    if (s == NULL) {
        session_say(app, false, "no slice selected: h, l or Enter selects");
        return;
    }
    const struct thread *t = trace_thread(app->trace, app->timeline.selection.of);
    uint32_t row = app->timeline.selection.row + 1;
    if (row < nest_rows(&t->nest)) {
        struct lane *lane = nest_row(&t->nest, row);
        uint32_t i = lane_from(lane, s->start),
                 j = slice_endless(s) ? lane->n : lane_from(lane, slice_end(s));
        while (i < j && !is_child(app->trace, &app->timeline, t, row, i))
            i++;
        while (j > i && !is_child(app->trace, &app->timeline, t, row, j - 1))
            j--;
        if (i < j) {
            move_select(app, selection_of_slice(t, row, trace_longest(app->trace, lane, i, j)));
            return;
        }
    }
    session_say(app, false, "no children");
}

/* ---- scrolling ---- */

/* Rows of the screen that scroll: all but the pinned ones and their rule. */
static int64_t scroll_rows(const struct app *app) {
    int pinned = session_pinned_rows(app);
    return app->layout.track_rows - pinned - (pinned > 0);
}

static void place_line(struct app *app, int64_t below) {
    uint64_t top = app->timeline.line > (uint64_t)below ? app->timeline.line - (uint64_t)below : 0;
    uint64_t room = (uint64_t)scroll_rows(app),
             most = app->timeline.tracks.lines > room ? app->timeline.tracks.lines - room : 0;
    app->timeline.top = top < most ? top : most;
}

void move_row_center(struct app *app) {
    place_line(app, scroll_rows(app) / 2);
}

void move_row_near(struct app *app) {
    const struct timeline *timeline = &app->timeline;
    if (timeline->line < timeline->top ||
        timeline->line + 2 >= timeline->top + (uint64_t)scroll_rows(app))
        move_row_center(app);
}

void move_row_top(struct app *app) {
    place_line(app, 0);
}

void move_row_bottom(struct app *app) {
    place_line(app, scroll_rows(app) - 1);
}
