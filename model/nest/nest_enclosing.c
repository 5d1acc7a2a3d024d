#include "model/nest/nest_enclosing.h"

#include <stdlib.h>

#include "src/base/err.h"

#define FAN 16u
#define LEVELS 8 /* FAN to the power of LEVELS is more than there are */
#define NONE UINT32_MAX
#define ROWS_SCANNED 64 /* so many rows are asked one by one, without an index */

struct nest_enclosing_slice {
    int64_t start;
    uint32_t row, i;
    uint32_t rank; /* in nesting order: of those that begin together the last is the innermost */
};

struct nest_enclosing {
    uint32_t n;
    struct nest_enclosing_slice *v; /* by start, then by rank */
    int64_t *most[LEVELS];  /* ends; the greatest of FAN of them; of FAN of those ... */
};

/* A slice while its rank is looked for: siblings are in the order of their begins, then of their records. */
struct node {
    int64_t start;
    uint64_t offset;
    uint32_t row, i;
    uint32_t parent, first, next; /* n: the thread; NONE */
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

/* All slices, row by row, and the thread as the last; a parent stands on a row above. */
static struct node *nodes(const struct nest *nest, const struct slice_extra *extra, uint32_t n) {
    struct node *v = err_malloc((n + (size_t)1) * sizeof *v);
    uint32_t *row_start = err_malloc((nest->nlanes + (size_t)1) * sizeof *row_start), at = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        row_start[row] = at;
        for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
            const struct slice *s = lane_at(&nest->lanes[row], i);
            uint32_t prow, p;
            bool inside = nest_parent(nest, extra, row, i, &prow, &p);
            v[at++] = (struct node){s->start, slice_offset(s), row, i, inside ? row_start[prow] + p : n, NONE, NONE};
        }
    }
    v[n] = (struct node){.parent = NONE, .first = NONE, .next = NONE};
    free(row_start);
    return v;
}

/* The slices in the order of a walk over the tree, each before what is inside it. */
static void number(struct nest_enclosing *around, struct node *v) {
    uint32_t n = around->n, rank = 0;
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
        around->v[rank] = (struct nest_enclosing_slice){v[k].start, v[k].row, v[k].i, rank};
        rank++;
        uint32_t to = v[k].first;
        while (to == NONE && k != n) {
            to = v[k].next;
            k = v[k].parent;
        }
        k = to;
    }
}

struct nest_enclosing *nest_enclosing_new(const struct nest *nest, const struct slice_extra *extra) {
    struct nest_enclosing *around = err_calloc(1, sizeof *around);
    for (uint32_t row = 0; row < nest->nlanes; row++)
        around->n += nest->lanes[row].n;
    uint32_t n = around->n;
    around->v = err_malloc((n + (size_t)1) * sizeof *around->v);
    struct node *v = nodes(nest, extra, n);
    number(around, v);
    free(v);
    qsort(around->v, n, sizeof *around->v, by_start);
    int64_t *ends = around->most[0] = err_malloc((n + (size_t)1) * sizeof *ends);
    for (uint32_t k = 0; k < n; k++)
        ends[k] = slice_end(lane_at(&nest->lanes[around->v[k].row], around->v[k].i));
    for (int level = 1; n > FAN; level++) {
        const int64_t *below = around->most[level - 1];
        int64_t *most = around->most[level] = err_malloc((n / FAN + (size_t)1) * sizeof *most);
        for (uint32_t k = 0; k < n; k++)
            most[k / FAN] = k % FAN == 0 || below[k] > most[k / FAN] ? below[k] : most[k / FAN];
        n = (n - 1) / FAN + 1;
    }
    return around;
}

void nest_enclosing_free(struct nest_enclosing *around) {
    if (around == NULL)
        return;
    for (int level = 0; level < LEVELS; level++)
        free(around->most[level]);
    free(around->v);
    free(around);
}

/* The last of the first k + 1 that ends behind t; NONE. What lies left of a group of FAN is asked a level up. */
static uint32_t last_behind(const struct nest_enclosing *around, uint32_t k, int64_t t) {
    int level = 0;
    for (;; level++) {
        uint32_t group = k / FAN;
        while (around->most[level][k] <= t && k > group * FAN)
            k--;
        if (around->most[level][k] > t)
            break;
        if (group == 0)
            return NONE;
        k = group - 1;
    }
    while (level-- > 0) {
        k = k * FAN + FAN - 1;
        while (around->most[level][k] <= t)
            k--;
    }
    return k;
}

bool nest_enclosing_at(const struct nest_enclosing *around, int64_t t, uint32_t *row, uint32_t *i) {
    uint32_t lo = 0, hi = around->n; /* how many begin at t or before */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (around->v[mid].start <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return false;
    uint32_t k = lo - 1;
    if (around->v[k].start != t)
        k = last_behind(around, k, t);
    if (k == NONE)
        return false;
    *row = around->v[k].row;
    *i = around->v[k].i;
    return true;
}

bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest, const struct slice_extra *extra,
                         int64_t t, uint32_t *row, uint32_t *i) {
    if (nest->displaced == 0 || nest->nlanes <= ROWS_SCANNED)
        return nest_at(nest, extra, t, row, i);
    if (cache->index == NULL || cache->version != nest->version) {
        nest_enclosing_cache_free(cache);
        *cache = (struct nest_enclosing_cache){nest_enclosing_new(nest, extra), nest->version};
    }
    return nest_enclosing_at(cache->index, t, row, i);
}

void nest_enclosing_cache_free(struct nest_enclosing_cache *cache) {
    nest_enclosing_free(cache->index);
    *cache = (struct nest_enclosing_cache){0};
}
