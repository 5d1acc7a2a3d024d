/* view_flows.c - 6 Flows: their names; the flows of a name; one flow as a ladder, with what each hop usually takes.
 *
 * The three tables (flow_tables.h) are levels: Enter goes down, q up. A table of a level exists while the level is
 * open. With a flow selected on the timeline, the view goes to it: `sought` is its point. Each level goes to the row
 * that leads there as soon as the statistics have it, until a key moves the row. Flows are numbers that change when the
 * trace grows, so the open flow is found again by the offset of its first point. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/status.h"
#include "ui/timeline/flow_nav.h"
#include "ui/drawer/phrase.h"
#include "ui/views/flow_ladder.h"
#include "ui/views/flow_tables.h"
#include "ui/views/view_table.h"

struct flows_view {
    struct flow_tables shown;
    struct table tables[FLOW_LEVELS];
    enum flow_level level;
    uint32_t round;       /* of the statistics */
    bool known;           /* the statistics were complete at the last step */
    uint64_t flow_offset; /* of the first point of shown.flow, in bytes */
    uint32_t sought;      /* the point to go to; NO_POINT: none */
    unsigned found;       /* number of levels that are on the row that leads to it */
};

static struct trace *trace_of(const struct flows_view *f) {
    return f->shown.app->trace;
}

static void open_level(struct flows_view *f, enum flow_level level) {
    f->level = level;
    table_init(&f->tables[level], &flow_tables[level], &f->shown, f->shown.app->grid.ascii);
}

static void *make(struct view *view) {
    struct flows_view *f = err_calloc(1, sizeof *f);
    f->shown.app = view->app;
    f->shown.stats = session_flow_stats(view->app->trace, &view->app->flow);
    f->sought = NO_POINT;
    open_level(f, FLOW_NAMES);
    return f;
}

static void free_view(struct view *view) {
    struct flows_view *f = view->state;
    for (int i = 0; i < FLOW_LEVELS; i++)
        table_free(&f->tables[i]);
    vec_free(&f->shown.stops);
    free(f);
}

static struct table *table(struct view *view) {
    struct flows_view *f = view->state;
    return &f->tables[f->level];
}

static void leave(struct flows_view *f, enum flow_level to) {
    while (f->level > to)
        table_free(&f->tables[f->level--]);
    if (f->found > to + 1u)
        f->found = to + 1u;
}

static bool up(struct view *view) {
    struct flows_view *f = view->state;
    if (f->level == FLOW_NAMES)
        return false;
    leave(f, f->level - 1);
    return true;
}

/* ---- going to the flow that was selected ---- */

/* Largest index whose value is at most `value`; false: there is none. v is sorted. */
static bool index_of(const uint32_t *v, uint32_t n, uint32_t value, uint32_t *i) {
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (v[mid] <= value)
            lo = mid + 1;
        else
            hi = mid;
    }
    *i = lo - 1;
    return lo > 0;
}

/* The row of the current level that leads to the point that is sought; false: it is not there, or not counted yet. */
static bool sought_row(struct flows_view *f, uint32_t *row) {
    const struct flow_tables *shown = &f->shown;
    const uint32_t flow = flow_link(trace_flows(trace_of(f)), f->sought)->flow, n = f->tables[f->level].counted;
    switch (f->level) {
    case FLOW_NAMES:
        *row = flow_stats_place(shown->stats, flow_tables_point(shown, flow_tables_flow(shown, flow)->first).name);
        return *row < n;
    case FLOW_FLOWS:
        return index_of(flow_tables_name(shown)->flows.v, n, flow, row) &&
               flow_tables_name(shown)->flows.v[*row] == flow;
    default: /* a later point of a stop belongs to it */
        return flow == shown->flow && index_of(shown->stops.v, n, f->sought, row);
    }
}

