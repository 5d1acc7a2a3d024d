/* view_flows.c - 6 Flows: their names; the flows of a name; one flow as a ladder, with what each hop usually takes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/flow_stats.h"
#include "src/base/units.h"
#include "ui/status.h"
#include "ui/timeline/flow_nav.h"
#include "ui/views/view.h"

#define THREADS 12 /* side by side in a ladder */
#define LADDER 20  /* columns for each of them, at least */

enum level { NAMES, FLOWS, STOPS, LEVELS };

struct view_flows {
    struct app *app;
    struct flow_stats *stat; /* the app's */
    enum level level;
    struct table tables[LEVELS];
    uint32_t round, generation; /* of the statistics; of the trace */
    bool known;
    uint32_t name, flow; /* places; what the levels below the first show */
    uint64_t flow_offset;
    VEC(uint32_t) stops; /* the first point of each */
    uint32_t sought;     /* the point that somebody came from, or NO_POINT */
    unsigned found;      /* so many levels stood on what leads to it */
};

static struct trace *trace_of(const struct view_flows *f) {
    return f->app->trace;
}

static void put_duration(const struct view_flows *f, struct table_cell *cell, int64_t ns) {
    char buf[32];
    cell->csv = CSV_NUMBER;
    cell->number = ns;
    cell->text = str_of(strcpy(cell->buf, units_duration(ns, f->app->grid.ascii, buf)));
}

static void put_count(struct table_cell *cell, uint64_t n) {
    char buf[32];
    cell->csv = CSV_NUMBER;
    cell->number = (int64_t)n;
    cell->text = str_of(strcpy(cell->buf, units_count(n, true, buf)));
}

/* ---- names ---- */

enum { N_NAME, N_COUNT, N_COMPLETE, N_UNFINISHED, N_UNBEGUN, N_UNRESOLVED, N_P50, N_P95, N_P99, N_MAX, N_COLUMNS };

static const struct table_column name_columns[N_COLUMNS] = {
    [N_NAME] = {"name", 11, 0, 0, false, false},      [N_COUNT] = {"n", 5, 5, 1, true, true},
    [N_COMPLETE] = {"complete", 8, 8, 5, true, true}, [N_UNFINISHED] = {"no end", 6, 6, 3, true, true},
    [N_UNBEGUN] = {"no begin", 8, 8, 8, true, true},  [N_UNRESOLVED] = {"unresolved", 10, 10, 9, true, true},
    [N_P50] = {"p50", 8, 9, 2, true, true},           [N_P95] = {"p95", 8, 9, 7, true, true},
    [N_P99] = {"p99", 8, 9, 4, true, true},           [N_MAX] = {"max", 8, 9, 6, true, true},
};

static uint32_t names_count_(void *ctx) {
    return flow_stats_names(((struct view_flows *)ctx)->stat);
}

static uint64_t name_number(const struct flow_stats_name *n, int column) {
    const uint64_t numbers[] = {n->flows.n, n->complete, n->unfinished, n->unbegun, n->unresolved};
    return numbers[column - N_COUNT];
}

static int64_t name_time(const struct quantiles *total, int column) {
    static const unsigned thousandths[] = {500, 950, 990, 1000};
    return quantiles_at(total, thousandths[column - N_P50]);
}

static void name_cell(void *ctx, struct table_row row, int column, struct table_cell *cell) {
    struct view_flows *f = ctx;
    const struct flow_stats_name *n = flow_stats_name(f->stat, row.row);
    const struct quantiles *total = &flow_stats_total(f->stat, row.row)->durations;
    if (column == N_NAME) {
        cell->text = trace_name(trace_of(f), n->name);
        cell->csv = cell->text.n == 0 ? CSV_NOTHING : CSV_TEXT;
        if (cell->text.n == 0)
            cell->text = STR("(no name)");
    } else if (column < N_P50) {
        uint64_t number = name_number(n, column);
        put_count(cell, number);
        cell->role = column > N_COMPLETE ? (number > 0 ? ROLE_WARN : ROLE_DIM) : ROLE_TEXT;
    } else if (total->v.n > 0 && total->sorted) {
        put_duration(f, cell, name_time(total, column));
    }
}

static int64_t name_key(void *ctx, struct table_row row, int column) {
    const struct flow_stats *stat = ((struct view_flows *)ctx)->stat;
    const struct quantiles *total = &flow_stats_total(stat, row.row)->durations;
    if (column < N_P50)
        return (int64_t)name_number(flow_stats_name(stat, row.row), column);
    return total->sorted ? name_time(total, column) : 0;
}

/* ---- flows of a name ---- */

enum { F_START, F_ID, F_STATE, F_POINTS, F_TOTAL, F_SLOWEST, F_WHERE, F_COLUMNS };

