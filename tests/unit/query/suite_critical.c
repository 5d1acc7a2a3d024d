/* suite_critical.c - critical paths of random traces with scheduling, wakeups, flows and slices
 * (SEMANTICS 10.11).
 *
 * They are compared with a reading ns by ns of the generated records: at each ns the chain of waits
 * leads from the thread to the one that the path is on. */
#include "model/query/stat/waits/critical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/waits/wakeup.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define TIMES 400
#define CPUS 2
#define THREADS 8
#define UNSCHEDULED 5 /* from this thread on there is no scheduling, but slices */
#define SLICES 120
#define POINTS 200
#define NO_STATE 255

enum { UNKNOWN = -1, ELSEWHERE = -2 }; /* wakers: none is named; one that has no events */

static struct slow { /* of a thread */
    unsigned char state[TIMES + 2], woken[TIMES + 2];
    /* by ns: the begin of the state; by begin of a state: what woke it */
    int since[TIMES + 2], waker[TIMES + 2];
    struct {
        int start, end; /* end: TIMES if it is open */
        bool open;
    } slices[SLICES];
    int n;
} slow[THREADS];

static struct point { int time, thread, id, before; /* a point, or -1 */ } points[POINTS];
static int npoints, nids, on_cpu[CPUS], now;

static bool on_a_cpu(int thread) {
    for (int cpu = 0; cpu < CPUS; cpu++)
        if (on_cpu[cpu] == thread)
            return true;
    return false;
}

static void becomes(int thread, int state, bool woken, int waker) {
    for (int t = now; t <= TIMES + 1; t++) {
        slow[thread].state[t] = (unsigned char)state;
        slow[thread].woken[t] = woken;
        slow[thread].since[t] = now;
    }
    slow[thread].waker[now] = waker;
}

static void flows(FILE *f, struct chance *c, int thread, bool arrives) {
    int before = -1, id;
    if (npoints == POINTS)
        return;
    id = arrives && nids > 0 ? (int)below(c, (uint64_t)nids) : nids++;
    for (int k = 0; k < npoints; k++)
        if (points[k].id == id)
            before = k;
    points[npoints++] = (struct point){now, thread, id, before};
    fprintf(f, "flow_%s %d 1/%d \"c\" \"f\" id=%d\n", before < 0 ? "begin" : "step", now,
            thread + 10, id + 1);
}

static void switches(FILE *f, struct chance *c) {
    static const int states[] = {1, 1, 2, 3, 3, 3, 3, 3, 3, 4, 5};
    int cpu = (int)below(c, CPUS), in = (int)below(c, UNSCHEDULED), out = on_cpu[cpu];
    int state = states[below(c, sizeof states / sizeof *states)];
    if (on_a_cpu(in))
        return;
    /* it ran since the first event */
    if (slow[out].state[0] == NO_STATE && slow[out].state[now] == NO_STATE)
        for (int t = 0; t < now; t++)
            slow[out].state[t] = SCHED_RUNNING, slow[out].since[t] = 0;
    fprintf(f, "switch %d %d %d %d %d\n", now, cpu, out + 10, state, in + 10);
    becomes(out, state, false, UNKNOWN);
    becomes(in, SCHED_RUNNING, false, UNKNOWN);
    on_cpu[cpu] = in;
    if (below(c, 3) == 0)
        flows(f, c, in, true);
}

static void wakes(FILE *f, struct chance *c) {
    int thread = (int)below(c, UNSCHEDULED), waker = (int)below(c, THREADS + 2) - 2;
    if (on_a_cpu(thread))
        return;
    fprintf(f, "wakeup %d 0 %d", now, thread + 10);
    if (waker == ELSEWHERE)
        fputs(" waker=koid:999", f);
    else if (waker >= 0)
        fprintf(f, " waker=koid:%d", waker + 10);
    fputc('\n', f);
    if (slow[thread].state[now] != SCHED_RUNNING && slow[thread].state[now] != SCHED_RUNNABLE)
        becomes(thread, SCHED_RUNNABLE, true, waker);
}

static void slices(FILE *f, struct chance *c) {
    int thread = UNSCHEDULED + (int)below(c, THREADS - UNSCHEDULED), last;
    struct slow *s = &slow[thread];
    for (last = s->n - 1; last >= 0 && !s->slices[last].open;)
        last--;
    if (last >= 0 && below(c, 3)) {
        fprintf(f, "end %d 1/%d \"c\" \"\"\n", now, thread + 10);
        s->slices[last].end = now;
        s->slices[last].open = false;
    } else if (s->n < SLICES) {
        fprintf(f, "begin %d 1/%d \"c\" \"s\"\n", now, thread + 10);
        s->slices[s->n].start = now;
        s->slices[s->n].open = true;
        s->slices[s->n++].end = TIMES;
        if (below(c, 2))
            flows(f, c, thread, true);
    }
}

