/* suite_sample.c - counters of a process are written when they change, at the interval, and not
 * after its end. */
#include "record/watch/sample.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/watch/death.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

#define INTERVAL 100000000 /* ns */

static struct output output;
static struct ticks ticks = {.per_second = 1000000000};
static struct sample sample;
static uint64_t now;

/* A process whose counters stay as they are: it has stopped. */
static pid_t stopped(void) {
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    ck_assert(WIFSTOPPED(status));
    return pid;
}

/* The number of counters that a sample after so many ns writes. */
static uint64_t counters_after(uint64_t ns) {
    uint64_t before = output.records;
    now += ns;
    sample_take(&sample, &output, &ticks, now);
    return output.records - before;
}

static pid_t begin(void) {
    struct err err;
    pid_t pid = stopped();
    now = ticks_monotonic();
    ck_assert(output_open(&output, "/dev/null", UINT64_MAX, &err));
    sample_open(&sample, pid, INTERVAL, false);
    return pid;
}

static void end(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void close_all(void) {
    sample_close(&sample);
    ck_assert(output_close(&output, NULL));
}

START_TEST(counters_are_written_when_they_change) {
    pid_t pid = begin();
    ck_assert_uint_eq(counters_after(0), 1);                        /* rss */
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 1); /* cpu: 0 */
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 0);
    end(pid);
    close_all();
}
END_TEST

START_TEST(a_process_that_has_ended_is_forgotten) {
    pid_t pid = begin();
    ck_assert_uint_eq(counters_after(0), 1);
    end(pid);
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 0);
    ck_assert_uint_eq(sample.v.n, 0);
    close_all();
}
END_TEST

START_TEST(samples_keep_their_interval) {
    pid_t pid = begin();
    ck_assert_uint_eq(counters_after(0), 1);
    counters_after(100 * (uint64_t)INTERVAL);
    ck_assert_uint_ge(sample.next, now + INTERVAL);
    uint64_t next = sample.next;
    counters_after(INTERVAL / 2);
    ck_assert_uint_eq(sample.next, next);
    end(pid);
    close_all();
}
END_TEST

START_TEST(the_first_samples_come_sooner) {
    ck_assert_uint_eq(sample_pause(INTERVAL, 0, 0), INTERVAL / 20);
    ck_assert_uint_eq(sample_pause(INTERVAL, INTERVAL / 2, 0), INTERVAL / 2);
    ck_assert_uint_eq(sample_pause(INTERVAL, 3 * (uint64_t)INTERVAL, 0), INTERVAL);
    ck_assert_uint_eq(sample_pause(INTERVAL, 0, INTERVAL), 100 * (uint64_t)INTERVAL); /* it cost */
    pid_t pid = begin();
    counters_after(0);
    ck_assert_uint_ge(sample.next, now + INTERVAL / 20);
    counters_after(sample.next - now);
    ck_assert(sample.v.v[0].has_percent);
    end(pid);
    close_all();
}
END_TEST

START_TEST(a_name_is_written_when_it_changes_and_the_life_under_it) {
    pid_t pid = begin();
    sample.names = true;
    ck_assert_uint_eq(counters_after(0), 3); /* the name, the begin of its life, rss */
    char name[16];
    memcpy(name, sample.v.v[0].name, sizeof name);
    ck_assert_str_ne(name, "");
    counters_after(100 * (uint64_t)INTERVAL);
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 0);
    memcpy(sample.v.v[0].name, "another", 8);
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 3); /* an end and a begin */
    ck_assert_str_eq(sample.v.v[0].name, name);
    end(pid);
    /* its end, no memory; cpu was 0 */
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 2);
    close_all();
}
END_TEST

/* Stops; then its child writes 1 MB, which it waits for, and it stops again. */
static pid_t waiting(void) {
    static char bytes[1 << 20];
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        raise(SIGSTOP);
        pid_t child = fork();
        if (child == 0)
            _exit(write(open("/dev/null", O_WRONLY | O_CLOEXEC), bytes, sizeof bytes) < 0);
        waitpid(child, NULL, 0);
        raise(SIGSTOP);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    return pid;
}

START_TEST(what_children_write_is_not_their_parents) {
    struct err err;
    pid_t pid = waiting();
    now = ticks_monotonic();
    ck_assert(output_open(&output, "/dev/null", UINT64_MAX, &err));
    sample_open(&sample, pid, INTERVAL, false);
    counters_after(INTERVAL);
    kill(pid, SIGCONT);
    ck_assert_int_eq(waitpid(pid, NULL, WUNTRACED), pid);
    counters_after(100 * (uint64_t)INTERVAL);
    ck_assert(sample.v.v[0].known && sample.v.v[0].writing == 0);
    end(pid);
    close_all();
}
END_TEST

