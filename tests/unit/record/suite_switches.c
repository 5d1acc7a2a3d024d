/* suite_switches.c - context switches of a program whose switches are known: ins = outs + exits, in
 * order. */
#include "record/watch/switches.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { ROUNDS = 300, PROCESSORS = 1024 };

static const struct switches_options all = {.switches = true};

/* Two processes that hand a byte to and fro: each round blocks both. Waits at the gate first. */
static pid_t ping_pong(int gate[2]) {
    pid_t pid = fork();
    if (pid == 0) {
        int there[2], back[2];
        char byte = 0;
        close(gate[1]);
        if (read(gate[0], &byte, 1) < 0 || pipe(there) != 0 || pipe(back) != 0)
            _exit(1);
        pid_t other = fork();
        for (int i = 0; i < ROUNDS; i++) {
            if (other > 0 && (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1))
                _exit(1);
            if (other == 0 && (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1))
                _exit(1);
        }
        if (other > 0)
            waitpid(other, NULL, 0);
        _exit(0);
    }
    return pid;
}

/* Records a process that waits at the gate, up to its end. False: the kernel refuses. */
static bool record(pid_t pid, int gate[2], struct switches *switches, struct written *w) {
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    struct err err;
    int status;
    close(gate[0]);
    bool opened = switches_open(switches, pid, &ticks, &all, &err);
    close(gate[1]);
    if (!opened) {
        ck_assert_int_eq(strncmp(err.text, "no context switches: ", 21), 0);
        puts(err.text);
        waitpid(pid, NULL, 0);
        return false;
    }
    written_begin(w, UINT64_MAX);
    while (waitpid(pid, &status, WNOHANG) == 0)
        switches_take(switches, &w->output, &ticks);
    ck_assert_int_eq(status, 0);
    switches_take(switches, &w->output, &ticks);
    return true;
}

/* Ends the recording. */
static void end(struct switches *switches, struct written *w) {
    struct err err;
    switches_close(switches);
    ck_assert(output_close(&w->output, &err));
}

START_TEST(each_switch_in_has_its_switch_out_or_exit) {
    struct switches switches;
    struct written w;
    int gate[2];
    static uint64_t last[PROCESSORS];
    uint64_t ins = 0, outs = 0, dead = 0, wakeups = 0, wakers = 0;
    ck_assert_int_eq(pipe(gate), 0);
    if (!record(ping_pong(gate), gate, &switches, &w))
        return;
    ck_assert_uint_eq(switches.lost, 0);
    bool has_wakes = switches.wakes.rings.n > 0;
    end(&switches, &w);
    written_read(&w);
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        const uint64_t *r = w.v + at; /* type 8: header, time, outgoing, incoming thread */
        unsigned cpu = (unsigned)(r[0] >> 20 & 0xffff), state = (unsigned)(r[0] >> 36 & 15);
        if ((r[0] & 15) != 8)
            continue;
        if (r[0] >> 60 == 2) { /* of a wakeup: header, time, thread, and the waker if it is known */
            wakeups++;
            wakers += (r[0] >> 16 & 15) == 1;
            continue;
        }
        ck_assert_uint_lt(cpu, PROCESSORS);
        ck_assert_uint_ge(r[1], last[cpu]);
        last[cpu] = r[1];
        ck_assert((r[2] == 0) != (r[3] == 0)); /* the other side is idle */
        ins += r[2] == 0;
        outs += r[2] != 0 && state != 5;
        dead += r[2] != 0 && state == 5;
    }
    ck_assert_uint_eq(dead, 2);
    ck_assert(!has_wakes || wakers >= ROUNDS / 2); /* each byte that is awaited wakes its reader */
    ck_assert_uint_ge(wakeups, wakers);
    ck_assert_uint_ge(outs, ROUNDS / 2); /* a processor each may keep both from sleeping at times */
    ck_assert_uint_le(ins, outs + dead);
    /* the first ran before the rings were there; the dead leave once more */
    ck_assert_uint_ge(ins + 3, outs + dead);
    written_end(&w);
}
END_TEST

static void *execute(void *unused) {
    (void)unused;
    execlp("true", "true", (char *)NULL);
    _exit(1);
}

START_TEST(a_thread_that_executes_takes_the_number_of_the_first) {
    struct switches switches;
    struct written w;
    int gate[2];
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        pthread_t thread;
        close(gate[1]);
        if (read(gate[0], &byte, 1) == 0 && pthread_create(&thread, NULL, execute, NULL) == 0)
            pthread_join(thread, NULL);
        _exit(1);
    }
    if (!record(pid, gate, &switches, &w))
        return;
    ck_assert(!switches_has_threads(&switches));
    ck_assert_uint_eq(switches.unseen.programs.n, 0);
    end(&switches, &w);
    written_end(&w);
}
END_TEST

