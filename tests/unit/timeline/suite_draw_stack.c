/* suite_draw_stack.c - the arguments of a counter on each other: each has the share of the column
 * that it has of the sum. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

/* a: a half, then a quarter of b + a. */
static const char parts[] = "magic\n"
                            "init 1000000000\n"
                            "counter 0 5/6 \"c\" \"mem\" a=u64:8 b=u64:8 id=0\n"
                            "counter 5000 5/6 \"c\" \"mem\" a=u64:4 b=u64:12 id=0\n"
                            "counter 10000 5/6 \"c\" \"mem\" a=u64:4 b=u64:12 id=0\n";

static int count(int x, char c, int y, int rows) {
    int n = 0;
    for (int i = 0; i < rows; i++)
        n += grid_at(&shown.grid, x, y + i)->cp[0] == (uint32_t)c;
    return n;
}

START_TEST(each_argument_has_its_share) {
    shown_text(parts, 100, 30);
    tracks_find(&shown, "mem.a");
    if (session_track(&shown.timeline)->kind != &track_counter)
        tracks_find(&shown, "mem");
    ck_assert_ptr_eq(session_track(&shown.timeline)->kind, &track_counter);
    shown_keys(":stack<Enter>");
    const struct track *t = session_track(&shown.timeline);
    int rows = (int)t->height, y = shown.layout.tracks + (int)(t->top - shown.timeline.top);
    ck_assert_int_eq(rows, 4);
    int early = shown.layout.lane + 2,
        late = shown.layout.lane + shown.timeline.window.columns * 3 / 4;
    ck_assert_int_eq(count(early, '#', y, rows), 2);
    ck_assert_int_eq(count(early, '+', y, rows), 2);
    ck_assert_int_eq(count(late, '#', y, rows), 1);
    ck_assert_int_eq(count(late, '+', y, rows), 3);
    /* the first argument is at the bottom */
    ck_assert_int_eq(grid_at(&shown.grid, early, y + rows - 1)->cp[0], '#');
    ck_assert_ptr_nonnull(strstr(shown_row(y), "mem"));
    ck_assert_ptr_nonnull(strstr(shown_row(y), "16"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "a =8"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 2), "b =8"));
    shown_close();
}
END_TEST

SUITE(draw_stack) {
    Suite *s = suite_create("draw_stack");
    TCase *t = tcase_create("draw_stack");
    tcase_add_test(t, each_argument_has_its_share);
    suite_add_tcase(s, t);
    return s;
}
