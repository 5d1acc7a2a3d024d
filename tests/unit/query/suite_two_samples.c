/* suite_two_samples.c - the U test and the interval of a p99, against slow readings: all pairs,
 * random shuffles, and binomial probabilities built up one trial at a time. */
#include "model/query/stat/two_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {50321};

#define MOST 200 /* durations of a side */

static struct two_samples s;

struct list {
    int64_t v[MOST];
    size_t n;
};

static void both(const struct list *a, const struct list *b) {
    two_samples_test(&s, (const int64_t *const[]){a->v, b->v}, (const uint64_t[]){a->n, b->n});
}

static uint64_t twice_u_of(const struct list *a, const struct list *b) {
    uint64_t twice = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            twice += a->v[i] < b->v[j] ? 2 : a->v[i] == b->v[j];
    return twice;
}

static double ties_of(const struct list *a, const struct list *b) {
    double ties = 0;
    for (size_t i = 0; i < a->n + b->n; i++) { /* t^3 - t is t times t^2 - 1 */
        int64_t at = i < a->n ? a->v[i] : b->v[i - a->n];
        double t = 0;
        for (size_t k = 0; k < a->n + b->n; k++)
            t += (k < a->n ? a->v[k] : b->v[k - a->n]) == at;
        ties += t * t - 1;
    }
    return ties;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* P(X < k) of 0 to n + 1, one trial after the other. */
static void binomial(size_t n, double *below) {
    double *now = calloc(n + 2, sizeof *now);
    ck_assert_ptr_nonnull(now);
    now[0] = 1;
    for (size_t trial = 1; trial <= n; trial++)
        for (size_t k = trial + 1; k-- > 0;)
            now[k] = now[k] * 0.01 + (k > 0 ? now[k - 1] * 0.99 : 0);
    below[0] = 0;
    for (size_t k = 0; k <= n; k++)
        below[k + 1] = below[k] + now[k];
    free(now);
}

START_TEST(ranks_hold_99_of_100) {
    static double below[1402];
    for (size_t n = 0; n <= 1400; n += n < 60 ? 1 : 67) {
        uint64_t low, high, slow_low = 0, slow_high = n + 1;
        binomial(n, below);
        for (size_t k = 1; k <= n; k++) {
            slow_low = below[k] <= 0.005 ? k : slow_low;
            slow_high = slow_high == n + 1 && below[k] >= 0.995 ? k : slow_high;
        }
        two_samples_ranks(n, &low, &high);
        MUST(low == slow_low && high == slow_high, (int)n, (int)low, (int)slow_low, (int)high,
             (int)slow_high);
    }
    uint64_t low, high;
    two_samples_ranks(527, &low, &high);
    ck_assert_uint_eq(high, 528);
    two_samples_ranks(528, &low, &high);
    ck_assert_uint_eq(high, 528);
    two_samples_ranks(100000000, &low, &high); /* 2.576 standard deviations of 995 */
    ck_assert_uint_lt(98997000, low);
    ck_assert_uint_lt(low, 98998000);
    ck_assert_uint_lt(99002000, high);
    ck_assert_uint_lt(high, 99003000);
}
END_TEST

START_TEST(pairs_and_intervals_equal_a_slow_reading) {
    for (int n = 0; n < 300; n++) {
        struct list lists[2] = {{.n = below(&chance, 150)}, {.n = below(&chance, 150)}};
        unsigned spread = n % 3 ? 20 : 1000000;
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < lists[k].n; i++)
                lists[k].v[i] = (int64_t)below(&chance, spread) - 5;
        both(&lists[0], &lists[1]);
        for (int k = 0; k < 2; k++)
            qsort(lists[k].v, lists[k].n, sizeof *lists[k].v, by_value);
        MUST(s.tested == (lists[0].n > 0 && lists[1].n > 0), n);
        if (s.tested) {
            MUST(s.twice_u == twice_u_of(&lists[0], &lists[1]), n);
            MUST(fabs(s.ties - ties_of(&lists[0], &lists[1])) < 0.5, n);
            MUST(s.p >= 0 && s.p <= 1, n);
        }
        for (int k = 0; k < 2; k++) {
            uint64_t low, high;
            two_samples_ranks(lists[k].n, &low, &high);
            MUST(s.side[k].n == lists[k].n, n, k);
            MUST(s.side[k].has_low == (low > 0) && s.side[k].has_high == (high <= lists[k].n), n,
                 k);
            if (low > 0)
                MUST(s.side[k].low == lists[k].v[low - 1], n, k);
            if (high <= lists[k].n)
                MUST(s.side[k].high == lists[k].v[high - 1], n, k);
        }
    }
}
END_TEST

