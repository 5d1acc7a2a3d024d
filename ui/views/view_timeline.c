/* view_timeline.c - 1 Timeline, and the views that are the timeline with some kinds of tracks: 7
 * Counters, 8 CPUs.
 *
 * Their state is app->timeline, which all of ui/timeline works on. Opening one of them chooses the
 * kinds of tracks. */
#include "ui/views/view_timeline.h"

#include "model/output/ndjson.h"
#include "ui/drawer/compare/slowest.h"
#include "ui/drawer/drawer.h"
#include "ui/status.h"
#include "ui/timeline/draw_flows.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/draw_ruler.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view.h"
#include "ui/views/view_problems.h"

/* ---- which tracks ---- */

/* To the first track of the kind that the view is for, of the current process if it has one. */
static void go_to_kind(struct timeline *timeline, const struct track_ops *kind, uint32_t process) {
    const struct track *first = NULL;
    for (size_t i = 0; i < timeline->tracks.tracks.n; i++) {
        const struct track *track = &timeline->tracks.tracks.v[i];
        if (track->kind == kind && (first == NULL || first->process != process) &&
            (first == NULL || track->process == process))
            first = track;
    }
    if (first)
        timeline->line = first->top;
}

/* The current track stays where it is shown, too, and is no header. */
static void show_set(struct app *app, enum track_list_set set, const struct track_ops *kind) {
    struct timeline *timeline = &app->timeline;
    uint32_t row;
    struct track before = tracks_current(timeline, &row);
    timeline->tracks.set = set;
    session_fit_tracks(app);
    if ((!tracks_update_at(app->trace, timeline, &before, row) || before.kind->header) && kind)
        go_to_kind(timeline, kind, before.process);
}

/* The CPUs are asked for: they are on the screen unless a selected event is too far below them. */
static void begin_at_cpus(struct app *app) {
    struct timeline *timeline = &app->timeline;
    uint64_t line, rows = (uint64_t)app->layout.track_rows;
    if (!track_list_find_header(&timeline->tracks, LIST_CPUS, &line))
        return;
    timeline->top = timeline->tracks.pinned;
    if (!selection_any(&timeline->selection) && timeline->line >= timeline->top + rows) {
        timeline->line = line;
        go_to_kind(timeline, &track_cpu, LIST_CPUS);
    }
}

static bool open_all(struct view *view) {
    if (view->app->timeline.tracks.set != LIST_ALL)
        show_set(view->app, LIST_ALL, NULL);
    return true;
}

/* Without a selection the drawer lists all counters at the cursor, so it opens too. */
static bool open_counters(struct view *view) {
    struct app *app = view->app;
    if (app->timeline.tracks.set != LIST_COUNTERS && app->grid.rows >= 24 && !app->drawer.open) {
        app->drawer.open = true;
        session_layout(app);
    }
    show_set(app, LIST_COUNTERS, &track_counter);
    return true;
}

static bool open_cpus(struct view *view) {
    show_set(view->app, LIST_SCHED, &track_cpu);
    begin_at_cpus(view->app);
    return true;
}

/* Closes the drawer, then goes to the timeline of all tracks. */
static bool up(struct view *view) {
    struct app *app = view->app;
    if (app->drawer.open) {
        app->drawer.open = app->drawer.focus = false;
        session_layout(app);
        return true;
    }
    if (view->ops == &view_timeline)
        return false;
    view_open_timeline(app);
    return true;
}

/* ---- links of the drawer ---- */

static void go_to_thread(struct app *app, uint32_t thread) {
    uint64_t line;
    if (app->timeline.tracks.set != LIST_ALL)
        view_open(app, &view_timeline);
    move_show_row(app->trace, &app->timeline, &track_thread, thread, 0);
    if (track_list_find(&app->timeline.tracks, &track_thread, thread, 0, &line))
        move_to_line(app, move_track_line(track_list_at(&app->timeline.tracks, line)));
    else
        session_say(app, false, "this thread has nothing to show");
}

static void go_to_process(struct app *app, uint32_t process) {
    uint64_t line;
    if (app->timeline.tracks.set != LIST_ALL)
        view_open(app, &view_timeline);
    if (track_list_find_header(&app->timeline.tracks, process, &line))
        move_to_line(app, line);
    else
        session_say(app, false, "this process has nothing to show");
}

