/* suite_view_wakeups.c - wake-up latency as tables: of threads, CPUs and wakers, of the range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

/* main waits 5 us for a CPU, then 20; cpu 1 is idle from 10 us to 200. */
static const char traced[] =
    "magic\nprovider 1 \"p\"\ninit 1000000000\nkernel_object 2 10 \"main\" process=koid:1\n"
    "kernel_object 2 11 \"io\" process=koid:1\nkernel_object 2 1 \"idle 1\" process=koid:1\nthread "
    "1 1 10\n"
    "thread 2 1 11\nthread 3 1 1\ninstant 0 t1 \"c\" \"first\"\n"
    "switch 10000 1 11 1 1 outgoing_weight=i32:9 incoming_weight=i32:-2147483648\n"
    "switch 20000 0 10 3 11\nwakeup 60000 0 10 waker=koid:11\nswitch 65000 0 11 1 10\n"
    "switch 80000 0 10 3 11\nwakeup 100000 0 10 waker=koid:11\nswitch 120000 0 11 3 10\n"
    "instant 200000 t1 \"c\" \"last\"\n";

START_TEST(threads_have_latencies_and_waits) {
    static const char *const want[] = {"main 10",  " 2",       "5.000 us",
                                       "20.00 us", "25.00 us", "60.00 us"};
    shown_text(traced, 120, 30);
    shown_keys(":wakeups<Enter>");
    const char *row = shown_row(shown_find("wakeups ") + 1);
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        ck_assert_msg(strstr(row, want[k]), "%s: %s", want[k], row);
    shown_keys("<Enter>"); /* the wait of 20 us */
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_ptr_eq(shown.timeline.selection.kind, &track_thread_state);
    ck_assert_int_eq(shown.timeline.selection.time - trace_origin(shown.trace), 100000);
    shown_close();
}
END_TEST

/* Rows are shown as they come, with a heading for it. */
START_TEST(the_heading_tells_of_how_much_rows_are_that_come) {
    bool said = false, more = true;
    shown_text(traced, 120, 30);
    shown_keys(":wakeups<Enter>");
    struct view *view = shown.views.current;
    shown.range.serial++; /* all is asked again */
    for (int i = 0; more; i++) {
        more = session_within(&shown, TASK_OF(i < 400 ? 30 : 1000), view_step);
        if (more && i % 8 == 0)
            table_renew(view->ops->table(view));
        app_draw(&shown);
        said = said || (shown_has("so far, of") && shown_has("main 10"));
    }
    ck_assert(said && !shown_has("so far, of") && shown_has("main 10") && shown_has("25.00 us"));
    shown_close();
}
END_TEST

START_TEST(CPUs_are_idle_while_threads_are_runnable) {
    shown_text(traced, 120, 30);
    shown_keys(":wakeups<Enter><Tab>");
    int y = shown_find("while runnable");
    ck_assert_msg(strstr(shown_row(y + 1), "cpu 1") || strstr(shown_row(y + 2), "cpu 1"), "%s",
                  shown_row(y + 1));
    /* io is runnable from 10 to 20 and from 65 to 80, main from 60 to 65 and from 100 to 120 */
    const char *row = strstr(shown_row(y + 1), "cpu 1") ? shown_row(y + 1) : shown_row(y + 2);
    ck_assert_msg(strstr(row, "190.0 us") && strstr(row, "50.00 us") && strstr(row, "26.3%"), "%s",
                  row);
    shown_close();
}
END_TEST

START_TEST(wakers_have_the_waits_that_they_ended) {
    shown_text(traced, 120, 30);
    shown_keys(":wakeups<Enter><Tab><Tab>");
    const char *row = shown_row(shown_find("longest of") + 2); /* after what waits to the end */
    ck_assert_msg(strstr(row, "io 11") && strstr(row, " 2 ") && strstr(row, "60.00 us") &&
                      strstr(row, "25.00 us") && strstr(row, "40.00 us") && strstr(row, "main 10"),
                  "%s", row);
    shown_keys("<Tab>");
    ck_assert_int_gt(shown_find("p99"), 0);
    shown_close();
}
END_TEST

START_TEST(the_range_limits_them) {
    shown_text(traced, 120, 30);
    shown_keys(":range 0us..70us<Enter>:wakeups<Enter>");
    const char *row = shown_row(shown_find("wakeups ") + 1);
    ck_assert_msg(strstr(row, "main 10") && strstr(row, " 1 ") && strstr(row, "5.000 us") &&
                      !strstr(row, "20.00 us"),
                  "%s", row);
    ck_assert(shown_has("range 70"));
    shown_close();
}
END_TEST

START_TEST(a_trace_without_scheduling_says_so) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\" end=10\n", 100, 30);
    shown_keys(":wakeups<Enter>");
    ck_assert(shown_has("no scheduling in this trace"));
    shown_keys("<Enter>");
    shown_close();
}
END_TEST

SUITE(view_wakeups) {
    Suite *s = suite_create("view_wakeups");
    TCase *t = tcase_create("view_wakeups");
    tcase_add_test(t, threads_have_latencies_and_waits);
    tcase_add_test(t, the_heading_tells_of_how_much_rows_are_that_come);
    tcase_add_test(t, CPUs_are_idle_while_threads_are_runnable);
    tcase_add_test(t, wakers_have_the_waits_that_they_ended);
    tcase_add_test(t, the_range_limits_them);
    tcase_add_test(t, a_trace_without_scheduling_says_so);
    suite_add_tcase(s, t);
    return s;
}
