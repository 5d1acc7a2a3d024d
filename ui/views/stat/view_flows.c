/* view_flows.c - 6 Flows: their names; the flows or hops of a name; one flow as a ladder.
 *
 * The tables (flow_tables.h) are levels: Enter goes down, q up. The second level has two of them,
 * flows and hops, and Tab switches. From a flow, L goes down to its stops, and Enter shows it on
 * the timeline. A table of a level exists while the level is open. With a flow selected on the
 * timeline, the view goes to it: `sought` is its point. Each level goes to the row that leads there
 * as soon as the statistics have it, until a key moves the row. Flows are numbers that change when
 * the trace grows, so the open flow is found again by the offset of its first point. */
#include "ui/views/stat/view_flows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/status.h"
#include "ui/timeline/flow_nav.h"
#include "ui/views/stat/flow_ladder.h"
#include "ui/views/stat/flow_tables.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

struct flows_view {
    struct flow_tables shown;
    struct table tables[FLOW_LEVELS];
    enum flow_level level;
    bool hops;             /* the level FLOW_FLOWS shows hops */
    bool known;            /* the statistics were complete at the last step */
    uint64_t flow_offset;  /* of the first point of shown.flow, in bytes */
    uint32_t range_serial; /* of the range that the statistics are of */
    uint32_t sought;       /* the point to go to; NO_POINT: none */
    unsigned found;        /* number of levels that are on the row that leads to it */
};

static struct trace *trace_of(const struct flows_view *f) {
    return f->shown.app->trace;
}

static void open_level(struct flows_view *f, enum flow_level level) {
    bool hops = level == FLOW_FLOWS && f->hops;
    f->level = level;
    table_init(&f->tables[level], &flow_tables[hops ? (int)FLOW_HOPS : (int)level], &f->shown,
               f->shown.app->grid.ascii);
    if (hops)
        table_sort(&f->tables[level], 1); /* by total: where the time goes */
}

static void *make(struct view *view) {
    struct flows_view *f = err_calloc(1, sizeof *f);
    f->shown.app = view->app;
    f->shown.stats = session_range_flow_stats(view->app);
    f->range_serial = view->app->range.serial;
    f->sought = NO_POINT;
    open_level(f, FLOW_NAMES);
    return f;
}

static void free_view(struct view *view) {
    struct flows_view *f = view->state;
    for (int i = 0; i < FLOW_LEVELS; i++)
        table_free(&f->tables[i]);
    vec_free(&f->shown.stops);
    vec_free(&f->shown.flows);
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

/* The row of the current level that leads to the point that is sought; false: it is not there, or
 * not counted yet. */
static bool sought_row(struct flows_view *f, uint32_t *row) {
    const struct flow_tables *shown = &f->shown;
    const uint32_t flow = flow_link(trace_flows(trace_of(f)), f->sought)->flow,
                   n = f->tables[f->level].counted;
    switch (f->level) {
    case FLOW_NAMES:
        *row = flow_stats_place(
            flow_tables_stats(shown),
            flow_name(trace_flows(trace_of(f)), flow_tables_flow(shown, flow)->first));
        return *row < n;
    case FLOW_FLOWS:
        return !f->hops && flow_tables_flow_row(shown, n, flow, row);
    default:
        return flow == shown->flow && flow_tables_stop_row(shown, n, f->sought, row);
    }
}

/* Goes to that row as soon as it exists, unless the user has moved. */
static void seek(struct flows_view *f) {
    struct table *t = &f->tables[f->level];
    uint32_t row = 0; /* gcc -O1 does not see that it is set if it is used */
    if (f->sought == NO_POINT || f->found > f->level)
        return;
    if (t->at > 0 && !t->replace) {
        f->sought = NO_POINT;
    } else if (sought_row(f, &row)) {
        f->found = f->level + 1u;
        table_show(t, row);
    }
}

/* Whether a flow is open, or is the current one of the flows of its name. */
static bool is_open(struct flows_view *f, uint32_t flow) {
    struct relation_row row;
    if (f->level == FLOW_STOPS)
        return flow == f->shown.flow;
    return f->level == FLOW_FLOWS && !f->hops && table_current(&f->tables[FLOW_FLOWS], &row) &&
           flow_tables_row(&f->shown, row.row) == flow;
}

/* Leads to the flow of the selection, unless it is open already. */
static bool open(struct view *view) {
    struct flows_view *f = view->state;
    uint32_t point;
    if (view->app->views.current == view || !flow_nav_current(view->app, &point) ||
        is_open(f, flow_link(trace_flows(trace_of(f)), point)->flow))
        return true;
    leave(f, FLOW_NAMES);
    f->hops = false;
    table_go(&f->tables[FLOW_NAMES], 0);
    f->sought = point;
    f->found = 0;
    return true;
}

/* ---- what the trace has read since ---- */

/* Other statistics after the range has changed: all tables are made again. */
static void follow_range(struct flows_view *f) {
    struct app *app = f->shown.app;
    if (f->range_serial == app->range.serial)
        return;
    f->range_serial = app->range.serial;
    leave(f, FLOW_NAMES);
    f->shown.stats = session_range_flow_stats(app);
    f->known = false;
    table_renew(&f->tables[FLOW_NAMES]);
    app->dirty = true;
}

/* Takes what is counted, after a step of counting if one is wanted; true: there is more to do. */
static bool count_flows(struct flows_view *f, bool step) {
    follow_range(f);
    size_t names = flow_tables_stats(&f->shown)->names.n;
    struct answer *stats = session_range_flow_stats(f->shown.app);
    if (step)
        answer_step(stats, f->shown.app->work);
    bool known = stats->done, changed = known != f->known;
    if (f->level > FLOW_NAMES)
        /* names that are counted again have other places */
        flow_tables_again(&f->shown, changed && known);
    f->known = known;
    for (int level = FLOW_NAMES; level <= (int)f->level && level < FLOW_STOPS; level++) {
        struct table *t = &f->tables[level];
        if (changed)
            table_renew(t);
        else if ((level == FLOW_NAMES && names != flow_tables_stats(&f->shown)->names.n) ||
                 t->source->relation->rows(&f->shown) != t->counted)
            table_grow(t);
    }
    seek(f);
    /* nothing blinks while it is counted again */
    f->shown.app->dirty |= changed && (known || names == 0);
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
            flow_offset(flows, flow_tables_flow(&f->shown, f->shown.flow)->first) ==
                f->flow_offset) {
            flow_tables_set_stops(&f->shown);
            table_renew(&f->tables[FLOW_STOPS]);
        } else {
            leave(f, FLOW_FLOWS);
        }
    }
    if (renewed || session_may_ask(f->shown.app))
        count_flows(f, false);
    return true;
}

