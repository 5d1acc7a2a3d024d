/* track_async.c - async operations of one name, in rows without overlap, and the async instants
 * among them. */
#include <stdio.h>

#include "model/query/detail.h"
#include "model/query/search.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/track_ops.h"

#define DEPTH 4 /* rows of a group that are shown at first */

static struct async_group *group(struct trace *trace, uint32_t of) {
    return async_group(trace_async(trace), of);
}

static uint32_t count(struct trace *trace) {
    return (uint32_t)async_group_count(trace_async(trace));
}

/* ---- operations and instants ---- */

static struct lane *operation_lane(struct trace *trace, const struct selection *selection) {
    return async_group_row(group(trace, selection->of), selection->row);
}

static bool operation_find(struct trace *trace, struct selection *selection) {
    if (selection->of >= count(trace))
        return false;
    const struct async_group *g = group(trace, selection->of);
    for (uint32_t row = 0; row < async_group_rows(g); row++)
        if (selection_find_in(selection, row, async_group_row(g, row)))
            return true;
    return false;
}

/* The latest operation of the same id that was open when this one began: on a row above. */
static bool operation_parent(struct trace *trace, const struct selection *selection,
                             struct selection *parent) {
    const struct async_group *g = group(trace, selection->of);
    const struct slice_extra *extra = trace_slice_extra(trace);
    const struct slice *s = lane_at(async_group_row(g, selection->row), selection->i);
    uint32_t depth = async_depth(extra, s);
    struct detail d;
    if (depth == 0 || !detail_open(&d, trace, slice_offset(s)))
        return false;
    uint64_t id = d.record.id;
    for (uint32_t row = selection->row; row > 0;) {
        const struct lane *lane = async_group_row(g, --row);
        uint32_t i = lane_before(lane, s->start);
        const struct slice *x = i == UINT32_MAX ? NULL : lane_at(lane, i);
        if (x && slice_end(x) >= s->start && async_depth(extra, x) == depth - 1 &&
            detail_open(&d, trace, slice_offset(x)) && d.record.id == id) {
            *parent = selection_of_lane(&track_async_operation, selection->of, row, lane, i);
            return true;
        }
    }
    return false;
}

const struct selection_ops track_async_operation = {.track = &track_async,
                                                    .named = true,
                                                    .searched = true,
                                                    .hits = SEARCH_ASYNC,
                                                    .lane = operation_lane,
                                                    .find = operation_find,
                                                    .parent = operation_parent};

static size_t instant_count(struct trace *trace, uint32_t of) {
    return of < count(trace) ? async_instant_count(group(trace, of)) : 0;
}

static struct moment instant_moment(struct trace *trace, uint32_t of, size_t i) {
    return async_instant(group(trace, of), i)->at;
}

static uint32_t instant_row(struct trace *trace, uint32_t of, size_t i) {
    return async_instant(group(trace, of), i)->row;
}

static uint32_t instant_glyph(struct app *app, uint64_t offset) {
    (void)offset;
    return grid_glyph(&app->grid, GLYPH_INSTANT);
}

const struct selection_ops track_async_instant = {.track = &track_async,
                                                  .searched = true,
                                                  .hits = SEARCH_ASYNC,
                                                  .count = instant_count,
                                                  .moment = instant_moment,
                                                  .row = instant_row,
                                                  .glyph = instant_glyph};

/* ---- the track ---- */

static uint32_t process(struct trace *trace, uint32_t of) {
    return group(trace, of)->process;
}

static uint16_t world(struct trace *trace, uint32_t of) {
    return group(trace, of)->world;
}

static void measure(const struct track_list *list, struct trace *trace, struct track *track) {
    uint32_t rows = async_group_rows(group(trace, track->of));
    track_list_measure(list, track, rows > 0 ? rows : 1, DEPTH);
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0;
    (void)list;
    (void)depth;
    for (uint32_t i = 0; i < count(trace); i++) {
        uint32_t rows = async_group_rows(group(trace, i));
        n += rows < DEPTH ? rows : DEPTH;
    }
    return n;
}

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    (void)buf;
    return trace_name(trace, group(trace, track->of)->name);
}

static void line_of(struct trace *trace, struct track_line *line) {
    struct async_group *g = group(trace, line->track->of);
    line->slices = &track_async_operation;
    line->moments = &track_async_instant;
    line->lane = line->row < async_group_rows(g) ? async_group_row(g, line->row) : NULL;
}

#define ROWS_ASKED 64

static bool within(struct trace *trace, uint32_t of, int64_t from, int64_t to) {
    const struct async_group *group = async_group(trace_async(trace), of);
    uint32_t rows = async_group_rows(group);
    for (uint32_t row = 0; row < rows && row < ROWS_ASKED; row++) {
        const struct lane *lane = async_group_row(group, row);
        uint32_t i = lane_from(lane, from);
        if ((i < lane->n && lane_start(lane, i) < to) ||
            (i > 0 && slice_end(lane_at(lane, i - 1)) > from))
            return true;
    }
    return rows > ROWS_ASKED;
}

static void gutter(struct app *app, int y, const struct track *track, uint32_t row) {
    char id[40], number[32];
    if (row == 0) {
        snprintf(id, sizeof id, "async %s",
                 units_count(group(app->trace, track->of)->ops, true, number));
        if (app->layout.gutter < 20)
            snprintf(id, sizeof id, "~%s", number);
        if (track->height == 1 && track->deeper > 0)
            snprintf(id, sizeof id, "+%u", track->deeper);
        draw_gutter(app, y, 1 + draw_gutter_indent(app, track), name(app->trace, track, NULL), id,
                    draw_gutter_look(&app->timeline, track, row));
    } else if (row + 1 == track->height && track->deeper > 0) {
        draw_gutter_deeper(app, y, track);
    }
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct lane_look look = {.trace = app->trace,
                             .search = app->find.search,
                             .selected = session_slice(app->trace, &app->timeline),
                             .track = SEARCH_ASYNC + track->of,
                             .open_end = trace_end(app->trace)};
    struct track_line line;
    gutter(app, y, track, row);
    track_line_of(app->trace, track, row, &line);
    look.row = line.row;
    if (line.lane)
        draw_lane_left(app, y, line.lane, &look);
    draw_instants(app, y, &line);
}

static bool find(struct trace *trace, struct moment record, uint32_t thread,
                 struct selection *selection) {
    (void)thread;
    for (uint32_t g = 0; g < count(trace); g++)
        for (uint32_t row = 0; row < async_group_rows(group(trace, g)); row++) {
            const struct lane *lane = async_group_row(group(trace, g), row);
            uint32_t i = selection_of_record(trace, lane, record);
            if (i == UINT32_MAX)
                continue;
            *selection = selection_of_lane(&track_async_operation, g, row, lane, i);
            return true;
        }
    return false;
}

const struct track_ops track_async = {.events = {&track_async_operation, &track_async_instant},
                                      .rows = true,
                                      .count = count,
                                      .process = process,
                                      .world = world,
                                      .measure = measure,
                                      .lines = lines,
                                      .name = name,
                                      .line = line_of,
                                      .within = within,
                                      .draw = draw,
                                      .lost = track_list_lost_in_process,
                                      .find = find};
