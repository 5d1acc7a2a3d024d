/* suite_session.c - times as text and back, and the lines of the screen. */
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/tracks.h"

#define KINDS "../screens/kinds"

START_TEST(a_point_in_time_as_shown_is_a_time_as_typed) {
    struct chance chance = {3};
    shown_fixture(KINDS, 100, 30);
    int64_t origin = trace_origin(shown.trace), span = trace_end(shown.trace) - origin;
    for (int i = 0; i < 2000; i++) {
        int64_t t = origin + (int64_t)below(&chance, (uint64_t)span), back;
        char buf[48];
        for (int64_t resolution = 1; resolution <= 1000; resolution *= 1000) {
            const char *text = session_point(&shown, t, resolution, buf);
            MUST(*text == '+', i); /* which means from the start; typed, it is from the cursor */
            MUST(session_time(&shown, text + 1, &back), i);
            MUST(back - t <= resolution && t - back <= resolution, i);
        }
    }
    shown_close();
}
END_TEST

START_TEST(times_as_typed) {
    static const char *const bad[] = {"",    "x",   "-",    "+",    "101%",
                                      "-1%", "1s2", "1e3s", "--1s", "1 parsec"};
    int64_t t;
    shown_fixture(KINDS, 100, 30);
    int64_t origin = trace_origin(shown.trace), end = trace_end(shown.trace);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!session_time(&shown, bad[i], &t), "%s", bad[i]);
    ck_assert(session_time(&shown, "0%", &t) && t == origin);
    ck_assert(session_time(&shown, "100%", &t) && t == end);
    ck_assert(session_time(&shown, "50% ", &t));
    ck_assert_int_le(t - origin - (end - t), 1);
    shown.timeline.cursor = origin + 5000000;
    ck_assert(session_time(&shown, "+1ms", &t) && t == origin + 6000000);
    ck_assert(session_time(&shown, "-1ms", &t) && t == origin + 4000000);
    ck_assert(session_time(&shown, "1ms", &t) && t == origin + 1000000);
    shown_close();
}
END_TEST

START_TEST(the_formats_of_times_name_the_same_time) {
    char buf[48];
    shown_fixture(KINDS, 100, 30);
    int64_t t = trace_origin(shown.trace) + 1500000;
    ck_assert_str_eq(session_point(&shown, t, 1000, buf), "+0.001500 s");
    shown.timeline.time_format = TIME_WALL; /* tick 0 is 1700000000 s, 2023-11-14 22:13:20 UTC */
    ck_assert_str_eq(session_point(&shown, t, 1000, buf), "22:13:20.001500");
    shown.timeline.time_format = TIME_CLOCK;
    ck_assert_str_eq(session_point(&shown, t, 1000, buf), "1500000 ns");
    shown_close();
}
END_TEST

START_TEST(a_row_of_the_screen_is_a_line_of_the_tracks) {
    shown_fixture(KINDS, 100, 30);
    tracks_pin_pattern(&shown, "a");
    shown.timeline.line = shown.timeline.tracks.lines - 1;
    shown_keys("j");
    int pinned = session_pinned_rows(&shown), rules = 0;
    ck_assert_int_gt(pinned, 0);
    ck_assert_int_le(pinned * 2, shown.layout.track_rows);
    uint64_t before = UINT64_MAX;
    for (int r = 0; r < shown.layout.track_rows; r++) {
        uint64_t line = session_line_at(&shown, shown.layout.tracks + r);
        if (line == UINT64_MAX) {
            ck_assert_int_eq(r, pinned);
            rules++;
            continue;
        }
        if (r < pinned)
            ck_assert_uint_eq(line, (uint64_t)r);
        else if (r > pinned + 1)
            ck_assert_uint_eq(line, before + 1);
        else
            ck_assert_uint_eq(line, shown.timeline.top);
        before = line;
    }
    ck_assert_int_eq(rules, 1);
    shown_close();
}
END_TEST

START_TEST(lists_show_ns_in_short_traces) {
    shown_text(
        "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"x\"\ninstant 1000004 1/2 \"c\" \"x\"\n", 80,
        24);
    ck_assert_int_eq(session_resolution(shown.trace), 1);
    shown_close();
    shown_text(
        "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"x\"\ninstant 1000005 1/2 \"c\" \"x\"\n", 80,
        24);
    ck_assert_int_eq(session_resolution(shown.trace), 1000);
    shown_close();
}
END_TEST

SUITE(session) {
    Suite *s = suite_create("session");
    TCase *t = tcase_create("session");
    tcase_add_test(t, a_point_in_time_as_shown_is_a_time_as_typed);
    tcase_add_test(t, times_as_typed);
    tcase_add_test(t, the_formats_of_times_name_the_same_time);
    tcase_add_test(t, a_row_of_the_screen_is_a_line_of_the_tracks);
    tcase_add_test(t, lists_show_ns_in_short_traces);
    suite_add_tcase(s, t);
    return s;
}
