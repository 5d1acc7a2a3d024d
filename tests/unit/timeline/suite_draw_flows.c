/* suite_draw_flows.c - arrows are drawn on blank cells only, and those of the selected flow
 * always. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/track_ops.h"

static bool blank(const struct cell *c) {
    return c->cp[0] == ' ' && c->look.bg == LOOK_DEFAULT && !(c->look.attr & ATTR_REVERSE);
}

/* Cells of the tracks that are not the same with `mode` as without arrows; fails if one of them was
 * not blank. */
static int arrows(const char *mode) {
    int cells = shown.grid.cols * shown.grid.rows, n = 0;
    struct cell *without = malloc((size_t)cells * sizeof *without);
    flow_nav_set_mode(&shown, "off");
    app_draw(&shown);
    memcpy(without, shown.grid.cells, (size_t)cells * sizeof *without);
    flow_nav_set_mode(&shown, mode);
    app_draw(&shown);
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        for (int x = 0; x < shown.grid.cols; x++) {
            const struct cell *was = &without[y * shown.grid.cols + x];
            if (memcmp(was, grid_at(&shown.grid, x, y), sizeof *was) == 0)
                continue;
            ck_assert_msg(blank(was), "%s: a cell at %d,%d", mode, x, y);
            ck_assert_int_ge(x, shown.layout.lane);
            n++;
        }
    free(without);
    return n;
}

START_TEST(only_blank_cells_are_written) {
    static const char *const modes[] = {"chain", "direct", "all"};
    static const int sizes[][2] = {{100, 30}, {80, 24}, {200, 60}, {50, 12}};
    shown_fixture("../screens/chain", 100, 30);
    shown_select("Submit", 3);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        shown_resize(sizes[k][0], sizes[k][1]);
        for (int zoom = 0; zoom < 6; zoom++) {
            for (int i = 0; i < 3; i++)
                arrows(modes[i]);
            shown_keys("w");
        }
        shown_keys("0");
    }
    shown_close();
}
END_TEST

START_TEST(a_hop_in_view_is_drawn) {
    static const char hop[] =
        "magic\ninit 1000000000\n"
        "complete 0 5/6 \"c\" \"a\" end=300000\nflow_begin 100000 5/6 \"c\" \"f\" id=1\n"
        "complete 700000 5/7 \"c\" \"b\" end=1000000\nflow_end 800000 5/7 \"c\" \"f\" id=1\n";
    shown_text(hop, 100, 30);
    ck_assert_int_eq(arrows("chain"), 0); /* nothing is selected */
    ck_assert_int_gt(arrows("all"), 5);
    shown_select("a", 0);
    ck_assert_int_gt(arrows("chain"), 5);
    ck_assert_int_gt(arrows("direct"), 5);
    ck_assert_int_eq(arrows("off"), 0);
    ck_assert_int_gt(arrows("chain"), 0);
    int y = shown_find("[b"); /* the arrow enters it from the left */
    ck_assert_int_gt(y, 0);
    ck_assert_ptr_nonnull(strstr(shown_row(y), ">[b"));
    shown_close();
}
END_TEST

START_TEST(a_hop_out_of_view_has_a_label) {
    shown_fixture("../screens/chain", 100, 30);
    shown_select("Submit", 2);
    shown_keys("ffww"); /* the next stop is to the right of the window */
    ck_assert_int_gt(arrows("chain"), 0);
    ck_assert(shown_has("dispatch"));
    shown_close();
}
END_TEST

SUITE(draw_flows) {
    Suite *s = suite_create("draw_flows");
    TCase *t = tcase_create("flows");
    tcase_add_test(t, only_blank_cells_are_written);
    tcase_add_test(t, a_hop_in_view_is_drawn);
    tcase_add_test(t, a_hop_out_of_view_has_a_label);
    suite_add_tcase(s, t);
    return s;
}
