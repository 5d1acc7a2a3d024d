/* track_trace.c - the header of each trace if several are one timeline; and the line of a file that
 * cannot be opened.
 *
 * A header has the name and the begin after that of the reference. The lane has a line from begin
 * to end, with the length and the time that slices take.
 *
 * Traces of one host have one header. */
#include <stdio.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/track_ops.h"

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    return (struct str){buf, trace_host_name(trace, (uint16_t)track->of, buf, 96)};
}

/* "+6.000 ms" after the begin of the reference; "" of its host. */
static void put_begin(struct app *app, const struct track *track, char id[DRAW_GUTTER_NUMBER]) {
    int64_t from, to;
    char away[32];
    size_t reference = trace_reference(app->trace);
    int64_t begin = trace_world_begin(app->trace, (uint16_t)track->of);
    id[0] = '\0';
    if (trace_file_world(app->trace, reference) == track->of ||
        !trace_file_span(app->trace, reference, &from, &to))
        return;
    int64_t ns = begin < from ? units_since(begin, from) : units_since(from, begin);
    snprintf(id, DRAW_GUTTER_NUMBER, "%s%s", begin < from ? "-" : "+",
             units_duration(ns, app->grid.ascii, away));
}

/* A line from its begin to its end, with its length on it. */
static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct grid *g = &app->grid;
    const struct window *w = &app->timeline.window;
    char buf[96], id[DRAW_GUTTER_NUMBER], text[120], length[32], busy[32];
    int64_t from = trace_world_begin(app->trace, (uint16_t)track->of),
            to = trace_world_end(app->trace, (uint16_t)track->of);
    int first = window_column(w, from), last = window_column(w, to);
    int lane = app->layout.lane;
    (void)row;
    put_begin(app, track, id);
    draw_gutter_header(app, y, track, name(app->trace, track, buf), id);
    if (last < 0 || first >= w->columns)
        return;
    first = first < 0 ? 0 : first;
    last = last >= w->columns ? w->columns - 1 : last;
    for (int c = first; c <= last; c++)
        grid_put(g, lane + c, y, grid_glyph(g, GLYPH_RULE), style_look(ROLE_DIM));
    snprintf(text, sizeof text, " %s, busy %s ",
             units_duration(units_since(from, to), g->ascii, length),
             units_duration(app->timeline.tracks.busy[track->of], g->ascii, busy));
    int width = (int)text_width(str_of(text), 0, sizeof text);
    if (last - first > width + 2)
        grid_ztext(g, lane + first + 2, y, lane + last, text, style_look(ROLE_HEADER));
}

const struct track_ops track_trace = {.header = true, .name = name, .draw = draw};

static struct str unread_name(struct trace *trace, const struct track *track, char buf[96]) {
    size_t n;
    (void)buf;
    return str_of(trace_unread(trace, &n)[track->of].name);
}

static void draw_unread(struct app *app, int y, const struct track *track, uint32_t row) {
    size_t n;
    char buf[96];
    const struct trace_unread *unread = &trace_unread(app->trace, &n)[track->of];
    struct grid *g = &app->grid;
    (void)row;
    draw_gutter(app, y, 1, unread_name(app->trace, track, buf), "", style_look(ROLE_ERROR));
    grid_zcut(g, app->layout.lane, y, unread->why.text, style_look(ROLE_ERROR));
}

const struct track_ops track_unread = {.name = unread_name, .draw = draw_unread};
