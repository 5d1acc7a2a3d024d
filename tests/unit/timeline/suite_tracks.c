/* suite_tracks.c - commands on the set of tracks keep the current line on its track. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/filters/track_filter.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

#define KINDS "../screens/kinds"

static const char *current(void) {
    static char name[96];
    char buf[96];
    const struct track *track = session_track(&shown.timeline);
    struct str s = track ? track_list_name(shown.trace, track, buf) : STR("");
    memcpy(name, s.s, s.n);
    name[s.n] = 0;
    return name;
}

static void go(const char *name) {
    tracks_find(&shown, name);
    if (strcmp(current(), name) != 0) /* a name that has it in it, "main (samples)" */
        tracks_find(&shown, name);
    ck_assert_str_eq(current(), name);
}

START_TEST(the_current_line_stays_on_its_track) {
    static const char *const names[] = {"main", "raster", "io", "present"};
    static void (*const commands[])(struct app *) = {
        tracks_expand_all, tracks_collapse_all, tracks_order, tracks_order,  tracks_order,
        tracks_order,      tracks_pin,          tracks_pin,   tracks_expand, tracks_collapse};
    shown_fixture(KINDS, 100, 30);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        go(names[i]);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            commands[k](&shown);
            ck_assert_str_eq(current(), names[i]);
        }
    }
    go("io");
    track_filter_set(&shown, "io");
    ck_assert_str_eq(current(), "io");
    track_filter_set(&shown, "");
    ck_assert_str_eq(current(), "io");
    shown_close();
}
END_TEST

static size_t pinned(void) {
    size_t n = 0;
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++)
        n += shown.timeline.tracks.tracks.v[i].pinned;
    return n;
}

START_TEST(a_pattern_pins_all_that_match_and_nothing_else) {
    shown_fixture(KINDS, 100, 30);
    tracks_pin_pattern(&shown, "a"); /* main, raster, heap.*: whatever has it in its name */
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++) {
        const struct track *t = &shown.timeline.tracks.tracks.v[i];
        char buf[96];
        struct str name = track_list_name(shown.trace, t, buf);
        ck_assert_int_eq(t->pinned, t->kind->count && memchr(name.s, 'a', name.n));
    }
    size_t n = pinned();
    ck_assert_uint_ge(n, 2);
    tracks_pin_pattern(&shown, "no such track");
    ck_assert(shown.message.is_error);
    ck_assert_uint_eq(pinned(), n);
    tracks_pin_pattern(&shown, "");
    ck_assert_uint_eq(pinned(), 0);
    shown_close();
}
END_TEST

START_TEST(finding_goes_round_and_into_what_is_folded) {
    shown_fixture(KINDS, 100, 30);
    go("raster");
    go("main"); /* above: from the top again */
    uint64_t line = shown.timeline.line;
    tracks_find(&shown, "no such track");
    ck_assert(shown.message.is_error);
    ck_assert_ptr_nonnull(strstr(shown.message.text, "no such track"));
    ck_assert_uint_eq(shown.timeline.line, line);
    track_list_fold(&shown.timeline.tracks, trace_thread(shown.trace, 0)->process, true);
    tracks_update(shown.trace, &shown.timeline);
    ck_assert_uint_lt(shown.timeline.tracks.tracks.n, 12);
    go("present");
    ck_assert(!track_list_folded(&shown.timeline.tracks, trace_thread(shown.trace, 0)->process));
    shown_close();
}
END_TEST

START_TEST(a_filter_that_is_no_pattern_changes_nothing) {
    shown_fixture(KINDS, 100, 30);
    track_filter_set(&shown, "raster");
    size_t n = shown.timeline.tracks.tracks.n;
    ck_assert_str_eq(filter_text(shown.timeline.filter), "raster");
    track_filter_set(&shown, "/(/");
    ck_assert(shown.message.is_error);
    ck_assert_str_eq(filter_text(shown.timeline.filter), "raster");
    ck_assert_uint_eq(shown.timeline.tracks.tracks.n, n);
    track_filter_set(&shown, "");
    ck_assert_ptr_null(shown.timeline.filter);
    ck_assert_uint_gt(shown.timeline.tracks.tracks.n, n);
    shown_close();
}
END_TEST

START_TEST(enter_folds_a_header_and_unfolds_it) {
    shown_fixture(KINDS, 100, 30);
    uint32_t process = trace_thread(shown.trace, 0)->process;
    uint64_t header, lines = shown.timeline.tracks.lines;
    ck_assert(track_list_find_header(&shown.timeline.tracks, process, &header));
    shown.timeline.line = header;
    tracks_enter(&shown);
    ck_assert(track_list_folded(&shown.timeline.tracks, process));
    ck_assert_uint_eq(shown.timeline.line, header);
    tracks_enter(&shown);
    ck_assert_uint_eq(shown.timeline.tracks.lines, lines);
    ck_assert_uint_eq(shown.timeline.line, header);
    shown_close();
}
END_TEST

