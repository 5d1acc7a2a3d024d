/* move.c - the commands. Coordinates: ns of the reader's base; lines from the top of all tracks. */
#include "ui/move.h"

#include <string.h>

#include "model/detail.h"
#include "model/problem.h"
#include "model/ticks.h"
#include "src/text.h"

#define HISTORY 100

/* ---- places ---- */

static struct app_place here(const struct app *app) {
    return (struct app_place){app->window.from, app->window.width, app->cursor, app->line};
}

static bool same_place(const struct app_place *a, const struct app_place *b) {
    return a->from == b->from && a->width == b->width && a->line == b->line;
}

void move_remember(struct app *app) {
    struct app_place p = here(app);
    if (app->back.n > 0 && same_place(&app->back.v[app->back.n - 1], &p))
        return;
    if (app->back.n == HISTORY) {
        memmove(app->back.v, app->back.v + 1, (HISTORY - 1) * sizeof *app->back.v);
        app->back.n--;
    }
    vec_push(&app->back, p);
    app->forth.n = 0;
}

static void go(struct app *app, const struct app_place *p) {
    window_set(&app->window, p->from, p->width);
    app->cursor = p->cursor;
    app->line = p->line;
    app->window_moved = true;
}

void move_back(struct app *app) {
    struct app_place p = here(app);
    while (app->back.n > 0 && same_place(&app->back.v[app->back.n - 1], &p))
        app->back.n--;
    if (app->back.n == 0) {
        app_say(app, false, "no earlier view");
        return;
    }
    vec_push(&app->forth, p);
    go(app, &app->back.v[--app->back.n]);
}

void move_forth(struct app *app) {
    if (app->forth.n == 0) {
        app_say(app, false, "no later view");
        return;
    }
    vec_push(&app->back, here(app));
    go(app, &app->forth.v[--app->forth.n]);
}

/* ---- time ---- */

static void touch(struct app *app) {
    app->window_moved = true;
}

static void keep_cursor_inside(struct app *app) {
    int64_t last = window_edge(&app->window, app->window.columns);
    if (app->cursor < app->window.from)
        app->cursor = app->window.from;
    if (app->cursor >= last)
        app->cursor = window_edge(&app->window, app->window.columns - 1);
}

