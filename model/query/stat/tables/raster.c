/* raster.c - one pass over the slices of the range. */
#include "model/query/stat/tables/raster.h"

#include <string.h>

#include "src/base/units.h"

#define SLICES_A_UNIT 4

static int column_of(const struct raster *r, int64_t time) {
    if (time <= r->from || r->to <= r->from)
        return 0;
    if (time >= r->to)
        return r->columns - 1;
    double share = (double)units_since(r->from, time) / (double)units_since(r->from, r->to);
    int column = (int)(share * r->columns);
    return column < r->columns ? column : r->columns - 1;
}

static void add(struct raster *r, const struct slice_run *run, uint32_t k) {
    const struct instances_query *q = &r->query;
    const struct slice *s = &run->v[k];
    if (slice_open(s) || (q->group && !slice_group_has(q->group, &q->key, run->track, s)) ||
        (q->has && !q->has(q->ctx, run->track, run->row, run->i + k)))
        return;
    uint32_t *count = &r->counts[spread_bucket(slice_dur(s))][column_of(r, s->start)];
    ++*count;
    r->most = *count > r->most ? *count : r->most;
    r->count++;
}

void raster_make(struct task *task, struct raster *r, struct trace *trace,
                 const struct instances_query *query, int columns) {
    struct slice_set set = range_slices(query->range, query->kinds);
    struct slice_iter iter;
    struct slice_run run;
    memset(r, 0, sizeof *r);
    r->trace = trace;
    r->query = *query;
    r->columns = columns < 1 ? 1 : columns;
    r->columns = r->columns > RASTER_COLUMNS ? RASTER_COLUMNS : r->columns;
    r->from = range_begin(query->range, trace);
    r->to = range_end(query->range, trace);
    set.times = !slice_group_needs_records(query->group);
    slice_iter_init(&iter, trace, &set);
    while (slice_iter_next(&iter, task, &run)) {
        for (uint32_t k = 0; k < run.n; k++)
            add(r, &run, k);
        if (!task_spend(task, run.n / SLICES_A_UNIT))
            return;
    }
}
