/* suite_view_critical.c - the critical path as a table: its rows sum to what was asked, and lead to
 * the timeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

/* main waits for io from 20 to 60 us and for a CPU until 65. */
static const char traced[] =
    "magic\nprovider 1 \"p\"\ninit 1000000000\nkernel_object 2 10 \"main\" process=koid:1\n"
    "kernel_object 2 11 \"io\" process=koid:1\nthread 1 1 10\nthread 2 1 11\n"
    "complete 0 t1 \"c\" \"load\" end=90000\ncomplete 1000 t1 \"c\" \"prepare\" end=9000\n"
    "complete 30000 t2 \"c\" \"read\" end=70000\nswitch 20000 0 10 3 11\nwakeup 60000 0 10 "
    "waker=koid:11\n"
    "switch 65000 0 11 3 10\ninstant 100000 t1 \"c\" \"last\"\n";

START_TEST(rows_are_the_stretches_and_their_reasons) {
    static const char *const want[][4] = {
        {"main 10", "running", "25.00 us", "the path ends"},
        {"main 10", "runnable", "5.000 us", "waited for CPU"},
        {"io 11", "running", "40.00 us", "woke main"},
        {"main 10", "running", "20.00 us", "before io"},
    };
    shown_text(traced, 120, 40);
    shown_select("load", 0);
    shown_keys("B");
    ck_assert(shown_has("Critical path of load: 90.00 us, 4 stretches"));
    int y = shown_find("why here");
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++)
            ck_assert_msg(strstr(shown_row(y + 1 + k), want[k][i]), "%s: %s", want[k][i],
                          shown_row(y + 1 + k));
    ck_assert(shown_has("sum 90.00 us  by state:  running 94.4%  runnable 5.6%"));
    ck_assert(shown_has("by thread:  main 10 55.6%  io 11 44.4%"));
    shown_close();
}
END_TEST

START_TEST(enter_goes_to_the_slice_of_the_stretch) {
    shown_text(traced, 100, 30);
    shown_select("load", 0);
    shown_keys("Bjj<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_uint_eq(trace_thread(shown.trace, shown.timeline.selection.of)->id.tid, 11);
    ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), 20000);
    shown_close();
}
END_TEST

START_TEST(Z_zooms_to_the_stretch_and_back) {
    shown_text(traced, 100, 30);
    shown_select("load", 0);
    shown_keys("Bjj");
    struct window before = shown.timeline.window;
    shown_keys("Z");
    ck_assert_int_lt(shown.timeline.window.width, 50000);
    shown_keys("Z");
    ck_assert(window_eq(&before, &shown.timeline.window));
    shown_close();
}
END_TEST

START_TEST(B_again_is_of_the_range) {
    shown_text(traced, 100, 30);
    shown_select("prepare", 0);
    shown_keys("B");
    ck_assert(shown_has("Critical path of prepare: 8.000 us, 1 stretch"));
    shown_keys("B");
    ck_assert(shown_has("Critical path of main 10, whole trace 100.0 us: 100.0 us"));
    shown_keys("B");
    ck_assert(shown_has("Critical path of prepare"));
    shown_keys("<Esc>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

/* The line of the path is drawn below the tracks of both threads, and turns where it changes. */
START_TEST(the_path_is_drawn_over_the_tracks) {
    shown_text(traced, 100, 30);
    shown_select("load", 0);
    shown_keys("B");
    int main_row = shown_find(" main"), io_row = shown_find(" io ");
    ck_assert_int_gt(main_row, 0);
    ck_assert_int_gt(io_row, main_row);
    const char *path = shown_row(main_row + 1);
    ck_assert_msg(strstr(path, "===+") && strstr(path, "+~~~="), "%s", path);
    path = shown_row(io_row + 1);
    ck_assert_msg(strstr(path, "+====="), "%s", path);
    shown_close();
}
END_TEST

START_TEST(an_empty_trace_has_no_path) {
    shown_text("magic\n", 100, 30);
    shown_keys("B");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert(shown_has("B needs a thread"));
    shown_close();
}
END_TEST

SUITE(view_critical) {
    Suite *s = suite_create("view_critical");
    TCase *t = tcase_create("view_critical");
    tcase_add_test(t, rows_are_the_stretches_and_their_reasons);
    tcase_add_test(t, enter_goes_to_the_slice_of_the_stretch);
    tcase_add_test(t, Z_zooms_to_the_stretch_and_back);
    tcase_add_test(t, B_again_is_of_the_range);
    tcase_add_test(t, the_path_is_drawn_over_the_tracks);
    tcase_add_test(t, an_empty_trace_has_no_path);
    suite_add_tcase(s, t);
    return s;
}
