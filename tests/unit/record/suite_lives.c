/* suite_lives.c - processes as they are written: operations, flows, and those whose end is
 * unknown. */
#include "record/watch/lives.h"

#include <sys/wait.h>

#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { EVENT = 4, ASYNC_BEGIN = 5, ASYNC_END = 7, FLOW_BEGIN = 8, FLOW_END = 10 };

/* A number that no process has. */
static uint32_t nobody(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    return (uint32_t)pid;
}

static unsigned events(const struct written *w, unsigned type) {
    return written_count(w, EVENT, (int)type);
}

START_TEST(each_begin_has_its_end) {
    struct lives lives = {0};
    struct written w;
    struct err err;
    uint32_t pid = nobody(), other = nobody();
    written_begin(&w, UINT64_MAX);
    ck_assert_ptr_null(lives_find(&lives, pid));
    struct life *life = lives_begin(&lives, pid, 1, 10);
    lives_write_fork(&lives, &w.output, life, 1, 10);
    lives_write_run(&w.output, life, 20);
    lives_write_run(&w.output, life, 21); /* a flow ends once */
    lives_write_exec(&lives, &w.output, life, "a", STR("a 1"), 30);
    lives_write_exec(&lives, &w.output, life, "b", STR(""), 40);
    life = lives_begin(&lives, other, pid, 50);
    lives_call(life, "copy");
    lives_write_end(&lives, &w.output, life, 60);
    ck_assert_ptr_null(lives_find(&lives, other));
    lives_call(lives_find(&lives, pid), "c"); /* its exec has named it */
    lives_write_end(&lives, &w.output, lives_find(&lives, pid), 70);
    ck_assert_ptr_null(lives_find(&lives, pid));
    ck_assert_uint_eq(lives.watches, 0);
    lives_close(&lives);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert_uint_eq(events(&w, FLOW_BEGIN), 1);
    ck_assert_uint_eq(events(&w, FLOW_END), 1);
    ck_assert_uint_eq(events(&w, ASYNC_BEGIN), 3);
    ck_assert_uint_eq(events(&w, ASYNC_END), 3);
    written_end(&w);
}
END_TEST

/* The end of the first one was lost. */
START_TEST(a_number_is_used_again) {
    struct lives lives = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        struct life *life = lives_begin(&lives, (uint32_t)(1 + i % 7), 1, i);
        ck_assert_uint_eq(life->since, i);
        ck_assert_ptr_eq(lives_find(&lives, life->pid), life);
    }
    ck_assert_uint_eq(lives.v.n, 7);
    lives_close(&lives);
}
END_TEST

START_TEST(descriptors_are_few_and_closed) {
    struct lives lives = {0};
    for (uint32_t i = 0; i < 300; i++)
        lives_watch(&lives, lives_begin(&lives, 1000000 + i, 1, 0)); /* no such process */
    ck_assert_uint_eq(lives.watches, 0);
    for (int i = 0; i < 300; i++)
        lives_watch(&lives, lives_begin(&lives, (uint32_t)getpid(), 1, 0));
    ck_assert_uint_eq(lives.watches, 1);
    lives_close(&lives);
}
END_TEST

SUITE(lives) {
    Suite *s = suite_create("lives");
    TCase *t = tcase_create("lives");
    tcase_add_test(t, each_begin_has_its_end);
    tcase_add_test(t, a_number_is_used_again);
    tcase_add_test(t, descriptors_are_few_and_closed);
    suite_add_tcase(s, t);
    return s;
}
