/* suite_draw_instants.c - moments on their lines: each is in its column, alone as a glyph, several
 * as a number. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"

static uint32_t cell_at(int64_t time, int y) {
    int column = window_column(&shown.timeline.window, trace_origin(shown.trace) + time);
    return grid_at(&shown.grid, shown.layout.lane + column, y)->cp[0];
}

/* The screen row of the first line of a track of this kind. */
static int row_of(const struct track_ops *kind) {
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++) {
        const struct track *t = track_list_at(&shown.timeline.tracks, session_line_at(&shown, y));
        if (t && t->kind == kind)
            return y;
    }
    ck_abort_msg("no such track");
}

START_TEST(alone_a_glyph_and_several_a_number) {
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\ninit 1000000000\ninstant 0 5/6 \"c\" \"x\" scope=1\n");
    for (int i = 0; i < 3; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "instant %d 5/6 \"c\" \"x\"\n", 200000 + i);
    for (int i = 0; i < 20; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "instant %d 5/6 \"c\" \"x\"\n", 400000 + i);
    snprintf(text + n, sizeof text - n,
             "instant 600000 5/6 \"c\" \"x\"\ninstant 1000000 5/6 \"c\" \"x\" scope=2\n");
    shown_text(text, 100, 24);
    int y = row_of(&track_thread);
    shown.timeline.line = 0; /* away from the cursor */
    app_draw(&shown);
    ck_assert_int_eq((int)cell_at(200000, y), '3');
    ck_assert_int_eq((int)cell_at(400000, y), '+');
    ck_assert_int_eq((int)cell_at(600000, y), (int)grid_glyph(&shown.grid, GLYPH_INSTANT));
    ck_assert_int_eq((int)cell_at(1000000, y), 'g'); /* its scope: all */
    shown_close();
}
END_TEST

START_TEST(each_log_record_is_in_its_column) {
    shown_fixture("../screens/kinds", 120, 40);
    int y = row_of(&track_log), drawn = 0;
    size_t n;
    const struct occurrence *v = trace_logs(shown.trace, &n);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_ne((int)cell_at(v[i].at.time - trace_origin(shown.trace), y), ' ');
    for (int c = 0; c < shown.timeline.window.columns; c++)
        drawn += grid_at(&shown.grid, shown.layout.lane + c, y)->cp[0] != ' ';
    ck_assert_int_le(drawn, (int)n);
    shown_close();
}
END_TEST

START_TEST(an_instant_is_on_the_row_of_the_slice_around_it) {
    shown_text("magic\ninit 1000000000\n"
               "complete 0 5/6 \"c\" \"outer\" end=1000000\ncomplete 400000 5/6 \"c\" \"inner\" "
               "end=900000\n"
               "instant 200000 5/6 \"c\" \"x\" scope=1\ninstant 600000 5/6 \"c\" \"x\" scope=1\n",
               100, 24);
    int y = row_of(&track_thread);
    shown.timeline.line = 0;
    app_draw(&shown);
    ck_assert_int_eq((int)cell_at(200000, y), 'p'); /* the scope of a process */
    ck_assert_int_ne((int)cell_at(600000, y), 'p');
    ck_assert_int_eq((int)cell_at(600000, y + 1), 'p');
    shown_close();
}
END_TEST

SUITE(draw_instants) {
    Suite *s = suite_create("draw_instants");
    TCase *t = tcase_create("instants");
    tcase_add_test(t, alone_a_glyph_and_several_a_number);
    tcase_add_test(t, each_log_record_is_in_its_column);
    tcase_add_test(t, an_instant_is_on_the_row_of_the_slice_around_it);
    suite_add_tcase(s, t);
    return s;
}