static void start(void) {
    memset(slow, 0, sizeof slow);
    npoints = nids = now = 0;
    for (int i = 0; i < THREADS; i++)
        memset(slow[i].state, NO_STATE, sizeof slow[i].state);
    for (int i = 0; i < CPUS; i++)
        on_cpu[i] = i;
}

static struct trace *any_trace(struct chance *c) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    start();
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < THREADS; i++)
        fprintf(f, "thread %d 1 %d\n", i + 1, i + 10);
    fprintf(f, "instant 0 1/%d \"c\" \"first\"\n", THREADS + 9);
    for (uint64_t events = 5 + below(c, 110); events > 0; events--) {
        now += 1 + (int)below(c, 3);
        uint64_t what = below(c, 10);
        if (what < 3)
            slices(f, c);
        else if (what < 5)
            wakes(f, c);
        else if (what < 7)
            flows(f, c, (int)below(c, THREADS), below(c, 2));
        else
            switches(f, c);
    }
    now++;
    fprintf(f, "instant %d 1/%d \"c\" \"last\"\n", now, THREADS + 9);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* ---- the slow reading ---- */

static bool runs_after(const struct slow *s, int t) {
    while (t <= TIMES && s->state[t] != SCHED_RUNNING)
        t++;
    return t <= TIMES;
}

/* Alive at t, for all that is written: not after an end, nor by a last wakeup alone. */
static bool alive(const struct slow *s, int t) {
    if (s->state[t] == SCHED_DEAD)
        return false;
    for (int k = t; k >= 0 && s->state[k] != NO_STATE; k--)
        if (s->state[k] == SCHED_DYING && !runs_after(s, k))
            return false;
    int first = s->since[t], last = t;
    while (last <= TIMES && s->since[last] == first)
        last++;
    return !s->woken[t] || last <= TIMES ||
           (first > 0 && s->state[first - 1] != NO_STATE && s->state[first - 1] != SCHED_DEAD);
}

/* The first point at a time on a thread whose flow comes from another one: that thread. */
static int source_at(int thread, int t) {
    for (int k = 0; k < npoints; k++)
        if (points[k].time == t && points[k].thread == thread && points[k].before >= 0 &&
            points[points[k].before].thread != thread)
            return points[points[k].before].thread;
    return UNKNOWN;
}

/* The waker of a thread that is blocked at t. */
static int slow_waker(int thread, int t) {
    const struct slow *s = &slow[thread];
    int end = t;
    while (end <= now && s->since[end] == s->since[t])
        end++;
    if (end > now)
        return UNKNOWN;
    int waker = s->woken[end] ? s->waker[end] : UNKNOWN;
    return waker == UNKNOWN ? source_at(thread, end) : waker;
}

static bool covered(const struct slow *s, int t) {
    for (int i = 0; i < s->n; i++)
        if (s->slices[i].start <= t && t < s->slices[i].end)
            return true;
    return false;
}

/* The begin of the innermost slice around a point, or its own time. */
static int arrival_time(const struct point *p) {
    const struct slow *s = &slow[p->thread];
    int begin = p->time;
    for (int i = 0; i < s->n; i++) /* by their begins */
        if (s->slices[i].start == p->time ||
            (s->slices[i].start <= p->time && p->time < s->slices[i].end))
            begin = s->slices[i].start;
    return begin;
}

/* The thread from which the first flow comes that arrives after t, if no slice begins before
 * that. */
static int slow_source(int thread, int t) {
    const struct slow *s = &slow[thread];
    int next = TIMES, best = TIMES, from = UNKNOWN;
    for (int i = 0; i < s->n; i++)
        if (s->slices[i].start > t && s->slices[i].start < next)
            next = s->slices[i].start;
    for (int k = 0; k < npoints; k++) {
        const struct point *p = &points[k];
        int at = arrival_time(p);
        if (p->thread != thread || p->before < 0 || points[p->before].thread == thread || at <= t ||
            at > next || at >= best)
            continue;
        best = at;
        from = points[p->before].thread;
    }
    return from;
}

/* Follows the chain of waits at t from a thread; returns the state of the thread where it ends:
 * before one that does not live. */
