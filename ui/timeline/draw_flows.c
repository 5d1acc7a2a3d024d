/* draw_flows.c - flow arrows over the tracks.
 *
 * An arrow leaves the end of its source slice, goes along a column and enters its target from the
 * left. It is drawn on blank cells only, so that slices stay readable. Its label is the time of the
 * hop, by the points' own times. If one end is not on the screen, the arrow is a label at the
 * other: direction, name and time. */
#include "ui/timeline/draw_flows.h"

#include <stdio.h>
#include <string.h>

#include "model/query/flow_slice.h"
#include "src/base/lower_bound.h"
#include "src/base/own_trace.h"
#include "src/base/units.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/track_ops.h"

struct end { /* of an arrow */
    struct flow_slice_place at;
    int64_t time; /* of the point */
    int y; /* screen row; -1: above the first one shown; the row after the last track: below */
    int64_t begin, end; /* first and last column of the slice, not clipped */
    bool shown;         /* its row is on the screen */
    bool folded;        /* that row is the header of its process */
    bool pinned;
};

struct canvas {
    struct app *app;
    struct look look;
    int top, bottom; /* screen rows of all tracks, pinned ones included */
    int left, right; /* columns of the timeline on the screen */
    bool own;        /* hops of the chosen point: their labels may be far from the slice */
};

static uint32_t glyph(const struct canvas *c, uint32_t utf8, char ascii) {
    return c->app->grid.ascii ? (uint32_t)ascii : utf8;
}

static bool is_blank(const struct cell *cell) {
    return cell && cell->cp[0] == ' ' && cell->look.bg == LOOK_DEFAULT &&
           !(cell->look.attr & ATTR_REVERSE);
}

static void put(const struct canvas *c, int x, int y, uint32_t cp) {
    if (x < c->left || x >= c->right || y < c->top || y >= c->bottom)
        return;
    if (is_blank(grid_at(&c->app->grid, x, y)))
        grid_put(&c->app->grid, x, y, cp, c->look);
}

/* Writes our own text if all of its cells are blank; false: nothing was written. */
static bool label(const struct canvas *c, int x, int y, const char *text) {
    int n = (int)text_width(str_of(text), 0, 400);
    if (x < c->left || x + n > c->right || y < c->top || y >= c->bottom)
        return false;
    for (int i = 0; i < n; i++)
        if (!is_blank(grid_at(&c->app->grid, x + i, y)))
            return false;
    grid_ztext(&c->app->grid, x, y, x + n, text, c->look);
    return true;
}

static int row_of_line(struct app *app, uint64_t line) {
    int pinned = session_pinned_rows(app), rows = app->layout.track_rows;
    if (line < app->timeline.tracks.pinned)
        return line < (uint64_t)pinned ? app->layout.tracks + (int)line : -1;
    if (line < app->timeline.top)
        return -1;
    uint64_t r = line - app->timeline.top + (uint64_t)(pinned + (pinned > 0));
    return r < (uint64_t)rows ? app->layout.tracks + (int)r : app->layout.tracks + rows;
}

static struct end end_of(struct app *app, uint32_t point) {
    struct end e = {.at = flow_slice_place(app->trace, point),
                    .time = flow_time(trace_flows(app->trace), point)};
    uint64_t line = UINT64_MAX;
    e.begin = window_column(&app->timeline.window, e.at.start);
    e.end = window_column(&app->timeline.window, e.at.end > e.at.start ? e.at.end - 1 : e.at.end);
    e.y = -1;
    if (e.at.thread == NO_THREAD)
        return e;
    if (track_list_find(&app->timeline.tracks, &track_thread, e.at.thread, 0, &line)) {
        const struct track *track = track_list_at(&app->timeline.tracks, line);
        uint32_t row = (e.at.in_slice ? e.at.row : 0) + track->strip;
        e.y = row_of_line(app, line + (row < track->height ? row : track->height - 1));
    } else if (track_list_find_header(&app->timeline.tracks,
                                      trace_thread(app->trace, e.at.thread)->process, &line)) {
        e.y = row_of_line(app, line);
        e.folded = true;
    }
    e.pinned = line < app->timeline.tracks.pinned;
    e.shown = e.y >= app->layout.tracks && e.y < app->layout.tracks + app->layout.track_rows;
    return e;
}

