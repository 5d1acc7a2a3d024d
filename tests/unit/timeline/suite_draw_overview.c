/* suite_draw_overview.c - the overview: busy where threads are busy, whatever steps it is added up
 * in. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/move.h"

/* Busy in the first and the last quarter; twice as busy in the last. */
static const char quarters[] = "magic\ninit 1000000000\n"
                               "complete 0 5/6 \"c\" \"a\" end=250000\n"
                               "complete 750000 5/6 \"c\" \"b\" end=1000000\n"
                               "complete 750000 5/7 \"c\" \"c\" end=1000000\n";

START_TEST(levels_are_the_sum_over_all_threads) {
    shown_text(quarters, 121, 24);
    const struct overview *o = &shown.timeline.overview;
    ck_assert_int_eq(o->columns, shown.timeline.window.columns);
    for (int c = 0; c < o->columns; c++) {
        int64_t from = window_edge(&o->window, c), to = window_edge(&o->window, c + 1);
        int level = to <= 250000                      ? 4
                    : from >= 250000 && to <= 750000  ? 0
                    : from >= 750000 && to <= 1000000 ? 8
                                                      : -1;
        ck_assert_msg(level < 0 || o->levels[c] == level, "column %d: %d, not %d", c, o->levels[c],
                      level);
        ck_assert(o->levels[c] <= 8);
    }
    shown_close();
}
END_TEST

START_TEST(steps_of_any_size_lead_to_the_same_levels) {
    unsigned char whole[400];
    shown_fixture("../screens/kinds", 120, 40);
    struct overview *o = &shown.timeline.overview;
    int n = o->columns;
    memcpy(whole, o->levels, (size_t)n);
    o->columns = 0; /* again */
    o->next = 0;
    for (int i = 0; i < 1000; i++) {
        if (!session_within(&shown, TASK_OF(1), draw_overview_update))
            break;
    }
    ck_assert_int_eq(o->columns, n);
    ck_assert_int_eq(memcmp(whole, o->levels, (size_t)n), 0);
    shown_close();
}
END_TEST

/* A second picture of the same screen has the same heading, whatever the job has added up
 * meanwhile. */
START_TEST(the_heading_is_of_the_last_complete_sums) {
    static const char mixed[] = "magic\ninit 1000000000\n"
                                "switch 0 0 0 3 50\n"
                                "switch 500000 0 50 3 51\n"
                                "complete 0 5/6 \"c\" \"a\" end=250000\n";
    shown_text(mixed, 121, 24);
    int y = shown.layout.overview;
    ck_assert_ptr_nonnull(strstr(shown_row(y), "cpu/covered"));
    shown.timeline.overview.version--; /* they are made again */
    bool more = true;
    for (int i = 0; i < 100 && more; i++) {
        more = session_within(&shown, TASK_OF(1), draw_overview_update);
        shown.answer = budget_units(0);
        app_draw(&shown);
        ck_assert_msg(strstr(shown_row(y), "cpu/covered") != NULL, "step %d: %s", i, shown_row(y));
    }
    ck_assert(!more);
    shown_close();
}
END_TEST

/* A trace that has nothing to be busy with: eight moments of each kind fill a column, of which the
 * first has all four kinds, and the others one each. */
START_TEST(without_slices_the_overview_counts_events) {
    static const char *const kinds[] = {
        "instant %d 5/6 \"c\" \"i\"\n",
        "counter %d 5/6 \"c\" \"n\" v=i32:1 id=1\n",
        "async_begin %d 5/6 \"c\" \"a\" id=1\nasync_end %d 5/6 \"c\" \"a\" id=1\n",
        "log %d 5/6 \"l\"\n",
    };
    char text[8000] = "magic\ninit 1000000000\n";
    size_t n = strlen(text);
    for (int kind = 0; kind < 4; kind++)
        for (int place = 0; place < 5; place++)
            for (int i = 0; i < 4 && (place == 0 || place == kind + 1); i++)
                n += (size_t)snprintf(text + n, sizeof text - n, kinds[kind], place * 1000000,
                                      place * 1000000);
    for (uint32_t units = 1; units < 100000; units *= 300) {
        shown_text(text, 121, 24);
        struct overview *o = &shown.timeline.overview;
        o->columns = 0; /* again, in such steps */
        o->next = 0;
        while (session_within(&shown, TASK_OF(units), draw_overview_update))
            ;
        for (int c = 0, at; c < o->columns; c++) {
            at = c == 0 || window_column(&o->window, 0) == c ? 8 : 0;
            for (int place = 1; place < 5; place++)
                at = window_column(&o->window, place * 1000000) == c ? 2 : at;
            ck_assert_msg(o->levels[c] == at, "column %d: %d, not %d", c, o->levels[c], at);
        }
        app_draw(&shown);
        ck_assert_ptr_nonnull(strstr(shown_row(shown.layout.overview), "events"));
        shown_close();
    }
}
END_TEST

START_TEST(the_window_is_bracketed_in_the_overview) {
    shown_text(quarters, 121, 24);
    int n = shown.timeline.window.columns, y = shown.layout.overview;
    ck_assert_ptr_null(strchr(shown_row(y), '[')); /* all of it */
    move_to_time(&shown, 500000, true);
    for (int i = 0; i < 4; i++)
        move_zoom_in(&shown);
    app_draw(&shown);
    struct window whole = shown.timeline.window;
    window_whole(&whole, trace_origin(shown.trace), trace_end(shown.trace), n);
    const char *lanes = shown_row(y) + shown.layout.lane;
    const char *open = strchr(lanes, '['), *close = strchr(lanes, ']');
    ck_assert(open != NULL && close != NULL);
    int from = window_column(&whole, shown.timeline.window.from),
        to = window_column(&whole, shown.timeline.window.from + shown.timeline.window.width);
    ck_assert_int_le(abs((int)(open - lanes) + 1 - from), 1);
    ck_assert_int_le(abs((int)(close - lanes) - 1 - to), 1);
    shown_close();
}
END_TEST

SUITE(draw_overview) {
    Suite *s = suite_create("draw_overview");
    TCase *t = tcase_create("overview");
    tcase_add_test(t, levels_are_the_sum_over_all_threads);
    tcase_add_test(t, steps_of_any_size_lead_to_the_same_levels);
    tcase_add_test(t, the_heading_is_of_the_last_complete_sums);
    tcase_add_test(t, without_slices_the_overview_counts_events);
    tcase_add_test(t, the_window_is_bracketed_in_the_overview);
    suite_add_tcase(s, t);
    return s;
}
