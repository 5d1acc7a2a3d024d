/* suite_status.c - title and status line at any width: nothing is cut in its middle, and prompt and
 * message go first.
 */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/status.h"

static const char one[] = "magic\n"
                          "init 1000000000\n"
                          "complete 0 5/6 \"c\" \"outer\" end=9000\n"
                          "complete 1000 5/6 \"c\" \"inner\" end=8000\n"
                          "end 9500 5/6 \"c\" \"stray\"\n";

START_TEST(the_title_has_what_fits_from_the_left) {
    static const char *const parts[] = {"fxtop", "loaded", "3 ev"};
    shown_text(one, 100, 30);
    for (int cols = 200; cols >= 20; cols--) {
        bool gone = false;
        shown_resize(cols, 30);
        /* a part that is shown is whole, and all before it are shown */
        for (int i = 0; i < 3; i++) {
            bool is = strstr(shown_row(0), parts[i]) != NULL;
            ck_assert_msg(!is || !gone || i == 1, "%d columns: %s", cols, shown_row(0));
            gone = gone || !is;
        }
        ck_assert_msg(cols < 100 || !gone, "%d columns: %s", cols, shown_row(0));
        /* one problem */
        ck_assert_msg(cols < 60 || strstr(shown_row(0), "!1"), "%d columns: %s", cols,
                      shown_row(0));
    }
    shown_close();
}
END_TEST

START_TEST(the_right_text_only_if_both_fit) {
    static const char left[] = "left text", right[] = "right text";
    shown_text(one, 100, 30);
    for (int cols = 100; cols >= 21; cols--) {
        shown_resize(cols, 30);
        grid_clear(&shown.grid, style_look(ROLE_TEXT));
        status_draw_texts(&shown, left, right);
        const char *row = shown_row(shown.layout.status);
        ck_assert_ptr_nonnull(strstr(row, left));
        bool both = strstr(row, right) != NULL;
        ck_assert_msg(both == (cols > (int)(strlen(left) + strlen(right)) + 4), "%d columns: %s",
                      cols, row);
        ck_assert(both || strcmp(row + 1, left) == 0);
    }
    shown_close();
}
END_TEST

START_TEST(a_message_until_the_next_key_and_a_prompt_over_both) {
    shown_text(one, 100, 30);
    int y = shown.layout.status;
    session_say(&shown, true, "about %d", 7);
    app_draw(&shown);
    ck_assert_ptr_nonnull(strstr(shown_row(y), "about 7"));
    ck_assert_ptr_null(strstr(shown_row(y), "window"));
    shown_keys("j");
    ck_assert_ptr_null(strstr(shown_row(y), "about 7"));
    ck_assert_ptr_nonnull(strstr(shown_row(y), "window"));
    session_say(&shown, true, "about %d", 8);
    shown_keys(":zoom");
    ck_assert_ptr_nonnull(strstr(shown_row(y), ":zoom"));
    ck_assert_ptr_null(strstr(shown_row(y), "about 8"));
    shown_close();
}
END_TEST

START_TEST(the_end_of_a_long_line_is_visible_while_it_is_typed) {
    shown_text(one, 30, 12);
    shown_keys(":abcdefghijklmnopqrstuvwxyz0123456789ABCDEF");
    ck_assert_ptr_nonnull(strstr(shown_row(shown.layout.status), "9ABCDEF"));
    shown_keys("<Home>");
    ck_assert_ptr_nonnull(strstr(shown_row(shown.layout.status), ":abcdef"));
    shown_close();
}
END_TEST

START_TEST(the_enclosing_slices_of_the_selection) {
    shown_text(one, 120, 30);
    shown_select("inner", 0);
    ck_assert_ptr_nonnull(strstr(shown_row(shown.layout.status), "outer > inner"));
    shown_select("outer", 0);
    ck_assert_ptr_nonnull(strstr(shown_row(shown.layout.status), "> outer"));
    ck_assert_ptr_null(strstr(shown_row(shown.layout.status), "inner"));
    shown_close();
}
END_TEST

SUITE(status) {
    Suite *s = suite_create("status");
    TCase *t = tcase_create("status");
    tcase_add_test(t, the_title_has_what_fits_from_the_left);
    tcase_add_test(t, the_right_text_only_if_both_fit);
    tcase_add_test(t, a_message_until_the_next_key_and_a_prompt_over_both);
    tcase_add_test(t, the_end_of_a_long_line_is_visible_while_it_is_typed);
    tcase_add_test(t, the_enclosing_slices_of_the_selection);
    suite_add_tcase(s, t);
    return s;
}
