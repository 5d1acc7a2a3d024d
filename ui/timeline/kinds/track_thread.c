/* track_thread.c - a thread: rows of slices by depth. Its scheduling states are in the gaps of the
 * first row; without slices they are a strip of their own.
 *
 * Instants and large blobs are on the row of the slice around them. */
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/process_label.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gap.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/kinds/draw_states.h"
#include "ui/timeline/track_ops.h"

static uint32_t count(struct trace *trace) {
    return (uint32_t)trace_thread_count(trace);
}

static struct sched_thread *states(struct trace *trace, uint32_t of) {
    return sched_thread(trace_sched(trace), of);
}

/* ---- slices ---- */

static uint32_t own_thread(struct trace *trace, const struct selection *selection) {
    (void)trace;
    return selection->of;
}

static struct lane *slice_lane(struct trace *trace, const struct selection *selection) {
    return nest_row(&trace_thread(trace, selection->of)->nest, selection->row);
}

static bool slice_find(struct trace *trace, struct selection *selection) {
    return selection->of < count(trace) &&
           trace_find_slice(trace_thread(trace, selection->of), selection->time, selection->offset,
                            &selection->row, &selection->i);
}

static bool parent_slice(struct trace *trace, const struct selection *selection,
                         struct selection *parent) {
    const struct thread *t = trace_thread(trace, selection->of);
    uint32_t row, i;
    if (!nest_parent(&t->nest, trace_slice_extra(trace), selection->row, selection->i, &row, &i))
        return false;
    *parent = selection_of_slice(t, row, i);
    return true;
}

const struct selection_ops track_thread_slice = {.track = &track_thread,
                                                 .nested = true,
                                                 .named = true,
                                                 .searched = true,
                                                 .lane = slice_lane,
                                                 .find = slice_find,
                                                 .thread = own_thread,
                                                 .parent = parent_slice};

/* ---- states ---- */

static struct lane *state_lane(struct trace *trace, const struct selection *selection) {
    struct sched_thread *t = states(trace, selection->of);
    return t ? &t->lane : NULL;
}

static bool state_find(struct trace *trace, struct selection *selection) {
    struct lane *lane = state_lane(trace, selection);
    return lane && selection_find_in(selection, 0, lane);
}

const struct selection_ops track_thread_state = {.track = &track_thread,
                                                 .strip = true,
                                                 .searched = true,
                                                 .hits = SLICE_ITER_STATE_TRACK,
                                                 .lane = state_lane,
                                                 .find = state_find,
                                                 .thread = own_thread};

/* ---- instants ---- */

static size_t instant_count(struct trace *trace, uint32_t of) {
    return of < count(trace) ? trace_instant_count(trace_thread(trace, of)) : 0;
}

static struct moment instant_moment(struct trace *trace, uint32_t of, size_t i) {
    size_t n;
    const struct instant *in = &trace_instants(trace_thread(trace, of), &n)[i];
    return (struct moment){in->time, event_offset(in->packed)};
}

/* The row of the innermost slice around it. */
static uint32_t instant_row(struct trace *trace, uint32_t of, size_t k) {
    uint32_t row, i;
    return trace_point_slice(trace, &(struct trace_point){of, instant_moment(trace, of, k), false},
                             &row, &i)
               ? row
               : 0;
}

static int64_t instant_later(struct trace *trace, uint32_t of, uint32_t row, int64_t t) {
    return nest_deeper_until(&trace_thread(trace, of)->nest, row, t);
}

static int64_t instant_same(struct trace *trace, uint32_t of, uint32_t row, int64_t t) {
    return nest_same_until(&trace_thread(trace, of)->nest, row, t);
}

