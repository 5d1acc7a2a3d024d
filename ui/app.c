/* app.c - the controller: keys and news of the trace go in, a frame comes out. Coordinates as in
 * app.h.
 *
 * A key goes to the prompt, else through the command table (command.h) to an action; a pointer goes
 * to the current view (view.h). app_update() takes in what the trace has read since and keeps the
 * current line, the selection and the window where the user left them. app_draw() draws the title,
 * the current view and the hints. Background work is in jobs.h. */
#include "ui/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter/filter_lanes.h"
#include "model/store/problem.h"
#include "src/base/units.h"
#include "ui/aligned.h"
#include "ui/as_track.h"
#include "ui/asked.h"
#include "ui/command.h"
#include "ui/completions.h"
#include "ui/config/config.h"
#include "ui/config/keymap.h"
#include "ui/describe_view.h"
#include "ui/drawer/compare/tab_children.h"
#include "ui/drawer/compare/tab_why.h"
#include "ui/help.h"
#include "ui/hints.h"
#include "ui/jobs.h"
#include "ui/keep/keep_run.h"
#include "ui/keep/keep_session.h"
#include "ui/status.h"
#include "ui/timeline/colors.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/filters/track_filter.h"
#include "ui/timeline/find.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/marks.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/turns.h"
#include "ui/views/sql/view_sql.h"
#include "ui/views/view.h"
#include "ui/views/view_place.h"

/* of work between a key and its frame: what it asks for, then background work */
#define ANSWER_NS 5000000
#define IDLE_NS 3000000         /* of background work between two looks at the keyboard */
#define RELOAD_BYTES (4u << 20) /* read before the next frame, which needs to know the tracks */

/* ---- life ---- */

void app_init(struct app *app, struct trace *trace, int cols, int rows, bool ascii) {
    *app = (struct app){.trace = trace,
                        .find.problem_kind = PROBLEM_KINDS,
                        .dirty = true,
                        .key = {&app->answer},
                        .work = &app->key};
    grid_init(&app->grid, cols, rows, ascii);
    track_list_init(&app->timeline.tracks);
    app->timeline.tracks.least_depth = app->timeline.tracks.default_depth =
        cols < 100 || rows < 28 ? 3 : 8;
    session_fit_tracks(app);
    window_whole(&app->timeline.window, trace_window_begin(trace), trace_window_end(trace), 1);
    app->reload.version = UINT64_MAX;
    app->reload.generation = trace_generation(trace);
    view_init(app);
    app->views.write_help = help_write;
    app->views.describe = describe_view;
    session_layout(app);
    app_update(app);
}

void app_free(struct app *app) {
    search_free(app->find.search);
    search_free(app->find.kept);
    view_free(&app->views);
    prompt_free(&app->prompts.line);
    vec_free(&app->prompts.completion);
    file_names_free(&app->prompts.files);
    for (int i = 0; i < PROMPT_HISTORIES; i++)
        prompt_history_free(&app->prompts.history[i]);
    for (size_t i = 0; i < app->timeline.curves.n; i++)
        for (int k = 0; k < 2; k++)
            counter_series_free(app->timeline.curves.v[i].derived[k].series);
    vec_free(&app->timeline.curves);
    curve_group_free(&app->timeline);
    answer_drop(&app->drawer.same);
    answer_drop(&app->drawer.times[0]);
    answer_drop(&app->drawer.times[1]);
    answer_drop(&app->drawer.states);
    answer_drop(&app->drawer.hot);
    answer_drop(&app->drawer.children);
    answer_drop(&app->drawer.why);
    answer_drop(&app->drawer.pick);
    answer_drop(&app->range.slices);
    answer_drop(&app->flow.stats);
    answer_drop(&app->flow.ranged);
    free(app->startup.session);
    free(app->startup.config_later);
    keymap_free(&app->keymap);
    vec_free(&app->requests.copy);
    keep_run_free(&app->requests.run);
    marks_free(&app->marks);
    range_free(&app->range.range);
    range_free(&app->range.kept);
    range_free(&app->range.dropped);
    track_set_free(&app->range.tagged);
    track_filter_free(&app->timeline);
    filter_lanes_free(app->timeline.only);
    vec_free(&app->timeline.back);
    vec_free(&app->timeline.forth);
    track_list_free(&app->timeline.tracks);
    grid_free(&app->grid);
    free(app->timeline.edges);
    free(app->timeline.spans);
    free(app->timeline.dense);
    as_track_free(app);
    colors_free(app);
    draw_instants_free(&app->timeline);
    process_busy_free(&app->timeline.busy);
    free(app->timeline.overview.levels);
    free(app->timeline.overview.busy);
    free(app->timeline.drawn[0].v);
    free(app->timeline.drawn[1].v);
}

