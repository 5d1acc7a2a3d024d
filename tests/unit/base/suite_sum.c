/* suite_sum.c - sums of times: what the compiler computes in 128 bits, where it can. */
#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {0x9e3779b97f4a7c15};

static int64_t random_time(void) { /* often at the edges */
    switch (chance_next(&chance) % 6) {
    case 0:
        return INT64_MAX - (int64_t)(chance_next(&chance) % 3);
    case 1:
        return INT64_MIN + (int64_t)(chance_next(&chance) % 3);
    case 2:
        return (int64_t)1 << 62;
    default:
        return (int64_t)chance_next(&chance) >> chance_next(&chance) % 64;
    }
}

#ifdef __SIZEOF_INT128__
static __int128 value(struct sum s) {
    return (__int128)s.high * ((__int128)1 << 64) + s.low;
}

static __int128 mean_of(__int128 sum, __int128 n) { /* rounded half up */
    __int128 twice = 2 * sum + n, mean = twice / (2 * n);
    return mean - (twice % (2 * n) < 0);
}

START_TEST(sums_are_exact) {
    for (int i = 0; i < 3000; i++) {
        struct sum a = sum_from(0), b = sum_from(random_time());
        __int128 all = 0, other = b.low;
        unsigned n = 1 + (unsigned)(chance_next(&chance) % 20);
        for (unsigned k = 0; k < n; k++) {
            int64_t ns = random_time();
            sum_add(&a, ns);
            all += ns;
        }
        MUST(value(a) == all);
        MUST(sum_ns(a) == (all > INT64_MAX   ? INT64_MAX
                           : all < INT64_MIN ? INT64_MIN
                                             : (int64_t)all));
        MUST(sum_mean(a, n) == mean_of(all, n));
        for (unsigned k = 0; k < 5; k++, other += all)
            b = sum_plus(b, a);
        MUST(value(b) == other);
        MUST(value(sum_minus(a, b)) == all - other);
        MUST(sum_cmp(a, b) == (all > other) - (all < other));
        MUST(all < 0 || other < 0 || all >= other || sum_key(a) <= sum_key(b));
        MUST(all < 0 || all >= (__int128)1 << 62 || sum_key(a) == all);
        double off = sum_double(a) - (double)all;
        MUST(off == 0 || (off < 0 ? -off : off) <= 1e-15 * (all < 0 ? -(double)all : (double)all));
    }
}
END_TEST
#endif

START_TEST(a_sum_that_does_not_fit_says_so) {
    char buf[32];
    struct sum s = sum_from(INT64_MAX);
    sum_add(&s, INT64_MAX);
    ck_assert_str_eq(units_duration(sum_ns(s), true, buf), ">106751 d");
    ck_assert_str_eq(units_duration(sum_ns(sum_minus(sum_from(0), sum_plus(s, s))), true, buf),
                     "<-106751 d");
    ck_assert_str_eq(units_duration(sum_mean(s, 4), true, buf), "53376 d");
    ck_assert_str_eq(units_duration(INT64_MAX - 1, true, buf), "106752 d");
    MUST(sum_share(sum_from(INT64_MAX), s) == 50000000 && sum_share(s, s) == 100000000);
    for (int64_t whole = 1; whole < 1000; whole++) /* whole numbers among them */
        for (int64_t part = 0; part <= whole; part++)
            MUST(sum_share(sum_from(part), sum_from(whole)) == part * 100000000 / whole, part,
                 whole);
    for (int64_t n = 1; n < INT64_MAX / 10000; n = n * 7 / 3 + 1)
        MUST(sum_share(sum_from(n * 515), sum_from(n * 10000)) == 5150000, n);
    ck_assert_str_eq(sum_share_text(5149999, buf), "5.1%");
    ck_assert_str_eq(sum_share_text(5150000, buf), "5.2%");
    ck_assert_str_eq(sum_share_whole(99499999, buf), "99%");
    MUST(sum_share(s, sum_from(0)) == 0 && sum_share(s, sum_from(1)) == INT64_MAX);
    MUST(sum_key(sum_plus(s, s)) > sum_key(s) && sum_key(s) > sum_key(sum_from(INT64_MAX)));
    MUST(sum_key((struct sum){0, INT64_MAX}) == INT64_MAX);
    MUST(sum_clamped((double)INT64_MAX) == INT64_MAX && sum_clamped(-1e30) == INT64_MIN &&
         sum_clamped(-7.9) == -7);
}
END_TEST

START_TEST(cells_are_inside_their_picture) {
    MUST(units_cells(0.4, 8) == 0 && units_cells(0.5, 8) == 1 && units_cells(7.9, 8) == 8);
    MUST(units_cells(1e300, 8) == 8 && units_cells(-1e300, 8) == 0 &&
         units_cells(0.0 / 0.0, 8) == 0);
}
END_TEST

SUITE(sum) {
    Suite *suite = suite_create("sum");
    TCase *tcase = tcase_create("sum");
#ifdef __SIZEOF_INT128__
    tcase_add_test(tcase, sums_are_exact);
#endif
    tcase_add_test(tcase, a_sum_that_does_not_fit_says_so);
    tcase_add_test(tcase, cells_are_inside_their_picture);
    suite_add_tcase(suite, tcase);
    return suite;
}