static bool has_match(const char *filter, const struct track *track) {
    const struct flows *flows = trace_flows(shown.trace);
    size_t n = 0;
    const uint32_t *points = track->kind->thread ? flow_points_on(flows, track->of, &n) : NULL;
    if (strcmp(filter, "hop>3ms") != 0)
        return n > 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t before = flow_link(flows, points[i])->before;
        if (before != NO_POINT && flow_time(flows, points[i]) - flow_time(flows, before) > 3000000)
            return true;
    }
    return false;
}

/* Each thread with a point of a flow for which the filter holds is listed, and no other. */
START_TEST(terms_about_flows_keep_the_threads_of_their_points) {
    static const char *const filters[] = {"kind=flow", "hop>3ms"};
    shown_fixture("../screens/chain", 100, 30);
    const struct track_list *list = &shown.timeline.tracks;
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++) {
        size_t wanted = 0, kept = 0;
        track_filter_set(&shown, "");
        for (size_t i = 0; i < list->tracks.n; i++)
            wanted += has_match(filters[k], &list->tracks.v[i]);
        ck_assert_uint_gt(wanted, 1);
        track_filter_set(&shown, filters[k]);
        while (session_within(&shown, TASK_OF(1), track_filter_step))
            ;
        for (size_t i = 0; i < list->tracks.n; i++)
            if (list->tracks.v[i].kind->thread) {
                ck_assert_msg(has_match(filters[k], &list->tracks.v[i]), "%s: track %zu",
                              filters[k], i);
                kept++;
            }
        ck_assert_msg(kept == wanted, "%s: %zu of %zu", filters[k], kept, wanted);
    }
    shown_close();
}
END_TEST

/* Many processes are put in order after the key, when the user looks at one of them. */
START_TEST(the_current_line_stays_on_its_row_of_the_screen) {
    enum { MANY = FEW_PROCESSES + 100 };
    size_t size = 40 * (MANY + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < MANY; i++)
        n += (size_t)snprintf(text + n, size - n, "kernel_object 1 %u \"p%u\"\n", 100 + i,
                              (i * 7919) % MANY);
    shown_text(text, 100, 30);
    free(text);
    struct timeline *timeline = &shown.timeline;
    shown_keys("j");
    timeline->line = 2000;
    timeline->top = 1995;
    struct track before = *session_track(timeline);
    timeline->tracks.order = ORDER_BY_NAME;
    tracks_update(shown.trace, timeline);
    ck_assert_uint_eq(timeline->line, 2000); /* the former order so far */
    tracks_finish(&shown);
    ck_assert_uint_ne(timeline->line, 2000);
    ck_assert_uint_eq(timeline->line - timeline->top, 5);
    ck_assert_uint_eq(session_track(timeline)->process, before.process);
    shown_close();
}
END_TEST

/* A thread of 14 rows, and 30 processes that are folded into one line: some have nothing to show,
 * some a single instant. */
START_TEST(folded_processes_take_no_rows_from_threads) {
    char text[8000] = "magic\ninit 1000000000\n";
    size_t n = strlen(text);
    for (int i = 0; i < 14; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete %d 5/6 \"c\" \"deep\" end=1000000\n", i);
    for (int i = 100; i < 115; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "kernel_object 1 %d \"none\"\n", i);
    for (int i = 200; i < 215; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "instant 7 %d/%d \"c\" \"few\"\n", i, i);
    for (int lines = 20; lines <= 24; lines += 4) {
        shown_text(text, 100, lines);
        bool deeper = false;
        for (int y = 0; y < lines; y++)
            deeper = deeper || strstr(shown_row(y), "deeper");
        ck_assert_int_eq(deeper, lines == 20);
        shown_close();
    }
}
END_TEST

SUITE(tracks) {
    Suite *s = suite_create("tracks");
    TCase *t = tcase_create("tracks");
    tcase_add_test(t, folded_processes_take_no_rows_from_threads);
    tcase_add_test(t, the_current_line_stays_on_its_track);
    tcase_add_test(t, a_pattern_pins_all_that_match_and_nothing_else);
    tcase_add_test(t, finding_goes_round_and_into_what_is_folded);
    tcase_add_test(t, a_filter_that_is_no_pattern_changes_nothing);
    tcase_add_test(t, terms_about_flows_keep_the_threads_of_their_points);
    tcase_add_test(t, enter_folds_a_header_and_unfolds_it);
    tcase_add_test(t, the_current_line_stays_on_its_row_of_the_screen);
    suite_add_tcase(s, t);
    return s;
}