/* ---- the current line and the scrolled position ---- */

/* Threads are as deep as the screen is free for, until the user chooses a window. */
static void update_tracks(struct app *app) {
    struct timeline *timeline = &app->timeline;
    timeline->tracks.screen_lines = timeline->window_mode == WINDOW_PLACED || app->drawer.open
                                        ? 0
                                        : (uint32_t)app->layout.track_rows;
    tracks_update_in_place(app->trace, timeline);
    timeline->tracks.screen_lines = 0;
}

/* After a zoom: which threads have nothing in the window? A pan does not ask, so that rows stay
 * where they are. */
static void decide_gone(struct app *app) {
    struct timeline *timeline = &app->timeline;
    const struct window *w = &timeline->window;
    if (w->width == timeline->decided_width && w->columns == timeline->decided_columns)
        return;
    timeline->decided_width = w->width;
    timeline->decided_columns = w->columns;
    const struct track_gone_window window = {
        w->from, w->from + w->width, window_per_column(w),
        app->layout.track_rows > 0 ? (uint32_t)app->layout.track_rows : 0};
    if (track_list_decide(&timeline->tracks, app->trace, &window,
                          timeline->touched ? session_track(timeline) : NULL))
        update_tracks(app);
}

/* Scrolls so that the current line is on the screen: a third from the top after a jump, so that its
 * children are there, too. A pinned line always is: then only the end of all lines counts. */
static void scroll_to_line(struct app *app) {
    struct timeline *timeline = &app->timeline;
    int pinned = session_pinned_rows(app), height = app->layout.track_rows - pinned - (pinned > 0);
    uint64_t rows = height > 0 ? (uint64_t)height : 1, first = timeline->tracks.pinned;
    uint64_t last = timeline->tracks.lines > rows ? timeline->tracks.lines - rows : 0;
    if (timeline->top < first)
        timeline->top = first;
    if (timeline->line < first && timeline->top > last)
        timeline->top = last > first ? last : first;
    if (timeline->line < first)
        return;
    bool above = timeline->line + 1 < timeline->top, below = timeline->line > timeline->top + rows;
    if (above || below)
        timeline->top = timeline->line > first + rows / 3 ? timeline->line - rows / 3 : first;
    else if (timeline->line < timeline->top)
        timeline->top = timeline->line;
    else if (timeline->line >= timeline->top + rows)
        timeline->top = timeline->line - rows + 1;
    if (below && timeline->top > last)
        timeline->top = last > first ? last : first;
}

void app_resize(struct app *app, int cols, int rows) {
    grid_resize(&app->grid, cols, rows);
    session_layout(app);
    int64_t end = session_end(app->trace, &app->timeline, &app->reload);
    if (app->timeline.cursor > end) /* a wider window had space after the trace */
        app->timeline.cursor = end;
    session_fit_tracks(app);
    scroll_to_line(app);
    view_resize(&app->views);
    turns_key(app); /* columns are asked again */
}

/* ---- --at, --window and --keys ---- */