static bool step(struct view *view) {
    struct flows_view *f = view->state;
    view_table_size(view);
    bool more = session_may_ask(view->app) && count_flows(f, true);
    if (f->level == FLOW_STOPS && f->shown.next != NO_POINT) {
        more = !flow_tables_more_stops(&f->shown) || more;
        table_grow(&f->tables[FLOW_STOPS]);
        seek(f);
        view->app->dirty = true;
    }
    return view_table_step(view) || more;
}

/* ---- Enter, and the record ---- */

static void open_flow(struct flows_view *f, uint32_t flow) {
    f->shown.flow = flow;
    f->flow_offset =
        flow_offset(trace_flows(trace_of(f)), flow_tables_flow(&f->shown, flow)->first);
    flow_tables_set_stops(&f->shown);
    open_level(f, FLOW_STOPS);
}

/* To the flow with the longest of the hops; its stop is the current one. */
static void enter_hops(struct flows_view *f, uint64_t row) {
    const struct aggregate_row *pair = flow_tables_pair(&f->shown, row);
    const struct quantiles *hops = pair ? &pair->durations : NULL;
    if (hops == NULL || !hops->sorted || hops->v.n == 0) {
        session_say(f->shown.app, false, "hops are still being counted");
        return;
    }
    uint32_t arrival = hops->v.v[hops->v.n - 1].id;
    open_flow(f, flow_link(trace_flows(trace_of(f)), arrival)->flow);
    f->sought = arrival; /* seek() goes there */
    f->found = FLOW_STOPS;
    session_say(f->shown.app, false, "the flow with the longest of these hops");
}

/* The whole flow on the timeline, from its begin; the drawer has its stops and hops. */
static void show_flow(struct app *app, uint32_t flow) {
    view_open_timeline(app);
    app->drawer.open = true;
    app->drawer.tab = DRAWER_FLOWS;
    session_layout(app);
    flow_nav_show(app, flows_at(trace_flows(app->trace), flow)->first);
}

