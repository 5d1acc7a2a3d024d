/* flows.c - the tables flow and flow_hop.
 *
 * A hop joins the slices around neighbouring points of a flow that has begun; points in no slice
 * are passed over. No hop begins or ends at a damaged point. Each of several ends has a hop from
 * the last point before them. Hops are made once, 32 bytes each, with two lists of 4 bytes that are
 * sorted by their slices. */
#include "sql/tables/flows.h"

#include <stdlib.h>

#include "sql/family.h"
#include "src/base/lower_bound.h"

static const char row_key, hop_key;

struct hops {
    VEC(struct flows_hop) v;
    uint32_t *by_out, *by_in; /* numbers of hops */
    unsigned left_out;        /* kinds of which a damaged one may have taken a hop away */
};

static void free_hops(void *of) {
    struct hops *hops = of;
    vec_free(&hops->v);
    free(hops->by_out);
    free(hops->by_in);
    free(hops);
}

/* The order of slices: by begin, then as they are numbered. */
static bool begins_later(struct source *source, int64_t a, int64_t b) {
    const struct rows_lane *x, *y;
    uint32_t i, j;
    return rows_find(family_rows(source), a, &x, &i) && rows_find(family_rows(source), b, &y, &j) &&
           rows_ts(source, x, i) > rows_ts(source, y, j);
}

struct point { /* in a slice */
    int64_t slice;
    uint32_t number;
};

int64_t flows_point_slice(struct source *source, uint32_t point) {
    struct flow_point p = flow_point(trace_flows(source->trace), point);
    return family_point_slice(source, &(struct trace_point){p.thread, p.at, p.kind != FLOW_BEGIN});
}

static void add_flow(struct source *source, struct hops *hops, uint32_t number) {
    const struct flows *flows = trace_flows(source->trace);
    const struct flow *flow = flows_at(flows, number);
    struct point last = {-1, NO_POINT}, from = last; /* from: of the last begin or step */
    uint32_t before = NO_POINT, hop = 0;
    for (uint32_t k = flow->first; flow->begun && k != NO_POINT;
         before = k, k = flow_link(flows, k)->after) {
        if (flow_link(flows, k)->before == NO_POINT && k != flow->first)
            continue; /* no arrow leads there */
        if (flow_link(flows, k)->before == before)
            from = last;
        last = (struct point){flows_point_slice(source, k), k};
        if (trace_damaged_point(source->trace, k)) {
            last = (struct point){-1, NO_POINT};
            continue;
        }
        if (last.slice < 0) {
            last = from;
            continue;
        }
        if (from.slice >= 0) {
            bool swap = begins_later(source, from.slice, last.slice);
            vec_push(&hops->v, ((struct flows_hop){swap ? last.slice : from.slice,
                                                   swap ? from.slice : last.slice, number, hop++,
                                                   from.number, k}));
        }
    }
}

struct place { /* of a sort */
    int64_t id;
    uint32_t number;
};

static int place_order(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static uint32_t *sorted(const struct hops *hops, bool in) {
    struct place *v = err_malloc((hops->v.n + 1) * sizeof *v);
    uint32_t *numbers = err_malloc((hops->v.n + 1) * sizeof *numbers);
    for (size_t i = 0; i < hops->v.n; i++)
        v[i] = (struct place){in ? hops->v.v[i].in : hops->v.v[i].out, (uint32_t)i};
    qsort(v, hops->v.n, sizeof *v, place_order);
    for (size_t i = 0; i < hops->v.n; i++)
        numbers[i] = v[i].number;
    free(v);
    return numbers;
}

/* Whether a thread with points of flows has a damaged slice: that may lie elsewhere than the points
 * that were in it. */
static bool points_beside_damaged(const struct trace *trace) {
    struct slice_series s;
    uint32_t track = 0, row = 0;
    size_t n;
    while (trace_damaged_slices(trace) > 0 &&
           slice_iter_series(trace, SLICE_ITER_SLICES, &track, &row, &s))
        if (trace_damaged_next(trace, s.lane, 0) != UINT32_MAX &&
            flow_points_on(trace_flows(trace), s.track, &n))
            return true;
    return false;
}

static struct hops *hops_of(struct source *source) {
    struct hops *hops = source_find(source, &hop_key);
    if (hops)
        return hops;
    hops = err_calloc(1, sizeof *hops);
    for (size_t k = 0; k < flow_count(trace_flows(source->trace)); k++)
        add_flow(source, hops, (uint32_t)k);
    hops->by_out = sorted(hops, false);
    hops->by_in = sorted(hops, true);
    hops->left_out = trace_damaged_hops(source->trace) > 0 ? SLICE_ITER_FLOWS : 0;
    hops->left_out |= points_beside_damaged(source->trace) ? SLICE_ITER_SLICES : 0;
    source_keep(source, &hop_key, hops, free_hops);
    return hops;
}

const struct flows_hop *flows_hop(struct source *source, uint32_t number) {
    return &hops_of(source)->v.v[number];
}

size_t flows_hops_count(struct source *source) {
    return hops_of(source)->v.n;
}

bool flows_gap(struct source *source, const struct flows_hop *hop, int64_t *gap) {
    const struct rows_lane *from, *to;
    uint32_t i, k;
    if (!rows_find(family_rows(source), hop->out, &from, &i) ||
        !rows_find(family_rows(source), hop->in, &to, &k) || rows_dur(from, i) < 0 ||
        rows_damaged(source, from, i) || rows_damaged(source, to, k))
        return false;
    *gap = rows_ts(source, to, k) - rows_ts(source, from, i) - rows_dur(from, i);
    return true;
}

static void leaving(struct rows *rows, int64_t id, struct rows_list *list) {
    const struct hops *hops = hops_of(rows->source);
    size_t at = 0;
    lower_bound(at, hops->v.n, k, hops->v.v[hops->by_out[k]].out < id);
    for (; at < hops->v.n && hops->v.v[hops->by_out[at]].out == id; at++)
        vec_push(list, hops->by_out[at]);
}

static void arriving(struct rows *rows, int64_t id, struct rows_list *list) {
    const struct hops *hops = hops_of(rows->source);
    size_t at = 0;
    lower_bound(at, hops->v.n, k, hops->v.v[hops->by_in[k]].in < id);
    for (; at < hops->v.n && hops->v.v[hops->by_in[at]].in == id; at++)
        vec_push(list, hops->by_in[at]);
}

static void get_end(struct source *source, const struct flows_hop *hop, bool in,
                    sqlite3_context *out) {
    if (source->flows_joined)
        flows_read_gap(source, hop->flow, true);
    sqlite3_result_int64(out, in ? hop->in : hop->out);
}

enum { ID, OUT, IN, TRACE_ID, ARGS };
enum { H_FLOW = 1, H_HOP, H_NAME, H_OUT, H_IN, H_TS, H_GAP };

static void join_ends(struct rows *rows, const struct str *name) {
    rows->source->flows_joined = true;
    flows_read_gaps(rows->source, name, true);
}

static void use_flow(struct rows *rows, sqlite3_index_info *info) {
    if (info->colUsed >> OUT & info->colUsed >> IN & 1)
        join_ends(rows, NULL);
}

struct rows *flows_rows(struct source *source) {
    const struct hops *hops = hops_of(source);
    struct rows *rows = table_numbers(source, &row_key, 0, hops->v.n);
    source->left_out |= hops->left_out;
    rows->children = leaving;
    rows->others = arriving;
    rows->used = use_flow;
    return rows;
}

void flows_get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct flows_hop *hop = flows_hop(cursor->source, cursor->rows.i);
    if (column == OUT || column == IN)
        get_end(cursor->source, hop, column == IN, out);
    else if (column == TRACE_ID)
        sqlite3_result_int64(out,
                             (sqlite3_int64)flow_id(trace_flows(cursor->source->trace), hop->from));
}

