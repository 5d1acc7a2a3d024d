#include "model/store/time_log.h"

#include <stdlib.h>

static const struct moment *at(const void *v, size_t i, size_t size) {
    return (const void *)((const char *)v + i * size);
}

static int order(const void *a, const void *b) {
    const struct moment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool sorted(const void *v, size_t from, size_t n, size_t size) {
    for (size_t i = from + 1; i < n; i++)
        if (order(at(v, i - 1, size), at(v, i, size)) > 0)
            return false;
    return true;
}

void time_log_sort(void *v, size_t n, size_t size) {
    if (!sorted(v, 0, n, size))
        qsort(v, n, size, order);
}

bool time_log_next(struct time_log *c, void *v, size_t n, size_t size, bool all, size_t *from) {
    bool wait = !all && n < 2 * c->behind;
    if (all)
        c->settled = n;
    if (c->done == n || (c->late && wait))
        return false;
    size_t first = c->done;
    if (first > 0 && !sorted(v, first - 1, n, size)) {
        char *fresh = (char *)v + first * size;
        if (!sorted(v, first, n, size))
            qsort(fresh, n - first, size, order);
        if (order(at(v, first - 1, size), at(v, first, size)) > 0)
            first = 0;
    } else if (first == 0) {
        time_log_sort(v, n, size);
    }
    if (first == 0 && c->done > 0) {
        c->late = c->waits = wait;
        if (wait)
            return false;
        qsort(v, n, size, order);
    }
    if (first == 0)
        c->behind = n;
    c->late = c->waits = false;
    c->last = at(v, n - 1, size)->time;
    c->done = n;
    *from = first;
    return true;
}
