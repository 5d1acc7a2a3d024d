/* suite_growing.c - a trace that grows while it is shown: it is followed, or is still loading.
 *
 * Window, cursor and numbers follow the end of the input until a key moves them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace_life.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/ui/live.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

/* The number in the message of :only is that of the events which are there, as long as it is
 * shown. */
START_TEST(the_number_of_events_left_follows) {
    live_start(true);
    live_keys(":only call<Enter>");
    while (app_idle(&live_app))
        ;
    ck_assert_str_eq(live_app.message.text, "showing only 1,000 events; x dims the others");
    live_calls("ab", 500, 700);
    live_read_on();
    while (app_idle(&live_app))
        ;
    ck_assert_str_eq(live_app.message.text, "showing only 1,400 events; x dims the others");
    live_keys("j");
    live_app.message.text[0] = 0;
    live_calls("ab", 700, 800);
    live_read_on();
    while (app_idle(&live_app))
        ;
    ck_assert_str_eq(live_app.message.text, "");
    live_stop();
}
END_TEST

START_TEST(a_window_at_the_end_goes_along_until_it_is_moved) {
    live_start(true);
    live_read_on();
    live_keys("wwwG");
    int64_t width = live_app.timeline.window.width, right = live_app.timeline.window.from + width,
            end = trace_end(live_trace);
    ck_assert_int_gt(right, end);
    for (int i = 500; i < 600; i += 20) {
        live_calls("ab", i, i + 20);
        live_read_on();
        ck_assert_int_eq(live_app.timeline.window.width, width);
        ck_assert_int_eq(live_app.timeline.window.from + width - trace_end(live_trace),
                         right - end);
    }
    live_keys("A");
    int64_t from = live_app.timeline.window.from;
    live_calls("ab", 600, 620);
    live_read_on();
    ck_assert_int_eq(live_app.timeline.window.from, from);
    live_keys("0");
    live_calls("ab", 620, 640);
    live_read_on();
    ck_assert_int_ge(live_app.timeline.window.from + live_app.timeline.window.width,
                     trace_end(live_trace)); /* the whole, as it grows */
    live_keys("F");
    live_read_on();
    ck_assert_int_eq(trace_state(live_trace), TRACE_COMPLETE);
    live_stop();
}
END_TEST

/* The cursor is at the end while nothing moves it, so that W shows new events. */
START_TEST(the_cursor_of_a_followed_trace_is_at_its_end) {
    live_start(true);
    live_read_on();
    ck_assert_int_eq(live_app.timeline.cursor, trace_end(live_trace));
    live_calls("ab", 500, 520);
    live_read_on();
    live_keys("jW");
    const struct window *w = &live_app.timeline.window;
    ck_assert_int_lt(w->width, trace_end(live_trace) - trace_begin(live_trace));
    for (int i = 520; i < 600; i += 20) {
        live_calls("ab", i, i + 20);
        live_read_on();
        ck_assert_int_eq(live_app.timeline.cursor, trace_end(live_trace));
        ck_assert_int_ge(w->from + w->width, trace_end(live_trace));
    }
    live_keys("h");
    int64_t cursor = live_app.timeline.cursor;
    live_calls("ab", 600, 620);
    live_read_on();
    ck_assert_int_eq(live_app.timeline.cursor, cursor);
    live_stop();
}
END_TEST

static void read_and_draw(void) {
    live_read_on();
    app_draw(&live_app);
    while (app_idle(&live_app))
        ;
}

/* Writers put scheduling after the slices of the same time: eight new threads are not eight busy
 * CPUs until then. */
START_TEST(the_overview_waits_for_the_scheduling_of_new_threads) {
    static const char slices[] =
        "begin 6000000 7/20 \"c\" \"a\"\nbegin 6100000 7/21 \"c\" \"a\"\n"
        "begin 6200000 7/22 \"c\" \"a\"\ninstant 7000000 7/20 \"c\" \"i\"\n";
    live_start(true);
    live_put("ab", "switch 0 0 8 3 9\nswitch 4000000 0 9 3 8\nswitch 5000000 0 8 3 9\n");
    read_and_draw();
    const struct overview *o = &live_app.timeline.overview;
    ck_assert(o->running && !o->covered);
    int busy = o->levels[10];
    live_put("ab", slices);
    read_and_draw();
    ck_assert_int_eq(trace_end(live_trace), 7000000);
    ck_assert(o->running && !o->covered);
    ck_assert_int_eq(o->levels[10], busy);
    /* this one ran; the others are covered: no scheduling was missing */
    live_put("ab", "switch 6900000 0 9 3 20\n");
    read_and_draw();
    ck_assert(o->running && o->covered);
    ck_assert_int_lt(o->levels[10], busy);
    live_stop();
}
END_TEST