START_TEST(after_an_exec_a_take_is_due_soon) {
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    struct switches switches;
    struct written w;
    struct err err;
    char byte;
    int gate[2];
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(gate[1]);
        if (read(gate[0], &byte, 1) == 0)
            execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    close(gate[0]);
    bool opened = switches_open(&switches, pid, &ticks, &all, &err);
    close(gate[1]);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    if (!opened)
        return;
    written_begin(&w, UINT64_MAX);
    ck_assert_uint_eq(switches.take_at, 0);
    uint64_t before = ticks_monotonic();
    switches_take(&switches, &w.output, &ticks);
    ck_assert_uint_gt(switches.take_at, before);
    ck_assert_uint_le(switches.take_at, ticks_monotonic() + 10000000);
    switches.busy_until = before; /* the time is over */
    switches_take(&switches, &w.output, &ticks);
    ck_assert_uint_eq(switches.take_at, 0);
    end(&switches, &w);
    written_end(&w);
}
END_TEST

/* A copy of a program whose owner's rights the caller lacks; false: the machine or the user cannot
 * make one. */
static bool make_setuid(char path[SCRATCH_PATH]) {
    char command[2 * SCRATCH_PATH + 64];
    int fd = scratch_file(path, "setuid");
    struct statvfs fs;
    ck_assert_int_ge(fd, 0);
    close(fd);
    snprintf(command, sizeof command, "cp /bin/true '%s' && chmod 4755 '%s'", path, path);
    return geteuid() == 0 && system(command) == 0 && statvfs(path, &fs) == 0 &&
           (fs.f_flag & ST_NOSUID) == 0;
}

/* Whatever is known of the process when the records are taken. */
START_TEST(a_setuid_program_is_unknown_from_its_exec_to_its_end) {
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    struct switches switches;
    struct written w;
    struct err err;
    char path[SCRATCH_PATH], byte;
    int gate[2];
    bool can = make_setuid(path);
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(gate[1]);
        if (read(gate[0], &byte, 1) == 0 && setuid(can ? 65534 : getuid()) == 0)
            execl(can ? path : "/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    close(gate[0]);
    bool opened = switches_open(&switches, pid, &ticks, &all, &err);
    close(gate[1]);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    if (opened) {
        unsigned of[16] = {0};
        written_begin(&w, UINT64_MAX);
        switches_take(&switches, &w.output, &ticks);
        ck_assert_uint_eq(switches.unseen.programs.n, can);
        end(&switches, &w);
        written_read(&w);
        for (size_t at = 0; at < w.n; at += written_size(w.v[at]))
            if ((w.v[at] & 15) == 8 && w.v[at] >> 60 == 1 && w.v[at + 2] == (uint64_t)pid)
                of[w.v[at] >> 36 & 15]++;
        ck_assert_uint_eq(of[15], can);
        ck_assert_uint_eq(of[5], 1);
        written_end(&w);
    }
    unlink(path);
}
END_TEST

enum { AS_ASKED = 10, NOT_LIMITED };

/* The first recording takes what the kernel locks for each user. Besides, this one may lock a third
 * of that. */
static int open_often(void) {
    rlim_t more = (rlim_t)sysconf(_SC_NPROCESSORS_CONF) * (170 << 10);
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    struct switches first, second, third;
    struct err err = {0};
    if ((geteuid() == 0 && setuid(65534) != 0) ||
        setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){more, more}) != 0 ||
        !switches_open(&first, getpid(), &ticks, &all, &err))
        return NOT_LIMITED;
    size_t whole = first.rings.data;
    if (!switches_open(&second, getpid(), &ticks, &all,
                       &err)) /* more recordings of that user go on */
        return strstr(err.text, "no memory to lock") ? NOT_LIMITED : 1;
    if (second.rings.data == whole)
        return NOT_LIMITED;
    while (switches_open(&third, getpid(), &ticks, &all, &err))
        if (third.rings.data > second.rings.data)
            return 2;
    return strstr(err.text, "no memory to lock") ? AS_ASKED : 3;
}

START_TEST(further_recordings_have_smaller_rings) {
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(open_often());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    ck_assert_int_ge(WEXITSTATUS(status), AS_ASKED);
}
END_TEST

SUITE(switches) {
    Suite *s = suite_create("switches");
    TCase *c = tcase_create("switches");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, a_thread_that_executes_takes_the_number_of_the_first);
    tcase_add_test(c, after_an_exec_a_take_is_due_soon);
    tcase_add_test(c, a_setuid_program_is_unknown_from_its_exec_to_its_end);
    tcase_add_test(c, further_recordings_have_smaller_rings);
    tcase_add_test(c, each_switch_in_has_its_switch_out_or_exit);
    suite_add_tcase(s, c);
    return s;
}