static void enter(struct view *view) {
    struct flows_view *f = view->state;
    struct flow_tables *shown = &f->shown;
    struct relation_row row;
    if (!table_current(&f->tables[f->level], &row))
        return;
    if (f->level == FLOW_NAMES) {
        flow_tables_set_name(shown, (uint32_t)row.row);
        f->hops = false;
        open_level(f, FLOW_FLOWS);
    } else if (f->level == FLOW_FLOWS && f->hops) {
        enter_hops(f, row.row);
    } else if (f->level == FLOW_FLOWS) {
        uint32_t flow = flow_tables_row(shown, row.row);
        if (flow != FLOW_NONE)
            show_flow(view->app, flow);
    } else {
        view_open_timeline(view->app);
        flow_nav_show(view->app, shown->stops.v[row.row].point);
    }
}

bool view_flows_lists(const struct app *app) {
    const struct view *view = app->views.current;
    const struct flows_view *f = view->state;
    return view->ops == &view_flows && f->level == FLOW_FLOWS && !f->hops;
}

void view_flows_ladder(struct app *app) {
    struct view *view = app->views.current;
    struct flows_view *f = view->state;
    struct relation_row row;
    if (!view_flows_lists(app)) {
        session_say(app, false, "only in the list of the flows of a name: 6, Enter");
        return;
    }
    view_table_work(view);
    uint32_t flow = table_current(&f->tables[FLOW_FLOWS], &row)
                        ? flow_tables_row(&f->shown, row.row)
                        : FLOW_NONE;
    if (flow != FLOW_NONE)
        open_flow(f, flow);
    view_table_work(view);
}

/* Between the flows and the hops of a name; from the list of names to the hops of the current
 * one. */
static void other(struct view *view) {
    struct flows_view *f = view->state;
    struct relation_row row;
    if (f->level == FLOW_NAMES && table_current(&f->tables[FLOW_NAMES], &row)) {
        flow_tables_set_name(&f->shown, (uint32_t)row.row);
        f->hops = true;
        open_level(f, FLOW_FLOWS);
    } else if (f->level == FLOW_FLOWS) {
        leave(f, FLOW_NAMES);
        f->hops = !f->hops;
        open_level(f, FLOW_FLOWS);
    } else {
        session_say(view->app, false, "q goes back to the flows of the name");
    }
}

/* The record of a flow is that of its first point, the record of a stop its own. */
static bool record(struct view *view, struct view_record *record) {
    struct flows_view *f = view->state;
    struct relation_row row;
    if (f->level == FLOW_NAMES || (f->level == FLOW_FLOWS && f->hops) ||
        !table_current(&f->tables[f->level], &row))
        return view_table_no_record(view->app);
    uint32_t point = f->level == FLOW_STOPS
                         ? f->shown.stops.v[row.row].point
                         : flow_tables_flow(&f->shown, f->shown.flows.v[row.row])->first;
    record->offset = flow_tables_point(&f->shown, point).at.offset;
    return true;
}

/* ---- drawing ---- */