static void zoom(struct app *app, int num, int den) {
    int64_t width = app->window.width;
    touch(app);
    keep_cursor_inside(app);
    window_zoom(&app->window, app->cursor, num, den);
    if (app->window.width == width)
        app_say(app, false, num < den ? "a column is 1 ns: no closer" : "this is the whole trace");
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

/* The cursor stays on its column, so that panning shows what comes. */
static void pan(struct app *app, int64_t columns) {
    int64_t from = app->window.from;
    touch(app);
    keep_cursor_inside(app);
    window_pan(&app->window, columns);
    app->cursor += app->window.from - from;
    if (app->window.from == from)
        app_say(app, false, columns < 0 ? "this is the start of the trace" : "this is the end of the trace");
}

static int64_t quarter(const struct app *app) {
    return app->window.columns / 4 > 0 ? app->window.columns / 4 : 1;
}

void move_pan_left(struct app *app) {
    pan(app, -quarter(app));
}

void move_pan_right(struct app *app) {
    pan(app, quarter(app));
}

void move_page_left(struct app *app) {
    pan(app, -app->window.columns);
}

void move_page_right(struct app *app) {
    pan(app, app->window.columns);
}

static int64_t clamp_time(const struct app *app, int64_t t) {
    int64_t lo = trace_origin(app->trace), hi = trace_end(app->trace);
    return t < lo ? lo : t > hi ? hi : t;
}

void move_to_time(struct app *app, int64_t t, bool center) {
    app->cursor = clamp_time(app, t);
    touch(app);
    if (center)
        window_center(&app->window, app->cursor);
    else
        window_reveal(&app->window, app->cursor);
}

static void cursor_by(struct app *app, int columns) {
    int column = window_column(&app->window, app->cursor) + columns;
    touch(app);
    if (column < 0 || column >= app->window.columns) {
        int64_t step = window_per_column(&app->window);
        int64_t room = columns < 0 ? app->cursor - trace_origin(app->trace) : trace_end(app->trace) - app->cursor;
        step = step < room ? step : room;
        move_to_time(app, columns < 0 ? app->cursor - step : app->cursor + step, false);
        return;
    }
    app->cursor = clamp_time(app, window_edge(&app->window, column));
}

void move_cursor_left(struct app *app) {
    cursor_by(app, -1);
}

void move_cursor_right(struct app *app) {
    cursor_by(app, 1);
}

void move_whole(struct app *app) {
    window_whole(&app->window, trace_origin(app->trace), trace_end(app->trace), app->window.columns);
    app->window_moved = trace_state(app->trace) == TRACE_COMPLETE;
}

void move_start(struct app *app) {
    move_to_time(app, trace_origin(app->trace), false);
}

void move_end(struct app *app) {
    move_to_time(app, trace_end(app->trace), false);
}

void move_fit(struct app *app) {
    const struct slice *s = app_slice(app);
    bool again = app->fitted;
    touch(app);
    if (again && s && s->dur > 0) {
        window_fit(&app->window, s->start, slice_open(s) ? trace_end(app->trace) : slice_end(s));
        app->cursor = s->start;
        return;
    }
    if (s && s->dur > 0) {
        int64_t end = slice_open(s) ? trace_end(app->trace) : slice_end(s);
        window_center(&app->window, s->start + (end - s->start) / 2);
    } else {
        window_center(&app->window, app->cursor);
    }
    app->fitted = true;
}

/* ---- rows and selection ---- */

static void select_none(struct app *app) {
    app->pick = (struct pick){0};
}

static void set_pick(struct app *app, struct pick pick) {
    if (app->pick.kind == PICK_NONE && pick.kind != PICK_NONE && !app->drawer) {
        app->drawer = true;
        app_layout(app);
    }
    if (app->pick.offset != pick.offset)
        app->drawer_scroll = 0;
    app->pick = pick;
}

/* Unfolds and deepens what hides it, and makes its line the current one. */
static void show_row(struct app *app, enum track_kind kind, uint32_t of, uint32_t row) {
    uint32_t process = kind == TRACK_THREAD    ? trace_thread(app->trace, of)->process
                       : kind == TRACK_ASYNC   ? trace_async(app->trace)->groups.v[of]->process
                       : kind == TRACK_COUNTER ? trace_counters(app->trace)->v.v[of]->process
                                               : ROWS_CPUS;
    if (rows_folded(&app->rows, process))
        rows_fold(&app->rows, process, false);
    if (app->rows.version != trace_version(app->trace))
        rows_update(&app->rows, app->trace);
    uint64_t line;
    if (!rows_find(&app->rows, kind, of, row, &line))
        return;
    const struct track *track = rows_at(&app->rows, line);
    bool below_strip = app->pick.kind != PICK_STATE && track->strip;
    if (kind != TRACK_COUNTER && row + below_strip >= track->height) {
        rows_set_depth(&app->rows, kind, of, row + 1);
        rows_update(&app->rows, app->trace);
    }
    if (rows_find(&app->rows, kind, of, kind == TRACK_COUNTER ? 0 : row + below_strip, &line))
        app->line = line;
}

void move_pick(struct app *app, struct pick pick) {
    enum track_kind kind;
    uint32_t row;
    touch(app);
    set_pick(app, pick);
    if (pick.kind == PICK_NONE)
        return;
    pick_place(app->trace, &pick, &kind, &row);
    show_row(app, kind, pick.of, row);
    const struct slice *s = app_slice(app);
    int64_t end = s ? slice_end(s) : pick.time;
    if (s && app->cursor >= s->start && app->cursor < end && app->cursor >= app->window.from &&
        app->cursor < window_edge(&app->window, app->window.columns))
        return; /* the cursor is in it already, and on the screen */
    app->cursor = pick.time;
    window_reveal(&app->window, pick.time);
}

/* The slice of a line at t, or the nearest one within reach of it. */
static struct pick nearest_slice(const struct line *line, int64_t time, int64_t reach) {
    const struct lane *lane = line->lane;
    struct pick pick = {0};
    if (lane == NULL)
        return pick;
    uint32_t before = lane_before(lane, time), after = before == UINT32_MAX ? 0 : before + 1;
    int64_t best = INT64_MAX;
    if (before != UINT32_MAX) {
        const struct slice *s = &lane->v[before];
        int64_t away = slice_end(s) > time || s->start == time ? -1 : time - slice_end(s);
        if (away < reach) {
            best = away + 1;
            pick = line_slice(line, before);
        }
    }
    if (after < lane->n && lane->v[after].start - time < best && lane->v[after].start - time < reach)
        pick = line_slice(line, after);
    return pick;
}

#define TRIES 4096 /* moments of other lines passed over */

/* The first moment of the line in the column of `time`, or the sample whose value holds there. */
static struct pick nearest_moment(struct app *app, const struct line *line, int64_t time, int64_t reach) {
    size_t n = line_moments(app->trace, line), tries = 0;
    int64_t from = window_edge(&app->window, window_column(&app->window, time));
    for (size_t i = line_from(app->trace, line, from, 0); i < n && tries < TRIES; i++, tries++) {
        if (line_moment(app->trace, line, i).time - from >= reach)
            break;
        if (line_holds(app->trace, line, i))
            return line_pick(app->trace, line, i);
    }
    size_t after = line->moments == PICK_SAMPLE ? line_from(app->trace, line, time, UINT64_MAX) : 0;
    return after > 0 ? line_pick(app->trace, line, after - 1) : (struct pick){0};
}

struct pick move_pick_at(struct app *app, uint64_t at, int64_t time, int64_t reach) {
    struct line line;
    if (!line_at(app->trace, &app->rows, at, &line))
        return (struct pick){0};
    struct pick pick = nearest_moment(app, &line, time, reach);
    return pick.kind != PICK_NONE ? pick : nearest_slice(&line, time, reach);
}

void move_to_line(struct app *app, uint64_t line) {
    if (app->rows.lines == 0)
        return;
    app->line = line < app->rows.lines ? line : app->rows.lines - 1;
    struct line at;
    if (app_line(app, &at)) {
        struct pick pick = at.slices != PICK_NONE        ? nearest_slice(&at, app->cursor, 0)
                           : app->pick.kind == PICK_NONE ? (struct pick){0}
                                                         : nearest_moment(app, &at, app->cursor, 0);
        if (pick.kind != PICK_NONE || app->pick.kind != PICK_NONE)
            set_pick(app, pick);
    } else {
        select_none(app);
    }
}

static void lines_by(struct app *app, int64_t n) {
    if (n < 0 && (uint64_t)-n > app->line)
        move_to_line(app, 0);
    else
        move_to_line(app, app->line + (uint64_t)n);
}

void move_row_down(struct app *app) {
    lines_by(app, 1);
}

void move_row_up(struct app *app) {
    lines_by(app, -1);
}

void move_rows_down(struct app *app) {
    lines_by(app, app->layout.track_rows > 1 ? app->layout.track_rows - 1 : 1);
}

void move_rows_up(struct app *app) {
    lines_by(app, app->layout.track_rows > 1 ? -(app->layout.track_rows - 1) : -1);
}

/* To the first line of the next track that `wanted` takes, in direction d. */
static void track_by(struct app *app, int d, bool process) {
    const struct track *track = app_track(app);
    if (track == NULL)
        return;
    const struct track *first = app->rows.tracks.v, *last = first + app->rows.tracks.n - 1;
    uint64_t top = track->top + (track->strip && track->height > 1);
    if (d < 0 && app->line > top && !process) {
        move_to_line(app, top);
        return;
    }
    while (d < 0 ? track > first : track < last) {
        track += d;
        if (!process || track->kind == TRACK_PROCESS || track->kind == TRACK_CPUS) {
            move_to_line(app, track->top + (track->strip && track->height > 1));
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
    app_say(app, false, "no events on this row");
}

/* The event of the line before or after the selected one, else the cursor: slices and the moments that stand there. */
static void along(struct app *app, int d) {
    struct line line;
    if (!app_line(app, &line)) {
        no_events(app);
        return;
    }
    enum track_kind kind;
    uint32_t row = 0;
    const struct pick *now = &app->pick;
    bool on_line =
        now->kind != PICK_NONE && now->of == line.track->of && (now->kind == line.slices || now->kind == line.moments);
    if (on_line) {
        pick_place(app->trace, now, &kind, &row);
        on_line = line.slices == PICK_NONE || row == line.row;
    }
    int64_t from = on_line ? now->time : app->cursor;
    struct pick best = {0};
    if (line.lane) {
        uint32_t i;
        if (on_line && now->kind == line.slices)
            i = d > 0 ? now->i + 1 : now->i - 1; /* wraps to none below */
        else if (d > 0)
            i = on_line ? lane_before(line.lane, from) + 1 : lane_from(line.lane, from); /* none before: 0 */
        else
            i = lane_from(line.lane, from) - 1;
        if (i < line.lane->n)
            best = line_slice(&line, i);
    }
    size_t n = line_moments(app->trace, &line);
    bool at_moment = on_line && now->kind == line.moments;
    size_t k = at_moment ? now->i + (d > 0) : line_from(app->trace, &line, from, d > 0 && on_line ? now->offset : 0);
    for (size_t tries = 0; tries < TRIES; tries++) {
        if (d > 0 ? k >= n : k == 0)
            break;
        size_t at = d > 0 ? k++ : --k;
        int64_t time = line_moment(app->trace, &line, at).time;
        if (best.kind != PICK_NONE && (d > 0 ? time > best.time : time < best.time))
            break;
        if (!line_holds(app->trace, &line, at))
            continue;
        best = line_pick(app->trace, &line, at);
        break;
    }
    if (best.kind == PICK_NONE)
        app_say(app, false, d > 0 ? "no later event on this row" : "no earlier event on this row");
    else
        move_pick(app, best);
}

void move_previous(struct app *app) {
    along(app, -1);
}

void move_next(struct app *app) {
    along(app, 1);
}

static void at_end(struct app *app, bool first) {
    struct line line;
    size_t n = 0;
    if (!app_line(app, &line)) {
        no_events(app);
        return;
    }
    if (line.lane && line.lane->n > 0) {
        move_pick(app, line_slice(&line, first ? 0 : line.lane->n - 1));
        return;
    }
    n = line_moments(app->trace, &line);
    if (n == 0 || !line_holds(app->trace, &line, first ? 0 : n - 1))
        no_events(app);
    else
        move_pick(app, line_pick(app->trace, &line, first ? 0 : n - 1));
}

void move_first(struct app *app) {
    at_end(app, true);
}

void move_last(struct app *app) {
    at_end(app, false);
}

/* Up into what is around it on its thread; of what is not a slice, the slice that it happened in. */
void move_parent(struct app *app) {
    uint32_t row, i;
    const struct nest_aside *aside = trace_aside(app->trace);
    const struct track *track = app_track(app);
    uint32_t thread = app->pick.kind != PICK_NONE            ? pick_thread(app->trace, &app->pick)
                      : track && track->kind == TRACK_THREAD ? track->of
                                                             : NO_THREAD;
    if (thread == NO_THREAD) {
        app_say(app, false, "nothing is selected: h, l or Enter select");
        return;
    }
    const struct thread *t = trace_thread(app->trace, thread);
    bool found = app->pick.kind == PICK_SLICE
                     ? nest_parent(&t->nest, aside, app->pick.row, app->pick.i, &row, &i)
                     : nest_at(&t->nest, aside, app->pick.kind == PICK_NONE ? app->cursor : app->pick.time, &row, &i);
    if (found)
        move_pick(app, pick_of_slice(t, row, i));
    else
        app_say(app, false, "it has no parent");
}

/* Children stand on lower rows between the slice's start and end; those of the row below are nearly always all. */
void move_child(struct app *app) {
    const struct slice *s = app->pick.kind == PICK_SLICE ? app_slice(app) : NULL;
    if (s == NULL) {
        app_say(app, false, "no slice is selected: h, l or Enter select");
        return;
    }
    const struct thread *t = trace_thread(app->trace, app->pick.of);
    uint32_t row = app->pick.row + 1;
    if (row < t->nest.nlanes) {
        struct lane *lane = &t->nest.lanes[row];
        uint32_t i = lane_from(lane, s->start), j = slice_open(s) ? lane->n : lane_from(lane, slice_end(s));
        while (i < j && slice_parent(&lane->v[i]) != app->pick.i)
            i++;
        while (j > i && slice_parent(&lane->v[j - 1]) != app->pick.i)
            j--;
        if (i < j) {
            move_pick(app, pick_of_slice(t, row, lane_longest(lane, i, j)));
            return;
        }
    }
    app_say(app, false, "it has no children");
}

/* ---- scrolling, folding ---- */

/* Rows of the screen that scroll: all but the pinned ones and their rule. */
static int64_t scroll_rows(const struct app *app) {
    int pinned = app_pinned_rows(app);
    return app->layout.track_rows - pinned - (pinned > 0);
}

static void place_line(struct app *app, int64_t below) {
    uint64_t top = app->line > (uint64_t)below ? app->line - (uint64_t)below : 0;
    uint64_t room = (uint64_t)scroll_rows(app), most = app->rows.lines > room ? app->rows.lines - room : 0;
    app->top = top < most ? top : most;
}

void move_row_center(struct app *app) {
    place_line(app, scroll_rows(app) / 2);
}

void move_row_top(struct app *app) {
    place_line(app, 0);
}

void move_row_bottom(struct app *app) {
    place_line(app, scroll_rows(app) - 1);
}

static bool has_depth(const struct track *track) {
    return track && (track->kind == TRACK_THREAD || track->kind == TRACK_ASYNC || track->kind == TRACK_COUNTER);
}

static bool is_header(const struct track *track) {
    return track && (track->kind == TRACK_PROCESS || track->kind == TRACK_CPUS);
}

static void set_depth(struct app *app, const struct track *track, uint32_t depth) {
    struct track before = *track;
    uint32_t row = (uint32_t)(app->line - before.top);
    uint64_t line;
    rows_set_depth(&app->rows, (enum track_kind)before.kind, before.of, depth);
    rows_update(&app->rows, app->trace);
    if (rows_again(&app->rows, &before, row, &line))
        app->line = line;
}

static void fold(struct app *app, const struct track *track, bool folded) {
    uint32_t process = track->process;
    uint64_t line;
    rows_fold(&app->rows, process, folded);
    rows_update(&app->rows, app->trace);
    if (rows_find_header(&app->rows, process, &line))
        app->line = line;
}

/* Rows of slices, or lines of a curve. */
static uint32_t depth_of(const struct track *track) {
    return track->height - track->strip;
}

void move_expand(struct app *app) {
    const struct track *track = app_track(app);
    if (has_depth(track) && track->deeper > 0)
        set_depth(app, track, depth_of(track) + (track->deeper < 4 ? track->deeper : 4));
    else if (track && track->kind == TRACK_COUNTER && track->height < 12)
        set_depth(app, track, track->height + 1);
    else if (is_header(track) && rows_folded(&app->rows, track->process))
        fold(app, track, false);
    else
        app_say(app, false, "nothing more to show here");
}

void move_collapse(struct app *app) {
    const struct track *track = app_track(app);
    if (track && track->kind == TRACK_COUNTER && track->height > 1)
        set_depth(app, track, track->height - 1);
    else if (has_depth(track) && depth_of(track) > 1)
        set_depth(app, track, depth_of(track) > 4 ? depth_of(track) - 4 : depth_of(track) - 1);
    else if (is_header(track) && !rows_folded(&app->rows, track->process))
        fold(app, track, true);
    else
        app_say(app, false, "it is one row");
}

/* Keeps the current line on its track after rows were made anew. */
void move_rows_anew(struct app *app) {
    const struct track *track = app_track(app);
    struct track before = track ? *track : (struct track){.kind = TRACK_PROCESS, .process = NO_PROCESS};
    uint32_t row = track ? (uint32_t)(app->line - track->top) : 0;
    uint64_t line;
    rows_update(&app->rows, app->trace);
    if (rows_again(&app->rows, &before, row, &line))
        app->line = line;
    else if (app->line >= app->rows.lines)
        app->line = app->rows.lines > 0 ? app->rows.lines - 1 : 0;
}

/* All tracks to one depth; all rows, or one. */
static void depth_of_all(struct app *app, uint32_t depth) {
    for (size_t i = 0; i < trace_thread_count(app->trace); i++)
        rows_set_depth(&app->rows, TRACK_THREAD, (uint32_t)i, depth);
    for (size_t i = 0; i < trace_async(app->trace)->groups.n; i++)
        rows_set_depth(&app->rows, TRACK_ASYNC, (uint32_t)i, depth);
    move_rows_anew(app);
}

void move_expand_all(struct app *app) {
    depth_of_all(app, UINT32_MAX);
}

void move_collapse_all(struct app *app) {
    depth_of_all(app, 1);
}

void move_enter(struct app *app) {
    const struct track *track = app_track(app);
    if (track == NULL)
        return;
    if (is_header(track)) {
        fold(app, track, !rows_folded(&app->rows, track->process));
        return;
    }
    int64_t reach = window_per_column(&app->window);
    struct pick pick = move_pick_at(app, app->line, app->cursor, reach < INT64_MAX ? reach + 1 : reach);
    if (pick.kind != PICK_NONE && pick.offset != app->pick.offset) {
        move_pick(app, pick);
    } else if (app->pick.kind == PICK_NONE) {
        app_say(app, false, "nothing at the cursor on this row: h and l find the events beside it");
    } else {
        app->drawer = true;
        app->drawer_focus = true;
        app_layout(app);
    }
}

/* ---- order, pins, filter ---- */

void move_order(struct app *app) {
    static const char *const said[] = {"tracks in the file's order", "tracks by their first event", "tracks by name",
                                       "busiest tracks first"};
    app->rows.order = (enum rows_order)((app->rows.order + 1) % ROWS_ORDERS);
    move_rows_anew(app);
    app_say(app, false, "%s", said[app->rows.order]);
}

static bool can_pin(const struct track *track) {
    return track && !is_header(track) && track->kind != TRACK_EMPTY;
}

void move_pin(struct app *app) {
    const struct track *track = app_track(app);
    if (!can_pin(track)) {
        app_say(app, false, "only tracks can be pinned, not headers");
        return;
    }
    char buf[96], name[60];
    text_plain(name, sizeof name, rows_name(app->trace, track, buf), app->grid.ascii ? TEXT_ASCII : 0);
    bool pinned = rows_pin(&app->rows, (enum track_kind)track->kind, track->of);
    move_rows_anew(app);
    app_say(app, false, pinned ? "%s is pinned to the top" : "%s is where it was", name);
}

static bool track_matches(struct app *app, const struct track *track, struct pattern *pattern) {
    char buf[96];
    return pattern_matches(pattern, rows_name(app->trace, track, buf));
}

static struct pattern *pattern_of(struct app *app, const char *text) {
    struct err err;
    struct pattern *pattern = *text ? pattern_new(text, false, &err) : NULL;
    if (*text && pattern == NULL)
        app_say(app, true, "%s", err.text);
    return pattern;
}

/* All tracks whose names match; an empty pattern lets all pins go. */
void move_pin_pattern(struct app *app, const char *text) {
    VEC(struct rows_pin) found = {0};
    struct pattern *pattern = pattern_of(app, text);
    if (*text && pattern == NULL)
        return;
    for (size_t i = 0; pattern && i < app->rows.tracks.n; i++) {
        const struct track *track = &app->rows.tracks.v[i];
        if (can_pin(track) && !track->pinned && track_matches(app, track, pattern))
            vec_push(&found, ((struct rows_pin){track->kind, track->of}));
    }
    if (pattern == NULL)
        app->rows.pins.n = 0;
    for (size_t i = 0; i < found.n; i++)
        rows_pin(&app->rows, (enum track_kind)found.v[i].kind, found.v[i].of);
    move_rows_anew(app);
    if (pattern)
        app_say(app, found.n == 0, found.n == 1 ? "%zu track pinned" : "%zu tracks pinned", found.n);
    else
        app_say(app, false, "nothing is pinned");
    vec_free(&found);
    pattern_free(pattern);
}

static bool to_track(struct app *app, struct pattern *pattern) {
    size_t n = app->rows.tracks.n;
    const struct track *now = app_track(app);
    size_t from = now ? (size_t)(now - app->rows.tracks.v) : 0;
    for (size_t i = 1; i <= n; i++) {
        const struct track *track = &app->rows.tracks.v[(from + i) % n];
        if (track_matches(app, track, pattern)) {
            move_to_line(app, track->top + (track->strip && track->height > 1));
            return true;
        }
    }
    for (size_t i = 0; i < trace_thread_count(app->trace); i++) {
        const struct thread *t = trace_thread(app->trace, i);
        const struct track track = {.kind = TRACK_THREAD, .of = (uint32_t)i};
        if (rows_folded(&app->rows, t->process) && track_matches(app, &track, pattern)) {
            show_row(app, TRACK_THREAD, (uint32_t)i, 0);
            return true;
        }
    }
    return false;
}

/* The next track below whose name matches, round again from the top; folded processes are looked into. */
void move_find_track(struct app *app, const char *text) {
    struct pattern *pattern = pattern_of(app, text);
    if (pattern && !to_track(app, pattern))
        app_say(app, true, "no track is called so");
    pattern_free(pattern);
}

static bool filter_matches(void *ctx, struct str name) {
    return pattern_matches(ctx, name);
}

void move_filter(struct app *app, const char *text) {
    struct pattern *pattern = pattern_of(app, text);
    if (*text && pattern == NULL)
        return;
    pattern_free(app->filter);
    app->filter = pattern;
    app->rows.match = pattern ? filter_matches : NULL;
    app->rows.match_ctx = pattern;
    move_rows_anew(app);
    app_say(app, false, pattern ? "only tracks whose names match are shown" : "all tracks are shown");
}

/* ---- search ---- */

static struct pick hit_pick(struct app *app, const struct hit *hit) {
    size_t n;
    if (hit->thread >= SEARCH_ASYNC) {
        struct pick pick = {PICK_ASYNC, hit->thread - SEARCH_ASYNC, hit->row, hit->i, hit->time, 0};
        pick.offset = slice_offset(pick_slice(app->trace, &pick));
        return pick;
    }
    struct thread *t = trace_thread(app->trace, hit->thread);
    if (hit->row != SEARCH_INSTANT)
        return pick_of_slice(t, hit->row, hit->i);
    const struct instant *in = &trace_instants(t, &n)[hit->i];
    return (struct pick){PICK_INSTANT, t->number, 0, hit->i, in->time, in->a % SLICE_WORDS * 8};
}

/* What is selected as a hit; false where it is none of those that are searched. */
bool move_hit(const struct app *app, struct hit *hit) {
    const struct pick *p = &app->pick;
    if (p->kind != PICK_SLICE && p->kind != PICK_INSTANT && p->kind != PICK_ASYNC)
        return false;
    *hit = (struct hit){p->kind == PICK_ASYNC ? SEARCH_ASYNC + p->of : p->of,
                        p->kind == PICK_INSTANT ? SEARCH_INSTANT : p->row, p->i, p->time};
    return true;
}

static struct hit search_from(const struct app *app, bool forward) {
    struct hit hit;
    if (move_hit(app, &hit))
        return hit;
    return (struct hit){forward ? UINT32_MAX : 0, 0, 0, app->pick.kind == PICK_NONE ? app->cursor : app->pick.time};
}

static void search_go(struct app *app, bool forward) {
    struct hit hit;
    bool wrapped = false;
    if (app->search == NULL) {
        app_say(app, true, "no search yet: / takes a name or /a regular expression/");
        return;
    }
    if (!search_next(app->search, search_from(app, forward), forward, &hit, &wrapped)) {
        char safe[80];
        text_plain(safe, sizeof safe, str_of(search_pattern(app->search)), app->grid.ascii ? TEXT_ASCII : 0);
        app_say(app, true, "no event is named %s%s", safe,
                trace_state(app->trace) == TRACE_LOADING ? " in what was read so far" : "");
        return;
    }
    move_pick(app, hit_pick(app, &hit));
    if (wrapped)
        app_say(app, false, forward ? "search went on from the start" : "search went on from the end");
}

static void search_set(struct app *app, const char *pattern, bool exact) {
    struct err err;
    struct search *s = search_new(app->trace, pattern, exact, &err);
    if (s == NULL) {
        app_say(app, true, "%s", err.text);
        return;
    }
    search_free(app->search);
    app->search = s;
    app->hits = 0;
    app->hits_known = false;
    app_layout(app);
}

void move_search(struct app *app, const char *pattern) {
    if (*pattern == 0 && app->search == NULL)
        return;
    if (*pattern != 0)
        search_set(app, pattern, false);
    if (app->search)
        search_go(app, true);
}

void move_search_next(struct app *app) {
    search_go(app, true);
}

void move_search_previous(struct app *app) {
    search_go(app, false);
}

static void same_name(struct app *app, bool forward) {
    struct detail d;
    if (app->pick.kind == PICK_NONE || !detail_open(&d, app->trace, app->pick.offset)) {
        app_say(app, false, "nothing is selected: h, l or Enter select");
        return;
    }
    if (d.name.n == 0 || memchr(d.name.s, 0, d.name.n) != NULL) {
        app_say(app, false, "its name cannot be searched for");
        return;
    }
    char *name = err_malloc(d.name.n + 1);
    memcpy(name, d.name.s, d.name.n);
    name[d.name.n] = 0;
    search_set(app, name, true);
    free(name);
    search_go(app, forward);
}

void move_same_next(struct app *app) {
    same_name(app, true);
}

void move_same_previous(struct app *app) {
    same_name(app, false);
}

/* ---- problems, goto ---- */

/* The next case after where ! was last, kind by kind. */
void move_problem(struct app *app) {
    const struct problems *all = trace_problems(app->trace);
    char buf[96], when[48];
    bool again = false;
    for (unsigned tries = 0; tries <= PROBLEM_KINDS; tries++) {
        const struct problem *p = &all->kinds[app->problem_kind];
        if (app->problem_at < p->cases.n) {
            const struct problem_case *c = &p->cases.v[app->problem_at++];
            if (trace_has_events(app->trace))
                move_to_time(app, c->time, false);
            if (c->thread != NO_THREAD) {
                show_row(app, TRACK_THREAD, c->thread, 0);
                move_to_line(app, app->line);
            }
            struct problem one = {.count = 1, .first_offset = c->offset, .detail = p->detail};
            app_say(app, false, "%s%s %zu of %llu, at %s, byte %llu: %s", again ? "from the first again: " : "",
                    problem_name((enum problem_kind)app->problem_kind), (size_t)app->problem_at,
                    (unsigned long long)p->count,
                    trace_has_events(app->trace) ? app_point(app, c->time, 1000, when) : "no time",
                    (unsigned long long)c->offset, problem_message((enum problem_kind)app->problem_kind, &one, buf));
            return;
        }
        app->problem_kind = (app->problem_kind + 1) % PROBLEM_KINDS;
        app->problem_at = 0;
        again = again || app->problem_kind == 0;
    }
    app_say(app, false, "no problems were found");
}

void move_goto(struct app *app, const char *text) {
    int64_t t;
    if (*text == 0)
        return;
    if (!app_time(app, text, &t)) {
        char safe[60];
        text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
        app_say(app, true, "'%s' is no time: 1.5s, 250ms, +20us (from the cursor), 50%%", safe);
        return;
    }
    move_remember(app);
    move_to_time(app, t, true);
}
