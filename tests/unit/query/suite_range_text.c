/* suite_range_text.c - ranges as typed: what they mean, and what is said to wrong ones. */
#include "model/query/stat/range_text.h"

#include <string.h>
#include <time.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define TEXT                                                                                       \
    "magic\ninit 1000000000 0 1700000000000000000\ncomplete 1000 3/4 \"\" \"a\" end=2000000\n"

START_TEST(a_range_is_two_times) {
    static const struct {
        const char *text;
        int64_t from, to;
    } cases[] = {
        {"0..1us", 0, 1000},
        {"0.1us..1.5us", 100, 1500},
        {"50%..100%", 999500, 1999000},
        {" 1us .. 2us ", 1000, 2000},
        {"+1us..+2us", 1000, 3000},
        {"-1us..1us", -1000, 1000},
        {"0..5s", 0, 5000000000},
        {"1us..+500ns", 1000, 1500},
        {"100%..5s", 1999000, 5000000000},
        {"1us..", 1000, 1999000},
        {"..1us", 0, 1000},
        {"..", 0, 1999000},
        {"..-1us", 0, 1998000},
        {"-1us.. ", 1998000, 1999000},
        {"end-2us..end", 1997000, 1999000},
        {"start+1us..end-1us", 1000, 1998000},
    };
    struct trace *trace = loaded_text(TEXT);
    struct time_text how = {.cursor = trace_begin(trace), .end = trace_end(trace)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct range range = {0};
        struct err err;
        ck_assert_msg(range_text_parse(&range, trace, &how, cases[i].text, false, &err), "%s",
                      cases[i].text);
        ck_assert_int_eq(range.from - trace_begin(trace), cases[i].from);
        ck_assert_int_eq(range.to - trace_begin(trace), cases[i].to);
        ck_assert(range.timed && range.to_end == (range.to >= trace_end(trace)));
    }
    trace_free(trace);
}
END_TEST

/* The trace begins at 2023-11-14 22:13:20.000001 UTC. */
START_TEST(a_point_has_a_distance_a_mark_or_a_date) {
    static const struct {
        const char *text;
        int64_t t;
    } cases[] = {
        {"end", 1999000},
        {"start", 0},
        {"end-20us", 1979000},
        {"end - 20 us", 1979000},
        {"50%+1us", 1000500},
        {"1ms-1us", 999000},
        {"'a", 5000},
        {"'a+3us", 8000},
        {"'z-1ns", 6999},
        {"22:13:20.000002", 1000},
        {"22:13:20.000002+1us", 2000},
        {"2023-11-14 22:13:20.000003", 2000},
        {"2023-11-14T22:13:20.000003Z", 2000},
        {"2023-11-14t22:13:20.000003z+1us", 3000},
        {"2023-11-15T00:13:20.000003+02:00", 2000},
        {"2023-11-14T16:43:20.000003-0530", 2000},
        {"22:14", 39999999000},
        {"2023-11-14 22:14", 39999999000},
        {"2023-11-14T23:14+01:00", 39999999000},
        {"2023-11-15", 6399999999000},
        {"2023-11-15-1s", 6398999999000},
    };
    static const char *const bad[] = {
        "'b",
        "'",
        "'aa",
        "'A",
        "ends",
        "2023-13-01",
        "2023-00-1",
        "2023-02-29",
        "2023-11-31",
        "2023-11-14 25:00:00",
        "2023-11-14 1",
        "22:",
        "22:60",
        "22:13:",
        "20231114",
        "2023-11-14T22:13:20+24:00",
        "2023-11-14T22:13:20+:00",
        "end+",
        "end-x",
        "+end",
        "--1us",
        "1969-12-31",
    };
    int64_t marks[TIME_TEXT_MARKS], t;
    struct trace *trace = loaded_text(TEXT);
    for (int i = 0; i < TIME_TEXT_MARKS; i++)
        marks[i] = INT64_MIN;
    marks[0] = trace_begin(trace) + 5000;
    marks[25] = trace_begin(trace) + 7000;
    struct time_text how = {.cursor = trace_begin(trace), .end = trace_end(trace), .marks = marks};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        ck_assert_msg(time_text_parse(trace, &how, text, strlen(text), &t), "%s", text);
        ck_assert_msg(t - trace_begin(trace) == cases[i].t, "%s: %lld", text,
                      (long long)(t - trace_begin(trace)));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!time_text_parse(trace, &how, bad[i], strlen(bad[i]), &t), "%s", bad[i]);
    trace_free(trace);
}
END_TEST