/* Keys that are played without a screen wait for the whole trace, also after R. */
static void wait_for_trace(struct app *app) {
    if (!app->printed || trace_state(app->trace) != TRACE_LOADING)
        return;
    while (trace_state(app->trace) == TRACE_LOADING)
        trace_read(app->trace, UINT64_C(64) << 20);
    app_update(app);
}

void app_play(struct app *app) {
    const char *keys = app->startup.keys;
    struct key key;
    app->startup.keys = NULL;
    app->startup.playing = true;
    while (keys && !app->requests.quit && !app->requests.run.argv && key_parse(&keys, &key)) {
        app_key(app, &key);
        wait_for_trace(app);
    }
    app->startup.playing = false;
    if (app->requests.run.argv)
        app->startup.keys = keys;
    app->answer = budget_units(0);
}

static bool is_range(const char *window) {
    return window && strstr(window, "..");
}

/* False: it is a range that is none in the trace. */
static bool apply_window(struct app *app, struct err *err) {
    struct range range = {0};
    int64_t width;
    if (is_range(app->startup.window)) {
        if (!session_typed_range(app, app->startup.window, &range, err))
            return false;
        window_set(&app->timeline.window, range.from, units_since(range.from, range.to));
    } else if (app->startup.window && session_duration(app->startup.window, &width)) {
        if (width > app->timeline.window.hi - app->timeline.window.lo)
            move_show_whole(app, SHOWN_SPAN);
        window_set(&app->timeline.window, app->timeline.window.from, width);
    }
    return true;
}

/* The input pauses before the end of the range: more of it may come, until the user moves. */
static bool window_pends(const struct app *app, bool found) {
    const struct window *w = &app->timeline.window;
    return is_range(app->startup.window) && trace_state(app->trace) == TRACE_WAITING &&
           (!found || w->from + w->width >= trace_end(app->trace));
}

/* --window of a trace that is read so far; it pends if that is not all of the range. */
static bool start_window(struct app *app) {
    struct err err;
    bool loads = trace_state(app->trace) == TRACE_LOADING, pended = app->startup.window_pends;
    if (pended && app->timeline.touched)
        app->startup.window = NULL;
    bool given = app->startup.window != NULL, found = apply_window(app, &err);
    app->startup.window_pends = window_pends(app, found);
    if (!found && !loads)
        session_say(app, true, "--window: %s%s", err.text,
                    app->startup.window_pends ? " so far" : "");
    else if (pended && given && app->message.is_error)
        session_say(app, false, "%s", "");
    return given && found;
}

/* Applies --at and --window to as much of the trace as there is, and --keys when all is read. */
static void apply_start(struct app *app) {
    struct err err;
    int64_t t;
    if (trace_state(app->trace) != TRACE_LOADING)
        tracks_finish(app); /* of which lines are asked for next */
    if (trace_state(app->trace) != TRACE_LOADING)
        config_finish(app);
    if (app->startup.session && trace_state(app->trace) != TRACE_LOADING)
        keep_session_apply(app);
    bool placed = start_window(app) || app->startup.at;
    if (app->startup.at && session_time(app, app->startup.at, &t)) {
        int64_t lo = trace_begin(app->trace), hi = trace_end(app->trace), at = t;
        if (at > hi)
            at = hi;
        if (t < lo)
            at = lo;
        session_reach(app, at);
        app->timeline.cursor = at;
        if (app->startup.window && !is_range(app->startup.window))
            window_center(&app->timeline.window, at);
        else
            window_reveal(&app->timeline.window, at);
        if (trace_state(app->trace) != TRACE_LOADING)
            find_say_outside(app, t);
    }
    decide_gone(app);
    if (trace_state(app->trace) == TRACE_LOADING)
        return;
    if (app->startup.at && !session_time(app, app->startup.at, &t)) {
        char why[320];
        session_say(app, true, "--at: %s", session_not_a_time(app, app->startup.at, why));
    }
    if (placed)
        app->timeline.window_mode = WINDOW_PLACED;
    if (!app->startup.window_pends)
        app->startup.at = app->startup.window = NULL;
    if (!asked_apply(app, &err))
        session_say(app, true, "%s", err.text);
    app_play(app);
}