static const struct table_column flow_columns[F_COLUMNS] = {
    [F_START] = {"begin", 13, 13, 0, false, false},  [F_ID] = {"id", 10, 18, 5, false, true},
    [F_STATE] = {"state", 10, 10, 2, false, true},   [F_POINTS] = {"points", 6, 8, 6, true, true},
    [F_TOTAL] = {"total", 9, 9, 1, true, true},      [F_SLOWEST] = {"slowest", 9, 9, 3, true, true},
    [F_WHERE] = {"between", 14, 0, 4, false, false},
};

static const struct flow *flow_at(const struct view_flows *f, uint32_t flow) {
    return flows_at(trace_flows(trace_of(f)), flow);
}

static struct flow_point point_at(const struct view_flows *f, uint32_t point) {
    return flow_point(trace_flows(trace_of(f)), point);
}

static const struct flow_link *link_at(const struct view_flows *f, uint32_t point) {
    return flow_link(trace_flows(trace_of(f)), point);
}

static const char *state_of(const struct flow *flow) {
    return flow->unresolved ? "unresolved" : !flow->begun ? "no begin" : !flow->ended ? "no end" : "complete";
}

static const struct flow_stats_name *the_name(const struct view_flows *f) {
    return flow_stats_name(f->stat, f->name);
}

static uint32_t flows_count(void *ctx) {
    struct view_flows *f = ctx;
    return f->name < flow_stats_names(f->stat) ? (uint32_t)the_name(f)->flows.n : 0;
}

static struct str hop_text(const struct view_flows *f, uint32_t from, uint32_t to, char *buf, size_t cap) {
    char a[TABLE_TEXT / 2], b[TABLE_TEXT / 2];
    return view_join(buf, cap, view_thread(trace_of(f), from, false, a, sizeof a), " > ",
                     view_thread(trace_of(f), to, false, b, sizeof b));
}

static void flow_cell(void *ctx, struct table_row row, int column, struct table_cell *cell) {
    struct view_flows *f = ctx;
    uint32_t i = the_name(f)->flows.v[row.row];
    const struct flow *flow = flow_at(f, i);
    struct flow_point first = point_at(f, flow->first);
    const struct flow_stats_flow *s = flow_stats_flow(f->stat, i);
    char when[48];
    switch (column) {
    case F_START:
        cell->text = str_of(strcpy(cell->buf, session_point(f->app, first.at.time, session_resolution(f->app), when)));
        cell->csv = CSV_NUMBER;
        cell->number = view_since(trace_origin(trace_of(f)), first.at.time);
        break;
    case F_ID:
        snprintf(cell->buf, sizeof cell->buf, "0x%" PRIx64, first.id);
        cell->text = str_of(cell->buf);
        break;
    case F_STATE:
        cell->text = str_of(state_of(flow));
        cell->role = flow_complete(flow) ? ROLE_DIM : ROLE_WARN;
        break;
    case F_POINTS:
        put_count(cell, flow->points);
        break;
    case F_TOTAL:
        if (s)
            put_duration(f, cell, s->total);
        break;
    case F_SLOWEST:
        if (s && s->arrival != NO_POINT)
            put_duration(f, cell, s->slowest);
        break;
    default:
        if (s && s->arrival != NO_POINT)
            cell->text = hop_text(f, point_at(f, link_at(f, s->arrival)->before).thread,
                                  point_at(f, s->arrival).thread, cell->buf, sizeof cell->buf);
        break;
    }
}

static int64_t flow_key(void *ctx, struct table_row row, int column) {
    struct view_flows *f = ctx;
    uint32_t i = the_name(f)->flows.v[row.row];
    const struct flow *flow = flow_at(f, i);
    const struct flow_stats_flow *s = flow_stats_flow(f->stat, i);
    switch (column) {
    case F_ID:
        return (int64_t)(point_at(f, flow->first).id ^ UINT64_C(1) << 63); /* unsigned order */
    case F_STATE:
        return flow_complete(flow) ? 0 : flow->unresolved ? 3 : flow->begun ? 1 : 2;
    case F_POINTS:
        return flow->points;
    case F_TOTAL:
        return s ? s->total : 0;
    default:
        return s ? s->slowest : 0;
    }
}

/* ---- stops of a flow ---- */

enum { S_HOP, S_SLICE, S_WORK, S_THIS, S_COUNT, S_P50, S_P95, S_P99, S_MAX, S_VERDICT, S_COLUMNS };

static const struct table_column stop_columns[S_COLUMNS] = {
    [S_HOP] = {"hop", 14, 40, 0, false, false}, [S_SLICE] = {"slice", 12, 32, 9, false, false},
    [S_WORK] = {"work", 8, 8, 3, true, true},   [S_THIS] = {"this", 9, 9, 1, true, true},
    [S_COUNT] = {"n", 5, 5, 6, true, true},     [S_P50] = {"p50", 9, 9, 4, true, true},
    [S_P95] = {"p95", 9, 9, 7, true, true},     [S_P99] = {"p99", 9, 9, 5, true, true},
    [S_MAX] = {"max", 9, 9, 8, true, true},     [S_VERDICT] = {"verdict", 11, 11, 2, false, false},
};

