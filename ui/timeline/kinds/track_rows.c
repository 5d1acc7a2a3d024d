/* track_rows.c - the rows of a question as a track (model/store/row_track.h), above all
 * processes. */
#include <stdio.h>

#include "model/store/row_track.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/track_ops.h"

#define DEPTH 4 /* lanes of a track that are shown at first */

static struct row_track *at(struct trace *trace, uint32_t of) {
    return row_tracks_at(trace_row_tracks(trace), of);
}

static uint32_t count(struct trace *trace) {
    return (uint32_t)trace_row_tracks(trace)->v.n;
}

/* ---- rows ---- */

static struct lane *row_lane(struct trace *trace, const struct selection *selection) {
    struct row_track *track = at(trace, selection->of);
    return track && selection->row < track->lanes.n ? &track->lanes.v[selection->row] : NULL;
}

static bool row_find(struct trace *trace, struct selection *selection) {
    const struct row_track *track = at(trace, selection->of);
    for (uint32_t row = 0; track && row < track->lanes.n; row++)
        if (selection_find_in(selection, row, &track->lanes.v[row]))
            return true;
    return false;
}

/* A row of a question is no event of a thread. */
static uint32_t row_thread(struct trace *trace, const struct selection *selection) {
    (void)trace;
    (void)selection;
    return NO_THREAD;
}

const struct selection_ops track_rows_row = {
    .track = &track_rows, .lane = row_lane, .find = row_find, .thread = row_thread};

/* ---- the track ---- */

/* A place without a track has no lines. */
static void measure(const struct track_list *list, struct trace *trace, struct track *track) {
    const struct row_track *of = at(trace, track->of);
    if (of)
        track_list_measure(list, track, of->lanes.n > 0 ? (uint32_t)of->lanes.n : 1, DEPTH);
    else
        track->height = 0;
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0;
    (void)list;
    (void)depth;
    for (uint32_t i = 0; i < count(trace); i++) {
        const struct row_track *track = at(trace, i);
        size_t lanes = track ? track->lanes.n : 0;
        n += lanes < DEPTH ? lanes : DEPTH;
    }
    return n;
}

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    const struct row_track *of = at(trace, track->of);
    (void)buf;
    return of ? str_of(of->name) : STR("");
}

static void line_of(struct trace *trace, struct track_line *line) {
    struct row_track *track = at(trace, line->track->of);
    line->slices = &track_rows_row;
    line->lane = track && line->row < track->lanes.n ? &track->lanes.v[line->row] : NULL;
}

static bool within(struct trace *trace, uint32_t of, int64_t from, int64_t to) {
    const struct row_track *track = at(trace, of);
    for (size_t row = 0; track && row < track->lanes.n; row++) {
        const struct lane *lane = &track->lanes.v[row];
        uint32_t i = lane_from(lane, from);
        if ((i < lane->n && lane_start(lane, i) < to) ||
            (i > 0 && slice_end(lane_at(lane, i - 1)) > from))
            return true;
    }
    return false;
}

static void gutter(struct app *app, int y, const struct track *track, uint32_t row) {
    const struct row_track *of = at(app->trace, track->of);
    char id[48], number[32];
    if (row > 0 && row + 1 == track->height && track->deeper > 0)
        draw_gutter_deeper(app, y, track);
    if (row > 0 || of == NULL)
        return;
    units_count(of->rows.n, true, number);
    snprintf(id, sizeof id, "%s%s", number, app->layout.gutter < 20 ? "" : " rows");
    if (of->rows.n == 1)
        snprintf(id, sizeof id, "1%s", app->layout.gutter < 20 ? "" : " row");
    if (track->height == 1 && track->deeper > 0)
        snprintf(id, sizeof id, "+%u", track->deeper);
    draw_gutter(app, y, 1, str_of(of->name), id, draw_gutter_look(&app->timeline, track, row));
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct lane_look look = {.trace = app->trace,
                             .selected = session_slice(app->trace, &app->timeline),
                             .rows = at(app->trace, track->of),
                             .open_end = trace_end(app->trace)};
    struct track_line line;
    if (look.rows == NULL)
        return;
    gutter(app, y, track, row);
    track_line_of(app->trace, track, row, &line);
    if (line.lane && app->timeline.selection.of != track->of)
        look.selected = NULL;
    if (line.lane)
        draw_lane_all(app, y, line.lane, &look);
}

const struct track_ops track_rows = {.events = {&track_rows_row},
                                     .single = true,
                                     .rows = true,
                                     .count = count,
                                     .measure = measure,
                                     .lines = lines,
                                     .name = name,
                                     .line = line_of,
                                     .within = within,
                                     .draw = draw};