/* Goes to that row as soon as it exists, unless the user has moved. */
static void seek(struct flows_view *f) {
    struct table *t = &f->tables[f->level];
    uint32_t row;
    if (f->sought == NO_POINT || f->found > f->level)
        return;
    if (t->at > 0 && !t->replace) {
        f->sought = NO_POINT;
    } else if (sought_row(f, &row)) {
        f->found = f->level + 1u;
        if (!table_find(t, row)) { /* the filter hides it */
            table_filter(t, NULL);
            table_find(t, row);
        }
    }
}

/* Leads to the flow of the selection, unless it is open already. */
static bool open(struct view *view) {
    struct flows_view *f = view->state;
    uint32_t point;
    if (view->app->views.current == view || !flow_nav_current(view->app, &point) ||
        (f->level == FLOW_STOPS && flow_link(trace_flows(trace_of(f)), point)->flow == f->shown.flow))
        return true;
    leave(f, FLOW_NAMES);
    table_go(&f->tables[FLOW_NAMES], 0);
    f->sought = point;
    f->found = 0;
    return true;
}

/* ---- what the trace has read since ---- */

static bool count_flows(struct flows_view *f, struct budget *budget) {
    struct flow_stats *stats = f->shown.stats;
    uint32_t names = flow_stats_names(stats);
    bool known = flow_stats_step(stats, budget), changed = known != f->known;
    if (f->round != flow_stats_round(stats) && f->level == FLOW_FLOWS && !known)
        leave(f, FLOW_NAMES); /* names are counted again and have other numbers */
    f->round = flow_stats_round(stats);
    f->known = known;
    for (int level = FLOW_NAMES; level <= (int)f->level && level < FLOW_STOPS; level++) {
        struct table *t = &f->tables[level];
        if (changed)
            table_renew(t);
        else if ((level == FLOW_NAMES && names != flow_stats_names(stats)) ||
                 t->source->relation->rows(&f->shown) != t->counted)
            table_grow(t);
    }
    seek(f);
    f->shown.app->dirty |= changed;
    return !known;
}

static bool update(struct view *view, bool renewed) {
    struct flows_view *f = view->state;
    const struct flows *flows = trace_flows(trace_of(f));
    if (renewed) /* numbers mean nothing now */
        leave(f, FLOW_NAMES);
    if (f->sought != NO_POINT && !flow_nav_current(f->shown.app, &f->sought))
        f->sought = NO_POINT;
    if (f->level == FLOW_STOPS) {
        if (f->shown.flow < flow_count(flows) &&
            flow_offset(flows, flow_tables_flow(&f->shown, f->shown.flow)->first) == f->flow_offset) {
            flow_tables_set_stops(&f->shown);
            table_renew(&f->tables[FLOW_STOPS]);
        } else {
            leave(f, FLOW_FLOWS);
        }
    }
    count_flows(f, BUDGET_OF(0));
    return true;
}

static bool step(struct view *view, struct budget *budget) {
    view_table_size(view);
    bool more = count_flows(view->state, budget);
    return view_table_step(view, budget) || more;
}

/* ---- Enter, and the record ---- */

static void enter_stop(struct flows_view *f, uint32_t stop) {
    struct flow_slice_place p = flow_slice_place(trace_of(f), f->shown.stops.v[stop]);
    if (p.in_slice)
        view_go(f->shown.app, selection_of_slice(trace_thread(trace_of(f), p.thread), p.row, p.i));
    else
        session_say(f->shown.app, false, "this point is not inside a slice");
}

static void enter(struct view *view) {
    struct flows_view *f = view->state;
    struct flow_tables *shown = &f->shown;
    struct relation_row row;
    if (!table_current(&f->tables[f->level], &row))
        return;
    if (f->level == FLOW_NAMES) {
        shown->name = (uint32_t)row.row;
        open_level(f, FLOW_FLOWS);
    } else if (f->level == FLOW_FLOWS) {
        shown->flow = flow_tables_name(shown)->flows.v[row.row];
        f->flow_offset = flow_offset(trace_flows(trace_of(f)), flow_tables_flow(shown, shown->flow)->first);
        flow_tables_set_stops(shown);
        open_level(f, FLOW_STOPS);
    } else {
        enter_stop(f, (uint32_t)row.row);
    }
}

