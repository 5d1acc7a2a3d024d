/* suite_details.c - each kind of event and of track has details, with the facts of its record. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/details.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

static void has(const char *text) {
    ck_assert_msg(strstr(shown_drawer(), text) != NULL, "no %s in:\n%s", text, shown_drawer());
}

START_TEST(every_event_names_its_record) {
    shown_fixture(KINDS, 120, 40);
    shown.timeline.tracks.default_depth = 9;
    size_t events = 0;
    for (uint64_t at = 0; at < shown.timeline.tracks.lines; at++) {
        struct track_line line;
        if (!track_line_at(shown.trace, &shown.timeline.tracks, at, &line))
            continue;
        struct selection is = line.slices && line.lane->n > 0
                                  ? track_line_slice(&line, line.lane->n / 2)
                              : track_line_moments(shown.trace, &line) > 0
                                  ? track_line_selection(shown.trace, &line, 0)
                                  : (struct selection){0};
        if (!selection_any(&is))
            continue;
        char record[32];
        move_select(&shown, is);
        app_draw(&shown);
        snprintf(record, sizeof record, "@0x%llx + ", (unsigned long long)is.offset);
        has(record);
        events++;
    }
    ck_assert_uint_gt(events, 10);
    shown_close();
}
END_TEST

/* The time that two slices cover at once counts once. */
START_TEST(self_time_of_overlapping_slices_is_what_no_later_one_covers) {
    static const char overlapping[] = "magic\ninit 1000000000\n"
                                      "complete 0 5/6 \"c\" \"outer\" end=1000\n"
                                      "complete 100 5/6 \"c\" \"a\" end=400\n"
                                      "complete 300 5/6 \"c\" \"b\" end=600\n";
    shown_text(overlapping, 120, 40);
    shown_select("outer", 0);
    has("self 500 ns");
    shown_select("a", 0);
    has("self 200 ns"); /* b takes over at 300 */
    shown_select("b", 0);
    has("self 300 ns");
    shown_close();
}
END_TEST

START_TEST(self_time_is_without_the_children) {
    static const char nested[] = "magic\ninit 1000000000\n"
                                 "complete 0 5/6 \"c\" \"outer\" end=1000\n"
                                 "complete 100 5/6 \"c\" \"a\" end=400\n"
                                 "complete 150 5/6 \"c\" \"aa\" end=350\n"
                                 "complete 500 5/6 \"c\" \"b\" end=550\n";
    shown_text(nested, 120, 40);
    shown_select("outer", 0);
    has("dur 1.000 us (1000 ns)");
    has("self 650 ns");
    shown_select("a", 0);
    has("self 100 ns");
    has("in: outer 1.000 us");
    shown_select("aa", 0);
    has("self 200 ns");
    has("in: a 300 ns < outer 1.000 us");
    shown_close();
}
END_TEST

START_TEST(states_of_a_slice_add_up_to_it) {
    shown_fixture(KINDS, 160, 40);
    shown_select("Frame 213", 0); /* 12 to 30 ms; main runs until 14.1 and from 20.8 on */
    const char *line = strstr(shown_drawer(), "state: ");
    ck_assert_ptr_nonnull(line);
    double run = 0, blocked = 0;
    ck_assert_int_eq(sscanf(line, "state: running %lf ms", &run), 1);
    ck_assert_double_eq_tol(run, 2.1 + 9.2, 0.005);
    line = strstr(line, "blocked ");
    ck_assert_ptr_nonnull(line);
    ck_assert_int_eq(sscanf(line, "blocked %lf ms", &blocked), 1);
    ck_assert_double_eq_tol(run + blocked + 0.1, 18, 0.01); /* 0.1 ms runnable, after the wakeup */
    shown_close();
}
END_TEST

START_TEST(both_ends_of_a_slice_have_arguments) {
    static const char ends[] = "magic\ninit 1000000000\n"
                               "begin 10 5/6 \"c\" \"work\" first=i32:1\n"
                               "end 30 5/6 \"c\" \"work\" last=i32:2\n";
    shown_text(ends, 120, 40);
    shown_select("work", 0);
    has("args: first=1");
    has("end args: last=2");
    has(", ends @0x");
    shown_close();
}
END_TEST