struct hop { /* the one that arrives at a stop */
    struct flow_slice_place here;
    bool arrives;
    int64_t transit;
    const struct aggregate_row *stat;
};

static struct hop hop_at(const struct view_flows *f, uint32_t stop) {
    struct hop h = {.here = flow_slice_place(trace_of(f), f->stops.v[stop])};
    if (stop == 0)
        return h;
    struct flow_slice_place before = flow_slice_place(trace_of(f), f->stops.v[stop - 1]);
    h.arrives = true;
    h.transit = view_since(before.end, h.here.start);
    h.stat = flow_stats_between(f->stat, f->name, before.thread, h.here.thread);
    if (h.stat && !h.stat->durations.sorted)
        h.stat = NULL;
    return h;
}

static bool is_slow(const struct hop *h) {
    return h->stat && flow_stats_slow(h->stat, h->transit);
}

static uint32_t stops_count(void *ctx) {
    return (uint32_t)((struct view_flows *)ctx)->stops.n;
}

static void stop_cell(void *ctx, struct table_row row, int column, struct table_cell *cell) {
    static const unsigned thousandths[] = {500, 950, 990, 1000};
    struct view_flows *f = ctx;
    struct hop h = hop_at(f, row.row);
    char text[24], a[TABLE_TEXT / 2];
    switch (column) {
    case S_HOP:
        if (h.arrives)
            cell->text =
                hop_text(f, point_at(f, f->stops.v[row.row - 1]).thread, h.here.thread, cell->buf, sizeof cell->buf);
        else
            cell->text = view_join(cell->buf, sizeof cell->buf,
                                   view_thread(trace_of(f), h.here.thread, false, a, sizeof a), "", STR(""));
        break;
    case S_SLICE:
        cell->text = view_slice(trace_of(f), h.here.thread, point_at(f, f->stops.v[row.row]).at.time);
        break;
    case S_WORK:
        if (h.here.in_slice)
            put_duration(f, cell, view_since(h.here.start, h.here.end));
        break;
    case S_THIS:
        if (h.arrives)
            put_duration(f, cell, h.transit);
        cell->role = is_slow(&h) ? ROLE_WARN : ROLE_TEXT;
        break;
    case S_COUNT:
        if (h.stat)
            put_count(cell, h.stat->durations.v.n);
        break;
    case S_VERDICT:
        if (!h.arrives)
            cell->text = flow_at(f, f->flow)->begun ? STR("begins") : STR("no begin");
        cell->role = is_slow(&h) ? ROLE_WARN : ROLE_DIM;
        if (h.stat) {
            flow_stats_verdict(h.stat, h.transit, text);
            cell->text = str_of(strcpy(cell->buf, text));
        }
        break;
    default:
        cell->role = ROLE_DIM;
        if (h.stat)
            put_duration(f, cell, quantiles_at(&h.stat->durations, thousandths[column - S_P50]));
        break;
    }
}

static int64_t stop_key(void *ctx, struct table_row row, int column) {
    static const unsigned thousandths[] = {500, 950, 990, 1000};
    struct hop h = hop_at(ctx, row.row);
    if (column == S_WORK)
        return view_since(h.here.start, h.here.end);
    if (column == S_THIS)
        return h.arrives ? h.transit : INT64_MIN;
    if (h.stat == NULL)
        return INT64_MIN;
    return column == S_COUNT ? (int64_t)h.stat->durations.v.n
                             : quantiles_at(&h.stat->durations, thousandths[column - S_P50]);
}

/* ---- life ---- */

static const char *const name_csv[N_COLUMNS] = {"name",       "n",      "complete", "no_end", "no_begin",
                                                "unresolved", "p50_ns", "p95_ns",   "p99_ns", "max_ns"};
static const char *const flow_csv[F_COLUMNS] = {"begin_ns", "id",         "state",  "points",
                                                "total_ns", "slowest_ns", "between"};
static const char *const stop_csv[S_COLUMNS] = {"hop",    "slice",  "work_ns", "this_ns", "n",
                                                "p50_ns", "p95_ns", "p99_ns",  "max_ns",  "verdict"};

static const struct table_source sources[LEVELS] = {
    [NAMES] = {.count = names_count_, .cell = name_cell, .key = name_key, .csv = name_csv},
    [FLOWS] = {.count = flows_count, .cell = flow_cell, .key = flow_key, .csv = flow_csv},
    [STOPS] = {.count = stops_count, .cell = stop_cell, .key = stop_key, .csv = stop_csv},
};

struct view_flows *view_flows_new(struct app *app) {
    struct view_flows *f = err_calloc(1, sizeof *f);
    f->app = app;
    f->stat = session_flow_stats(app);
    f->sought = NO_POINT;
    table_init(&f->tables[NAMES], &sources[NAMES], f, name_columns, N_COLUMNS);
    return f;
}