static void go_to_object(struct app *app, uint32_t row) {
    view_open(app, &view_objects);
    table_show(view_objects.table(app->views.current), row);
}

void view_timeline_link(struct app *app) {
    struct drawer_link link;
    if (!drawer_current_link(app, &link)) {
        session_say(app, false,
                    "no link here: arguments that name a thread, process or object are links");
        return;
    }
    if (link.kind == DRAWER_LINK_POINT) {
        flow_nav_show(app, link.of);
        return;
    }
    if (link.kind == DRAWER_LINK_SLOWEST || link.kind == DRAWER_LINK_NEXT ||
        link.kind == DRAWER_LINK_BUCKET) {
        if (link.kind == DRAWER_LINK_BUCKET)
            slowest_bucket(app, link.least, link.most);
        else
            (link.kind == DRAWER_LINK_NEXT ? slowest_next : slowest_go)(app);
        return;
    }
    if (link.kind == DRAWER_LINK_SLICE) {
        move_select(app, selection_of_slice(trace_thread(app->trace, link.of), link.row, link.i));
        return;
    }
    app->drawer.focus = false;
    if (app->layout.drawer_alone)
        app->drawer.open = false;
    session_layout(app);
    if (link.kind == DRAWER_LINK_THREAD)
        go_to_thread(app, link.of);
    else if (link.kind == DRAWER_LINK_PROCESS)
        go_to_process(app, link.of);
    else
        go_to_object(app, link.of + (link.kind == DRAWER_LINK_USER_OBJECT
                                         ? (uint32_t)object_count(trace_kernel_objects(app->trace))
                                         : 0));
}

/* ---- times ---- */

void view_timeline_time_format(struct app *app) {
    static const char *const said[] = {"times since the first event", "wall clock times",
                                       "times of the trace clock"};
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    bool init = reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall);
    app->timeline.time_format = (enum time_format)((app->timeline.time_format + 1) % TIME_FORMATS);
    if (app->timeline.time_format == TIME_WALL && !(init && wall)) {
        app->timeline.time_format = TIME_CLOCK;
        session_say(app, false, "%s (the trace has no wall clock)", said[TIME_CLOCK]);
        return;
    }
    session_say(app, false, "%s", said[app->timeline.time_format]);
}

/* ---- the pointer ---- */

static bool in_tracks(const struct app *app, int y) {
    return y >= app->layout.tracks && y < app->layout.tracks + app->layout.track_rows &&
           session_line_at(app, y) < app->timeline.tracks.lines;
}

/* A click on a name: folds a header, goes to another track. */
static void click_name(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track->kind->header)
        tracks_enter(app);
    else
        move_to_line(app, app->timeline.line);
}

static void click(struct app *app, const struct key *key) {
    int column = key->x - app->layout.lane, last = app->timeline.window.columns - 1;
    column = column < last ? column : last; /* a terminal may report any position */
    if (key->y == app->layout.overview && column >= 0) {
        struct window whole = draw_overview_window(app);
        find_moment(app, window_edge(&whole, column));
        return;
    }
    if (!in_tracks(app, key->y))
        return;
    app->timeline.line = session_line_at(app, key->y);
    if (column < 0) {
        click_name(app);
        return;
    }
    app->timeline.cursor = window_edge(&app->timeline.window, column);
    app->timeline.window_mode = WINDOW_PLACED;
    int64_t reach = window_per_column(&app->timeline.window);
    struct selection selection =
        move_event_at(app->trace, &app->timeline, app->timeline.line, app->timeline.cursor,
                      reach < INT64_MAX ? reach + 1 : reach);
    if (!selection_any(&selection))
        app->timeline.selection = selection;
    else
        move_select(app, selection);
}

/* Zooms at the pointer, or moves the current line if the pointer is left of the lanes. */
static void wheel(struct app *app, const struct key *key, int num, int den) {
    int column = key->x - app->layout.lane;
    if (column < 0 || column >= app->timeline.window.columns) {
        uint64_t line = app->timeline.line, before = line > 2 ? line - 3 : 0;
        move_to_line(app, num < den ? before : line + 3);
        return;
    }
    app->timeline.window_mode = WINDOW_PLACED;
    window_zoom(&app->timeline.window, window_edge(&app->timeline.window, column), num, den);
}

