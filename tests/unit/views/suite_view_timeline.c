/* suite_view_timeline.c - the timeline, counters and CPUs as views, and the mouse on them. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"
#include "ui/views/view_timeline.h"

#define KINDS "../screens/kinds"

static void press(const char *what, int x, int y) {
    char keys[64];
    snprintf(keys, sizeof keys, "<%s:%d,%d>", what, x, y);
    shown_keys(keys);
}

/* The screen row of the current line. */
static int row_of(uint64_t line) {
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        if (session_line_at(&shown, y) == line)
            return y;
    ck_abort_msg("line %d is not shown", (int)line);
}

START_TEST(each_view_shows_its_kinds_of_tracks) {
    shown_fixture(KINDS, 120, 40);
    size_t all = shown.timeline.tracks.tracks.n, counters = 0;
    shown_keys("7");
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++) {
        const struct track_ops *kind = shown.timeline.tracks.tracks.v[i].kind;
        ck_assert(!kind->thread && kind != &track_async && kind != &track_log);
        counters += kind == &track_counter;
    }
    ck_assert_uint_eq(counters, 4);
    ck_assert_ptr_eq(session_track(&shown.timeline)->kind, &track_counter);
    shown_keys("8");
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++)
        ck_assert_ptr_ne(shown.timeline.tracks.tracks.v[i].kind, &track_counter);
    ck_assert(!session_track(&shown.timeline)->kind->header);
    shown_keys("1");
    ck_assert_uint_eq(shown.timeline.tracks.tracks.n, all);
    shown_close();
}
END_TEST

START_TEST(a_click_selects_what_is_under_it) {
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 213", 0);
    uint64_t line = shown.timeline.line;
    int64_t middle = shown.timeline.selection.time + 9000000;
    shown.timeline.selection = (struct selection){0};
    int x = shown.layout.lane + window_column(&shown.timeline.window, middle), y = row_of(line);
    press("Click", x, y);
    press("Release", x, y);
    ck_assert_str_eq(shown_selected(), "Frame 213");
    ck_assert_uint_eq(shown.timeline.line, line);
    shown_close();
}
END_TEST

START_TEST(dragging_the_ruler_pans_and_selects_nothing) {
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 213", 0);
    shown_keys("ww");
    struct window before = shown.timeline.window;
    int x = shown.layout.lane + window_column(&before, shown.timeline.selection.time + 9000000),
        y = shown.layout.ruler;
    shown.timeline.selection = (struct selection){0};
    press("Click", x, y);
    press("Drag", x - 10, y);
    press("Release", x - 10, y);
    int64_t moved = shown.timeline.window.from - before.from, ten = 10 * window_per_column(&before);
    ck_assert_int_eq(shown.timeline.window.width, before.width);
    ck_assert_int_le(moved > ten ? moved - ten : ten - moved, window_per_column(&before));
    ck_assert_str_eq(shown_selected(), "");
    shown_close();
}
END_TEST

START_TEST(dragging_the_lanes_makes_a_range_of_its_columns) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("ww");
    struct window w = shown.timeline.window;
    int x = shown.layout.lane + 20, y = shown.layout.tracks + 2;
    press("Click", x, y);
    press("Drag", x + 5, y);
    press("Drag", x - 10, y + 1);
    press("Release", x - 10, y + 1);
    const struct range *range = session_range(&shown);
    ck_assert(range->timed && window_eq(&w, &shown.timeline.window));
    ck_assert_int_eq(range->from, window_edge(&w, 10));
    ck_assert_int_eq(range->to, window_edge(&w, 21));
    ck_assert_str_eq(shown_selected(), "");
    press("Click", x, shown.layout.tracks + 3); /* a click leaves it */
    press("Release", x, shown.layout.tracks + 3);
    ck_assert(session_range(&shown)->timed);
    press("Click", x, shown.layout.tracks + 3); /* any position that a terminal may report */
    press("Drag", 9999, 9999);
    press("Release", 9999, 9999);
    ck_assert_int_eq(session_range(&shown)->to, window_edge(&w, w.columns));
    shown_close();
}
END_TEST

START_TEST(the_wheel_zooms_at_the_pointer) {
    shown_fixture(KINDS, 120, 40);
    struct window *w = &shown.timeline.window, before = *w;
    int column = 40, x = shown.layout.lane + column;
    int64_t t = window_edge(w, column);
    press("WheelUp", x, shown.layout.tracks + 2);
    ck_assert_int_lt(w->width, before.width);
    ck_assert_int_le(window_column(w, t) - column, 1);
    ck_assert_int_ge(window_column(w, t) - column, -1);
    uint64_t line = shown.timeline.line;
    press("WheelDown", 2, shown.layout.tracks + 2); /* left of the lanes: rows */
    ck_assert_uint_gt(shown.timeline.line, line);
    shown_close();
}
END_TEST

START_TEST(a_click_on_the_overview_goes_to_that_time) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("wwww");
    struct window whole = shown.timeline.window;
    window_whole(&whole, trace_origin(shown.trace), trace_end(shown.trace), whole.columns);
    press("Click", shown.layout.lane + 60, shown.layout.overview);
    press("Release", shown.layout.lane + 60, shown.layout.overview);
    ck_assert_int_eq(shown.timeline.cursor, window_edge(&whole, 60));
    ck_assert_int_ge(window_column(&shown.timeline.window, shown.timeline.cursor), 0);
    shown_close();
}
END_TEST

START_TEST(formats_of_times_go_round) {
    shown_fixture(KINDS, 120, 40);
    for (int i = 1; i <= TIME_FORMATS; i++) {
        view_timeline_time_format(&shown);
        ck_assert_int_eq((int)shown.timeline.time_format, i % TIME_FORMATS);
    }
    shown_close();
    shown_text("magic\ninit 1000000000\ninstant 5 5/6 \"c\" \"x\"\n", 100, 30);
    view_timeline_time_format(&shown); /* without a wall clock it is left out */
    ck_assert_int_eq((int)shown.timeline.time_format, TIME_CLOCK);
    shown_close();
}
END_TEST

SUITE(view_timeline) {
    Suite *s = suite_create("view_timeline");
    TCase *t = tcase_create("timeline");
    tcase_add_test(t, each_view_shows_its_kinds_of_tracks);
    tcase_add_test(t, a_click_selects_what_is_under_it);
    tcase_add_test(t, dragging_the_ruler_pans_and_selects_nothing);
    tcase_add_test(t, dragging_the_lanes_makes_a_range_of_its_columns);
    tcase_add_test(t, the_wheel_zooms_at_the_pointer);
    tcase_add_test(t, a_click_on_the_overview_goes_to_that_time);
    tcase_add_test(t, formats_of_times_go_round);
    suite_add_tcase(s, t);
    return s;
}