/* Shows the scope: the thread, its process, or all. */
static uint32_t instant_glyph(struct app *app, uint64_t offset) {
    struct detail d;
    bool ascii = app->grid.ascii;
    if (blob_event(trace_blobs(app->trace), offset))
        return ascii ? 'b' : 0x25A0;
    if (detail_open(&d, app->trace, offset) && d.record.kind == FXT_K_INSTANT &&
        d.record.scope.present) {
        if (d.record.scope.value == 1)
            return ascii ? 'p' : 0x25C7;
        if (d.record.scope.value == 2)
            return ascii ? 'g' : 0x25CF;
    }
    return grid_glyph(&app->grid, GLYPH_INSTANT);
}

const struct selection_ops track_thread_instant = {.track = &track_thread,
                                                   .searched = true,
                                                   .count = instant_count,
                                                   .moment = instant_moment,
                                                   .row = instant_row,
                                                   .later = instant_later,
                                                   .same = instant_same,
                                                   .glyph = instant_glyph,
                                                   .thread = own_thread};

/* ---- the track ---- */

static uint32_t process(struct trace *trace, uint32_t of) {
    return trace_thread(trace, of)->process;
}

/* A thread is shown for its slices, or for its strip alone. */
static bool shown(const struct track_list *list, struct trace *trace, uint32_t of) {
    const struct track_shape *shape = &list->lives.shapes.v[of];
    (void)trace;
    return (shape->slices && list->set == LIST_ALL) ||
           (shape->states && track_list_shows(list, &track_thread));
}

static void measure(const struct track_list *list, struct trace *trace, struct track *track) {
    const struct track_shape *shape = &list->lives.shapes.v[track->of];
    uint32_t rows = 0;
    (void)trace;
    track->strip = shape->states && (shape->rows == 0 || list->set != LIST_ALL);
    if (list->set == LIST_ALL && !shape->marks)
        rows = shape->rows > 0 ? shape->rows : shape->slices;
    bool one = shape->derived && !track_list_shows_more(list, track->process);
    track_list_measure(list, track, rows, one ? 1 : list->default_depth);
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0;
    (void)trace;
    for (size_t i = 0; i < list->lives.shapes.n; i++) {
        const struct track_shape *shape = &list->lives.shapes.v[i];
        uint32_t most = shape->derived ? 1 : depth;
        if (track_list_quiet(list, (uint32_t)i))
            continue;
        n += shape->rows < most ? shape->rows : most;
        if (shape->rows == 0)
            n += shape->states + (shape->slices && !shape->marks);
    }
    return n;
}

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    bool named;
    return trace_thread_name(trace, trace_thread(trace, track->of), buf, &named);
}

static void line_of(struct trace *trace, struct track_line *line) {
    const struct track *track = line->track;
    const struct thread *t = trace_thread(trace, track->of);
    if (track->strip && line->row == 0) {
        line->slices = &track_thread_state;
        line->lane = &states(trace, track->of)->lane;
        if (track->height == 1 && nest_rows(&t->nest) == 0)
            line->moments = &track_thread_instant;
        return;
    }
    line->row -= track->strip;
    if (line->row == 0 && !track->strip && states(trace, track->of)) {
        line->gaps = &states(trace, track->of)->lane;
        line->gaps_kind = &track_thread_state;
    }
    line->slices = &track_thread_slice;
    line->moments = &track_thread_instant;
    line->lane = line->row < nest_rows(&t->nest) ? nest_row(&t->nest, line->row) : NULL;
}

/* An alone thread is called by its process, and by its own name if that is another one. */
static struct str called(struct trace *trace, const struct track *track, char buf[PROCESS_LABEL]) {
    char own[40], of[96];
    bool named;
    const struct thread *t = trace_thread(trace, track->of);
    size_t label = track->alone ? process_label(trace, t->process, buf) : 0;
    if (label > 0)
        return (struct str){buf, label};
    if (!track->alone)
        return trace_thread_name(trace, t, buf, &named);
    struct str thread = trace_thread_name(trace, t, own, &named),
               process = track_process.name(trace, track, of);
    if (!named || str_eq(thread, process))
        thread.n = 0;
    size_t half = thread.n > 0 ? PROCESS_LABEL / 2 - 1 : PROCESS_LABEL - 1;
    int n = snprintf(buf, PROCESS_LABEL, "%.*s%s%.*s", str_head(process, half), process.s,
                     thread.n > 0 ? " " : "", str_head(thread, half), thread.s);
    return (struct str){buf, (size_t)n};
}

