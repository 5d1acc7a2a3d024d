/* name_stats.c - one row of an aggregate, made for one name, and when it has to be made again.
 *
 * The slices are gathered first, then their durations are sorted; both may stop when the budget is spent. An answer
 * holds for one name, one kind, one range and one version of the trace. Totals and selves are a second aggregate, over all
 * names. */
#include "model/query/name_stats.h"

#include <stdlib.h>

static void free_durations(struct name_stats *stats) {
    aggregate_free(&stats->aggregate);
    stats->any = stats->gathered = false;
}

static void free_last(struct aggregate **last) {
    if (*last)
        aggregate_free(*last);
    free(*last);
    *last = NULL;
}

static void free_times(struct name_stats_times *times) {
    aggregate_free(&times->aggregate);
    free_last(&times->last);
    slice_order_free(&times->order);
    *times = (struct name_stats_times){0};
}

/* Keeps the answer until there is one of the new version. */
static void keep(struct aggregate **last, struct aggregate *answer) {
    free_last(last);
    *last = err_malloc(sizeof **last);
    **last = *answer;
    *answer = AGGREGATE_INIT(AGGREGATE_NAME);
}

void name_stats_free(struct name_stats *stats) {
    free_durations(stats);
    free_last(&stats->last);
    free_times(&stats->times[0]);
    free_times(&stats->times[1]);
    *stats = (struct name_stats){0};
}

void name_stats_within(struct name_stats *stats, const struct slice_set *set) {
    name_stats_free(stats);
    stats->within = set != NULL;
    stats->from = set ? set->from : 0;
    stats->to = set ? set->to : 0;
    stats->tracks = set ? set->tracks : NULL;
}

static struct slice_set set_of(const struct name_stats *stats, enum slice_iter_kind kind) {
    struct slice_set set = SLICE_SET_ALL(kind);
    set.times = true;
    if (stats->within) {
        set.from = stats->from;
        set.to = stats->to;
        set.tracks = stats->tracks;
    }
    return set;
}

static bool complete(const struct name_stats *stats) {
    return stats->gathered && stats->aggregate.rows.v[0].durations.sorted;
}

/* Whether the last question was this one, of this or an earlier version. */
static bool asked(const struct name_stats *stats, const struct trace *trace, enum slice_iter_kind kind, uint32_t name) {
    return stats->any && stats->kind == kind && stats->name == name && stats->generation == trace_generation(trace);
}

static bool is_about(const struct name_stats *stats, const struct trace *trace, enum slice_iter_kind kind,
                     uint32_t name) {
    return asked(stats, trace, kind, name) && stats->version == trace_version(trace);
}

static void begin(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name) {
    if (!asked(stats, trace, kind, name))
        free_last(&stats->last);
    else if (complete(stats))
        keep(&stats->last, &stats->aggregate);
    free_durations(stats);
    stats->any = true;
    stats->generation = trace_generation(trace);
    stats->kind = kind;
    stats->name = name;
    stats->version = trace_version(trace);
    stats->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    stats->aggregate.only = name;
    stats->aggregate.durations = true;
    aggregate_row(&stats->aggregate, &(struct aggregate_key){.name = name}); /* there may be no slice that has ended */
    struct slice_set set = set_of(stats, kind);
    set.named = name + 1;
    slice_iter_init(&stats->iter, trace, &set);
}

bool name_stats_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name,
                     struct budget *budget, bool *news) {
    if (!is_about(stats, trace, kind, name))
        begin(stats, trace, kind, name);
    if (!stats->gathered)
        stats->gathered = aggregate_slices(&stats->aggregate, trace, &stats->iter, budget);
    if (!stats->gathered)
        return true;
    bool before = stats->aggregate.rows.v[0].durations.sorted;
    bool done = quantiles_step(&stats->aggregate.rows.v[0].durations, budget);
    *news = done && !before;
    return !done;
}

const struct aggregate_row *name_stats_of(const struct name_stats *stats, const struct trace *trace,
                                          enum slice_iter_kind kind, uint32_t name) {
    return is_about(stats, trace, kind, name) && complete(stats) ? &stats->aggregate.rows.v[0] : NULL;
}

const struct aggregate_row *name_stats_shown(const struct name_stats *stats, const struct trace *trace,
                                             enum slice_iter_kind kind, uint32_t name) {
    if (!asked(stats, trace, kind, name))
        return NULL;
    return complete(stats) ? &stats->aggregate.rows.v[0] : stats->last ? &stats->last->rows.v[0] : NULL;
}

/* ---- total and self ---- */

bool name_stats_times_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind,
                           struct budget *budget, bool *news) {
    struct name_stats_times *t = &stats->times[kind == SLICE_ITER_OPERATIONS];
    if (!t->any || t->version != trace_version(trace)) {
        if (t->generation != trace_generation(trace))
            free_last(&t->last);
        else if (t->known)
            keep(&t->last, &t->aggregate);
        struct aggregate *last = t->last;
        t->last = NULL;
        free_times(t);
        t->last = last;
        t->any = true;
        t->generation = trace_generation(trace);
        t->version = trace_version(trace);
        t->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
        struct slice_set set = set_of(stats, kind);
        slice_order_init(&t->order, trace, &set);
    }
    if (t->known)
        return false;
    t->known = *news = aggregate_nested(&t->aggregate, trace, &t->order, budget);
    if (t->known)
        slice_order_free(&t->order);
    return !t->known;
}

const struct aggregate_row *name_stats_times_of(const struct name_stats *stats, const struct trace *trace,
                                                enum slice_iter_kind kind, uint32_t name) {
    const struct name_stats_times *t = &stats->times[kind == SLICE_ITER_OPERATIONS];
    const struct aggregate *of = t->known ? &t->aggregate : t->last;
    uint32_t row = AGGREGATE_ANY;
    if (of && t->any && t->generation == trace_generation(trace))
        row = aggregate_find(of, &(struct aggregate_key){.name = name});
    return row == AGGREGATE_ANY ? NULL : &of->rows.v[row];
}