bool app_start(struct app *app, const char *at, const char *window, const char *keys,
               struct err *err) {
    int64_t t;
    bool loads = trace_state(app->trace) == TRACE_LOADING;
    bool later = loads && at && (time_text_is_wall(at, strlen(at)) || *at == '\'');
    if (at && !later && !session_time(app, at, &t)) {
        char why[320];
        return err_set(err, ERR_NO_OFFSET, "--at: %s", session_not_a_time(app, at, why));
    }
    if (window && !is_range(window) && (!session_duration(window, &t) || t <= 0))
        return err_set(err, ERR_NO_OFFSET, "--window expects a duration or a range: 40ms, 1s..2s");
    struct range range = {0};
    struct err why;
    bool grows = trace_state(app->trace) != TRACE_COMPLETE && !app->printed;
    if (!grows && is_range(window) && !session_typed_range(app, window, &range, &why))
        return err_set(err, ERR_NO_OFFSET, "--window: %.200s", why.text);
    const char *rest = keys;
    struct key key;
    while (rest && key_parse(&rest, &key))
        ;
    if (rest && *rest)
        return err_set(err, ERR_NO_OFFSET,
                       "--keys: no such key at character %zu ('<' itself is <lt>)",
                       (size_t)(rest - keys) + 1);
    if (!asked_check(app, err))
        return false;
    if (app->startup.config)
        config_take(app, app->startup.config);
    app->startup.at = at;
    app->startup.window = window;
    app->startup.keys = keys;
    apply_start(app);
    return true;
}

/* ---- what the trace has read since ---- */

enum news {
    NEWS_FIRST,    /* the first events, or the base of times has changed: times mean nothing now */
    NEWS_RELOADED, /* the file is read again from its begin */
    NEWS_MORE,     /* more events */
};

static enum news news_of(struct trace *trace, const struct reload_state *reload) {
    if (reload->version == UINT64_MAX)
        return NEWS_FIRST;
    if (reload->generation == trace_generation(trace))
        return NEWS_MORE;
    return reload->reloads != trace_reloads(trace) ? NEWS_RELOADED : NEWS_FIRST;
}

/* Begins to read again: window, end and selection are held until the trace has them again. */
static void hold(struct app *app) {
    app->reload.reloads = trace_reloads(app->trace);
    app->reload.held = app->timeline.selection;
    app->reload.phase = RELOAD_READING;
    app->reload.reported = false;
}

/* Forgets all that names times or events of the trace as it was. */
static void forget(struct app *app) {
    app->reload.phase = RELOAD_NONE;
    app->timeline.back.n = app->timeline.forth.n = 0;
    app->timeline.window_mode = WINDOW_WHOLE;
    find_cancelled(app);
    search_free(app->find.search);
    app->find.search = NULL;
    app->find.has_landed = app->find.hits_known = false;
    app->find.changes++;
    ranges_update(app, true);
    marks_free(&app->marks);
}

/* The trace has another generation: events have other places. */
static void begin_generation(struct app *app, enum news news) {
    if (app->reload.generation == trace_generation(app->trace))
        return;
    app->reload.generation = trace_generation(app->trace);
    app->timeline.overview.columns = 0;
    app->timeline.overview.next = 0;
    if (news == NEWS_RELOADED)
        hold(app);
    else
        forget(app);
    app->timeline.selection = (struct selection){0};
    app->timeline.gap.any = false;
}