static int resolve(int *thread, int t) {
    bool on[THREADS] = {false};
    int before = UNKNOWN;
    for (;;) {
        const struct slow *s = &slow[*thread];
        int state = s->state[t], to = UNKNOWN;
        on[*thread] = true;
        if (state != NO_STATE && state == SCHED_BLOCKED && alive(s, t))
            to = slow_waker(*thread, t);
        else if (state == NO_STATE && !covered(s, t))
            to = slow_source(*thread, t);
        if (to >= 0 && !on[to]) {
            before = *thread;
            *thread = to;
            continue;
        }
        if (state == NO_STATE)
            return covered(s, t) ? CRITICAL_COVERED : CRITICAL_NO_SLICE;
        if (alive(s, t))
            return state;
        if (before == UNKNOWN)
            return CRITICAL_UNKNOWN;
        *thread = before;
        return slow[before].state[t] == NO_STATE ? CRITICAL_NO_SLICE : SCHED_BLOCKED;
    }
}

/* A wakeup that is all that is known of a thread is no state. */
static void forget_lone_wakeups(void) {
    for (int thread = 0; thread < THREADS; thread++) {
        struct slow *s = &slow[thread];
        int first = 0;
        while (first <= TIMES && s->state[first] == NO_STATE)
            first++;
        if (first <= TIMES && s->woken[first] && s->since[TIMES] == s->since[first])
            memset(s->state, NO_STATE, sizeof s->state);
    }
}

/* ---- the comparison ---- */

static int number(struct trace *trace, int thread) {
    uint32_t n = trace_koid_thread(trace, 0, (uint64_t)thread + 10);
    ck_assert_uint_ne(n, NO_THREAD);
    return (int)n;
}

static void compare(struct trace *trace, int thread, int from, int to, int set) {
    struct critical path = {.trace = NULL};
    int64_t reached, states[CRITICAL_STATES] = {0}, all = 0;
    critical_set(&path, trace, (uint32_t)number(trace, thread), from, to);
    while (to > from && slow[thread].state[to - 1] != NO_STATE && !alive(&slow[thread], to - 1))
        to--; /* nothing of a thread is on the path that does not live */
    reached = to;
    ck_assert(task_whole(critical_make, &path, NULL));
    for (size_t k = 0; k < path.v.n; k++) {
        const struct critical_stretch *s = &path.v.v[k];
        MUST(s->to == reached && s->from < s->to, set, (int)k);
        MUST((s->why == CRITICAL_END) <= (k == 0), set);
        reached = s->from;
        states[s->state] += s->to - s->from;
        for (int t = (int)s->from; t < s->to; t++) {
            int on = thread, state = resolve(&on, t);
            MUST((int)s->thread == number(trace, on), set, t);
            MUST(s->state == state, set, t);
        }
    }
    MUST(reached == from, set);
    MUST(memcmp(states, path.by_state, sizeof states) == 0, set);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        all += path.by_thread[i];
    MUST(all == to - from, set);
    critical_free(&path);
}

START_TEST(each_ns_of_a_path_is_where_the_chain_of_waits_ends) {
    struct chance chance = {271828};
    for (int set = 0; set < 3000; set++) {
        struct trace *trace = any_trace(&chance);
        forget_lone_wakeups();
        for (int k = 0; k < 4; k++) {
            int from = (int)below(&chance, (uint64_t)now),
                to = from + 1 + (int)below(&chance, (uint64_t)(now - from));
            compare(trace, (int)below(&chance, THREADS), from, to, set);
        }
        trace_free(trace);
    }
}
END_TEST

START_TEST(the_waker_of_each_state_is_the_one_in_the_records) {
    struct chance chance = {141421};
    for (int set = 0; set < 500; set++) {
        struct trace *trace = any_trace(&chance);
        for (int thread = 0; thread < UNSCHEDULED; thread++) {
            const struct sched_thread *t =
                sched_thread(trace_sched(trace), (uint32_t)number(trace, thread));
            for (uint32_t i = 1; t && i < t->lane.n; i++) {
                int begin = (int)lane_start(&t->lane, i), want = UNKNOWN;
                struct wakeup wakeup;
                if (slow[thread].state[begin - 1] == SCHED_RUNNING)
                    continue;
                want = slow_waker(thread, begin - 1);
                bool known = wakeup_of(trace, t, i, &wakeup);
                MUST(known == (want != UNKNOWN), set, begin);
                MUST(want < 0 || (int)wakeup.thread == number(trace, want), set, begin);
                MUST(want != ELSEWHERE || (wakeup.thread == NO_THREAD && wakeup.koid == 999), set,
                     begin);
            }
        }
        trace_free(trace);
    }
}
END_TEST

/* main waits for io, which waits for the disk: the stretches, their reasons, and the threads in
 * order. */