/* While it grows, until the numbers are known again, those from before are shown. */
START_TEST(the_drawer_of_a_followed_trace_keeps_its_numbers) {
    static const char *const tabs[] = {"<Tab>W", "<Tab>llll", "<Tab>lll"};
    static const char *const texts[] = {"at +0.00", "of this    count", "p50 1.000 us"};
    for (int n = 0; n < 3; n++) {
        live_start(true);
        live_keys("jg2.5ms<Enter>wwwwl");
        live_keys(tabs[n]);
        ck_assert(live_app.drawer.open);
        for (int round = 0; round < 3; round++) {
            while (app_idle(&live_app))
                continue;
            ck_assert_msg(live_shows(texts[n]), "%s", texts[n]);
            ck_assert(live_shows("Same name 2 ") && live_shows("Children 0"));
            live_calls("ab", 500 + round * 10, 510 + round * 10);
            app_watch(&live_app);
            while (trace_step(live_trace, 1 << 20) == TRACE_LOADING)
                continue;
            app_update(&live_app);
            ck_assert_uint_eq(trace_events(live_trace), 1020 + (unsigned)round * 20);
            ck_assert_msg(live_shows(texts[n]), "%s", texts[n]);
            ck_assert(live_shows("Same name 2 ") && live_shows("Children 0"));
            live_keys(round ? "<C-l>" : "");
            ck_assert_msg(live_shows(texts[n]), "%s", texts[n]);
        }
        live_keys("]"); /* another slice has no such numbers so far */
        live_stop();
    }
}
END_TEST

START_TEST(one_that_is_followed_and_written_anew_is_read_again) {
    live_start(true);
    live_read_on();
    live_calls("wb", 0, 20);
    app_watch(&live_app);
    live_read_on();
    ck_assert_uint_eq(trace_events(live_trace), 40);
    ck_assert(trace_follows(live_trace));
    ck_assert_ptr_nonnull(strstr(live_app.message.text, "was replaced"));
    live_stop();
}
END_TEST

/* Rows of an earlier version are shown until the new ones are complete, but their slices may be in
 * other places. */
START_TEST(rows_of_an_earlier_version_lead_nowhere) {
    static const char *const views[] = {"2/call 499<Enter><Enter>", ":compare half<Enter><Tab>"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        live_start(true);
        live_read_on();
        live_keys(views[i]);
        while (app_idle(&live_app))
            ;
        struct view *view = live_app.views.current;
        /* all calls move to the second row, and few slices are left in the first one */
        live_put(
            "ab",
            "complete 0 t1 \"c\" \"all\" end=9000000\ncomplete 0 t2 \"c\" \"all\" end=9000000\n");
        live_read_on();
        ck_assert(!trace_unflushed(live_trace));
        live_app.asks = true;
        ck_assert(session_within(&live_app, TASK_OF(1), view_step));
        live_app.asks = false;
        view->ops->enter(view);
        ck_assert_ptr_eq(live_app.views.current, view);
        ck_assert_ptr_nonnull(strstr(live_app.message.text, "has read on"));
        while (app_idle(&live_app))
            ;
        live_keys("<Enter>");
        ck_assert(view_is(&live_app.views, MODE_TIMELINE));
        ck_assert_ptr_eq(live_app.timeline.selection.kind, &track_thread_slice);
        live_stop();
    }
}
END_TEST

START_TEST(a_cursor_that_nobody_moved_stands_at_the_earliest_event) {
    live_begin("magic\ninit 1000000000\nthread 1 7 8\ninstant 2000 t1 \"c\" \"first\"\ninstant "
               "1000 t1 \"c\" \"earlier\"\n");
    int64_t before = INT64_MIN;
    for (enum trace_state state = TRACE_LOADING; state != TRACE_COMPLETE;) {
        state = trace_step(live_trace, 8);
        app_update(&live_app);
        if (trace_events(live_trace) == 1)
            before = live_app.timeline.cursor;
    }
    app_update(&live_app);
    ck_assert_int_eq(before - trace_origin(live_trace), 1000);
    ck_assert_int_eq(live_app.timeline.cursor, trace_origin(live_trace));
    live_stop();
}
END_TEST

START_TEST(a_page_opened_while_loading_is_complete_in_the_end) {
    static char text[50000];
    static uint32_t shown[100 * 30];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\n");
    for (int i = 0; i < 1000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %d 7/8 \"c\" \"i\"\n", i);
    live_begin(text);
    trace_step(live_trace, 4096);
    app_update(&live_app);
    ck_assert_int_eq(trace_state(live_trace), TRACE_LOADING);
    live_keys("9");
    live_read_on();
    ck_assert_uint_eq(trace_events(live_trace), 1000);
    for (int i = 0; i < 100 * 30; i++)
        shown[i] = grid_at(&live_app.grid, i % 100, i / 100)->cp[0];
    live_keys("q9");
    app_draw(&live_app);
    for (int i = 0; i < 100 * 30; i++)
        ck_assert_uint_eq(grid_at(&live_app.grid, i % 100, i / 100)->cp[0], shown[i]);
    live_stop();
}
END_TEST

#define FIRST_PART 8192 /* threads that are added at a time */

