/* draw_overview.c - the line above the tracks: how busy all threads are over the whole trace, the
 * part that the window shows, losses; and below it the hits of the search. A trace that has nothing
 * to be busy with shows how many events begin.
 *
 * While :only hides events, busy is the time that the remaining ones cover. The sums over all
 * threads are kept for a version of the trace, and of the filter. They are made in steps, so that
 * keys do not wait for all threads; sums of an older version are completed, then made again. While
 * the trace loads they are made again only after it has grown by a sixteenth. */
#include "ui/timeline/draw_overview.h"

#include <string.h>

#include "model/trace/trace_life.h"
#include "model/trace/trace_problems.h"
#include "src/base/own_trace.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gap.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/overview_events.h"
#include "ui/timeline/range/draw_range.h"

#define COLUMN_UNITS 2 /* to add a column of a thread */

/* The events that the sums have to be of, as overview.left. */
static uint32_t wanted(const struct timeline *timeline) {
    return draw_tracks_busy_of(timeline).changes;
}

static bool is_done(struct trace *trace, const struct timeline *timeline) {
    const struct overview *o = &timeline->overview;
    return o->columns == timeline->window.columns && o->version == trace_version(trace) &&
           o->left == wanted(timeline);
}

/* Is it worth to add up all threads again? While the trace loads, only after it has grown by a
 * sixteenth. */
static bool worth_it(struct trace *trace, const struct timeline *timeline) {
    const struct overview *o = &timeline->overview;
    uint64_t read = reader_offset(trace_reader(trace));
    return trace_state(trace) != TRACE_LOADING || o->columns != timeline->window.columns ||
           o->left != wanted(timeline) || read - o->read >= o->read / 16;
}

struct window draw_overview_window(const struct app *app) {
    struct window whole = app->timeline.window;
    window_whole(&whole, session_begin(app->trace, &app->timeline),
                 session_end(app->trace, &app->timeline, &app->reload), whole.columns);
    return whole;
}

/* The time from which scheduling may still come: writers put it after the slices of the same time.
 * A thread that began later would count as covered, next to CPUs that can run only a few.
 * INT64_MAX: it is complete, or ended long ago. */
static int64_t scheduled_until(const struct trace *trace) {
    const struct sched *sched = trace_sched(trace);
    int64_t last = INT64_MIN, begin = trace_begin(trace), end = trace_end(trace);
    if (trace_state(trace) == TRACE_COMPLETE && !trace_follows(trace))
        return INT64_MAX;
    for (size_t i = 0; i < sched_cpu_count(sched); i++) {
        const struct lane *lane = &sched_cpu(sched, i)->lane;
        last = lane->n > 0 && lane->start > last ? lane->start : last;
    }
    return last > begin && units_since(begin, last) >= units_since(begin, end) / 4 ? last
                                                                                   : INT64_MAX;
}

static void begin(struct app *app) {
    struct overview *o = &app->timeline.overview;
    int columns = app->timeline.window.columns;
    o->asking = draw_overview_window(app);
    memset(o->busy, 0, (size_t)columns * sizeof *o->busy);
    o->asking_running = o->asking_covered = false;
    o->asking_until = scheduled_until(app->trace);
    o->next = 0;
    o->read = reader_offset(trace_reader(app->trace));
    o->asking_version = trace_version(app->trace);
    o->asking_left = wanted(&app->timeline);
}

/* Turns the sums into levels. */
static void finish(struct overview *o, int columns) {
    double most = 0;
    for (int c = 0; c < columns; c++)
        most = o->busy[c] > most ? o->busy[c] : most;
    for (int c = 0; c < columns; c++) {
        int level = most > 0 ? (int)(o->busy[c] / most * 8 + 0.5) : 0;
        o->levels[c] = (unsigned char)(level == 0 && o->busy[c] > 0 ? 1 : level);
    }
    o->window = o->asking;
    o->running = o->asking_running;
    o->covered = o->asking_covered;
    o->counted = most > 0 && !o->running && !o->covered;
    o->next = 0;
    o->version = o->asking_version;
    o->left = o->asking_left;
    o->columns = columns;
}

