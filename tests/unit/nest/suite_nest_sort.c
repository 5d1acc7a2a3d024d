/* suite_nest_sort.c - events of a thread are sorted stably, whatever their order and the steps. */
#include "model/nest/nest_sort.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 3000

static struct nest_item given[MOST], slow[MOST], fast[MOST];

static int order(const void *x, const void *y) {
    const struct nest_item *a = x, *b = y;
    return (a->start > b->start) - (a->start < b->start);
}

static size_t items;

static void sort(struct task *task, void *v) {
    nest_sort(task, v, items, order);
}

/* The slow way: each item goes after those that are not greater. */
static void insertion_sort(size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        for (; k > 0 && order(&given[i], &slow[k - 1]) < 0; k--)
            slow[k] = slow[k - 1];
        slow[k] = given[i];
    }
}

/* Sorted, backwards, children before parents, two sorted halves, or any order; `packed` is the
 * place. */
static void make(struct chance *c, int order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int64_t at = (int64_t)i, half = (int64_t)(n / 2), start = at;
        if (order == 1)
            start = -at;
        else if (order == 2)
            start = at / 5 * 5 + 5 - at % 5;
        else if (order == 3)
            start = at % (half + 1) * 2;
        else if (order == 4)
            start = (int64_t)below(c, n / 3 + 1);
        given[i] = (struct nest_item){.start = start, .packed = i};
    }
}

START_TEST(events_are_sorted_in_steps_and_stably) {
    struct chance chance = {99};
    size_t unfinished = 0;
    for (int set = 0; set < 200; set++) {
        size_t n = below(&chance, set % 10 ? 300 : MOST);
        make(&chance, set % 5, n);
        insertion_sort(n);
        for (size_t i = 0; i < n; i++)
            fast[i] = given[i];
        struct tasks all = {0};
        struct task *task = task_new(&all, sort, fast);
        items = n;
        while (!task_step(task, TASK_OF(1 + (uint32_t)below(&chance, 300))))
            unfinished++;
        task_free(task);
        for (size_t i = 0; i < n; i++)
            MUST(fast[i].start == slow[i].start && fast[i].packed == slow[i].packed, set);
    }
    ck_assert_uint_gt(unfinished, 200);
}
END_TEST

START_TEST(a_sort_can_be_given_up) { /* under a leak checker, memory is freed at every stage */
    struct chance chance = {7};
    for (unsigned steps = 0; steps < 60; steps++) {
        make(&chance, 4, 2000);
        struct tasks all = {0};
        struct task *task = task_new(&all, sort, given);
        items = 2000;
        for (unsigned i = 0; i < steps; i++)
            task_step(task, TASK_OF(600));
        task_free(task);
    }
}
END_TEST

SUITE(nest_sort) {
    Suite *s = suite_create("nest_sort");
    TCase *t = tcase_create("nest_sort");
    tcase_add_test(t, events_are_sorted_in_steps_and_stably);
    tcase_add_test(t, a_sort_can_be_given_up);
    suite_add_tcase(s, t);
    return s;
}
