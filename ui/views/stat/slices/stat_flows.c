/* stat_flows.c - flows of the range by name, with the time from their first point to their last;
 * Enter opens view 6. */
#include "model/query/flow_stats.h"
#include "src/base/units.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view.h"

enum { NAME, COUNT, UNFINISHED, TOTAL, HALF, NINETY, NINETY_NINE, MOST, COLUMNS };

struct flows_data {
    struct stat_asked asked;
    struct flow_stats stats;
};

static const struct relation_column values[COLUMNS] = {
    [NAME] = {"name", "flow", RELATION_TEXT, RELATION_NONE, false},
    [COUNT] = {"count", "count", RELATION_INTEGER, RELATION_COUNT, false},
    [UNFINISHED] = {"unfinished", "no end", RELATION_INTEGER, RELATION_COUNT, false},
    [TOTAL] = {"total_ns", "total", RELATION_INTEGER, RELATION_SUM, false},
    [HALF] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [NINETY] = {"p90_ns", "p90", RELATION_INTEGER, RELATION_DURATION, false},
    [NINETY_NINE] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [MOST] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct table_column columns[COLUMNS] = {
    [NAME] = {NULL, 14, 0, 0, false, false},     [COUNT] = {NULL, 6, 8, 1, true, true},
    [UNFINISHED] = {NULL, 6, 8, 5, true, true},  [TOTAL] = {NULL, 9, 9, 4, true, true},
    [HALF] = {NULL, 9, 9, 3, true, true},        [NINETY] = {NULL, 9, 9, 6, true, true},
    [NINETY_NINE] = {NULL, 9, 9, 4, true, true}, [MOST] = {NULL, 9, 9, 2, true, true},
};

static uint64_t rows(void *ctx) {
    const struct flows_data *f = stat_tab_data(ctx);
    return f ? f->stats.names.n : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    static const unsigned thousandths[COLUMNS] = {
        [HALF] = 500, [NINETY] = 900, [NINETY_NINE] = 990, [MOST] = 1000};
    const struct flows_data *f = stat_tab_data(ctx);
    const struct flow_stats_name *name = &f->stats.names.v[row.row];
    const struct aggregate_row *total = &f->stats.totals.rows.v[row.row];
    struct str text = trace_name(f->asked.app->trace, name->name);
    if (column == NAME)
        relation_set_text(value, text.n > 0 ? text : STR("(no name)"));
    else if (column == COUNT)
        relation_set_integer(value, (int64_t)name->flows.n);
    else if (column == UNFINISHED)
        relation_set_integer(value, (int64_t)(name->flows.n - name->complete));
    else if (column == TOTAL)
        relation_set_integer(value, sum_ns(total->sum));
    else if (f->stats.done && total->durations.v.n > 0)
        relation_set_integer(value, quantiles_at(&total->durations, thousandths[column]));
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    (void)ctx;
    (void)row;
    if (column == UNFINISHED)
        cell->role = cell->value.integer > 0 ? ROLE_WARN : ROLE_DIM;
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct flows_data *f = stat_tab_data(ctx);
    return f->stats.names.v[row].name;
}

static const struct relation relation = {"flow_name", values, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .id = id, .bar = TOTAL};

static void make(struct task *task, void *data) {
    struct flows_data *f = data;
    f->stats.trace = f->asked.app->trace;
    f->stats.set = range_slices(f->asked.range, SLICE_ITER_SLICES);
    f->stats.within = f->asked.range->timed || f->stats.set.tracks;
    flow_stats_make(task, &f->stats);
}

static unsigned percent(const void *data) {
    const struct flows_data *f = data;
    size_t n = flow_count(trace_flows(f->asked.app->trace));
    return f->stats.done ? 100 : units_percent(f->stats.flows.n, n);
}

static unsigned so_far(const void *data) {
    const struct flows_data *f = data;
    return f->stats.counted == flow_count(trace_flows(f->asked.app->trace)) ? 100 : percent(data);
}

static void release(void *data) {
    flow_stats_free(&((struct flows_data *)data)->stats);
}

static void go(void *data, uint64_t row) {
    (void)row;
    view_open(((struct flows_data *)data)->asked.app, &view_flows);
}

const struct stat_tab stat_flows = {
    .title = "Flows",
    .noun = "flow",
    .none = "no flows in this range",
    .kinds = SLICE_ITER_FLOWS,
    .sources = &source,
    .sort = TOTAL,
    .answer = {sizeof(struct flows_data), make, release},
    .percent = percent,
    .so_far = so_far,
    .go = go,
};
