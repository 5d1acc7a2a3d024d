/* suite_attach.c - processes that run already: which are refused, and that each of their threads is
 * recorded once, also those that start while it begins. */
#include "record/watch/attach.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/watch/switches.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { ROUNDS = 20, THREADS = 3, STARTED = 40 }; /* as a ring holds until it is read */

static pid_t ended_process(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    return pid;
}

static void refuses(pid_t pid, const char *with) {
    struct attach attach;
    struct err err;
    ck_assert(!attach_open(&attach, &pid, 1, false, &err));
    ck_assert_msg(strstr(err.text, with) != NULL, "%s", err.text);
}

START_TEST(what_cannot_be_recorded_is_refused_by_name) {
    char kernel[64] = "";
    refuses(getpid(), "does not record itself");
    refuses(ended_process(), "there is no such process");
    pid_t zombie = fork();
    if (zombie == 0)
        _exit(0);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)zombie, &info, WEXITED | WNOWAIT), 0);
    refuses(zombie, "it has ended");
    waitpid(zombie, NULL, 0);
    FILE *f = fopen("/proc/2/comm", "r");
    if (f && fgets(kernel, sizeof kernel, f) && strcmp(kernel, "kthreadd\n") == 0)
        refuses(2, "it is a thread of the kernel");
    if (f)
        fclose(f);
}
END_TEST

static int gate[2], told[2];

/* Sleeps often, then waits until the process ends. */
static void *sleeps(void *nothing) {
    (void)nothing;
    for (int i = 0; i < ROUNDS; i++)
        usleep(100);
    return NULL;
}

static void *starts(void *nothing) {
    for (int i = 0; i < STARTED; i++) {
        pthread_t one;
        if (pthread_create(&one, NULL, sleeps, nothing) == 0)
            pthread_detach(one);
        usleep(200);
    }
    return NULL;
}

/* Starts threads until the gate is closed; then one more and a process, and ends. */
static pid_t busy(void) {
    ck_assert_int_eq(pipe(gate), 0);
    ck_assert_int_eq(pipe(told), 0);
    pid_t pid = fork();
    if (pid > 0)
        return pid;
    pthread_t threads[THREADS];
    char byte = 0;
    close(gate[1]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, starts, NULL);
    if (write(told[1], &byte, 1) != 1 || read(gate[0], &byte, 1) != 0)
        _exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    if (pthread_create(&threads[0], NULL, sleeps, NULL) == 0)
        pthread_join(threads[0], NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    _exit(0);
}

/* Each thread comes and goes in turns: none is recorded twice. */
START_TEST(each_thread_is_recorded_once) {
    struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};
    struct switches switches;
    struct attach attach;
    struct written w;
    struct err err;
    char byte;
    pid_t pid = busy();
    close(gate[0]);
    ck_assert_int_eq(read(told[0], &byte, 1), 1);
    ck_assert_msg(attach_open(&attach, &pid, 1, false, &err), "%s", err.text);
    ck_assert(attach_goes_on(&attach));
    const struct switches_options options = {.switches = true, .attach = &attach};
    bool opened = switches_open(&switches, 0, &ticks, &options, &err);
    close(gate[1]);
    if (!opened) {
        ck_assert_int_eq(strncmp(err.text, "no context switches: ", 21), 0);
        puts(err.text);
        waitpid(pid, NULL, 0);
        attach_close(&attach);
        return;
    }
    written_begin(&w, UINT64_MAX);
    switches_begin(&switches, &w.output);
    siginfo_t info = {.si_pid = 0};
    while (info.si_pid == 0) {
        ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
        switches_take(&switches, &w.output, &ticks);
    }
    ck_assert(!attach_goes_on(&attach));
    switches_take(&switches, &w.output, &ticks);
    ck_assert_uint_eq(switches.lost, 0);
    ck_assert(!switches_has_threads(&switches));
    waitpid(pid, NULL, 0);
    switches_close(&switches);
    attach_close(&attach);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    struct u64map runs = {0}; /* thread -> 1: it came, 2: it went */
    unsigned dead = 0;
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        const uint64_t *r = w.v + at;
        if ((r[0] & 15) != 8 || r[0] >> 60 != 1)
            continue;
        uint64_t tid = r[2] ? r[2] : r[3], now = r[2] ? 2 : 1,
                 before = u64map_get(&runs, u64map_key(tid));
        bool dies = r[2] && (r[0] >> 36 & 15) == 5;
        ck_assert_msg(dies || before == UINT64_MAX || before != now, "thread %u twice",
                      (unsigned)tid);
        u64map_set(&runs, u64map_key(tid), now);
        dead += dies;
    }
    ck_assert_uint_ge(dead, 3); /* the main thread, the last one, and the child */
    u64map_free(&runs);
    written_end(&w);
}
END_TEST

SUITE(attach) {
    Suite *s = suite_create("attach");
    TCase *c = tcase_create("attach");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, what_cannot_be_recorded_is_refused_by_name);
    tcase_add_test(c, each_thread_is_recorded_once);
    suite_add_tcase(s, c);
    return s;
}
