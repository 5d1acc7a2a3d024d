/* track_order.c - sorts processes, and the threads of a process, for the list of tracks.
 *
 * The value that an order compares is computed once for each of them. Equal ones stay as they are in the file. */
#include "ui/timeline/list/track_order.h"

#include <string.h>

#include "src/base/units.h"

const char *track_order_name(enum track_order order) {
    static const char *const names[TRACK_ORDERS] = {"by file", "by start", "by name", "by CPU time", "by covered time"};
    return names[order];
}

struct entry { /* a process or a thread to be sorted */
    uint32_t place;
    int64_t first;
    int64_t busy; /* by order: CPU time or covered time of its threads, saturated */
    struct str name;
    char buf[40];
};

static int by_start(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_busy(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_name(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int c = n > 0 ? memcmp(x->name.s, y->name.s, n) : 0;
    if (c != 0 || x->name.n != y->name.n)
        return c != 0 ? c : x->name.n < y->name.n ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts the entries, and fills v[0..n) with their places. */
static void put_in_order(enum track_order order, struct entry *entries, size_t n, uint32_t *v) {
    static int (*const orders[])(const void *, const void *) = {NULL, by_start, by_name, by_busy, by_busy};
    struct entry **sorted = err_malloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &entries[i];
    if (order != ORDER_BY_FILE)
        qsort(sorted, n, sizeof *sorted, orders[order]);
    for (size_t i = 0; i < n; i++)
        v[i] = sorted[i]->place;
    free(sorted);
}

static int64_t busy_time(enum track_order order, const struct track_life *life) {
    return order == ORDER_BY_CPU_TIME ? life->cpu_time : order == ORDER_BY_COVERED ? life->covered : 0;
}

static void name_entry(struct trace *trace, struct entry *e, bool process) {
    bool named;
    e->name = process ? trace_process_name(trace, trace_process(trace, e->place), e->buf, &named)
                      : trace_thread_name(trace, trace_thread(trace, e->place), e->buf, &named);
}

void track_order_threads(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                         size_t n) {
    if (order == ORDER_BY_FILE)
        return;
    struct entry *entries = err_calloc(n + 1, sizeof *entries);
    for (size_t i = 0; i < n; i++) {
        const struct track_life *life = &lives->v.v[v[i]];
        entries[i].place = v[i];
        entries[i].first = life->known ? life->begin : INT64_MAX;
        entries[i].busy = busy_time(order, life);
        if (order == ORDER_BY_NAME)
            name_entry(trace, &entries[i], false);
    }
    put_in_order(order, entries, n, v);
    free(entries);
}

void track_order_processes(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                           size_t n) {
    for (size_t i = 0; i < n; i++)
        v[i] = (uint32_t)i;
    if (order == ORDER_BY_FILE)
        return;
    struct entry *entries = err_calloc(n + 1, sizeof *entries);
    for (size_t i = 0; i < n; i++) {
        size_t threads;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, i), &threads);
        entries[i].place = (uint32_t)i;
        entries[i].first = INT64_MAX;
        for (size_t k = 0; k < threads; k++) {
            const struct track_life *life = &lives->v.v[numbers[k]];
            if (life->known && life->begin < entries[i].first)
                entries[i].first = life->begin;
            entries[i].busy = units_sum(entries[i].busy, busy_time(order, life));
        }
        if (order == ORDER_BY_NAME)
            name_entry(trace, &entries[i], true);
    }
    put_in_order(order, entries, n, v);
    free(entries);
}