#define DEPTH_SHOWN 8 /* rows from which on the gutter shows their depth */
#define SHARES 5

struct share {
    const char *name;
    int64_t ns;
};

/* Appends " wait 3%", and returns the length. */
static int put_share(char *text, size_t size, const struct share *share, int64_t of) {
    int percent = (int)((double)share->ns / (double)of * 100 + 0.5);
    bool few = percent == 0 && share->ns > 0;
    return snprintf(text, size, " %s %s%d%%", share->name, few ? "<" : "", few ? 1 : percent);
}

/* Empties the text of the least share of those that have one, and returns its length. */
static int drop_least(char text[SHARES][24], const struct share *v) {
    int least = 0, n;
    for (int i = 1; i < SHARES; i++)
        if (text[i][0] && (text[least][0] == 0 || v[i].ns <= v[least].ns))
            least = i;
    n = (int)strlen(text[least]);
    text[least][0] = 0;
    return n;
}

/* The shares are of the thread's life in the window. */
static struct sched_shares shares_of(const struct app *app, const struct sched_thread *t) {
    const int64_t *edges = app->timeline.edges, end = units_sum(trace_end(app->trace), 1);
    int64_t last = edges[app->timeline.window.columns];
    return sched_life_shares(t, edges[0], last < end ? last : end);
}

/* "wait 3% blocked 76%", besides the share that it ran; the least ones are left out if there is no
 * space. The rest, such as dying, is "other"; states that the recorder did not see are unknown. */
static void shares(struct app *app, int y, const struct track *track,
                   const struct sched_thread *t) {
    int cells = app->layout.gutter, n = 0;
    struct sched_shares s = shares_of(app, t);
    bool told = trace_kind_count(app->trace, FXT_K_WAKEUP) > 0; /* else it may wait for a CPU */
    int64_t all_time = s.alive + s.unknown;
    struct share v[SHARES] = {{"wait", s.wait},
                              {told ? "blocked" : "not run", s.blocked},
                              {"suspended", s.suspended},
                              {"other", s.alive - s.run - s.wait - s.blocked - s.suspended},
                              {"unknown", s.unknown}};
    char text[SHARES][24], all[SHARES * 24];
    if (all_time <= 0)
        return;
    if (track->height + track->deeper > DEPTH_SHOWN) /* the depth is at the right */
        cells -= 3;
    for (int i = 0; i < SHARES; i++) {
        text[i][0] = 0;
        if ((double)v[i].ns * 200 >= (double)all_time)
            n += put_share(text[i], sizeof text[i], &v[i], all_time);
    }
    while (n > 0 && n > cells)
        n -= drop_least(text, v);
    snprintf(all, sizeof all, "%s%s%s%s%s", text[0], text[1], text[2], text[3], text[4]);
    if (n > 1)
        grid_ztext(&app->grid, 1, y, app->layout.gutter, all + 1, style_look(ROLE_DIM));
}

/* "  29%": the share of its life in the window that the thread ran; empty without scheduling, and
 * of a thread that idles. */
static int put_ran(const struct app *app, struct thread *thread, const struct sched_thread *t,
                   char *buf, size_t size) {
    struct sched_shares s = {0};
    if (t && !trace_thread_idle(app->trace, thread))
        s = shares_of(app, t);
    int64_t all = s.alive + s.unknown;
    if (all <= 0)
        return snprintf(buf, size, "%s", "");
    return put_share(buf, size, &(struct share){"", s.run}, all);
}

/* The visible part of a cut name has the number: "thread 4711 (pyth~", "worker o~4711". */
static bool has_number(struct str name, const char *number, int cells) {
    size_t n = strlen(number);
    for (size_t i = 0; i + n <= name.n; i++)
        if (((int)(i + n) <= cells || (i + n == name.n && (int)n <= cells / 2)) &&
            memcmp(name.s + i, number, n) == 0)
            return true;
    return false;
}

