/* name_stats.c - one row of an aggregate, made for one name; or the rows of all names. */
#include "model/query/name_stats.h"

void name_stats_free(void *stats) {
    aggregate_free(&((struct name_stats *)stats)->aggregate);
}

void name_stats_make(struct task *task, void *stats) {
    struct name_stats *s = stats;
    struct slice_set set = s->set;
    struct slice_iter iter;
    set.times = true;
    set.named = s->name + 1;
    s->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    s->aggregate.only = s->name;
    s->aggregate.durations = true;
    const struct aggregate_key key = {.name = s->name};
    aggregate_row(&s->aggregate, &key); /* even if no slice has ended */
    slice_iter_init(&iter, s->trace, &set);
    aggregate_slices(&s->aggregate, s->trace, &iter, task);
    aggregate_sort(task, &s->aggregate);
}

static void times(struct task *task, void *stats) {
    struct name_stats *s = stats;
    struct slice_set set = s->set;
    struct slice_order order;
    set.times = true;
    s->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    slice_order_init(&order, s->trace, &set);
    aggregate_nested(&s->aggregate, s->trace, &order, task);
    slice_order_free(&order);
}

const struct answer_ops name_stats_ops = {sizeof(struct name_stats), name_stats_make,
                                          name_stats_free};
const struct answer_ops name_stats_times_ops = {sizeof(struct name_stats), times, name_stats_free};