void view_flows_free(struct view_flows *f) {
    if (f == NULL)
        return;
    for (int i = 0; i < LEVELS; i++)
        table_free(&f->tables[i]);
    vec_free(&f->stops);
    free(f);
}

struct table *view_flows_table(struct view_flows *f) {
    return &f->tables[f->level];
}

static void leave(struct view_flows *f, enum level to) {
    while (f->level > to)
        table_free(&f->tables[f->level--]);
    if (f->found > to + 1u)
        f->found = to + 1u;
}

bool view_flows_up(struct view_flows *f) {
    if (f->level == NAMES)
        return false;
    leave(f, f->level - 1);
    return true;
}

static void open_stops(struct view_flows *f) {
    f->stops.n = 0;
    for (uint32_t p = flow_at(f, f->flow)->first; p != NO_POINT; p = flow_stats_next_stop(trace_of(f), p))
        vec_push(&f->stops, p);
}

/* The row of the current level that leads to the point that is sought; false: it is not there, or not counted yet. */
static bool sought_row(struct view_flows *f, uint32_t *row) {
    uint32_t flow = link_at(f, f->sought)->flow;
    if (f->level == NAMES) {
        *row = flow_stats_place(f->stat, point_at(f, flow_at(f, flow)->first).name);
        return *row < f->tables[NAMES].counted;
    }
    uint32_t of = f->level == FLOWS ? flow : f->sought, n = f->tables[f->level].counted, lo = 0, hi = n;
    const uint32_t *v = f->level == FLOWS ? the_name(f)->flows.v : f->stops.v;
    if (f->level == STOPS && flow != f->flow)
        return false;
    while (lo < hi) { /* both are sorted; a point behind the first of a stop belongs to it */
        uint32_t mid = lo + (hi - lo) / 2;
        if (v[mid] <= of)
            lo = mid + 1;
        else
            hi = mid;
    }
    *row = lo - 1;
    return lo > 0 && (f->level == STOPS || v[*row] == of);
}

/* Stands on that row as soon as it is there, unless somebody has moved. */
static void seek(struct view_flows *f) {
    struct table *t = &f->tables[f->level];
    uint32_t row;
    if (f->sought == NO_POINT || f->found > f->level)
        return;
    if (t->at > 0 && !t->replace) {
        f->sought = NO_POINT;
    } else if (sought_row(f, &row)) {
        f->found = f->level + 1u;
        if (!table_find(t, row)) { /* a filter hides it */
            table_filter(t, NULL);
            table_find(t, row);
        }
    }
}

/* The flow of what is selected is what somebody wants who comes here; it stands there already, it may be. */
void view_flows_aim(struct view_flows *f) {
    uint32_t point;
    if (!flow_nav_current(f->app, &point) || (f->level == STOPS && link_at(f, point)->flow == f->flow))
        return;
    leave(f, NAMES);
    table_go(&f->tables[NAMES], 0);
    f->sought = point;
    f->found = 0;
}

/* Flows are found again by what begins them, or left. */
void view_flows_update(struct view_flows *f) {
    const struct flows *flows = trace_flows(trace_of(f));
    if (f->generation != trace_generation(trace_of(f))) /* another trace, it may be: places mean nothing now */
        leave(f, NAMES);
    f->generation = trace_generation(trace_of(f));
    if (f->sought != NO_POINT && !flow_nav_current(f->app, &f->sought))
        f->sought = NO_POINT; /* places of points may have changed */
    if (f->level == STOPS) {
        if (f->flow < flow_count(flows) && point_at(f, flow_at(f, f->flow)->first).at.offset == f->flow_offset) {
            open_stops(f);
            table_renew(&f->tables[STOPS]);
        } else {
            leave(f, FLOWS);
        }
    }
    view_flows_step(f, BUDGET_OF(0));
}

bool view_flows_step(struct view_flows *f, struct budget *budget) {
    uint32_t names = flow_stats_names(f->stat);
    bool known = flow_stats_step(f->stat, budget), changed = known != f->known;
    if (f->round != flow_stats_round(f->stat) && f->level == FLOWS && !known)
        leave(f, NAMES); /* it will be counted again, and come to its place */
    f->round = flow_stats_round(f->stat);
    f->known = known;
    for (int level = NAMES; level <= (int)f->level && level < STOPS; level++) {
        struct table *t = &f->tables[level];
        if (changed || (level == NAMES && names != flow_stats_names(f->stat)) || t->source->count(f) != t->counted)
            changed ? table_renew(t) : table_grow(t);
    }
    seek(f);
    f->app->dirty = f->app->dirty || changed;
    return !known;
}

static struct selection stop_pick(struct view_flows *f, uint32_t stop) {
    struct flow_slice_place p = flow_slice_place(trace_of(f), f->stops.v[stop]);
    return p.in_slice ? selection_of_slice(trace_thread(trace_of(f), p.thread), p.row, p.i) : (struct selection){0};
}