START_TEST(a_path_has_its_reasons) {
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\nthread 3 1 12\n"
        "instant 0 1/10 \"c\" \"first\"\nswitch 40 0 10 3 11\nswitch 50 0 11 3 12\n"
        "wakeup 70 0 11 waker=koid:12\nswitch 72 0 12 3 11\nwakeup 90 0 10 waker=koid:11\n"
        "switch 95 0 11 3 10\ninstant 120 1/10 \"c\" \"last\"\n");
    static const struct {
        int from, thread, state, why, other;
    } want[] = {
        {95, 10, SCHED_RUNNING, CRITICAL_END, 0},   {90, 10, SCHED_RUNNABLE, CRITICAL_BEFORE, 0},
        {72, 11, SCHED_RUNNING, CRITICAL_WOKE, 10}, {70, 11, SCHED_RUNNABLE, CRITICAL_BEFORE, 0},
        {50, 12, SCHED_RUNNING, CRITICAL_WOKE, 11}, {40, 11, SCHED_RUNNING, CRITICAL_AGAIN, 12},
        {0, 10, SCHED_RUNNING, CRITICAL_AGAIN, 11},
    };
    struct critical path = {.trace = NULL};
    uint32_t threads[2];
    critical_set(&path, trace, trace_koid_thread(trace, 0, 10), 0, 120);
    ck_assert(task_whole(critical_make, &path, NULL));
    ck_assert_uint_eq(path.v.n, sizeof want / sizeof *want);
    for (size_t k = 0; k < path.v.n; k++) {
        const struct critical_stretch *s = &path.v.v[k];
        ck_assert_int_eq(s->from, want[k].from);
        ck_assert_int_eq((int)trace_thread(trace, s->thread)->id.tid, want[k].thread);
        ck_assert_int_eq(s->state, want[k].state);
        ck_assert_int_eq(s->why, want[k].why);
        ck_assert_int_eq(s->other == NO_THREAD ? 0 : (int)trace_thread(trace, s->other)->id.tid,
                         want[k].other);
    }
    ck_assert_uint_eq(critical_threads(&path, threads, 2), 3);
    ck_assert_uint_eq(trace_thread(trace, threads[0])->id.tid, 10);
    ck_assert_uint_eq(trace_thread(trace, threads[1])->id.tid, 11);
    critical_free(&path);
    trace_free(trace);
}
END_TEST

/* An idle thread that is named as the waker while another thread runs on its CPU: it is waited for
 * no more than when it runs, nor is the source of a flow. */
START_TEST(no_path_leads_to_an_idle_thread_that_does_not_run) {
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 0 1\ninstant 0 1/10 "
        "\"c\" \"first\"\n"
        "switch 40 0 10 3 1 incoming_weight=i32:-2147483648\n"
        "switch 60 0 1 1 11 outgoing_weight=i32:-2147483648\n"
        "flow_begin 65 0/1 \"c\" \"f\" id=1\nwakeup 70 0 10 waker=koid:1\nswitch 75 0 11 3 10\n"
        "flow_end 80 1/12 \"c\" \"f\" id=1\ninstant 100 1/12 \"c\" \"last\"\n");
    uint32_t idle = trace_koid_thread(trace, 0, 1);
    for (uint64_t tid = 10; tid <= 12; tid += 2) {
        struct critical path = {.trace = NULL};
        critical_set(&path, trace, trace_koid_thread(trace, 0, tid), 0, 100);
        ck_assert(task_whole(critical_make, &path, NULL));
        ck_assert_int_eq(path.by_thread[idle], 0);
        ck_assert_int_eq(path.by_state[tid == 10 ? SCHED_BLOCKED : CRITICAL_NO_SLICE],
                         tid == 10 ? 30 : 100);
        critical_free(&path);
    }
    trace_free(trace);
}
END_TEST

/* An interrupt on an idle CPU wakes main, which ends at 100: no idle thread is on the path, and
 * nothing after the end. */