/* "raster/2109 Raster 212", shortened. */
static void name_end(struct trace *trace, const struct grid *grid, const struct end *e,
                     char text[80]) {
    char buf[40], thread[32], slice[32] = "";
    bool named;
    unsigned flags = grid->ascii ? TEXT_ASCII : 0;
    if (e->at.thread == NO_THREAD) {
        snprintf(text, 80, "?");
        return;
    }
    const struct thread *t = trace_thread(trace, e->at.thread);
    text_plain(thread, sizeof thread, trace_thread_name(trace, t, buf, &named), flags);
    if (e->at.in_slice)
        text_plain(slice, sizeof slice,
                   trace_slice_name(trace, lane_at(nest_row(&t->nest, e->at.row), e->at.i)), flags);
    snprintf(text, 80, "%s%s%s", thread, *slice ? " " : "", slice);
}

/* The number of cells between two rows of a column that are not blank. */
static int crossed(const struct canvas *c, int x, int from, int to) {
    int n = 0;
    for (int y = from + 1; y < to; y++)
        n += !is_blank(grid_at(&c->app->grid, x, y));
    return n;
}

/* The column from x to `last` with the most blank cells, the leftmost of equals; looks at 40
 * columns at most. */
static int free_column(const struct canvas *c, int x, int last, int from, int to) {
    int best = x, least = crossed(c, x, from, to);
    for (int k = x + 1; k <= last && k < x + 40 && least > 0; k++) {
        int n = crossed(c, k, from, to);
        if (n < least) {
            least = n;
            best = k;
        }
    }
    return best;
}

static void number_of(const struct canvas *c, int hop, char text[8]) {
    if (hop < 1 || hop > 20)
        text[0] = 0;
    else if (c->app->grid.ascii)
        snprintf(text, 8, "%d:", hop);
    else
        snprintf(text, 8, "\xe2\x91%c", 0xA0 + hop - 1); /* circled digits, U+2460 on */
}

static void hop_label(const struct canvas *c, int hop, int64_t transit, char text[48]) {
    char number[8], dur[32];
    size_t n = 0;
    number_of(c, hop, number);
    units_duration_short(transit, c->app->grid.ascii, dur);
    for (const char *p = dur; *p; p++) /* "3.6ms" */
        if (*p != ' ')
            dur[n++] = *p;
    dur[n] = 0;
    snprintf(text, 48, "%s%s", number, dur);
}

/* Both ends are on the screen and in the window. */
static void whole_arrow(const struct canvas *c, const struct end *a, const struct end *b, int hop) {
    struct app *app = c->app;
    int x0 = c->left + (int)a->end + 1, x1 = c->left + (int)b->begin - 1;
    bool down = b->y > a->y, backward = x1 < x0;
    char text[48];
    hop_label(c, hop, units_since(a->time, b->time), text);
    if (a->y == b->y) {
        for (int x = x0; x < x1; x++)
            put(c, x, a->y, glyph(c, 0x2500, '-'));
        put(c, x1, b->y, glyph(c, 0x25B6, '>'));
        if (x1 - x0 > (int)strlen(text) + 2)
            grid_ztext(&app->grid, x0 + 1, a->y, x1, text, c->look);
        return;
    }
    int from = down ? a->y : b->y, to = down ? b->y : a->y;
    int last = x1 > x0 ? x1 - 1 : x0, edge = x1 > c->left ? x1 : c->left;
    int x = backward ? edge : free_column(c, x0, last, from, to);
    if (!backward) {
        for (int k = x0; k < x; k++)
            put(c, k, a->y, glyph(c, 0x2500, '-'));
        put(c, x, a->y, down ? glyph(c, 0x256E, '+') : glyph(c, 0x256F, '+'));
    } else {
        put(c, x, a->y, down ? glyph(c, 0x256D, '+') : glyph(c, 0x2570, '+'));
    }
    for (int y = from + 1; y < to; y++)
        put(c, x, y, glyph(c, 0x2502, '|'));
    if (x < x1) {
        put(c, x, b->y, down ? glyph(c, 0x2570, '+') : glyph(c, 0x256D, '+'));
        for (int k = x + 1; k < x1; k++)
            put(c, k, b->y, glyph(c, 0x2500, '-'));
    }
    put(c, x1, b->y, glyph(c, 0x25B6, '>'));
    for (int y = from + 1; y < to; y++)
        if (label(c, x + 1, y, text))
            break;
}

