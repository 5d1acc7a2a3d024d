/* suite_unseen.c - processes out of sight: their ends, and the programs that are named. */
#include "record/watch/unseen.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/suites.h"

static pid_t waiting_child(int gate[2]) {
    char byte;
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(gate[1]);
        _exit(read(gate[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(gate[0]);
    return pid;
}

START_TEST(each_process_ends_once_and_not_before) {
    struct unseen unseen = {0};
    int gate[2][2];
    uint32_t ended = 0;
    pid_t pids[2];
    for (int i = 0; i < 2; i++) {
        pids[i] = waiting_child(gate[i]);
        unseen_add(&unseen, (uint32_t)pids[i], "su");
    }
    if (unseen.v.v[0].fd >= 0) /* as with many processes */
        close(unseen.v.v[0].fd);
    unseen.v.v[0].fd = -1;
    ck_assert(!unseen_next_end(&unseen, &ended));
    for (int i = 1; i >= 0; i--) {
        siginfo_t info;
        close(gate[i][1]);
        /* a zombie has ended */
        ck_assert_int_eq(waitid(P_PID, (id_t)pids[i], &info, WEXITED | WNOWAIT), 0);
        ck_assert(unseen_next_end(&unseen, &ended));
        ck_assert_uint_eq(ended, (uint32_t)pids[i]);
        ck_assert(!unseen_next_end(&unseen, &ended));
        waitpid(pids[i], NULL, 0);
    }
    ck_assert_uint_eq(unseen.v.n, 0);
    unseen_close(&unseen);
}
END_TEST

START_TEST(programs_are_named_once_and_the_rest_counted) {
    struct unseen unseen = {0};
    char name[16];
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < UNSEEN_PROGRAMS + 3; i++) {
            snprintf(name, sizeof name, "su%u", i);
            unseen_add(&unseen, (uint32_t)getpid(), name);
        }
    ck_assert_uint_eq(unseen.programs.n, UNSEEN_PROGRAMS);
    for (unsigned i = 0; i < UNSEEN_PROGRAMS; i++)
        ck_assert_uint_eq(unseen.programs.v[i].processes, 2);
    ck_assert_uint_eq(unseen.programs.others, 6);
    unseen_close(&unseen);
}
END_TEST

SUITE(unseen) {
    Suite *s = suite_create("unseen");
    TCase *c = tcase_create("unseen");
    tcase_add_test(c, each_process_ends_once_and_not_before);
    tcase_add_test(c, programs_are_named_once_and_the_rest_counted);
    suite_add_tcase(s, c);
    return s;
}
