/* suite_calls.c - system calls: their names, the files of descriptors, and that each call of a
 * program is a slice. */
#include "record/watch/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/watch/switches.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { CALLS = 100, FAILURES = 7 };

static void is_called(uint64_t number, bool narrow, const char *name) {
    const struct call_name *call = call_names_find(number, narrow);
    ck_assert(str_eq(call->name, str_of(name)));
}

START_TEST(calls_and_errors_have_their_names) {
    is_called(SYS_read, false, "read");
    is_called(SYS_openat, false, "openat");
    is_called(SYS_exit_group, false, "exit_group");
    is_called(SYS_statx, false, "statx");
    is_called(467, false, "open_tree_attr"); /* the same on all machines */
    is_called(100000, false, "");
    is_called(UINT64_MAX, false, "");
#ifdef __x86_64__
    is_called(0, false, "read");
    is_called(3, true, "read");
    is_called(252, true, "exit_group");
#endif
    const struct call_name *call = call_names_find(SYS_read, false);
    ck_assert_uint_eq(call->n, 3);
    ck_assert_int_eq(call->arguments[0].kind, CALL_DESCRIPTOR);
    ck_assert_int_eq(strncmp(call->arguments[2].name.s, "count", call->arguments[2].name.n), 0);
    struct str error = call_names_error(ENOENT), last = call_names_error(EHWPOISON);
    ck_assert_int_eq(strncmp(error.s, "ENOENT", error.n), 0);
    ck_assert_int_eq(strncmp(last.s, "EHWPOISON", last.n), 0);
    ck_assert_uint_eq(call_names_error(0).n, 0);
    ck_assert_uint_eq(call_names_error(134).n, 0);
    ck_assert_uint_eq(call_names_error(512).n, strlen("ERESTARTSYS"));
}
END_TEST

START_TEST(a_descriptor_has_the_file_of_that_time_or_none) {
    struct descriptors d = {.latest = 0};
    uint32_t pid = (uint32_t)getpid();
    int fd = open("/dev/null", O_RDONLY);
    ck_assert_int_ge(fd, 0);
    uint32_t number = (uint32_t)fd;
    ck_assert_ptr_null(descriptors_known(&d, pid, number, 10));
    descriptors_look(&d, pid, number, 10);
    ck_assert_str_eq(descriptors_known(&d, pid, number, 10), "/dev/null");
    ck_assert_str_eq(descriptors_known(&d, pid, number, 30), "/dev/null");
    ck_assert_ptr_null(descriptors_known(&d, pid, number, 9)); /* it may have been another one */
    descriptors_closed(&d, pid, number, 20);
    ck_assert_str_eq(descriptors_known(&d, pid, number, 20), "/dev/null");
    ck_assert_ptr_null(descriptors_known(&d, pid, number, 21));
    close(fd);
    ck_assert_int_eq(open("/dev/zero", O_RDONLY), fd);
    descriptors_look(&d, pid, number, 15); /* closed since: it is another file now */
    ck_assert_str_eq(descriptors_known(&d, pid, number, 15), "/dev/null");
    descriptors_look(&d, pid, number, 25);
    ck_assert_str_eq(descriptors_known(&d, pid, number, 26), "/dev/zero");
    descriptors_closed(&d, pid, DESCRIPTORS_ALL, 40); /* an exec */
    ck_assert_ptr_null(descriptors_known(&d, pid, number, 41));
    close(fd);
    descriptors_free(&d);
}
END_TEST

static pid_t start(int gate[2]) {
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid > 0)
        return pid;
    char byte;
    close(gate[1]);
    if (read(gate[0], &byte, 1) != 0)
        _exit(1);
    for (int i = 0; i < CALLS; i++)
        syscall(SYS_getppid);
    for (int i = 0; i < FAILURES; i++)
        open("/nowhere/at/all", O_RDONLY);
    if (fork() == 0)
        _exit(0); /* a child: its own end of fork() is none of a call */
    wait(NULL);
    _exit(0);
}