static void update_selection(struct app *app) {
    struct selection *selection = &app->timeline.selection, held = app->reload.held;
    if (!selection_find(app->trace, selection))
        *selection = (struct selection){0};
    if (app->reload.phase != RELOAD_READING)
        return;
    if (!selection_any(selection) && selection_any(&held) && selection_find(app->trace, &held)) {
        *selection = held;
        app->reload.held = (struct selection){0};
    }
    if (trace_state(app->trace) != TRACE_LOADING) {
        app->reload.phase = RELOAD_NONE;
        app->reload.held = (struct selection){0};
    }
}

/* All of the trace until the user moves the window; then it stays, or goes along with the end if it
 * shows that. */
static void update_window(struct app *app, bool held) {
    struct window *window = &app->timeline.window;
    int64_t origin = session_begin(app->trace, &app->timeline), before = app->reload.end;
    int64_t end = session_end(app->trace, &app->timeline, &app->reload);
    bool at_end = app->timeline.window_mode == WINDOW_PLACED &&
                  window->from + window->width > before && !held;
    app->reload.end = end;
    if (app->timeline.window_mode == WINDOW_PLACED)
        window_limits(window, origin, end, window->columns);
    else
        window_whole(window, origin, end, window->columns);
    if (at_end && end > before)
        window_set(window, window->from + (end - before), window->width);
    if (trace_follows(app->trace) && app->timeline.cursor == before && end > before)
        app->timeline.cursor = end; /* it was at the end, so it stays there */
}

static void update_cursor(struct app *app, enum news news) {
    struct timeline *timeline = &app->timeline;
    int64_t origin = session_begin(app->trace, timeline),
            end = session_end(app->trace, timeline, &app->reload);
    bool untouched =
        /* an earlier event may still come */
        !app->timeline.touched && timeline->window_mode == WINDOW_WHOLE;
    if (untouched && trace_follows(app->trace)) /* new events are at the end */
        timeline->cursor = end;
    else if (news == NEWS_FIRST || timeline->cursor < origin || untouched)
        timeline->cursor = origin;
    else if (timeline->cursor > end)
        timeline->cursor = end;
}

void app_update(struct app *app) {
    struct timeline *timeline = &app->timeline;
    enum news news = news_of(app->trace, &app->reload);
    bool renewed = app->reload.generation != trace_generation(app->trace);
    if (app->reload.version == trace_version(app->trace))
        return;
    begin_generation(app, news);
    app->reload.version = trace_version(app->trace);
    update_tracks(app);
    bool held = app->reload.phase == RELOAD_READING;
    update_selection(app);
    update_window(app, held);
    update_cursor(app, news);
    app->find.hits_known = false;
    app->dirty = true;
    session_fit_drawer(app);
    if (!timeline->touched)
        /* new events may be in the window: the rows of a picture without keys may move */
        timeline->decided_width = 0;
    decide_gone(app);
    view_update(app, renewed);
    ranges_update(app, false);
    tracks_first(app->trace, timeline);
    scroll_to_line(app); /* the list of tracks may be shorter now */
    const struct question_texts *asked = &app->startup.asked;
    if (app->startup.at || app->startup.window || app->startup.keys || asked->range ||
        asked->tracks || asked->filter || app->startup.session || app->startup.config_later)
        apply_start(app);
    aligned_say(app);
}

/* ---- a file that changes ---- */

static void begin_again(struct app *app) {
    trace_step(app->trace, RELOAD_BYTES);
    app_update(app);
}

static bool reload(struct app *app, struct err *err) {
    view_sql_halt(app);
    as_track_halt(app);
    bool done = trace_reload(app->trace, err);
    if (done)
        begin_again(app);
    return done;
}

void app_reload(struct app *app) {
    struct err err;
    if (reload(app, &err))
        session_say(app, false, "reloaded");
    else
        session_say(app, true, "cannot reload: %s", err.text);
}

void app_reload_damaged(struct app *app) {
    struct err err;
    if (reload(app, &err))
        session_say(app, false, "the cached index was damaged: reloading the trace");
    else
        app->requests.quit = QUIT_ASKED; /* neither index nor file can be read */
}

