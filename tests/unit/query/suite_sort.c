/* suite_sort.c - the sort in steps gives the order of a slow stable one, and no step is long. */
#include "model/query/stat/between/sort.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

#define STEP 64      /* units of a step */
#define COMPARED 100 /* items compared in such a step, at most */

static size_t compared;

struct item {
    uint32_t key, place;
    char filled[12]; /* so that its size is no power of two */
};

static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    compared++;
    return (x->key > y->key) - (x->key < y->key);
}

/* By insertion: equal items keep their places. */
static void slowly(struct item *v, size_t n) {
    for (size_t i = 1; i < n; i++) {
        struct item item = v[i];
        size_t k = i;
        for (; k > 0 && v[k - 1].key > item.key; k--)
            v[k] = v[k - 1];
        v[k] = item;
    }
}

static void fill(struct chance *chance, struct item *v, size_t n) {
    uint64_t keys = 1 + below(chance, below(chance, 2) ? 8 : 1000), habit = below(chance, 3);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = habit == 0   ? (uint32_t)i
                       : habit == 1 ? (uint32_t)(n - i)
                                    : (uint32_t)below(chance, keys);
        v[i] = (struct item){.key = key, .place = (uint32_t)i};
        memset(v[i].filled, (int)(i & 0x7f), sizeof v[i].filled);
    }
}

START_TEST(the_order_is_that_of_a_slow_stable_sort) {
    struct chance chance = {11};
    for (int round = 0; round < 600; round++) {
        size_t n = below(&chance, below(&chance, 4) ? 70 : 700);
        struct item *v = err_calloc(n + 1, sizeof *v),
                    *expected = err_calloc(n + 1, sizeof *expected);
        struct sort sort = {.v = NULL};
        fill(&chance, v, n);
        memcpy(expected, v, n * sizeof *v);
        slowly(expected, n);
        sort_begin(&sort, v, n, sizeof *v, by_key);
        uint32_t units = below(&chance, 3) ? (uint32_t)below(&chance, 40) : UINT32_MAX - 1;
        while (!sort_step(&sort, BUDGET_OF(units + 1)))
            ;
        struct item *sorted = sort_take(&sort);
        MUST(n == 0 ? sorted == NULL : memcmp(sorted, expected, n * sizeof *v) == 0, round);
        free(sorted);
        free(expected);
        free(v);
    }
}
END_TEST

START_TEST(no_step_is_long) {
    struct chance chance = {12};
    size_t n = 20000, steps = 0;
    struct item *v = err_calloc(n, sizeof *v);
    struct sort sort = {.v = NULL};
    fill(&chance, v, n);
    sort_begin(&sort, v, n, sizeof *v, by_key);
    for (bool done = false; !done; steps++) {
        compared = 0;
        done = sort_step(&sort, BUDGET_OF(STEP));
        ck_assert_uint_le(compared, COMPARED);
    }
    ck_assert_uint_gt(steps, 1000);
    free(sort_take(&sort));
    free(v);
}
END_TEST

START_TEST(a_sort_is_given_up_at_any_time) {
    struct item v[100];
    struct chance chance = {13};
    struct sort sort = {.v = NULL};
    fill(&chance, v, 100);
    for (int steps = 0; steps < 200; steps++) {
        sort_begin(&sort, v, 100, sizeof *v, by_key);
        for (int k = 0; k < steps && !sort_step(&sort, BUDGET_OF(8)); k++)
            ;
        if (steps % 2)
            sort_free(&sort);
    }
    sort_free(&sort);
    sort_free(&sort);
}
END_TEST

Suite *suite_sort(void) {
    Suite *s = suite_create("sort");
    TCase *tc = tcase_create("steps");
    tcase_add_test(tc, the_order_is_that_of_a_slow_stable_sort);
    tcase_add_test(tc, no_step_is_long);
    tcase_add_test(tc, a_sort_is_given_up_at_any_time);
    suite_add_tcase(s, tc);
    return s;
}