/* Adds threads to the sums under way; false: time is up before the last one. */
static bool add_threads(struct app *app) {
    struct trace *trace = app->trace;
    struct timeline *timeline = &app->timeline;
    struct overview *o = &timeline->overview;
    int columns = timeline->window.columns;
    struct process_busy_of of = draw_tracks_busy_of(timeline);
    window_edges(&o->asking, timeline->edges);
    for (; o->next < trace_thread_count(trace); o->next++) {
        if (task_over(app->work))
            return false;
        struct thread *t = trace_thread(trace, o->next);
        bool runs = trace_thread_scheduled(trace, t) && o->asking_left == 0;
        if (!runs && o->asking_left == 0 && t->events > 0 && t->first > o->asking_until)
            continue;
        if (trace_thread_derived(trace, t))
            continue;
        o->asking_running = o->asking_running || runs;
        o->asking_covered = o->asking_covered || (!runs && nest_rows(&t->nest) > 0);
        process_busy_add(trace, t, &of, o->busy);
        task_spend(app->work, COLUMN_UNITS * (uint32_t)columns);
    }
    if (o->asking_running || o->asking_covered || o->asking_left != 0)
        return true;
    size_t part = o->next - trace_thread_count(trace);
    bool done = overview_events_add(trace, &part, timeline->edges, columns, o->busy, app->work);
    o->next = trace_thread_count(trace) + part;
    return done;
}

bool draw_overview_update(struct app *app) {
    struct overview *o = &app->timeline.overview;
    while (!is_done(app->trace, &app->timeline) && !task_over(app->work)) {
        if (o->next == 0 || o->asking.columns != app->timeline.window.columns ||
            o->asking_left != wanted(&app->timeline)) {
            if (!worth_it(app->trace, &app->timeline))
                return false;
            begin(app);
        }
        if (!add_threads(app))
            return true;
        finish(o, app->timeline.window.columns);
        if (trace_state(app->trace) == TRACE_LOADING)
            return false;
    }
    return !is_done(app->trace, &app->timeline);
}

bool draw_overview_hits(struct app *app, bool *news) {
    struct window whole = draw_overview_window(app);
    window_edges(&whole, app->timeline.edges);
    return !search_columns_step(app->find.search, app->timeline.edges, whole.columns, app->work,
                                news);
}

/* The level of a column of `whole`: the trace may have grown since the sums were made. */
static unsigned overview_level(const struct overview *o, const struct window *whole, int c) {
    if (o->columns == 0) /* not known yet */
        return 0;
    int k = window_column(&o->window, window_edge(whole, c));
    return k >= 0 && k < o->columns ? o->levels[k] : 0;
}

static void loss(struct app *app, const struct window *whole, int y, int64_t time) {
    int c = window_column(whole, time);
    if (c >= 0 && c < whole->columns)
        grid_put(&app->grid, app->layout.lane + c, y, grid_glyph(&app->grid, GLYPH_WARN),
                 style_look(ROLE_WARN));
}

/* Marks the times at which records were lost, by the writer or by damage. */
static void overview_losses(struct app *app, const struct window *whole, int y) {
    size_t n;
    const struct lost *lost = trace_lost(app->trace, &n);
    for (size_t i = 0; i < n && i < PROBLEM_KEPT; i++)
        if (lost[i].has_time)
            loss(app, whole, y, lost[i].time);
    const struct problems *problems = trace_damage(app->trace);
    for (int kind = PROBLEM_ZERO_SIZE; kind <= PROBLEM_TRUNCATED_RECORD; kind++)
        for (size_t i = 0; i < problem_case_count(&problems->kinds[kind]); i++)
            loss(app, whole, y, problem_case(&problems->kinds[kind], i)->time);
}

/* The meaning of busy, in full or as short as can be. */
static const char *meaning_of(const struct overview *o, bool brief) {
    if (o->left)
        return brief ? "only" : "only covered";
    if (o->running && o->covered)
        return brief ? "mixed" : "cpu/covered";
    if (o->running)
        return brief ? "cpu" : "cpu busy";
    if (o->covered)
        return brief ? "" : "covered";
    return o->counted && !brief ? "events" : "";
}

