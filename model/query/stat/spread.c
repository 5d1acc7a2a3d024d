/* spread.c - one pass over the slices of the range. */
#include "model/query/stat/spread.h"

#define SLICES_A_UNIT 4

int64_t spread_begin_of(int bucket) {
    static const int steps[SPREAD_DECADE] = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
    int64_t ten = 1;
    if (bucket < SPREAD_DECADE)
        return bucket > 0 ? bucket : 0;
    for (int k = bucket / SPREAD_DECADE - 1; k > 0; k--)
        ten *= 10;
    return ten * steps[bucket % SPREAD_DECADE];
}

int64_t spread_end_of(int bucket) {
    return bucket + 1 < SPREAD_BUCKETS ? spread_begin_of(bucket + 1) : INT64_MAX;
}

int spread_bucket(int64_t duration) {
    int low = 0, high = SPREAD_BUCKETS;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (spread_begin_of(middle) <= duration)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void add(struct spread *s, const struct slice_run *run, uint32_t k) {
    const struct instances_query *q = &s->query;
    const struct slice *slice = &run->v[k];
    if (slice_open(slice) || (q->group && !slice_group_has(q->group, &q->key, run->track, slice)))
        return;
    int bucket = spread_bucket(slice_dur(slice));
    s->all[bucket]++;
    s->count_all++;
    if (q->has && !q->has(q->ctx, run->track, run->row, run->i + k))
        return;
    s->these[bucket]++;
    s->count++;
}

void spread_make(struct task *task, struct spread *s, struct trace *trace,
                 const struct instances_query *query) {
    struct slice_set set = range_slices(query->range, query->kinds);
    struct slice_iter iter;
    struct slice_run run;
    *s = (struct spread){.query = *query};
    set.times = !slice_group_needs_records(query->group);
    slice_iter_init(&iter, trace, &set);
    while (slice_iter_next(&iter, task, &run)) {
        for (uint32_t k = 0; k < run.n; k++)
            add(s, &run, k);
        if (!task_spend(task, run.n / SLICES_A_UNIT))
            return;
    }
}
