/* suite_trace_life.c - lives, busy times and the ends of open slices of random traces
 * (SEMANTICS 6.8, 10.7, 10.8).
 *
 * They are compared with a reading ns by ns of the generated records. */
#include "model/trace/trace_life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define TIMES 400
#define CPUS 2
#define THREADS 7     /* the first CPUS of them run at the begin */
#define UNSCHEDULED 5 /* from this thread on there is no scheduling */
#define SLICES 100
#define NO_STATE 255

static struct slow {                                  /* of a thread */
    unsigned char state[TIMES + 1], woken[TIMES + 1]; /* by ns */
    struct {
        int64_t start, end; /* -1: open */
    } slices[SLICES];
    int n;
} slow[THREADS];
static int on_cpu[CPUS];
static int64_t now;

static bool on_a_cpu(int thread) { /* it runs, or it did since the first event */
    for (int cpu = 0; cpu < CPUS; cpu++)
        if (on_cpu[cpu] == thread)
            return true;
    return false;
}

/* From now on. */
static void becomes(int thread, int state, bool woken) {
    for (int64_t t = now; t <= TIMES; t++) {
        slow[thread].state[t] = (unsigned char)state;
        slow[thread].woken[t] = woken;
    }
}

static void switches(FILE *f, struct chance *c) {
    static const int states[] = {1, 1, 2, 3, 3, 3, 4, 5};
    int cpu = (int)below(c, CPUS), in = (int)below(c, UNSCHEDULED), out = on_cpu[cpu];
    int state = states[below(c, sizeof states / sizeof *states)];
    if (on_a_cpu(in))
        return;
    /* it ran since the first event */
    if (slow[out].state[0] == NO_STATE && slow[out].state[now] == NO_STATE)
        for (int64_t t = 0; t < now; t++)
            slow[out].state[t] = SCHED_RUNNING;
    fprintf(f, "switch %d %d %d %d %d\n", (int)now, cpu, out + 10, state, in + 10);
    becomes(out, state, false);
    becomes(in, SCHED_RUNNING, false);
    on_cpu[cpu] = in;
}

static void wakes(FILE *f, struct chance *c) {
    int thread = (int)below(c, UNSCHEDULED);
    if (on_a_cpu(thread))
        return;
    fprintf(f, "wakeup %d 0 %d\n", (int)now, thread + 10);
    if (slow[thread].state[now] != SCHED_RUNNING && slow[thread].state[now] != SCHED_RUNNABLE)
        becomes(thread, SCHED_RUNNABLE, true);
}

static void slices(FILE *f, struct chance *c) {
    int thread = (int)below(c, THREADS), last;
    struct slow *s = &slow[thread];
    for (last = s->n - 1; last >= 0 && s->slices[last].end >= 0;)
        last--;
    if (last >= 0 && below(c, 2)) {
        fprintf(f, "end %d 1/%d \"c\" \"\"\n", (int)now, thread + 10);
        s->slices[last].end = now;
    } else if (s->n < SLICES) {
        fprintf(f, "begin %d 1/%d \"c\" \"s\"\n", (int)now, thread + 10);
        s->slices[s->n].start = now;
        s->slices[s->n++].end = -1;
    }
}

/* A counter of any thread is no sign that it lives. */
static void counts(FILE *f, struct chance *c) {
    fprintf(f, "counter %d 1/%d \"c\" \"n\" a=i32:1 id=0\n", (int)now, (int)below(c, THREADS) + 10);
}

/* A trace whose last event is at `now`. */
static struct trace *any_trace(struct chance *c) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    memset(slow, 0, sizeof slow);
    now = 0;
    for (int i = 0; i < THREADS; i++)
        memset(slow[i].state, NO_STATE, sizeof slow[i].state);
    for (int i = 0; i < CPUS; i++)
        on_cpu[i] = i;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < THREADS; i++)
        fprintf(f, "thread %d 1 %d\n", i + 1, i + 10);
    fputs("instant 0 1/10 \"c\" \"first\"\n", f);
    for (uint64_t events = below(c, 80); events > 0; events--) {
        now += 1 + (int64_t)below(c, 4);
        if (below(c, 3) == 0)
            slices(f, c);
        else if (below(c, 4) == 0)
            wakes(f, c);
        else if (below(c, 4) == 0)
            counts(f, c);
        else
            switches(f, c);
    }
    now++;
    fprintf(f, "instant %d 1/16 \"c\" \"last\"\n", (int)now);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* ---- the slow reading ---- */

