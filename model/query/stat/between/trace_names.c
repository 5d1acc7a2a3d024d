/* trace_names.c - the names of one trace.
 *
 * A table of names gives the numbers. A second pass over the slices takes each k-th duration of a name, so that at most
 * TRACE_NAMES_SAMPLE are kept. Rows of the table find theirs by their number. */
#include "model/query/stat/between/trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

int trace_names_order(const struct trace_names_row *a, const struct trace_names_row *b) {
    size_t n = a->n < b->n ? a->n : b->n;
    int order = a->operations != b->operations ? a->operations - b->operations : memcmp(a->name, b->name, n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

static int by_text(const void *a, const void *b) {
    return trace_names_order(a, b);
}

const struct trace_names_row *trace_names_find(const struct trace_names *names, const struct trace_names_row *like) {
    return names->v.n > 0 ? bsearch(like, names->v.v, names->v.n, sizeof *names->v.v, by_text) : NULL;
}

static void add_row(struct trace_names *names, struct names_table *table, uint32_t i, bool operations) {
    const struct aggregate_row *r = names_table_row(table, i);
    struct str text = trace_name(table->trace, r->key.name);
    struct trace_names_row row = {.n = text.n, .number = r->key.name, .operations = operations, .count = r->count};
    row.name = err_calloc(text.n + 1, 1);
    if (text.n > 0)
        memcpy(row.name, text.s, text.n);
    row.ended = r->count - r->open;
    names_table_value(table, i, NAMES_TOTAL, &row.total);
    names_table_value(table, i, NAMES_P50, &row.p50);
    names_table_value(table, i, NAMES_P99, &row.p99);
    vec_push(&names->v, row);
}

/* Each k-th duration of each row from `first` on, which are those of the table, in its order. */
static void sample(struct trace_names *names, size_t first, struct names_table *table, struct slice_set *set) {
    struct budget endless = budget_endless();
    size_t n = names->v.n - first;
    uint64_t *passed = err_calloc(n + 1, sizeof *passed);
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, table->trace, set);
    while (slice_iter_next(&iter, &endless, &run))
        for (uint32_t k = 0; k < run.n; k++) {
            if (slice_open(&run.v[k]) || (set->has && !set->has(set->ctx, run.track, run.row, run.i + k)))
                continue;
            struct aggregate_key key = {.name = trace_packed_name(table->trace, run.v[k].begin_word)};
            uint32_t i = aggregate_find(&table->aggregate, &key);
            if (i == AGGREGATE_ANY || i >= n)
                continue;
            struct trace_names_row *row = &names->v.v[first + i];
            uint64_t step = (row->ended + TRACE_NAMES_SAMPLE - 1) / TRACE_NAMES_SAMPLE;
            if (passed[i]++ % (step > 0 ? step : 1) == 0)
                vec_push(&row->sample, slice_dur(&run.v[k]));
        }
    free(passed);
}

static void take(struct trace_names *names, struct trace *trace, const struct question *asked, unsigned kind) {
    struct names_table table = {.trace = NULL};
    struct budget endless = budget_endless();
    struct names_query query = {.range = &asked->range, .kinds = kind, .by = GROUP_BY_NAME};
    struct slice_set set = question_slices(asked, kind);
    size_t first = names->v.n;
    query.has = set.has;
    query.ctx = set.ctx;
    names_table_begin(&table, trace, &query);
    while (!names_table_step(&table, &endless))
        ;
    for (uint32_t i = 0; i < names_table_rows(&table); i++)
        add_row(names, &table, i, kind == SLICE_ITER_OPERATIONS);
    sample(names, first, &table, &set);
    names_table_free(&table);
}

void trace_names_take(struct trace_names *names, struct trace *trace, const struct question *asked) {
    int64_t span = units_since(range_begin(&asked->range, trace), range_end(&asked->range, trace));
    names->span = span > 0 ? span : 1;
    take(names, trace, asked, SLICE_ITER_SLICES);
    take(names, trace, asked, SLICE_ITER_OPERATIONS);
    if (names->v.n > 0)
        qsort(names->v.v, names->v.n, sizeof *names->v.v, by_text);
}

void trace_names_free(struct trace_names *names) {
    for (size_t i = 0; i < names->v.n; i++) {
        free(names->v.v[i].name);
        vec_free(&names->v.v[i].sample);
    }
    vec_free(&names->v);
}