/* The record of a flow is that of its first point, the record of a stop its own. */
static bool record(struct view *view, struct view_record *record) {
    struct flows_view *f = view->state;
    struct relation_row row;
    if (f->level == FLOW_NAMES || !table_current(&f->tables[f->level], &row))
        return view_table_no_record(view->app);
    uint32_t point = f->level == FLOW_STOPS
                         ? f->shown.stops.v[row.row]
                         : flow_tables_flow(&f->shown, flow_tables_name(&f->shown)->flows.v[row.row])->first;
    record->offset = flow_tables_point(&f->shown, point).at.offset;
    return true;
}

/* ---- drawing ---- */

static void rule(struct flows_view *f, int y, bool all) {
    struct app *app = f->shown.app;
    char text[64], n[32];
    int x = view_rule(&app->grid, y);
    snprintf(text, sizeof text, "Flows  %s", units_count(flow_count(trace_flows(trace_of(f))), false, n));
    x = view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1;
    if (f->level > FLOW_NAMES) {
        x = view_label(&app->grid, x, y, trace_name(trace_of(f), flow_tables_name(&f->shown)->name), ROLE_TAB_CURRENT);
        snprintf(text, sizeof text, "%s", units_count(flow_tables_name(&f->shown)->flows.n, false, n));
        x = view_label(&app->grid, x - 1, y, str_of(text), ROLE_DIM) + 1;
    }
    if (f->level > FLOW_FLOWS && all) {
        snprintf(text, sizeof text, "id 0x%" PRIx64,
                 flow_id(trace_flows(trace_of(f)), flow_tables_flow(&f->shown, f->shown.flow)->first));
        view_label(&app->grid, x, y, str_of(text), ROLE_TAB_CURRENT);
    }
}

static void flow_line(struct flow_tables *f, int y, uint32_t i) {
    struct grid *g = &f->app->grid;
    struct phrase words[PHRASE_FLOW];
    int x = 1, n = phrase_flow(f->app, i, words);
    for (int k = 0; k < n; k++)
        if (k < 4 || x + (int)strlen(words[k].text) < g->cols)
            x = grid_ztext(g, x, y, g->cols, words[k].text, style_look(words[k].role));
}

/* The times of the hops of a name, in the order of their first ones. */
static void hops_pane(struct flow_tables *f, uint32_t name, int y, int rows) {
    struct app *app = f->app;
    struct grid *g = &app->grid;
    const struct flow_stats_name *n = flow_stats_name(f->stats, name);
    char buf[TABLE_TEXT], text[64], num[32];
    static const char *const titles[] = {"n", "p50", "p95", "p99", "max"};
    int x = view_rule(&app->grid, y), right = g->cols - 57 < 41 ? g->cols - 57 : 41;
    right = right < 16 ? 16 : right;
    x = view_label(&app->grid, x, y, trace_name(f->app->trace, n->name), ROLE_HEADER) - 1;
    snprintf(text, sizeof text, "%zu hop%s between threads", n->hops.n, n->hops.n == 1 ? "" : "s");
    view_label(&app->grid, x, y, str_of(text), ROLE_DIM);
    if (n->hops.n == 0) {
        grid_ztext(g, 1, y + 1, g->cols, "each flow has one point or stays in one slice", style_look(ROLE_DIM));
        return;
    }
    for (int c = 0, at = right + 1; c < 5; c++, at += 11)
        if (at + 9 < g->cols)
            grid_ztext(g, at + 9 - (int)strlen(titles[c]), y + 1, g->cols, titles[c], style_look(ROLE_LABEL));
    for (size_t i = 0; i < n->hops.n && (int)i < rows - 2; i++) {
        const struct aggregate_row *h = flow_stats_hop(f->stats, n->hops.v[i]);
        int at = y + 2 + (int)i;
        grid_text(g, (struct grid_place){1, at, right}, flow_tables_hop_text(f, h->key.a, h->key.b, buf, sizeof buf),
                  style_look(ROLE_TEXT), TEXT_TRACK, true);
        for (int c = 0, column = right + 1; c < 5; c++, column += 11) {
            const char *value =
                c == 0 ? units_count(h->durations.v.n, true, num)
                : h->durations.sorted
                    ? units_duration(quantiles_at(&h->durations, quantiles_shown[c - 1]), g->ascii, num)
                    : "";
            if (column + 9 < g->cols)
                grid_ztext(g, column + 9 - (int)text_width(str_of(value), 0, 9), at, g->cols, value,
                           style_look(c == 0 ? ROLE_DIM : ROLE_TEXT));
        }
    }
}

