/* nest_enclosing.c - which slice is the innermost around a time, if slices overlap.
 *
 * The index is an array of all slices by begin, then by nesting order, with a pyramid of the
 * greatest ends: level 0 holds the ends, each further level the greatest of FAN entries of the
 * level below. The answer for t is the last slice that begins at t. Without one it is the last
 * slice that begins before t and ends after it: the pyramid finds it in O(log n). */
#include "model/nest/nest_enclosing.h"

#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/lower_bound.h"

#define FAN 16u
#define LEVELS 8 /* FAN to the power of LEVELS is more than there are */
#define NONE UINT32_MAX
#define ROWS_SCANNED 64 /* so many rows are asked one by one, without an index */

struct nest_enclosing_slice {
    int64_t start;
    uint32_t row, i;
    uint32_t rank; /* in nesting order: the last of slices that begin together is the innermost */
};

struct nest_enclosing {
    uint32_t n;
    struct nest_enclosing_slice *v; /* by start, then by rank */
    int64_t *most[LEVELS];          /* pyramid of ends */
};

/* A slice in the tree: siblings are in the order of their begins, then of their records. */
struct node {
    int64_t start;
    uint64_t offset;
    uint32_t row, i;
    uint32_t parent, first, next; /* nodes, n is the thread itself; or NONE */
};

static int by_begin(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_start(const void *a, const void *b) {
    const struct nest_enclosing_slice *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* All slices, row by row, and the thread as the last node; a parent is on a row above [N2]. */
static struct node *nodes(const struct nest *nest, const struct slice_extra *extra, uint32_t n) {
    struct node *v = err_malloc((n + (size_t)1) * sizeof *v);
    uint32_t *row_start = err_malloc((nest->nlanes + (size_t)1) * sizeof *row_start), at = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        row_start[row] = at;
        for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
            const struct slice *s = lane_at(&nest->lanes[row], i);
            uint32_t prow, p;
            bool inside = nest_parent(nest, extra, row, i, &prow, &p);
            v[at++] = (struct node){
                s->start, slice_offset(s), row, i, inside ? row_start[prow] + p : n, NONE, NONE};
        }
    }
    v[n] = (struct node){.parent = NONE, .first = NONE, .next = NONE};
    free(row_start);
    return v;
}

/* Ranks the slices in the order of the tree, each before the slices inside it. */
static void number(struct nest_enclosing *index, struct node *v) {
    uint32_t n = index->n, rank = 0;
    struct node **order = err_malloc((n + (size_t)1) * sizeof *order);
    for (uint32_t k = 0; k < n; k++)
        order[k] = &v[k];
    qsort(order, n, sizeof *order, by_begin);
    for (uint32_t k = n; k-- > 0;) {
        struct node *parent = &v[order[k]->parent];
        order[k]->next = parent->first;
        parent->first = (uint32_t)(order[k] - v);
    }
    free(order);
    for (uint32_t k = v[n].first; k != NONE;) {
        index->v[rank] = (struct nest_enclosing_slice){v[k].start, v[k].row, v[k].i, rank};
        rank++;
        uint32_t to = v[k].first;
        while (to == NONE && k != n) {
            to = v[k].next;
            k = v[k].parent;
        }
        k = to;
    }
}

struct nest_enclosing *nest_enclosing_new(const struct nest *nest,
                                          const struct slice_extra *extra) {
    struct nest_enclosing *index = err_calloc(1, sizeof *index);
    for (uint32_t row = 0; row < nest->nlanes; row++)
        index->n += nest->lanes[row].n;
    uint32_t n = index->n;
    index->v = err_malloc((n + (size_t)1) * sizeof *index->v);
    struct node *v = nodes(nest, extra, n);
    number(index, v);
    free(v);
    qsort(index->v, n, sizeof *index->v, by_start);
    int64_t *ends = index->most[0] = err_malloc((n + (size_t)1) * sizeof *ends);
    for (uint32_t k = 0; k < n; k++)
        ends[k] = slice_end(lane_at(&nest->lanes[index->v[k].row], index->v[k].i));
    for (int level = 1; n > FAN; level++) {
        const int64_t *below = index->most[level - 1];
        int64_t *most = index->most[level] = err_malloc((n / FAN + (size_t)1) * sizeof *most);
        for (uint32_t k = 0; k < n; k++)
            most[k / FAN] = k % FAN == 0 || below[k] > most[k / FAN] ? below[k] : most[k / FAN];
        n = (n - 1) / FAN + 1;
    }
    return index;
}

void nest_enclosing_free(struct nest_enclosing *index) {
    if (index == NULL)
        return;
    for (int level = 0; level < LEVELS; level++)
        free(index->most[level]);
    free(index->v);
    free(index);
}

/* The largest index <= k whose end is after t, or NONE. To the left of a group of FAN it looks one
 * level up. */
static uint32_t last_after(const struct nest_enclosing *index, uint32_t k, int64_t t) {
    int level = 0;
    for (;; level++) {
        uint32_t group = k / FAN;
        while (index->most[level][k] <= t && k > group * FAN)
            k--;
        if (index->most[level][k] > t)
            break;
        if (group == 0)
            return NONE;
        k = group - 1;
    }
    while (level-- > 0) {
        k = k * FAN + FAN - 1;
        while (index->most[level][k] <= t)
            k--;
    }
    return k;
}

bool nest_enclosing_at(const struct nest_enclosing *index, int64_t t, uint32_t *row, uint32_t *i) {
    uint32_t begun = 0; /* slices that begin at t or before */
    lower_bound(begun, index->n, k, index->v[k].start <= t);
    if (begun == 0)
        return false;
    uint32_t k = begun - 1;
    if (index->v[k].start != t)
        k = last_after(index, k, t);
    if (k == NONE)
        return false;
    *row = index->v[k].row;
    *i = index->v[k].i;
    return true;
}

bool nest_enclosing_prepare(struct nest_enclosing_cache *cache, const struct nest *nest,
                            const struct slice_extra *extra) {
    if (nest->displaced == 0 || nest->nlanes <= ROWS_SCANNED)
        return false;
    if (cache->index == NULL || cache->version != nest->version) {
        nest_enclosing_cache_free(cache);
        *cache = (struct nest_enclosing_cache){nest_enclosing_new(nest, extra), nest->version};
    }
    return true;
}

bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest,
                         const struct slice_extra *extra, int64_t t, uint32_t *row, uint32_t *i) {
    return nest_enclosing_prepare(cache, nest, extra) ? nest_enclosing_at(cache->index, t, row, i)
                                                      : nest_at(nest, extra, t, row, i);
}

void nest_enclosing_cache_free(struct nest_enclosing_cache *cache) {
    nest_enclosing_free(cache->index);
    *cache = (struct nest_enclosing_cache){0};
}
