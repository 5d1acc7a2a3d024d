/* app.c - the interface's life: opening, keys, mouse, what the trace has read since. Coordinates as in app.h. */
#include "ui/app.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/command.h"
#include "ui/show.h"
#include "ui/timeline/draw.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view.h"

#define SAME_UNITS 20000 /* of spread.h: about 2 ms */
#define FLOW_UNITS 4000  /* of flow_stats_step() */
#define IDLE_EVENTS 400000 /* counted in one idle step: about 2 ms */

void app_say(struct app *app, bool error, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(app->message.text, sizeof app->message.text, fmt, ap);
    va_end(ap);
    app->message.is_error = error;
    app->dirty = true;
}

const struct track *app_track(const struct app *app) {
    return track_list_at(&app->timeline.tracks, app->timeline.line);
}

bool app_line(const struct app *app, struct track_line *line) {
    return track_line_at(app->trace, &app->timeline.tracks, app->timeline.line, line);
}

const struct slice *app_slice(const struct app *app) {
    return selection_slice(app->trace, &app->timeline.selection);
}

struct flow_stats *app_flow_stats(struct app *app) {
    if (app->flow.stats == NULL)
        app->flow.stats = flow_stats_new(app->trace);
    return app->flow.stats;
}

/* ---- time as text ---- */

int64_t app_end(const struct app *app) {
    int64_t end = trace_end(app->trace);
    return app->reload.holding && app->reload.end > end ? app->reload.end : end;
}

int64_t app_resolution(const struct app *app) {
    return (uint64_t)trace_end(app->trace) - (uint64_t)trace_origin(app->trace) < 1000000 ? 1 : 1000;
}

const char *app_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]) {
    char digits[40];
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    if (app->timeline.time_format == TIME_CLOCK) {
        snprintf(buf, 48, "%s ns", wide_text(wide_add(reader_base(trace_reader(app->trace)), t), digits));
        return buf;
    }
    if (app->timeline.time_format == TIME_WALL &&
        reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall) && wall) {
        struct wide base = tps ? wide_div(wide_mul(base_tick, 1000000000), tps) : (struct wide){0, base_tick};
        struct wide at = wide_add(reader_base(trace_reader(app->trace)), t);
        char full[48];
        units_wall(base_unix + (uint64_t)wide_diff(at, base, INT64_MAX), full);
        char *clock = strlen(full) > 11 ? full + 11 : full, *dot = strchr(clock, '.');
        int decimals = 0;
        for (int64_t unit = 1000000000; unit > resolution && decimals < 9; unit /= 10)
            decimals++;
        if (dot)
            dot[decimals > 0 ? decimals + 1 : 0] = 0;
        snprintf(buf, 48, "%s", clock);
        return buf;
    }
    char text[32];
    units_point((int64_t)((uint64_t)t - (uint64_t)trace_origin(app->trace)), resolution, app->grid.ascii, text);
    snprintf(buf, 48, "%s", text);
    return buf;
}

bool app_time(struct app *app, const char *text, int64_t *t) {
    int64_t origin = trace_origin(app->trace), ns;
    uint64_t span = (uint64_t)trace_end(app->trace) - (uint64_t)origin;
    size_t n = strlen(text);
    char sign = *text == '+' || *text == '-' ? *text : 0;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n > 0 && text[n - 1] == '%') {
        char *end;
        double percent = strtod(text, &end);
        if (end != text + n - 1 || !(percent >= 0 && percent <= 100))
            return false;
        *t = app_end(app);
        if (percent < 100)
            *t = (int64_t)((uint64_t)origin + (uint64_t)((double)span * (percent / 100)));
        return true;
    }
    if (!units_parse(text + (sign != 0), n - (sign != 0), &ns) || ns < 0)
        return false;
    int64_t from = sign ? app->timeline.cursor : origin;
    if (sign == '-')
        ns = -ns;
    if (__builtin_add_overflow(from, ns, t))
        *t = sign == '-' ? INT64_MIN : INT64_MAX;
    return true;
}

/* ---- life ---- */

