/* draw_tracks.c - the lines of the tracks on the screen: the pinned ones, a rule, then the others
 * from the top line on. The kind of each track draws its rows. */
#include "ui/timeline/draw_tracks.h"

#include <ctype.h>
#include <string.h>

#include "model/trace/trace_problems.h"
#include "src/base/own_trace.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"

void draw_tracks_bar(struct app *app, int y) {
    grid_put(&app->grid, app->layout.gutter, y, grid_glyph(&app->grid, GLYPH_BAR),
             style_look(ROLE_DIM));
}

/* A line in a blank cell; other cells are inverted, or underlined if they are selected. */
void draw_tracks_mark(struct grid *grid, int x, int y) {
    const struct cell *c = grid_at(grid, x, y);
    if (c == NULL)
        return;
    struct look look = style_look(ROLE_CURSOR);
    bool blank = c->cp[0] == ' ' || c->cp[0] == 0;
    if (blank && (c->look.bg != LOOK_DEFAULT || c->look.attr & ATTR_REVERSE))
        look = c->look;
    if (blank) {
        grid_put(grid, x, y, grid_glyph(grid, GLYPH_CURSOR), look);
        return;
    }
    look = c->look;
    if ((look.attr & ATTR_REVERSE) && (look.attr & ATTR_BOLD)) /* selected: it stays so */
        look.attr |= ATTR_UNDERLINE;
    else
        look.attr ^= ATTR_REVERSE;
    grid_look(grid, x, y, 1, look);
}

void draw_tracks_cursor(struct app *app, int y) {
    int column = window_column(&app->timeline.window, app->timeline.cursor);
    if (column < 0 || column >= app->timeline.window.columns)
        return;
    draw_tracks_mark(&app->grid, app->layout.lane + column, y);
    if (y >= app->layout.tracks)
        grid_here(&app->grid, app->layout.lane + column, y);
}

struct process_busy_of draw_tracks_busy_of(const struct timeline *timeline) {
    const struct filter_lanes *left = session_left(timeline);
    return (struct process_busy_of){timeline->edges, timeline->window.columns, left,
                                    left ? timeline->only_changes : 0};
}

void draw_tracks_density(struct app *app, int y, const double *busy, size_t n) {
    for (int c = 0; c < app->timeline.window.columns && n > 0; c++) {
        int level = (int)(busy[c] / (double)n * 8 + 0.5);
        if (busy[c] > 0)
            grid_put(&app->grid, app->layout.lane + c, y,
                     grid_level(&app->grid, level < 1 ? 1 : level), style_look(ROLE_DENSITY));
    }
}

static bool is_letter(uint32_t cp) {
    return cp < 0x80 ? isalnum((int)cp) : (cp >= 0xC0 && cp < 0x2000) || cp >= 0x3000;
}

/* A letter of a name stays readable: only its look changes. */
static void shade(struct app *app, int y, int64_t time) {
    int c = window_column(&app->timeline.window, time), x = app->layout.lane + c;
    const struct cell *cell =
        c >= 0 && c < app->timeline.window.columns ? grid_at(&app->grid, x, y) : NULL;
    if (cell && is_letter(cell->cp[0]))
        grid_look(&app->grid, x, y, 1, style_look(ROLE_WARN));
    else if (cell)
        grid_put(&app->grid, x, y, app->grid.ascii ? '%' : 0x2591, style_look(ROLE_WARN));
}

/* A provider's losses are shown on the tracks that it wrote, damage on all. */
static void draw_losses(struct app *app, int y, const struct track *track) {
    size_t n;
    const struct lost *lost = trace_lost(app->trace, &n);
    const struct problems *problems = trace_damage(app->trace);
    if (track->kind->lost == NULL)
        return;
    for (size_t i = 0; i < n && i < PROBLEM_KEPT; i++)
        if (lost[i].has_time && lost[i].time >= app->timeline.edges[0] &&
            lost[i].time < app->timeline.edges[app->timeline.window.columns] &&
            track->kind->lost(app->trace, track, &lost[i]))
            shade(app, y, lost[i].time);
    for (int kind = PROBLEM_ZERO_SIZE; kind <= PROBLEM_TRUNCATED_RECORD; kind++)
        for (size_t i = 0; i < problem_case_count(&problems->kinds[kind]); i++)
            shade(app, y, problem_case(&problems->kinds[kind], i)->time);
}

