/* suite_budget.c - budgets: what was charged, and when they are over. */
#include "src/base/budget.h"
#include "src/base/clock.h"
#include "tests/unit/lib/suites.h"

START_TEST(units_are_used_up_and_stay_so) {
    struct budget b = budget_units(10);
    ck_assert(budget_left(&b));
    ck_assert(budget_spend(&b, 4));
    ck_assert(budget_spend(&b, 0));
    ck_assert(budget_spend(&b, 5));
    ck_assert(budget_left(&b));
    ck_assert(!budget_spend(&b, 1));
    ck_assert(!budget_left(&b));
    ck_assert(!budget_spend(&b, 0));
    b = budget_units(10);
    ck_assert(!budget_spend(&b, UINT32_MAX));
    b = budget_units(0);
    ck_assert(!budget_left(&b));
}
END_TEST

START_TEST(an_endless_budget_does_not_end) {
    struct budget b = budget_endless();
    for (int i = 0; i < 1000; i++)
        ck_assert(budget_spend(&b, UINT32_MAX));
    ck_assert(budget_left(&b));
    b = budget_until(INT64_MAX);
    ck_assert(budget_spend(&b, UINT32_MAX));
    ck_assert(budget_spend(&b, UINT32_MAX));
}
END_TEST

START_TEST(a_deadline_ends_a_budget_after_it_passed) {
    int64_t from = clock_now();
    struct budget b = budget_until(2000000);
    while (budget_spend(&b, 100))
        ck_assert(budget_left(&b));
    ck_assert(clock_now() >= from + 2000000);
    ck_assert(!budget_left(&b));
    ck_assert(!budget_spend(&b, 0));
}
END_TEST

START_TEST(a_deadline_that_has_passed_leaves_one_round_of_units) {
    struct budget b = budget_until(-5);
    ck_assert(budget_spend(&b, BUDGET_UNITS - 1));
    ck_assert(!budget_spend(&b, 1));
}
END_TEST

SUITE(budget) {
    Suite *s = suite_create("budget");
    TCase *tc = tcase_create("spend");
    tcase_add_test(tc, units_are_used_up_and_stay_so);
    tcase_add_test(tc, an_endless_budget_does_not_end);
    tcase_add_test(tc, a_deadline_ends_a_budget_after_it_passed);
    tcase_add_test(tc, a_deadline_that_has_passed_leaves_one_round_of_units);
    suite_add_tcase(s, tc);
    return s;
}
