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

/* ---- in steps ---- */

#define ROW_UNITS 8 /* of the budget */

static uint32_t part_of(const void *pools, uint32_t track) {
    return trace_pools_of(pools, track);
}

static void begin_kind(struct trace_names *names, struct trace_names_work *w, unsigned kind) {
    struct names_query query = {.range = &w->asked->range, .kinds = kind, .by = GROUP_BY_NAME};
    w->kind = kind;
    struct slice_set set = question_slices(w->asked, kind);
    w->first = names->v.n;
    w->stage = TRACE_NAMES_TABLE;
    query.has = set.has;
    query.ctx = set.ctx;
    query.sample = TRACE_NAMES_SAMPLE;
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
    sort_free(w->sort);
    u64map_free(&w->instants);
    *w = (struct trace_names_work){.trace = NULL};
}

bool trace_names_take_rows(struct trace_names *names, struct names_table *table, size_t first,
                           unsigned kind, struct budget *budget) {
    while (names->v.n - first < names_table_rows(table)) {
        add_row(names, table, (uint32_t)(names->v.n - first), kind);
        if (!budget_spend(budget, ROW_UNITS))
            return false;
    }
    return true;
}

bool trace_names_sort_step(struct trace_names *names, struct sort **sort, struct budget *budget) {
    if (*sort == NULL)
        *sort = sort_new(names->v.v, names->v.n, sizeof *names->v.v, by_name);
    if (!sort_step(*sort, budget))
        return false;
    sort_free(*sort);
    *sort = NULL;
    return true;
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
static bool count_instants(struct trace_names *names, struct trace_names_work *w,
                           struct budget *budget) {
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
            if (!range_has_time(range, slice_iter_time(s, w->i)) ||
                (match && !filter_match_event(match, s, w->i)))
                continue;
            count_instant(names, w,
                          s->instants ? trace_packed_name(w->trace, s->instants[w->i].packed)
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

bool trace_names_step(struct trace_names *names, struct trace_names_work *w,
                      struct budget *budget) {
    while (w->stage != TRACE_NAMES_ENDED) {
        if (w->stage == TRACE_NAMES_TABLE && !names_table_step(&w->table, budget))
            return false;
        if (w->stage == TRACE_NAMES_ROWS &&
            !trace_names_take_rows(names, &w->table, w->first, w->kind, budget))
            return false;
        if (++w->stage < TRACE_NAMES_ENDED)
            continue;
        names_table_free(&w->table);
        if (w->kind == SLICE_ITER_SLICES)
            begin_kind(names, w, SLICE_ITER_OPERATIONS);
    }
    if (w->sort == NULL && !count_instants(names, w, budget))
        return false;
    if (!trace_names_sort_step(names, &w->sort, budget))
        return false;
    names->left_out = question_left_out(
        w->asked, w->trace, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS | SLICE_ITER_STATES);
    trace_names_stop(w);
    return true;
}

unsigned trace_names_percent(const struct trace_names_work *w) {
    unsigned of_table =
        w->stage == TRACE_NAMES_TABLE ? names_table_percent(&w->table) * 6 / 10 : 60;
    return w->kind == SLICE_ITER_OPERATIONS ? 90 + of_table / 10
           : w->stage == TRACE_NAMES_TABLE  ? of_table
                                            : 75;
}

void trace_names_take(struct trace_names *names, struct trace *trace,
                      const struct question *asked) {
    struct trace_names_work work = {.trace = NULL};
    struct budget endless = budget_endless();
    trace_names_begin(names, &work, trace, asked);
    while (!trace_names_step(names, &work, &endless))
        ;
}

bool trace_names_free_step(struct trace_names *names, struct budget *budget) {
    for (; names->v.n > 0; names->v.n--) {
        struct trace_names_row *last = &names->v.v[names->v.n - 1];
        if (!budget_left(budget))
            return false;
        if (!last->by_number)
            free(last->name);
        vec_free(&last->sample);
        budget_spend(budget, 1);
    }
    trace_pools_free(&names->pools);
    return vec_free_step(&names->v, budget);
}

void trace_names_free(struct trace_names *names) {
    trace_names_free_step(names, BUDGET_ENDLESS);
}
