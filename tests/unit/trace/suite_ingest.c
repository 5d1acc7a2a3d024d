/* suite_ingest.c - what each kind of record becomes in the model, and what references to nothing
 * become. */
#include <string.h>

#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define HEAD "magic\ninit 1000000000\n"

static size_t slices(struct trace *trace) {
    size_t n = 0;
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        n += trace_thread(trace, i)->nest.slices;
    return n;
}

static size_t instants(struct trace *trace) {
    size_t n = 0;
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        n += trace_instant_count(trace_thread(trace, i));
    return n;
}

static size_t logs(struct trace *trace) {
    return trace_log_count(trace);
}

static size_t profile(struct trace *trace) {
    size_t n;
    trace_profile(trace, &n);
    return n;
}

static size_t lost(struct trace *trace) {
    size_t n;
    trace_lost(trace, &n);
    return n;
}

static size_t series(struct trace *trace) {
    return counter_series_count(trace_counters(trace));
}

static size_t points(struct trace *trace) {
    return flow_point_count(trace_flows(trace));
}

static size_t groups(struct trace *trace) {
    return async_group_count(trace_async(trace));
}

static size_t cpus(struct trace *trace) {
    return sched_cpu_count(trace_sched(trace));
}

static size_t kernel(struct trace *trace) {
    return object_count(trace_kernel_objects(trace));
}

static size_t user(struct trace *trace) {
    return object_count(trace_user_objects(trace));
}

static size_t blobs(struct trace *trace) {
    return blob_count(trace_blobs(trace));
}

typedef size_t counter(struct trace *trace);
static counter *const counters[] = {slices, instants, logs, profile, lost, series,
                                    points, groups,   cpus, kernel,  user, blobs};
#define COUNTERS (sizeof counters / sizeof *counters)

/* A record, and the only thing in the model that it adds to. */
static const struct {
    const char *record;
    counter *of;
    size_t n;
    uint64_t events;
} records[] = {
    {"complete 1 5/6 \"c\" \"x\" end=2\n", slices, 1, 1},
    {"begin 1 5/6 \"c\" \"x\"\n", slices, 1, 1},
    {"begin 1 5/6 \"c\" \"x\"\nend 2 5/6 \"c\" \"x\"\n", slices, 1, 2},
    {"end 1 5/6 \"c\" \"x\"\n", NULL, 0, 1},
    {"instant 1 5/6 \"c\" \"x\"\n", instants, 1, 1},
    {"log 1 5/6 \"x\"\n", logs, 1, 1},
    {"module 1 5/6 1 \"x\" fill:8\n", profile, 1, 1},
    {"mmap 1 5/6 1 5 0 4096 0\n", profile, 1, 1},
    {"counter 1 5/6 \"c\" \"x\" a=i32:1 b=i32:2 id=1\n", series, 2, 1},
    {"counter 1 5/6 \"c\" \"x\" a=\"no number\" id=1\n", NULL, 0, 1},
    {"flow_begin 1 5/6 \"c\" \"x\" id=1\n", points, 1, 1},
    {"async_begin 1 5/6 \"c\" \"x\" id=1\n", groups, 1, 1},
    {"wakeup 1 3 9\n", NULL, 0, 1},
    {"switch 1 3 9 3 10\n", cpus, 1, 1},
    {"kernel_object 1 5 \"app\"\n", kernel, 1, 0},
    {"userspace_object 0x1000 5/- \"x\"\n", user, 1, 0},
    {"blob \"x\" 1 fill:20\n", blobs, 1, 0},
    {"large_attachment \"c\" \"x\" fill:20\n", blobs, 1, 0},
    {"string 1 \"x\"\n", NULL, 0, 0},
    {"thread 1 5 6\n", NULL, 0, 0},
};
#define RECORDS (int)(sizeof records / sizeof *records)

