/* app.c - the interface's life: opening, keys, mouse, what the trace has read since. Coordinates as in app.h. */
#include "ui/app.h"

#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/command.h"
#include "ui/jobs.h"
#include "ui/status.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

#define IDLE_NS 4000000 /* of background work between two looks at the keyboard */

/* ---- life ---- */

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii) {
    *app = (struct app){.trace = trace, .dirty = true};
    grid_init(&app->grid, cols, rows, ascii);
    track_list_init(&app->timeline.tracks);
    app->timeline.tracks.least_depth = app->timeline.tracks.default_depth = cols < 100 || rows < 28 ? 3 : 8;
    session_fit_tracks(app);
    window_whole(&app->timeline.window, trace_origin(trace), trace_end(trace), 1);
    app->reload.version = UINT64_MAX;
    app->reload.generation = trace_generation(trace);
    view_init(app);
    app->views.write_help = command_help;
    session_layout(app);
    app_update(app);
}

void app_free(struct app *app) {
    search_free(app->find.search);
    view_free(app);
    prompt_free(&app->prompts.line);
    for (int i = 0; i < PROMPT_HISTORIES; i++)
        prompt_history_free(&app->prompts.history[i]);
    for (size_t i = 0; i < app->timeline.curves.n; i++)
        counter_series_free(app->timeline.curves.v[i].derived);
    vec_free(&app->timeline.curves);
    name_stats_free(&app->drawer.name_stats);
    flow_stats_free(app->flow.stats);
    filter_free(app->timeline.filter);
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
    const struct track *track = session_track(app);
    struct track before = track ? *track : (struct track){0};
    uint64_t line = app->timeline.line, below = app->timeline.line - app->timeline.top;
    /* a pinned line does not show how far the other tracks are scrolled */
    bool pinned = app->timeline.line < app->timeline.tracks.pinned;
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
    int pinned = session_pinned_rows(app), room = app->layout.track_rows - pinned - (pinned > 0);
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
    session_layout(app);
    if (app->timeline.cursor > session_end(app)) /* a wider window had space after the trace */
        app->timeline.cursor = session_end(app);
    session_fit_tracks(app);
    if (strips != app->timeline.tracks.strips)
        update_rows(app);
    scroll_to_line(app);
    view_resize(app);
}

static void apply_start(struct app *app) {
    int64_t t, width;
    if (app->startup.window && units_parse(app->startup.window, strlen(app->startup.window), &width))
        window_set(&app->timeline.window, app->timeline.window.from, width);
    if (app->startup.at && session_time(app, app->startup.at, &t)) {
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
    app->startup.playing = true;
    while (keys && !app->quit && key_parse(&keys, &key))
        app_key(app, &key);
    app->startup.playing = false;
}

/* The first line with slices, or the first of all. */
static void first_line(struct app *app) {
    struct track_line line;
    for (size_t i = 0; i < app->timeline.tracks.tracks.n && i < 64; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[i];
        if (!track->kind->thread)
            continue;
        app->timeline.line = track->top + (track->strip && track->height > 1);
        if (session_line(app, &line) && line.slices == &track_thread_slice)
            return;
    }
    app->timeline.line = 0;
}

/* After a reload, until all is there again: the selection comes back with its record, and the window stays where it was
 * though the trace does not reach there so far. */
static void take_up_again(struct app *app) {
    struct selection selection = app->reload.held;
    if (!selection_any(&app->timeline.selection) && selection_any(&selection) &&
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
    int64_t end = app->reload.end = session_end(app);
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
    view_update(app, renewed);
    if (!app->used && app->timeline.tracks.tracks.n > 1) {
        app->timeline.top = 0;
        first_line(app);
    }
    if (app->startup.at || app->startup.window || app->startup.keys)
        apply_start(app);
}

bool app_start(struct app *app, const char *at, const char *window, const char *keys, struct err *err) {
    int64_t t;
    if (at && !session_time(app, at, &t))
        return err_set(err, ERR_NO_OFFSET, "--at expects a time: 1.5s, 250ms, 50%%");
    if (window && (!units_parse(window, strlen(window), &t) || t <= 0))
        return err_set(err, ERR_NO_OFFSET, "--window expects a duration: 40ms, 1.5s");
    const char *rest = keys;
    struct key key;
    while (rest && key_parse(&rest, &key))
        ;
    if (rest && *rest)
        return err_set(err, ERR_NO_OFFSET,
                       "--keys: no such key at character %zu ('<' itself is <lt>)",
                       (size_t)(rest - keys) + 1);
    app->startup.at = at;
    app->startup.window = window;
    app->startup.keys = keys;
    apply_start(app);
    return true;
}

bool app_idle(struct app *app) {
    struct budget budget = budget_until(IDLE_NS);
    return jobs_step(app, &budget);
}

/* ---- drawing ---- */

static void too_small(struct app *app) {
    struct grid *g = &app->grid;
    char text[48];
    snprintf(text, sizeof text, g->cols >= 17 ? "fxtop needs %dx%d" : "%dx%d!", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
    grid_ztext(g, 0, 0, g->cols, text, style_look(ROLE_TEXT));
}

/* If the trace was reloaded since the last update, the lines refer to threads that do not exist, or not yet. */
static void take_in_renewed(struct app *app) {
    if (app->reload.generation != trace_generation(app->trace))
        app_update(app);
}

void app_draw_title(struct app *app) {
    take_in_renewed(app);
    if (!app->layout.too_small)
        status_draw_title(app, app->views.current->ops->title);
}

void app_draw(struct app *app) {
    struct grid *g = &app->grid;
    take_in_renewed(app);
    bool lost = file_lost(trace_file(app->trace));
    grid_clear(g, style_look(ROLE_TEXT));
    app->dirty = false;
    if (app->layout.too_small) {
        too_small(app);
        return;
    }
    status_draw_title(app, app->views.current->ops->title);
    view_draw(app);
    if (app->layout.hint >= 0)
        command_hints(g, app->layout.hint, view_modes(app), app->drawer.focus ? NULL : app->views.current->ops->hints);
    if (file_lost(trace_file(app->trace)) != lost) /* noticed by looking at what is gone */
        status_draw_title(app, app->views.current->ops->title);
}

/* ---- keys ---- */

bool app_in_prompt(const struct app *app) {
    return app->prompts.line.active;
}

/* Is there a command of two keys that begins with this one? */
static bool is_prefix(uint32_t code, unsigned mode) {
    return code == 'z' && mode == MODE_TIMELINE;
}

void app_key(struct app *app, const struct key *key) {
    unsigned mode = view_modes(app);
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
        view_pointer(app, key);
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

/* ---- leaving and the rest: actions of the command table ---- */

void app_quit(struct app *app) {
    if (!view_leave(app))
        app->quit = true;
}

void app_quit_now(struct app *app) {
    app->quit = true;
}

void app_suspend(struct app *app) {
    app->suspend = true;
}

void app_redraw(struct app *app) {
    app->redraw = true;
}

void app_mouse(struct app *app) {
    app->mouse.on = !app->mouse.on;
    session_say(app, false, app->mouse.on ? "mouse on; Shift+drag selects text" : "mouse off: left to the terminal");
}
