/* sort.c - a stable sort in steps: a merge sort of pointers.
 *
 * Runs of RUN items are sorted by insertion, then pairs of runs are merged into another array, pass
 * by pass. In the end the items are copied in the order of the pointers. */
#include "model/query/stat/between/sort.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"

#define RUN 8
#define UNITS 4      /* of the budget: a comparison of two texts that are in no cache */
#define RUN_UNITS 64 /* about RUN^2 / 4 of these */

void sort_begin(struct sort *s, const void *v, size_t n, size_t size, sort_order *order) {
    sort_free(s);
    *s = (struct sort){.v = v, .n = n, .size = size, .order = order};
    s->from = err_malloc((n + 1) * sizeof *s->from);
    s->to = err_malloc((n + 1) * sizeof *s->to);
}

void sort_free(struct sort *s) {
    free(s->from);
    free(s->to);
    free(s->sorted);
    *s = (struct sort){.v = NULL};
}

/* ---- pointers ---- */

static void sort_run(struct sort *s, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const void *item = s->v + i * s->size;
        size_t k = i;
        for (; k > first && s->order(s->from[k - 1], item) > 0; k--)
            s->from[k] = s->from[k - 1];
        s->from[k] = item;
    }
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* False: the first runs are not all there. */
static bool make_runs(struct sort *s, struct budget *budget) {
    while (s->at < s->n) {
        size_t end = least(s->at + RUN, s->n);
        sort_run(s, s->at, end);
        s->at = end;
        if (!budget_spend(budget, RUN_UNITS) && s->at < s->n)
            return false;
    }
    return true;
}

/* False: not all pairs of runs are merged. */
static bool merge_runs(struct sort *s, struct budget *budget) {
    while (s->at < s->n) {
        size_t middle = least(s->at + s->width, s->n), end = least(middle + s->width, s->n);
        while (s->at + s->left < middle || middle + s->right < end) {
            size_t i = s->at + s->left, k = middle + s->right;
            bool first = i < middle && (k == end || s->order(s->from[i], s->from[k]) <= 0);
            s->to[i + s->right] = first ? s->from[i] : s->from[k];
            s->left += first;
            s->right += !first;
            if (!budget_spend(budget, UNITS))
                return false;
        }
        s->at = end;
        s->left = s->right = 0;
    }
    return true;
}

static bool sort_pointers(struct sort *s, struct budget *budget) {
    if (s->width == 0) {
        if (!make_runs(s, budget))
            return false;
        s->width = RUN;
        s->at = 0;
    }
    while (s->width < s->n) {
        if (!merge_runs(s, budget))
            return false;
        const void **merged = s->to;
        s->to = s->from;
        s->from = merged;
        s->width *= 2;
        s->at = 0;
    }
    return true;
}

/* ---- items ---- */

bool sort_step(struct sort *s, struct budget *budget) {
    if (s->n == 0)
        return true;
    if (s->sorted == NULL) {
        if (!sort_pointers(s, budget))
            return false;
        s->sorted = err_malloc(s->n * s->size);
        s->at = 0;
    }
    for (; s->at < s->n; s->at++) {
        if (!budget_left(budget))
            return false;
        memcpy(s->sorted + s->at * s->size, s->from[s->at], s->size);
        budget_spend(budget, UNITS);
    }
    return true;
}

void *sort_take(struct sort *s) {
    void *sorted = s->sorted;
    s->sorted = NULL;
    sort_free(s);
    return sorted;
}