static bool runs_after(const struct slow *s, int64_t t) {
    while (t <= TIMES && s->state[t] != SCHED_RUNNING)
        t++;
    return t <= TIMES;
}

static bool ends_at(const struct slow *s, int64_t t) {
    bool begins = t == 0 || s->state[t - 1] != s->state[t];
    return begins &&
           (s->state[t] == SCHED_DEAD || (s->state[t] == SCHED_DYING && !runs_after(s, t)));
}

static int64_t slow_end(const struct slow *s, int64_t begun) {
    for (int64_t t = begun; t <= now; t++)
        if (ends_at(s, t))
            return t;
    return now;
}

/* Alive at t, for all that is written: not after an end, nor by a last wakeup alone. */
static bool alive(const struct slow *s, int64_t t) {
    if (s->state[t] == NO_STATE || s->state[t] == SCHED_DEAD)
        return false;
    for (int64_t k = t; k >= 0; k--)
        if (s->state[k] == SCHED_DYING && !runs_after(s, k))
            return false;
    int64_t first = t, last = t;
    while (first > 0 && s->state[first - 1] == s->state[t])
        first--;
    while (last <= TIMES && s->state[last] == s->state[t])
        last++;
    return !s->woken[t] || last <= TIMES ||
           (first > 0 && s->state[first - 1] != NO_STATE && s->state[first - 1] != SCHED_DEAD);
}

static bool scheduled(const struct slow *s) {
    for (int64_t t = 0; t <= TIMES; t++)
        if (s->state[t] != NO_STATE && !s->woken[t])
            return true;
        else if (s->state[t] != NO_STATE && alive(s, t))
            return true;
    return false;
}

static int64_t slow_running(const struct slow *s, int64_t from, int64_t to) {
    int64_t n = 0;
    for (int64_t t = from; t < to && t < now; t++)
        n += s->state[t] == SCHED_RUNNING;
    return n;
}

static int64_t slow_covered(const struct slow *s, int64_t from, int64_t to) {
    int64_t n = 0;
    for (int64_t t = from; t < to; t++) {
        bool in = false;
        for (int i = 0; i < s->n && !in; i++) {
            int64_t end =
                s->slices[i].end >= 0 ? s->slices[i].end : slow_end(s, s->slices[i].start);
            in = s->slices[i].start <= t && t < end;
        }
        n += in;
    }
    return n;
}

/* ---- the comparison ---- */

static void compare_columns(struct trace *trace, struct thread *t, const struct slow *s,
                            struct chance *c, int set) {
    int64_t edges[7], from = (int64_t)below(c, 100);
    double share[6] = {0};
    for (int k = 0; k < 7; k++)
        edges[k] = from, from += 1 + (int64_t)below(c, 40);
    trace_thread_busy(trace, t, edges, 6, share);
    for (int k = 0; k < 6; k++) {
        int64_t ns = scheduled(s) ? slow_running(s, edges[k], edges[k + 1])
                                  : slow_covered(s, edges[k], edges[k + 1]);
        double want = (double)ns / (double)(edges[k + 1] - edges[k]);
        MUST(share[k] - want < 1e-9 && want - share[k] < 1e-9, set, k);
    }
}

static void compare_thread(struct trace *trace, struct thread *t, struct chance *c, int set) {
    const struct slow *s = &slow[t->id.tid - 10];
    int64_t from = (int64_t)below(c, (uint64_t)now + 1),
            to = from + (int64_t)below(c, (uint64_t)(now - from) + 1);
    MUST(trace_thread_scheduled(trace, t) == scheduled(s), set, (int)t->id.tid);
    MUST(trace_thread_cpu_time(trace, t, from, to) == slow_running(s, from, to), set,
         (int)t->id.tid);
    MUST(trace_thread_covered(trace, t, from, to) == slow_covered(s, from, to), set,
         (int)t->id.tid);
    for (int i = 0; i < s->n; i++)
        MUST(trace_open_end(trace, t->number, s->slices[i].start) ==
                 slow_end(s, s->slices[i].start),
             set);
    for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
        for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
            const struct slice *slice = lane_at(nest_row(&t->nest, row), i);
            int64_t end = slice_open(slice) ? slow_end(s, slice->start) : slice_end(slice);
            MUST(trace_slice_end(trace, t->number, slice) == end, set);
        }
    compare_columns(trace, t, s, c, set);
}

