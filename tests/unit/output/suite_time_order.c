/* suite_time_order.c - the order of many times is that of a sort that compares, and equal times
 * stay in place. */
#include "model/output/lines/time_order.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* Time, then place before. */
static int slow_order(const void *a, const void *b) {
    const struct time_order *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

START_TEST(times_of_any_spread_are_sorted_and_equal_ones_stay_in_order) {
    struct chance chance = {271};
    for (int set = 0; set < 400; set++) {
        size_t n = below(&chance, set % 8 ? 300 : 5000);
        unsigned bits = 1 + (unsigned)below(&chance, 64);
        struct time_order *v = err_calloc(n + 1, sizeof *v),
                          *slow = err_calloc(n + 1, sizeof *slow);
        for (size_t i = 0; i < n; i++) {
            int64_t time = (int64_t)(chance_star(&chance) >> (64 - bits));
            if (set % 3 == 1)
                time = INT64_MIN + (time & INT64_MAX);
            v[i] = (struct time_order){set % 5 == 2 ? (int64_t)i : time, i};
        }
        memcpy(slow, v, n * sizeof *v);
        if (n > 0)
            qsort(slow, n, sizeof *slow, slow_order);
        time_order_sort(v, n);
        MUST(n == 0 || memcmp(v, slow, n * sizeof *v) == 0, set);
        for (size_t i = 0, end; i < n; i = end) {
            end = time_order_run(v, n, i);
            MUST(v[end - 1].time == v[i].time && (end == n || v[end].time != v[i].time), set);
        }
        free(v);
        free(slow);
    }
}
END_TEST

static int by_number(const void *a, const void *b) {
    int x = **(const int *const *)a, y = **(const int *const *)b;
    return x < y ? -1 : x > y;
}

START_TEST(pointers_of_a_run_are_put_in_the_order_asked_for) {
    struct chance chance = {277};
    for (int set = 0; set < 200; set++) {
        int numbers[50];
        const int *pointers[50];
        size_t n = below(&chance, 51);
        for (size_t i = 0; i < n; i++) {
            numbers[i] = set % 4 ? (int)below(&chance, 100) : (int)i;
            pointers[i] = &numbers[i];
        }
        time_order_ties(pointers, n, by_number);
        for (size_t i = 1; i < n; i++)
            MUST(*pointers[i - 1] <= *pointers[i], set);
    }
}
END_TEST

SUITE(time_order) {
    Suite *s = suite_create("time_order");
    TCase *t = tcase_create("time_order");
    tcase_add_test(t, times_of_any_spread_are_sorted_and_equal_ones_stay_in_order);
    tcase_add_test(t, pointers_of_a_run_are_put_in_the_order_asked_for);
    suite_add_tcase(s, t);
    return s;
}