START_TEST(a_zombie_has_no_counters) {
    siginfo_t info;
    pid_t pid = begin();
    ck_assert_uint_eq(counters_after(0), 1);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 0);
    end(pid);
    close_all();
}
END_TEST

/* A process that loses its memory takes long enough to end that samples are taken meanwhile. */
START_TEST(a_process_without_memory_has_ended) {
    struct written w;
    int go[2];
    size_t n = 32 << 20;
    char byte;
    ck_assert_int_eq(pipe(go), 0);
    pid_t pid = fork();
    if (pid == 0) {
        void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                       -1, 0);
        _exit(p == MAP_FAILED || read(go[0], &byte, 1) != 1);
    }
    now = ticks_monotonic();
    written_begin(&w, UINT64_MAX);
    output = w.output;
    sample_open(&sample, pid, INTERVAL, false);
    counters_after(0);
    ck_assert_int_eq(write(go[1], "", 1), 1);
    while (sample.v.n > 0)
        counters_after(100 * (uint64_t)INTERVAL);
    waitpid(pid, NULL, 0);
    close(go[0]);
    close(go[1]);
    close_all();
    written_read(&w);
    /* of one unsigned argument: resident memory */
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        bool is_rss = (w.v[at] & 15) == 4 && (w.v[at] >> 16 & 15) == 1 && (w.v[at + 2] & 15) == 4;
        MUST(!is_rss || w.v[at + 3] > 0, (int)at);
    }
    written_end(&w);
}
END_TEST

START_TEST(a_rate_holds_from_the_begin_of_its_interval) {
    struct written w;
    uint64_t times[2] = {0, 1};
    size_t n = 0;
    pid_t pid = stopped();
    now = ticks_monotonic();
    written_begin(&w, UINT64_MAX);
    output = w.output;
    sample_open(&sample, pid, INTERVAL, false);
    ck_assert_uint_eq(counters_after(0), 1);                        /* rss */
    ck_assert_uint_eq(counters_after(100 * (uint64_t)INTERVAL), 1); /* cpu */
    end(pid);
    close_all();
    written_read(&w);
    for (size_t at = 0; at < w.n; at += written_size(w.v[at]))
        if ((w.v[at] & 15) == 4 && n < 2)
            times[n++] = w.v[at + 1];
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(times[0], times[1]);
    written_end(&w);
}
END_TEST

/* Stops with a child that has stopped. */
static pid_t with_child(void) {
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        pid_t child = stopped();
        raise(SIGSTOP);
        end(child);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    return pid;
}

START_TEST(a_child_has_counters_after_an_interval) {
    struct err err;
    pid_t pid = with_child();
    now = ticks_monotonic();
    ck_assert(output_open(&output, "/dev/null", UINT64_MAX, &err));
    sample_open(&sample, pid, UINT64_C(1000) * INTERVAL, false);
    ck_assert_uint_eq(counters_after(0), 1); /* rss of the program */
    ck_assert_uint_eq(sample.v.n, 2);
    ck_assert_uint_eq(counters_after(UINT64_C(1000) * INTERVAL), 1); /* its cpu */
    sample.v.v[1].since -= UINT64_C(1000) * INTERVAL;
    ck_assert_uint_eq(counters_after(UINT64_C(1000) * INTERVAL), 2); /* cpu and rss of the child */
    kill(pid, SIGCONT);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    close_all();
}
END_TEST

START_TEST(without_an_interval_nothing_is_sampled) {
    pid_t pid = begin();
    sample_close(&sample);
    sample_open(&sample, pid, 0, false);
    ck_assert_uint_eq(counters_after(INTERVAL), 0);
    end(pid);
    close_all();
}
END_TEST

START_TEST(a_process_that_does_not_see_the_socket_is_known) {
    char path[SCRATCH_PATH];
    pid_t pid = begin();
    ck_assert(scratch_write(path, "sample", "", 0));
    counters_after(0);
    sample.socket = path;
    counters_after(INTERVAL);
    ck_assert_uint_eq(sample.blind, 0);
    unlink(path);
    counters_after(100 * (uint64_t)INTERVAL);
    ck_assert_uint_eq(sample.blind, (uint64_t)pid);
    ck_assert_str_ne(sample.blind_name, "");
    sample_close(&sample);
    sample_open(&sample, pid, 0, false); /* also if nothing is sampled */
    sample.socket = path;
    ck_assert_uint_eq(counters_after(INTERVAL), 0);
    ck_assert_uint_eq(sample.blind, (uint64_t)pid);
    ck_assert(!sample_goes_on(&sample)); /* one is enough */
    end(pid);
    close_all();
}
END_TEST

static bool is_traced(void *ctx, uint32_t pid) {
    (void)pid;
    return *(const bool *)ctx;
}

