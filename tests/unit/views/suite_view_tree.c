/* suite_view_tree.c - the tree of processes on the screen, and the way from it to the timeline. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static const char records[] =
    "magic\n"
    "init 1000000000\n"
    "instant 0 10/10 \"c\" \"i\"\n"
    "async_begin 1000 10/10 \"process\" \"make\" id=1 parent=koid:9 command=\"/bin/make all\"\n"
    "async_begin 2000 11/11 \"process\" \"cc\" id=2 parent=koid:10 command=\"cc a.c\"\n"
    "instant 2500 11/11 \"c\" \"i\"\n"
    "async_end 3000 11/11 \"process\" \"cc\" id=2 signal=u64:11\n"
    "async_end 9000 10/10 \"process\" \"make\" id=1 status=u64:2\n";

START_TEST(children_are_below_their_parents) {
    shown_text(records, 120, 30);
    shown_keys(":tree<Enter>");
    int y = shown_find("make all");
    ck_assert_int_gt(y, 0);
    ck_assert_ptr_null(strstr(shown_row(y), "/bin/"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "   cc a.c"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "signal 11"));
    shown_close();
}
END_TEST

START_TEST(enter_shows_the_life_and_a_record_is_its_begin) {
    struct view_record make, cc;
    shown_text(records, 120, 30);
    shown_keys(":tree<Enter>");
    ck_assert(view_record(&shown.views, &make));
    shown_keys("j");
    ck_assert(view_record(&shown.views, &cc));
    ck_assert_uint_lt(make.offset, cc.offset);
    ck_assert(view_has_csv(&shown.views));
    shown_keys("<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), 2000);
    shown_close();
}
END_TEST

SUITE(view_tree) {
    Suite *s = suite_create("view_tree");
    TCase *t = tcase_create("tree");
    tcase_add_test(t, children_are_below_their_parents);
    tcase_add_test(t, enter_shows_the_life_and_a_record_is_its_begin);
    suite_add_tcase(s, t);
    return s;
}
