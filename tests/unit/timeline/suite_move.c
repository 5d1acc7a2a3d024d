/* suite_move.c - moving leads to the event that it names, stays inside the trace, and can be
 * undone. */
#include <stdio.h>

#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

/* Three calls on one thread; the second holds two more, of which "long" is the longer. */
static const char calls[] = "magic\n"
                            "init 1000000000\n"
                            "complete 1000 5/6 \"c\" \"one\" end=2000\n"
                            "complete 3000 5/6 \"c\" \"two\" end=9000\n"
                            "complete 3500 5/6 \"c\" \"short\" end=4000\n"
                            "complete 5000 5/6 \"c\" \"long\" end=8000\n"
                            "complete 10000 5/6 \"c\" \"three\" end=11000\n";

START_TEST(next_and_previous_visit_each_event_of_the_row) {
    static const char *const names[] = {"one", "two", "three"};
    shown_text(calls, 100, 30);
    shown_select("one", 0);
    for (int i = 1; i < 3; i++) {
        move_next(&shown);
        ck_assert_str_eq(shown_selected(), names[i]);
    }
    move_next(&shown);
    ck_assert_str_eq(shown_selected(), "three");
    ck_assert_ptr_ne(shown.message.text, NULL);
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    for (int i = 1; i >= 0; i--) {
        move_previous(&shown);
        ck_assert_str_eq(shown_selected(), names[i]);
    }
    move_last(&shown);
    ck_assert_str_eq(shown_selected(), "three");
    move_first(&shown);
    ck_assert_str_eq(shown_selected(), "one");
    shown_close();
}
END_TEST

/* 0 leaves out the time outside of the range that was cut; f shows the selected event again. */
START_TEST(an_event_outside_of_a_part_is_fitted_with_what_is_outside) {
    shown_fixture("../screens/part", 100, 30);
    shown_select("open", 0);
    shown_keys("0");
    if (shown.timeline.shown != SHOWN_WINDOW)
        shown_keys("0");
    ck_assert_int_eq(shown.timeline.shown, SHOWN_WINDOW);
    for (int i = 0; i < 3; i++) {
        shown_keys("f");
        ck_assert_int_eq(shown.timeline.shown, SHOWN_ALL);
        ck_assert_int_le(shown.timeline.cursor, shown.timeline.window.hi);
    }
    shown_close();
}
END_TEST

/* The list may be made again with fewer lines, and without the row. */
START_TEST(the_current_line_stays_one_of_the_list) {
    shown_text(calls, 100, 30);
    shown.timeline.line = shown.timeline.tracks.lines - 1;
    ck_assert_uint_gt(shown.timeline.line, 0);
    shown.timeline.tracks.set = LIST_SCHED;
    shown.timeline.tracks.version = UINT64_MAX;
    move_show_row(shown.trace, &shown.timeline, &track_thread, 0, 0);
    ck_assert_uint_eq(shown.timeline.tracks.lines, 0);
    ck_assert_uint_eq(shown.timeline.line, 0);
    shown_close();
}
END_TEST

START_TEST(half_a_screen_down_and_up_is_the_same_line) {
    shown_fixture("../screens/kinds", 100, 16);
    uint64_t half = (uint64_t)shown.layout.track_rows / 2, lines = shown.timeline.tracks.lines;
    ck_assert_uint_gt(half, 0);
    ck_assert_uint_gt(lines, 2 * half);
    move_to_line(&shown, 0);
    shown_keys("<C-d>");
    ck_assert_uint_eq(shown.timeline.line, half);
    shown_keys("<C-d><C-u>");
    ck_assert_uint_eq(shown.timeline.line, half);
    shown_keys("<C-u><C-u>");
    ck_assert_uint_eq(shown.timeline.line, 0);
    shown_close();
}
END_TEST

