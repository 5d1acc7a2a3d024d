/* suite_states.c - states of threads are the same in SQL, ndjson and views 2 and 8.
 *
 * Traces are random: threads are woken, run, die, are woken after that, or are woken and never seen
 * again. Each way to a time adds up what it has of a thread and a state. */
#include "sql/query.h"

#include "tests/unit/lib/loaded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/ndjson.h"
#include "model/query/stat/tables/thread_states.h"
#include "model/query/stat/waits/wakeup_stats.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown_sched.h"
#include "tests/unit/sql/asked.h"

#define FIRST 10 /* threads 10 to 13: thrown_sched() */
#define THREADS 4

static struct chance chance = {60120};

/* A trace in which a thread runs on each CPU from the start, and later moves or dies. */
static struct trace *thrown(void) {
    static const unsigned states[] = {1, 3, 2, 5};
    char text[4000];
    unsigned on[2] = {FIRST, FIRST + 1}, t = 0;
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\nprovider 1 \"p\"\ninit 1000000000\n"
                                "instant 0 1/10 \"c\" \"x\"\n");
    for (unsigned i = (unsigned)below(&chance, 12); i > 0; i--) {
        unsigned cpu = (unsigned)below(&chance, 2), in = FIRST + (unsigned)below(&chance, THREADS);
        t += (unsigned)below(&chance, 30);
        if (in == on[0] || in == on[1])
            in = 0;
        else if (below(&chance, 3) == 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "wakeup %u %u %u\n", t, cpu, in);
        n += (size_t)snprintf(text + n, sizeof text - n, "switch %u %u %u %u %u\n", t, cpu, on[cpu],
                              states[below(&chance, 4)], in);
        on[cpu] = in;
    }
    return loaded_text(text);
}

struct times { /* ns */
    int64_t runs, waits, blocked, unknown;
    int64_t before; /* part of `runs`: before the first record of a CPU, which SQL has no row for */
};

static bool add(struct times v[THREADS], uint64_t tid, const char *state, int64_t ns) {
    if (tid < FIRST || tid >= FIRST + THREADS)
        return true;
    struct times *t = &v[tid - FIRST];
    if (strcmp(state, "running") == 0)
        t->runs += ns;
    else if (strcmp(state, "runnable") == 0)
        t->waits += ns;
    else if (strcmp(state, "blocked") == 0)
        t->blocked += ns;
    else if (strcmp(state, "unknown") == 0)
        t->unknown += ns;
    else
        return strcmp(state, "suspended") == 0 || strcmp(state, "dead") == 0;
    return true;
}

/* The span: what has no end lasts to it. */
static int64_t span_of(const struct trace *trace) {
    return trace_end(trace) - trace_origin(trace);
}

static void ask_sql(struct trace *trace, struct times v[THREADS]) {
    char sql[400];
    snprintf(sql, sizeof sql,
             "select tid || ' ' || case state when 'Running' then 'running' when 'S' then 'blocked'"
             " when 'T' then 'suspended' when 'X' then 'dead' when 'W' then 'runnable'"
             " when 'R' then 'runnable' else ifnull(state, 'unknown') end || ' ' ||"
             " iif(dur < 0, %" PRIu64 " + %" PRId64 " - ts, dur)"
             " from thread_state join thread using (utid)",
             trace_origin_wide(trace).lo, span_of(trace));
    char *text = asked_once(trace, sql), *line = text, state[20];
    uint64_t tid;
    int64_t ns;
    for (; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_int_eq(sscanf(line, "%" SCNu64 " %19s %" SCNd64, &tid, state, &ns), 3);
        ck_assert_msg(add(v, tid, state, ns), "%s", line);
    }
    free(text);
}

struct cpus {
    struct run {
        uint64_t tid, offset;
        int64_t dur;
    } last[8];
};

/* The first run of a CPU has the record that ended it, as the next one has. */
static void add_run(const char *line, struct cpus *cpus, struct times v[THREADS]) {
    struct run run = {0};
    unsigned cpu;
    ck_assert_int_eq(sscanf(strstr(line, "\"cpu\""), "\"cpu\":%u", &cpu), 1);
    ck_assert_int_eq(sscanf(strstr(line, "\"tid\""), "\"tid\":%" SCNu64, &run.tid), 1);
    ck_assert_int_eq(sscanf(strstr(line, "\"offset\""), "\"offset\":%" SCNu64, &run.offset), 1);
    sscanf(strstr(line, "\"dur\""), "\"dur\":%" SCNd64, &run.dur);
    const struct run *last = &cpus->last[cpu];
    if (last->offset == run.offset && last->tid >= FIRST)
        v[last->tid - FIRST].before += last->dur;
    cpus->last[cpu] = run;
}

/* Sums of sched, which has the same runs, and of thread_life. */
static void hold_runs(struct trace *trace, const struct times sql[THREADS],
                      const struct times lines[THREADS], int set) {
    char ask[400];
    snprintf(ask, sizeof ask,
             "select tid, (select total(iif(dur < 0, %" PRIu64 " + %" PRId64 " - ts, dur)) from"
             " sched s where s.utid = t.utid), ifnull(cpu_time, 0)"
             " from thread t join thread_life using (utid) where tid >= 10",
             trace_origin_wide(trace).lo, span_of(trace));
    char *text = asked_once(trace, ask);
    for (char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        uint64_t tid;
        int64_t sum, time;
        ck_assert_int_eq(sscanf(line, "%" SCNu64 "|%" SCNd64 "|%" SCNd64, &tid, &sum, &time), 3);
        MUST(sum == sql[tid - FIRST].runs && time == lines[tid - FIRST].runs, set, (int)tid);
    }
    free(text);
}

