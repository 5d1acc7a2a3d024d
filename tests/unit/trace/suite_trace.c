/* suite_trace.c - a trace is the same in whatever steps it is read, and its answers are those of a
 * slow reading. */
#include "model/trace/trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/chars.h"
#include "model/output/ndjson.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const char *const fixtures[] = {
    "every_kind",         "../screens/kinds",   "../screens/chain", "../screens/nesting",
    "../screens/damaged", "../screens/overlap", "async_unmatched",  "flow_unmatched"};
#define FIXTURES (int)(sizeof fixtures / sizeof *fixtures)

/* The export to ndjson without the name of the file: equal texts are equal models. */
static char *dumped(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, out));
    ck_assert_int_eq(fclose(out), 0);
    char *path = strstr(text, "\"file\":\""), *end = strchr(path + 8, '"');
    memmove(path, end, strlen(end) + 1);
    return text;
}

START_TEST(steps_of_any_size_lead_to_the_same_trace) {
    static const uint64_t budgets[] = {1, 64, 1000, 1 << 20};
    struct err err;
    struct trace *whole = loaded_fixture(fixtures[_i]);
    char *expected = dumped(whole);
    for (int i = 0; i < 8; i++) {
        char path[SCRATCH_PATH];
        struct trace_bytes bytes = tracegen_load(fixtures[_i], &err);
        ck_assert(scratch_write(path, "trace", bytes.v, bytes.n));
        free(bytes.v);
        struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
        ck_assert_ptr_nonnull(trace);
        uint64_t version = trace_version(trace);
        while ((i % 2 ? trace_read : trace_step)(trace, budgets[i / 2]) == TRACE_LOADING)
            ;
        trace_step(trace, 1); /* after trace_read(): nests what it has read */
        ck_assert_int_eq(trace_state(trace), TRACE_COMPLETE);
        ck_assert(!trace_has_events(trace) || trace_version(trace) > version);
        char *is = dumped(trace);
        ck_assert_int_eq(strcmp(is, expected), 0); /* too long for the message of a check */
        ck_assert_uint_eq(trace_events(trace), trace_events(whole));
        free(is);
        trace_free(trace);
        unlink(path);
    }
    free(expected);
    trace_free(whole);
}
END_TEST

START_TEST(origin_and_end_are_the_least_and_the_greatest_time) {
    struct trace *trace = loaded_fixture(fixtures[_i]);
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        const struct thread *t = trace_thread(trace, k);
        if (t->events == 0)
            continue;
        least = t->first < least ? t->first : least;
        most = t->last > most ? t->last : most;
        for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
            for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
                const struct slice *s = lane_at(nest_row(&t->nest, row), i);
                most = !slice_open(s) && slice_end(s) > most ? slice_end(s) : most;
            }
    }
    ck_assert_int_le(trace_origin(trace), least);
    ck_assert_int_ge(trace_end(trace), most);
    ck_assert_int_le(trace_origin(trace), trace_end(trace));
    trace_free(trace);
}
END_TEST

/* The last slice in nesting order around t: the one of the lowest row. */
static bool slow_slice_at(const struct thread *t, int64_t at, uint32_t *row, uint32_t *i) {
    for (uint32_t r = nest_rows(&t->nest); r-- > 0;)
        for (uint32_t k = nest_row(&t->nest, r)->n; k-- > 0;) {
            const struct slice *s = lane_at(nest_row(&t->nest, r), k);
            if ((s->start <= at && (slice_open(s) || at < slice_end(s))) || s->start == at) {
                *row = r;
                *i = k;
                return true;
            }
        }
    return false;
}

START_TEST(the_slice_at_a_time_is_the_innermost) {
    struct trace *trace = loaded_fixture("../screens/kinds");
    for (uint32_t n = 0; n < trace_thread_count(trace); n++)
        for (int64_t t = trace_origin(trace) - 1; t <= trace_end(trace) + 1; t += 50000) {
            uint32_t row = 0, i = 0, r = 0, k = 0;
            bool any = trace_slice_at(trace, n, t, &row, &i);
            MUST(any == slow_slice_at(trace_thread(trace, n), t, &r, &k), t);
            MUST(!any || (row == r && i == k), t);
        }
    trace_free(trace);
}
END_TEST

enum { OVERLAPPING = 200, APART = 10 };

