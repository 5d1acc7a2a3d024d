/* suite_layout.c - arithmetic of rectangles. */
#include "tests/unit/lib/suites.h"
#include "ui/screen/layout.h"

static struct layout layout(int cols, int rows, bool drawer, bool hits) {
    return layout_of(cols, rows,
                     &(struct layout_ask){.drawer = drawer, .hits = hits, .lines = 1000});
}

START_TEST(panes_never_overlap_nor_leave_the_screen) {
    /* every size near a limit */
    for (int cols = 1; cols <= 260; cols += cols > 18 && cols < 22 ? 1 : 7) {
        for (int rows = 1; rows <= 120; rows += rows < 32 ? 1 : 11) {
            for (int open = 0; open < 16; open++) {
                struct layout_ask ask = {
                    .drawer = open & 1, .hits = open & 2, .lines = open & 4 ? 5 : 1000};
                ask.drawer_rows = open & 8 ? rows * (open & 4 ? 2 : 1) / 3 : 0;
                struct layout l = layout_of(cols, rows, &ask);
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

START_TEST(an_open_drawer_takes_the_rows_that_tracks_leave) {
    struct layout_ask ask = {.drawer = true, .lines = 10};
    struct layout l = layout_of(200, 60, &ask);
    ck_assert_int_eq(l.track_rows, 10);
    ck_assert_int_eq(l.drawer, l.tracks + 10);
    ask.lines = 1000;
    ck_assert_int_eq(layout_of(200, 60, &ask).drawer_rows, 10);
    ask.drawer_rows = 30; /* as chosen */
    ck_assert_int_eq(layout_of(200, 60, &ask).drawer_rows, 30);
    ask.lines = 10;
    ck_assert_int_eq(layout_of(200, 60, &ask).drawer_rows, 30);
    ask.drawer_rows = 100; /* the tracks keep three rows */
    ck_assert_int_eq(layout_of(200, 60, &ask).track_rows, 3);
}
END_TEST

START_TEST(small_terminals_give_up_panes_in_order) {
    struct layout big = layout(100, 30, true, true), small = layout(80, 24, true, true);
    ck_assert_int_ge(big.hits, 0);
    ck_assert_int_lt(small.hits, 0);
    ck_assert_int_eq(small.drawer_rows, 5);
    ck_assert(layout(59, 15, true, false).drawer_alone);
    ck_assert_int_eq(layout(59, 30, false, false).gutter, 8);
    ck_assert(!layout(20, 5, false, false).too_small);
    ck_assert(layout(19, 5, false, false).too_small);
}
END_TEST

SUITE(layout) {
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, panes_never_overlap_nor_leave_the_screen);
    tcase_add_test(t, an_open_drawer_takes_the_rows_that_tracks_leave);
    tcase_add_test(t, small_terminals_give_up_panes_in_order);
    suite_add_tcase(s, t);
    return s;
}