static void get_hop(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct source *source = cursor->source;
    const struct flows_hop *hop = flows_hop(source, cursor->rows.i);
    const struct flows *flows = trace_flows(source->trace);
    int64_t gap;
    switch (column) {
    case H_FLOW:
        sqlite3_result_int64(out, hop->flow);
        break;
    case H_HOP:
        sqlite3_result_int64(out, hop->hop);
        break;
    case H_NAME:
        table_name(cursor, out, flow_name(flows, flows_at(flows, hop->flow)->first));
        break;
    case H_OUT:
    case H_IN:
        get_end(source, hop, column == H_IN, out);
        break;
    case H_TS:
        sqlite3_result_int64(out, source_time(source, flow_time(flows, hop->to)));
        break;
    default: /* null of a slice that has not ended */
        flows_read_gap(source, hop->flow, false);
        if (flows_gap(source, hop, &gap))
            sqlite3_result_int64(out, gap);
    }
}

/* A constraint that names one flow name leaves the others out. */
static void use_columns(struct rows *rows, sqlite3_index_info *info) {
    sqlite3_value *value;
    struct str name, *asked = NULL;
    bool gap = info->colUsed >> H_GAP & 1,
         joined = info->colUsed >> H_OUT & 1 && info->colUsed & (1 << H_IN | 1 << H_TS);
    if (!gap && !joined)
        return;
    for (int i = 0; i < info->nConstraint; i++)
        if (info->aConstraint[i].iColumn == H_NAME &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ &&
            sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK) {
            const char *text = (const char *)sqlite3_value_text(value);
            name = (struct str){text, (size_t)sqlite3_value_bytes(value)};
            asked = &name;
        }
    if (gap)
        flows_read_gaps(rows->source, asked, false);
    if (joined)
        join_ends(rows, asked);
}

static struct rows *hop_rows(struct source *source) {
    struct rows *rows = flows_rows(source);
    rows->used = use_columns;
    return rows;
}

const struct table_column flows_columns[FLOWS_COLUMNS] = {
    TABLE_ID("id"),
    {"slice_out", TABLE_INTEGER, ROLE_PARENT, false},
    {"slice_in", TABLE_INTEGER, ROLE_OTHER, false},
    TABLE_INT("trace_id"),
    TABLE_INT("arg_set_id"),
};
static const struct table_column hop_columns[] = {
    TABLE_ID("id"),
    TABLE_INT("flow_id"),
    TABLE_INT("hop"),
    TABLE_STR("name"),
    {"slice_out", TABLE_INTEGER, ROLE_PARENT, false},
    {"slice_in", TABLE_INTEGER, ROLE_OTHER, false},
    TABLE_INT("ts"),
    TABLE_INT("gap"),
};

const struct table flows_table = {"flow", flows_columns, FLOWS_COLUMNS, flows_rows, flows_get,
                                  NULL,   NULL,          NULL,          NULL,       0};
const struct table flows_hops = {
    "flow_hop", TABLE_COLUMNS(hop_columns), hop_rows, get_hop, NULL, NULL, NULL, NULL, 0};
