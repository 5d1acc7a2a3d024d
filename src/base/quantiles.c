/* quantiles.c - sorted values, and their quantiles and ranks. */
#include "src/base/quantiles.h"

#include "src/base/lower_bound.h"
#include "src/base/sort.h"

static int by_value(const void *a, const void *b) {
    const struct quantiles_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

bool quantiles_sort(struct quantiles *s, struct task *task) {
    s->sorted = s->sorted || sort_items(task, s->v.v, s->v.n, sizeof *s->v.v, by_value);
    return s->sorted;
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
    vec_free(&s->v);
    *s = (struct quantiles){0};
}