START_TEST(the_longest_child_and_its_parent) {
    shown_text(calls, 100, 30);
    shown_select("two", 0);
    move_child(&shown);
    ck_assert_str_eq(shown_selected(), "long");
    move_parent(&shown);
    ck_assert_str_eq(shown_selected(), "two");
    shown_select("short", 0);
    move_parent(&shown);
    ck_assert_str_eq(shown_selected(), "two");
    shown_select("one", 0);
    move_child(&shown); /* there is none */
    ck_assert_str_eq(shown_selected(), "one");
    shown_close();
}
END_TEST

START_TEST(a_selected_event_is_on_the_current_line_and_under_the_cursor) {
    shown_fixture(KINDS, 100, 30);
    for (size_t k = 0; k < trace_thread_count(shown.trace); k++) {
        const struct thread *t = trace_thread(shown.trace, k);
        for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
            for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
                const struct slice *s = lane_at(nest_row(&t->nest, row), i);
                struct track_line line;
                move_whole(&shown);
                move_select(&shown, selection_of_slice(t, row, i));
                ck_assert(session_line(shown.trace, &shown.timeline, &line));
                ck_assert_uint_eq(line.track->of, t->number);
                ck_assert_uint_eq(line.row, row);
                ck_assert_int_ge(shown.timeline.cursor, s->start);
                ck_assert(slice_open(s) || shown.timeline.cursor <= slice_end(s));
            }
    }
    shown_close();
}
END_TEST

START_TEST(times_are_clamped_to_the_trace) {
    shown_text(calls, 100, 30);
    move_to_time(&shown, INT64_MAX, false);
    ck_assert_int_eq(shown.timeline.cursor, trace_end(shown.trace));
    move_to_time(&shown, INT64_MIN, true);
    ck_assert_int_eq(shown.timeline.cursor, trace_origin(shown.trace));
    move_end(&shown);
    ck_assert_int_eq(shown.timeline.cursor, trace_end(shown.trace));
    move_cursor_right(&shown);
    ck_assert_int_eq(shown.timeline.cursor, trace_end(shown.trace));
    move_start(&shown);
    ck_assert_int_eq(shown.timeline.cursor, trace_origin(shown.trace));
    shown_close();
}
END_TEST

START_TEST(zooming_keeps_the_cursor_in_its_column) {
    shown_fixture(KINDS, 100, 30);
    struct window *w = &shown.timeline.window;
    move_to_time(&shown, 20000000, false);
    int column = window_column(w, shown.timeline.cursor);
    for (int i = 0; i < 6; i++) {
        move_zoom_in(&shown);
        ck_assert_int_le(abs(window_column(w, shown.timeline.cursor) - column), 1);
    }
    int64_t width = w->width;
    for (int i = 0; i < 6; i++)
        move_zoom_out(&shown);
    ck_assert_int_gt(w->width, width);
    move_whole(&shown);
    ck_assert_int_le(w->from, trace_origin(shown.trace));
    ck_assert_int_ge(w->from + w->width, trace_end(shown.trace));
    shown_close();
}
END_TEST

START_TEST(back_and_forth_lead_through_the_same_places) {
    struct app_place places[5];
    shown_fixture(KINDS, 100, 30);
    for (int i = 0; i < 5; i++) {
        struct timeline *t = &shown.timeline;
        places[i] = (struct app_place){t->window.from, t->window.width, t->cursor, t->line};
        move_remember(t);
        move_to_time(&shown, (i + 1) * 5000000, true);
        window_zoom(&t->window, t->cursor, 2, 3);
        move_to_line(&shown, (uint64_t)i + 2);
    }
    struct app_place last = {shown.timeline.window.from, shown.timeline.window.width,
                             shown.timeline.cursor, shown.timeline.line};
    for (int i = 4; i >= 0; i--) {
        move_back(&shown);
        ck_assert_int_eq(shown.timeline.window.from, places[i].from);
        ck_assert_int_eq(shown.timeline.window.width, places[i].width);
        ck_assert_int_eq(shown.timeline.cursor, places[i].cursor);
        ck_assert_uint_eq(shown.timeline.line, places[i].line);
    }
    shown.message.text[0] = 0;
    move_back(&shown);
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    ck_assert_int_eq(shown.timeline.window.from, places[0].from);
    for (int i = 0; i < 5; i++)
        move_forth(&shown);
    ck_assert_int_eq(shown.timeline.window.from, last.from);
    ck_assert_int_eq(shown.timeline.cursor, last.cursor);
    ck_assert_uint_eq(shown.timeline.line, last.line);
    shown_close();
}
END_TEST