void app_layout(struct app *app) {
    struct grid *grid = &app->grid;
    app->layout = layout_of(grid->cols, grid->rows, app->drawer.open, app->find.search != NULL);
    if (app->layout.too_small)
        app->layout.lanes = 1;
    int columns = app->layout.lanes > 0 ? app->layout.lanes : 1;
    if (columns != app->timeline.window.columns || app->timeline.edges == NULL) {
        app->timeline.edges = err_realloc(app->timeline.edges, (size_t)columns + 1, sizeof *app->timeline.edges);
        app->timeline.dense = err_realloc(app->timeline.dense, (size_t)columns, 1);
        app->timeline.spans = err_realloc(app->timeline.spans, (size_t)columns * 2 + 2, sizeof *app->timeline.spans);
        app->timeline.overview.levels = err_realloc(app->timeline.overview.levels, (size_t)columns + 1, 1);
        app->timeline.overview.busy =
            err_realloc(app->timeline.overview.busy, (size_t)columns, sizeof *app->timeline.overview.busy);
        app->timeline.overview.columns = 0;
        window_limits(&app->timeline.window, trace_origin(app->trace), app_end(app), columns);
    }
    app->dirty = true;
}

/* A small screen has no room for strips of states, and one line for a counter. */
void app_fit_tracks(struct app *app) {
    bool small = app->grid.cols < 100 || app->grid.rows < 28, alone = app->timeline.tracks.kinds != TRACK_LIST_ALL;
    app->timeline.tracks.strips = !small || alone;
    app->timeline.tracks.curve = alone ? (small ? 3 : 4) : small ? 1 : 2;
}

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii) {
    *app = (struct app){.trace = trace, .dirty = true};
    grid_init(&app->grid, cols, rows, ascii);
    track_list_init(&app->timeline.tracks);
    app->timeline.tracks.least_depth = app->timeline.tracks.default_depth = cols < 100 || rows < 28 ? 3 : 8;
    app_fit_tracks(app);
    window_whole(&app->timeline.window, trace_origin(trace), trace_end(trace), 1);
    app->reload.version = UINT64_MAX;
    app->reload.generation = trace_generation(trace);
    app_layout(app);
    app_update(app);
}

void app_free(struct app *app) {
    search_free(app->find.search);
    view_free(app);
    pager_clear(&app->views.pager);
    pager_clear(&app->views.help_pager);
    prompt_free(&app->prompts.line);
    for (int i = 0; i < PROMPT_HISTORIES; i++)
        prompt_history_free(&app->prompts.history[i]);
    for (size_t i = 0; i < app->timeline.curves.n; i++)
        counter_series_free(app->timeline.curves.v[i].derived);
    vec_free(&app->timeline.curves);
    name_stats_free(&app->drawer.name_stats);
    flow_stats_free(app->flow.stats);
    pattern_free(app->timeline.filter);
    vec_free(&app->timeline.back);
    vec_free(&app->timeline.forth);
    track_list_free(&app->timeline.tracks);
    grid_free(&app->grid);
    free(app->timeline.edges);
    free(app->timeline.spans);
    free(app->timeline.dense);
    draw_instants_free(app);
    free(app->timeline.overview.levels);
    free(app->timeline.overview.busy);
    free(app->timeline.drawn.v);
}

/* ---- what the trace has read since ---- */

/* The current line stays on its track and row though others came above. */
static void update_rows(struct app *app) {
    const struct track *track = app_track(app);
    struct track before = track ? *track : (struct track){0};
    uint64_t line = app->timeline.line, below = app->timeline.line - app->timeline.top;
    bool pinned =
        app->timeline.line < app->timeline.tracks.pinned; /* then it says nothing of where the others are scrolled to */
    track_list_update(&app->timeline.tracks, app->trace);
    if (track && track_list_again(&app->timeline.tracks, &before, (uint32_t)(line - before.top), &app->timeline.line))
        app->timeline.top = pinned ? app->timeline.top : app->timeline.line > below ? app->timeline.line - below : 0;
    if (app->timeline.top < app->timeline.tracks.pinned)
        app->timeline.top = app->timeline.tracks.pinned;
    if (app->timeline.line >= app->timeline.tracks.lines)
        app->timeline.line = app->timeline.tracks.lines > 0 ? app->timeline.tracks.lines - 1 : 0;
    if (app->timeline.top > app->timeline.line &&
        app->timeline.line >= app->timeline.tracks.pinned) /* fewer tracks than there were */
        app->timeline.top = app->timeline.line;
}

static void scroll_to_line(struct app *app) {
    int pinned = app_pinned_rows(app), room = app->layout.track_rows - pinned - (pinned > 0);
    uint64_t rows = room > 0 ? (uint64_t)room : 1;
    if (app->timeline.top < app->timeline.tracks.pinned)
        app->timeline.top = app->timeline.tracks.pinned;
    uint64_t last = app->timeline.tracks.lines > rows ? app->timeline.tracks.lines - rows : 0;
    if (app->timeline.line <
        app->timeline.tracks.pinned) { /* always shown: but below the rule there is no more than the last screen */
        if (app->timeline.top > last)
            app->timeline.top = last > app->timeline.tracks.pinned ? last : app->timeline.tracks.pinned;
        return;
    }
    if (app->timeline.line < app->timeline.top)
        app->timeline.top = app->timeline.line;
    else if (app->timeline.line >= app->timeline.top + rows)
        app->timeline.top = app->timeline.line - rows + 1;
}

