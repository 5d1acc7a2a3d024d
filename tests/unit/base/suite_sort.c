/* suite_sort.c - the sort in a task gives the order of a slow stable one, and no step is
 * long. */
#include "src/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define STEP 64      /* units of a step */
#define COMPARED 200 /* items compared in such a step, at most */

static size_t compared;

struct keyed {
    uint32_t key, place;
    char filled[12]; /* so that its size is no power of two */
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    compared++;
    return (x->key > y->key) - (x->key < y->key);
}

/* By insertion: equal items keep their places. */
static void slowly(struct keyed *v, size_t n) {
    for (size_t i = 1; i < n; i++) {
        struct keyed item = v[i];
        size_t k = i;
        for (; k > 0 && v[k - 1].key > item.key; k--)
            v[k] = v[k - 1];
        v[k] = item;
    }
}

static void fill(struct chance *chance, struct keyed *v, size_t n) {
    uint64_t keys = 1 + below(chance, below(chance, 2) ? 8 : 1000), habit = below(chance, 3);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = (uint32_t)below(chance, keys);
        if (habit < 2)
            key = (uint32_t)(habit == 0 ? i : n - i);
        v[i] = (struct keyed){.key = key, .place = (uint32_t)i};
        memset(v[i].filled, (int)(i & 0x7f), sizeof v[i].filled);
    }
}

struct asked {
    struct keyed *v;
    size_t n;
    bool done;
};

static void sort(struct task *task, void *ctx) {
    struct asked *a = ctx;
    a->done = sort_items(task, a->v, a->n, sizeof *a->v, by_key);
}

START_TEST(the_order_is_that_of_a_slow_stable_sort) {
    struct chance chance = {11};
    for (int round = 0; round < 600; round++) {
        size_t n = below(&chance, below(&chance, 4) ? 70 : 700);
        struct keyed *v = err_calloc(n + 1, sizeof *v),
                     *expected = err_calloc(n + 1, sizeof *expected);
        struct asked asked = {v, n, false};
        fill(&chance, v, n);
        memcpy(expected, v, n * sizeof *v);
        slowly(expected, n);
        task_whole(sort, &asked, NULL);
        MUST(asked.done && memcmp(v, expected, n * sizeof *v) == 0, round);
        free(expected);
        free(v);
    }
}
END_TEST

START_TEST(no_step_is_long) {
    struct chance chance = {12};
    size_t n = 20000, steps = 0;
    struct keyed *v = err_calloc(n, sizeof *v);
    struct asked asked = {v, n, false};
    struct tasks all = {0};
    struct task *task = task_new(&all, sort, &asked);
    fill(&chance, v, n);
    for (bool done = false; !done; steps++) {
        compared = 0;
        done = task_step(task, TASK_OF(STEP));
        ck_assert_uint_le(compared, COMPARED);
    }
    ck_assert(asked.done);
    ck_assert_uint_gt(steps, 1000);
    task_free(task);
    free(v);
}
END_TEST

START_TEST(sorted_items_take_few_comparisons) {
    enum { N = 4096 };
    struct keyed *v = err_calloc(N, sizeof *v);
    for (uint32_t i = 0; i < N; i++)
        v[i].key = i / 3;
    compared = 0;
    task_whole(sort, &(struct asked){v, N, false}, NULL);
    ck_assert_uint_lt(compared, 2 * N);
    free(v);
}
END_TEST

/* Wherever it is cancelled, each item is there once. */
START_TEST(a_cancelled_sort_loses_no_item) {
    enum { N = 300 };
    static struct keyed v[N];
    struct chance chance = {13};
    size_t cancelled = 0;
    for (uint32_t steps = 0; steps < 120; steps++) {
        bool there[N] = {false};
        fill(&chance, v, N);
        struct asked asked = {v, N, false};
        struct tasks all = {0};
        struct task *task = task_new(&all, sort, &asked);
        bool done = false;
        for (uint32_t k = 0; k < steps && !done; k++)
            done = task_step(task, TASK_OF(40));
        task_free(task);
        cancelled += !done;
        for (size_t i = 0; i < N; i++) {
            MUST(v[i].place < N && !there[v[i].place], (int)steps, (int)i);
            there[v[i].place] = true;
        }
    }
    ck_assert(cancelled > 20 && cancelled < 120);
}
END_TEST

SUITE(sort) {
    Suite *s = suite_create("sort");
    TCase *tc = tcase_create("sort");
    tcase_add_test(tc, the_order_is_that_of_a_slow_stable_sort);
    tcase_add_test(tc, no_step_is_long);
    tcase_add_test(tc, sorted_items_take_few_comparisons);
    tcase_add_test(tc, a_cancelled_sort_loses_no_item);
    suite_add_tcase(s, tc);
    return s;
}
