/* overview_events.c - the parts are the threads, the counters, the groups of async operations, and
 * the log. Each column costs a search. */
#include "ui/timeline/overview_events.h"

#include "src/base/lower_bound.h"

typedef size_t count_before(struct trace *trace, size_t of, int64_t t);

static size_t instants_before(struct trace *trace, size_t of, int64_t t) {
    size_t n, at = 0;
    const struct instant *v = trace_instants(trace_thread(trace, of), &n);
    lower_bound(at, n, i, v[i].time < t);
    return at;
}

static size_t samples_before(struct trace *trace, size_t of, int64_t t) {
    return counter_from(counter_series(trace_counters(trace), of), t);
}

static size_t operations_before(struct trace *trace, size_t of, int64_t t) {
    const struct async_group *group = async_group(trace_async(trace), of);
    size_t at = 0;
    lower_bound(at, async_instant_count(group), i, async_instant(group, i)->at.time < t);
    for (uint32_t row = 0; row < async_group_rows(group); row++)
        at += lane_from(async_group_row(group, row), t);
    return at;
}

static size_t logs_before(struct trace *trace, size_t of, int64_t t) {
    size_t n, at = 0;
    const struct occurrence *v = trace_logs(trace, &n);
    lower_bound(at, n, i, v[i].at.time < t);
    return at + of;
}

static size_t threads(struct trace *trace) {
    return trace_thread_count(trace);
}

static size_t counters(struct trace *trace) {
    return counter_series_count(trace_counters(trace));
}

static size_t groups(struct trace *trace) {
    return async_group_count(trace_async(trace));
}

static size_t logs(struct trace *trace) {
    return trace_log_count(trace) > 0;
}

static const struct kind {
    size_t (*parts)(struct trace *trace);
    count_before *before;
} kinds[] = {
    {threads, instants_before},
    {counters, samples_before},
    {groups, operations_before},
    {logs, logs_before},
};

/* The kind of part `i`, which becomes its number within that kind. NULL: there is no such part. */
static const struct kind *kind_of(struct trace *trace, size_t *i) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = kinds[k].parts(trace);
        if (*i < n)
            return &kinds[k];
        *i -= n;
    }
    return NULL;
}

bool overview_events_add(struct trace *trace, size_t *next, const int64_t *edges, int columns,
                         double *sums, struct task *task) {
    const struct kind *kind;
    for (size_t of = *next; (kind = kind_of(trace, &of)) != NULL; of = ++*next) {
        if (task_over(task))
            return false;
        size_t before = kind->before(trace, of, edges[0]);
        for (int c = 0; c < columns; c++) {
            size_t after = kind->before(trace, of, edges[c + 1]);
            sums[c] += (double)(after - before);
            before = after;
        }
        task_spend(task, (uint32_t)columns);
    }
    return true;
}
