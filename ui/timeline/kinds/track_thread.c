/* track_thread.c - a thread: a strip of scheduling states if there are some, then rows of slices by
 * depth.
 *
 * Instants and large blobs are on the row of the slice around them. */
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/draw_lane.h"
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
                                                   .glyph = instant_glyph,
                                                   .thread = own_thread};

/* ---- the track ---- */

static bool has_slices(const struct thread *t) {
    return nest_rows(&t->nest) > 0 || trace_instant_count(t) > 0 || nest_waiting(&t->nest);
}

static bool has_states(const struct track_list *list, struct trace *trace, uint32_t of) {
    return list->strips && states(trace, of) != NULL;
}

static uint32_t process(struct trace *trace, uint32_t of) {
    return trace_thread(trace, of)->process;
}

/* A thread is shown for its slices, or for its strip alone. */
static bool shown(const struct track_list *list, struct trace *trace, uint32_t of) {
    const struct track_shape *shape = &list->lives.shapes.v[of];
    (void)trace;
    return (shape->slices && list->set == LIST_ALL) ||
           (shape->states && list->strips && track_list_shows(list, &track_thread));
}

static void measure(const struct track_list *list, struct trace *trace, struct track *track) {
    const struct track_shape *shape = &list->lives.shapes.v[track->of];
    uint32_t rows = 0;
    (void)trace;
    track->strip = list->strips && shape->states;
    if (list->set == LIST_ALL)
        rows = shape->rows > 0 ? shape->rows : shape->slices;
    track_list_measure(list, track, rows, list->default_depth);
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        n += has_states(list, trace, i);
        if (has_slices(t))
            n += nest_rows(&t->nest) < depth ? nest_rows(&t->nest) : depth;
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
        return;
    }
    line->row -= track->strip;
    line->slices = &track_thread_slice;
    line->moments = &track_thread_instant;
    line->lane = line->row < nest_rows(&t->nest) ? nest_row(&t->nest, line->row) : NULL;
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

/* Empties the text of the least share but the first, of those that have one, and returns its
 * length: 0 if none has. */
static int drop_least(char text[SHARES][24], const struct share *v) {
    int least = 0, n;
    for (int i = 1; i < SHARES; i++)
        if (text[i][0] && (least == 0 || v[i].ns <= v[least].ns))
            least = i;
    n = least > 0 ? (int)strlen(text[least]) : 0;
    if (least > 0)
        text[least][0] = 0;
    return n;
}

/* "run 21% wait 3% blocked 76%" of the thread's life in the window; without the least shares if
 * there is no space. The rest, such as suspended, is "other"; states that the recorder did not see
 * are unknown. */
static void shares(struct app *app, int y, const struct track *track,
                   const struct sched_thread *t) {
    const int64_t *edges = app->timeline.edges, end = units_sum(trace_end(app->trace), 1);
    int columns = app->timeline.window.columns, cells = app->layout.gutter, n = 0;
    struct sched_shares s =
        sched_life_shares(t, edges[0], edges[columns] < end ? edges[columns] : end);
    bool idle = s.run == 0 && s.wait + s.blocked < s.alive / 2; /* or in states without a name */
    bool told = trace_kind_count(app->trace, FXT_K_WAKEUP) > 0; /* else it may wait for a CPU */
    int64_t other = idle ? 0 : s.alive - s.run - s.wait - s.blocked;
    int64_t all_time = s.alive + s.unknown;
    struct share v[SHARES] = {{"run", s.run},
                              {"wait", s.wait},
                              {told ? "blocked" : "not run", s.blocked},
                              {"other", other},
                              {"unknown", s.unknown}};
    char text[SHARES][24], all[SHARES * 24];
    if (all_time <= 0)
        return;
    if (track->height + track->deeper > DEPTH_SHOWN) /* the depth is at the right */
        cells -= 3;
    for (int i = 0; i < SHARES; i++) {
        text[i][0] = 0;
        if (i == 0 ? !idle : (double)v[i].ns * 200 >= (double)all_time)
            n += put_share(text[i], sizeof text[i], &v[i], all_time);
    }
    while (n > cells) {
        int saved = drop_least(text, v);
        if (saved == 0)
            return;
        n -= saved;
    }
    snprintf(all, sizeof all, "%s%s%s%s%s", text[0], text[1], text[2], text[3], text[4]);
    if (n > 1)
        grid_ztext(&app->grid, 1, y, app->layout.gutter, all + 1, style_look(ROLE_DIM));
}

static void gutter(struct app *app, int y, const struct track *track, uint32_t row) {
    struct thread *t = trace_thread(app->trace, track->of);
    char buf[40], id[40] = "";
    bool named;
    if (row == 0) {
        struct str called = trace_thread_name(app->trace, t, buf, &named);
        int n = named ? draw_gutter_number(id, t->id.tid) : 0;
        if (track->height == 1 && track->deeper > 0)
            snprintf(id + n, sizeof id - (size_t)n, "%s+%u", n > 0 ? " " : "", track->deeper);
        draw_gutter(app, y, 1, called, id, draw_gutter_look(&app->timeline, track, row));
    } else if (row + 1 == track->height && track->deeper > 0) {
        draw_gutter_deeper(app, y, track);
    } else if (row == 1 && states(app->trace, track->of)) {
        shares(app, y, track, states(app->trace, track->of));
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
    if (line.slices == &track_thread_state) {
        draw_states(app, y, states(app->trace, track->of));
        draw_states_ends(app, y, states(app->trace, track->of));
        return;
    }
    look.row = line.row;
    if (line.lane && line.lane->end == INT64_MAX)
        look.open_end = trace_open_end(app->trace, track->of, line.lane->start);
    if (line.lane)
        draw_lane_left(app, y, line.lane, &look);
    draw_instants(app, y, &line);
    /* no filter finds the profiler's records */
    if (row == track->strip && session_left(&app->timeline) == NULL)
        draw_instants_profile(app, y, track->of);
    if (row == 0 && states(app->trace, track->of))
        draw_states_ends(app, y, states(app->trace, track->of));
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
