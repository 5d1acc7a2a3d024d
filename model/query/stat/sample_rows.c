/* sample_rows.c - goes over the samples of each thread, and up from their innermost frames.
 *
 * A name that is several frames of a stack gets the time of a blocked sample once. */
#include "model/query/stat/sample_rows.h"

#include "model/query/stat/sample_iter.h"
#include "src/base/units.h"

#define SAMPLE_UNITS 16

struct adding {
    struct trace *trace;
    const struct slice_set *set;
    struct aggregate *aggregate;
    struct aggregate_key keys; /* of the slices of the thread */
    uint32_t thread;
    uint64_t samples; /* so far, blocked ones alone */
};

/* The row of a slice; NULL: the filter leaves it out. */
static struct aggregate_row *row_of(const struct adding *to, uint32_t row, uint32_t i) {
    const struct slice_set *set = to->set;
    struct slice s = lane_slice(nest_row(&trace_thread(to->trace, to->thread)->nest, row), i);
    if (set->has && !set->has(set->ctx, to->thread, row, i))
        return NULL;
    return &to->aggregate->rows
                .v[aggregate_slice_row(to->aggregate, to->trace, to->thread, &s, to->keys)];
}

static void add_off(struct adding *to, const struct sample *sample, uint32_t row, uint32_t i) {
    const struct nest *nest = &trace_thread(to->trace, to->thread)->nest;
    to->samples++;
    do {
        struct aggregate_row *r = row_of(to, row, i);
        if (r && r->blocked != to->samples)
            sum_add(&r->off, units_since(sample->from, sample->to));
        if (r)
            r->blocked = to->samples;
    } while (nest_parent(nest, trace_slice_extra(to->trace), row, i, &row, &i));
}

static void add_sample(struct adding *to, const struct sample *sample) {
    const struct trace_point point = {.thread = to->thread, .at = sample->at};
    uint32_t row, i;
    if (!trace_point_slice(to->trace, &point, &row, &i))
        return;
    if (sample->blocked) {
        add_off(to, sample, row, i);
        return;
    }
    struct aggregate_row *r = row_of(to, row, i);
    if (r)
        r->self_samples++;
}

void sample_rows_add(struct task *task, struct trace *trace, const struct range *range,
                     const struct slice_set *set, struct aggregate *aggregate) {
    struct adding to = {.trace = trace, .set = set, .aggregate = aggregate};
    for (; to.thread < trace_thread_count(trace); to.thread++) {
        struct thread *t = trace_thread(trace, to.thread);
        if (!t->sampled || trace_thread_hidden(trace, t) || !range_has_track(range, to.thread))
            continue;
        struct sample_iter iter;
        struct sample sample;
        to.keys = aggregate_keys(aggregate, trace, to.thread);
        sample_iter_init(&iter, trace, to.thread, range);
        while (sample_iter_next(&iter, &sample)) {
            add_sample(&to, &sample);
            if (!task_spend(task, SAMPLE_UNITS))
                return;
        }
    }
}
