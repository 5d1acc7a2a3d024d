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
    vsnprintf(app->message, sizeof app->message, fmt, ap);
    va_end(ap);
    app->message_is_error = error;
    app->dirty = true;
}

const struct track *app_track(const struct app *app) {
    return track_list_at(&app->tracks, app->line);
}

bool app_line(const struct app *app, struct track_line *line) {
    return track_line_at(app->trace, &app->tracks, app->line, line);
}

const struct slice *app_slice(const struct app *app) {
    return selection_slice(app->trace, &app->selection);
}

struct flow_stats *app_flowstat(struct app *app) {
    if (app->flow_stats == NULL)
        app->flow_stats = flow_stats_new(app->trace);
    return app->flow_stats;
}

/* ---- time as text ---- */

int64_t app_end(const struct app *app) {
    int64_t end = trace_end(app->trace);
    return app->holding && app->end > end ? app->end : end;
}

int64_t app_resolution(const struct app *app) {
    return (uint64_t)trace_end(app->trace) - (uint64_t)trace_origin(app->trace) < 1000000 ? 1 : 1000;
}

const char *app_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]) {
    char digits[40];
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    if (app->time_format == TIME_CLOCK) {
        snprintf(buf, 48, "%s ns", wide_text(wide_add(reader_base(trace_reader(app->trace)), t), digits));
        return buf;
    }
    if (app->time_format == TIME_WALL && reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall) &&
        wall) {
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
    int64_t from = sign ? app->cursor : origin;
    if (sign == '-')
        ns = -ns;
    if (__builtin_add_overflow(from, ns, t))
        *t = sign == '-' ? INT64_MIN : INT64_MAX;
    return true;
}

/* ---- life ---- */

void app_layout(struct app *app) {
    struct grid *grid = &app->grid;
    app->layout = layout_of(grid->cols, grid->rows, app->drawer, app->search != NULL);
    if (app->layout.too_small)
        app->layout.lanes = 1;
    int columns = app->layout.lanes > 0 ? app->layout.lanes : 1;
    if (columns != app->window.columns || app->edges == NULL) {
        app->edges = err_realloc(app->edges, (size_t)columns + 1, sizeof *app->edges);
        app->dense = err_realloc(app->dense, (size_t)columns, 1);
        app->spans = err_realloc(app->spans, (size_t)columns * 2 + 2, sizeof *app->spans);
        app->overview.levels = err_realloc(app->overview.levels, (size_t)columns + 1, 1);
        app->overview.busy = err_realloc(app->overview.busy, (size_t)columns, sizeof *app->overview.busy);
        app->overview.columns = 0;
        window_limits(&app->window, trace_origin(app->trace), app_end(app), columns);
    }
    app->dirty = true;
}

/* A small screen has no room for strips of states, and one line for a counter. */
void app_fit_tracks(struct app *app) {
    bool small = app->grid.cols < 100 || app->grid.rows < 28, alone = app->tracks.kinds != TRACK_LIST_ALL;
    app->tracks.strips = !small || alone;
    app->tracks.curve = alone ? (small ? 3 : 4) : small ? 1 : 2;
}

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii) {
    *app = (struct app){.trace = trace, .dirty = true};
    grid_init(&app->grid, cols, rows, ascii);
    track_list_init(&app->tracks);
    app->tracks.least_depth = app->tracks.default_depth = cols < 100 || rows < 28 ? 3 : 8;
    app_fit_tracks(app);
    window_whole(&app->window, trace_origin(trace), trace_end(trace), 1);
    app->version = UINT64_MAX;
    app->generation = trace_generation(trace);
    app_layout(app);
    app_update(app);
}

void app_free(struct app *app) {
    search_free(app->search);
    view_free(app);
    pager_clear(&app->page);
    pager_clear(&app->behind);
    prompt_free(&app->prompt);
    prompt_history_free(&app->commands);
    prompt_history_free(&app->searches);
    prompt_history_free(&app->places);
    for (size_t i = 0; i < app->curves.n; i++)
        counter_series_free(app->curves.v[i].derived);
    vec_free(&app->curves);
    name_stats_free(&app->same);
    flow_stats_free(app->flow_stats);
    pattern_free(app->filter);
    prompt_history_free(&app->track_names);
    vec_free(&app->back);
    vec_free(&app->forth);
    track_list_free(&app->tracks);
    grid_free(&app->grid);
    free(app->edges);
    free(app->spans);
    free(app->dense);
    draw_instants_free(app);
    free(app->overview.levels);
    free(app->overview.busy);
    free(app->drawn.v);
}

