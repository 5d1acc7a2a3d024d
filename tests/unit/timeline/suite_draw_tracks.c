/* suite_draw_tracks.c - the lines of the tracks on the screen: each where it belongs, pinned ones
 * always. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

#define KINDS "../screens/kinds"

static int lines_with(const char *text) {
    int n = 0;
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        n += strncmp(shown_row(y) + 1, text, strlen(text)) == 0;
    return n;
}

START_TEST(the_current_line_is_marked_and_on_the_screen) {
    shown_fixture(KINDS, 100, 18);
    for (uint64_t i = 0; i < shown.timeline.tracks.lines; i++) {
        int marks = 0;
        for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++) {
            bool here = session_line_at(&shown, y) == shown.timeline.line;
            const struct track *t = session_track(&shown.timeline);
            ck_assert(!here || t->kind->header || shown_row(y)[0] == '>');
            marks += here;
        }
        ck_assert_msg(marks == 1, "line %d", (int)shown.timeline.line);
        shown_keys("j");
    }
    shown_close();
}
END_TEST

START_TEST(a_pinned_track_is_on_every_screen) {
    shown_fixture(KINDS, 100, 18);
    tracks_pin_pattern(&shown, "present");
    for (int i = 0; i < 3; i++) {
        shown_keys(i == 0 ? "g0<Enter>" : i == 1 ? "<PgDn><PgDn>" : "<PgDn><PgDn><PgDn>");
        ck_assert_int_eq(lines_with("present"), 1);
    }
    shown_close();
}
END_TEST

START_TEST(below_the_last_track_nothing_is_drawn) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"a\" end=9\n", 100, 40);
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        if (session_line_at(&shown, y) >= shown.timeline.tracks.lines)
            for (int x = 0; x < shown.layout.gutter; x++)
                ck_assert_int_eq((int)grid_at(&shown.grid, x, y)->cp[0], ' ');
    shown_close();
}
END_TEST

START_TEST(the_cursor_is_in_its_column_of_the_current_line) {
    shown_fixture(KINDS, 100, 40);
    shown_keys("tio<Enter>"); /* its row is blank before 14 ms */
    move_to_time(&shown, 3000000, false);
    app_draw(&shown);
    int column = shown.layout.lane + window_column(&shown.timeline.window, shown.timeline.cursor),
        marks = 0;
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        if (session_line_at(&shown, y) == shown.timeline.line) {
            ck_assert_int_ne((int)grid_at(&shown.grid, column, y)->cp[0], ' ');
            ck_assert_int_eq((int)grid_at(&shown.grid, column + 1, y)->cp[0], ' ');
            marks++;
        }
    ck_assert_int_eq(marks, 1);
    shown_close();
}
END_TEST

START_TEST(a_loss_is_shown_on_what_its_provider_wrote) {
    shown_text(
        "magic\ninit 1000000000\nprovider 1 \"one\"\ninit 1000000000\n"
        "complete 0 5/6 \"c\" \"a\" end=1000\ninstant 500000 5/6 \"c\" \"x\"\nprovider_event 1 0\n"
        "provider 2 \"two\"\ninit 1000000000\ncomplete 0 5/7 \"c\" \"b\" end=1000\n"
        "instant 1000000 5/7 \"c\" \"y\"\n",
        100, 24);
    int with = 0, without = 0;
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++) {
        const struct track *t = track_list_at(&shown.timeline.tracks, session_line_at(&shown, y));
        if (t == NULL || !t->kind->thread)
            continue;
        bool loss = strchr(shown_row(y), '%') != NULL;
        with += loss && t->of == 0;
        without += !loss && t->of == 1;
    }
    ck_assert_int_eq(with, 1);
    ck_assert_int_eq(without, 1);
    shown_close();
}
END_TEST

SUITE(draw_tracks) {
    Suite *s = suite_create("draw_tracks");
    TCase *t = tcase_create("tracks");
    tcase_add_test(t, the_current_line_is_marked_and_on_the_screen);
    tcase_add_test(t, a_pinned_track_is_on_every_screen);
    tcase_add_test(t, below_the_last_track_nothing_is_drawn);
    tcase_add_test(t, the_cursor_is_in_its_column_of_the_current_line);
    tcase_add_test(t, a_loss_is_shown_on_what_its_provider_wrote);
    suite_add_tcase(s, t);
    return s;
}
