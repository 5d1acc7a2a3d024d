/* suite_lower_bound.c - binary search against a linear one. */
#include "src/base/lower_bound.h"

#include <stdint.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(the_first_that_is_not_below_is_found) {
    struct chance chance = {7};
    uint32_t v[40];
    for (int round = 0; round < 2000; round++) {
        size_t n = below(&chance, 40);
        for (size_t i = 0; i < n; i++)
            v[i] = (uint32_t)below(&chance, 4) + (i > 0 ? v[i - 1] : 0);
        uint32_t sought = (uint32_t)below(&chance, 70);
        size_t from = n > 0 ? below(&chance, n) : 0, at = from, first = from;
        lower_bound(at, n, i, v[i] < sought);
        while (first < n && v[first] < sought)
            first++;
        MUST(at == first, round);
        uint32_t narrow = 0; /* another type */
        lower_bound(narrow, n, i, v[i] <= sought);
        MUST((narrow == 0 || v[narrow - 1] <= sought) && (narrow == n || v[narrow] > sought),
             round);
    }
}
END_TEST

START_TEST(it_looks_at_few) {
    size_t at = 0, looks = 0;
    lower_bound(at, 1000000, i, (looks++, i < 777777));
    ck_assert_uint_eq(at, 777777);
    ck_assert_uint_le(looks, 20);
}
END_TEST

SUITE(lower_bound) {
    Suite *s = suite_create("lower_bound");
    TCase *tc = tcase_create("search");
    tcase_add_test(tc, the_first_that_is_not_below_is_found);
    tcase_add_test(tc, it_looks_at_few);
    suite_add_tcase(s, tc);
    return s;
}
