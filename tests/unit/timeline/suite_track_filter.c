/* suite_track_filter.c - while a filter of tracks is typed, the tracks follow; Esc brings back what
 * was shown. */
#include <string.h>

#include "src/base/vec.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/filters/track_filter.h"
#include "ui/timeline/tracks.h"

#define KINDS "../screens/kinds"

typedef VEC(struct track) track_vec;

static void copy_list(track_vec *tracks) {
    tracks->n = 0;
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++)
        vec_push(tracks, shown.timeline.tracks.tracks.v[i]);
}

static void expect_list(const track_vec *tracks, const char *when) {
    const struct track_list *list = &shown.timeline.tracks;
    ck_assert_msg(list->tracks.n == tracks->n, "%s: %zu tracks, not %zu", when, list->tracks.n,
                  tracks->n);
    for (size_t i = 0; i < tracks->n; i++)
        ck_assert_msg(list->tracks.v[i].kind == tracks->v[i].kind &&
                          list->tracks.v[i].of == tracks->v[i].of,
                      "%s: track %zu", when, i);
}

/* After each letter the list is the one that Enter would have left. */
START_TEST(tracks_follow_while_the_filter_is_typed) {
    static const char *const filters[] = {"raster", "/a.*r/", "!main", "dur>2ms", "process=x"};
    track_vec entered = {0};
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++)
        for (size_t n = 1; n <= strlen(filters[k]); n++) {
            char text[40], keys[80];
            snprintf(text, sizeof text, "%.*s", (int)n, filters[k]);
            shown_fixture(KINDS, 100, 30);
            snprintf(keys, sizeof keys, "&%s<Enter>", text);
            shown_keys(keys);
            bool refused = shown.message.is_error;
            copy_list(&entered);
            shown_close();
            shown_fixture(KINDS, 100, 30);
            snprintf(keys, sizeof keys, "&%s", text);
            shown_keys(keys);
            if (!refused)
                expect_list(&entered, text);
            shown_close();
        }
    vec_free(&entered);
}
END_TEST

START_TEST(esc_brings_back_filter_line_and_scroll_position) {
    track_vec before = {0};
    shown_fixture(KINDS, 100, 12);
    shown_keys("GjjjjjjjJJJ");
    for (int filtered = 0; filtered < 2; filtered++) {
        if (filtered)
            shown_keys("&a<Enter>jjj");
        copy_list(&before);
        uint64_t line = shown.timeline.line, top = shown.timeline.top;
        ck_assert_uint_gt(line, 0);
        shown_keys("&raster");
        ck_assert(shown.timeline.tracks.tracks.n < before.n);
        shown_keys("<Esc>");
        expect_list(&before, "Esc");
        ck_assert_uint_eq(shown.timeline.line, line);
        ck_assert_uint_eq(shown.timeline.top, top);
        ck_assert(filtered ? strcmp(filter_text(shown.timeline.filter), "a") == 0
                           : shown.timeline.filter == NULL);
    }
    vec_free(&before);
    shown_close();
}
END_TEST

/* Refused by Enter, it leaves what was shown before the first letter. */
START_TEST(text_that_is_no_filter_leaves_the_one_before) {
    shown_fixture(KINDS, 100, 30);
    shown_keys("&raster<Enter>");
    size_t n = shown.timeline.tracks.tracks.n;
    shown_keys("&io /(/<Enter>");
    ck_assert(shown.message.is_error);
    ck_assert_str_eq(filter_text(shown.timeline.filter), "raster");
    ck_assert_uint_eq(shown.timeline.tracks.tracks.n, n);
    shown_keys("&ra<BS><BS><Enter>"); /* an empty prompt drops the filter, typed or not */
    ck_assert_ptr_null(shown.timeline.filter);
    ck_assert_uint_gt(shown.timeline.tracks.tracks.n, n);
    shown_close();
}
END_TEST

/* The tracks are asked in steps: a letter does not wait for all of them. */
START_TEST(a_letter_waits_for_no_more_than_its_budget) {
    shown_fixture(KINDS, 100, 30);
    size_t all = shown.timeline.tracks.tracks.n;
    shown.answer = budget_units(0);
    track_filter_typed(&shown, "raster");
    ck_assert_uint_eq(shown.timeline.tracks.tracks.n, all);
    int steps = 0;
    while (session_within(&shown, TASK_OF(1), track_filter_step))
        steps++;
    ck_assert_int_gt(steps, 10);
    ck_assert_uint_lt(shown.timeline.tracks.tracks.n, all);
    track_filter_cancelled(&shown);
    shown_close();
}
END_TEST

/* A list that is made while the filter is asked would ask about all the other tracks at once. */
START_TEST(the_list_waits_for_the_filter) {
    shown_fixture(KINDS, 100, 30);
    size_t all = shown.timeline.tracks.tracks.n;
    shown.answer = budget_units(0);
    track_filter_typed(&shown, "raster");
    shown.timeline.tracks.lives.next = 0;
    while (session_within(&shown, NULL, tracks_step))
        continue;
    ck_assert_uint_gt(shown.timeline.tracks.lives.next, 0);
    ck_assert_uint_eq(shown.timeline.tracks.tracks.n, all);
    while (session_within(&shown, TASK_OF(1), track_filter_step))
        continue;
    ck_assert_uint_lt(shown.timeline.tracks.tracks.n, all);
    track_filter_cancelled(&shown);
    shown_close();
}
END_TEST

SUITE(track_filter) {
    Suite *s = suite_create("track_filter");
    TCase *t = tcase_create("track_filter");
    tcase_add_test(t, tracks_follow_while_the_filter_is_typed);
    tcase_add_test(t, esc_brings_back_filter_line_and_scroll_position);
    tcase_add_test(t, text_that_is_no_filter_leaves_the_one_before);
    tcase_add_test(t, a_letter_waits_for_no_more_than_its_budget);
    tcase_add_test(t, the_list_waits_for_the_filter);
    suite_add_tcase(s, t);
    return s;
}
