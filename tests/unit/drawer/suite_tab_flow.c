/* suite_tab_flow.c - the stops of the chosen flow, one a line, with what each hop took. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

/* Three stops; the second slice has two points and is one stop. */
static const char hops[] = "magic\n"
                           "init 1000000000\n"
                           "kernel_object 2 6 \"alpha\" process=koid:5\n"
                           "kernel_object 2 7 \"beta\" process=koid:5\n"
                           "kernel_object 2 8 \"gamma\" process=koid:5\n"
                           "complete 0 5/6 \"c\" \"send\" end=1000\n"
                           "flow_begin 100 5/6 \"c\" \"frame\" id=1\n"
                           "complete 2500 5/7 \"c\" \"work\" end=3000\n"
                           "flow_step 2600 5/7 \"c\" \"frame\" id=1\n"
                           "flow_step 2700 5/7 \"c\" \"frame\" id=1\n"
                           "complete 3700 5/8 \"c\" \"show\" end=5000\n"
                           "flow_end 3800 5/8 \"c\" \"frame\" id=1\n";

/* The line of the drawer with this text; fails if there is none. */
static const char *line(const char *text) {
    static char found[512];
    const char *at = strstr(shown_drawer(), text);
    ck_assert_msg(at != NULL, "no %s in:\n%s", text, shown_drawer());
    while (at > shown_drawer() && at[-1] != '\n')
        at--;
    snprintf(found, sizeof found, "%.*s", (int)strcspn(at, "\n"), at);
    return found;
}

START_TEST(a_line_for_each_stop) {
    shown_text(hops, 140, 40);
    shown_select("work", 0);
    shown_keys("<Tab>ll");
    ck_assert_ptr_nonnull(strstr(line("frame"), "2 hops"));
    ck_assert_ptr_nonnull(strstr(line("alpha send"), "1.000 us")); /* its work */
    ck_assert_ptr_nonnull(strstr(line("beta work"), "500 ns"));
    ck_assert_ptr_nonnull(strstr(line("beta work"), "1.500 us")); /* the hop to it */
    ck_assert_int_eq(line("beta work")[1], '>');                  /* the selected one */
    ck_assert_ptr_nonnull(strstr(line("gamma show"), "700 ns"));
    ck_assert_int_eq(line("gamma show")[1], ' ');
    shown_close();
}
END_TEST

START_TEST(lines_do_not_wrap_at_any_width) {
    shown_text(hops, 140, 40);
    shown_select("work", 0);
    shown_keys("<Tab>ll");
    for (int cols = 200; cols >= 60; cols -= 7) {
        shown_resize(cols, 40);
        int a = -1, b = -1, c = -1;
        for (int y = shown.layout.drawer; y < shown.layout.drawer + shown.layout.drawer_rows; y++) {
            a = strstr(shown_row(y), "alpha") ? y : a;
            b = strstr(shown_row(y), "beta") ? y : b;
            c = strstr(shown_row(y), "gamma") ? y : c;
        }
        ck_assert_msg(a > 0 && b == a + 1 && c == b + 1, "%d columns:\n%s", cols, shown_drawer());
    }
    shown_close();
}
END_TEST

START_TEST(without_a_flow_a_line_reports_it) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"alone\" end=9\n", 100, 30);
    shown_select("alone", 0);
    shown_keys("<Tab>ll");
    line("no flow passes");
    shown_close();
}
END_TEST

SUITE(tab_flow) {
    Suite *s = suite_create("tab_flow");
    TCase *t = tcase_create("tab_flow");
    tcase_add_test(t, a_line_for_each_stop);
    tcase_add_test(t, lines_do_not_wrap_at_any_width);
    tcase_add_test(t, without_a_flow_a_line_reports_it);
    suite_add_tcase(s, t);
    return s;
}