void draw_tracks_row(struct app *app, int y, const struct track *track, uint32_t row) {
    memset(app->timeline.dense, 0, (size_t)app->timeline.window.columns);
    track->kind->draw(app, y, track, row);
}

/* The kind draws the row; all rows have marks at the left, losses and the cursor. */
static void draw_line(struct app *app, int y, uint64_t at, const struct track *track) {
    TRACE_DURATION("draw", "row", "y", TA_INT32(y));
    uint32_t row = (uint32_t)(at - track->top);
    bool current = at == app->timeline.line, tagged = row == 0 && ranges_tagged(app, track);
    if (row > 0)
        draw_losses(app, y, track); /* events are drawn over it ... */
    uint32_t sign = track->pinned && row == 0 ? '^' : ' ';
    if (tagged)
        sign = current ? '*' : '+';
    else if (current)
        sign = '>';
    if (!track->kind->header)
        grid_put(&app->grid, 0, y, sign, draw_gutter_look(&app->timeline, track, row));
    draw_tracks_row(app, y, track, row);
    draw_gutter_row(app, y, track, row,
                    at == app->timeline.top && at >= app->timeline.tracks.pinned);
    if (row == 0) /* ... but here: a loss is at the time of an event, which would hide it */
        draw_losses(app, y, track);
    if (current)
        grid_here(&app->grid, 0, y);
    if (current && track->kind != &track_ended) /* a text, not times */
        draw_tracks_cursor(app, y);
}

/* The filter, if it hides no tracks: dims those that do not match, or marks those that do. */
static void draw_filtered(struct app *app, int y, uint64_t at, const struct track *track) {
    bool matches = track_list_matches(&app->timeline.tracks, app->trace, track),
         dim = app->timeline.tracks.others == LIST_DIMMED;
    if (dim && !matches)
        draw_lane_fade(&app->grid, 0, y); /* its text is dim, but its slices keep their extent */
    else if (!dim && matches && at == track->top)
        grid_look(&app->grid, 1, y, app->layout.gutter - 1, style_look(ROLE_HIT));
}

static const char *why_empty(const struct app *app) {
    bool whole = trace_state(app->trace) == TRACE_COMPLETE;
    if (app->timeline.tracks.match)
        return "no track matches the filter: & and Enter show all";
    if (app->timeline.tracks.set != LIST_ALL)
        return whole ? "no such tracks in this trace: 1 shows the timeline"
                     : "no such tracks so far: 1 shows the timeline";
    return whole ? "no slices or instants in this trace: I shows what it contains"
                 : "nothing loaded yet";
}

void draw_tracks(struct app *app) {
    TRACE_DURATION("draw", "tracks");
    int pinned = session_pinned_rows(app);
    window_edges(&app->timeline.window, app->timeline.edges);
    draw_instants_begin(&app->timeline);
    process_busy_frame(&app->timeline.busy);
    for (int r = 0; r < app->layout.track_rows; r++) {
        int y = app->layout.tracks + r;
        uint64_t at = session_line_at(app, y);
        if (pinned > 0 && r == pinned) {
            grid_fill(&app->grid, 0, y, app->grid.cols, grid_glyph(&app->grid, GLYPH_RULE),
                      style_look(ROLE_DIM));
            continue;
        }
        draw_tracks_bar(app, y);
        const struct track *track = track_list_at(&app->timeline.tracks, at);
        if (track)
            draw_line(app, y, at, track);
        if (track && app->timeline.filter && app->timeline.tracks.others != LIST_HIDDEN)
            draw_filtered(app, y, at, track);
    }
    if (app->timeline.tracks.lines == 0 && app->layout.track_rows > 0)
        grid_ztext(&app->grid, app->layout.lane + 1, app->layout.tracks, app->grid.cols,
                   why_empty(app), style_look(ROLE_DIM));
}
