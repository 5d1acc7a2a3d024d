/* track_order.c - sorts processes, and the threads of a process, for the list of tracks.
 *
 * The value that an order compares is computed once for each of them. Equal ones stay as they are in the file. The order
 * of the file is that of the writer's sort indexes, if it has any. */
#include "ui/timeline/list/track_order.h"

#include <string.h>

#include "src/base/units.h"

const char *track_order_name(enum track_order order) {
    static const char *const names[TRACK_ORDERS] = {"by file", "by start", "by name", "by CPU time", "by covered time"};
    return names[order];
}

struct entry { /* a process or a thread to be sorted by a time: the earlier first, or the longer */
    int64_t time;
    uint32_t place;
};

struct named { /* to be sorted by its name */
    uint32_t place;
    struct str name;
    char buf[40];
};

struct name_key {
    uint64_t start; /* the first bytes of the name as a number, which mostly decides */
    const struct named *named;
};

static int by_start(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_busy(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static uint64_t name_start(struct str name) {
    uint64_t start = 0;
    for (size_t i = 0; i < sizeof start; i++)
        start = start << 8 | (i < name.n ? (unsigned char)name.s[i] : 0);
    return start;
}

static int by_name(const void *a, const void *b) {
    const struct name_key *k = a, *l = b;
    const struct named *x = k->named, *y = l->named;
    if (k->start != l->start)
        return k->start < l->start ? -1 : 1;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int c = n > sizeof k->start ? memcmp(x->name.s, y->name.s, n) : 0;
    if (c != 0 || x->name.n != y->name.n)
        return c != 0 ? c : x->name.n < y->name.n ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool is_sorted(const struct entry *v, size_t n, int (*order)(const void *, const void *)) {
    for (size_t i = 1; i < n; i++)
        if (order(&v[i - 1], &v[i]) > 0)
            return false;
    return true;
}

/* Sorts the entries by their times, and fills v[0..n) with their places. Many lists are in order as they are. */
static void put_in_order(enum track_order order, struct entry *entries, size_t n, uint32_t *v) {
    int (*by)(const void *, const void *) = order == ORDER_BY_START || order == ORDER_BY_FILE ? by_start : by_busy;
    if (!is_sorted(entries, n, by))
        qsort(entries, n, sizeof *entries, by);
    for (size_t i = 0; i < n; i++)
        v[i] = entries[i].place;
}

/* Sorts v[0..n), numbers of processes or of threads, by name. */
static void put_in_order_of_names(struct trace *trace, bool processes, uint32_t *v, size_t n) {
    struct named *entries = err_malloc((n + 1) * sizeof *entries);
    struct name_key *keys = err_malloc((n + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        bool named;
        struct named *e = &entries[i];
        e->place = v[i];
        e->name = processes ? trace_process_name(trace, trace_process(trace, e->place), e->buf, &named)
                            : trace_thread_name(trace, trace_thread(trace, e->place), e->buf, &named);
        keys[i] = (struct name_key){name_start(e->name), e};
    }
    qsort(keys, n, sizeof *keys, by_name);
    for (size_t i = 0; i < n; i++)
        v[i] = keys[i].named->place;
    free(keys);
    free(entries);
}

/* The time that a thread is sorted by, or its sort index. */
static int64_t time_of(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t thread) {
    const struct track_life *life = &lives->v.v[thread];
    if (order == ORDER_BY_FILE)
        return trace_thread_sort_index(trace, trace_thread(trace, thread));
    if (order == ORDER_BY_START)
        return life->known ? life->begin : INT64_MAX;
    return order == ORDER_BY_CPU_TIME ? life->cpu_time : life->covered;
}

void track_order_threads(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                         size_t n) {
    if (n < 2 || (order == ORDER_BY_FILE && !trace_has_sort_index(trace)))
        return;
    if (order == ORDER_BY_NAME) {
        put_in_order_of_names(trace, false, v, n);
        return;
    }
    struct entry *entries = err_malloc(n * sizeof *entries);
    for (size_t i = 0; i < n; i++)
        entries[i] = (struct entry){time_of(order, trace, lives, v[i]), v[i]};
    put_in_order(order, entries, n, v);
    free(entries);
}

void track_order_processes(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                           size_t n) {
    for (size_t i = 0; i < n; i++)
        v[i] = (uint32_t)i;
    if (n < 2 || (order == ORDER_BY_FILE && !trace_has_sort_index(trace)))
        return;
    if (order == ORDER_BY_NAME) {
        put_in_order_of_names(trace, true, v, n);
        return;
    }
    struct entry *entries = err_malloc(n * sizeof *entries);
    for (size_t i = 0; i < n; i++) {
        size_t threads;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, i), &threads);
        int64_t time = order == ORDER_BY_START ? INT64_MAX : 0;
        if (order == ORDER_BY_FILE) {
            time = trace_process_sort_index(trace, trace_process(trace, i));
            threads = 0;
        }
        for (size_t k = 0; k < threads; k++) {
            int64_t t = time_of(order, trace, lives, numbers[k]);
            time = order != ORDER_BY_START ? units_sum(time, t) : t < time ? t : time;
        }
        entries[i] = (struct entry){time, (uint32_t)i};
    }
    put_in_order(order, entries, n, v);
    free(entries);
}