#define LEAST_OF_PROCESS 4 /* cells */

/* "render_s… ui": where "render_svc ui" is too long, the process gives way. */
static void keep_thread(struct app *app, struct grid_place at, struct str name, struct str thread,
                        struct look look) {
    size_t cells = at.right > at.x ? (size_t)(at.right - at.x) : 0, before = name.n - thread.n,
           width = text_width(thread, TEXT_TRACK, cells);
    if (before < 2 || name.n < thread.n || memcmp(name.s + before, thread.s, thread.n) != 0 ||
        name.s[before - 1] != ' ' || text_width(name, TEXT_TRACK, cells + 1) <= cells ||
        width + 1 + LEAST_OF_PROCESS > cells)
        return;
    int split = at.right - (int)width;
    grid_fill(&app->grid, at.x, at.y, at.right - at.x, ' ', look);
    grid_name(&app->grid, (struct grid_place){at.x, at.y, split - 1},
              (struct str){name.s, before - 1}, look, TEXT_TRACK);
    grid_name(&app->grid, (struct grid_place){split, at.y, at.right}, thread, look, TEXT_TRACK);
}

/* The name at the left; the number of the thread, if both fit, and a share at the right. A number
 * that the name has, too, is left out before that is cut. An alone thread has the name and look of
 * a process. */
static void first_row(struct app *app, int y, const struct track *track) {
    struct thread *t = trace_thread(app->trace, track->of);
    char buf[PROCESS_LABEL], own[40], number[40] = "", ran[40], id[80];
    bool named;
    bool process = track->alone && !process_label_begun(app->trace, track->of);
    int x = 1 + process + draw_gutter_indent(app, track);
    struct look look = draw_gutter_look(&app->timeline, track, 0);
    if (process && app->timeline.line != track->top)
        look = style_look(ROLE_HEADER);
    struct str thread = trace_thread_name(app->trace, t, own, &named),
               name = called(app->trace, track, buf);
    int n = put_ran(app, t, states(app->trace, track->of), ran, sizeof ran);
    if (track->height == 1 && track->deeper > 0)
        n += snprintf(ran + n, sizeof ran - (size_t)n, " +%u", track->deeper);
    int room = app->layout.gutter - x - 2;
    if (named && draw_gutter_number(number, t->id.tid) + n + (int)name.n > room &&
        (n > 0 || has_number(name, number, room)))
        number[0] = 0;
    snprintf(id, sizeof id, "%s%s", number, number[0] ? ran : ran + strspn(ran, " "));
    draw_gutter(app, y, x, name, id, look);
    int used = id[0] ? (int)strlen(id) + 1 : 0;
    if (process)
        keep_thread(app, (struct grid_place){x, y, app->layout.gutter - used}, name, thread, look);
}

static void gutter(struct app *app, int y, const struct track *track, uint32_t row) {
    if (row == 0)
        first_row(app, y, track);
    else if (row + 1 == track->height && track->deeper > 0)
        draw_gutter_deeper(app, y, track);
    else if (row == 1 && states(app->trace, track->of))
        shares(app, y, track, states(app->trace, track->of));
}

/* The states: heights of a strip, or lines in the gaps of the slices. */
static void draw_states_of(struct app *app, int y, const struct track *track, bool strip) {
    struct sched_thread *t = states(app->trace, track->of);
    int columns = app->timeline.window.columns;
    double *busy = NULL;
    if (t == NULL)
        return;
    if (strip) {
        struct process_busy_of of = draw_tracks_busy_of(&app->timeline);
        busy = err_calloc((size_t)columns, sizeof *busy);
        process_busy_add(app->trace, trace_thread(app->trace, track->of), &of, busy);
    }
    draw_states(app, y, t, busy);
    free(busy);
}