/* The current stop in two lines: its slice and time, and how it was reached. */
static void stop_pane(struct flow_tables *f, uint32_t stop, int y, int rows) {
    struct app *app = f->app;
    struct grid *g = &app->grid;
    struct flow_hop h = flow_tables_hop(f, stop);
    struct flow_point p = flow_tables_point(f, f->stops.v[stop]);
    char buf[TABLE_TEXT], text[96], dur[32], when[48];
    int x = view_rule(&app->grid, y);
    snprintf(text, sizeof text, "Stop %u of %zu", stop + 1, f->stops.n);
    x = view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1;
    snprintf(text, sizeof text, "@0x%" PRIx64, p.at.offset);
    view_label(&app->grid, x, y, str_of(text), ROLE_DIM);
    if (rows < 2)
        return;
    x = grid_text(g, (struct grid_place){1, y + 1, g->cols},
                  phrase_thread(f->app->trace, p.thread, true, buf, sizeof buf), style_look(ROLE_DIM), TEXT_TRACK,
                  true);
    struct str slice = phrase_slice(f->app->trace, p.thread, p.at.time);
    x = grid_ztext(g, x, y + 1, g->cols, slice.n > 0 ? " > " : "  in no slice", style_look(ROLE_DIM));
    x = grid_text(g, (struct grid_place){x, y + 1, g->cols}, slice, style_look(ROLE_HEADER), TEXT_TRACK, true);
    snprintf(text, sizeof text, "  %s", session_point(app, h.here.start, session_resolution(app->trace), when));
    x = grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    if (h.here.in_slice) {
        snprintf(text, sizeof text, "  work %s", units_duration(units_since(h.here.start, h.here.end), g->ascii, dur));
        grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    }
    if (rows < 3)
        return;
    if (!h.arrives) {
        bool begun = flow_tables_flow(f, f->flow)->begun;
        grid_ztext(g, 1, y + 2, g->cols, begun ? "the flow begins here" : "its begin is not in the trace",
                   style_look(begun ? ROLE_DIM : ROLE_WARN));
        return;
    }
    snprintf(text, sizeof text,
             h.transit < 0 ? "began %s before the previous slice ended" : "%s after the previous slice ended",
             units_duration(h.transit < 0 ? -h.transit : h.transit, g->ascii, dur));
    grid_ztext(g, 1, y + 2, g->cols, text, style_look(flow_tables_slow(&h) ? ROLE_WARN : ROLE_DIM));
}

/* Rows that the ladder takes of those above the panes: the table keeps at least a third of them. */
static int ladder_rows(const struct flow_tables *f, int rows) {
    int want = (int)(f->stops.n < 1000 ? f->stops.n : 1000), ladder = want * 2, table_rows = want + 1;
    if (ladder + table_rows > rows) {
        int least = rows / 3 > 4 ? rows / 3 : 4;
        table_rows = table_rows < rows / 3 ? table_rows : least;
        ladder = ladder < rows - table_rows ? ladder : rows - table_rows;
    }
    return ladder;
}

