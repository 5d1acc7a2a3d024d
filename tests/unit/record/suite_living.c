/* suite_living.c - threads by their numbers: their ends, and those that take over a number. */
#include "record/watch/living.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/unit/lib/suites.h"

static struct living_thread *make(struct living *living, uint64_t tid, uint32_t pid,
                                  const char *name, uint64_t runs) {
    struct living_thread *t = living_make(living, tid);
    t->pid = pid;
    snprintf(t->name, sizeof t->name, "%s", name);
    t->runs = runs;
    t->left = 2 * runs;
    return t;
}

START_TEST(ended_threads_are_none) {
    struct living living = {.v = {0}};
    ck_assert(!living_any(&living));
    ck_assert(!living_has_ended(&living, 7)); /* it is not known */
    ck_assert_ptr_null(living_find(&living, 7));
    make(&living, 7, 7, "seven", 1);
    ck_assert_ptr_eq(living_make(&living, 7), living_find(&living, 7));
    ck_assert_str_eq(living_find(&living, 7)->name, "seven");
    living_forget(&living, 7);
    living_forget(&living, 7);
    ck_assert(!living_any(&living) && living_has_ended(&living, 7));
    ck_assert_str_eq(living_make(&living, 8)->name, ""); /* in its entry */
    ck_assert_uint_eq(living.v.n, 1);
    ck_assert(living_any(&living) && !living_has_ended(&living, 8));
    living_free(&living);
}
END_TEST

/* The first thread of process 5 has ended. Others stay as they are. */
START_TEST(a_thread_goes_on_under_the_first_number) {
    struct living living = {.v = {0}};
    struct living_thread was;
    size_t from = 0;
    make(&living, 5, 5, "first", 10);
    make(&living, 9, 9, "other", 20);
    make(&living, 6, 5, "second", 30);
    living_forget(&living, 5);
    ck_assert(living_take_over(&living, 5, &from, &was));
    ck_assert_uint_eq(was.tid, 6);
    living_forget(&living, was.tid);
    ck_assert(!living_take_over(&living, 5, &from, &was));
    const struct living_thread *now = living_find(&living, 5);
    ck_assert_str_eq(now->name, "second");
    ck_assert_uint_eq(now->pid, 5);
    ck_assert_uint_eq(now->runs, 30);
    ck_assert_uint_eq(now->left, 60);
    ck_assert(living_has_ended(&living, 6));
    ck_assert_str_eq(living_find(&living, 9)->name, "other");
    living_free(&living);
}
END_TEST

/* The record of an exec comes before, and has a name. */
START_TEST(a_new_name_and_time_stay) {
    struct living living = {.v = {0}};
    struct living_thread was;
    size_t from = 0;
    make(&living, 6, 5, "second", 0);
    make(&living, 5, 5, "program", 40);
    ck_assert(living_take_over(&living, 5, &from, &was));
    ck_assert_str_eq(living_find(&living, 5)->name, "program");
    ck_assert_uint_eq(living_find(&living, 5)->runs, 40); /* the other did not run */
    living_free(&living);
}
END_TEST

START_TEST(only_the_last_thread_is_far) {
    struct living living = {.v = {0}};
    const struct life many = {.threads = 2}, one = {.threads = 1};
    const uint32_t nobody = INT32_MAX, self = (uint32_t)getpid();
    ck_assert(!living_is_far(&living, &one, nobody, nobody, false));
    living_make(&living, nobody)->execs = true;
    ck_assert(living_is_far(&living, NULL, nobody, nobody, false));
    ck_assert(!living_is_far(&living, &many, nobody, nobody, false));
    ck_assert(
        !living_is_far(&living, &one, nobody, nobody, true)); /* so may that of its program be */
    ck_assert(living_is_far(&living, &one, self, self, true));
    living_free(&living);
}
END_TEST

SUITE(living) {
    Suite *s = suite_create("living");
    TCase *c = tcase_create("living");
    tcase_add_test(c, ended_threads_are_none);
    tcase_add_test(c, a_thread_goes_on_under_the_first_number);
    tcase_add_test(c, a_new_name_and_time_stay);
    tcase_add_test(c, only_the_last_thread_is_far);
    suite_add_tcase(s, c);
    return s;
}
