/* suite_drawer.c - the frame of the drawer: its tabs, its focus, and scrolling that stops at the
 * last line. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/drawer.h"

/* A slice with more arguments than the drawer has rows. */
static void start(int arguments) {
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\"");
    for (int i = 0; i < arguments; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " a%d=i32:%d", i, i);
    snprintf(text + n, sizeof text - n, " end=9000\n");
    shown_text(text, 100, 30);
    shown_select("work", 0);
}

START_TEST(the_tabs_go_round_both_ways) {
    static const char *const first[DRAWER_TABS] = {"work", "a0",          "no flow",
                                                   "work", "no children", "only one"};
    start(3);
    shown_keys("<Tab>");
    for (int d = 1; d >= -1; d -= 2)
        for (int i = 0, tab = 0; i < 2 * DRAWER_TABS;
             i++, tab = (tab + DRAWER_TABS + d) % DRAWER_TABS) {
            ck_assert_int_eq((int)shown.drawer.tab, tab);
            ck_assert_msg(strstr(shown_drawer(), first[tab]), "tab %d: %s", tab, shown_drawer());
            shown_keys(d > 0 ? "l" : "h");
        }
    shown_close();
}
END_TEST

START_TEST(the_tab_counts_the_arguments) {
    start(7);
    ck_assert(shown_has("Args 7"));
    shown_close();
    start(0);
    ck_assert(shown_has("Args 0"));
    shown_keys("<Tab>l");
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "no arguments"));
    shown_close();
}
END_TEST

START_TEST(scrolling_stops_at_the_first_and_the_last_line) {
    start(15);
    shown_resize(100, 18);
    shown_keys("<Tab>l");
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "a0 "));
    ck_assert_ptr_null(strstr(shown_drawer(), "a14 "));
    for (int i = 0; i < 40; i++)
        shown_keys("j");
    int rows = shown.layout.drawer_rows - 1;
    ck_assert_int_eq(shown.drawer.scroll, 15 - rows);
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "a14 "));
    ck_assert_ptr_null(strstr(shown_drawer(), "a0 "));
    for (int i = 0; i < 40; i++)
        shown_keys("k");
    ck_assert_int_eq(shown.drawer.scroll, 0);
    shown_keys("jjjl");
    ck_assert_int_eq(shown.drawer.scroll, 0); /* another tab begins at its first line */
    shown_close();
}
END_TEST

START_TEST(tab_gives_the_focus_and_takes_it) {
    start(1);
    ck_assert(shown.drawer.open && !shown.drawer.focus); /* the selection opened it */
    shown_keys("<Tab>");
    ck_assert(shown.drawer.focus);
    shown_keys("<Esc>");
    ck_assert(shown.drawer.open && !shown.drawer.focus);
    ck_assert_str_eq(shown_selected(), "work");
    shown_keys("<Esc>");
    ck_assert(!shown.drawer.open);
    ck_assert_str_eq(shown_selected(), "");
    shown_close();
}
END_TEST

SUITE(drawer) {
    Suite *s = suite_create("drawer");
    TCase *t = tcase_create("drawer");
    tcase_add_test(t, the_tabs_go_round_both_ways);
    tcase_add_test(t, the_tab_counts_the_arguments);
    tcase_add_test(t, scrolling_stops_at_the_first_and_the_last_line);
    tcase_add_test(t, tab_gives_the_focus_and_takes_it);
    suite_add_tcase(s, t);
    return s;
}