static void hops_rule(struct flow_tables *f, int y) {
    char text[64], n[32];
    int x = view_label(&f->app->grid, view_rule(&f->app->grid, y), y, STR("Hops"), ROLE_HEADER) - 1;
    if (flow_tables_name(f)->flows.n == 1)
        snprintf(text, sizeof text, "of the only flow with this name");
    else
        snprintf(text, sizeof text, "over all %s flows with this name",
                 units_count(flow_tables_name(f)->flows.n, false, n));
    view_label(&f->app->grid, x, y, str_of(text), ROLE_DIM);
}

static void draw_stops(struct flows_view *f, struct view_area area) {
    struct flow_tables *shown = &f->shown;
    struct app *app = shown->app;
    struct table *t = &f->tables[FLOW_STOPS];
    struct relation_row row = {0, RELATION_NO_ROW};
    table_current(t, &row);
    rule(f, area.y, true);
    flow_line(shown, area.y + 1, shown->flow);
    area.y += 2;
    area.rows -= 2;
    int below = app->grid.rows < 16 ? 0 : 3;
    bool wide = area.rows > 14 && flow_ladder_fits(shown);
    t->columns[STOP_HOP].width = wide ? 20 : 14; /* the ladder shows slices and work */
    t->columns[STOP_WORK].rank = wide ? 10 : 3;
    if (wide) {
        int ladder = ladder_rows(shown, area.rows - below - 2);
        flow_ladder_draw(shown, area.y, ladder, (uint32_t)row.row);
        hops_rule(shown, area.y + ladder);
        area.y += ladder + 1;
        area.rows -= ladder + 1;
    }
    table_draw(t, &app->grid, area.y, area.rows - below);
    if (below > 0 && shown->stops.n > 0)
        stop_pane(shown, (uint32_t)row.row, area.y + area.rows - below, below);
}

/* Names with what their hops cost, or the flows of a name with the current one in a line. */
static void draw_list(struct flows_view *f, struct view_area area) {
    struct flow_tables *shown = &f->shown;
    struct grid *g = &shown->app->grid;
    struct table *t = &f->tables[f->level];
    struct relation_row row;
    bool current = table_current(t, &row);
    int below = g->rows < 16 ? 0 : f->level == FLOW_FLOWS ? (area.rows > 2 ? 2 : 0) : area.rows / 3;
    rule(f, area.y, false);
    table_draw(t, g, area.y + 1, area.rows - 1 - below);
    if (flow_count(trace_flows(trace_of(f))) == 0)
        view_table_empty(&shown->app->grid, area, "no flows in this trace");
    if (below == 0 || !current)
        return;
    if (f->level == FLOW_NAMES) {
        hops_pane(shown, (uint32_t)row.row, area.y + area.rows - below, below);
    } else {
        view_rule(&shown->app->grid, area.y + area.rows - below);
        flow_line(shown, area.y + area.rows - 1, flow_tables_name(shown)->flows.v[row.row]);
    }
}

static void status(struct flows_view *f) {
    const struct table *t = &f->tables[f->level];
    static const char *const nouns[FLOW_LEVELS] = {"name", "flow", "stop"};
    size_t all = flow_count(trace_flows(trace_of(f)));
    char right[80] = "";
    if (trace_state(trace_of(f)) == TRACE_LOADING)
        snprintf(right, sizeof right, "statistics follow after loading");
    else if (!f->known)
        snprintf(right, sizeof right, "counted %u%%",
                 all > 0 ? (unsigned)((uint64_t)flow_stats_done(f->shown.stats) * 99 / all) : 0);
    else if (t->sort >= 0)
        snprintf(right, sizeof right, "sorted by %s", table_title(t, t->sort));
    view_table_status(f->shown.app, t, nouns[f->level], right);
}

static void draw(struct view *view) {
    struct flows_view *f = view->state;
    struct view_area area = view_table_area(view->app);
    if (f->level == FLOW_STOPS)
        draw_stops(f, area);
    else
        draw_list(f, area);
    status(f);
}

const struct view_ops view_flows = {
    .title = "[6 Flows]",
    .modes = MODE_TABLE,
    .make = make,
    .free = free_view,
    .open = open,
    .up = up,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = table,
};
