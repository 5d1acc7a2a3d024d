/* trace_names.c - the names of one trace.
 *
 * For slices, then for operations: a table of names gives the numbers, and the durations that are
 * kept. Instants are counted last, series by series. */
#include "model/query/stat/between/trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

static int text_order(const struct trace_names_row *a, const struct trace_names_row *b) {
    size_t n = a->n < b->n ? a->n : b->n;
    int order = memcmp(a->name, b->name, n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

int trace_names_order(const struct trace_names_row *a, const struct trace_names_row *b) {
    int order = (a->kind > b->kind) - (a->kind < b->kind);
    if (order == 0 && a->by_number && b->by_number)
        return (a->number > b->number) - (a->number < b->number);
    order = order ? order : text_order(a, b);
    return order ? order : trace_pools_order(a->pool, b->pool);
}

static int by_name(const void *a, const void *b) {
    return trace_names_order(a, b);
}

const struct trace_names_row *trace_names_find(const struct trace_names *names,
                                               const struct trace_names_row *like) {
    return names->v.n > 0 ? bsearch(like, names->v.v, names->v.n, sizeof *names->v.v, by_name)
                          : NULL;
}

static struct trace_names_row new_row(const struct trace_names *names, const struct trace *trace,
                                      unsigned kind, uint32_t pool, uint32_t name) {
    struct str text = trace_name(trace, name);
    return (struct trace_names_row){.name = names->by_number ? (char *)text.s
                                                             : err_copy(text.s, text.n),
                                    .n = text.n,
                                    .number = name,
                                    .by_number = names->by_number,
                                    .kind = kind,
                                    .pool_number = pool,
                                    .pool = pool > 0 ? &names->pools.v.v[pool - 1] : NULL};
}

static void add_row(struct trace_names *names, struct names_table *table, uint32_t i,
                    unsigned kind) {
    const struct aggregate_row *r = names_table_row(table, i);
    struct trace_names_row row = new_row(names, table->trace, kind, r->key.a, r->key.name);
    struct names_sample *sample = &table->samples.v[i];
    names->sampled |= r->sampled;
    row.count = r->count;
    row.ended = r->count - r->open;
    row.total = sum_double(r->total);
    row.self = sum_double(r->self);
    names_table_value(table, i, NAMES_P50, &row.p50);
    names_table_value(table, i, NAMES_P99, &row.p99);
    names_table_value(table, i, NAMES_MAX, &row.most);
    row.longest = r->lasted > row.most ? r->lasted : row.most;
    row.open = r->open;
    row.lasted = r->lasted;
    row.sample.v = sample->v.v;
    row.sample.n = sample->v.n;
    row.sample.cap = sample->v.cap;
    sample->v.v = NULL;
    sample->v.n = sample->v.cap = 0;
    vec_push(&names->v, row);
}

#define ROW_UNITS 8

static uint32_t part_of(const void *pools, uint32_t track) {
    return trace_pools_of(pools, track);
}

void trace_names_take_rows(struct task *task, struct trace_names *names, struct names_table *table,
                           unsigned kind) {
    for (uint32_t i = 0; i < names_table_rows(table); i++) {
        add_row(names, table, i, kind);
        if (!task_spend(task, ROW_UNITS))
            return;
    }
}

/* The names of slices, or of operations. */
static void add_kind(struct task *task, struct trace_names *names, struct trace *trace,
                     const struct question *asked, unsigned kind) {
    struct names_table table = {.trace = NULL};
    struct slice_set set = question_slices(asked, kind);
    const struct names_query query = {.range = &asked->range,
                                      .kinds = kind,
                                      .by = GROUP_BY_NAME,
                                      .has = set.has,
                                      .ctx = set.ctx,
                                      .sample = TRACE_NAMES_SAMPLE,
                                      .part = names->by_pool ? part_of : NULL,
                                      .part_ctx = &names->pools};
    names->counting = &table;
    names_table_make(task, &table, trace, &query);
    names->counting = NULL;
    if (table.ready)
        trace_names_take_rows(task, names, &table, kind);
    names_table_free(&table);
}

void trace_names_sort(struct task *task, struct trace_names *names) {
    sort_items(task, names->v.v, names->v.n, sizeof *names->v.v, by_name);
}

/* ---- instants ---- */

struct instants {
    struct trace_names *names;
    struct trace *trace;
    const struct question *asked;
    struct u64map rows; /* trace_names_key() -> row of the result */
};

static void count_instant(struct instants *in, uint32_t track, uint32_t name) {
    struct trace_names *names = in->names;
    uint32_t pool = trace_pools_of(&names->pools, track);
    uint64_t key = trace_names_key(pool, name), at = u64map_get(&in->rows, key);
    if (at == UINT64_MAX) {
        at = names->v.n;
        u64map_set(&in->rows, key, at);
        vec_push(&names->v, new_row(names, in->trace, SLICE_ITER_INSTANTS, pool, name));
    }
    names->v.v[at].count++;
}

/* The instants of one series. */
static void count_series(struct task *task, struct instants *in, const struct slice_series *s) {
    const struct range *range = &in->asked->range;
    struct filter_match *match = in->asked->match;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!task_spend(task, match ? filter_match_cost(match) : 1))
            return;
        if (!range_has_time(range, slice_iter_time(s, i)) ||
            (match && !filter_match_event(match, s, i)))
            continue;
        count_instant(in, s->track,
                      s->instants ? trace_packed_name(in->trace, s->instants[i].packed)
                                  : s->async_instants[i].name);
    }
}

