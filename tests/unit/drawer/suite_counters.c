/* suite_counters.c - the list of counters: its numbers, and that each row is one line at any
 * width. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

/* 2 samples before the cursor's, 4 in all. */
static const char samples[] = "magic\n"
                              "init 1000000000\n"
                              "counter 0 5/6 \"c\" \"load\" x=i64:10 id=0\n"
                              "counter 1000000000 5/6 \"c\" \"load\" x=i64:16 id=0\n"
                              "counter 3000000000 5/6 \"c\" \"load\" x=i64:12 id=0\n"
                              "counter 4000000000 5/6 \"c\" \"load\" x=i64:-3 id=0\n"
                              "counter 0 5/6 \"c\" \"fan\" x=i64:1 id=0\n";

static const char *const titles[] = {"value", "change", "rate/s",  "min",
                                     "avg",   "max",    "in view", "samples"};

START_TEST(numbers_at_the_cursor_and_in_the_window) {
    shown_text(samples, 120, 30);
    shown_keys("7g3.5s<Enter>0<Tab>");
    int y = shown_find("counter  ");
    ck_assert_int_gt(y, 0);
    char name[32], value[16], change[16], rate[16], min[16], avg[16], max[16], view[16], all[16];
    const char *row = strstr(shown_row(y + 1), "load") ? shown_row(y + 1) : shown_row(y + 2);
    ck_assert_int_eq(sscanf(row + 2, " %31s %15s %15s %15s %15s %15s %15s %15s %15s", name, value,
                            change, rate, min, avg, max, view, all),
                     9);
    ck_assert_str_eq(value, "12");
    ck_assert_str_eq(change, "-4");
    ck_assert_str_eq(rate, "-2");
    ck_assert_str_eq(min, "-3");
    ck_assert_str_eq(max, "16");
    ck_assert_str_eq(view, "4");
    ck_assert_str_eq(all, "4");
    shown_close();
}
END_TEST

START_TEST(a_row_is_one_line_at_any_width) {
    shown_text(samples, 120, 30);
    shown_keys("7<Tab>");
    for (int cols = 120; cols >= 20; cols--) {
        shown_resize(cols, 30);
        int y;
        for (y = shown.layout.drawer + 1;
             y < shown.grid.rows && strncmp(shown_row(y), "   count", 8) != 0; y++)
            ;
        ck_assert_msg(y < shown.grid.rows, "no titles on %d columns", cols);
        int n = 0;
        for (int i = 0; i < 8; i++)
            n += strstr(shown_row(y), titles[i]) != NULL;
        ck_assert_msg(cols < 40 || strstr(shown_row(y), "value"), "%d columns: %s", cols,
                      shown_row(y));
        ck_assert_msg(cols < 95 || n == 8, "%d columns: %s", cols, shown_row(y));
        ck_assert_msg(strstr(shown_row(y + 1), "load") || strstr(shown_row(y + 1), "fan"),
                      "%d columns: %s", cols, shown_row(y + 1));
        ck_assert_msg(strstr(shown_row(y + 2), "load") || strstr(shown_row(y + 2), "fan"),
                      "%d columns: %s", cols, shown_row(y + 2));
    }
    shown_close();
}
END_TEST

START_TEST(without_counters_a_line_reports_it) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"a\" end=9\nswitch 5 0 6 3 7\n", 100,
               30);
    shown_keys("7<Tab>");
    ck_assert(shown_has("no counters"));
    shown_close();
}
END_TEST

SUITE(counters) {
    Suite *s = suite_create("counters");
    TCase *t = tcase_create("counters");
    tcase_add_test(t, numbers_at_the_cursor_and_in_the_window);
    tcase_add_test(t, a_row_is_one_line_at_any_width);
    tcase_add_test(t, without_counters_a_line_reports_it);
    suite_add_tcase(s, t);
    return s;
}
