/* counter_numbers.c - asks the index of each series (counter.h) for the samples of the range. */
#include "model/query/stat/tables/counter_numbers.h"

#include <math.h>

#include "src/base/units.h"

#define SERIES_UNITS 200

void counter_numbers_free(struct counter_numbers *n) {
    vec_free(&n->rows);
    *n = (struct counter_numbers){0};
}

void counter_numbers_begin(struct counter_numbers *n, struct trace *trace, const struct range *range) {
    counter_numbers_free(n);
    n->trace = trace;
    n->range = range;
}

/* Samples [i, j) hold in [from, to). */
static void add(struct counter_numbers *n, struct counter_series *series, size_t i, size_t j) {
    struct counter_numbers_row row = {.series = n->next};
    int64_t from = range_begin(n->range, n->trace), to = range_end(n->range, n->trace);
    size_t least, most;
    row.any = counter_extent(series, i, j, &least, &most);
    if (row.any) {
        row.least = *counter_sample(series, least);
        row.most = *counter_sample(series, most);
    }
    row.has_mean = from < to && counter_average(series, from, to, &row.mean);
    row.samples = j - i - (i < j && counter_sample(series, i)->at.time < from);
    row.first = *counter_sample(series, i);
    row.last = *counter_sample(series, j - 1);
    row.change = counter_difference(&row.last, &row.first);
    row.has_change = isfinite(row.change) != 0;
    vec_push(&n->rows, row);
}

bool counter_numbers_step(struct counter_numbers *n, struct budget *budget) {
    const struct counters *counters = trace_counters(n->trace);
    struct slice_set set = range_slices(n->range, SLICE_ITER_COUNTERS);
    for (; n->next < counter_series_count(counters); n->next++) {
        struct counter_series *series = counter_series(counters, n->next);
        size_t count, i = 0, j;
        if (!budget_left(budget))
            return false;
        budget_spend(budget, SERIES_UNITS);
        if (set.tracks && !track_set_has(set.tracks, SLICE_ITER_COUNTER_TRACK + n->next))
            continue;
        if (!counter_index(series, budget))
            return false;
        counter_samples(series, &count);
        j = count;
        if (set.from > INT64_MIN) {
            i = counter_from(series, set.from);
            if (i > 0 && (i == count || counter_sample(series, i)->at.time > set.from))
                i--; /* its value holds */
        }
        if (set.to < INT64_MAX)
            j = counter_from(series, set.to);
        if (i < j && set.from < set.to)
            add(n, series, i, j);
    }
    n->done = true;
    return true;
}