static void add_instants(struct task *task, struct trace_names *names, struct trace *trace,
                         const struct question *asked) {
    struct instants in = {names, trace, asked, {0}};
    struct slice_series series = {.n = 0};
    unsigned kinds = SLICE_ITER_INSTANTS | SLICE_ITER_ASYNC_INSTANTS;
    kinds &= asked->match ? filter_match_kinds(asked->match) : kinds;
    uint32_t track = 0, row = 0;
    while (!task_over(task) && slice_iter_series(trace, kinds, &track, &row, &series))
        if (range_has_track(&asked->range, series.track))
            count_series(task, &in, &series);
    u64map_free(&in.rows);
}

/* ---- all of them ---- */

void trace_names_make(struct task *task, struct trace_names *names, struct trace *trace,
                      const struct question *asked) {
    int64_t span = units_since(range_begin(&asked->range, trace), range_end(&asked->range, trace));
    names->span = span > 0 ? span : 1;
    if (names->by_pool)
        trace_pools_take(&names->pools, trace);
    add_kind(task, names, trace, asked, SLICE_ITER_SLICES);
    names->done = 90;
    if (!task_over(task))
        add_kind(task, names, trace, asked, SLICE_ITER_OPERATIONS);
    if (!task_over(task))
        add_instants(task, names, trace, asked);
    if (!task_over(task))
        trace_names_sort(task, names);
    names->left_out = question_left_out(
        asked, trace, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS | SLICE_ITER_STATES);
}

unsigned trace_names_percent(const struct trace_names *names) {
    unsigned share = names->done > 0 ? 10 : 90;
    return names->done + (names->counting ? names_table_percent(names->counting) * share / 100 : 0);
}

struct taking {
    struct trace_names *names;
    struct trace *trace;
    const struct question *asked;
};

static void take(struct task *task, void *ctx) {
    const struct taking *t = ctx;
    trace_names_make(task, t->names, t->trace, t->asked);
}

void trace_names_take(struct trace_names *names, struct trace *trace,
                      const struct question *asked) {
    take(NULL, &(struct taking){names, trace, asked});
}

void trace_names_free(struct trace_names *names) {
    for (size_t i = 0; i < names->v.n; i++) {
        struct trace_names_row *row = &names->v.v[i];
        if (!row->by_number)
            free(row->name);
        vec_free(&row->sample);
    }
    vec_free(&names->v);
    trace_pools_free(&names->pools);
}