/* The sum of the begins of the innermost slices at many times. */
static void *add_innermost(void *of) {
    const struct trace *trace = of;
    int64_t sum = 0;
    for (int64_t t = 0; t < OVERLAPPING * APART; t++) {
        uint32_t row, i;
        if (trace_slice_at(trace, 0, t, &row, &i))
            sum += lane_start(nest_row(&trace_thread(trace, 0)->nest, row), i);
    }
    int64_t *sum_of = err_malloc(sizeof *sum_of);
    *sum_of = sum;
    return sum_of;
}

/* Slices that overlap are on so many rows that they have an index. */
START_TEST(two_threads_may_ask_a_shared_trace_for_slices) {
    struct chars text = {0};
    int64_t expected = 0;
    chars_text(&text, "magic\nprovider 1 \"p\"\n");
    for (int i = 0; i < OVERLAPPING; i++)
        chars_format(&text, "complete %d 1/2 \"c\" \"n\" end=%d\n", i * APART, (i + 150) * APART);
    chars_add(&text, (struct str){"", 1});
    struct trace *trace = loaded_text(text.v);
    ck_assert_uint_gt(trace_thread(trace, 0)->nest.nlanes, 64);
    trace_share(trace);
    const struct nest_enclosing *index = trace_thread(trace, 0)->enclosing.index;
    ck_assert_ptr_nonnull(index);
    pthread_t other;
    void *sums[2];
    ck_assert_int_eq(pthread_create(&other, NULL, add_innermost, trace), 0);
    sums[0] = add_innermost(trace);
    ck_assert_int_eq(pthread_join(other, &sums[1]), 0);
    for (int64_t t = 0; t < OVERLAPPING * APART; t++)
        expected += t / APART * APART;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(*(int64_t *)sums[i], expected);
        free(sums[i]);
    }
    ck_assert_ptr_eq(trace_thread(trace, 0)->enclosing.index, index);
    vec_free(&text);
    trace_free(trace);
}
END_TEST

START_TEST(a_slice_is_found_by_its_start_and_its_record) {
    struct trace *trace = loaded_fixture(fixtures[_i]);
    for (size_t n = 0; n < trace_thread_count(trace); n++) {
        const struct thread *t = trace_thread(trace, n);
        for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
            for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
                const struct slice *s = lane_at(nest_row(&t->nest, row), i);
                uint32_t r = 99, k = 99;
                MUST(trace_find_slice(t, s->start, slice_offset(s), &r, &k) && r == row && k == i);
                MUST(!trace_find_slice(t, s->start, slice_offset(s) + 8, &r, &k));
                MUST(trace_thread_at(trace, slice_offset(s)) == t->number);
            }
    }
    trace_free(trace);
}
END_TEST

START_TEST(a_reload_that_fails_leaves_the_trace) {
    struct err err;
    char path[SCRATCH_PATH];
    struct trace_bytes bytes = tracegen_load("../screens/kinds", &err);
    ck_assert(scratch_write(path, "trace", bytes.v, bytes.n));
    free(bytes.v);
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    trace_load(trace);
    uint64_t events = trace_events(trace);
    uint32_t generation = trace_generation(trace);
    char *before = dumped(trace);
    unlink(path);
    ck_assert(!trace_reload(trace, &err));
    ck_assert_ptr_null(strchr(err.text, '\n'));
    ck_assert_uint_eq(trace_events(trace), events);
    ck_assert_uint_eq(trace_generation(trace), generation);
    char *after = dumped(trace);
    ck_assert_int_eq(strcmp(after, before), 0);
    free(before);
    free(after);
    trace_free(trace);
}
END_TEST

START_TEST(a_reload_reads_all_again) {
    struct err err;
    char path[SCRATCH_PATH];
    struct trace_bytes bytes = tracegen_load("../screens/kinds", &err);
    ck_assert(scratch_write(path, "trace", bytes.v, bytes.n));
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    trace_load(trace);
    char *before = dumped(trace);
    uint32_t generation = trace_generation(trace);
    ck_assert(trace_reload(trace, &err));
    trace_load(trace);
    ck_assert_uint_eq(trace_reloads(trace), 1);
    ck_assert_uint_gt(trace_generation(trace), generation);
    char *after = dumped(trace);
    ck_assert_int_eq(strcmp(after, before), 0);
    free(before);
    free(after);
    free(bytes.v);
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(what_is_no_trace_is_refused_in_one_line) {
    static const char *const bad[] = {"", "text\n", "\177ELF and more bytes than one word"};
    struct err err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char path[SCRATCH_PATH];
        ck_assert(scratch_write(path, "trace", bad[i], strlen(bad[i])));
        ck_assert_ptr_null(trace_open(path, &(struct trace_options){0}, &err));
        ck_assert_uint_gt(strlen(err.text), 0);
        ck_assert_ptr_null(strchr(err.text, '\n'));
        unlink(path);
        ck_assert_ptr_null(trace_open(path, &(struct trace_options){0}, &err)); /* no file */
    }
}
END_TEST

