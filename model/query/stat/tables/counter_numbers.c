/* counter_numbers.c - asks the index of each series (counter.h) for the samples of the range. */
#include "model/query/stat/tables/counter_numbers.h"

#include <math.h>

#include "src/base/units.h"

#define SERIES_UNITS 200

void counter_numbers_free(struct counter_numbers *n) {
    vec_free(&n->rows);
    *n = (struct counter_numbers){0};
}

/* Samples [i, j) hold in the range. since: the begin of a range with limits. */
static void add(struct counter_numbers *n, uint32_t number, struct counter_series *series, size_t i,
                size_t j, int64_t since) {
    struct counter_numbers_row row = {.series = number};
    int64_t from = range_begin(n->range, n->trace), to = range_end(n->range, n->trace);
    size_t least, most;
    row.any = counter_extent(series, i, j, &least, &most);
    if (row.any) {
        row.least = *counter_sample(series, least);
        row.most = *counter_sample(series, most);
    }
    row.has_mean = from < to && counter_average(series, from, to, &row.mean);
    row.samples = j - i - (i < j && counter_sample(series, i)->at.time < since);
    row.first = *counter_sample(series, i);
    row.last = *counter_sample(series, j - 1);
    row.change = counter_difference(&row.last, &row.first);
    row.has_change = isfinite(row.change) != 0;
    vec_push(&n->rows, row);
}

static void add_series(struct counter_numbers *n, uint32_t number, const struct slice_set *set) {
    struct counter_series *series = counter_series(trace_counters(n->trace), number);
    size_t count, i = 0, j;
    counter_samples(series, &count);
    j = count;
    if (set->from > INT64_MIN) {
        i = counter_from(series, set->from);
        if (i > 0 && (i == count || counter_sample(series, i)->at.time > set->from))
            i--; /* its value holds */
    }
    if (set->to < INT64_MAX)
        j = counter_from(series, set->to);
    if (i < j && set->from < set->to)
        add(n, number, series, i, j, set->from);
}

void counter_numbers_make(struct task *task, struct counter_numbers *n, struct trace *trace,
                          const struct range *range) {
    const struct counters *counters = trace_counters(trace);
    struct slice_set set = range_slices(range, SLICE_ITER_COUNTERS);
    *n = (struct counter_numbers){.trace = trace, .range = range};
    for (uint32_t i = 0; i < counter_series_count(counters); i++) {
        if (set.tracks && !track_set_has(set.tracks, SLICE_ITER_COUNTER_TRACK + i))
            continue;
        if (!task_spend(task, SERIES_UNITS) || !counter_index(counter_series(counters, i), task))
            return;
        add_series(n, i, &set);
    }
}
