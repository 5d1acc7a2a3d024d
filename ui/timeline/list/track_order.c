/* track_order.c - the values by which track_sort.c sorts processes, and the threads of a process.
 *
 * The order of the file is that of the writer's sort indexes, if it has any. */
#include "ui/timeline/list/track_order.h"

#include "model/trace/trace_life.h"
#include "src/base/units.h"

const char *track_order_name(enum track_order order) {
    static const char *const names[ORDERS] = {"by interest", "by start",        "by name",
                                              "by CPU time", "by covered time", "by file"};
    return names[order];
}

/* The time that a thread is sorted by. */
static int64_t time_of(enum track_order order, const struct track_life *life) {
    switch (order) {
    case ORDER_BY_START:
        return life->known ? life->begin : INT64_MAX;
    case ORDER_BY_CPU_TIME:
        return life->cpu_time;
    case ORDER_BY_COVERED:
        return life->covered;
    default:
        return life->interest;
    }
}

static int64_t index_of(bool process, struct trace *trace, uint32_t number) {
    return process ? trace_process_sort_index(trace, trace_process(trace, number))
                   : trace_thread_sort_index(trace, trace_thread(trace, number));
}

struct track_rank track_order_rank(enum track_order order, bool process, struct trace *trace,
                                   const struct track_lives *lives, uint32_t number,
                                   uint32_t *cost) {
    /* the greatest comes first */
    bool sums = order != ORDER_BY_START,
         indexed = order == ORDER_BY_FILE || order == ORDER_BY_INTEREST;
    struct track_rank rank = {0};
    size_t n = 1;
    const uint32_t *threads = &number;
    *cost = 2;
    if (indexed)
        rank.first = index_of(process, trace, number);
    if (order == ORDER_BY_FILE)
        return rank;
    if (process)
        threads = trace_process_threads(trace_process(trace, number), &n);
    int64_t value = sums ? 0 : INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int64_t t = time_of(order, &lives->v.v[threads[i]]);
        if (sums)
            value = units_sum(value, t);
        else if (t < value)
            value = t;
    }
    if (!process && order == ORDER_BY_INTEREST)
        value = trace_thread_place(lives->v.v[number].single, value);
    *cost = n < UINT32_MAX / 2 ? 2 + (uint32_t)n : UINT32_MAX;
    *(indexed ? &rank.second : &rank.first) = sums ? ~value : value;
    return rank;
}