START_TEST(names_of_threads_and_processes) {
    struct trace *trace = loaded_text(
        "magic\ninit 1000000000\n"
        "kernel_object 1 5 \"app\"\nkernel_object 2 6 \"main\" process=koid:5\n"
        "instant 1 5/6 \"c\" \"x\"\ninstant 1 5/7 \"c\" \"x\"\ninstant 1 8/9 \"c\" \"x\"\n");
    static const char *const threads[] = {"main", "thread 7", "thread 9"}, *const processes[] = {
                                                                               "app", "process 8"};
    char buf[40];
    bool named;
    for (size_t i = 0; i < 3; i++) {
        struct str name = trace_thread_name(trace, trace_thread(trace, i), buf, &named);
        ck_assert_int_eq(named, i == 0);
        ck_assert_uint_eq(name.n, strlen(threads[i]));
        ck_assert_int_eq(memcmp(name.s, threads[i], name.n), 0);
    }
    ck_assert_uint_eq(trace_process_count(trace), 2);
    for (size_t i = 0; i < 2; i++) {
        struct str name = trace_process_name(trace, trace_process(trace, i), buf, &named);
        ck_assert_int_eq(named, i == 0);
        ck_assert_uint_eq(name.n, strlen(processes[i]));
        ck_assert_int_eq(memcmp(name.s, processes[i], name.n), 0);
        ck_assert_uint_eq(trace_pid_process(trace, 0, trace_process(trace, i)->pid), i);
    }
    ck_assert_uint_eq(trace_pid_process(trace, 0, 6), UINT32_MAX);
    trace_free(trace);
}
END_TEST

START_TEST(logs_and_instants_come_in_the_order_of_time) {
    struct trace *trace = loaded_text(
        "magic\ninit 1000000000\n"
        "log 30 5/6 \"c\"\nlog 10 5/6 \"a\"\nlog 20 5/6 \"b\"\nlog 10 5/6 \"aa\"\n"
        "instant 30 5/6 \"c\" \"x\"\ninstant 10 5/6 \"c\" \"x\"\ninstant 10 5/6 \"c\" \"y\"\n");
    size_t n;
    const struct occurrence *logs = trace_logs(trace, &n);
    ck_assert_uint_eq(n, 4);
    ck_assert_uint_eq(trace_log_count(trace), 4);
    for (size_t i = 1; i < n; i++)
        ck_assert(
            logs[i - 1].at.time < logs[i].at.time ||
            (logs[i - 1].at.time == logs[i].at.time && logs[i - 1].at.offset < logs[i].at.offset));
    const struct instant *instants = trace_instants(trace_thread(trace, 0), &n);
    ck_assert_uint_eq(n, 3);
    for (size_t i = 1; i < n; i++)
        ck_assert(instants[i - 1].time < instants[i].time ||
                  event_offset(instants[i - 1].packed) < event_offset(instants[i].packed));
    trace_free(trace);
}
END_TEST

SUITE(trace) {
    Suite *s = suite_create("trace");
    TCase *t = tcase_create("trace");
    tcase_add_loop_test(t, steps_of_any_size_lead_to_the_same_trace, 0, FIXTURES);
    tcase_add_loop_test(t, origin_and_end_are_the_least_and_the_greatest_time, 0, FIXTURES);
    tcase_add_test(t, the_slice_at_a_time_is_the_innermost);
    tcase_add_test(t, two_threads_may_ask_a_shared_trace_for_slices);
    tcase_add_loop_test(t, a_slice_is_found_by_its_start_and_its_record, 0, FIXTURES);
    tcase_add_test(t, a_reload_that_fails_leaves_the_trace);
    tcase_add_test(t, a_reload_reads_all_again);
    tcase_add_test(t, what_is_no_trace_is_refused_in_one_line);
    tcase_add_test(t, names_of_threads_and_processes);
    tcase_add_test(t, logs_and_instants_come_in_the_order_of_time);
    suite_add_tcase(s, t);
    return s;
}