void app_resize(struct app *app, int cols, int rows) {
    bool strips = app->timeline.tracks.strips;
    grid_resize(&app->grid, cols, rows);
    app_layout(app);
    if (app->timeline.cursor > app_end(app)) /* where a wider window had room behind the trace */
        app->timeline.cursor = app_end(app);
    app_fit_tracks(app);
    if (strips != app->timeline.tracks.strips)
        update_rows(app);
    scroll_to_line(app);
    if (app->views.current == VIEW_HELP) /* as wide as the screen is now */
        show_page_again(app);
}

static void apply_start(struct app *app) {
    int64_t t, width;
    if (app->startup.window && units_parse(app->startup.window, strlen(app->startup.window), &width))
        window_set(&app->timeline.window, app->timeline.window.from, width);
    if (app->startup.at && app_time(app, app->startup.at, &t)) {
        int64_t lo = trace_origin(app->trace), hi = trace_end(app->trace);
        app->timeline.cursor = t = t < lo ? lo : t > hi ? hi : t;
        if (app->startup.window)
            window_center(&app->timeline.window, t);
        else
            window_reveal(&app->timeline.window, t);
    }
    if (trace_state(app->trace) == TRACE_LOADING)
        return;
    if (app->startup.at || app->startup.window)
        app->timeline.window_moved = true;
    app->startup.at = app->startup.window = NULL;
    const char *keys = app->startup.keys;
    app->startup.keys = NULL;
    struct key key;
    while (keys && !app->quit && key_parse(&keys, &key))
        app_key(app, &key);
}

/* The first line with slices, or the first of all. */
static void first_line(struct app *app) {
    struct track_line line;
    for (size_t i = 0; i < app->timeline.tracks.tracks.n && i < 64; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[i];
        if (track->kind != TRACK_THREAD)
            continue;
        app->timeline.line = track->top + (track->strip && track->height > 1);
        if (app_line(app, &line) && line.slices == SELECTION_SLICE)
            return;
    }
    app->timeline.line = 0;
}

/* After a reload, until all is there again: the selection comes back with its record, and the window stays where it was
 * though the trace does not reach there so far. */
static void take_up_again(struct app *app) {
    struct selection selection = app->reload.held;
    if (app->timeline.selection.kind == SELECTION_NONE && selection.kind != SELECTION_NONE &&
        selection_find(app->trace, &selection)) {
        app->timeline.selection = selection;
        app->reload.held = (struct selection){0};
    }
    if (trace_state(app->trace) != TRACE_LOADING) {
        app->reload.holding = false;
        app->reload.held = (struct selection){0};
    }
}

void app_update(struct app *app) {
    if (app->reload.version == trace_version(app->trace))
        return;
    bool first = app->reload.version == UINT64_MAX;
    bool renewed = app->reload.generation != trace_generation(app->trace);
    if (renewed) { /* all was taken up again: times count from elsewhere */
        app->reload.generation = trace_generation(app->trace);
        app->timeline.overview.columns = 0;
        bool reloaded = app->reload.reloads != trace_reloads(app->trace);
        if (reloaded) {
            app->reload.reloads = trace_reloads(app->trace);
            app->reload.held = app->timeline.selection;
            app->reload.holding = true;
            app->reload.stale = false;
        } else {
            app->reload.holding = false;
            app->timeline.back.n = app->timeline.forth.n = 0;
            app->timeline.window_moved = false;
            first = true;
        }
        app->timeline.selection = (struct selection){0};
        if (app->find.search && !reloaded) {
            search_free(app->find.search);
            app->find.search = NULL;
        }
    }
    app->reload.version = trace_version(app->trace);
    app->timeline.tracks.room = app->timeline.window_moved || app->drawer.open ? 0 : (uint32_t)app->layout.track_rows;
    update_rows(app);
    app->timeline.tracks.room = 0; /* later changes are the user's: depth stays */
    if (!selection_find(app->trace, &app->timeline.selection))
        app->timeline.selection = (struct selection){0};
    int64_t origin = trace_origin(app->trace), before = app->reload.end;
    bool at_end = app->timeline.window_moved && app->timeline.window.from + app->timeline.window.width > before &&
                  !app->reload.holding;
    if (app->reload.holding)
        take_up_again(app);
    int64_t end = app->reload.end = app_end(app);
    if (app->timeline.window_moved)
        window_limits(&app->timeline.window, origin, end, app->timeline.window.columns);
    else
        window_whole(&app->timeline.window, origin, end, app->timeline.window.columns);
    if (at_end && end > before) /* it grows: the window goes along with its end until it is moved */
        window_set(&app->timeline.window, app->timeline.window.from + (end - before), app->timeline.window.width);
    if (first || app->timeline.cursor < origin ||
        (!app->used && !app->timeline.window_moved)) /* an earlier event may come late */
        app->timeline.cursor = origin;
    else if (app->timeline.cursor > end)
        app->timeline.cursor = end;
    app->find.hits_known = false;
    app->dirty = true;
    view_update(app);
    if (renewed)
        show_reloaded(app);
    else if (app->views.stale && trace_state(app->trace) != TRACE_LOADING)
        show_page_again(app);
    app->views.stale = trace_state(app->trace) == TRACE_LOADING;
    if (!app->used && app->timeline.tracks.tracks.n > 1) {
        app->timeline.top = 0;
        first_line(app);
    }
    if (app->startup.at || app->startup.window || app->startup.keys)
        apply_start(app);
}