void app_follow(struct app *app) {
    bool on = !trace_follows(app->trace);
    struct err err;
    view_sql_halt(app);
    as_track_halt(app);
    if (!trace_follow(app->trace, on, &err)) {
        session_say(app, true, "%s", err.text);
        return;
    }
    begin_again(app);
    if (on && app->timeline.window_mode == WINDOW_PLACED)
        move_end(app);
    session_say(app, false, on ? "following the file; F stops" : "stopped following");
}

/* A followed file that another one replaced. It may be no trace so far: then it is tried again at
 * the next look. */
static void reload_replaced(struct app *app) {
    struct err err;
    if (reload(app, &err)) {
        session_say(app, false, "the file was replaced: reloaded");
    } else if (!app->reload.reported) {
        app->reload.reported = true;
        session_say(app, true, "the file was replaced: %s", err.text);
    }
}

void app_watch(struct app *app) {
    enum file_change change = file_changed(trace_file(app->trace));
    if (trace_follows(app->trace)) {
        if (change == FILE_OTHER)
            reload_replaced(app);
    } else if (change != FILE_SAME && !app->reload.reported) {
        app->reload.reported = true;
        session_say(app, false, "the file %s: R reloads it%s",
                    change == FILE_GREW ? "has grown" : "has changed",
                    change == FILE_GREW ? ", F follows it" : "");
    }
}

/* ---- drawing ---- */

static void draw_too_small(struct grid *g) {
    char text[48];
    snprintf(text, sizeof text, g->cols >= 17 ? "fxtop needs %dx%d" : "%dx%d!", LAYOUT_MIN_COLS,
             LAYOUT_MIN_ROWS);
    grid_ztext(g, 0, 0, g->cols, text, style_look(ROLE_TEXT));
}

/* In another generation of the trace, the threads that the lines name may not exist. */
static void update_generation(struct app *app) {
    if (app->reload.generation != trace_generation(app->trace))
        app_update(app);
}

static void draw_title(struct app *app) {
    status_draw_title(app, app->views.current->ops->title, view_filter(app));
}

void app_draw_title(struct app *app) {
    update_generation(app);
    if (!app->layout.too_small)
        draw_title(app);
}

void app_draw(struct app *app) {
    struct grid *g = &app->grid;
    update_generation(app);
    bool lost = file_lost(trace_file(app->trace));
    grid_clear(g, style_look(ROLE_TEXT));
    app->dirty = false;
    if (app->layout.too_small) {
        draw_too_small(g);
        return;
    }
    draw_title(app);
    view_draw(&app->views);
    completions_draw(app);
    hints_draw(app);
    app->answer = budget_units(0); /* the key is answered */
    /* drawing read a part of the file that is gone */
    if (file_lost(trace_file(app->trace)) != lost)
        draw_title(app);
}

/* ---- background work and keys ---- */

bool app_idle(struct app *app) {
    struct budget budget = budget_until(IDLE_NS);
    bool more = jobs_step(app, TASK_WITHIN(&budget));
    scroll_to_line(app); /* the list of tracks may be shorter now */
    return more;
}

bool app_in_prompt(const struct app *app) {
    return app->prompts.line.active;
}

/* Whether a command of two keys begins with this one. */
static bool is_prefix(uint32_t code, unsigned mode) {
    return (code == 'z' || code == 'm' || code == '\'') && mode == MODE_TIMELINE;
}

/* The command of a key, or of the second key after a prefix: first of the user's keys, then of the
 * manual's. A mark's letter is itself. */
