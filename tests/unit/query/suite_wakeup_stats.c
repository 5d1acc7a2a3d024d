/* suite_wakeup_stats.c - wake-up latency, waits by waker and idle CPUs of random traces, against a
 * reading ns by ns. */
#include "model/query/stat/waits/wakeup_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define TIMES 500
#define CPUS 2
#define THREADS 7 /* the first CPUS of them are idle threads */
#define NO_STATE 255
#define NOBODY -1

static struct {
    unsigned char state[TIMES + 2];
    bool woken[TIMES + 2];
    int since[TIMES + 2], waker[TIMES + 2];
} slow[THREADS];
static int on_cpu[CPUS], cpu_at[CPUS][TIMES + 2], now;

static void becomes(int thread, int state, bool woken, int waker) {
    for (int t = now; t <= TIMES; t++) {
        slow[thread].state[t] = (unsigned char)state;
        slow[thread].woken[t] = woken;
        slow[thread].since[t] = now;
        slow[thread].waker[t] = waker;
    }
}

static int weight(int thread) {
    return thread < CPUS ? INT32_MIN : 10;
}

static void switch_to(FILE *f, int cpu, int in, int state) {
    int out = on_cpu[cpu];
    fprintf(f, "switch %d %d %d %d %d outgoing_weight=i32:%d incoming_weight=i32:%d\n", now, cpu,
            out + 10, out < CPUS ? 1 : state, in + 10, weight(out), weight(in));
    if (slow[out].state[now] == NO_STATE)
        for (int t = 0; t < now; t++)
            slow[out].state[t] = SCHED_RUNNING;
    becomes(out, out < CPUS ? SCHED_RUNNABLE : state, false, NOBODY);
    becomes(in, SCHED_RUNNING, false, NOBODY);
    on_cpu[cpu] = in;
    for (int t = now; t <= TIMES; t++)
        cpu_at[cpu][t] = in;
}

static void switches(FILE *f, struct chance *c) {
    int cpu = (int)below(c, CPUS), in = (int)below(c, THREADS);
    if (in < CPUS)
        in = cpu;
    for (int k = 0; k < CPUS; k++)
        if (on_cpu[k] == in)
            return;
    /* mostly only after a wakeup */
    if (in >= CPUS && slow[in].state[now] == SCHED_BLOCKED && below(c, 4))
        return;
    switch_to(f, cpu, in, below(c, 3) ? SCHED_BLOCKED : SCHED_RUNNABLE);
}

static void wakes(FILE *f, struct chance *c) {
    int thread = CPUS + (int)below(c, THREADS - CPUS), waker = CPUS + (int)below(c, THREADS - CPUS);
    bool named = below(c, 3);
    if (slow[thread].state[now] == SCHED_RUNNING || slow[thread].state[now] == SCHED_RUNNABLE)
        return;
    fprintf(f, named ? "wakeup %d 0 %d waker=koid:%d\n" : "wakeup %d 0 %d\n", now, thread + 10,
            waker + 10);
    becomes(thread, SCHED_RUNNABLE, true, named ? waker : NOBODY);
}

static struct trace *any_trace(struct chance *c) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    memset(slow, 0, sizeof slow);
    now = 0;
    for (int i = 0; i < THREADS; i++)
        memset(slow[i].state, NO_STATE, sizeof slow[i].state);
    for (int i = 0; i < CPUS; i++) {
        on_cpu[i] = i;
        for (int t = 0; t <= TIMES; t++)
            cpu_at[i][t] = i;
    }
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < THREADS; i++)
        fprintf(f, "thread %d 1 %d\n", i + 1, i + 10);
    fputs("instant 0 1/16 \"c\" \"first\"\n", f);
    for (int i = 0; i < CPUS; i++) {
        /* a first run of no length is left out, but the thread is idle */
        now += i > 0 || below(c, 2);
        switch_to(f, i, CPUS + i, SCHED_BLOCKED);
    }
    for (uint64_t events = below(c, 130); events > 0; events--) {
        now += 1 + (int)below(c, 3);
        if (below(c, 2))
            wakes(f, c);
        else
            switches(f, c);
    }
    now++;
    fprintf(f, "instant %d 1/16 \"c\" \"last\"\n", now);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* ---- the slow reading ---- */