/* The whole trace cannot be moved: it is fitted at once. */
START_TEST(fit_centres_first_if_it_can_and_then_fits) {
    shown_fixture(KINDS, 100, 30);
    shown_keys("0");
    shown_select("Frame 213", 0);
    const struct slice *s = session_slice(shown.trace, &shown.timeline);
    int64_t width = shown.timeline.window.width;
    if (_i == 1) {
        shown_keys("w");
        width = shown.timeline.window.width;
        shown_keys("dH");
        shown_select("Frame 213", 0);
        shown_keys("f");
        ck_assert_int_eq(shown.timeline.window.width, width);
    }
    shown_keys("f");
    ck_assert_int_lt(shown.timeline.window.width, width);
    ck_assert_int_le(shown.timeline.window.from, s->start);
    ck_assert_int_ge(shown.timeline.window.from + shown.timeline.window.width, slice_end(s));
    ck_assert_int_lt(shown.timeline.window.width, (slice_end(s) - s->start) * 5 / 4);
    shown_close();
}
END_TEST

/* The selected slice is on the last line of the screen: the rows of what is inside it are below,
 * and come into view. */
START_TEST(fit_shows_the_rows_inside_the_slice) {
    static char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 50; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/%d \"\" \"job\" end=%d\n",
                              i, i + 2, i + 900);
    for (int i = 0; i < 8; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             "complete %d 1/%d \"\" \"level%d\" end=%d\n", 100 + i, 40, i, 900 - i);
    shown_text(text, 120, 40);
    shown_keys("/level0<Enter>ff");
    for (int i = 0; i < 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "level%d ", i);
        ck_assert_msg(shown_has(name), "%s", name);
    }
    shown_close();
}
END_TEST

START_TEST(a_line_below_the_last_is_the_last) {
    shown_fixture(KINDS, 100, 30);
    for (int i = 0; i < 200; i++)
        move_row_down(&shown);
    ck_assert_uint_eq(shown.timeline.line, shown.timeline.tracks.lines - 1);
    for (int i = 0; i < 200; i++)
        move_row_up(&shown);
    ck_assert_uint_eq(shown.timeline.line, 0);
    for (int i = 0; i < 50; i++) {
        const struct track *before = session_track(&shown.timeline);
        move_track_down(&shown);
        const struct track *after = session_track(&shown.timeline);
        ck_assert(after == before + 1 ||
                  after == &shown.timeline.tracks.tracks.v[shown.timeline.tracks.tracks.n - 1]);
    }
    shown_close();
}
END_TEST

SUITE(move) {
    Suite *s = suite_create("move");
    TCase *t = tcase_create("move");
    tcase_add_test(t, next_and_previous_visit_each_event_of_the_row);
    tcase_add_test(t, an_event_outside_of_a_part_is_fitted_with_what_is_outside);
    tcase_add_test(t, the_current_line_stays_one_of_the_list);
    tcase_add_test(t, half_a_screen_down_and_up_is_the_same_line);
    tcase_add_test(t, the_longest_child_and_its_parent);
    tcase_add_test(t, a_selected_event_is_on_the_current_line_and_under_the_cursor);
    tcase_add_test(t, times_are_clamped_to_the_trace);
    tcase_add_test(t, zooming_keeps_the_cursor_in_its_column);
    tcase_add_test(t, back_and_forth_lead_through_the_same_places);
    tcase_add_test(t, fit_shows_the_rows_inside_the_slice);
    tcase_add_loop_test(t, fit_centres_first_if_it_can_and_then_fits, 0, 2);
    tcase_add_test(t, a_line_below_the_last_is_the_last);
    suite_add_tcase(s, t);
    return s;
}
