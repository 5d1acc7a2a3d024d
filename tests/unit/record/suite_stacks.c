/* suite_stacks.c - stack samples of a process that computes: their number is its CPU time, and all
 * are of it. */
#include "record/watch/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/watch/switches.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

#define COMPUTES_NS 300000000
#define PERIOD_NS 1001001
#define PATIENCE_NS UINT64_C(60000000000)

static const struct switches_options sampled = {.switches = true, .period = PERIOD_NS};
static const struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};

static uint64_t cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static unsigned add_up(unsigned x) {
    for (int i = 0; i < 100000; i++)
        x = x * 1664525 + 1013904223;
    return x;
}

/* Waits at the gate, computes, and blocks twenty times. */
static pid_t compute(const int gate[2]) {
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        unsigned x = 1;
        close(gate[1]);
        if (read(gate[0], &byte, 1) < 0)
            _exit(1);
        while (cpu_time() < COMPUTES_NS)
            x = add_up(x);
        for (int i = 0; i < 20; i++)
            nanosleep(&(struct timespec){0, 1000000 + (long)(x & 1)}, NULL);
        _exit(0);
    }
    return pid;
}

/* False: the kernel refuses, which is one line. */
static bool record(struct switches *s, struct written *w, uint64_t *cpu, pid_t *pid) {
    struct err err;
    struct rusage used;
    int gate[2], status;
    ck_assert_int_eq(pipe(gate), 0);
    *pid = compute(gate);
    close(gate[0]);
    bool opened = switches_open(s, *pid, &ticks, &sampled, &err);
    written_begin(w, UINT64_MAX);
    if (opened)
        stacks_begin(&s->stacks, &w->output);
    close(gate[1]);
    while (wait4(*pid, &status, WNOHANG, &used) == 0)
        switches_take(s, &w->output, &ticks);
    ck_assert_int_eq(status, 0);
    switches_take(s, &w->output, &ticks);
    if (opened)
        stacks_finish(&s->stacks, &w->output, PATIENCE_NS);
    *cpu = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
           (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
    if (!opened)
        ck_assert_int_eq(strncmp(err.text, "no ", 3), 0);
    return opened;
}

START_TEST(samples_times_their_period_are_cpu_time) {
    struct switches s;
    struct written w;
    struct err err;
    uint64_t cpu;
    pid_t pid;
    bool opened = record(&s, &w, &cpu, &pid);
    uint64_t samples = s.stacks.samples, lost = s.stacks.lost, skipped = s.stacks.skipped;
    bool leaves = s.stacks.leaves.n > 0;
    switches_close(&s);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    if (opened) {
        unsigned stacks = written_count(&w, 10, 2);
        /* on a slow machine some find no space, and are counted */
        uint64_t sampled_ns = (samples + lost) * PERIOD_NS;
        ck_assert_uint_ge(stacks, leaves ? samples + 20 - (skipped < 20 ? skipped : 20) : samples);
        ck_assert_uint_ge(sampled_ns, cpu / 100 * 90); /* the process is short */
        ck_assert_uint_le(sampled_ns, cpu / 100 * 105 + 2 * PERIOD_NS);
        ck_assert_uint_ge(written_count(&w, 5, -1), 1); /* the period, and names */
    }
    written_end(&w);
}
END_TEST

/* Whether there is a stack of that time. */
static bool has_stack(const struct written *w, uint64_t time) {
    for (size_t at = 0; at < w->n; at += written_size(w->v[at]))
        if ((w->v[at] & 15) == 10 && (w->v[at] >> 16 & 15) == 2 && w->v[at + 1] == time)
            return true;
    return false;
}

/* Each stack of a switch has the time of a switch at which its thread blocks. It may have blocked
 * at the gate before there were such stacks. */
START_TEST(a_stack_of_a_switch_has_the_time_of_the_switch) {
    struct switches s;
    struct written w;
    struct err err;
    uint64_t cpu;
    pid_t pid;
    bool opened = record(&s, &w, &cpu, &pid) && s.stacks.leaves.n > 0;
    uint64_t lost = s.lost, skipped = s.stacks.skipped;
    switches_close(&s);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    unsigned blocks = 0, with_stack = 0;
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        const uint64_t *r = w.v + at;
        bool block = (r[0] & 15) == 8 && r[2] == (uint64_t)pid && (r[0] >> 36 & 15) == 3,
             has = block && has_stack(&w, r[1]);
        with_stack += has;
        blocks += block && with_stack > 0;
    }
    if (opened) {
        ck_assert_uint_ge(blocks + lost, 20);
        ck_assert_uint_le(with_stack, blocks);
        ck_assert_uint_ge(with_stack + skipped, blocks);
    }
    written_end(&w);
}
END_TEST

SUITE(stacks) {
    Suite *s = suite_create("stacks");
    TCase *c = tcase_create("stacks");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, samples_times_their_period_are_cpu_time);
    tcase_add_test(c, a_stack_of_a_switch_has_the_time_of_the_switch);
    suite_add_tcase(s, c);
    return s;
}