/* A stopped process of that user, with a thread that has the name of the library's. */
static pid_t begin_with_library(uid_t user) {
    struct err err;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_NAME, "fxttrace");
        raise(setresuid(user, user, user) == 0 ? SIGSTOP : SIGKILL);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    ck_assert(WIFSTOPPED(status));
    now = ticks_monotonic();
    ck_assert(output_open(&output, "/dev/null", UINT64_MAX, &err));
    sample_open(&sample, pid, INTERVAL, false);
    return pid;
}

START_TEST(a_process_with_the_library_that_cannot_connect_is_counted_once) {
    char path[SCRATCH_PATH];
    for (int of_other = 0; of_other < (geteuid() == 0 ? 2 : 1); of_other++) {
        bool traced = of_other;
        pid_t pid = begin_with_library(of_other ? 65534 : geteuid());
        ck_assert(scratch_write(path, "sample", "", 0));
        sample.socket = path;
        sample.is_traced = is_traced;
        sample.ctx = &traced;
        counters_after(INTERVAL);
        ck_assert_uint_eq(sample.unreached.n, 0);
        if (!of_other)
            unlink(path);
        for (int i = 0; i < 20; i++) {
            traced = i < 3;
            counters_after(10 * (uint64_t)INTERVAL);
            ck_assert(i >= 3 || sample.unreached.n == 0);
        }
        ck_assert_uint_eq(sample.unreached.n, 1);
        ck_assert_uint_eq(sample.unreached.first[0].pid, (uint64_t)pid);
        ck_assert_int_eq(sample.unreached.first[0].error, of_other ? EPERM : 0);
        unlink(path);
        end(pid);
        close_all();
    }
}
END_TEST

/* Two processes on one processor: each waits for the other half of the time, which the counter
 * shows. */
START_TEST(time_without_a_processor_is_a_counter) {
    pid_t pids[2], other;
    cpu_set_t one;
    if (access("/proc/self/schedstat", R_OK) != 0)
        return; /* a kernel that does not count it */
    CPU_ZERO(&one);
    ck_assert_int_eq(sched_getaffinity(0, sizeof one, &one), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &one))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    for (int i = 0; i < 2; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            sched_setaffinity(0, sizeof one, &one);
            for (;;)
                ;
        }
    }
    other = begin();
    sample.v.v[0].pid = (uint32_t)pids[0];
    counters_after(0);
    while (!sample.v.v[0].has_waiting) {
        poll(NULL, 0, 10);
        counters_after(100 * (uint64_t)INTERVAL);
    }
    ck_assert(sample.v.v[0].waiting > 0);
    for (int i = 0; i < 2; i++)
        end(pids[i]);
    end(other);
    close_all();
}
END_TEST

START_TEST(the_signal_of_a_death_is_known_while_the_process_is_there) {
    static const int signals[] = {0, SIGKILL, SIGUSR1, SIGSTOP};
    siginfo_t info;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            raise(signals[i]);
            _exit(9); /* no signal */
        }
        int watch = death_watch(pid), ends = signals[i] == SIGSTOP ? 0 : signals[i];
        ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOWAIT), 0);
        MUST(death_signal(-1, pid) == ends, signals[i]);
        MUST(death_is_far(pid, pid) == (signals[i] == SIGSTOP), signals[i]);
        MUST(death_signal(watch, pid) == ends, signals[i]);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        int after = death_signal(watch, pid); /* newer kernels know */
        MUST(after == 0 || after == (signals[i] == SIGSTOP ? SIGKILL : ends), signals[i]);
        MUST(death_signal(-1, pid) == 0 && !death_is_far(pid, pid), signals[i]);
        close(watch);
    }
}
END_TEST

SUITE(sample) {
    Suite *s = suite_create("sample");
    TCase *t = tcase_create("counters");
    tcase_add_test(t, counters_are_written_when_they_change);
    tcase_add_test(t, a_process_that_has_ended_is_forgotten);
    tcase_add_test(t, samples_keep_their_interval);
    tcase_add_test(t, the_first_samples_come_sooner);
    tcase_add_test(t, a_name_is_written_when_it_changes_and_the_life_under_it);
    tcase_add_test(t, what_children_write_is_not_their_parents);
    tcase_add_test(t, a_zombie_has_no_counters);
    tcase_add_test(t, a_process_without_memory_has_ended);
    tcase_add_test(t, a_rate_holds_from_the_begin_of_its_interval);
    tcase_add_test(t, a_child_has_counters_after_an_interval);
    tcase_add_test(t, without_an_interval_nothing_is_sampled);
    tcase_add_test(t, a_process_that_does_not_see_the_socket_is_known);
    tcase_add_test(t, a_process_with_the_library_that_cannot_connect_is_counted_once);
    tcase_add_test(t, time_without_a_processor_is_a_counter);
    tcase_add_test(t, the_signal_of_a_death_is_known_while_the_process_is_there);
    suite_add_tcase(s, t);
    return s;
}