static double away(const struct list *a, const struct list *b) {
    return fabs((double)twice_u_of(a, b) - (double)a->n * (double)b->n);
}

/* How often durations that are dealt out at random differ as much. */
static double shuffled(const struct list *a, const struct list *b, int times) {
    struct list all = *a, x = *a, y = *b;
    double seen = away(a, b);
    int as_far = 0;
    memcpy(all.v + a->n, b->v, b->n * sizeof *b->v);
    all.n = a->n + b->n;
    for (int k = 0; k < times; k++) {
        for (size_t i = all.n; i-- > 1;) {
            size_t j = below(&chance, (unsigned)i + 1);
            int64_t swap = all.v[i];
            all.v[i] = all.v[j];
            all.v[j] = swap;
        }
        memcpy(x.v, all.v, x.n * sizeof *x.v);
        memcpy(y.v, all.v + x.n, y.n * sizeof *y.v);
        as_far += away(&x, &y) >= seen;
    }
    return (double)as_far / times;
}

START_TEST(p_is_how_often_chance_does_it) {
    for (int n = 0; n < 12; n++) {
        struct list lists[2] = {{.n = 20 + below(&chance, 20)}, {.n = 20 + below(&chance, 20)}};
        unsigned spread = n % 2 ? 8 : 1000;
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < lists[k].n; i++)
                lists[k].v[i] = 10 + (int64_t)below(&chance, spread) +
                                (k == 1 ? (int64_t)(spread * (unsigned)n / 40) : 0);
        both(&lists[0], &lists[1]);
        double slow = shuffled(&lists[0], &lists[1], 1500);
        MUST(s.tested && fabs(s.p - slow) < 0.05, n, (int)(s.p * 10000), (int)(slow * 10000));
    }
}
END_TEST

/* Few durations can differ by chance, however far apart they are: p is never less than the share of
 * the two extremes. */
START_TEST(few_durations_have_a_least_p) {
    static const uint64_t sides[][2] = {{1, 1}, {1, 5},   {4, 4}, {5, 5},
                                        {6, 6}, {1, 199}, {0, 9}, {100000, 100000}};
    static const double least[] = {1, 1.0 / 3, 2.0 / 70, 2.0 / 252, 2.0 / 924, 0.01, 1, 0};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        ck_assert_double_eq_tol(two_samples_least(sides[i][0], sides[i][1]), least[i], 1e-9);
    int64_t a[6] = {100, 100, 100, 100, 100, 100}, b[6] = {200, 200, 200, 200, 200, 200};
    for (int same = 0; same < 2; same++) {
        two_samples_test(&s, (const int64_t *const[]){a, same ? a : b}, (const uint64_t[]){6, 6});
        ck_assert_double_eq_tol(s.p, same ? 1 : 2.0 / 924, 1e-9);
    }
}
END_TEST

/* Durations that differ by 2^32 ns or more keep their order and, to a part in 2^31, their
 * length. */
START_TEST(long_durations_are_rounded_down) {
    static struct list lists[2] = {{{5, 1000000000000, 3000000000000}, 3},
                                   {{7, 2000000000001, 4000000000003}, 3}};
    both(&lists[0], &lists[1]);
    ck_assert_uint_gt(s.shift, 0);
    ck_assert_uint_eq(s.twice_u, twice_u_of(&lists[0], &lists[1]) - 1); /* 5 and 7 are equal now */
    ck_assert(s.side[1].has_low && s.side[1].low <= 2000000000001);
}
END_TEST

SUITE(two_samples) {
    Suite *suite = suite_create("two_samples");
    TCase *c = tcase_create("two_samples");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, ranks_hold_99_of_100);
    tcase_add_test(c, pairs_and_intervals_equal_a_slow_reading);
    tcase_add_test(c, p_is_how_often_chance_does_it);
    tcase_add_test(c, few_durations_have_a_least_p);
    tcase_add_test(c, long_durations_are_rounded_down);
    suite_add_tcase(suite, c);
    return suite;
}