/* All that is known of a thread lies in its span, and it is the least such stretch at its begin. */
static void compare_span(struct trace *trace, struct thread *t, int set) {
    const struct slow *s = &slow[t->id.tid - 10];
    int64_t begin, end;
    bool ended, any = trace_thread_span(trace, t, &begin, &end, &ended), lives = false;
    int64_t last = INT64_MIN;
    for (int64_t k = 0; k <= now; k++)
        if (alive(s, k)) {
            MUST(any && begin <= k && (k < end || end == INT64_MAX), set, (int)k);
            lives = true;
            last = k;
        }
    for (int i = 0; i < s->n; i++) {
        MUST(any && begin <= s->slices[i].start && s->slices[i].start <= end, set);
        MUST(s->slices[i].end <= end, set);
        MUST(s->slices[i].end >= 0 || slow_end(s, s->slices[i].start) <= end, set);
    }
    if (ended && lives)
        MUST(last < end && ends_at(s, end), set, (int)end);
    bool after = t->id.tid == 10; /* its first instant may be */
    for (int i = 0; i < s->n; i++)
        after =
            after || s->slices[i].start > last || s->slices[i].end > last || s->slices[i].end < 0;
    if (lives && last < now && ends_at(s, last + 1) && !after)
        MUST(ended && end == last + 1, set, (int)last);
}

START_TEST(lives_and_busy_times_are_those_of_every_ns) {
    struct chance chance = {161803};
    for (int set = 0; set < 2000; set++) {
        struct trace *trace = any_trace(&chance);
        ck_assert_int_eq(trace_end(trace), now);
        for (size_t i = 0; i < trace_thread_count(trace); i++) {
            struct thread *t = trace_thread(trace, i);
            if (trace_thread_hidden(trace, t))
                continue;
            compare_thread(trace, t, &chance, set);
            compare_span(trace, t, set);
        }
        trace_free(trace);
    }
}
END_TEST

START_TEST(a_process_ends_with_the_last_of_its_threads) {
    struct trace *trace =
        loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\n"
                    "thread 3 2 12\n"
                    "switch 10 0 10 5 11\nswitch 30 0 11 4 12\nswitch 50 0 12 3 12\n"
                    "instant 90 2/12 \"c\" \"last\"\n");
    ck_assert_int_eq(trace_process_end(trace, 0), 20); /* relative to the first event */
    ck_assert_int_eq(trace_process_end(trace, 1), trace_end(trace));
    ck_assert_int_eq(trace_process_end(trace, NO_PROCESS), trace_end(trace));
    trace_free(trace);
}
END_TEST

/* A row of samples has no death of its own. */
START_TEST(a_process_ends_whatever_was_sampled) {
    struct trace *trace =
        loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 2 12\n"
                    "switch 10 0 12 3 10\nbacktrace 12 t1 0 0x10010\nbacktrace 14 t1 1 0x10020\n"
                    "switch 30 0 10 4 12\ninstant 90 2/12 \"c\" \"last\"\n");
    bool sampled = false;
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        sampled = sampled || trace_thread_derived(trace, trace_thread(trace, i));
    ck_assert(sampled);
    ck_assert_int_eq(trace_process_end(trace, 0), 20);
    trace_free(trace);
}
END_TEST

SUITE(trace_life) {
    Suite *s = suite_create("trace_life");
    TCase *t = tcase_create("trace_life");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, lives_and_busy_times_are_those_of_every_ns);
    tcase_add_test(t, a_process_ends_with_the_last_of_its_threads);
    tcase_add_test(t, a_process_ends_whatever_was_sampled);
    suite_add_tcase(s, t);
    return s;
}