/* ---- what the trace has read since ---- */

/* The current line stays on its track and row though others came above. */
static void update_rows(struct app *app) {
    const struct track *track = app_track(app);
    struct track before = track ? *track : (struct track){0};
    uint64_t line = app->line, below = app->line - app->top;
    bool pinned = app->line < app->tracks.pinned; /* then it says nothing of where the others are scrolled to */
    track_list_update(&app->tracks, app->trace);
    if (track && track_list_again(&app->tracks, &before, (uint32_t)(line - before.top), &app->line))
        app->top = pinned ? app->top : app->line > below ? app->line - below : 0;
    if (app->top < app->tracks.pinned)
        app->top = app->tracks.pinned;
    if (app->line >= app->tracks.lines)
        app->line = app->tracks.lines > 0 ? app->tracks.lines - 1 : 0;
    if (app->top > app->line && app->line >= app->tracks.pinned) /* fewer tracks than there were */
        app->top = app->line;
}

static void scroll_to_line(struct app *app) {
    int pinned = app_pinned_rows(app), room = app->layout.track_rows - pinned - (pinned > 0);
    uint64_t rows = room > 0 ? (uint64_t)room : 1;
    if (app->top < app->tracks.pinned)
        app->top = app->tracks.pinned;
    uint64_t last = app->tracks.lines > rows ? app->tracks.lines - rows : 0;
    if (app->line < app->tracks.pinned) { /* always shown: but below the rule there is no more than the last screen */
        if (app->top > last)
            app->top = last > app->tracks.pinned ? last : app->tracks.pinned;
        return;
    }
    if (app->line < app->top)
        app->top = app->line;
    else if (app->line >= app->top + rows)
        app->top = app->line - rows + 1;
}

void app_resize(struct app *app, int cols, int rows) {
    bool strips = app->tracks.strips;
    grid_resize(&app->grid, cols, rows);
    app_layout(app);
    if (app->cursor > app_end(app)) /* where a wider window had room behind the trace */
        app->cursor = app_end(app);
    app_fit_tracks(app);
    if (strips != app->tracks.strips)
        update_rows(app);
    scroll_to_line(app);
    if (app->view == VIEW_HELP) /* as wide as the screen is now */
        show_page_again(app);
}

static void apply_start(struct app *app) {
    int64_t t, width;
    if (app->start_window && units_parse(app->start_window, strlen(app->start_window), &width))
        window_set(&app->window, app->window.from, width);
    if (app->start_at && app_time(app, app->start_at, &t)) {
        int64_t lo = trace_origin(app->trace), hi = trace_end(app->trace);
        app->cursor = t = t < lo ? lo : t > hi ? hi : t;
        if (app->start_window)
            window_center(&app->window, t);
        else
            window_reveal(&app->window, t);
    }
    if (trace_state(app->trace) == TRACE_LOADING)
        return;
    if (app->start_at || app->start_window)
        app->window_moved = true;
    app->start_at = app->start_window = NULL;
    const char *keys = app->start_keys;
    app->start_keys = NULL;
    struct key key;
    while (keys && !app->quit && key_parse(&keys, &key))
        app_key(app, &key);
}

/* The first line with slices, or the first of all. */
static void first_line(struct app *app) {
    struct track_line line;
    for (size_t i = 0; i < app->tracks.tracks.n && i < 64; i++) {
        const struct track *track = &app->tracks.tracks.v[i];
        if (track->kind != TRACK_THREAD)
            continue;
        app->line = track->top + (track->strip && track->height > 1);
        if (app_line(app, &line) && line.slices == SELECTION_SLICE)
            return;
    }
    app->line = 0;
}

/* After a reload, until all is there again: the selection comes back with its record, and the window stays where it was
 * though the trace does not reach there so far. */
static void take_up_again(struct app *app) {
    struct selection selection = app->held;
    if (app->selection.kind == SELECTION_NONE && selection.kind != SELECTION_NONE &&
        selection_find(app->trace, &selection)) {
        app->selection = selection;
        app->held = (struct selection){0};
    }
    if (trace_state(app->trace) != TRACE_LOADING) {
        app->holding = false;
        app->held = (struct selection){0};
    }
}