struct sums {
    uint64_t wakeups;
    int64_t latency, longest, runnable, blocked, idle, idle_wanted;
};

static bool is_known(int thread, int t) { /* nothing follows from a wakeup alone */
    return slow[thread].state[t] != NO_STATE &&
           !(slow[thread].woken[t] && slow[thread].since[t] == slow[thread].since[TIMES] &&
             (slow[thread].since[t] == 0 ||
              slow[thread].state[slow[thread].since[t] - 1] == NO_STATE));
}

static bool begins_to_run(int thread, int t) {
    return slow[thread].state[t] == SCHED_RUNNING && slow[thread].since[t] == t && t > 0;
}

static void add_latency(struct sums *sums, int64_t ns) {
    sums->wakeups++;
    sums->latency += ns;
    sums->longest = ns > sums->longest ? ns : sums->longest;
}

static int end_of(int thread, int t) {
    int end = t;
    while (end < TIMES && slow[thread].since[end] == slow[thread].since[t])
        end++;
    return end;
}

static void slow_sums(const bool *asked, int from, int to, struct sums *threads, struct sums *cpus,
                      struct sums *wakers) {
    for (int t = from; t < to; t++) {
        bool wanted = false;
        for (int i = CPUS; i < THREADS; i++) {
            int state = is_known(i, t) ? slow[i].state[t] : NO_STATE, end = end_of(i, t);
            int waker = state == SCHED_BLOCKED && end <= now && slow[i].woken[end]
                            ? slow[i].waker[end]
                            : NOBODY;
            wanted = wanted || state == SCHED_RUNNABLE;
            if (!asked[i])
                continue;
            if (begins_to_run(i, t) && slow[i].state[t - 1] == SCHED_RUNNABLE &&
                slow[i].woken[t - 1]) {
                add_latency(&threads[i], t - slow[i].since[t - 1]);
                for (int cpu = 0; cpu < CPUS; cpu++)
                    if (cpu_at[cpu][t] == i)
                        add_latency(&cpus[cpu], t - slow[i].since[t - 1]);
            }
            threads[i].runnable += state == SCHED_RUNNABLE;
            threads[i].blocked += state == SCHED_BLOCKED;
            if (state == SCHED_RUNNABLE && slow[i].woken[t])
                wakers[slow[i].waker[t] + 1].runnable++;
            if (state == SCHED_BLOCKED)
                wakers[waker + 1].blocked++;
        }
        for (int cpu = 0; cpu < CPUS; cpu++) {
            cpus[cpu].idle += cpu_at[cpu][t] < CPUS;
            cpus[cpu].idle_wanted += cpu_at[cpu][t] < CPUS && wanted;
        }
    }
}

/* ---- the comparison ---- */

static const struct wakeup_row *row_of(const struct wakeup_rows *rows, uint32_t of) {
    static const struct wakeup_row none = {.longest = -1};
    uint64_t k = u64map_get(&rows->by, of);
    return k == UINT64_MAX ? &none : &rows->v.v[k];
}

static void compare_row(const struct wakeup_row *row, const struct sums *sums, int set) {
    MUST(row->wakeups == sums->wakeups && sum_ns(row->latency) == sums->latency, set);
    MUST(row->latencies.v.n == sums->wakeups, set);
    MUST(sums->wakeups == 0 || (row->longest == sums->longest &&
                                quantiles_at(&row->latencies, 1000) == sums->longest),
         set);
    MUST(sum_ns(row->runnable) == sums->runnable && sum_ns(row->blocked) == sums->blocked, set);
    MUST(row->idle == sums->idle && row->idle_wanted == sums->idle_wanted, set);
}