void view_flows_enter(struct view_flows *f) {
    struct table_row row;
    struct app *app = f->app;
    if (!table_current(&f->tables[f->level], &row))
        return;
    if (f->level == NAMES) {
        f->name = row.row;
        f->level = FLOWS;
        table_init(&f->tables[FLOWS], &sources[FLOWS], f, flow_columns, F_COLUMNS);
    } else if (f->level == FLOWS) {
        f->flow = the_name(f)->flows.v[row.row];
        f->flow_offset = point_at(f, flow_at(f, f->flow)->first).at.offset;
        f->level = STOPS;
        open_stops(f);
        table_init(&f->tables[STOPS], &sources[STOPS], f, stop_columns, S_COLUMNS);
    } else {
        struct selection selection = stop_pick(f, row.row);
        if (!selection_any(&selection))
            session_say(app, false, "this point is not inside a slice");
        else
            view_go(app, selection);
    }
}

/* Of a flow its first point's, of a stop its own. */
bool view_flows_record(struct view_flows *f, uint64_t *offset) {
    struct table_row row;
    if (f->level == NAMES || !table_current(&f->tables[f->level], &row))
        return false;
    if (f->level == FLOWS)
        *offset = point_at(f, flow_at(f, the_name(f)->flows.v[row.row])->first).at.offset;
    else
        *offset = point_at(f, f->stops.v[row.row]).at.offset;
    return true;
}

/* ---- drawing ---- */

static void rule(struct view_flows *f, int y, bool all) {
    struct app *app = f->app;
    char text[64], n[32];
    int x = view_rule(app, y);
    snprintf(text, sizeof text, "Flows  %s", units_count(flow_count(trace_flows(trace_of(f))), false, n));
    x = view_label(app, x, y, str_of(text), ROLE_HEADER) + 1;
    if (f->level > NAMES) {
        x = view_label(app, x, y, trace_name(trace_of(f), the_name(f)->name), ROLE_TAB_CURRENT);
        snprintf(text, sizeof text, "%s", units_count(the_name(f)->flows.n, false, n));
        x = view_label(app, x - 1, y, str_of(text), ROLE_DIM) + 1;
    }
    if (f->level > FLOWS && all) {
        snprintf(text, sizeof text, "id 0x%" PRIx64, point_at(f, flow_at(f, f->flow)->first).id);
        view_label(app, x, y, str_of(text), ROLE_TAB_CURRENT);
    }
}

/* One flow in a line: complete  4 points  3 hops  22.10 ms = hops 8.100 ms + work 14.00 ms  #31 of 742 (p95.8) */
int view_flow_words(struct app *app, uint32_t i, struct view_words words[VIEW_FLOW_WORDS]) {
    const struct flow_stats *stat = session_flow_stats(app);
    const struct flow *flow = flows_at(trace_flows(app->trace), i);
    const struct flow_stats_flow *s = flow_stats_flow(stat, i);
    uint32_t name = flow_stats_place(stat, flow_name(trace_flows(app->trace), flow->first));
    char a[32], b[32];
    bool ascii = app->grid.ascii;
    words[0].role = flow_complete(flow) ? ROLE_TEXT : ROLE_WARN;
    strcpy(words[0].text, state_of(flow));
    words[1].role = ROLE_DIM;
    int n = snprintf(words[1].text, sizeof words->text, "  %u point%s  ", flow->points, flow->points == 1 ? "" : "s");
    if (s == NULL)
        return 2;
    snprintf(words[1].text + n, sizeof words->text - (size_t)n, "%u hop%s  ", s->stops - 1, s->stops == 2 ? "" : "s");
    words[2].role = ROLE_HEADER;
    strcpy(words[2].text, units_duration(s->total, ascii, a));
    words[3].role = ROLE_TEXT;
    snprintf(words[3].text, sizeof words->text, " = hops %s + work %s",
             units_duration(view_since(s->work, s->total), ascii, a), units_duration(s->work, ascii, b));
    const struct quantiles *all = &flow_stats_total(stat, name)->durations;
    if (!flow_complete(flow) || !all->sorted || all->v.n < 2)
        return 4;
    size_t below = quantiles_below(all, s->total),
           above = all->v.n - (s->total < INT64_MAX ? quantiles_below(all, s->total + 1) : all->v.n);
    words[4].role = ROLE_DIM;
    snprintf(words[4].text, sizeof words->text, "  #%s of %s (p%.1f)", units_count(above + 1, false, a),
             units_count(all->v.n, false, b), (double)below * 100 / (double)all->v.n);
    return 5;
}

static void flow_line(struct view_flows *f, int y, uint32_t i) {
    struct grid *g = &f->app->grid;
    struct view_words words[VIEW_FLOW_WORDS];
    int x = 1, n = view_flow_words(f->app, i, words);
    for (int k = 0; k < n; k++)
        if (k < 4 || x + (int)strlen(words[k].text) < g->cols)
            x = grid_ztext(g, x, y, g->cols, words[k].text, style_look(words[k].role));
}