START_TEST(a_slice_whose_end_was_lost_says_so) {
    static const char lost[] = "magic\ninit 1000000000\n"
                               "begin 10 5/6 \"c\" \"work\"\n"
                               "end 20 5/6 \"c\" \"work\"\n"
                               "begin 30 5/6 \"c\" \"cut\"\n"
                               "end 90 5/6 \"\" \"\" cut_by_loss=bool:true\n"
                               "begin 90 5/6 \"c\" \"after\"\n";
    shown_text(lost, 120, 40);
    shown_select("cut", 0);
    has("dur 60 ns");
    has("cut by a loss: it ended earlier");
    shown_select("work", 0);
    ck_assert_ptr_null(strstr(shown_drawer(), "cut by"));
    shown_close();
}
END_TEST

START_TEST(every_track_has_details) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("<Tab><Tab>");
    for (uint64_t at = 0; at < shown.timeline.tracks.lines; at++) {
        shown.timeline.selection = (struct selection){0};
        shown.timeline.line = at;
        app_draw(&shown);
        has("nothing selected");
        const struct track *track = session_track(&shown.timeline);
        ck_assert_msg(strncmp(shown_drawer(), " nothing selected", 17) != 0 ||
                          /* events without a process */
                          (track->kind->header && track->process == NO_PROCESS),
                      "line %d", (int)at);
    }
    shown_close();
}
END_TEST

START_TEST(hostile_names_and_arguments_are_plain_text) {
    static const char hostile[] = "magic\ninit 1000000000\n"
                                  "complete 0 5/6 \"\\e[2J\" \"a\\nb\\e]0;x\\x07\" "
                                  "\"\\x9b\"=\"\\e[31m\" b=blob:\"\\e\\n\" end=9\n";
    shown_text(hostile, 120, 40);
    move_select(&shown, selection_of_slice(trace_thread(shown.trace, 0), 0, 0));
    for (int tab = 0; tab < DRAWER_TABS; tab++) {
        shown.drawer.tab = (enum drawer_tab)tab;
        app_draw(&shown);
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 120; x++) {
                uint32_t c = grid_at(&shown.grid, x, y)->cp[0];
                ck_assert_msg(c >= ' ' && c <= '~', "%x at %d,%d", c, x, y);
            }
    }
    shown_close();
}
END_TEST

/* A slice with 20,000 states: no frame adds them up, the job does in steps, and every one
 * counts. */
START_TEST(many_states_are_added_up_in_steps) {
    enum { TURNS = 10000 };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    fprintf(f, "complete 0 1/10 \"c\" \"work\" end=%d\n", TURNS * 30);
    for (int k = 0; k < TURNS; k++) { /* 10 runs for 20 ns, then waits for 10 ns */
        fprintf(f, "switch %d 0 11 3 10\n", k * 30);
        fprintf(f, "switch %d 0 10 1 11\n", k * 30 + 20);
    }
    fclose(f);
    shown_text(text, 120, 40);
    free(text);
    shown_select("work", 0);
    ck_assert(strstr(shown_drawer(), "running 200.0 us 67%  runnable 100.0 us 33%") != NULL);
    answer_drop(&shown.drawer.states); /* forgotten */
    shown.answer = budget_units(0);
    app_draw(&shown);
    ck_assert(strstr(shown_drawer(), "state: counting") != NULL);
    int steps = 0;
    while (session_within(&shown, TASK_OF(1000), details_states_step))
        steps++;
    ck_assert_int_ge(steps, 15);
    app_draw(&shown);
    ck_assert(strstr(shown_drawer(), "running 200.0 us 67%  runnable 100.0 us 33%") != NULL);
    shown_close();
}
END_TEST

SUITE(details) {
    Suite *s = suite_create("details");
    TCase *t = tcase_create("details");
    tcase_add_test(t, many_states_are_added_up_in_steps);
    tcase_add_test(t, every_event_names_its_record);
    tcase_add_test(t, self_time_is_without_the_children);
    tcase_add_test(t, self_time_of_overlapping_slices_is_what_no_later_one_covers);
    tcase_add_test(t, states_of_a_slice_add_up_to_it);
    tcase_add_test(t, both_ends_of_a_slice_have_arguments);
    tcase_add_test(t, a_slice_whose_end_was_lost_says_so);
    tcase_add_test(t, every_track_has_details);
    tcase_add_test(t, hostile_names_and_arguments_are_plain_text);
    suite_add_tcase(s, t);
    return s;
}