static void rule(struct flows_view *f, int y, bool all) {
    struct app *app = f->shown.app;
    char text[120], n[32];
    struct left_out left_out = slice_iter_left_out_all(app->trace);
    int x = view_rule(&app->grid, y);
    flow_tables_count(&f->shown, text);
    x = view_table_range_label(app, view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1, y);
    left_out.states = left_out.unset.states = 0; /* which are in no flow */
    if (left_out_any(left_out))
        x = view_label(&app->grid, x, y, str_of(slice_iter_left_out_text(left_out, text)),
                       ROLE_WARN) +
            1;
    if (f->level > FLOW_NAMES) {
        x = view_label(&app->grid, x, y, trace_name(trace_of(f), f->shown.name_id),
                       ROLE_TAB_CURRENT);
        x = view_label(&app->grid, x - 1, y, str_of(units_count(f->shown.flows.n, false, n)),
                       ROLE_DIM) +
            1;
    }
    if (f->level == FLOW_FLOWS) {
        x = view_label(&app->grid, x, y, STR("flows"), f->hops ? ROLE_TAB : ROLE_TAB_CURRENT);
        view_label(&app->grid, x, y, STR("hops between threads"),
                   f->hops ? ROLE_TAB_CURRENT : ROLE_TAB);
    }
    if (f->level > FLOW_FLOWS && all) {
        snprintf(
            text, sizeof text, "id 0x%" PRIx64,
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

#define PANE_HOPS 64 /* rows of the pane at most */

/* The hops of a name whose sum is greatest, at most `most` of them, greatest first; returns their
 * number. */
static size_t greatest_hops(const struct flow_tables *f, const struct flow_stats_name *name,
                            size_t most, const struct aggregate_row *v[PANE_HOPS]) {
    size_t n = 0;
    most = most < PANE_HOPS ? most : PANE_HOPS;
    for (size_t i = 0; i < name->hops.n && most > 0; i++) {
        const struct aggregate_row *h = &flow_tables_stats(f)->hops.rows.v[name->hops.v[i]];
        size_t at = n;
        while (at > 0 && v[at - 1] && sum_cmp(h->sum, v[at - 1]->sum) > 0)
            at--;
        if (at == most)
            continue;
        n += n < most;
        memmove(v + at + 1, v + at, (n - 1 - at) * sizeof *v);
        v[at] = h;
    }
    return n;
}

static const char *pane_cell(const struct flow_tables *f, const struct aggregate_row *h, int column,
                             char buf[32]) {
    bool ascii = f->app->grid.ascii;
    if (column == 0)
        return units_duration(sum_ns(h->sum), ascii, buf);
    if (column == 1)
        return units_count(h->durations.v.n, true, buf);
    return h->durations.sorted
               ? units_duration(quantiles_at(&h->durations, quantiles_shown[column - 2]), ascii,
                                buf)
               : "";
}

/* The hops of a name that take most time. */
static void hops_pane(struct flow_tables *f, uint32_t name, int y, int rows) {
    struct grid *g = &f->app->grid;
    const struct flow_stats_name *n = &flow_tables_stats(f)->names.v[name];
    const struct aggregate_row *v[PANE_HOPS] = {NULL};
    char buf[TABLE_TEXT], text[128], num[32], all[32];
    static const char *const titles[] = {"total", "n", "p50", "p95", "p99", "max"};
    size_t shown = greatest_hops(f, n, rows > 2 ? (size_t)rows - 2 : 0, v);
    int x = view_rule(g, y), right = g->cols - 68 < 41 ? g->cols - 68 : 41;
    right = right < 24 ? 24 : right;
    x = view_label(g, x, y, trace_name(f->app->trace, n->name), ROLE_HEADER) - 1;
    units_count(n->hops.n, false, all);
    if (shown < n->hops.n)
        snprintf(text, sizeof text, "hops between threads: %zu of %s, by total (Tab: all)", shown,
                 all);
    else
        snprintf(text, sizeof text, "hops between threads, by total (Tab: table)");
    view_label(g, x, y, str_of(text), ROLE_DIM);
    if (n->hops.n == 0) {
        grid_ztext(g, 1, y + 1, g->cols, "each flow has one point or stays in one slice",
                   style_look(ROLE_DIM));
        return;
    }
    for (int c = 0, at = right + 1; c < 6; c++, at += 11)
        if (at + 9 < g->cols)
            grid_ztext(g, at + 9 - (int)strlen(titles[c]), y + 1, g->cols, titles[c],
                       style_look(ROLE_LABEL));
    for (size_t i = 0; i < shown; i++) {
        int at = y + 2 + (int)i;
        grid_text(g, (struct grid_place){1, at, right},
                  flow_tables_hop_text(f, v[i]->key.a, v[i]->key.b, buf, sizeof buf),
                  style_look(ROLE_TEXT), TEXT_TRACK, true);
        for (int c = 0, column = right + 1; c < 6; c++, column += 11) {
            const char *value = pane_cell(f, v[i], c, num);
            if (column + 9 < g->cols)
                grid_ztext(g, column + 9 - (int)text_width(str_of(value), 0, 9), at, g->cols, value,
                           style_look(c == 1 ? ROLE_DIM : ROLE_TEXT));
        }
    }
}

/* The current stop in two lines: its slice and time, and how it was reached. */
static void stop_pane(struct flow_tables *f, uint32_t stop, int y, int rows) {
    struct app *app = f->app;
    struct grid *g = &app->grid;
    struct flow_hop h = flow_tables_hop(f, stop);
    struct flow_point p = flow_tables_point(f, h.here->point);
    char buf[TABLE_TEXT], text[96], dur[32], when[48];
    int x = view_rule(&app->grid, y);
    snprintf(text, sizeof text, "Stop %u of %zu", stop + 1, f->stops.n);
    x = view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1;
    snprintf(text, sizeof text, "@0x%" PRIx64, p.at.offset);
    view_label(&app->grid, x, y, str_of(text), ROLE_DIM);
    if (rows < 2)
        return;
    x = grid_text(g, (struct grid_place){1, y + 1, g->cols},
                  phrase_thread(f->app->trace, p.thread, "/", buf, sizeof buf),
                  style_look(ROLE_DIM), TEXT_TRACK, true);
    struct str slice =
        phrase_slice(f->app->trace, &(struct trace_point){p.thread, p.at, p.kind != FLOW_BEGIN});
    x = grid_ztext(g, x, y + 1, g->cols, slice.n > 0 ? " > " : "  in no slice",
                   style_look(ROLE_DIM));
    x = grid_text(g, (struct grid_place){x, y + 1, g->cols}, slice, style_look(ROLE_HEADER),
                  TEXT_TRACK, true);
    int n = snprintf(text, sizeof text, "  %s",
                     session_point(app, h.here->first, session_resolution(app->trace), when));
    if (h.here->place.in_slice)
        snprintf(
            text + n, sizeof text - (size_t)n, "  slice of %s",
            units_duration(units_since(h.here->place.start, h.here->place.end), g->ascii, dur));
    x = grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    if (h.here->last > h.here->first) {
        snprintf(text, sizeof text, "  within %s",
                 units_duration(units_since(h.here->first, h.here->last), g->ascii, dur));
        grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    }
    if (rows < 3)
        return;
    if (!h.from) {
        bool begun = flow_tables_flow(f, f->flow)->begun;
        grid_ztext(g, 1, y + 2, g->cols,
                   begun ? "the flow begins here" : "its begin is not in the trace",
                   style_look(begun ? ROLE_DIM : ROLE_WARN));
        return;
    }
    n = snprintf(text, sizeof text, "%s after the previous stop",
                 units_duration(h.transit, g->ascii, dur));
    if (h.in_flight > 0)
        snprintf(text + n, sizeof text - (size_t)n, ", in flight %s",
                 units_duration(h.in_flight, g->ascii, dur));
    grid_ztext(g, 1, y + 2, g->cols, text, style_look(flow_tables_slow(&h) ? ROLE_WARN : ROLE_DIM));
}

/* Rows that the ladder takes of those above the panes: the table keeps at least a third of them. */
static int ladder_rows(const struct flow_tables *f, int rows) {
    int want = (int)(f->stops.n < 1000 ? f->stops.n : 1000), ladder = want * 2,
        table_rows = want + 1;
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
    if (f->flows.n == 1)
        snprintf(text, sizeof text, "of the only flow with this name");
    else
        snprintf(text, sizeof text, "over all %s flows with this name",
                 units_count(f->flows.n, false, n));
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
    t->columns[STOP_HOP].width = wide ? 20 : 14; /* the ladder shows slices and their durations */
    t->columns[STOP_LENGTH].rank = wide ? 12 : 4;
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
    int below = 0;
    if (g->rows >= 16 && f->level != FLOW_FLOWS)
        below = area.rows / 3;
    else if (g->rows >= 16 && !f->hops)
        below = area.rows > 2 ? 2 : 0;
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
        if (flow_tables_row(shown, row.row) != FLOW_NONE)
            flow_line(shown, area.y + area.rows - 1, flow_tables_row(shown, row.row));
    }
}

static void status(struct flows_view *f) {
    const struct table *t = &f->tables[f->level];
    static const char *const nouns[FLOW_LEVELS] = {"name", "flow", "stop"};
    size_t all = flow_count(trace_flows(trace_of(f)));
    char right[80] = "";
    if (!f->known)
        snprintf(right, sizeof right, "counted %u%%",
                 units_percent(flow_tables_stats(&f->shown)->flows.n, all));
    else if (t->sort >= 0)
        snprintf(right, sizeof right, "sorted by %s", table_title(t, t->sort));
    view_table_status(f->shown.app, t, f->level == FLOW_FLOWS && f->hops ? "hop" : nouns[f->level],
                      right);
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

static void keep(struct view *view, struct chars *out) {
    const struct flows_view *f = view->state;
    flow_tables_keep(&f->shown, f->level, f->hops, out);
}

static bool put(struct view *view, const char *line) {
    struct flows_view *f = view->state;
    bool flows = f->level == FLOW_FLOWS && !f->hops, hops = flows && strcmp(line, "hops") == 0;
    bool name = f->level == FLOW_NAMES && strncmp(line, "open ", 5) == 0;
    bool ladder =
        flows && strncmp(line, "ladder ", 7) == 0 && view_place_row(&f->tables[f->level], line + 7);
    uint32_t row = 0;
    if (!hops && !ladder && !(name && flow_tables_named(&f->shown, line + 5, &row)))
        return false;
    f->sought = NO_POINT; /* not to the flow of the selection */
    if (name)
        table_show(&f->tables[f->level], row);
    if (ladder)
        view_flows_ladder(view->app);
    else if (name)
        enter(view);
    else
        other(view);
    return true;
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
    .other = other,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = table,
    .keep = keep,
    .put = put,
};