/* The heading names what busy means. */
static void draw_title(struct app *app, int y) {
    const struct overview *o = &app->timeline.overview;
    int gutter = app->layout.gutter,
        x = grid_ztext(&app->grid, 0, y, gutter, "overview", style_look(ROLE_DIM));
    const char *meaning = meaning_of(o, false);
    if (x + 1 + (int)strlen(meaning) > gutter)
        meaning = meaning_of(o, true);
    if (x + 1 + (int)strlen(meaning) <= gutter)
        grid_ztext(&app->grid, gutter - (int)strlen(meaning), y, gutter, meaning,
                   style_look(ROLE_DIM));
}

/* The selected event is a band, as long as it takes. */
static void draw_selection(struct app *app, const struct window *whole, int y) {
    const struct selection *now = &app->timeline.selection;
    const struct slice *s =
        selection_is_slice(now) ? session_slice(app->trace, &app->timeline) : NULL;
    if (!selection_any(now))
        return;
    int64_t end = s && !slice_open(s) ? slice_end(s) : now->time;
    int from = window_column(whole, now->time), to = window_column(whole, end);
    for (int c = from > 0 ? from : 0; c <= to && c < whole->columns; c++) {
        struct cell *cell = grid_at(&app->grid, app->layout.lane + c, y);
        if (cell)
            cell->look = style_look(ROLE_HEADER);
    }
}

void draw_overview(struct app *app) {
    TRACE_DURATION("draw", "overview");
    struct grid *g = &app->grid;
    int y = app->layout.overview, x = app->layout.lane, columns = app->timeline.window.columns;
    if (y < 0)
        return;
    struct window whole = draw_overview_window(app);
    if (app->timeline.overview.columns != columns || trace_state(app->trace) != TRACE_LOADING)
        draw_overview_update(app); /* the job of the overview does the rest */
    draw_title(app, y);
    draw_tracks_bar(app, y);
    int from = window_column(&whole, app->timeline.window.from);
    int to = window_column(&whole, window_edge(&app->timeline.window, columns - 1));
    if (from < 0)
        from = 0;
    else if (from >= columns)
        from = columns - 1;
    if (to < from)
        to = from;
    else if (to >= columns)
        to = columns - 1;
    bool all = from == 0 && to == columns - 1;
    for (int c = 0; c < columns; c++) {
        bool inside = !all && c >= from && c <= to;
        grid_put(g, x + c, y, grid_level(g, overview_level(&app->timeline.overview, &whole, c)),
                 style_look(inside ? ROLE_WINDOW_MARK : ROLE_OVERVIEW));
    }
    if (style_depth() == COLOR_MONO && !all) {
        if (from > 0)
            grid_put(g, x + from - 1, y, '[', style_look(ROLE_WINDOW_MARK));
        if (to + 1 < columns)
            grid_put(g, x + to + 1, y, ']', style_look(ROLE_WINDOW_MARK));
    }
    draw_selection(app, &whole, y);
    draw_gap_overview(app, &whole, y);
    draw_range_overview(app, &whole, y);
    overview_losses(app, &whole, y);
    int cursor = window_column(&whole, app->timeline.cursor);
    if (cursor >= 0 && cursor < columns)
        draw_tracks_mark(&app->grid, x + cursor, y);
    if (app->layout.hits < 0 || app->find.search == NULL)
        return;
    const unsigned char *flags = search_columns(app->find.search, columns);
    y = app->layout.hits;
    int end = grid_text(g, (struct grid_place){0, y, app->layout.gutter}, STR("/"),
                        style_look(ROLE_HIT), 0, false);
    grid_text(g, (struct grid_place){end, y, app->layout.gutter},
              str_of(search_pattern(app->find.search)), style_look(ROLE_HIT),
              TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), true);
    draw_tracks_bar(app, y);
    for (int c = 0; c < columns; c++)
        if (flags && flags[c])
            grid_put(g, x + c, y, grid_glyph(g, GLYPH_CURSOR), style_look(ROLE_HIT_BAR));
}
