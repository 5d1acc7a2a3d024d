/* sort.c - a merge sort: runs are sorted by insertion, then neighbours are merged into the other
 * array, pass by pass.
 *
 * Neighbours that are in order already are copied as they are. Items that are sorted are only
 * compared. */
#include "src/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/discard.h"
#include "src/base/err.h"
#include "src/base/lower_bound.h"

#define RUN 8
#define LOOK 64 /* items between two looks at the clock */
#define UNITS 2 /* of an item: a comparison and a copy */

struct runs {
    char *from, *to; /* the latest pass, and the one that is made */
    size_t n, size;
    sort_order *order;
};

static inline void copy_item(char *to, const char *from, size_t size) {
    if (size == 24) /* entries of logs: inlined */
        memcpy(to, from, 24);
    else
        memcpy(to, from, size);
}

/* Sets *sorted; false: cancelled. */
static bool look(struct task *task, const struct runs *r, bool *sorted) {
    size_t i = 1;
    while (i < r->n && r->order(r->from + (i - 1) * r->size, r->from + i * r->size) <= 0)
        if (i++ % LOOK == 0 && !task_spend(task, LOOK))
            return false;
    *sorted = i >= r->n;
    return true;
}

static void sort_run(const struct runs *r, size_t first, size_t end, char *item) {
    for (size_t i = first + 1; i < end; i++) {
        size_t k = i - 1;
        if (r->order(r->from + k * r->size, r->from + i * r->size) <= 0)
            continue;
        memcpy(item, r->from + i * r->size, r->size);
        while (k > first && r->order(r->from + (k - 1) * r->size, item) > 0)
            k--;
        memmove(r->from + (k + 1) * r->size, r->from + k * r->size, (i - k) * r->size);
        memcpy(r->from + k * r->size, item, r->size);
    }
}

static bool make_runs(struct task *task, const struct runs *r) {
    char *item = err_malloc(r->size);
    bool going = true;
    for (size_t i = 0; i < r->n && going; i += RUN) {
        sort_run(r, i, i + RUN < r->n ? i + RUN : r->n, item);
        going = task_spend(task, RUN * (RUN / 2 + UNITS));
    }
    free(item);
    return going;
}

/* Copies the items from `first` to `end` of the latest pass to the place `at` of the next one. */
static bool copy(struct task *task, const struct runs *r, size_t at, size_t first, size_t end) {
    for (size_t n; first < end; first += n, at += n) {
        n = end - first < LOOK ? end - first : LOOK;
        memcpy(r->to + at * r->size, r->from + first * r->size, n * r->size);
        if (!task_spend(task, LOOK / 8))
            return false;
    }
    return true;
}

static bool merge(struct task *task, const struct runs *r, size_t first, size_t middle,
                  size_t end) {
    if (middle >= end ||
        r->order(r->from + (middle - 1) * r->size, r->from + middle * r->size) <= 0)
        return copy(task, r, first, first, end);
    size_t i = first, k = middle, at;
    /* those on the left that stay before: mostly nearly all, as few items are late, by little */
    lower_bound(i, middle, x, r->order(r->from + x * r->size, r->from + middle * r->size) <= 0);
    if (!task_spend(task, 2 * RUN) || !copy(task, r, first, first, i))
        return false;
    at = i;
    for (; i < middle && k < end; at++) {
        const char *left = r->from + i * r->size, *right = r->from + k * r->size;
        bool is_left = r->order(left, right) <= 0;
        copy_item(r->to + at * r->size, is_left ? left : right, r->size);
        i += is_left;
        k += !is_left;
        if (at % LOOK == 0 && !task_spend(task, LOOK * UNITS))
            return false;
    }
    return copy(task, r, at, i, middle) && copy(task, r, at + (middle - i), k, end);
}

static bool merge_all(struct task *task, struct runs *r) {
    for (size_t width = RUN; width < r->n; width *= 2) {
        for (size_t i = 0; i < r->n; i += 2 * width) {
            size_t middle = i + width < r->n ? i + width : r->n,
                   end = middle + width < r->n ? middle + width : r->n;
            if (!merge(task, r, i, middle, end))
                return false;
        }
        char *merged = r->to;
        r->to = r->from;
        r->from = merged;
    }
    return true;
}

bool sort_items(struct task *task, void *v, size_t n, size_t size, sort_order *order) {
    struct runs r = {v, NULL, n, size, order};
    bool sorted;
    if (!look(task, &r, &sorted) || sorted)
        return !task_over(task);
    char *other = r.to = err_malloc(n * size);
    bool done = make_runs(task, &r) && merge_all(task, &r);
    if (r.from != v && !(done && copy(task, &r, 0, 0, n))) {
        memcpy(v, r.from, n * size); /* each item once: its owner may have to free it */
        done = false;
    }
    discard_memory(other, n * size);
    return done;
}