/* A label at the window's edge, on the row nearest to y that has space, at most `reach` away; any:
 * also on rows of other tracks. */
static bool edge_label(const struct canvas *c, int y, bool right, const char *text, int reach,
                       bool any) {
    struct app *app = c->app;
    int x = right ? c->right - (int)text_width(str_of(text), 0, 400) : c->left;
    const struct track *track = track_list_at(&app->timeline.tracks, session_line_at(app, y));
    for (int d = 0; d <= reach; d++)
        for (int at = y + d, k = 0; k < 2; at = y - d, k++)
            if ((any || track_list_at(&app->timeline.tracks, session_line_at(app, at)) == track) &&
                label(c, x, at, text))
                return true;
    return false;
}

/* A label at `here` for the end `there`, which is not on the screen; out: the arrow leaves
 * `here`. */
static void half_arrow(const struct canvas *c, const struct end *here, const struct end *there,
                       bool out) {
    char name[80], dur[32], text[200];
    struct app *app = c->app;
    name_end(app->trace, &app->grid, there, name);
    units_duration_short(out ? units_since(here->time, there->time)
                             : units_since(there->time, here->time),
                         app->grid.ascii, dur);
    int columns = app->timeline.window.columns;
    int64_t column = out ? here->end + 1 : here->begin - 1;
    if (column < -1)
        column = -1;
    else if (column > columns)
        column = columns;
    int x = c->left + (int)column;
    const char *up = app->grid.ascii ? "^" : "\xe2\x96\xb2",
               *down = app->grid.ascii ? "v" : "\xe2\x96\xbc";
    const char *right = app->grid.ascii ? "->" : "\xe2\x94\x80\xe2\x96\xb6",
               *left = app->grid.ascii ? "<-" : "\xe2\x97\x80\xe2\x94\x80";
    bool vertical = (!there->shown || there->folded || there->pinned != here->pinned) &&
                    (out ? there->begin : there->end) >= 0 &&
                    (out ? there->begin : there->end) < columns;
    const char *sign = out ? right : left;
    if (vertical)
        sign = there->y < here->y ? up : down;
    /* next to the slice, or at the window's edge: on a row of its track, on a near row, without the
     * name, on a far row
     */
    enum { NEAR = 2, FAR = 4 };
    static const struct {
        bool brief, any;
        int reach;
    } ways[] = {{false, false, NEAR}, {false, true, FAR}, {true, false, NEAR}, {false, true, 400}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool brief = ways[i].brief;
        if (ways[i].any && !c->own)
            continue;
        snprintf(text, sizeof text, "%s %s%s%s%s", sign, brief ? "" : name, brief ? "" : " ",
                 out ? "+" : "-", dur);
        int width = (int)text_width(str_of(text), 0, 400);
        if (!ways[i].any && label(c, out ? x : x - width + 1, here->y, text))
            return;
        if (edge_label(c, here->y, out, text, ways[i].reach, ways[i].any)) {
            if (!ways[i].any)
                return;
            break; /* the sign goes to the slice */
        }
    }
    if (out)
        label(c, x, here->y, sign);
    else
        put(c, x, here->y, vertical ? glyph(c, 0x25BC, 'v') : glyph(c, 0x25C0, '<'));
}

static bool in_window(const struct timeline *timeline, int64_t column) {
    return column >= 0 && column < timeline->window.columns;
}

static void arrow(const struct canvas *c, uint32_t from, uint32_t to, int hop) {
    struct app *app = c->app;
    struct end a = end_of(app, from), b = end_of(app, to);
    bool a_here = a.shown && in_window(&app->timeline, a.end),
         b_here = b.shown && in_window(&app->timeline, b.begin);
    /* an arrow between them cannot be drawn */
    bool apart = a.folded || b.folded || a.pinned != b.pinned;
    if (a_here && b_here && !apart)
        whole_arrow(c, &a, &b, hop);
    else if (a_here && b_here) {
        if (!a.folded)
            half_arrow(c, &a, &b, true);
        if (!b.folded)
            half_arrow(c, &b, &a, false);
    } else if (a_here || (a.shown && a.begin < app->timeline.window.columns && a.end >= 0))
        half_arrow(c, &a, &b, true);
    else if (b_here || (b.shown && b.begin < app->timeline.window.columns && b.end >= 0))
        half_arrow(c, &b, &a, false);
}