START_TEST(a_record_adds_to_one_part_of_the_model) {
    char text[300] = HEAD;
    checked_append(text, sizeof text, "%s", records[_i].record);
    struct trace *trace = loaded_text(text);
    for (size_t i = 0; i < COUNTERS; i++)
        ck_assert_msg(counters[i](trace) == (counters[i] == records[_i].of ? records[_i].n : 0),
                      "part %zu has %zu of %s", i, counters[i](trace), records[_i].record);
    ck_assert_msg(trace_events(trace) == records[_i].events, "%llu events of %s",
                  (unsigned long long)trace_events(trace), records[_i].record);
    trace_free(trace);
}
END_TEST

/* And the sample that is derived from it (SEMANTICS 12.1). */
START_TEST(a_backtrace_is_a_record_and_a_sample) {
    struct trace *trace = loaded_text(HEAD "backtrace 1 5/6 1 2 3\n");
    ck_assert_uint_eq(profile(trace), 1);
    ck_assert_uint_eq(slices(trace), 3);
    ck_assert_uint_eq(instants(trace), 1);
    ck_assert_uint_eq(trace_thread_count(trace), 2);
    trace_free(trace);
}
END_TEST

START_TEST(a_large_event_is_an_instant_and_a_blob) {
    struct trace *trace = loaded_text(HEAD "large_event 1 5/6 \"c\" \"x\" fill:9\n");
    ck_assert_uint_eq(blobs(trace), 1);
    ck_assert_uint_eq(instants(trace), 1);
    ck_assert_uint_eq(trace_events(trace), 1);
    trace_free(trace);
}
END_TEST

