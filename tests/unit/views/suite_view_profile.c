/* suite_view_profile.c - modules, mappings and backtraces in the order of time, with what their
 * records hold. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static const char records[] = "magic\n"
                              "init 1000000000\n"
                              "complete 0 5/6 \"c\" \"work\" end=900000\n"
                              "backtrace 300000 5/6 0x4010 0x4020\n"
                              "module 100000 5/6 3 \"libc.so\" \"\\x01\\x02\"\n"
                              "mmap 200000 5/6 3 5 0x4000 0x1000 0x77000\n";

START_TEST(rows_are_in_the_order_of_time) {
    static const char *const rows[] = {"libc.so  build id 0102", "r-x  0x4000 + 4096",
                                       "2: 0x4010 0x4020"};
    shown_text(records, 120, 30);
    shown_keys(":profile<Enter>");
    int y = shown_find("libc.so");
    ck_assert_int_gt(y, 0);
    for (int i = 0; i < 3; i++)
        ck_assert_msg(strstr(shown_row(y + i), rows[i]), "row %d: %s", i, shown_row(y + i));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "virtual 0x77000"));
    shown_close();
}
END_TEST

START_TEST(enter_goes_to_the_time_of_the_row) {
    static const char *const keys[] = {"", "j", "jj"};
    for (int i = 0; i < 3; i++) {
        shown_text(records, 120, 30);
        shown_keys(":profile<Enter>");
        shown_keys(keys[i]);
        shown_keys("<Enter>");
        ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
        ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), (i + 1) * 100000);
        shown_close();
    }
}
END_TEST

START_TEST(csv_and_record_are_of_the_row) {
    struct view_record a, b;
    shown_text(records, 120, 30);
    shown_keys(":profile<Enter>");
    ck_assert(view_record(&shown.views, &a));
    shown_keys("G");
    ck_assert(view_record(&shown.views, &b));
    ck_assert_uint_lt(b.offset, a.offset); /* the backtrace comes first in the file */
    ck_assert(view_has_csv(&shown.views));
    shown_close();
}
END_TEST

SUITE(view_profile) {
    Suite *s = suite_create("view_profile");
    TCase *t = tcase_create("profile");
    tcase_add_test(t, rows_are_in_the_order_of_time);
    tcase_add_test(t, enter_goes_to_the_time_of_the_row);
    tcase_add_test(t, csv_and_record_are_of_the_row);
    suite_add_tcase(s, t);
    return s;
}
