/* flow_tables.c - names of flows, the flows and hops of a name, and the stops of a flow as
 * relations (model/output/relation.h).
 *
 * Values come from the statistics of flows as far as they were counted: a cell that is not known
 * yet is null. A formatter colours what is unusual: flows without begin or end, and slow hops. */
#include "ui/views/stat/flow_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/lower_bound.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

static struct trace *trace_of(const struct flow_tables *f) {
    return f->app->trace;
}

/* ---- names ---- */

enum {
    N_NAME,
    N_COUNT,
    N_COMPLETE,
    N_UNFINISHED,
    N_UNBEGUN,
    N_UNRESOLVED,
    N_P50,
    N_P95,
    N_P99,
    N_MAX,
    N_COLUMNS
};

static const struct relation_column name_values[N_COLUMNS] = {
    [N_NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [N_COUNT] = {"n", "n", RELATION_INTEGER, RELATION_COUNT, false},
    [N_COMPLETE] = {"complete", "complete", RELATION_INTEGER, RELATION_COUNT, false},
    [N_UNFINISHED] = {"no_end", "no end", RELATION_INTEGER, RELATION_COUNT, false},
    [N_UNBEGUN] = {"no_begin", "no begin", RELATION_INTEGER, RELATION_COUNT, false},
    [N_UNRESOLVED] = {"unresolved", "unresolved", RELATION_INTEGER, RELATION_COUNT, false},
    [N_P50] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [N_P95] = {"p95_ns", "p95", RELATION_INTEGER, RELATION_DURATION, false},
    [N_P99] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [N_MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct table_column name_columns[N_COLUMNS] = {
    [N_NAME] = {NULL, 11, 0, 0, false, false},  [N_COUNT] = {NULL, 5, 5, 1, true, true},
    [N_COMPLETE] = {NULL, 8, 8, 5, true, true}, [N_UNFINISHED] = {NULL, 6, 6, 3, true, true},
    [N_UNBEGUN] = {NULL, 8, 8, 8, true, true},  [N_UNRESOLVED] = {NULL, 10, 10, 9, true, true},
    [N_P50] = {NULL, 8, 9, 2, true, true},      [N_P95] = {NULL, 8, 9, 7, true, true},
    [N_P99] = {NULL, 8, 9, 4, true, true},      [N_MAX] = {NULL, 8, 9, 6, true, true},
};

static uint64_t name_rows(void *ctx) {
    return flow_tables_stats(ctx)->names.n;
}

static const struct flow_stats_name *name_at(const struct flow_tables *f, uint64_t row) {
    return &flow_tables_stats(f)->names.v[row];
}

static uint64_t name_number(const struct flow_stats_name *n, int column) {
    const uint64_t numbers[] = {n->flows.n, n->complete, n->unfinished, n->unbegun, n->unresolved};
    return numbers[column - N_COUNT];
}

static int64_t name_time(const struct quantiles *total, int column) {
    return quantiles_at(total, quantiles_shown[column - N_P50]);
}

static void name_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct flow_tables *f = ctx;
    const struct flow_stats_name *n = name_at(f, row.row);
    const struct quantiles *total = &flow_tables_stats(f)->totals.rows.v[row.row].durations;
    struct str name = trace_name(trace_of(f), n->name);
    if (column >= N_P50 && total->v.n > 0 && total->sorted)
        relation_set_integer(value, name_time(total, column));
    else if (column >= N_COUNT && column < N_P50)
        relation_set_integer(value, (int64_t)name_number(n, column));
    else if (column == N_NAME && name.n > 0)
        relation_set_text(value, name);
}

static void name_format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    (void)ctx;
    (void)row;
    if (column == N_NAME && cell->value.type == RELATION_NULL)
        cell->text = STR("(no name)");
    else if (column > N_COMPLETE && column < N_P50 && cell->value.integer != 0)
        cell->role = ROLE_WARN;
    else if (column > N_COMPLETE && column < N_P50)
        cell->text = STR(""); /* a column of nothing goes */
}

static int64_t name_key(void *ctx, struct relation_row row, int column) {
    const struct quantiles *total = &flow_tables_stats(ctx)->totals.rows.v[row.row].durations;
    if (column < N_P50)
        return (int64_t)name_number(name_at(ctx, row.row), column);
    return total->sorted ? name_time(total, column) : 0;
}

/* ---- flows of a name ---- */

enum { F_START, F_ID, F_STATE, F_POINTS, F_TOTAL, F_FLIGHT, F_SLOWEST, F_BETWEEN, F_COLUMNS };

static const struct relation_column flow_values[F_COLUMNS] = {
    [F_START] = {"begin_ns", "begin", RELATION_INTEGER, RELATION_TIME, false},
    [F_ID] = {"id", "id", RELATION_TEXT, RELATION_NONE, false},
    [F_STATE] = {"state", "state", RELATION_TEXT, RELATION_NONE, false},
    [F_POINTS] = {"points", "points", RELATION_INTEGER, RELATION_COUNT, false},
    [F_TOTAL] = {"total_ns", "total", RELATION_INTEGER, RELATION_DURATION, false},
    [F_FLIGHT] = {"in_flight_ns", "in flight", RELATION_INTEGER, RELATION_DURATION, false},
    [F_SLOWEST] = {"slowest_ns", "slowest", RELATION_INTEGER, RELATION_DURATION, false},
    [F_BETWEEN] = {"between", "between", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column flow_columns[F_COLUMNS] = {
    [F_START] = {NULL, 13, 13, 0, false, false}, [F_ID] = {NULL, 10, 18, 5, false, true},
    [F_STATE] = {NULL, 10, 10, 2, false, true},  [F_POINTS] = {NULL, 6, 8, 6, true, true},
    [F_TOTAL] = {NULL, 9, 9, 1, true, true},     [F_FLIGHT] = {NULL, 9, 9, 7, true, true},
    [F_SLOWEST] = {NULL, 9, 9, 3, true, true},   [F_BETWEEN] = {NULL, 14, 0, 4, false, false},
};

const struct flow *flow_tables_flow(const struct flow_tables *f, uint32_t flow) {
    return flows_at(trace_flows(trace_of(f)), flow);
}

struct flow_point flow_tables_point(const struct flow_tables *f, uint32_t point) {
    return flow_point(trace_flows(trace_of(f)), point);
}

static void copy_flows(struct flow_tables *f, size_t from) {
    const struct flow_stats_name *name = name_at(f, f->name);
    f->flows.n = from;
    for (size_t i = from; i < name->flows.n; i++)
        vec_push(&f->flows, name->flows.v[i]);
}

void flow_tables_set_name(struct flow_tables *f, uint32_t place) {
    f->name = place;
    f->name_id = name_at(f, place)->name;
    copy_flows(f, 0);
}

uint32_t flow_tables_row(const struct flow_tables *f, uint64_t row) {
    bool exists = row < f->flows.n && f->flows.v[row] < flow_count(trace_flows(trace_of(f)));
    return exists ? f->flows.v[row] : FLOW_NONE;
}

bool flow_tables_flow_row(const struct flow_tables *f, uint32_t n, uint32_t flow, uint32_t *row) {
    uint32_t after = 0;
    n = n < f->flows.n ? n : (uint32_t)f->flows.n;
    lower_bound(after, n, k, f->flows.v[k] <= flow);
    *row = after - 1;
    return after > 0 && f->flows.v[*row] == flow;
}

bool flow_tables_stop_row(const struct flow_tables *f, uint32_t n, uint32_t point, uint32_t *row) {
    uint32_t after = 0;
    n = n < f->stops.n ? n : (uint32_t)f->stops.n;
    lower_bound(after, n, k, f->stops.v[k].point <= point);
    *row = after - 1;
    /* a later point of a stop belongs to it */
    return after > 0 && (after < f->stops.n || f->next == NO_POINT);
}

void flow_tables_again(struct flow_tables *f, bool known) {
    f->name = flow_stats_place(flow_tables_stats(f), f->name_id);
    if (f->name == UINT32_MAX)
        return;
    if (known)
        copy_flows(f, 0);
    else if (name_at(f, f->name)->flows.n > f->flows.n)
        copy_flows(f, f->flows.n);
}

void flow_tables_keep(const struct flow_tables *f, enum flow_level level, bool hops,
                      struct chars *out) {
    if (level == FLOW_NAMES)
        return;
    view_place_named(out, "open", trace_name(trace_of(f), f->name_id));
    if (level == FLOW_FLOWS && hops)
        view_place_line(out, "hops");
    uint32_t row;
    if (level == FLOW_STOPS && flow_tables_flow_row(f, UINT32_MAX, f->flow, &row))
        view_place_line(out, "ladder %" PRIu32, row);
}

bool flow_tables_named(const struct flow_tables *f, const char *text, uint32_t *place) {
    for (*place = 0; *place < flow_tables_stats(f)->names.n; ++*place)
        if (view_place_is_name(trace_name(trace_of(f), name_at(f, *place)->name), text,
                               strlen(text)))
            return true;
    return false;
}

static uint64_t flow_rows(void *ctx) {
    return ((struct flow_tables *)ctx)->flows.n;
}

struct str flow_tables_hop_text(const struct flow_tables *f, uint32_t from, uint32_t to, char *buf,
                                size_t cap) {
    char a[TABLE_TEXT / 2], b[TABLE_TEXT / 2];
    return phrase_join(buf, cap, phrase_thread(trace_of(f), from, NULL, a, sizeof a), " > ",
                       phrase_thread(trace_of(f), to, NULL, b, sizeof b));
}

static void flow_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct flow_tables *f = ctx;
    uint32_t i = flow_tables_row(f, row.row);
    if (i == FLOW_NONE)
        return;
    const struct flow *flow = flow_tables_flow(f, i);
    struct flow_point first = flow_tables_point(f, flow->first);
    const struct flow_stats_flow *s = flow_stats_flow(flow_tables_stats(f), i);
    switch (column) {
    case F_START:
        relation_set_integer(value, first.at.time);
        break;
    case F_ID:
        snprintf(value->buf, sizeof value->buf, "0x%" PRIx64, first.id);
        relation_set_text(value, str_of(value->buf));
        break;
    case F_STATE:
        relation_set_text(value, str_of(phrase_flow_state(flow)));
        break;
    case F_POINTS:
        relation_set_integer(value, flow->points);
        break;
    case F_TOTAL:
        if (s)
            relation_set_integer(value, s->total);
        break;
    case F_FLIGHT:
        if (s)
            relation_set_integer(value, s->in_flight);
        break;
    case F_SLOWEST:
        if (s && s->arrival != NO_POINT)
            relation_set_integer(value, s->slowest);
        break;
    default:
        if (s && s->arrival != NO_POINT)
            relation_set_text(
                value,
                flow_tables_hop_text(
                    f,
                    flow_tables_point(f, flow_link(trace_flows(trace_of(f)), s->arrival)->before)
                        .thread,
                    flow_tables_point(f, s->arrival).thread, value->buf, sizeof value->buf));
        break;
    }
}

static void flow_format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct flow_tables *f = ctx;
    uint32_t flow = flow_tables_row(f, row.row);
    if (flow == FLOW_NONE)
        return;
    if (column == F_START)
        view_table_point(f->app, cell);
    else if (column == F_STATE && flow_complete(flow_tables_flow(f, flow)))
        cell->text = STR(""); /* the usual one: only others are shown */
    else if (column == F_STATE)
        cell->role = ROLE_WARN;
}

static int64_t flow_key(void *ctx, struct relation_row row, int column) {
    struct flow_tables *f = ctx;
    uint32_t i = flow_tables_row(f, row.row);
    if (i == FLOW_NONE)
        return INT64_MIN;
    const struct flow *flow = flow_tables_flow(f, i);
    const struct flow_stats_flow *s = flow_stats_flow(flow_tables_stats(f), i);
    switch (column) {
    case F_ID:
        /* unsigned order */
        return (int64_t)(flow_tables_point(f, flow->first).id ^ UINT64_C(1) << 63);
    case F_STATE:
        if (flow_complete(flow))
            return 0;
        if (flow->unresolved)
            return 3;
        return flow->begun ? 1 : 2;
    case F_POINTS:
        return flow->points;
    case F_TOTAL:
        return s ? s->total : 0;
    case F_FLIGHT:
        return s ? s->in_flight : 0;
    default:
        return s ? s->slowest : 0;
    }
}

/* ---- stops of a flow ---- */

static const struct relation_column stop_values[STOP_COLUMNS] = {
    [STOP_HOP] = {"hop", "hop", RELATION_TEXT, RELATION_NONE, false},
    [STOP_SLICE] = {"slice", "slice", RELATION_TEXT, RELATION_NONE, false},
    [STOP_LENGTH] = {"slice_ns", "length", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_WITHIN] = {"within_ns", "within", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_THIS] = {"this_ns", "this", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_FLIGHT] = {"in_flight_ns", "in flight", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_COUNT] = {"n", "n", RELATION_INTEGER, RELATION_COUNT, false},
    [STOP_P50] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_P95] = {"p95_ns", "p95", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_P99] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
    [STOP_VERDICT] = {"verdict", "verdict", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column stop_columns[STOP_COLUMNS] = {
    [STOP_HOP] = {NULL, 14, 40, 0, false, false}, [STOP_SLICE] = {NULL, 12, 32, 10, false, false},
    [STOP_LENGTH] = {NULL, 8, 8, 4, true, true},  [STOP_WITHIN] = {NULL, 8, 8, 11, true, true},
    [STOP_THIS] = {NULL, 9, 9, 1, true, true},    [STOP_FLIGHT] = {NULL, 9, 9, 3, true, true},
    [STOP_COUNT] = {NULL, 5, 5, 7, true, true},   [STOP_P50] = {NULL, 9, 9, 5, true, true},
    [STOP_P95] = {NULL, 9, 9, 8, true, true},     [STOP_P99] = {NULL, 9, 9, 6, true, true},
    [STOP_MAX] = {NULL, 9, 9, 9, true, true},     [STOP_VERDICT] = {NULL, 13, 14, 2, false, false},
};

#define POINT_UNITS 8    /* a point costs about 500 ns */
#define FIRST_STOPS 2500 /* of a flow, that are there at once: about 1 ms */

static void add_stop(struct flow_tables *f) {
    flow_stats_add(&f->stops, trace_of(f), f->next);
    f->next = flow_link(trace_flows(trace_of(f)), f->next)->after;
}

void flow_tables_set_stops(struct flow_tables *f) {
    f->stops.n = 0;
    f->next = flow_tables_flow(f, f->flow)->first;
    for (int i = 0; i < FIRST_STOPS && f->next != NO_POINT; i++)
        add_stop(f);
}

bool flow_tables_more_stops(struct flow_tables *f) {
    for (; f->next != NO_POINT && !task_over(f->app->work); task_spend(f->app->work, POINT_UNITS))
        add_stop(f);
    return f->next == NO_POINT;
}

struct flow_hop flow_tables_hop(const struct flow_tables *f, uint32_t stop) {
    struct flow_hop h = {.here = &f->stops.v[stop]};
    if (h.here->from == FLOW_STATS_NO_HOP)
        return h;
    h.from = &f->stops.v[h.here->from];
    h.transit = flow_stats_transit(h.from, h.here);
    h.in_flight = flow_stats_in_flight(h.from, h.here);
    h.stats = flow_stats_between(flow_tables_stats(f), f->name, h.from->place.thread,
                                 h.here->place.thread);
    if (h.stats && (h.here->damaged || !h.stats->durations.sorted))
        h.stats = NULL;
    return h;
}

bool flow_tables_slow(const struct flow_hop *h) {
    return h->stats && quantiles_slow(&h->stats->durations, h->transit);
}

static uint64_t stop_rows(void *ctx) {
    return ((struct flow_tables *)ctx)->stops.n;
}

static struct str stop_text(const struct flow_tables *f, const struct flow_hop *h,
                            struct relation_value *value) {
    if (h->from)
        return flow_tables_hop_text(f, h->from->place.thread, h->here->place.thread, value->buf,
                                    sizeof value->buf);
    return phrase_thread(trace_of(f), h->here->place.thread, NULL, value->buf, sizeof value->buf);
}

static void stop_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct flow_tables *f = ctx;
    struct flow_hop h = flow_tables_hop(f, (uint32_t)row.row);
    struct str text;
    switch (column) {
    case STOP_HOP:
        relation_set_text(value, stop_text(f, &h, value));
        break;
    case STOP_SLICE:
        text = phrase_place(trace_of(f), &h.here->place);
        if (text.n > 0)
            relation_set_text(value, text);
        break;
    case STOP_LENGTH:
        if (h.here->place.in_slice)
            relation_set_integer(value, units_since(h.here->place.start, h.here->place.end));
        break;
    case STOP_WITHIN:
        relation_set_integer(value, units_since(h.here->first, h.here->last));
        break;
    case STOP_FLIGHT:
        if (h.from && h.in_flight > 0)
            relation_set_integer(value, h.in_flight);
        break;
    case STOP_THIS:
        if (h.from)
            relation_set_integer(value, h.transit);
        break;
    case STOP_COUNT:
        if (h.stats)
            relation_set_integer(value, (int64_t)h.stats->durations.v.n);
        break;
    case STOP_VERDICT:
        if (h.stats)
            flow_stats_verdict(h.stats, h.transit, value->buf);
        if (h.stats)
            relation_set_text(value, str_of(value->buf));
        else if (h.here->damaged)
            relation_set_text(value, STR("damaged time"));
        else if (!h.from && row.row > 0)
            relation_set_text(value, STR("ended before"));
        else if (!h.from)
            relation_set_text(value, flow_tables_flow(f, f->flow)->begun ? STR("begins")
                                                                         : STR("no begin"));
        break;
    default:
        if (h.stats)
            relation_set_integer(
                value, quantiles_at(&h.stats->durations, quantiles_shown[column - STOP_P50]));
        break;
    }
}

static void stop_format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    if (column == STOP_THIS || column == STOP_VERDICT) {
        struct flow_hop h = flow_tables_hop(ctx, (uint32_t)row.row);
        enum role usual = column == STOP_THIS ? ROLE_TEXT : ROLE_DIM;
        cell->role = flow_tables_slow(&h) ? ROLE_WARN : usual;
    } else if (column >= STOP_P50) {
        cell->role = ROLE_DIM;
    }
}