bool app_start(struct app *app, const char *at, const char *window, const char *keys, struct err *err) {
    int64_t t;
    if (at && !app_time(app, at, &t))
        return err_set(err, ERR_NO_OFFSET, "--at wants a time: 1.5s, 250ms, 50%%");
    if (window && (!units_parse(window, strlen(window), &t) || t <= 0))
        return err_set(err, ERR_NO_OFFSET, "--window wants a duration: 40ms, 1.5s");
    const char *rest = keys;
    struct key key;
    while (rest && key_parse(&rest, &key))
        ;
    if (rest && *rest)
        return err_set(err, ERR_NO_OFFSET,
                       "--keys has no key where '<' stands at character %zu (<lt> is the key itself)",
                       (size_t)(rest - keys) + 1);
    app->startup.at = at;
    app->startup.window = window;
    app->startup.keys = keys;
    apply_start(app);
    return true;
}

/* A step of the statistics of flows where the drawer shows them; true while there is more. */
static bool count_flows(struct app *app) {
    uint32_t point;
    if (!app->drawer.open || app->drawer.tab != DRAWER_FLOWS || app->views.current != VIEW_TIMELINE ||
        trace_unsettled(app->trace) || !flow_nav_current(app, &point) || flow_stats_step(app_flow_stats(app), 0))
        return false;
    bool known = flow_stats_step(app->flow.stats, FLOW_UNITS);
    app->dirty = app->dirty || known;
    return !known;
}

bool app_idle(struct app *app) {
    bool news = false;
    if (view_idle(app) || count_flows(app))
        return true;
    if (name_stats_step(&app->drawer.name_stats, app->trace, &app->timeline.selection, SAME_UNITS, &news))
        return true;
    app->dirty = app->dirty || news;
    if (app->find.search == NULL || app->find.hits_known)
        return false;
    app->find.hits_known = search_count(app->find.search, IDLE_EVENTS, &app->find.hits);
    app->dirty = app->dirty || app->find.hits_known;
    return !app->find.hits_known;
}

/* ---- keys ---- */

bool app_in_prompt(const struct app *app) {
    return app->prompts.line.active;
}

uint64_t app_line_at(const struct app *app, int y) {
    int pinned = app_pinned_rows(app), r = y - app->layout.tracks;
    if (r < pinned)
        return (uint64_t)r;
    return pinned > 0 && r == pinned ? UINT64_MAX : app->timeline.top + (uint64_t)(r - pinned - (pinned > 0));
}

/* Pinned tracks take at most half of the rows; under them a rule. */
int app_pinned_rows(const struct app *app) {
    uint64_t most = app->layout.track_rows > 3 ? (uint64_t)(app->layout.track_rows - 1) / 2 : 0;
    return (int)(app->timeline.tracks.pinned < most ? app->timeline.tracks.pinned : most);
}

static bool in_tracks(const struct app *app, int y) {
    return y >= app->layout.tracks && y < app->layout.tracks + app->layout.track_rows &&
           app_line_at(app, y) < app->timeline.tracks.lines;
}