static struct cell *copy_row(struct app *app, int y) {
    int columns = app->timeline.window.columns;
    struct cell *copy = err_malloc((size_t)columns * sizeof *copy);
    for (int c = 0; c < columns; c++)
        copy[c] = *grid_at(&app->grid, app->layout.lane + c, y);
    return copy;
}

static bool is_state(struct app *app, int y, const struct cell *before, int c) {
    const struct cell *now = grid_at(&app->grid, app->layout.lane + c, y);
    return now->cp[0] == before[c].cp[0] && now->cp[0] != ' ' && now->cp[0] != 0 &&
           style_eq(now->look, before[c].look) && !(now->look.attr & ATTR_REVERSE);
}

#define WIDE_GAP 6 /* columns */

/* Blanks states between slices that are next to each other: there each cell would change the
 * colour, and say little. before: the row with the states alone. */
static void keep_wide_gaps(struct app *app, int y, const struct cell *before) {
    int columns = app->timeline.window.columns;
    for (int c = 0, end; c < columns; c = end + 1) {
        for (end = c; end < columns && is_state(app, y, before, end);)
            end++;
        if (end - c < WIDE_GAP)
            grid_fill(&app->grid, app->layout.lane + c, y, end - c, ' ', style_look(ROLE_TEXT));
    }
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct lane_look look = {.trace = app->trace,
                             .search = app->find.search,
                             .selected = session_slice(app->trace, &app->timeline),
                             .track = track->of,
                             .open_end = INT64_MAX};
    struct track_line line;
    gutter(app, y, track, row);
    track_line_of(app->trace, track, row, &line);
    look.row = line.row;
    struct cell *states_row = NULL;
    if (row == 0)
        draw_states_of(app, y, track, track->strip);
    if (row == 0 && !track->strip && states(app->trace, track->of))
        states_row = copy_row(app, y);
    if (line.slices != &track_thread_state && line.lane) {
        if (line.lane->end == INT64_MAX)
            look.open_end = trace_open_end(app->trace, track->of, line.lane->start);
        draw_lane_left(app, y, line.lane, &look);
    }
    if (states_row)
        keep_wide_gaps(app, y, states_row);
    free(states_row);
    if (line.moments)
        draw_instants(app, y, &line);
    /* no filter finds the profiler's records */
    if (row == track->strip && line.moments && session_left(&app->timeline) == NULL)
        draw_instants_profile(app, y, track->of);
    if (row == 0 && states(app->trace, track->of))
        draw_states_ends(app, y, states(app->trace, track->of));
    if (row == 0 && track->strip && states(app->trace, track->of) &&
        process_label_begun(app->trace, track->of)) {
        char buf[PROCESS_LABEL];
        draw_states_label(app, y, states(app->trace, track->of), called(app->trace, track, buf));
        draw_states_lasted(app, y, states(app->trace, track->of));
    }
    if (row == 0)
        draw_gap(app, y, track);
}

static bool lost_here(struct trace *trace, const struct track *track, const struct lost *lost) {
    return trace_thread_written_by(trace_thread(trace, track->of), lost->provider);
}

static bool find(struct trace *trace, struct moment record, uint32_t thread,
                 struct selection *selection) {
    if (thread == NO_THREAD)
        return false;
    const struct thread *t = trace_thread(trace, thread);
    for (uint32_t row = 0; row < nest_rows(&t->nest); row++) {
        uint32_t i = selection_of_record(trace, nest_row(&t->nest, row), record);
        if (i == UINT32_MAX)
            continue;
        *selection = selection_of_slice(t, row, i);
        return true;
    }
    *selection =
        (struct selection){&track_thread_instant, thread, 0, 0, record.time, record.offset};
    return selection_find(trace, selection);
}

const struct track_ops track_thread = {
    .events = {&track_thread_slice, &track_thread_instant, &track_thread_state},
    .thread = true,
    .rows = true,
    .sets = 1u << LIST_SCHED,
    .count = count,
    .process = process,
    .shown = shown,
    .measure = measure,
    .lines = lines,
    .name = name,
    .line = line_of,
    .draw = draw,
    .lost = lost_here,
    .find = find};
