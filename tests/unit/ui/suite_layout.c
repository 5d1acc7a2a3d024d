/* suite_layout.c - arithmetic of rectangles. */
#include "tests/lib/suites.h"
#include "ui/screen/layout.h"

START_TEST(panes_never_overlap_nor_leave_the_screen) {
    for (int cols = 1; cols <= 260; cols += cols > 18 && cols < 22 ? 1 : 7) { /* every size near a limit */
        for (int rows = 1; rows <= 120; rows += rows < 32 ? 1 : 11) {
            for (int open = 0; open < 4; open++) {
                struct layout l = layout_of(cols, rows, open & 1, open & 2);
                if (l.too_small) {
                    ck_assert(cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS);
                    continue;
                }
                unsigned char used[120] = {0};
                const int lines[] = {l.title, l.overview, l.hits, l.ruler, l.status, l.hint};
                for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
                    ck_assert_int_lt(lines[i], rows);
                    if (lines[i] >= 0)
                        ck_assert_int_eq(used[lines[i]]++, 0);
                }
                for (int y = 0; y < l.drawer_rows; y++)
                    if (!l.drawer_alone)
                        ck_assert_int_eq(used[l.drawer + y]++, 0);
                for (int y = 0; y < l.track_rows; y++)
                    ck_assert_int_eq(used[l.tracks + y]++, 0);
                ck_assert_int_ge(l.track_rows, 1);
                ck_assert_int_eq(l.lane + l.lanes, cols);
                ck_assert_int_ge(l.lanes, 8);
                ck_assert_int_eq(l.gutter + 1, l.lane);
            }
        }
    }
}
END_TEST

START_TEST(small_terminals_give_up_panes_in_order) {
    struct layout big = layout_of(100, 30, true, true), small = layout_of(80, 24, true, true);
    ck_assert_int_ge(big.hits, 0);
    ck_assert_int_lt(small.hits, 0);
    ck_assert_int_eq(small.drawer_rows, 5);
    ck_assert(layout_of(59, 15, true, false).drawer_alone);
    ck_assert_int_eq(layout_of(59, 30, false, false).gutter, 8);
    ck_assert(!layout_of(20, 5, false, false).too_small);
    ck_assert(layout_of(19, 5, false, false).too_small);
}
END_TEST

Suite *suite_layout(void) {
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, panes_never_overlap_nor_leave_the_screen);
    tcase_add_test(t, small_terminals_give_up_panes_in_order);
    suite_add_tcase(s, t);
    return s;
}