START_TEST(an_overview_in_parts_says_what_all_threads_say) {
    static char text[1200000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    int columns, parts = 0;
    for (int i = 0; i < 20000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/%d \"\" \"\" end=%d\n", i,
                              2 + i % 9000,
                              /* the first of the second part weighs as much as all */
                              i + (i == FIRST_PART ? 8000 : 1));
    live_begin(text);
    trace_step(live_trace, 4096);
    app_update(&live_app);
    app_draw(&live_app);
    while (trace_events(live_trace) < 15000) /* that are in their places */
        trace_step(live_trace, 4096);
    ck_assert_int_eq(trace_state(live_trace), TRACE_LOADING);
    do {
        session_within(&live_app, TASK_OF(FIRST_PART * 32), draw_overview_update);
        ck_assert_int_lt(++parts, 10);
    } while (live_app.timeline.overview.next > 0);
    ck_assert_int_gt(parts, 1);
    columns = live_app.timeline.overview.columns;
    int64_t *edges = calloc((size_t)columns + 1, sizeof *edges);
    double *busy = calloc((size_t)columns, sizeof *busy), most = 0;
    window_edges(&live_app.timeline.overview.window, edges);
    for (size_t i = 0; i < trace_thread_count(live_trace); i++)
        trace_thread_busy(live_trace, trace_thread(live_trace, i), edges, columns, busy);
    for (int c = 0; c < columns; c++)
        most = busy[c] > most ? busy[c] : most;
    ck_assert(most > 0);
    for (int c = 0; c < columns; c++) {
        int level = (int)(busy[c] / most * 8 + 0.5);
        ck_assert_int_eq(live_app.timeline.overview.levels[c],
                         level == 0 && busy[c] > 0 ? 1 : level);
    }
    free(edges);
    free(busy);
    live_stop();
}
END_TEST

/* A range after all events so far is neither refused for good nor taken for another one. */
START_TEST(a_range_of_the_window_waits_until_the_trace_has_it) {
    struct err err;
    live_start(true); /* it ends at 4.991 ms */
    ck_assert(app_start(&live_app, NULL, "6ms..7ms", NULL, &err));
    ck_assert_str_eq(live_app.message.text,
                     "--window: the range 6ms..7ms is outside of the trace so far");
    live_calls("ab", 500, 550);
    live_read_on();
    const struct window *window = &live_app.timeline.window;
    ck_assert_int_le(window->from, trace_begin(live_trace)); /* all of it is shown */
    ck_assert_int_ge(window->from + window->width, trace_end(live_trace));
    live_calls("ab", 550, 650);
    live_read_on();
    ck_assert_str_eq(live_app.message.text, "");
    ck_assert_int_eq(window->width, 1000000); /* as much of the range as there is */
    ck_assert_int_le(window->from, trace_begin(live_trace) + 6000000);
    live_calls("ab", 650, 900);
    live_read_on();
    ck_assert_int_eq(window->from, trace_begin(live_trace) + 6000000);
    ck_assert_int_eq(window->width, 1000000);
    live_stop();
}
END_TEST

START_TEST(a_key_ends_the_wait_for_the_range_of_the_window) {
    struct err err;
    live_start(true);
    ck_assert(app_start(&live_app, NULL, "6ms..7ms", NULL, &err));
    live_keys("wwwA");
    int64_t from = live_app.timeline.window.from, width = live_app.timeline.window.width;
    live_app.message.text[0] = 0;
    live_calls("ab", 500, 900);
    live_read_on();
    ck_assert_int_eq(live_app.timeline.window.from, from);
    ck_assert_int_eq(live_app.timeline.window.width, width);
    ck_assert_str_eq(live_app.message.text, "");
    live_stop();
}
END_TEST

SUITE(growing) {
    Suite *s = suite_create("growing");
    TCase *t = tcase_create("growing");
    tcase_add_test(t, the_number_of_events_left_follows);
    tcase_add_test(t, a_window_at_the_end_goes_along_until_it_is_moved);
    tcase_add_test(t, a_range_of_the_window_waits_until_the_trace_has_it);
    tcase_add_test(t, a_key_ends_the_wait_for_the_range_of_the_window);
    tcase_add_test(t, the_cursor_of_a_followed_trace_is_at_its_end);
    tcase_add_test(t, the_overview_waits_for_the_scheduling_of_new_threads);
    tcase_add_test(t, the_drawer_of_a_followed_trace_keeps_its_numbers);
    tcase_add_test(t, one_that_is_followed_and_written_anew_is_read_again);
    tcase_add_test(t, rows_of_an_earlier_version_lead_nowhere);
    tcase_add_test(t, a_cursor_that_nobody_moved_stands_at_the_earliest_event);
    tcase_add_test(t, a_page_opened_while_loading_is_complete_in_the_end);
    tcase_add_test(t, an_overview_in_parts_says_what_all_threads_say);
    suite_add_tcase(s, t);
    return s;
}