/* What the hops of a name cost, the most frequent ones first as they came. */
static void hops_pane(struct view_flows *f, uint32_t name, int y, int rows) {
    struct app *app = f->app;
    struct grid *g = &app->grid;
    const struct flow_stats_name *n = flow_stats_name(f->stat, name);
    char buf[TABLE_TEXT], text[64], num[32];
    static const unsigned thousandths[] = {500, 950, 990, 1000};
    static const char *const titles[] = {"n", "p50", "p95", "p99", "max"};
    int x = view_rule(app, y), right = g->cols - 57 < 41 ? g->cols - 57 : 41;
    right = right < 16 ? 16 : right;
    x = view_label(app, x, y, trace_name(trace_of(f), n->name), ROLE_HEADER) - 1;
    snprintf(text, sizeof text, "%zu hop%s between threads", n->hops.n, n->hops.n == 1 ? "" : "s");
    view_label(app, x, y, str_of(text), ROLE_DIM);
    if (n->hops.n == 0) {
        grid_ztext(g, 1, y + 1, g->cols, "each flow has one point or stays in one slice", style_look(ROLE_DIM));
        return;
    }
    for (int c = 0, at = right + 1; c < 5; c++, at += 11)
        if (at + 9 < g->cols)
            grid_ztext(g, at + 9 - (int)strlen(titles[c]), y + 1, g->cols, titles[c], style_look(ROLE_LABEL));
    for (size_t i = 0; i < n->hops.n && (int)i < rows - 2; i++) {
        const struct aggregate_row *h = flow_stats_hop(f->stat, n->hops.v[i]);
        int at = y + 2 + (int)i;
        grid_text(g, (struct grid_place){1, at, right}, hop_text(f, h->key.a, h->key.b, buf, sizeof buf),
                  style_look(ROLE_TEXT), TEXT_TRACK, true);
        for (int c = 0, column = right + 1; c < 5; c++, column += 11) {
            const char *value = c == 0 ? units_count(h->durations.v.n, true, num)
                                : h->durations.sorted
                                    ? units_duration(quantiles_at(&h->durations, thousandths[c - 1]), g->ascii, num)
                                    : "";
            if (column + 9 < g->cols)
                grid_ztext(g, column + 9 - (int)text_width(str_of(value), 0, 9), at, g->cols, value,
                           style_look(c == 0 ? ROLE_DIM : ROLE_TEXT));
        }
    }
}

/* ---- the ladder: threads side by side, time downwards ---- */

struct ladder {
    struct view_flows *flows;
    uint32_t threads[THREADS];
    int n, x[THREADS], width;
};

static int rail(const struct ladder *l, uint32_t thread) {
    for (int i = 0; i < l->n; i++)
        if (l->threads[i] == thread)
            return i;
    return -1;
}

/* False where the threads do not fit side by side. */
static bool ladder_of(struct view_flows *f, struct ladder *l) {
    int cols = f->app->grid.cols;
    *l = (struct ladder){.flows = f};
    if (cols < 100)
        return false;
    for (size_t i = 0; i < f->stops.n; i++) {
        uint32_t thread = point_at(f, f->stops.v[i]).thread;
        if (rail(l, thread) >= 0)
            continue;
        if (l->n == THREADS || (l->n + 1) * LADDER > cols)
            return false;
        l->threads[l->n++] = thread;
    }
    if (l->n == 0)
        return false;
    l->width = (cols - 6) / l->n;
    if (l->width > 46)
        l->width = 46;
    for (int i = 0; i < l->n; i++)
        l->x[i] = 6 + i * l->width;
    return true;
}

static void rails(const struct ladder *l, int y) {
    struct grid *g = &l->flows->app->grid;
    for (int i = 0; i < l->n; i++)
        grid_put(g, l->x[i], y, grid_glyph(g, GLYPH_BAR), style_look(ROLE_DIM));
}

static void ladder_stop(const struct ladder *l, int y, uint32_t stop, bool current) {
    struct view_flows *f = l->flows;
    struct grid *g = &f->app->grid;
    struct hop h = hop_at(f, stop);
    char dur[32];
    int i = rail(l, h.here.thread), x = l->x[i], right = i + 1 < l->n ? l->x[i + 1] : g->cols;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_TEXT);
    if (current)
        grid_put(g, 0, y, '>', look);
    grid_put(g, x, y, g->ascii ? 'o' : 0x25cf, style_look(ROLE_ARROW));
    if (!h.here.in_slice) {
        grid_ztext(g, x + 2, y, right, "in no slice", style_look(ROLE_DIM));
        return;
    }
    const char *work = units_duration(view_since(h.here.start, h.here.end), g->ascii, dur);
    int n = (int)text_width(str_of(work), 0, 20), room = right - x - 3 - n - 1;
    int end = grid_text(g, (struct grid_place){x + 2, y, x + 2 + (room > 0 ? room : 0)},
                        view_slice(trace_of(f), h.here.thread, point_at(f, f->stops.v[stop]).at.time), look, TEXT_TRACK,
                        true);
    grid_ztext(g, end + 1, y, right, work, style_look(current ? ROLE_GUTTER_CURRENT : ROLE_DIM));
}

