/* trace_names.c - the names of one trace.
 *
 * For slices, then for operations: a table of names gives the numbers. A second pass over the slices takes each k-th
 * duration of a name, so that at most TRACE_NAMES_SAMPLE are kept. Rows of the table find theirs by their number.
 * Instants are counted last, series by series. */
#include "model/query/stat/between/trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

int trace_names_order(const struct trace_names_row *a, const struct trace_names_row *b) {
    size_t n = a->n < b->n ? a->n : b->n;
    int order = a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind) : memcmp(a->name, b->name, n);
    order = order ? order : (a->n > b->n) - (a->n < b->n);
    return order ? order : trace_pools_order(a->pool, b->pool);
}

static int by_text(const void *a, const void *b) {
    return trace_names_order(a, b);
}

const struct trace_names_row *trace_names_find(const struct trace_names *names, const struct trace_names_row *like) {
    return names->v.n > 0 ? bsearch(like, names->v.v, names->v.n, sizeof *names->v.v, by_text) : NULL;
}

static struct trace_names_row new_row(const struct trace_names *names, const struct trace *trace, unsigned kind,
                                      uint32_t pool, uint32_t name) {
    struct str text = trace_name(trace, name);
    return (struct trace_names_row){.name = err_copy(text.s, text.n),
                                    .n = text.n,
                                    .number = name,
                                    .kind = kind,
                                    .pool_number = pool,
                                    .pool = pool > 0 ? &names->pools.v.v[pool - 1] : NULL};
}

static void add_row(struct trace_names *names, const struct names_table *table, uint32_t i, unsigned kind) {
    const struct aggregate_row *r = names_table_row(table, i);
    struct trace_names_row row = new_row(names, table->trace, kind, r->key.a, r->key.name);
    row.count = r->count;
    row.ended = r->count - r->open;
    row.total = sum_double(r->total);
    row.self = sum_double(r->self);
    names_table_value(table, i, NAMES_P50, &row.p50);
    names_table_value(table, i, NAMES_P99, &row.p99);
    vec_push(&names->v, row);
}

/* ---- in steps ---- */

#define ROW_UNITS 8 /* of the budget */

static uint32_t part_of(const void *pools, uint32_t track) {
    return trace_pools_of(pools, track);
}

static void begin_kind(struct trace_names *names, struct trace_names_work *w, unsigned kind) {
    struct names_query query = {.range = &w->asked->range, .kinds = kind, .by = GROUP_BY_NAME};
    w->kind = kind;
    w->set = question_slices(w->asked, kind);
    w->first = names->v.n;
    w->stage = TRACE_NAMES_TABLE;
    query.has = w->set.has;
    query.ctx = w->set.ctx;
    query.part = names->by_pool ? part_of : NULL;
    query.part_ctx = &names->pools;
    names_table_begin(&w->table, w->trace, &query);
}

void trace_names_begin(struct trace_names *names, struct trace_names_work *w, struct trace *trace,
                       const struct question *asked) {
    int64_t span = units_since(range_begin(&asked->range, trace), range_end(&asked->range, trace));
    trace_names_stop(w);
    w->trace = trace;
    w->asked = asked;
    names->span = span > 0 ? span : 1;
    if (names->by_pool)
        trace_pools_take(&names->pools, trace);
    begin_kind(names, w, SLICE_ITER_SLICES);
}

void trace_names_stop(struct trace_names_work *w) {
    names_table_free(&w->table);
    sort_free(&w->sort);
    u64map_free(&w->instants);
    free(w->passed);
    *w = (struct trace_names_work){.trace = NULL};
}

/* The rows of the table that the result lacks; false: not all. */
static bool add_rows(struct trace_names *names, struct trace_names_work *w, struct budget *budget) {
    while (names->v.n - w->first < names_table_rows(&w->table)) {
        add_row(names, &w->table, (uint32_t)(names->v.n - w->first), w->kind);
        if (!budget_spend(budget, ROW_UNITS))
            return false;
    }
    w->passed = err_calloc(names->v.n - w->first + 1, sizeof *w->passed);
    slice_iter_init(&w->iter, w->trace, &w->set);
    return true;
}

