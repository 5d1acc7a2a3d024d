/* suite_task.c - straight code in steps: the same result wherever it is cut, and an end when it is
 * cancelled. */
#include "src/base/task.h"

#include "src/base/discard.h"
#include "tests/unit/lib/suites.h"

struct summed {
    uint64_t n, of; /* the numbers to n; their sum so far */
    unsigned freed;
    bool whole;
};

static void add_up(struct task *task, void *ctx) {
    struct summed *s = ctx;
    for (uint64_t i = 1; i <= s->n && task_spend(task, 1); i++)
        s->of += i;
    s->whole = !task_over(task);
    s->freed++;
}

START_TEST(a_task_ends_with_the_same_result_in_any_steps) {
    for (uint32_t units = 1; units < 300; units += 7) {
        struct summed s = {.n = 1000};
        struct tasks all = {0};
        struct task *task = task_new(&all, add_up, &s);
        unsigned steps = 1;
        for (; !task_step(task, TASK_OF(units)); steps++)
            ck_assert(!s.whole && (struct task *)all.first == task);
        ck_assert_ptr_null(all.first);
        ck_assert_uint_eq(s.of, 500500);
        ck_assert_uint_ge(steps, 1000 / units);
        ck_assert(task_step(task, TASK_OF(0)) && s.freed == 1);
        task_free(task);
    }
}
END_TEST

START_TEST(an_endless_budget_makes_it_at_once) {
    struct summed s = {.n = 1000}, t = {.n = 10};
    struct tasks all = {0};
    struct task *task = task_new(&all, add_up, &s);
    ck_assert(!task_step(task, TASK_OF(0)) && s.of == 0);
    ck_assert(task_step(task, NULL) && s.of == 500500);
    task_free(task);
    ck_assert(task_whole(add_up, &t, NULL) && t.of == 55);
    ck_assert(!task_whole(add_up, &s, TASK_OF(5)) && !s.whole);
}
END_TEST

START_TEST(a_cancelled_task_ends_by_itself) {
    struct summed v[3] = {{.n = 1000}, {.n = 1000}, {.n = 1000}};
    struct tasks all = {0};
    struct task *tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = task_new(&all, add_up, &v[i]);
        ck_assert(i == 2 || !task_step(tasks[i], TASK_OF(100)));
    }
    task_free(tasks[0]);
    ck_assert(v[0].freed == 1 && !v[0].whole && v[1].freed == 0);
    tasks_cancel(&all);
    ck_assert(v[1].freed == 1 && !v[1].whole && task_is_lost(tasks[1]) &&
              !task_step(tasks[1], NULL));
    /* it had not begun */
    ck_assert(v[2].freed == 0 && !task_is_lost(tasks[2]) && task_step(tasks[2], NULL));
    task_free(tasks[1]);
    task_free(tasks[2]);
    task_free(NULL);
}
END_TEST

struct outer {
    struct tasks all;
    struct summed inner[2];
    struct task *begun; /* a step of it was made outside */
    bool done[2];
};

static void ask_others(struct task *task, void *ctx) {
    struct outer *o = ctx;
    struct task *inner = task_new(&o->all, add_up, &o->inner[0]);
    o->done[0] = task_step(inner, task);
    o->done[1] = task_step(o->begun, task);
    task_free(inner);
}

START_TEST(within_a_task_another_one_ends_in_a_step) {
    struct outer o = {.inner = {{.n = 1000}, {.n = 1000}}};
    o.begun = task_new(&o.all, add_up, &o.inner[1]);
    ck_assert(!task_step(o.begun, TASK_OF(100)));
    struct task *task = task_new(&o.all, ask_others, &o);
    unsigned steps = 1;
    while (!task_step(task, TASK_OF(100)))
        steps++;
    ck_assert(o.done[0] && o.done[1] && o.inner[0].of == 500500 && o.inner[1].of == 500500);
    ck_assert_uint_ge(steps, 18);
    task_free(task);
    task_free(o.begun);

    struct outer cut = {.inner = {{.n = 1000}, {.n = 1000}}};
    cut.begun = task_new(&cut.all, add_up, &cut.inner[1]);
    task = task_new(&cut.all, ask_others, &cut);
    ck_assert(!task_step(task, TASK_OF(100)));
    task_free(task);
    ck_assert(!cut.done[0] && !cut.done[1] && cut.inner[0].freed == 1 && cut.inner[1].freed == 0);
    task_free(cut.begun);
}
END_TEST

static void count(void *ctx) {
    ++*(unsigned *)ctx;
}

START_TEST(what_is_discarded_is_freed_once) {
    unsigned freed[1000] = {0};
    for (int i = 0; i < 1000; i++) {
        discard(count, &freed[i]);
        if (i % 100 == 0)
            discard_wait();
    }
    discard_wait();
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_eq(freed[i], 1);
    discard_wait();
}
END_TEST

SUITE(task) {
    Suite *s = suite_create("task");
    TCase *t = tcase_create("task");
    tcase_add_test(t, a_task_ends_with_the_same_result_in_any_steps);
    tcase_add_test(t, an_endless_budget_makes_it_at_once);
    tcase_add_test(t, a_cancelled_task_ends_by_itself);
    tcase_add_test(t, within_a_task_another_one_ends_in_a_step);
    tcase_add_test(t, what_is_discarded_is_freed_once);
    suite_add_tcase(s, t);
    return s;
}