static void run_key(struct app *app, uint32_t typed) {
    struct keymap *map = &app->keymap;
    unsigned mode = view_modes(app);
    uint32_t before = app->timeline.prefix, own = map->prefix;
    bool marks = before == 'm' || before == '\'', mapped = !app->startup.playing && !marks;
    uint32_t key = mapped ? keymap_key(map, typed, mode) : typed;
    uint64_t keys = own ? (uint64_t)own << 32 | typed : typed;
    const char *line = mapped ? keymap_line(map, keys, mode) : NULL;
    bool waits = mapped && line == NULL && own == 0 && keymap_prefix(map, typed, mode);
    bool first = line == NULL && own == 0 && before == 0 && is_prefix(key, mode);
    app->dirty = app->dirty || before || own || waits || first; /* the hints change */
    map->prefix = waits ? typed : 0;
    app->timeline.prefix = first ? key : 0;
    if (line)
        command_line(app, line);
    if (line || waits || first)
        return;
    if (marks && key != KEY_ESCAPE) {
        (before == 'm' ? marks_set : marks_jump)(app, key);
        return;
    }
    const struct command *command =
        own && !before ? NULL : command_for_next(app, before, key, mode);
    if (command == NULL) {
        hints_unknown_key(app, (uint64_t)(before ? before : own) << 32 | key);
        return;
    }
    command_run(app, command);
    app->dirty = true;
}

/* Takes in what may have moved the events that keys speak of. While a trace loads, the rest waits
 * for app_update(): the list of many tracks takes some ms, and a key may ask for another list. */
static void update_for_key(struct app *app) {
    bool known =
        app->reload.version != UINT64_MAX && app->reload.generation == trace_generation(app->trace);
    if (known && trace_state(app->trace) == TRACE_LOADING)
        update_selection(app);
    else
        app_update(app);
}

void app_key(struct app *app, const struct key *key) {
    uint32_t code = key->code;
    if (code == KEY_NONE || code == KEY_TIMEOUT || code == KEY_RESIZED)
        return;
    app->timeline.touched = true;
    (app->startup.playing ? tracks_finish : view_place_forget)(app);
    app->answer = app->startup.playing ? budget_endless() : budget_until(ANSWER_NS);
    update_for_key(app);
    if (app->message.text[0] && !(code == KEY_POINTER && key->what == POINTER_RELEASE)) {
        app->message.text[0] = 0;
        app->dirty = true;
    }
    if (code == KEY_CTRL('c') && !app->prompts.line.active) {
        app->requests.quit = view_sql_stop(app) ? QUIT_NO : QUIT_INTERRUPTED;
        return;
    }
    bool back = app->offsets.fresh && code == 'u' && !app->prompts.line.active;
    app->offsets.fresh = false;
    if (app->prompts.line.active) {
        command_prompt_key(app, key);
        app->dirty = true;
    } else if (back) {
        command_line(app, "offset-back");
        app->offsets.fresh = false;
    } else if (code == KEY_POINTER) {
        app->find.problem_tag = app->timeline.ran = 0;
        view_pointer(&app->views, key);
        app->dirty = true;
    } else {
        run_key(app, key->code);
    }
    if (!view_is(&app->views, MODE_TIMELINE | MODE_DRAWER))
        ranges_keep(app);
    ranges_follow(app);
    session_fit_drawer(app);
    decide_gone(app);
    scroll_to_line(app);
    turns_key(app);
    /* else after the frame */
    if (!app->startup.playing && trace_state(app->trace) != TRACE_LOADING) {
        jobs_step(app, &app->key);
        scroll_to_line(app);
    }
}

/* ---- leaving and the rest: actions of the command table ---- */

void app_quit(struct app *app) {
    if (!view_leave(app))
        app->requests.quit = QUIT_ASKED;
}

void app_quit_now(struct app *app) {
    app->requests.quit = QUIT_ASKED;
}

void app_suspend(struct app *app) {
    app->requests.suspend = true;
}

void app_redraw(struct app *app) {
    app->requests.redraw = true;
}

void app_mouse(struct app *app) {
    app->mouse.on = !app->mouse.on;
    session_say(app, false,
                app->mouse.on ? "mouse on; Shift+drag selects text"
                              : "mouse off: left to the terminal");
}