static void ladder_hop(const struct ladder *l, int y, uint32_t stop) {
    struct view_flows *f = l->flows;
    struct grid *g = &f->app->grid;
    struct hop h = hop_at(f, stop);
    char text[40], dur[32];
    struct look look = style_look(ROLE_ARROW), label = style_look(is_slow(&h) ? ROLE_WARN : ROLE_TEXT);
    int a = rail(l, point_at(f, f->stops.v[stop - 1]).thread), b = rail(l, h.here.thread);
    int from = l->x[a], to = l->x[b];
    snprintf(text, sizeof text, " %s ", units_duration(h.transit, g->ascii, dur));
    int n = (int)text_width(str_of(text), 0, 39);
    if (a == b) { /* the same thread, later */
        grid_put(g, from, y, grid_glyph(g, GLYPH_DOWN), look);
        grid_ztext(g, from + 1, y, g->cols, text, label);
        return;
    }
    int lo = from < to ? from : to, hi = from < to ? to : from;
    grid_fill(g, lo + 1, y, hi - lo - 1, grid_glyph(g, GLYPH_RULE), look);
    grid_put(g, from, y, g->ascii ? '+' : from < to ? 0x251c : 0x2524, look);
    grid_put(g, from < to ? to - 1 : to + 1, y, grid_glyph(g, from < to ? GLYPH_RIGHT : GLYPH_LEFT), look);
    int first = from < to ? from : from - l->width; /* in the span beside the thread it leaves */
    grid_ztext(g, first + (l->width - n) / 2 + 1, y, hi, text, label);
}

/* Two lines a stop, as many as there is room for, around the current one. */
static void draw_ladder(const struct ladder *l, int y, int rows, uint32_t current) {
    struct view_flows *f = l->flows;
    struct grid *g = &f->app->grid;
    char buf[TABLE_TEXT];
    int64_t all = (int64_t)f->stops.n * 2 - 1, shown = rows - 1, top = (int64_t)current * 2 - shown / 2;
    top = top > all - shown ? all - shown : top;
    top = top < 0 ? 0 : top;
    for (int i = 0; i < l->n; i++)
        grid_text(g, (struct grid_place){l->x[i] - 2, y, l->x[i] + l->width - 3},
                  view_thread(trace_of(f), l->threads[i], true, buf, sizeof buf), style_look(ROLE_HEADER), TEXT_TRACK,
                  true);
    for (int64_t line = top; line < all && line - top < shown; line++) {
        uint32_t stop = (uint32_t)((line + 1) / 2);
        int at = y + 1 + (int)(line - top);
        rails(l, at);
        if (line % 2 == 0)
            ladder_stop(l, at, stop, stop == current);
        else
            ladder_hop(l, at, stop);
    }
    if (top > 0)
        grid_put(g, g->cols - 1, y + 1, grid_glyph(g, GLYPH_UP), style_look(ROLE_DIM));
    if (top + shown < all)
        grid_put(g, g->cols - 1, y + rows - 1, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_DIM));
}

/* The current stop in two lines: where it stands and when. */
static void stop_pane(struct view_flows *f, uint32_t stop, int y, int rows) {
    struct app *app = f->app;
    struct grid *g = &app->grid;
    struct hop h = hop_at(f, stop);
    struct flow_point p = point_at(f, f->stops.v[stop]);
    char buf[TABLE_TEXT], text[96], dur[32], when[48];
    int x = view_rule(app, y);
    snprintf(text, sizeof text, "Stop %u of %zu", stop + 1, f->stops.n);
    x = view_label(app, x, y, str_of(text), ROLE_HEADER) + 1;
    snprintf(text, sizeof text, "@0x%" PRIx64, p.at.offset);
    view_label(app, x, y, str_of(text), ROLE_DIM);
    if (rows < 2)
        return;
    x = grid_text(g, (struct grid_place){1, y + 1, g->cols}, view_thread(trace_of(f), p.thread, true, buf, sizeof buf),
                  style_look(ROLE_DIM), TEXT_TRACK, true);
    struct str slice = view_slice(trace_of(f), p.thread, p.at.time);
    x = grid_ztext(g, x, y + 1, g->cols, slice.n > 0 ? " > " : "  in no slice", style_look(ROLE_DIM));
    x = grid_text(g, (struct grid_place){x, y + 1, g->cols}, slice, style_look(ROLE_HEADER), TEXT_TRACK, true);
    snprintf(text, sizeof text, "  %s", session_point(app, h.here.start, session_resolution(app), when));
    x = grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    if (h.here.in_slice) {
        snprintf(text, sizeof text, "  work %s", units_duration(view_since(h.here.start, h.here.end), g->ascii, dur));
        grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_TEXT));
    }
    if (rows < 3)
        return;
    if (!h.arrives) {
        bool begun = flow_at(f, f->flow)->begun;
        grid_ztext(g, 1, y + 2, g->cols, begun ? "the flow begins here" : "its begin is not in the trace",
                   style_look(begun ? ROLE_DIM : ROLE_WARN));
        return;
    }
    snprintf(text, sizeof text,
             h.transit < 0 ? "began %s before the previous slice ended" : "%s after the previous slice ended",
             units_duration(h.transit < 0 ? -h.transit : h.transit, g->ascii, dur));
    grid_ztext(g, 1, y + 2, g->cols, text, style_look(is_slow(&h) ? ROLE_WARN : ROLE_DIM));
}

