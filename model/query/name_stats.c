/* name_stats.c - one row of an aggregate, made for one name, and when it has to be made again.
 *
 * The slices are gathered first, then their durations are sorted; both may stop when the budget is spent. An answer
 * holds for one name, one kind and one version of the trace. */
#include "model/query/name_stats.h"

void name_stats_free(struct name_stats *stats) {
    aggregate_free(&stats->aggregate);
    *stats = (struct name_stats){0};
}

static bool is_about(const struct name_stats *stats, const struct trace *trace, enum slice_iter_kind kind,
                     uint32_t name) {
    return stats->any && stats->kind == kind && stats->name == name && stats->version == trace_version(trace);
}

static void begin(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name) {
    name_stats_free(stats);
    *stats = (struct name_stats){.any = true, .kind = kind, .name = name, .version = trace_version(trace)};
    stats->aggregate = AGGREGATE_INIT(AGGREGATE_NAME, trace_end(trace));
    stats->aggregate.only = name;
    stats->aggregate.durations = true;
    aggregate_row(&stats->aggregate, &(struct aggregate_key){.name = name}); /* there may be no slice that has ended */
    slice_iter_init(&stats->iter, trace, &SLICE_SET_ALL(kind));
}

bool name_stats_step(struct name_stats *stats, struct trace *trace, enum slice_iter_kind kind, uint32_t name,
                     struct budget *budget, bool *news) {
    if (!is_about(stats, trace, kind, name)) {
        if (trace_unflushed(trace))
            return false;
        begin(stats, trace, kind, name);
    }
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
    if (!is_about(stats, trace, kind, name) || !stats->gathered || !stats->aggregate.rows.v[0].durations.sorted)
        return NULL;
    return &stats->aggregate.rows.v[0];
}
