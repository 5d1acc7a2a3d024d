/* suite_watch_numbers.c - processes and threads of another pid namespace get our numbers in their
 * records, and nothing else changes. */
#include "record/watch/numbers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/suites.h"

enum { OURS = 1000, ITS_OWN = 1 };

#define SIZE(words) ((uint64_t)(words) << 4)
#define NAME(text) (UINT64_C(0x8000) | (sizeof(text) - 1)) /* inline, of at most a word */

START_TEST(records_of_each_kind_are_changed_where_they_have_numbers) {
    const uint64_t ours = OURS, own = ITS_OWN;
    const struct {
        size_t n;
        uint64_t is[8], becomes[8];
    } records[] = {
        {3, {3 | SIZE(3) | 1 << 16, own, 5}, {3 | SIZE(3) | 1 << 16, ours, 1005}},
        {3, {3 | SIZE(3) | 1 << 16, own, own}, {3 | SIZE(3) | 1 << 16, ours, ours}},
        {3, {3 | SIZE(3) | 1 << 16, 77, 5}, {3 | SIZE(3) | 1 << 16, 77, 1005}},
        {4, {4 | SIZE(4), own, own, 5}, {4 | SIZE(4), own, ours, 1005}}, /* the first is a time */
        /* of a registered thread */
        {4, {4 | SIZE(4) | 1 << 24, own, own, 5}, {4 | SIZE(4) | 1 << 24, own, own, 5}},
        {4, {9 | SIZE(4), own, own, 5}, {9 | SIZE(4), own, ours, 1005}},
        {2, {7 | SIZE(2) | 1 << 16, own}, {7 | SIZE(2) | 1 << 16, ours}},
        {2, {7 | SIZE(2) | 3 << 16, own}, {7 | SIZE(2) | 3 << 16, own}}, /* another object */
        {8,
         {7 | SIZE(8) | 2 << 16 | NAME("thread") << 24 | UINT64_C(2) << 40, 5, own,
          4 | SIZE(2) | 1 << 16, own, 8 | SIZE(3) | NAME("process") << 16, own, own},
         {7 | SIZE(8) | 2 << 16 | NAME("thread") << 24 | UINT64_C(2) << 40, 1005, own,
          4 | SIZE(2) | 1 << 16, own, 8 | SIZE(3) | NAME("process") << 16, own, ours}},
        {3,
         {7 | SIZE(3) | 2 << 16 | UINT64_C(1) << 40, 5, 8 | SIZE(9)},
         {7 | SIZE(3) | 2 << 16 | UINT64_C(1) << 40, 1005, 8 | SIZE(9)}},
        {3, {2 | SIZE(3), own, 5}, {2 | SIZE(3), own, 5}}, /* a string */
        {2, {4 | SIZE(9), own}, {4 | SIZE(9), own}},       /* cut */
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        for (int same = 0; same < 2; same++) {
            struct numbers numbers = {.ours = OURS, .its_own = same ? OURS : ITS_OWN};
            uint64_t v[8];
            u64map_set(&numbers.threads, 5, 1005);
            memcpy(v, records[i].is, sizeof v);
            numbers_replace(&numbers, v, records[i].n);
            ck_assert_msg(memcmp(v, same ? records[i].is : records[i].becomes, sizeof v) == 0,
                          "%zu", i);
            numbers_free(&numbers);
        }
}
END_TEST

static int said[2];

static void *say(void *unused) {
    pid_t tid = (pid_t)syscall(SYS_gettid);
    ssize_t n = write(said[1], &tid, sizeof tid);
    pause();
    return n > 0 ? unused : NULL;
}

START_TEST(threads_of_another_namespace_are_found) {
    pid_t own = 0, pid, half;
    char path[80];
    int status;
    ck_assert_int_eq(pipe(said), 0);
    half = fork();
    if (half == 0) {
        if (unshare(CLONE_NEWPID) != 0)
            _exit(77); /* it is not allowed to us */
        pid = fork();
        if (pid == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, say, NULL);
            pause();
        }
        ssize_t n = write(said[1], &pid, sizeof pid);
        waitpid(pid, NULL, 0);
        _exit(n < 0);
    }
    close(said[1]);
    if (read(said[0], &pid, sizeof pid) == sizeof pid &&
        read(said[0], &own, sizeof own) == sizeof own) {
        if (pid < own) { /* the thread was quicker */
            pid_t first = pid;
            pid = own;
            own = first;
        }
        struct numbers numbers = {.ours = pid, .its_own = 1}, before = numbers;
        uint64_t v[] = {3 | SIZE(3) | 1 << 16, 1, (uint64_t)own, 3 | SIZE(3) | 2 << 16, 1, 4000000};
        numbers_replace(&numbers, v, 6);
        snprintf(path, sizeof path, "/proc/%ld/task/%ld", (long)pid, (long)v[2]);
        ck_assert_uint_eq(v[1], (uint64_t)pid);
        ck_assert_msg(v[2] != (uint64_t)own && access(path, F_OK) == 0, "%s", path);
        ck_assert_uint_eq(v[5], 4000000); /* it has ended */
        numbers_free(&numbers);
        uint64_t late[] = {3 | SIZE(3) | 1 << 16, 1, (uint64_t)own}; /* read when it has ended */
        numbers_look(&before);
        kill(pid, SIGKILL);
        waitpid(half, &status, 0);
        numbers_replace(&before, late, 3);
        ck_assert_uint_eq(late[2], v[2]);
        numbers_free(&before);
    } else
        waitpid(half, &status, 0);
    close(said[0]);
}
END_TEST

SUITE(watch_numbers) {
    Suite *s = suite_create("numbers");
    TCase *c = tcase_create("numbers");
    tcase_add_test(c, records_of_each_kind_are_changed_where_they_have_numbers);
    tcase_add_test(c, threads_of_another_namespace_are_found);
    suite_add_tcase(s, c);
    return s;
}