START_TEST(a_thread_is_its_process_and_its_koid) {
    struct trace *trace = loaded_text(HEAD "thread 1 5 6\nthread 2 7 6\n"
                                           "instant 1 t1 \"c\" \"x\"\ninstant 1 5/6 \"c\" \"x\"\n"
                                           "instant 1 t2 \"c\" \"x\"\ninstant 1 7/6 \"c\" \"x\"\n");
    size_t with = 0;
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        with += trace_thread(trace, i)->events == 2;
    ck_assert_uint_eq(with, 2);
    ck_assert_uint_eq(trace_process_count(trace), 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_uint_eq(trace_process_thread_count(trace_process(trace, i)), 1);
    trace_free(trace);
}
END_TEST

START_TEST(references_to_nothing_are_counted_and_kept) {
    struct trace *trace = loaded_text(HEAD "instant 1 t9 s7 s8\ncomplete 2 t9 s7 s8 end=5\n");
    const struct problems *all = trace_problems(trace);
    ck_assert_uint_eq(trace_events(trace), 2);
    ck_assert_uint_eq(all->kinds[PROBLEM_UNDEFINED_STRING].count, 4);
    ck_assert_uint_eq(all->kinds[PROBLEM_UNDEFINED_THREAD].count, 2);
    ck_assert_uint_eq(slices(trace), 1);
    trace_free(trace);
}
END_TEST

START_TEST(a_loss_before_any_event_gets_a_time_later) {
    struct trace *trace =
        loaded_text(HEAD "provider 1 \"p\"\ninit 1000000000\nprovider_event 1 0\n"
                         "instant 20 5/6 \"c\" \"x\"\ninstant 30 5/6 \"c\" \"x\"\n");
    size_t n;
    const struct lost *v = trace_lost(trace, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert(v[0].has_time);
    ck_assert_int_eq(v[0].time, trace_origin(trace));
    trace_free(trace);
}
END_TEST

START_TEST(a_loss_is_between_the_events_of_its_provider) {
    struct trace *trace =
        loaded_text(HEAD "provider 1 \"p\"\ninit 1000000000\ninstant 10 5/6 \"c\" \"x\"\n"
                         "provider_event 1 0\ninstant 20 5/6 \"c\" \"x\"\n");
    size_t n;
    const struct lost *v = trace_lost(trace, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert(v[0].has_time);
    ck_assert_int_ge(v[0].time - trace_origin(trace), 0);
    ck_assert_int_le(v[0].time - trace_origin(trace), 10);
    ck_assert_uint_eq(trace_problems(trace)->kinds[PROBLEM_RECORDS_LOST].count, 1);
    trace_free(trace);
}
END_TEST

/* The ends of the rows of the only thread with slices; INT64_MAX: open. */
static void ends_are(const char *text, const int64_t *want, size_t n, uint64_t lost,
                     uint64_t mismatches, uint64_t strays) {
    struct trace *trace = loaded_text(text);
    const struct nest *nest = NULL;
    for (size_t i = 0; i < trace_thread_count(trace) && nest == NULL; i++)
        nest = trace_thread(trace, i)->nest.slices > 0 ? &trace_thread(trace, i)->nest : NULL;
    ck_assert(nest && nest_rows(nest) == n);
    for (size_t row = 0; row < n; row++)
        ck_assert_int_eq(nest->lanes[row].end, want[row]);
    const struct problems *all = trace_problems(trace);
    ck_assert_uint_eq(all->kinds[PROBLEM_END_LOST].count, lost);
    ck_assert_uint_eq(all->kinds[PROBLEM_END_LOST].cases.n, lost);
    ck_assert_uint_eq(all->kinds[PROBLEM_END_NAME_MISMATCH].count, mismatches);
    ck_assert_uint_eq(all->kinds[PROBLEM_END_NAME_MISMATCH].cases.n, mismatches);
    ck_assert_uint_eq(all->kinds[PROBLEM_END_WITHOUT_BEGIN].count, strays);
    trace_free(trace);
}

START_TEST(an_end_closes_by_name_where_its_provider_lost_records) {
#define WRITERS "magic\nprovider 2 \"q\"\nprovider 1 \"p\"\ninit 1000000000\n"
#define BEGINS(loss) WRITERS "begin 0 1/10 \"c\" \"a\"\nbegin 10 1/10 \"c\" \"b\"\n" loss
#define STATS                                                                                      \
    "instant 11 1/11 \"c\" \"x\"\ncomplete 12 1/11 \"kernel:meta\" \"ktrace_drop_stats\" end=13\n"
    static const int64_t both[] = {20, 20}, inner[] = {INT64_MAX, 20},
                         none[] = {INT64_MAX, INT64_MAX};
    ends_are(BEGINS("provider_event 1 0\n") "end 20 1/10 \"c\" \"a\"\n", both, 2, 1, 0, 0);
    ends_are(BEGINS("provider_event 1 0\n") "end 20 1/10 \"c\" \"b\"\n", inner, 2, 0, 0, 0);
    ends_are(BEGINS("provider_event 1 0\n") "end 20 1/10 \"c\" \"\"\n", inner, 2, 0, 0, 0);
    ends_are(BEGINS("provider_event 1 0\n") "end 20 1/10 \"c\" \"z\"\n", none, 2, 0, 0, 1);
    ends_are(BEGINS(STATS) "end 20 1/10 \"c\" \"a\"\n", both, 2, 1, 0, 0);
    /* of another one */
    ends_are(BEGINS("provider_event 2 0\n") "end 20 1/10 \"c\" \"a\"\n", inner, 2, 0, 1, 0);
    /* not between them */
    ends_are(BEGINS("") "end 20 1/10 \"c\" \"a\"\nprovider_event 1 0\n", inner, 2, 0, 1, 0);
    ends_are(WRITERS "begin 0 1/10 \"c\" \"a\"\nprovider_event 1 0\nbegin 10 1/10 \"c\" \"b\"\n"
                     "end 20 1/10 \"c\" \"a\"\n",
             inner, 2, 0, 1, 0);
}
END_TEST

SUITE(ingest) {
    Suite *s = suite_create("ingest");
    TCase *t = tcase_create("ingest");
    tcase_add_loop_test(t, a_record_adds_to_one_part_of_the_model, 0, RECORDS);
    tcase_add_test(t, a_backtrace_is_a_record_and_a_sample);
    tcase_add_test(t, a_large_event_is_an_instant_and_a_blob);
    tcase_add_test(t, a_thread_is_its_process_and_its_koid);
    tcase_add_test(t, references_to_nothing_are_counted_and_kept);
    tcase_add_test(t, a_loss_before_any_event_gets_a_time_later);
    tcase_add_test(t, a_loss_is_between_the_events_of_its_provider);
    tcase_add_test(t, an_end_closes_by_name_where_its_provider_lost_records);
    suite_add_tcase(s, t);
    return s;
}