void app_update(struct app *app) {
    if (app->version == trace_version(app->trace))
        return;
    bool first = app->version == UINT64_MAX;
    bool renewed = app->generation != trace_generation(app->trace);
    if (renewed) { /* all was taken up again: times count from elsewhere */
        app->generation = trace_generation(app->trace);
        app->overview.columns = 0;
        bool reloaded = app->reloads != trace_reloads(app->trace);
        if (reloaded) {
            app->reloads = trace_reloads(app->trace);
            app->held = app->selection;
            app->holding = true;
            app->stale = false;
        } else {
            app->holding = false;
            app->back.n = app->forth.n = 0;
            app->window_moved = false;
            first = true;
        }
        app->selection = (struct selection){0};
        if (app->search && !reloaded) {
            search_free(app->search);
            app->search = NULL;
        }
    }
    app->version = trace_version(app->trace);
    app->tracks.room = app->window_moved || app->drawer ? 0 : (uint32_t)app->layout.track_rows;
    update_rows(app);
    app->tracks.room = 0; /* later changes are the user's: depth stays */
    if (!selection_find(app->trace, &app->selection))
        app->selection = (struct selection){0};
    int64_t origin = trace_origin(app->trace), before = app->end;
    bool at_end = app->window_moved && app->window.from + app->window.width > before && !app->holding;
    if (app->holding)
        take_up_again(app);
    int64_t end = app->end = app_end(app);
    if (app->window_moved)
        window_limits(&app->window, origin, end, app->window.columns);
    else
        window_whole(&app->window, origin, end, app->window.columns);
    if (at_end && end > before) /* it grows: the window goes along with its end until it is moved */
        window_set(&app->window, app->window.from + (end - before), app->window.width);
    if (first || app->cursor < origin || (!app->used && !app->window_moved)) /* an earlier event may come late */
        app->cursor = origin;
    else if (app->cursor > end)
        app->cursor = end;
    app->hits_known = false;
    app->dirty = true;
    view_update(app);
    if (renewed)
        show_reloaded(app);
    else if (app->pages_stale && trace_state(app->trace) != TRACE_LOADING)
        show_page_again(app);
    app->pages_stale = trace_state(app->trace) == TRACE_LOADING;
    if (!app->used && app->tracks.tracks.n > 1) {
        app->top = 0;
        first_line(app);
    }
    if (app->start_at || app->start_window || app->start_keys)
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
    app->start_at = at;
    app->start_window = window;
    app->start_keys = keys;
    apply_start(app);
    return true;
}

/* A step of the statistics of flows where the drawer shows them; true while there is more. */
static bool count_flows(struct app *app) {
    uint32_t point;
    if (!app->drawer || app->tab != DRAWER_FLOWS || app->view != VIEW_TIMELINE || trace_unsettled(app->trace) ||
        !flow_nav_current(app, &point) || flow_stats_step(app_flowstat(app), 0))
        return false;
    bool known = flow_stats_step(app->flow_stats, FLOW_UNITS);
    app->dirty = app->dirty || known;
    return !known;
}

bool app_idle(struct app *app) {
    bool news = false;
    if (view_idle(app) || count_flows(app))
        return true;
    if (name_stats_step(&app->same, app->trace, &app->selection, SAME_UNITS, &news))
        return true;
    app->dirty = app->dirty || news;
    if (app->search == NULL || app->hits_known)
        return false;
    app->hits_known = search_count(app->search, IDLE_EVENTS, &app->hits);
    app->dirty = app->dirty || app->hits_known;
    return !app->hits_known;
}

/* ---- keys ---- */

bool app_in_prompt(const struct app *app) {
    return app->prompt.active;
}

static const char *complete(void *ctx, const char *stem, size_t n) {
    const struct app *app = ctx;
    return app->prompt.label[0] == ':' ? command_complete(stem, n) : NULL;
}

static void key_in_prompt(struct app *app, const struct key *key) {
    if (app->prompt.label[0] == 'g' && app->prompt.text.n == 0 && key->code == 'g') {
        prompt_close(&app->prompt);
        command_run(app, command_by_name("start", 5));
        return;
    }
    if (prompt_key(&app->prompt, key, complete, app) != PROMPT_DONE)
        return;
    char label[sizeof app->prompt.label];
    memcpy(label, app->prompt.label, sizeof label);
    const char *text = prompt_text(&app->prompt);
    size_t size = strlen(text) + 1;
    char *copy = memcpy(err_malloc(size), text, size);
    prompt_close(&app->prompt);
    show_entered(app, label, copy);
    free(copy);
}