/* Each k-th duration of each row of the table; false: not all. */
static bool sample(struct trace_names *names, struct trace_names_work *w, struct budget *budget) {
    size_t n = names->v.n - w->first;
    struct slice_run run;
    while (slice_iter_next(&w->iter, budget, &run)) {
        for (uint32_t k = 0; k < run.n; k++) {
            if (slice_open(&run.v[k]) || (w->set.has && !w->set.has(w->set.ctx, run.track, run.row, run.i + k)))
                continue;
            struct aggregate_key key = {.name = trace_packed_name(w->trace, run.v[k].begin_word),
                                        .a = trace_pools_of(&names->pools, run.track)};
            uint32_t i = aggregate_find(&w->table.aggregate, &key);
            if (i == AGGREGATE_ANY || i >= n)
                continue;
            struct trace_names_row *row = &names->v.v[w->first + i];
            uint64_t step = (row->ended + TRACE_NAMES_SAMPLE - 1) / TRACE_NAMES_SAMPLE;
            if (w->passed[i]++ % (step > 0 ? step : 1) == 0)
                vec_push(&row->sample, slice_dur(&run.v[k]));
        }
        budget_spend(budget, run.n);
    }
    return slice_iter_done(&w->iter);
}

/* ---- instants ---- */

static void count_instant(struct trace_names *names, struct trace_names_work *w, uint32_t name) {
    uint32_t pool = trace_pools_of(&names->pools, w->series.track);
    uint64_t key = trace_names_key(pool, name), at = u64map_get(&w->instants, key);
    if (at == UINT64_MAX) {
        at = names->v.n;
        u64map_set(&w->instants, key, at);
        vec_push(&names->v, new_row(names, w->trace, SLICE_ITER_INSTANTS, pool, name));
    }
    names->v.v[at].count++;
}

/* True: all instants of the question are counted. */
static bool count_instants(struct trace_names *names, struct trace_names_work *w, struct budget *budget) {
    const struct range *range = &w->asked->range;
    struct filter_match *match = w->asked->match;
    unsigned kinds = SLICE_ITER_INSTANTS | SLICE_ITER_ASYNC_INSTANTS;
    kinds &= match ? filter_match_kinds(match) : kinds;
    for (;;) {
        const struct slice_series *s = &w->series;
        for (; w->i < s->n; w->i++) {
            if (!budget_left(budget))
                return false;
            budget_spend(budget, match ? filter_match_cost(match) : 1);
            if (!range_has_time(range, slice_iter_time(s, w->i)) || (match && !filter_match_event(match, s, w->i)))
                continue;
            count_instant(names, w, s->instants ? trace_packed_name(w->trace, s->instants[w->i].packed)
                                                : s->async_instants[w->i].name);
        }
        w->series = (struct slice_series){.n = 0};
        w->i = 0;
        if (!slice_iter_series(w->trace, kinds, &w->track, &w->row, &w->series))
            return true;
        if (!range_has_track(range, w->series.track))
            w->i = w->series.n;
    }
}

/* ---- all of them ---- */

bool trace_names_step(struct trace_names *names, struct trace_names_work *w, struct budget *budget) {
    while (w->stage != TRACE_NAMES_ENDED) {
        if (w->stage == TRACE_NAMES_TABLE && !names_table_step(&w->table, budget))
            return false;
        if (w->stage == TRACE_NAMES_ROWS && !add_rows(names, w, budget))
            return false;
        if (w->stage == TRACE_NAMES_SAMPLES && !sample(names, w, budget))
            return false;
        if (++w->stage < TRACE_NAMES_ENDED)
            continue;
        free(w->passed);
        w->passed = NULL;
        names_table_free(&w->table);
        if (w->kind == SLICE_ITER_SLICES)
            begin_kind(names, w, SLICE_ITER_OPERATIONS);
    }
    if (w->sort.from == NULL && !count_instants(names, w, budget))
        return false;
    if (w->sort.from == NULL)
        sort_begin(&w->sort, names->v.v, names->v.n, sizeof *names->v.v, by_text);
    if (!sort_step(&w->sort, budget))
        return false;
    free(names->v.v);
    names->v.v = sort_take(&w->sort);
    names->v.cap = names->v.n;
    trace_names_stop(w);
    return true;
}

unsigned trace_names_percent(const struct trace_names_work *w) {
    unsigned of_table = w->stage == TRACE_NAMES_TABLE ? names_table_percent(&w->table) * 6 / 10 : 60;
    return w->kind == SLICE_ITER_OPERATIONS ? 90 + of_table / 10 : w->stage == TRACE_NAMES_TABLE ? of_table : 75;
}

void trace_names_take(struct trace_names *names, struct trace *trace, const struct question *asked) {
    struct trace_names_work work = {.trace = NULL};
    struct budget endless = budget_endless();
    trace_names_begin(names, &work, trace, asked);
    while (!trace_names_step(names, &work, &endless))
        ;
}

void trace_names_free(struct trace_names *names) {
    for (size_t i = 0; i < names->v.n; i++) {
        free(names->v.v[i].name);
        vec_free(&names->v.v[i].sample);
    }
    trace_pools_free(&names->pools);
    vec_free(&names->v);
}
