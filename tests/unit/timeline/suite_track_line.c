/* suite_track_line.c - the events on a line: along it, each slice and moment once and in the order
 * of time. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"

static const char mixed[] =
    "magic\ninit 1000000000\n"
    "complete 100 5/6 \"c\" \"a\" end=200\ninstant 300 5/6 \"c\" \"i\"\n"
    "complete 400 5/6 \"c\" \"b\" end=900\ninstant 500 5/6 \"c\" \"j\"\n"
    "complete 600 5/6 \"c\" \"child\" end=800\ninstant 700 5/6 \"c\" \"of child\"\n"
    "complete 1000 5/6 \"c\" \"d\" end=1100\ncomplete 1200 5/6 \"c\" \"e\" end=1300\n";

START_TEST(along_a_line_each_event_once) {
    static const int64_t row0[] = {100, 300, 400, 500, 1000, 1200}, row1[] = {600, 700};
    shown_text(mixed, 100, 30);
    const struct track *t = shown.timeline.tracks.tracks.v;
    while (!t->kind->thread)
        t++;
    for (uint32_t row = 0; row < 2; row++) {
        const int64_t *times = row ? row1 : row0;
        int n = row ? 2 : 6;
        struct track_line line;
        ck_assert(track_line_of(shown.trace, t, row, &line));
        struct selection now =
            track_line_along(shown.trace, &line, NULL, trace_origin(shown.trace) - 1, 1);
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(now.time - trace_origin(shown.trace) + 100, times[i]);
            struct selection before = track_line_along(shown.trace, &line, &now, 0, -1);
            ck_assert_int_eq(selection_any(&before), i > 0);
            ck_assert(i == 0 || before.time - trace_origin(shown.trace) + 100 == times[i - 1]);
            now = track_line_along(shown.trace, &line, &now, 0, 1);
        }
        ck_assert(!selection_any(&now));
        now = track_line_along(shown.trace, &line, NULL, INT64_MAX, -1);
        ck_assert_int_eq(now.time - trace_origin(shown.trace) + 100, times[n - 1]);
    }
    shown_close();
}
END_TEST

/* h and l, ^ and $ reach what :only leaves while the rest is hidden, and everything while it is
 * dimmed. */
/* Whatever the guess, it is the first one of a scan. */
START_TEST(the_first_moment_from_a_time) {
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 40; i++) /* several at one time, and gaps */
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %d 5/6 \"c\" \"i\"\n",
                              i / 3 * (i % 2 ? 7 : 8));
    shown_text(text, 100, 30);
    const struct track *track = shown.timeline.tracks.tracks.v;
    while (!track->kind->thread)
        track++;
    struct track_line line;
    ck_assert(track_line_of(shown.trace, track, 0, &line));
    size_t count = track_line_moments(shown.trace, &line);
    ck_assert_uint_eq(count, 40);
    for (size_t i = 0; i < count; i++)
        for (size_t guess = 0; guess < count + 3; guess++)
            for (int64_t t = trace_origin(shown.trace) - 1; t < trace_origin(shown.trace) + 120;
                 t++) {
                size_t want = i;
                while (want < count && track_line_moment(shown.trace, &line, want).time < t)
                    want++;
                ck_assert_uint_eq(track_line_from_near(shown.trace, &line, i, guess, t), want);
            }
    shown_close();
}
END_TEST

START_TEST(hidden_events_are_passed_over) {
    static const struct {
        const char *keys;
        int64_t times[8];
    } cases[] = {
        {":only name=a,d,j<Enter>", {100, 500, 1000}},
        {":only name=i,e<Enter>", {300, 1200}},
        {":only kind=instant<Enter>", {300, 500}},
        {":only name=a,d,j<Enter>x", {100, 300, 400, 500, 1000, 1200}},
        {":only<Enter>", {100, 300, 400, 500, 1000, 1200}},
    };
    shown_text(mixed, 100, 30);
    const struct selection *now = &shown.timeline.selection;
    int64_t origin = trace_origin(shown.trace) - 100;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int n = 0;
        shown_keys(cases[k].keys);
        shown_keys("^");
        for (; n < 8 && cases[k].times[n]; n++) {
            ck_assert_msg(now->time == origin + cases[k].times[n], "%s, %d: %lld", cases[k].keys, n,
                          (long long)(now->time - origin));
            shown_keys("l");
        }
        shown_keys("$");
        for (; n > 0; n--) {
            ck_assert_msg(now->time == origin + cases[k].times[n - 1], "%s, back %d: %lld",
                          cases[k].keys, n, (long long)(now->time - origin));
            shown_keys("h");
        }
    }
    shown_close();
}
END_TEST

START_TEST(a_moment_is_held_by_one_row) {
    shown_text(mixed, 100, 30);
    const struct track *t = shown.timeline.tracks.tracks.v;
    while (!t->kind->thread)
        t++;
    struct track_line line;
    int held[3] = {0};
    for (uint32_t row = 0; row < t->height; row++) {
        ck_assert(track_line_of(shown.trace, t, row, &line));
        ck_assert_uint_eq(track_line_moments(shown.trace, &line), 3);
        for (size_t i = 0; i < 3; i++)
            held[i] += track_line_holds(shown.trace, &line, i);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(held[i], 1);
    ck_assert_uint_eq(track_line_from(shown.trace, &line, trace_origin(shown.trace) + 400, 0), 1);
    ck_assert_uint_eq(track_line_from(shown.trace, &line, INT64_MAX, 0), 3);
    shown_close();
}
END_TEST

START_TEST(headers_hold_nothing) {
    struct track_line line;
    shown_text(mixed, 100, 30);
    for (uint64_t at = 0; at < shown.timeline.tracks.lines + 3; at++) {
        const struct track *t = track_list_at(&shown.timeline.tracks, at);
        ck_assert_int_eq(track_line_at(shown.trace, &shown.timeline.tracks, at, &line),
                         t && !t->kind->header);
    }
    shown_close();
}
END_TEST

SUITE(track_line) {
    Suite *s = suite_create("track_line");
    TCase *t = tcase_create("line");
    tcase_add_test(t, along_a_line_each_event_once);
    tcase_add_test(t, the_first_moment_from_a_time);
    tcase_add_test(t, hidden_events_are_passed_over);
    tcase_add_test(t, a_moment_is_held_by_one_row);
    tcase_add_test(t, headers_hold_nothing);
    suite_add_tcase(s, t);
    return s;
}