/* Against the C library, over all years that a clock in nanoseconds has. */
START_TEST(a_date_is_that_of_the_calendar) {
    struct trace *trace = loaded_text(TEXT);
    struct time_text how = {.end = trace_end(trace)};
    uint64_t base;
    ck_assert(time_text_unix(trace, &base));
    for (time_t day = 0; day < 106000; day++) {
        char text[32];
        int64_t t;
        struct tm tm;
        time_t seconds = day * 86400;
        gmtime_r(&seconds, &tm);
        strftime(text, sizeof text, "%Y-%m-%d", &tm);
        ck_assert_msg(time_text_parse(trace, &how, text, strlen(text), &t), "%s", text);
        ck_assert_msg(t == seconds * 1000000000 - (int64_t)base, "%s", text);
    }
    trace_free(trace);
}
END_TEST

START_TEST(a_wrong_range_is_refused_in_one_line) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1us", "'1us' is no range: A..B, e.g. 1.5s..1.6s or 0..50%"},
        {"", "'' is no range: A..B, e.g. 1.5s..1.6s or 0..50%"},
        {"5s..", "the range 5s.. is outside of the trace"},
        {"...", "not a time: '.' (a range is A..B, e.g. 1.5s..1.6s or 0..50%)"},
        {"1..2", "1 has no unit: s, ms, us or ns"},
        {"2us..1us", "the range 2us..1us is empty: its end has to be after its begin"},
        {"1us..1us", "the range 1us..1us is empty: its end has to be after its begin"},
        {"1us..-500ns", "the range 1us..-500ns is empty: its end has to be after its begin"},
        {"3s..4s", "the range 3s..4s is outside of the trace"},
        {"x..1us", "not a time: 'x' (a range is A..B, e.g. 1.5s..1.6s or 0..50%)"},
        {"0..101%", "not a time: '101%' (a range is A..B, e.g. 1.5s..1.6s or 0..50%)"},
        {"0..\033[2J", "not a time: '^[[2J' (a range is A..B, e.g. 1.5s..1.6s or 0..50%)"},
    };
    struct trace *trace = loaded_text(TEXT);
    struct time_text how = {.cursor = trace_begin(trace), .end = trace_end(trace)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct range range = {0};
        struct err err;
        ck_assert_msg(!range_text_parse(&range, trace, &how, cases[i].text, false, &err), "%s",
                      cases[i].text);
        ck_assert_str_eq(err.text, cases[i].says);
        ck_assert(!range.timed);
    }
    trace_free(trace);
}
END_TEST

/* A trace of one moment has a range that contains everything. */
START_TEST(one_moment_is_a_range_if_it_is_all) {
    static const char *const all[] = {"0%..100%", "0..0", "0ns..+0ns"};
    struct trace *trace = loaded_text("magic\ninstant 1000 3/4 \"\" \"a\"\n");
    struct time_text how = {.cursor = trace_begin(trace), .end = trace_end(trace)};
    struct err err;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct range range = {0};
        ck_assert_msg(range_text_parse(&range, trace, &how, all[i], false, &err), "%s", err.text);
        ck_assert(range.timed && range.to_end && range_has_time(&range, trace_begin(trace)));
    }
    struct range range = {0};
    ck_assert(!range_text_parse(&range, trace, &how, "1us..1us", false, &err));
    trace_free(trace);
}
END_TEST

SUITE(range_text) {
    Suite *s = suite_create("range_text");
    TCase *c = tcase_create("range_text");
    tcase_add_test(c, a_range_is_two_times);
    tcase_add_test(c, a_point_has_a_distance_a_mark_or_a_date);
    tcase_add_test(c, a_date_is_that_of_the_calendar);
    tcase_add_test(c, a_wrong_range_is_refused_in_one_line);
    tcase_add_test(c, one_moment_is_a_range_if_it_is_all);
    suite_add_tcase(s, c);
    return s;
}