/* The next arrow from a point: *to is where it leads. False: there is no other. */
static bool next_arrow(const struct flows *flows, uint32_t point, uint32_t *to) {
    *to = flow_link(flows, *to)->after;
    return *to != NO_POINT && flow_link(flows, *to)->before == point;
}

/* The hops of a flow: those of the chosen point are bright, the others dim. A long flow shows the
 * bright ones only. */
static void chain(struct canvas *c, uint32_t point, bool all) {
    const struct flows *flows = trace_flows(c->app->trace);
    const struct flow *f = flows_at(flows, flow_link(flows, point)->flow);
    int hop = 1;
    if (all && f->points <= FLOW_NAV_HOPS_DRAWN) {
        c->look = style_look(ROLE_ARROW_DIM);
        for (uint32_t p = flow_link(flows, f->first)->after; p != NO_POINT;
             p = flow_link(flows, p)->after, hop++)
            if (p != point && flow_link(flows, p)->before != point &&
                flow_link(flows, p)->before != NO_POINT)
                arrow(c, flow_link(flows, p)->before, p, hop);
        hop = 1;
        for (uint32_t p = f->first; p != point; p = flow_link(flows, p)->after)
            hop++;
    } else {
        hop = 0; /* too many hops to number them */
    }
    c->look = style_look(ROLE_ARROW);
    c->own = true;
    if (flow_link(flows, point)->before != NO_POINT)
        arrow(c, flow_link(flows, point)->before, point, hop > 1 ? hop - 1 : 0);
    uint32_t to = point;
    for (unsigned n = 0; n < FLOW_NAV_HOPS_DRAWN && next_arrow(flows, point, &to); n++)
        arrow(c, point, to, hop > 0 ? hop++ : 0);
}

/* All arrows that begin in the window, at most as many as a frame allows; not those of the flow
 * `but`. */
static void everything(struct canvas *c, uint32_t but) {
    struct app *app = c->app;
    const struct flows *flows = trace_flows(app->trace);
    size_t lo = 0;
    lower_bound(lo, flow_point_count(flows), k,
                flow_time(flows, (uint32_t)k) < app->timeline.edges[0]);
    c->look = style_look(ROLE_ARROW_DIM);
    c->own = false;
    for (size_t i = lo, n = 0; i < flow_point_count(flows) && n < FLOW_NAV_HOPS_DRAWN; i++) {
        const struct flow_link *p = flow_link(flows, i);
        if (flow_time(flows, (uint32_t)i) >= app->timeline.edges[app->timeline.window.columns])
            break;
        uint32_t to = (uint32_t)i;
        if (p->flow == but)
            continue;
        for (; n < FLOW_NAV_HOPS_DRAWN && next_arrow(flows, (uint32_t)i, &to); n++)
            arrow(c, (uint32_t)i, to, 0);
    }
}

void draw_flows(struct app *app) {
    TRACE_DURATION("draw", "flows");
    struct canvas c = {.app = app,
                       .top = app->layout.tracks,
                       .bottom = app->layout.tracks + app->layout.track_rows,
                       .left = app->layout.lane,
                       .right = app->layout.lane + app->timeline.window.columns};
    uint32_t point;
    if (app->flow.mode == FLOWS_OFF || app->timeline.tracks.set != LIST_ALL ||
        flow_point_count(trace_flows(app->trace)) == 0)
        return;
    /* drawn first: later arrows find fewer blank cells */
    bool chosen = flow_nav_current(app, &point);
    if (chosen)
        chain(&c, point, app->flow.mode != FLOWS_DIRECT);
    if (app->flow.mode == FLOWS_ALL)
        everything(&c, chosen ? flow_link(trace_flows(app->trace), point)->flow : UINT32_MAX);
}
