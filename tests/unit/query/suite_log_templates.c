/* suite_log_templates.c - log records by their text without numbers, of a range and of threads. */
#include "model/query/stat/tables/log_templates.h"

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const char text[] =
    "magic\ninit 1000000000\n"
    "log 1000 1/2 \"took 12 ms\"\nlog 2000 1/3 \"took 7 ms\"\nlog 3000 1/2 \"x86_64\"\n"
    "log 4000 1/2 \"took 99999 ms\"\nlog 5000 1/2 \"\"\nlog 6000 1/2 \"12\"\n";

static void expect(const struct log_templates *t, uint32_t row, const char *want, uint64_t count,
                   int64_t first, int64_t last) {
    struct str got = log_templates_text(t, row);
    ck_assert_msg(str_eq(got, str_of(want)), "%.*s", (int)got.n, got.s);
    ck_assert_uint_eq(t->rows.v[row].count, count);
    ck_assert_int_eq(t->rows.v[row].first - trace_origin(t->trace), first);
    ck_assert_int_eq(t->rows.v[row].last - trace_origin(t->trace), last);
}

struct asked {
    struct log_templates *templates;
    struct trace *trace;
    const struct range *range;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    log_templates_make(task, a->templates, a->trace, a->range);
}

START_TEST(runs_of_digits_are_one_sign) {
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    struct log_templates t = {0};
    task_whole(make, &(struct asked){&t, trace, &range}, NULL);
    ck_assert_uint_eq(t.rows.n, 4);
    expect(&t, 0, "took # ms", 3, 0, 3000);
    expect(&t, 1, "x#_#", 1, 2000, 2000);
    expect(&t, 2, "", 1, 4000, 4000);
    expect(&t, 3, "#", 1, 5000, 5000);
    ck_assert_uint_eq(t.rows.v[0].thread, NO_THREAD);
    ck_assert_uint_ne(t.rows.v[1].thread, NO_THREAD);
    log_templates_free(&t);
    trace_free(trace);
}
END_TEST

START_TEST(a_range_and_its_tracks_select_records) {
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    struct log_templates t = {0};
    range_set_time(&range, trace, trace_origin(trace) + 1000, trace_origin(trace) + 4000);
    task_whole(make, &(struct asked){&t, trace, &range}, NULL);
    ck_assert_uint_eq(t.records, 3);
    expect(&t, 0, "took # ms", 2, 1000, 3000);
    track_set_put(&range.tracks, t.rows.v[1].thread, true);
    log_templates_free(&t);
    task_whole(make, &(struct asked){&t, trace, &range}, NULL);
    ck_assert_uint_eq(t.records, 2);
    log_templates_free(&t);
    range_free(&range);
    trace_free(trace);
}
END_TEST

SUITE(log_templates) {
    Suite *s = suite_create("log_templates");
    TCase *t = tcase_create("log_templates");
    tcase_add_test(t, runs_of_digits_are_one_sign);
    tcase_add_test(t, a_range_and_its_tracks_select_records);
    suite_add_tcase(s, t);
    return s;
}