static void draw_stops(struct view_flows *f, struct view_area area) {
    struct app *app = f->app;
    struct table *t = &f->tables[STOPS];
    struct table_row row = {0, TABLE_NONE};
    struct ladder ladder;
    table_current(t, &row);
    rule(f, area.y, true);
    flow_line(f, area.y + 1, f->flow);
    area.y += 2;
    area.rows -= 2;
    int below = app->grid.rows < 16 ? 0 : 3;
    bool wide = area.rows > 14 && ladder_of(f, &ladder);
    t->columns[S_HOP].width = wide ? 20 : 14; /* the ladder tells of slices and work */
    t->columns[S_WORK].rank = wide ? 10 : 3;
    if (wide) {
        int want = (int)(f->stops.n < 1000 ? f->stops.n : 1000), left = area.rows - below - 2;
        int up = want * 2, down = want + 1;
        if (up + down > left) {
            down = down < left / 3 ? down : left / 3 > 4 ? left / 3 : 4;
            up = up < left - down ? up : left - down;
        }
        draw_ladder(&ladder, area.y, up, row.row);
        area.y += up;
        area.rows -= up;
        char text[64], n[32];
        int x = view_rule(app, area.y);
        x = view_label(app, x, area.y, STR("Hops"), ROLE_HEADER) - 1;
        if (the_name(f)->flows.n == 1)
            snprintf(text, sizeof text, "of the only flow with this name");
        else
            snprintf(text, sizeof text, "over all %s flows with this name", units_count(the_name(f)->flows.n, false, n));
        view_label(app, x, area.y, str_of(text), ROLE_DIM);
        area.y++;
        area.rows--;
    }
    table_draw(t, &app->grid, area.y, area.rows - below);
    if (below > 0 && f->stops.n > 0)
        stop_pane(f, row.row, area.y + area.rows - below, below);
}

static void status(struct view_flows *f) {
    const struct table *t = &f->tables[f->level];
    static const char *const what[LEVELS] = {"name", "flow", "stop"};
    char left[200], right[80] = "", a[32], b[32], safe[80];
    uint32_t n = table_count(t), all = (uint32_t)flow_count(trace_flows(trace_of(f)));
    text_plain(safe, sizeof safe, str_of(t->filter ? pattern_text(t->filter) : "none"),
               f->app->grid.ascii ? TEXT_ASCII : 0);
    snprintf(left, sizeof left, "%s %s/%s   filter: %s", what[f->level],
             units_count(n > 0 ? (uint64_t)t->at + 1 : 0, false, a), units_count(n, false, b), safe);
    if (trace_state(trace_of(f)) == TRACE_LOADING)
        snprintf(right, sizeof right, "statistics follow after loading");
    else if (!f->known)
        snprintf(right, sizeof right, "counted %u%%",
                 all > 0 ? (unsigned)((uint64_t)flow_stats_done(f->stat) * 99 / all) : 0);
    else if (t->sort >= 0)
        snprintf(right, sizeof right, "sorted by %s", t->columns[t->sort].title);
    status_draw_texts(f->app, left, right);
}

void view_flows_draw(struct view_flows *f, struct view_area area) {
    struct app *app = f->app;
    struct table *t = &f->tables[f->level];
    struct table_row row;
    bool current = table_current(t, &row);
    int below = app->grid.rows < 16 ? 0 : area.rows / 3;
    if (f->level == STOPS) {
        draw_stops(f, area);
        status(f);
        return;
    }
    if (f->level == FLOWS && below > 0)
        below = 2;
    rule(f, area.y, false);
    table_draw(t, &app->grid, area.y + 1, area.rows - 1 - below);
    if (flow_count(trace_flows(trace_of(f))) == 0)
        grid_ztext(&app->grid, 1, area.y + 3, app->grid.cols, "no flows in this trace", style_look(ROLE_DIM));
    if (below > 0 && current && f->level == NAMES)
        hops_pane(f, row.row, area.y + area.rows - below, below);
    if (below > 0 && current && f->level == FLOWS) {
        view_rule(app, area.y + area.rows - below);
        flow_line(f, area.y + area.rows - 1, the_name(f)->flows.v[row.row]);
    }
    status(f);
}