static int column_at(const struct app *app, int x) {
    int column = x - app->layout.lane, last = app->timeline.window.columns - 1;
    if (column < 0)
        return 0;
    return column < last ? column : last;
}

/* The range takes in the columns where the drag began and where it is. */
static void drag_range(struct app *app, int x) {
    struct mouse_state *mouse = &app->mouse;
    const struct window *w = &app->timeline.window;
    int column = column_at(app, x), from = column_at(app, mouse->drag_from_x);
    mouse->drag = DRAG_RANGE;
    mouse->drag_x = x;
    ranges_set(app, window_edge(w, column < from ? column : from),
               window_edge(w, (column < from ? from : column) + 1));
}

static void drag(struct app *app, int x) {
    struct mouse_state *mouse = &app->mouse;
    if (mouse->drag == DRAG_NONE || x == mouse->drag_x)
        return;
    if (!mouse->explained)
        session_say(app, false, "dragging %s; Shift+drag selects text",
                    mouse->on_lanes ? "makes a range" : "pans");
    mouse->explained = true;
    if (mouse->on_lanes) {
        drag_range(app, x);
        return;
    }
    mouse->drag = DRAG_PANS;
    app->timeline.window_mode = WINDOW_PLACED;
    window_pan(&app->timeline.window, mouse->drag_x - x);
    mouse->drag_x = x;
}

static void pointer(struct view *view, const struct key *key) {
    struct app *app = view->app;
    switch (key->what) {
    case POINTER_PRESS:
        app->mouse.drag = DRAG_PRESSED;
        app->mouse.drag_x = app->mouse.drag_from_x = key->x;
        app->mouse.on_lanes = in_tracks(app, key->y) && key->x >= app->layout.lane;
        break;
    case POINTER_DRAG:
        drag(app, key->x);
        break;
    case POINTER_RELEASE:
        if (app->mouse.drag == DRAG_PRESSED)
            click(app, key);
        app->mouse.drag = DRAG_NONE;
        break;
    case POINTER_WHEEL_UP:
        wheel(app, key, 2, 3);
        break;
    default:
        wheel(app, key, 3, 2);
        break;
    }
}

/* ---- the rest ---- */

static void draw(struct view *view) {
    struct app *app = view->app;
    if (!app->layout.drawer_alone) {
        draw_overview(app);
        window_edges(&app->timeline.window, app->timeline.edges);
        draw_ruler(app);
        draw_tracks(app);
        draw_flows(app);
    }
    drawer_draw(app);
    status_draw(app);
}

static void find(struct view *view, const char *text) {
    move_remember(&view->app->timeline);
    find_name(view->app, text);
}

/* The record of the problem that ! has just selected, else of the selection. */
static bool record(struct view *view, struct view_record *record) {
    struct app *app = view->app;
    const struct selection *selection = &app->timeline.selection;
    if (app->find.problem_tag)
        return view_problems_record(app, app->find.problem_tag, record);
    if (!selection_any(selection)) {
        session_say(app, false, "nothing selected: h, l or Enter selects");
        return false;
    }
    if (selection->kind == &track_rows_row) {
        session_say(app, false, "the row of a question has no record");
        return false;
    }
    const struct slice *s =
        selection_is_named(selection) ? session_slice(app->trace, &app->timeline) : NULL;
    record->offset = selection->offset;
    record->end = s ? slice_extra_end_offset(trace_slice_extra(app->trace), s) : 0;
    return true;
}

static bool csv(struct view *view, FILE *out) {
    return export_csv(view->app->trace, out);
}

static const char *const counter_hints[] = {"e/c height", "_ scale", "V value", "U stack", NULL};

const struct view_ops view_timeline = {
    .title = "[1 Timeline]",
    .modes = MODE_TIMELINE,
    .open = open_all,
    .up = up,
    .draw = draw,
    .pointer = pointer,
    .find = find,
    .record = record,
    .csv = csv,
};

const struct view_ops view_counters = {
    .title = "[7 Counters]",
    .modes = MODE_TIMELINE,
    .hints = counter_hints,
    .open = open_counters,
    .up = up,
    .draw = draw,
    .pointer = pointer,
    .find = find,
    .record = record,
};

const struct view_ops view_cpus = {
    .title = "[8 CPUs]",
    .modes = MODE_TIMELINE,
    .open = open_cpus,
    .up = up,
    .draw = draw,
    .pointer = pointer,
    .find = find,
    .record = record,
};