static void press(struct app *app, const struct key *key) {
    int column = key->x - app->layout.lane, last = app->timeline.window.columns - 1;
    column = column < last ? column : last; /* a terminal may say anything */
    if (key->y == app->layout.overview && column >= 0) {
        struct window whole = app->timeline.window;
        window_whole(&whole, trace_origin(app->trace), app_end(app), app->timeline.window.columns);
        move_remember(app);
        move_to_time(app, window_edge(&whole, column), true);
        return;
    }
    if (!in_tracks(app, key->y))
        return;
    app->timeline.line = app_line_at(app, key->y);
    if (column < 0) {
        const struct track *track = app_track(app);
        if (track->kind == TRACK_PROCESS || track->kind == TRACK_CPUS)
            tracks_enter(app);
        else
            move_to_line(app, app->timeline.line);
        return;
    }
    app->timeline.cursor = window_edge(&app->timeline.window, column);
    app->timeline.window_moved = true;
    int64_t reach = window_per_column(&app->timeline.window);
    struct selection selection =
        move_pick_at(app, app->timeline.line, app->timeline.cursor, reach < INT64_MAX ? reach + 1 : reach);
    if (selection.kind == SELECTION_NONE)
        app->timeline.selection = selection;
    else
        move_pick(app, selection);
}

static void wheel(struct app *app, const struct key *key, int num, int den) {
    int column = key->x - app->layout.lane;
    if (column < 0 || column >= app->timeline.window.columns) {
        move_to_line(app, num < den ? (app->timeline.line > 2 ? app->timeline.line - 3 : 0) : app->timeline.line + 3);
        return;
    }
    app->timeline.window_moved = true;
    window_zoom(&app->timeline.window, window_edge(&app->timeline.window, column), num, den);
}

static void pointer(struct app *app, const struct key *key) {
    if (view_is_table(app)) {
        view_pointer(app, key);
        return;
    }
    if (app->views.current != VIEW_TIMELINE) {
        if (key->what == POINTER_WHEEL_UP || key->what == POINTER_WHEEL_DOWN)
            pager_move(&app->views.pager, key->what == POINTER_WHEEL_UP ? -3 : 3, app->grid.rows - 3);
        return;
    }
    switch (key->what) {
    case POINTER_PRESS:
        app->mouse.dragging = true;
        app->mouse.drag_moved = false;
        app->mouse.drag_x = key->x;
        break;
    case POINTER_DRAG:
        if (!app->mouse.dragging || key->x == app->mouse.drag_x)
            break;
        if (!app->mouse.told)
            app_say(app, false, "dragging pans; Shift+drag selects text");
        app->mouse.told = app->mouse.drag_moved = app->timeline.window_moved = true;
        window_pan(&app->timeline.window, app->mouse.drag_x - key->x);
        app->mouse.drag_x = key->x;
        break;
    case POINTER_RELEASE:
        if (app->mouse.dragging && !app->mouse.drag_moved)
            press(app, key);
        app->mouse.dragging = false;
        break;
    case POINTER_WHEEL_UP:
        wheel(app, key, 2, 3);
        break;
    default:
        wheel(app, key, 3, 2);
        break;
    }
}

/* Is there a command of two keys that begins with this one? */
static bool is_prefix(uint32_t code, unsigned mode) {
    return code == 'z' && mode == MODE_TIMELINE;
}

void app_key(struct app *app, const struct key *key) {
    unsigned mode = command_mode_of(app);
    uint64_t code = key->code;
    if (code == KEY_NONE || code == KEY_TIMEOUT || code == KEY_RESIZED)
        return;
    app->used = true;
    if (app->message.text[0] && !(code == KEY_POINTER && key->what == POINTER_RELEASE)) {
        app->message.text[0] = 0;
        app->dirty = true;
    }
    if (code == KEY_CTRL('c') && !app->prompts.line.active) {
        app->quit = app->interrupted = true;
        return;
    }
    if (app->prompts.line.active) {
        command_prompt_key(app, key);
        app->dirty = true;
    } else if (code == KEY_POINTER) {
        app->find.problem_tag = 0;
        pointer(app, key);
        app->dirty = true;
    } else {
        uint32_t prefix = app->timeline.prefix;
        app->timeline.prefix = 0;
        if (prefix)
            code |= (uint64_t)prefix << 32;
        else if (is_prefix(key->code, mode))
            app->timeline.prefix = key->code;
        const struct command *c = app->timeline.prefix ? NULL : command_for_key(code, mode);
        if (c) {
            command_run(app, c);
            app->dirty = true;
        }
    }
    scroll_to_line(app);
}