uint64_t app_line_at(const struct app *app, int y) {
    int pinned = app_pinned_rows(app), r = y - app->layout.tracks;
    if (r < pinned)
        return (uint64_t)r;
    return pinned > 0 && r == pinned ? UINT64_MAX : app->top + (uint64_t)(r - pinned - (pinned > 0));
}

/* Pinned tracks take at most half of the rows; under them a rule. */
int app_pinned_rows(const struct app *app) {
    uint64_t most = app->layout.track_rows > 3 ? (uint64_t)(app->layout.track_rows - 1) / 2 : 0;
    return (int)(app->tracks.pinned < most ? app->tracks.pinned : most);
}

static bool in_tracks(const struct app *app, int y) {
    return y >= app->layout.tracks && y < app->layout.tracks + app->layout.track_rows &&
           app_line_at(app, y) < app->tracks.lines;
}

static void press(struct app *app, const struct key *key) {
    int column = key->x - app->layout.lane, last = app->window.columns - 1;
    column = column < last ? column : last; /* a terminal may say anything */
    if (key->y == app->layout.overview && column >= 0) {
        struct window whole = app->window;
        window_whole(&whole, trace_origin(app->trace), app_end(app), app->window.columns);
        move_remember(app);
        move_to_time(app, window_edge(&whole, column), true);
        return;
    }
    if (!in_tracks(app, key->y))
        return;
    app->line = app_line_at(app, key->y);
    if (column < 0) {
        const struct track *track = app_track(app);
        if (track->kind == TRACK_PROCESS || track->kind == TRACK_CPUS)
            tracks_enter(app);
        else
            move_to_line(app, app->line);
        return;
    }
    app->cursor = window_edge(&app->window, column);
    app->window_moved = true;
    int64_t reach = window_per_column(&app->window);
    struct selection selection = move_pick_at(app, app->line, app->cursor, reach < INT64_MAX ? reach + 1 : reach);
    if (selection.kind == SELECTION_NONE)
        app->selection = selection;
    else
        move_pick(app, selection);
}

static void wheel(struct app *app, const struct key *key, int num, int den) {
    int column = key->x - app->layout.lane;
    if (column < 0 || column >= app->window.columns) {
        move_to_line(app, num < den ? (app->line > 2 ? app->line - 3 : 0) : app->line + 3);
        return;
    }
    app->window_moved = true;
    window_zoom(&app->window, window_edge(&app->window, column), num, den);
}

static void pointer(struct app *app, const struct key *key) {
    if (view_is_table(app)) {
        view_pointer(app, key);
        return;
    }
    if (app->view != VIEW_TIMELINE) {
        if (key->what == POINTER_WHEEL_UP || key->what == POINTER_WHEEL_DOWN)
            pager_move(&app->page, key->what == POINTER_WHEEL_UP ? -3 : 3, app->grid.rows - 3);
        return;
    }
    switch (key->what) {
    case POINTER_PRESS:
        app->dragging = true;
        app->drag_moved = false;
        app->drag_x = key->x;
        break;
    case POINTER_DRAG:
        if (!app->dragging || key->x == app->drag_x)
            break;
        if (!app->mouse_told)
            app_say(app, false, "dragging pans; Shift+drag selects text");
        app->mouse_told = app->drag_moved = app->window_moved = true;
        window_pan(&app->window, app->drag_x - key->x);
        app->drag_x = key->x;
        break;
    case POINTER_RELEASE:
        if (app->dragging && !app->drag_moved)
            press(app, key);
        app->dragging = false;
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
    if (app->message[0] && !(code == KEY_POINTER && key->what == POINTER_RELEASE)) {
        app->message[0] = 0;
        app->dirty = true;
    }
    if (code == KEY_CTRL('c') && !app->prompt.active) {
        app->quit = app->interrupted = true;
        return;
    }
    if (app->prompt.active) {
        key_in_prompt(app, key);
        app->dirty = true;
    } else if (code == KEY_POINTER) {
        app->problem_tag = 0;
        pointer(app, key);
        app->dirty = true;
    } else {
        uint32_t prefix = app->prefix;
        app->prefix = 0;
        if (prefix)
            code |= (uint64_t)prefix << 32;
        else if (is_prefix(key->code, mode))
            app->prefix = key->code;
        const struct command *c = app->prefix ? NULL : command_for_key(code, mode);
        if (c) {
            command_run(app, c);
            app->dirty = true;
        }
    }
    scroll_to_line(app);
}
