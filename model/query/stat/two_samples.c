/* two_samples.c - two lists of durations: sorted byte by byte, and merged.
 *
 * The merge counts for each duration of B how many of A are shorter, which is the U statistic, and
 * how many are equal. The ranks of an interval come from binomial probabilities, which are added up
 * from the lowest that still counts; that takes about twenty standard deviations. */
#include "model/query/stat/two_samples.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/err.h"

#define DIGITS 4   /* bytes of a key */
#define TAIL 0.005 /* beyond each end of an interval */
#define RARE 1e-18 /* probabilities that do not count */

struct keys { /* of the durations of a side */
    uint64_t n;
    uint32_t *v;
};

/* The least and the greatest of both lists; false: there are none. */
static bool bounds(const int64_t *const values[2], const uint64_t n[2], int64_t *least,
                   int64_t *most) {
    bool any = false;
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < n[k]; i++, any = true) {
            *least = !any || values[k][i] < *least ? values[k][i] : *least;
            *most = !any || values[k][i] > *most ? values[k][i] : *most;
        }
    return any;
}

/* ---- sorting ---- */

/* Sorts by one byte of the keys, into `to`; false: all have the same, so that nothing moves. */
static bool sort_by_byte(const struct keys *keys, unsigned shift, uint32_t *to) {
    uint64_t places[256] = {0}, sum = 0;
    for (uint64_t i = 0; i < keys->n; i++)
        places[keys->v[i] >> shift & 255]++;
    for (int b = 0; b < 256; b++) {
        uint64_t n = places[b];
        if (n == keys->n)
            return false;
        places[b] = sum;
        sum += n;
    }
    for (uint64_t i = 0; i < keys->n; i++)
        to[places[keys->v[i] >> shift & 255]++] = keys->v[i];
    return true;
}

static struct keys keys_of(const struct two_samples *s, const int64_t *values, uint64_t n) {
    struct keys keys = {n, err_calloc(n + 1, sizeof *keys.v)};
    uint32_t *other = err_calloc(n + 1, sizeof *other);
    for (uint64_t i = 0; i < n; i++)
        keys.v[i] = (uint32_t)(((uint64_t)values[i] - (uint64_t)s->least) >> s->shift);
    for (unsigned shift = 0; n > 0 && shift < DIGITS * 8; shift += 8)
        if (sort_by_byte(&keys, shift, other)) {
            uint32_t *sorted = other;
            other = keys.v;
            keys.v = sorted;
        }
    free(other);
    return keys;
}

/* ---- the answers ---- */

/* Probabilities of k successes of n at 99 %, from one to the next. */
static double next_of(double pmf, double k, double n) {
    return pmf * (n - k) / (k + 1) * 99;
}

void two_samples_ranks(uint64_t n, uint64_t *low, uint64_t *high) {
    double most = (double)n, k = floor((most + 1) * 0.99), pmf, sum = 0;
    *low = 0;
    *high = n + 1;
    if (n == 0)
        return;
    k = k > most ? most : k;
    pmf = exp(lgamma(most + 1) - lgamma(k + 1) - lgamma(most - k + 1) + k * log(0.99) +
              (most - k) * log(0.01));
    while (k > 0 && pmf > RARE) {
        pmf = pmf * k / (most - k + 1) / 99;
        k--;
    }
    while (k <= most) { /* sum: of fewer than k */
        if (sum <= TAIL)
            *low = (uint64_t)k;
        if (k > 0 && sum >= 1 - TAIL) {
            *high = (uint64_t)k;
            return;
        }
        sum += pmf;
        pmf = next_of(pmf, k, most);
        k++;
    }
}

static int64_t duration_at(const struct two_samples *s, const struct keys *keys, uint64_t rank) {
    return (int64_t)((uint64_t)s->least + ((uint64_t)keys->v[rank - 1] << s->shift));
}

static void bound(const struct two_samples *s, const struct keys *keys,
                  struct two_samples_side *side) {
    uint64_t low, high;
    two_samples_ranks(side->n, &low, &high);
    side->has_low = low > 0;
    side->has_high = high <= side->n;
    side->low = side->has_low ? duration_at(s, keys, low) : 0;
    side->high = side->has_high ? duration_at(s, keys, high) : 0;
}

double two_samples_least(uint64_t a, uint64_t b) {
    double x = (double)a, y = (double)b;
    if (a == 0 || b == 0)
        return 1;
    double least = 2 * exp(lgamma(x + 1) + lgamma(y + 1) - lgamma(x + y + 1));
    return least < 1 ? least : 1;
}

static void judge(struct two_samples *s) {
    double a = (double)s->side[0].n, b = (double)s->side[1].n, n = a + b;
    s->tested = a > 0 && b > 0;
    if (!s->tested)
        return;
    double variance = a * b / 12 * (n + 1 - s->ties / (n * (n - 1)));
    double far = fabs((double)s->twice_u / 2 - a * b / 2) - 0.5;
    s->p = variance <= 0 || far <= 0 ? 1 : erfc(far / sqrt(variance) / sqrt(2));
    s->p = fmax(s->p, two_samples_least(s->side[0].n, s->side[1].n));
}

static uint64_t equal_from(const struct keys *keys, uint64_t at, uint32_t key) {
    uint64_t end = at;
    while (end < keys->n && keys->v[end] == key)
        end++;
    return end - at;
}

/* Goes over the different durations of both sides, shortest first. */
static void rank(struct two_samples *s, const struct keys *a, const struct keys *b) {
    for (uint64_t i = 0, j = 0; i < a->n || j < b->n;) {
        uint32_t key = i < a->n && (j == b->n || a->v[i] < b->v[j]) ? a->v[i] : b->v[j];
        uint64_t in_a = equal_from(a, i, key), in_b = equal_from(b, j, key);
        double all = (double)in_a + (double)in_b;
        s->twice_u += in_b * (2 * i + in_a);
        s->ties += all * all * all - all;
        i += in_a;
        j += in_b;
    }
}

void two_samples_test(struct two_samples *s, const int64_t *const values[2], const uint64_t n[2]) {
    int64_t most = 0;
    *s = (struct two_samples){.side = {{.n = n[0]}, {.n = n[1]}}};
    if (bounds(values, n, &s->least, &most))
        while (((uint64_t)most - (uint64_t)s->least) >> s->shift > UINT32_MAX)
            s->shift++;
    struct keys keys[2] = {keys_of(s, values[0], n[0]), keys_of(s, values[1], n[1])};
    rank(s, &keys[0], &keys[1]);
    for (int k = 0; k < 2; k++) {
        bound(s, &keys[k], &s->side[k]);
        free(keys[k].v);
    }
    judge(s);
}