static int64_t stop_key(void *ctx, struct relation_row row, int column) {
    struct flow_hop h = flow_tables_hop(ctx, (uint32_t)row.row);
    if (column == STOP_LENGTH)
        return units_since(h.here->place.start, h.here->place.end);
    if (column == STOP_WITHIN)
        return units_since(h.here->first, h.here->last);
    if (column == STOP_FLIGHT)
        return h.in_flight;
    if (column == STOP_THIS)
        return h.from ? h.transit : INT64_MIN;
    if (h.stats == NULL)
        return INT64_MIN;
    return column == STOP_COUNT
               ? (int64_t)h.stats->durations.v.n
               : quantiles_at(&h.stats->durations, quantiles_shown[column - STOP_P50]);
}

/* ---- hops of a name, by their two threads ---- */

enum { H_HOP, H_TOTAL, H_COUNT, H_P50, H_P95, H_P99, H_MAX, H_COLUMNS };

static const struct relation_column pair_values[H_COLUMNS] = {
    [H_HOP] = {"hop", "hop", RELATION_TEXT, RELATION_NONE, false},
    [H_TOTAL] = {"total_ns", "total", RELATION_INTEGER, RELATION_SUM, false},
    [H_COUNT] = {"n", "n", RELATION_INTEGER, RELATION_COUNT, false},
    [H_P50] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [H_P95] = {"p95_ns", "p95", RELATION_INTEGER, RELATION_DURATION, false},
    [H_P99] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [H_MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct table_column pair_columns[H_COLUMNS] = {
    [H_HOP] = {NULL, 14, 60, 0, false, false}, [H_TOTAL] = {NULL, 9, 9, 1, true, true},
    [H_COUNT] = {NULL, 6, 6, 2, true, true},   [H_P50] = {NULL, 9, 9, 3, true, true},
    [H_P95] = {NULL, 9, 9, 6, true, true},     [H_P99] = {NULL, 9, 9, 4, true, true},
    [H_MAX] = {NULL, 9, 9, 5, true, true},
};

static uint64_t pair_rows(void *ctx) {
    const struct flow_tables *f = ctx;
    return f->name == UINT32_MAX ? 0 : name_at(f, f->name)->hops.n;
}

const struct aggregate_row *flow_tables_pair(const struct flow_tables *f, uint64_t row) {
    if (row >= pair_rows((void *)f))
        return NULL;
    return &flow_tables_stats(f)->hops.rows.v[name_at(f, f->name)->hops.v[row]];
}

static int64_t pair_key(void *ctx, struct relation_row row, int column) {
    const struct aggregate_row *hops = flow_tables_pair(ctx, row.row);
    if (hops == NULL || (column >= H_P50 && !hops->durations.sorted))
        return 0;
    if (column == H_TOTAL)
        return sum_key(hops->sum);
    return column == H_COUNT ? (int64_t)hops->count
                             : quantiles_at(&hops->durations, quantiles_shown[column - H_P50]);
}

static void pair_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct flow_tables *f = ctx;
    const struct aggregate_row *hops = flow_tables_pair(f, row.row);
    if (hops == NULL) /* counted again */
        return;
    if (column == H_HOP)
        relation_set_text(value, flow_tables_hop_text(f, hops->key.a, hops->key.b, value->buf,
                                                      sizeof value->buf));
    else if (column == H_TOTAL)
        relation_set_integer(value, sum_ns(hops->sum));
    else if (column < H_P50 || hops->durations.sorted)
        relation_set_integer(value, pair_key(ctx, row, column));
}

/* ---- all ---- */

static const struct relation relations[FLOW_LEVELS + 1] = {
    [FLOW_NAMES] = {"flow_name", name_values, N_COLUMNS, false, name_rows, name_get},
    [FLOW_FLOWS] = {"flow", flow_values, F_COLUMNS, false, flow_rows, flow_get},
    [FLOW_STOPS] = {"flow_stop", stop_values, STOP_COLUMNS, false, stop_rows, stop_get},
    [FLOW_HOPS] = {"flow_hop", pair_values, H_COLUMNS, false, pair_rows, pair_get},
};

const struct table_source flow_tables[FLOW_LEVELS + 1] = {
    [FLOW_NAMES] = {&relations[FLOW_NAMES], name_columns, name_format, .key = name_key},
    [FLOW_FLOWS] = {&relations[FLOW_FLOWS], flow_columns, flow_format, .key = flow_key},
    [FLOW_STOPS] = {&relations[FLOW_STOPS], stop_columns, stop_format, .key = stop_key},
    [FLOW_HOPS] = {&relations[FLOW_HOPS], pair_columns, NULL, .key = pair_key},
};

void flow_tables_count(const struct flow_tables *f, char text[80]) {
    char a[32], b[32];
    uint64_t counted = 0;
    for (uint32_t i = 0; i < flow_tables_stats(f)->names.n; i++)
        counted += name_at(f, i)->flows.n;
    units_count(flow_count(trace_flows(trace_of(f))), false, b);
    if (range_any(session_range(f->app)))
        snprintf(text, 80, "Flows  %s of %s", units_count(counted, false, a), b);
    else
        snprintf(text, 80, "Flows  %s", b);
}