static void ask_ndjson(struct trace *trace, struct times v[THREADS]) {
    char *text = NULL, state[20];
    size_t n;
    FILE *f = open_memstream(&text, &n);
    struct cpus cpus = {{{0}}};
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        uint64_t tid;
        int64_t ts, dur;
        if (strncmp(line, "{\"type\":\"sched\"", 15) == 0)
            add_run(line, &cpus, v);
        if (strncmp(line, "{\"type\":\"state\"", 15) != 0)
            continue;
        ck_assert_int_eq(sscanf(strstr(line, "\"tid\""), "\"tid\":%" SCNu64, &tid), 1);
        ck_assert_int_eq(sscanf(strstr(line, "\"ts\""), "\"ts\":%" SCNd64, &ts), 1);
        if (sscanf(strstr(line, "\"dur\""), "\"dur\":%" SCNd64, &dur) != 1)
            dur = span_of(trace) - ts;
        ck_assert_int_eq(sscanf(strstr(line, "\"state\":"), "\"state\":\"%19[a-z]", state), 1);
        ck_assert_msg(add(v, tid, state, dur), "%s", line);
    }
    free(text);
}

static void make_states(struct task *task, void *ctx) {
    struct thread_states *states = ctx;
    static const struct range whole = {.from = 0};
    thread_states_make(task, states, states->trace, &whole, NULL, NULL);
}

static void ask_view_2(struct trace *trace, struct times v[THREADS]) {
    struct thread_states states = {.trace = trace};
    ck_assert(task_whole(make_states, &states, NULL));
    for (size_t i = 0; i < states.rows.n; i++) {
        const struct thread_states_row *row = &states.rows.v[i];
        uint64_t tid = trace_thread(trace, row->thread)->id.tid;
        if (tid >= FIRST)
            v[tid - FIRST] =
                (struct times){row->time[THREAD_RUNNING], row->time[THREAD_RUNNABLE],
                               row->time[THREAD_BLOCKED], row->time[THREAD_UNKNOWN], 0};
    }
    thread_states_free(&states);
}

static void ask_view_8(struct trace *trace, struct times v[THREADS]) {
    struct wakeup_stats stats = {.trace = trace};
    ck_assert(task_whole(wakeup_stats_ops.make, &stats, NULL));
    for (size_t i = 0; i < stats.threads.v.n; i++) {
        const struct wakeup_row *row = &stats.threads.v.v[i];
        uint64_t tid = trace_thread(trace, row->of)->id.tid;
        if (tid < FIRST)
            continue;
        v[tid - FIRST].waits = sum_ns(row->runnable);
        v[tid - FIRST].blocked = sum_ns(row->blocked);
    }
    wakeup_stats_ops.free(&stats);
}

/* A wakeup is all that is known: rows have its word, views do not say that the thread waits. */
static bool woken_only(const struct times *sql, const struct times *tab) {
    return sql->waits > 0 && sql->runs + sql->blocked + sql->unknown == 0 &&
           tab->runs + tab->waits + tab->blocked == 0;
}

START_TEST(what_is_known_of_a_state_is_the_same_everywhere) {
    int unknown = 0, waits = 0, runs = 0, before = 0, only = 0;
    for (int set = 0; set < 80; set++) {
        struct trace *trace =
            set % 2 ? thrown() : thrown_sched(&chance, 3 + (unsigned)below(&chance, 60));
        struct times sql[THREADS] = {{0}}, lines[THREADS] = {{0}}, tab[THREADS] = {{0}},
                     wakes[THREADS] = {{0}};
        ask_sql(trace, sql);
        ask_ndjson(trace, lines);
        ask_view_2(trace, tab);
        ask_view_8(trace, wakes);
        hold_runs(trace, sql, lines, set);
        for (int k = 0; k < THREADS; k++) {
            if (woken_only(&sql[k], &tab[k])) {
                MUST(sql[k].waits == lines[k].waits && wakes[k].waits == 0, set, k);
                only++;
                continue;
            }
            MUST(sql[k].waits == lines[k].waits && lines[k].waits == tab[k].waits &&
                     tab[k].waits == wakes[k].waits,
                 set, k);
            MUST(sql[k].blocked == lines[k].blocked && lines[k].blocked == tab[k].blocked &&
                     tab[k].blocked == wakes[k].blocked,
                 set, k);
            MUST(lines[k].runs == tab[k].runs, set, k);
            MUST(sql[k].runs + lines[k].before == lines[k].runs, set, k);
            before += lines[k].before > 0;
            MUST(sql[k].unknown == lines[k].unknown, set, k);
            unknown += lines[k].unknown > 0;
            waits += lines[k].waits > 0;
            runs += lines[k].runs > 0;
        }
        trace_free(trace);
    }
    ck_assert_int_gt(unknown, 2);
    ck_assert_int_gt(only, 2);
    ck_assert_int_gt(waits, 50);
    ck_assert_int_gt(runs, 50);
    ck_assert_int_gt(before, 5);
}
END_TEST

SUITE(states) {
    Suite *suite = suite_create("states");
    TCase *c = tcase_create("states");
    tcase_add_test(c, what_is_known_of_a_state_is_the_same_everywhere);
    suite_add_tcase(suite, c);
    return suite;
}