static void compare(struct trace *trace, struct chance *c, int set) {
    struct wakeup_stats stats = {.trace = trace};
    struct sums threads[THREADS] = {{0}}, cpus[CPUS] = {{0}}, wakers[THREADS + 1] = {{0}};
    bool asked[THREADS], some = below(c, 2);
    int from = 0, to = now;
    if (below(c, 4)) {
        from = (int)below(c, (uint64_t)now);
        to = from + 1 + (int)below(c, (uint64_t)(now - from));
        range_set_time(&stats.range, trace, from, to);
    }
    for (int i = 0; i < THREADS; i++) {
        asked[i] = !some || i == CPUS || below(c, 2);
        if (some && asked[i])
            track_set_put(&stats.range.tracks, trace_koid_thread(trace, 0, (uint64_t)i + 10), true);
    }
    MUST(task_whole(wakeup_stats_ops.make, &stats, NULL) && stats.done);
    slow_sums(asked, from, to, threads, cpus, wakers);
    for (int i = CPUS; i < THREADS; i++)
        compare_row(row_of(&stats.threads, trace_koid_thread(trace, 0, (uint64_t)i + 10)),
                    &threads[i], set);
    for (uint32_t i = 0; i < CPUS; i++)
        compare_row(row_of(&stats.cpus, sched_cpu_place(trace_sched(trace), 0, (uint16_t)i)),
                    &cpus[i], set);
    for (int i = NOBODY; i < THREADS; i++) {
        const struct wakeup_row *row =
            row_of(&stats.wakers,
                   i == NOBODY ? WAKEUP_UNKNOWN : trace_koid_thread(trace, 0, (uint64_t)i + 10));
        MUST(sum_ns(row->runnable) == wakers[i + 1].runnable &&
                 sum_ns(row->blocked) == wakers[i + 1].blocked,
             set);
    }
    wakeup_stats_ops.free(&stats);
}

START_TEST(each_number_is_that_of_every_ns) {
    struct chance chance = {57721};
    for (int set = 0; set < 2000; set++) {
        struct trace *trace = any_trace(&chance);
        compare(trace, &chance, set);
        compare(trace, &chance, set);
        trace_free(trace);
    }
}
END_TEST

/* The end of the trace is in the range, so a thread that begins to run then was woken. */
START_TEST(a_run_that_begins_at_the_end_counts) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\n"
                                      "switch 1000 0 11 2 0\n"
                                      "wakeup 2000 0 11\n"
                                      "switch 60000002000 0 0 2 11\n");
    struct wakeup_stats stats = {.trace = trace};
    ck_assert(task_whole(wakeup_stats_ops.make, &stats, NULL));
    const struct wakeup_row *row = row_of(&stats.threads, trace_koid_thread(trace, 0, 11));
    ck_assert_uint_eq(row->wakeups, 1);
    ck_assert_int_eq(row->longest, 60000000000);
    wakeup_stats_ops.free(&stats);
    trace_free(trace);
}
END_TEST

/* Number 0, which never ran, has no row of states, so it waits for nothing (SEMANTICS 10.6). */
START_TEST(thread_0_waits_for_nothing) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\n"
                                      "switch 1000 0 0 1 11\n"
                                      "switch 3000 0 11 1 12\n"
                                      "switch 4000 0 12 3 11\n");
    struct wakeup_stats stats = {.trace = trace};
    ck_assert(task_whole(wakeup_stats_ops.make, &stats, NULL));
    ck_assert_uint_eq(stats.threads.v.n, 1);
    ck_assert_uint_eq(stats.threads.v.v[0].of, trace_koid_thread(trace, 0, 11));
    ck_assert_int_eq(sum_ns(stats.threads.v.v[0].runnable), 1000);
    wakeup_stats_ops.free(&stats);
    trace_free(trace);
}
END_TEST

SUITE(wakeup_stats) {
    Suite *s = suite_create("wakeup_stats");
    TCase *t = tcase_create("wakeup_stats");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, each_number_is_that_of_every_ns);
    tcase_add_test(t, a_run_that_begins_at_the_end_counts);
    tcase_add_test(t, thread_0_waits_for_nothing);
    suite_add_tcase(s, t);
    return s;
}
