/* suite_ingest_flush.c - the end of input is nested in steps, with the result of nesting it at
 * once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/trace/trace.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define THREADS 3000

/* On each thread a slice within a slice, both ended, and an open one; every other thread has them
 * late. */
static char *text_of_many_threads(void) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 1; i <= THREADS; i++) {
        fprintf(f, "complete %d 5/%d \"c\" \"in\" end=%d\n", i + 2, i, i + 4);
        fprintf(f, "complete %d 5/%d \"c\" \"out\" end=%d\n", i + i % 2, i, i + 9);
        fprintf(f, "begin %d 5/%d \"c\" \"open\"\n", i + 10, i);
    }
    fclose(f);
    return text;
}

static size_t slices(struct trace *trace, uint64_t *sum) {
    size_t n = 0;
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct nest *nest = &trace_thread(trace, i)->nest;
        for (uint32_t row = 0; row < nest_rows(nest); row++)
            for (uint32_t k = 0; k < nest->lanes[row].n; k++, n++) {
                const struct slice *s = lane_at(&nest->lanes[row], k);
                *sum +=
                    (uint64_t)s->start * (row + 1) + (slice_open(s) ? 1 : (uint64_t)slice_end(s));
            }
    }
    return n;
}

START_TEST(the_end_of_many_threads_is_nested_in_steps) {
    char *text = text_of_many_threads(), path[SCRATCH_PATH];
    struct err err = {.text = ""};
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "ends", bytes.v, bytes.n));
    struct trace *once = loaded_text(text),
                 *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert(trace != NULL);
    uint64_t expected = 0, sum = 0;
    size_t before = 0, steps = 0;
    /* the rest is read by the next step, which has no time to nest it all */
    trace_step(trace, bytes.n - 64);
    while (trace_step(trace, 64) == TRACE_LOADING) {
        size_t n = slices(trace, &sum);
        ck_assert(n >= before && n - before < THREADS);
        /* else it has waited for the other thread, which a busy machine may not run */
        steps += n > before;
        before = n;
        ck_assert_uint_lt(steps, THREADS);
    }
    ck_assert_uint_gt(steps, 4);
    sum = 0;
    ck_assert_uint_eq(slices(trace, &sum), 3 * THREADS);
    ck_assert_uint_eq(slices(once, &expected), 3 * THREADS);
    ck_assert_uint_eq(sum, expected);
    ck_assert_uint_eq(trace_events(trace), trace_events(once));
    trace_free(trace);
    trace_free(once);
    unlink(path);
    free(bytes.v);
    free(text);
}
END_TEST

#define LOGS 20000
#define HALF 9000 /* of each kind, in a trace that goes back */

START_TEST(logs_out_of_order_are_sorted_in_steps) {
    char *text = NULL, path[SCRATCH_PATH];
    size_t n = 0, steps = 0;
    struct err err = {.text = ""};
    FILE *f = open_memstream(&text, &n);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < LOGS; i++) /* many have equal times */
        fprintf(f, "log %d 5/6 \"l\"\n", i * 7919 % 4001);
    fclose(f);
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "logs", bytes.v, bytes.n));
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert(trace != NULL);
    trace_step(trace, bytes.n - 64);
    while (trace_step(trace, 64) == TRACE_LOADING)
        ck_assert_uint_lt(steps++, LOGS);
    ck_assert_uint_gt(steps, 4);
    const struct occurrence *v = trace_logs(trace, &n);
    ck_assert_uint_eq(n, LOGS);
    for (size_t i = 1; i < n; i++) {
        bool equal = v[i - 1].at.time == v[i].at.time;
        ck_assert(equal ? v[i - 1].at.offset < v[i].at.offset : v[i - 1].at.time < v[i].at.time);
    }
    trace_free(trace);
    unlink(path);
    free(bytes.v);
    free(text);
}
END_TEST