START_TEST(no_path_leads_to_idle_threads_or_beyond_an_end) {
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 0 1\ninstant 0 1/10 "
        "\"c\" \"first\"\n"
        "switch 40 0 10 3 1 incoming_weight=i32:-2147483648\nwakeup 70 0 10 waker=koid:1\n"
        "switch 75 0 1 1 10 outgoing_weight=i32:-2147483648\n"
        "switch 100 0 10 5 1 incoming_weight=i32:-2147483648\ninstant 900 1/12 \"c\" \"last\"\n");
    static const struct {
        int from, state, why;
    } want[] = {{75, SCHED_RUNNING, CRITICAL_END},
                {70, SCHED_RUNNABLE, CRITICAL_BEFORE},
                {40, SCHED_BLOCKED, CRITICAL_IDLED},
                {0, SCHED_RUNNING, CRITICAL_BEFORE}};
    struct critical path = {.trace = NULL};
    uint32_t main = trace_koid_thread(trace, 0, 10);
    critical_set(&path, trace, main, 0, 900);
    ck_assert(task_whole(critical_make, &path, NULL));
    ck_assert_int_eq(path.to, 100);
    ck_assert_uint_eq(path.v.n, sizeof want / sizeof *want);
    for (size_t k = 0; k < path.v.n; k++) {
        ck_assert_uint_eq(path.v.v[k].thread, main);
        ck_assert_int_eq(path.v.v[k].from, want[k].from);
        ck_assert_int_eq(path.v.v[k].state, want[k].state);
        ck_assert_int_eq(path.v.v[k].why, want[k].why);
    }
    critical_free(&path);
    ck_assert_int_eq(critical_end(trace, main, 200, 900), 200);
    trace_free(trace);
}
END_TEST

/* A wakeup alone, or a state that is not known, ends no life: the path goes to its end. */
START_TEST(what_is_not_known_ends_no_path) {
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\ninstant 0 1/12 "
        "\"c\" \"first\"\n"
        "wakeup 20 0 10\ncomplete 30 t1 \"c\" \"work\" end=90\n"
        "switch 40 0 12 1 11\nswitch 60 0 11 15 12\ninstant 100 1/12 \"c\" \"last\"\n");
    static const struct {
        uint64_t koid;
        int from, state;
    } want[] = {{10, 90, CRITICAL_NO_SLICE}, {10, 30, CRITICAL_COVERED},
                {10, 0, CRITICAL_NO_SLICE},  {11, 60, CRITICAL_UNKNOWN},
                {11, 40, SCHED_RUNNING},     {11, 0, CRITICAL_NO_SLICE}};
    for (size_t k = 0; k < sizeof want / sizeof *want; k += 3) {
        struct critical path = {.trace = NULL};
        critical_set(&path, trace, trace_koid_thread(trace, 0, want[k].koid), 0, 100);
        ck_assert(task_whole(critical_make, &path, NULL));
        ck_assert_int_eq(path.to, 100);
        ck_assert_uint_eq(path.v.n, 3);
        for (size_t i = 0; i < 3; i++) {
            ck_assert_int_eq(path.v.v[i].from, want[k + i].from);
            ck_assert_int_eq(path.v.v[i].state, want[k + i].state);
        }
        critical_free(&path);
    }
    trace_free(trace);
}
END_TEST

/* The flow arrives at the last time of the slice that waited for it: it is in that slice. */
START_TEST(a_flow_arrives_at_the_very_end_of_a_slice) {
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\n"
        "complete 0 1/10 \"c\" \"before\" end=100\ncomplete 150 1/11 \"c\" \"sends\" end=180\n"
        "flow_begin 170 1/11 \"c\" \"f\" id=1\nbegin 180 1/10 \"c\" \"waited\"\n"
        "flow_end 300 1/10 \"c\" \"f\" id=1\n");
    static const struct { int from, thread; } want[] = {{180, 10}, {150, 11}, {100, 11}, {0, 10}};
    struct critical path = {.trace = NULL};
    critical_set(&path, trace, trace_koid_thread(trace, 0, 10), 0, 300);
    ck_assert(task_whole(critical_make, &path, NULL));
    ck_assert_uint_eq(path.v.n, sizeof want / sizeof *want);
    for (size_t k = 0; k < path.v.n; k++) {
        ck_assert_int_eq(path.v.v[k].from, want[k].from);
        ck_assert_int_eq((int)trace_thread(trace, path.v.v[k].thread)->id.tid, want[k].thread);
    }
    critical_free(&path);
    trace_free(trace);
}
END_TEST

SUITE(critical) {
    Suite *s = suite_create("critical");
    TCase *t = tcase_create("critical");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, each_ns_of_a_path_is_where_the_chain_of_waits_ends);
    tcase_add_test(t, the_waker_of_each_state_is_the_one_in_the_records);
    tcase_add_test(t, a_path_has_its_reasons);
    tcase_add_test(t, a_flow_arrives_at_the_very_end_of_a_slice);
    tcase_add_test(t, no_path_leads_to_an_idle_thread_that_does_not_run);
    tcase_add_test(t, no_path_leads_to_idle_threads_or_beyond_an_end);
    tcase_add_test(t, what_is_not_known_ends_no_path);
    suite_add_tcase(s, t);
    return s;
}