static void enter(struct calls *calls, struct output *output, uint32_t tid, uint64_t number,
                  uint64_t first) {
    const struct call call = {
        .pid = 7, .tid = tid, .number = number, .time = 1000, .ts = 1000, .arguments = {first}};
    calls_enter(calls, output, &call, NULL);
}

START_TEST(calls_that_are_cut_end_and_an_exit_has_its_status) {
    struct calls calls = {.n = 0};
    struct written w;
    written_begin(&w, UINT64_MAX);
    enter(&calls, &w.output, 7, SYS_pause, 0);
    enter(&calls, &w.output, 8, SYS_exit_group, 0x103);
    ck_assert_int_eq(calls_status(&calls, 7), -1);
    ck_assert_int_eq(calls_status(&calls, 8), 3);
    ck_assert_int_eq(calls_status(&calls, 9), -1);
    calls_step(&calls, &w.output, UINT64_C(60000000000), false); /* both begins are written */
    enter(&calls, &w.output, 9, SYS_read, 0);
    calls_cut(&calls, &w.output, UINT64_C(61000000000));
    ck_assert_uint_eq(calls.n, 0);
    ck_assert_int_eq(calls_status(&calls, 8), -1);
    ck_assert(output_close(&w.output, NULL));
    written_read(&w);
    ck_assert_uint_eq(written_count(&w, 4, 2), 2); /* begins */
    ck_assert_uint_eq(written_count(&w, 4, 3), 2); /* their ends */
    ck_assert_uint_eq(written_count(&w, 4, 4), 1); /* one that is complete */
    calls_close(&calls);
    written_end(&w);
}
END_TEST

START_TEST(each_call_is_a_slice) {
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    const struct switches_options options = {.calls = true};
    struct switches switches;
    struct written w;
    struct err err;
    int gate[2];
    pid_t pid = start(gate);
    close(gate[0]);
    bool opened = switches_open(&switches, pid, &ticks, &options, &err);
    close(gate[1]);
    if (!opened || !switches.has_calls) {
        puts(opened ? switches.no_calls.text : err.text);
        waitpid(pid, NULL, 0);
        switches_close(&switches);
        return;
    }
    calls_exec(&switches.calls, (uint32_t)pid); /* it goes on without one */
    written_begin(&w, UINT64_MAX);
    siginfo_t info = {.si_pid = 0};
    while (info.si_pid == 0) {
        ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
        switches_take(&switches, &w.output, &ticks);
    }
    switches_take(&switches, &w.output, &ticks);
    ck_assert_uint_eq(switches.calls.lost, 0);
    ck_assert_uint_eq(switches.calls.n, 0); /* also those that never return */
    waitpid(pid, NULL, 0);
    switches_close(&switches);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    unsigned of[1 << 15] = {0}, most = 0, errors = 0;
    uint64_t enoent = 0;
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        const uint64_t *r = w.v + at;
        if ((r[0] & 15) == 2 && memcmp(r + 1, "ENOENT", 6) == 0)
            enoent = r[0] >> 16 & 0x7fff;
        if ((r[0] & 15) != 4 || (r[0] >> 16 & 15) != 4)
            continue;
        unsigned n = ++of[r[0] >> 48 & 0x7fff];
        most = n > most ? n : most;
        for (size_t i = 2; i < written_size(r[0]); i++) /* a text argument, by index */
            errors += enoent > 0 && (r[i] & 15) == 6 && (r[i] >> 32 & 0x7fff) == enoent;
    }
    ck_assert_uint_eq(most, CALLS);
    ck_assert_uint_ge(errors, FAILURES);
    written_end(&w);
}
END_TEST

SUITE(calls) {
    Suite *s = suite_create("calls");
    TCase *c = tcase_create("calls");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, calls_and_errors_have_their_names);
    tcase_add_test(c, a_descriptor_has_the_file_of_that_time_or_none);
    tcase_add_test(c, calls_that_are_cut_end_and_an_exit_has_its_status);
    tcase_add_test(c, each_call_is_a_slice);
    suite_add_tcase(s, c);
    return s;
}
