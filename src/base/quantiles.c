/* quantiles.c - sorts values in steps.
 *
 * Blocks of 512 values are sorted by qsort(). Then passes merge pairs of sorted runs into a second
 * array, and the arrays change places after each pass. Between two calls the state is the pass
 * (run), the pair (at) and the place in it (i, j). */
#include "src/base/quantiles.h"

#include "src/base/lower_bound.h"

#define BLOCK 512  /* sorted at once */
#define CHEAP 16   /* values compared within a block for a unit of the budget */
#define MOVED 4    /* values merged for one */
#define MERGED 256 /* values merged between two looks at the budget */

static int by_value(const void *a, const void *b) {
    const struct quantiles_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorts each block; false: not all yet. */
static bool sort_blocks(struct quantiles *s, struct budget *budget) {
    for (; s->at < s->v.n; s->at += BLOCK) {
        size_t n = s->v.n - s->at < BLOCK ? s->v.n - s->at : BLOCK;
        if (!budget_left(budget))
            return false;
        qsort(s->v.v + s->at, n, sizeof *s->v.v, by_value);
        budget_spend(budget, 1 + (uint32_t)n * 10 / CHEAP); /* a value is compared about 10 times */
    }
    s->run = BLOCK;
    s->at = s->i = s->j = 0;
    return true;
}

/* Merges the pair of runs at s->at into the other array, from where it stopped; false: not all of
 * it yet. */
static bool merge_pair(struct quantiles *s, struct budget *budget) {
    size_t n = s->v.n, middle = n - s->at < s->run ? n : s->at + s->run;
    size_t end = n - middle < s->run ? n : middle + s->run;
    while (s->at + s->i + s->j < end) {
        if (!budget_left(budget))
            return false;
        for (unsigned k = 0; k < MERGED && s->at + s->i + s->j < end; k++) {
            size_t x = s->at + s->i, y = middle + s->j;
            bool first = y >= end || (x < middle && by_value(&s->v.v[x], &s->v.v[y]) <= 0);
            s->other[x + s->j] = s->v.v[first ? x : y];
            s->i += first;
            s->j += !first;
        }
        budget_spend(budget, MERGED / MOVED);
    }
    s->at = end;
    s->i = s->j = 0;
    return true;
}

bool quantiles_step(struct quantiles *s, struct budget *budget) {
    if (!s->sorted && s->run == 0) {
        free(s->other); /* values were added in the midst of a merge */
        s->other = NULL;
        if (!sort_blocks(s, budget))
            return false;
    }
    while (!s->sorted && s->run < s->v.n) {
        if (s->other == NULL)
            s->other = err_malloc(s->v.cap * sizeof *s->other);
        while (s->at < s->v.n)
            if (!merge_pair(s, budget))
                return false;
        struct quantiles_value *merged = s->other;
        s->other = s->v.v;
        s->v.v = merged;
        s->run *= 2;
        s->at = 0;
    }
    free(s->other);
    s->other = NULL;
    s->sorted = true;
    return true;
}

bool quantiles_sort(struct quantiles *s, struct task *task) {
    return quantiles_step(s, task ? task_budget(task) : BUDGET_ENDLESS);
}

const unsigned quantiles_shown[4] = {500, 950, 990, 1000};

int64_t quantiles_at(const struct quantiles *s, unsigned thousandths) {
    if (s->v.n == 0)
        return 0;
    size_t rank = (size_t)(((uint64_t)s->v.n * thousandths + 999) / 1000);
    return s->v.v[rank > 0 ? rank - 1 : 0].value;
}

size_t quantiles_below(const struct quantiles *s, int64_t value) {
    size_t at = 0;
    lower_bound(at, s->v.n, i, s->v.v[i].value < value);
    return at;
}

size_t quantiles_rank(const struct quantiles *s, int64_t value) {
    return value == INT64_MAX ? 1 : s->v.n - quantiles_below(s, value + 1) + 1;
}

bool quantiles_share(const struct quantiles *s, int64_t value, unsigned *thousandths) {
    if (s->v.n < 2)
        return false;
    *thousandths = (unsigned)((uint64_t)quantiles_below(s, value) * 1000 / (s->v.n - 1));
    return true;
}

bool quantiles_slow(const struct quantiles *s, int64_t value) {
    return s->v.n >= QUANTILES_USUAL && value > quantiles_at(s, 950);
}

bool quantiles_fast(const struct quantiles *s, int64_t value) {
    return s->v.n >= QUANTILES_USUAL && value < quantiles_at(s, 50);
}

void quantiles_free(struct quantiles *s) {
    free(s->other);
    vec_free(&s->v);
    *s = (struct quantiles){0};
}
