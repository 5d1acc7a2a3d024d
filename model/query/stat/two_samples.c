/* two_samples.c - two lists of durations: sorted byte by byte, and merged.
 *
 * The merge counts for each duration of B how many of A are shorter, which is the U statistic, and how many are equal.
 * The ranks of an interval come from binomial probabilities, which are added up from the lowest that still counts; that
 * takes about twenty standard deviations. */
#include "model/query/stat/two_samples.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/err.h"

#define CHUNK 1024u /* keys between two looks at the budget */
#define KEYS_A_UNIT 8
#define TAIL 0.005  /* beyond each end of an interval */
#define RARE 1e-18  /* probabilities that do not count */

void two_samples_free(struct two_samples *s) {
    for (int k = 0; k < 2; k++) {
        free(s->side[k].keys);
        free(s->side[k].other);
    }
    *s = (struct two_samples){0};
}

/* The least and the greatest of both lists; false: there are none. */
static bool bounds(const int64_t *const values[2], const uint64_t n[2], int64_t *least, int64_t *most) {
    bool any = false;
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < n[k]; i++, any = true) {
            *least = !any || values[k][i] < *least ? values[k][i] : *least;
            *most = !any || values[k][i] > *most ? values[k][i] : *most;
        }
    return any;
}

static void add(struct two_samples *s, struct two_samples_side *side, int64_t duration) {
    uint32_t key = (uint32_t)(((uint64_t)duration - (uint64_t)s->least) >> s->shift);
    side->keys[side->filled++] = key;
    for (unsigned d = 0; d < TWO_SAMPLES_DIGITS; d++)
        side->counts[d][key >> 8 * d & 255]++;
}

void two_samples_of_values(struct two_samples *s, const int64_t *const values[2], const uint64_t n[2]) {
    int64_t most = 0;
    two_samples_free(s);
    if (bounds(values, n, &s->least, &most))
        while (((uint64_t)most - (uint64_t)s->least) >> s->shift > UINT32_MAX)
            s->shift++;
    for (int k = 0; k < 2; k++) {
        struct two_samples_side *side = &s->side[k];
        side->n = n[k];
        if (n[k] == 0)
            continue;
        side->keys = err_calloc(n[k], sizeof *side->keys);
        side->other = err_calloc(n[k], sizeof *side->other);
        for (uint64_t i = 0; i < n[k]; i++)
            add(s, side, values[k][i]);
    }
}

/* ---- sorting ---- */

/* Sets where the keys of each byte go; false: all have the same, so that nothing moves. */
static bool place(struct two_samples_side *side) {
    uint64_t sum = 0;
    for (int b = 0; b < 256; b++) {
        if (side->counts[side->digit][b] == side->n)
            return false;
        side->places[b] = sum;
        sum += side->counts[side->digit][b];
    }
    return true;
}

static bool sort(struct two_samples_side *side, struct budget *budget) {
    for (; side->digit < TWO_SAMPLES_DIGITS; side->digit++, side->placing = false) {
        if (!side->placing && (side->n == 0 || !place(side)))
            continue;
        if (!side->placing)
            side->at = 0;
        side->placing = true;
        while (side->at < side->n) {
            uint64_t end = side->n - side->at < CHUNK ? side->n : side->at + CHUNK;
            if (!budget_left(budget))
                return false;
            budget_spend(budget, CHUNK / KEYS_A_UNIT);
            for (; side->at < end; side->at++) {
                uint32_t key = side->keys[side->at];
                side->other[side->places[key >> 8 * side->digit & 255]++] = key;
            }
        }
        uint32_t *sorted = side->other;
        side->other = side->keys;
        side->keys = sorted;
    }
    free(side->other);
    side->other = NULL;
    return true;
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
    pmf = exp(lgamma(most + 1) - lgamma(k + 1) - lgamma(most - k + 1) + k * log(0.99) + (most - k) * log(0.01));
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

static int64_t duration_at(const struct two_samples *s, const struct two_samples_side *side, uint64_t rank) {
    return (int64_t)((uint64_t)s->least + ((uint64_t)side->keys[rank - 1] << s->shift));
}

static void bound(const struct two_samples *s, struct two_samples_side *side) {
    uint64_t low, high;
    two_samples_ranks(side->n, &low, &high);
    side->has_low = low > 0;
    side->has_high = high <= side->n;
    side->low = side->has_low ? duration_at(s, side, low) : 0;
    side->high = side->has_high ? duration_at(s, side, high) : 0;
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

/* How many keys from `at` on are equal to a key: found by doubling, because all of them may be. */
static uint64_t equal_from(const struct two_samples_side *side, uint64_t at, uint32_t key) {
    uint64_t low = 0, high = 1; /* so many are equal at least; the one at `high` is not */
    if (at == side->n || side->keys[at] != key)
        return 0;
    for (; at + high < side->n && side->keys[at + high] == key; high *= 2)
        low = high;
    high = at + high < side->n ? high : side->n - at;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (side->keys[at + middle] == key)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

/* Goes over the different durations of both sides, shortest first. */
static bool rank(struct two_samples *s, struct budget *budget) {
    const struct two_samples_side *a = &s->side[0], *b = &s->side[1];
    while (s->i < a->n || s->j < b->n) {
        if (!budget_left(budget))
            return false;
        uint32_t key = s->i < a->n && (s->j == b->n || a->keys[s->i] < b->keys[s->j]) ? a->keys[s->i] : b->keys[s->j];
        uint64_t in_a = equal_from(a, s->i, key), in_b = equal_from(b, s->j, key);
        double all = (double)in_a + (double)in_b;
        s->twice_u += in_b * (2 * s->i + in_a);
        s->ties += all * all * all - all;
        s->i += in_a;
        s->j += in_b;
        budget_spend(budget, 1);
    }
    return true;
}

bool two_samples_step(struct two_samples *s, struct budget *budget) {
    for (; s->stage != TWO_READY; s->stage++) {
        struct two_samples_side *side = &s->side[s->stage == TWO_SORT_B];
        if (!(s->stage < TWO_RANK ? sort(side, budget) : rank(s, budget)))
            return false;
    }
    if (s->side[0].keys == NULL && s->side[1].keys == NULL)
        return true;
    for (int k = 0; k < 2; k++) {
        bound(s, &s->side[k]);
        free(s->side[k].keys);
        s->side[k].keys = NULL;
    }
    judge(s);
    return true;
}
