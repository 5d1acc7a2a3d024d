/* suite_view_log.c - the log: order, gaps, scopes, and whole messages. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/ui/live.h"
#include "ui/command.h"
#include "ui/views/view_log.h"
#include "ui/views/view_table.h"

/* Two processes; the records are not in the order of their times. */
static const char records[] = "magic\n"
                              "init 1000000000\n"
                              "complete 0 5/6 \"c\" \"outer\" end=10000000\n"
                              "log 5000000 5/6 \"third\"\n"
                              "log 1000000 5/6 \"first\"\n"
                              "log 2000000 7/8 \"second\"\n"
                              "log 20000000 5/6 \"fourth\"\n";

static struct table *table(void) {
    return shown.views.current->ops->table(shown.views.current);
}

START_TEST(records_are_in_the_order_of_time_with_their_gaps) {
    static const char *const names[] = {"first", "second", "third", "fourth"};
    static const char *const gaps[] = {"", "1.000 ms", "3.000 ms", "15.00 ms"};
    shown_text(records, 100, 30);
    shown_keys("5");
    int y = shown_find("first");
    ck_assert_int_gt(y, 0);
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(strstr(shown_row(y + i), names[i]));
        ck_assert_ptr_nonnull(strstr(shown_row(y + i), gaps[i]));
    }
    shown_close();
}
END_TEST

START_TEST(a_scope_leaves_what_is_in_it) {
    static const struct {
        const char *scope;
        int rows;
    } scopes[] = {{"[all]", 4}, {"[process]", 3}, {"[thread]", 3}, {"[slice]", 2}};
    shown_text(records, 100, 30);
    shown_select("outer", 0);
    shown_keys("5");
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        ck_assert_msg(shown_has(scopes[i].scope), "%s", scopes[i].scope);
        shown_keys("G");
        ck_assert_int_eq((int)table()->at + 1, scopes[i].rows);
        view_log_scope(&shown);
        shown_keys("g");
    }
    shown_close();
}
END_TEST

START_TEST(the_pane_has_the_whole_message) {
    shown_text("magic\ninit 1000000000\nlog 5 5/6 \"one\\ntwo\\nthree\"\nlog 6 5/6 \"\"\n", 100,
               30);
    shown_keys("5");
    ck_assert(shown_has("one +2 lines"));
    int y = shown_find(" two");
    ck_assert_int_gt(y, shown_find("+2 lines"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "three"));
    shown_keys("j"); /* an empty message */
    ck_assert_int_eq(shown_find(" two"), -1);
    shown_close();
}
END_TEST

START_TEST(enter_goes_to_the_time_of_the_record) {
    shown_text(records, 100, 30);
    shown_keys("5jj<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), 5000000);
    shown_close();
}
END_TEST

/* The current row's place, and the number of rows. */
static void check_place(uint32_t at, uint32_t rows) {
    const struct table *t = live_app.views.current->ops->table(live_app.views.current);
    ck_assert_uint_eq(table_count(t), rows);
    ck_assert_uint_eq(t->at, at);
}

START_TEST(the_last_row_stays_the_current_one_while_a_file_is_followed) {
    live_start(true);
    live_put("a", "log 5000000 5/6 \"first\"\nlog 6000000 5/6 \"second\"\n");
    live_read_on();
    live_keys("5");
    check_place(1, 2);
    live_put("a", "log 7000000 5/6 \"third\"\n");
    live_read_on();
    check_place(2, 3);
    live_keys("k"); /* the user looks at a row */
    live_put("a", "log 8000000 5/6 \"fourth\"\n");
    live_read_on();
    check_place(1, 4);
    live_keys("G");
    live_put("a", "log 9000000 5/6 \"fifth\"\n");
    live_read_on();
    check_place(4, 5);
    live_stop();
    live_begin(records); /* a file that is only read begins with its first row */
    live_read_on();
    live_keys("5");
    check_place(0, 4);
    live_stop();
}
END_TEST

START_TEST(other_views_report_that_they_are_no_log) {
    shown_text(records, 100, 30);
    command_line(&shown, "scope");
    ck_assert_str_eq(shown.message.text, ":scope works in the log: 5 lists it");
    command_line(&shown, "silence");
    ck_assert_str_eq(shown.message.text, ":silence works in the log: 5 lists it");
    shown_close();
}
END_TEST

SUITE(view_log) {
    Suite *s = suite_create("view_log");
    TCase *t = tcase_create("log");
    tcase_add_test(t, records_are_in_the_order_of_time_with_their_gaps);
    tcase_add_test(t, a_scope_leaves_what_is_in_it);
    tcase_add_test(t, the_pane_has_the_whole_message);
    tcase_add_test(t, the_last_row_stays_the_current_one_while_a_file_is_followed);
    tcase_add_test(t, enter_goes_to_the_time_of_the_record);
    tcase_add_test(t, other_views_report_that_they_are_no_log);
    suite_add_tcase(s, t);
    return s;
}