/* Two traces of every kind one after the other: the second goes back in time. */
static char *text_out_of_order(void) {
    char *text = NULL;
    size_t n = 0;
    struct chance chance = {1618};
    FILE *f = open_memstream(&text, &n);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < 2 * HALF; i++) {
        int t = i % HALF * 10 + (int)below(&chance, 30), thread = 6 + (int)below(&chance, 3);
        fprintf(f, "begin %d 5/%d \"c\" \"b%d\"\n", t, thread, i % 5);
        fprintf(f, "%s %d 5/%d \"c\" \"b%d\"\n", below(&chance, 40) ? "end" : "begin", t + 8,
                thread, i % 7 ? i % 5 : 9);
        fprintf(f, "complete %d 5/%d \"c\" \"x\" end=%d\n", t + 1, thread,
                t + 1 + (int)below(&chance, 9));
        fprintf(f, "%s %d 5/%d \"c\" \"a%d\" id=%d\n",
                below(&chance, 2) ? "async_begin" : "async_end", t, thread, i % 3,
                (int)below(&chance, 9));
        fprintf(f, "%s %d 5/%d \"c\" \"f\" id=%d\n", below(&chance, 2) ? "flow_begin" : "flow_end",
                t, thread, (int)below(&chance, 9));
        fprintf(f, "switch %d %d %d %d %d\n", t, i % 2, 20 + (int)below(&chance, 3),
                (int)below(&chance, 6), 20 + (int)below(&chance, 3));
    }
    for (int i = 0; i < 2 * HALF; i++) { /* lists that are sorted in steps */
        int t = i % HALF * 10 + (int)below(&chance, 30);
        fprintf(f,
                "instant %d 5/6 \"c\" \"i\"\ncounter %d 5/6 \"c\" \"n\" id=1 v=i64:%d\nlog %d 5/6 "
                "\"l\"\n",
                t, t, i, t);
    }
    fclose(f);
    return text;
}

static char *exported(struct trace *trace) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    export_ndjson(trace, f);
    fclose(f);
    return text;
}

/* Every answer stays, or there are more of them, until the trace is complete: what is derived again
 * is swapped in. */
static void holds_what_was_known(struct trace *trace, size_t before[4]) {
    uint64_t sum = 0;
    const size_t now[4] = {slices(trace, &sum), flow_point_count(trace_flows(trace)),
                           sched_cpu_count(trace_sched(trace)),
                           async_group_count(trace_async(trace))};
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_ge(now[i], before[i]);
        before[i] = now[i];
    }
}

START_TEST(the_end_of_a_trace_that_goes_back_is_derived_in_steps) {
    char *text = text_out_of_order(), path[SCRATCH_PATH];
    struct err err = {.text = ""};
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "back", bytes.v, bytes.n));
    struct trace *once = loaded_text(text);
    char *expected = exported(once);
    trace_free(once);
    for (uint64_t step = 2000; step <= 200000; step *= 10) {
        struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
        ck_assert(trace != NULL);
        size_t before[4] = {0}, steps = 0;
        for (int n = 0; reader_offset(trace_reader(trace)) < bytes.n; n++)
            (n % 8 == 0 ? trace_step : trace_read)(trace, step);
        for (; trace_step(trace, 10) == TRACE_LOADING; steps++)
            holds_what_was_known(trace, before);
        holds_what_was_known(trace, before);
        ck_assert_uint_gt(steps, 20);
        char *got = exported(trace);
        /* after the file's name */
        ck_assert(strcmp(strchr(got, '\n'), strchr(expected, '\n')) == 0);
        free(got);
        trace_free(trace);
    }
    unlink(path);
    free(expected);
    free(bytes.v);
    free(text);
}
END_TEST

SUITE(ingest_flush) {
    Suite *s = suite_create("ingest_flush");
    TCase *t = tcase_create("ingest_flush");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_end_of_many_threads_is_nested_in_steps);
    tcase_add_test(t, logs_out_of_order_are_sorted_in_steps);
    tcase_add_test(t, the_end_of_a_trace_that_goes_back_is_derived_in_steps);
    suite_add_tcase(s, t);
    return s;
}
