/* suite_view_page.c - pages of text: scrolling, searching, and what a new size leaves. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view_page.h"

#define KINDS "../screens/kinds"

static struct pager *pager(void) {
    return view_page_pager(shown.views.current);
}

START_TEST(scrolling_stops_at_both_ends) {
    shown_fixture(KINDS, 80, 12);
    shown_keys("?");
    size_t rows = 9, last = pager()->lines.n - rows; /* without title, status and hints */
    ck_assert_uint_gt(last, 20);
    view_page_up(&shown);
    ck_assert_uint_eq(pager()->top, 0);
    view_page_down(&shown);
    ck_assert_uint_eq(pager()->top, 1);
    view_page_screen_down(&shown);
    ck_assert_uint_eq(pager()->top, 1 + rows);
    view_page_screen_up(&shown);
    ck_assert_uint_eq(pager()->top, 1);
    view_page_half_down(&shown);
    ck_assert_uint_eq(pager()->top, 1 + (rows + 1) / 2);
    view_page_half_up(&shown);
    ck_assert_uint_eq(pager()->top, 1);
    view_page_end(&shown);
    ck_assert_uint_eq(pager()->top, last);
    view_page_down(&shown);
    ck_assert_uint_eq(pager()->top, last);
    view_page_start(&shown);
    ck_assert_uint_eq(pager()->top, 0);
    shown_close();
}
END_TEST

START_TEST(the_status_names_the_lines_that_are_shown) {
    shown_fixture(KINDS, 80, 12);
    shown_keys("?jj");
    ck_assert(shown_has("lines 3-11 of "));
    shown_resize(80, 200);
    ck_assert(shown_has(" lines"));
    ck_assert(!shown_has(" of ") || shown_find(" of ") != 198);
    shown_close();
}
END_TEST

START_TEST(a_search_shows_the_line_and_goes_round) {
    shown_fixture(KINDS, 100, 12);
    shown_keys("9/main<Enter>");
    ck_assert(shown_has("main"));
    size_t first = pager()->top;
    for (int i = 0; i < 50; i++) {
        shown_keys("n");
        ck_assert(shown_has("main"));
    }
    shown_keys("g/no such line<Enter>");
    ck_assert_uint_le(pager()->top, first);
    shown_close();
}
END_TEST

START_TEST(another_width_wraps_the_same_text) {
    shown_fixture(KINDS, 200, 30);
    shown_keys("9");
    size_t wide = pager()->lines.n;
    shown_resize(50, 30);
    ck_assert_uint_gt(pager()->lines.n, wide);
    shown_resize(200, 30);
    ck_assert_uint_eq(pager()->lines.n, wide);
    shown_close();
}
END_TEST

START_TEST(elsewhere_the_commands_do_nothing) {
    shown_fixture(KINDS, 80, 12);
    struct window window = shown.timeline.window;
    view_page_down(&shown);
    view_page_find_next(&shown);
    ck_assert(window_eq(&window, &shown.timeline.window));
    shown_close();
}
END_TEST

SUITE(view_page) {
    Suite *s = suite_create("view_page");
    TCase *t = tcase_create("page");
    tcase_add_test(t, scrolling_stops_at_both_ends);
    tcase_add_test(t, the_status_names_the_lines_that_are_shown);
    tcase_add_test(t, a_search_shows_the_line_and_goes_round);
    tcase_add_test(t, another_width_wraps_the_same_text);
    tcase_add_test(t, elsewhere_the_commands_do_nothing);
    suite_add_tcase(s, t);
    return s;
}
