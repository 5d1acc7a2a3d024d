/* track_order.c - the values by which track_sort.c sorts processes, and the threads of a process.
 *
 * The order of the file is that of the writer's sort indexes, if it has any. */
#include "ui/timeline/list/track_order.h"

#include "src/base/units.h"

const char *track_order_name(enum track_order order) {
    static const char *const names[ORDERS] = {"by file", "by start", "by name", "by CPU time",
                                              "by covered time"};
    return names[order];
}

/* The time that a thread is sorted by, or its sort index. */
static int64_t time_of(enum track_order order, struct trace *trace, const struct track_lives *lives,
                       uint32_t thread) {
    const struct track_life *life = &lives->v.v[thread];
    if (order == ORDER_BY_FILE)
        return trace_thread_sort_index(trace, trace_thread(trace, thread));
    if (order == ORDER_BY_START)
        return life->known ? life->begin : INT64_MAX;
    return order == ORDER_BY_CPU_TIME ? life->cpu_time : life->covered;
}

int64_t track_order_value(enum track_order order, bool process, struct trace *trace,
                          const struct track_lives *lives, uint32_t number, uint32_t *cost) {
    /* the greatest comes first */
    bool sums = order == ORDER_BY_CPU_TIME || order == ORDER_BY_COVERED;
    size_t n = 1;
    const uint32_t *threads = &number;
    if (process && order == ORDER_BY_FILE)
        return trace_process_sort_index(trace, trace_process(trace, number));
    if (process)
        threads = trace_process_threads(trace_process(trace, number), &n);
    int64_t value = sums ? 0 : INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int64_t t = time_of(order, trace, lives, threads[i]);
        if (sums)
            value = units_sum(value, t);
        else if (t < value)
            value = t;
    }
    *cost = n < UINT32_MAX / 2 ? 2 + (uint32_t)n : UINT32_MAX;
    return sums ? ~value : value;
}
