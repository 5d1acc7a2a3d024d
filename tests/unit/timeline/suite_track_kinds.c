/* suite_track_kinds.c - the kinds of tracks: which of them a trace has, their names, rows and
 * events. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

/* The nth track of a kind, or NULL. */
static const struct track *track(const struct track_ops *kind, int nth) {
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++)
        if (shown.timeline.tracks.tracks.v[i].kind == kind && nth-- == 0)
            return &shown.timeline.tracks.tracks.v[i];
    return NULL;
}

static void is_named(const struct track *t, const char *name) {
    char buf[96];
    ck_assert_ptr_nonnull(t);
    struct str s = track_list_name(shown.trace, t, buf);
    ck_assert_msg(s.n == strlen(name) && memcmp(s.s, name, s.n) == 0, "%.*s, not %s", (int)s.n, s.s,
                  name);
}

/* ---- async ---- */

START_TEST(operations_of_a_name_are_one_track_in_rows_without_overlap) {
    shown_fixture(KINDS, 120, 60);
    is_named(track(&track_async, 0), "Fetch");
    is_named(track(&track_async, 1), "Poll");
    ck_assert_ptr_null(track(&track_async, 2));
    const struct track *fetch = track(&track_async, 0);
    ck_assert_uint_eq(fetch->height, 2);
    for (uint32_t row = 0; row < fetch->height; row++) {
        struct track_line line;
        ck_assert(track_line_of(shown.trace, fetch, row, &line));
        for (uint32_t i = 1; i < line.lane->n; i++)
            ck_assert_int_ge(lane_start(line.lane, i), slice_end(lane_at(line.lane, i - 1)));
    }
    shown_close();
}
END_TEST

START_TEST(the_parent_of_an_operation_has_its_id) {
    shown_text("magic\ninit 1000000000\n"
               "async_begin 0 5/6 \"c\" \"a\" id=1\nasync_begin 50 5/6 \"c\" \"a\" id=2\n"
               "async_begin 100 5/6 \"c\" \"a\" id=1\nasync_begin 200 5/6 \"c\" \"a\" id=2\n"
               "async_end 300 5/6 \"c\" \"a\" id=1\nasync_end 400 5/6 \"c\" \"a\" id=2\n"
               "async_end 500 5/6 \"c\" \"a\" id=1\nasync_end 600 5/6 \"c\" \"a\" id=2\n",
               100, 30);
    const struct track *t = track(&track_async, 0);
    int with = 0;
    for (uint32_t row = 0; row < t->height; row++) {
        struct track_line line;
        track_line_of(shown.trace, t, row, &line);
        for (uint32_t i = 0; i < line.lane->n; i++) {
            struct selection s = track_line_slice(&line, i), parent;
            if (!track_async_operation.parent(shown.trace, &s, &parent))
                continue;
            int64_t began = s.time - trace_origin(shown.trace);
            ck_assert(began == 100 || began == 200);
            ck_assert_int_eq(parent.time - trace_origin(shown.trace), began == 100 ? 0 : 50);
            with++;
        }
    }
    ck_assert_int_eq(with, 2);
    shown_close();
}
END_TEST

SUITE(track_async) {
    Suite *s = suite_create("track_async");
    TCase *t = tcase_create("async");
    tcase_add_test(t, operations_of_a_name_are_one_track_in_rows_without_overlap);
    tcase_add_test(t, the_parent_of_an_operation_has_its_id);
    suite_add_tcase(s, t);
    return s;
}

/* ---- counters ---- */

START_TEST(a_series_is_named_after_counter_argument_and_id) {
    static const char *const names[] = {"heap.used", "heap.free", "fps", "limit.all #3"};
    shown_fixture(KINDS, 120, 60);
    for (int i = 0; i < 4; i++)
        is_named(track(&track_counter, i), names[i]);
    shown_close();
}
END_TEST

START_TEST(a_stack_replaces_the_tracks_of_its_counter) {
    shown_fixture(KINDS, 120, 60);
    shown_keys("theap<Enter>:stack<Enter>");
    is_named(track(&track_counter, 0), "heap.used");
    is_named(track(&track_counter, 1), "fps");
    shown_keys(":stack<Enter>");
    is_named(track(&track_counter, 1), "heap.free");
    shown_close();
}
END_TEST

START_TEST(samples_are_moments_that_hold_until_the_next) {
    struct track_line line;
    shown_fixture(KINDS, 120, 60);
    const struct track *t = track(&track_counter, 0);
    ck_assert(track_line_of(shown.trace, t, 0, &line));
    ck_assert_ptr_null(line.lane);
    size_t n = track_line_moments(shown.trace, &line);
    ck_assert_uint_eq(n, 40);
    int64_t third = track_line_moment(shown.trace, &line, 2).time;
    struct selection s = move_event_at(shown.trace, &shown.timeline, t->top, third + 500000, 1);
    ck_assert_ptr_eq(s.kind, &track_counter_sample);
    ck_assert_uint_eq(s.i, 2);
    shown_close();
}
END_TEST

SUITE(track_counter) {
    Suite *s = suite_create("track_counter");
    TCase *t = tcase_create("counter");
    tcase_add_test(t, a_series_is_named_after_counter_argument_and_id);
    tcase_add_test(t, a_stack_replaces_the_tracks_of_its_counter);
    tcase_add_test(t, samples_are_moments_that_hold_until_the_next);
    suite_add_tcase(s, t);
    return s;
}

/* ---- CPUs ---- */

START_TEST(cpus_are_in_the_order_of_their_numbers) {
    shown_text(
        "magic\ninit 1000000000\n"
        "switch 0 7 10 3 11\nswitch 0 2 12 3 13\nswitch 500 7 11 3 10\nswitch 1000 2 13 3 12\n",
        100, 30);
    shown_keys("8");
    is_named(track(&track_cpu, 0), "cpu 2");
    is_named(track(&track_cpu, 1), "cpu 7");
    ck_assert_ptr_null(track(&track_cpu, 2));
    shown_close();
}
END_TEST

/* cpu 0 is busy from 20 us on and cpu 1 up to 10 us, of 200 us. */
START_TEST(shares_are_of_the_range) {
    shown_text(
        "magic\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\ninstant 0 t1 \"c\" \"first\"\n"
        "switch 0 1 1 1 11 outgoing_weight=i32:-2147483648\n"
        "switch 10000 1 11 1 1 incoming_weight=i32:-2147483648\nswitch 20000 0 1 3 11\n"
        "switch 120000 0 11 3 10\ninstant 200000 t1 \"c\" \"last\"\n",
        100, 30);
    shown_keys("8");
    ck_assert(strstr(shown_row(shown_find("cpu 0")), "90%") &&
              strstr(shown_row(shown_find("cpu 1")), " 5%"));
    ck_assert(!shown_has("CPUs in range"));
    shown_keys(":range 5us..25us<Enter>");
    ck_assert(strstr(shown_row(shown_find("cpu 0")), " 25%") &&
              strstr(shown_row(shown_find("cpu 1")), " 25%"));
    ck_assert(strstr(shown_row(shown_find("CPUs in range")), " 25%"));
    shown_keys("w"); /* of the range still */
    ck_assert(strstr(shown_row(shown_find("cpu 0")), " 25%"));
    shown_close();
}
END_TEST

START_TEST(a_run_names_its_thread) {
    shown_fixture(KINDS, 120, 60);
    shown_keys("8");
    const struct sched *sched = trace_sched(shown.trace);
    for (int k = 0; k < 2; k++) {
        struct track_line line;
        const struct track *t = track(&track_cpu, k);
        ck_assert(track_line_of(shown.trace, t, 0, &line));
        ck_assert_uint_gt(line.lane->n, 0);
        for (uint32_t i = 0; i < line.lane->n; i++) {
            struct selection s = track_line_slice(&line, i);
            ck_assert_uint_eq(selection_thread(shown.trace, &s),
                              sched_run(sched_cpu(sched, t->of), i).thread);
        }
    }
    shown_close();
}
END_TEST

SUITE(track_cpu) {
    Suite *s = suite_create("track_cpu");
    TCase *t = tcase_create("cpu");
    tcase_add_test(t, cpus_are_in_the_order_of_their_numbers);
    tcase_add_test(t, a_run_names_its_thread);
    tcase_add_test(t, shares_are_of_the_range);
    suite_add_tcase(s, t);
    return s;
}

/* ---- log and profile ---- */

START_TEST(log_and_profile_are_tracks_if_there_are_records) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"a\" end=9\n", 100, 30);
    ck_assert_ptr_null(track(&track_log, 0));
    ck_assert_ptr_null(track(&track_profile, 0));
    shown_close();
    shown_fixture(KINDS, 120, 60);
    ck_assert_ptr_eq(track(&track_log, 0), &shown.timeline.tracks.tracks.v[0]);
    ck_assert_ptr_nonnull(track(&track_profile, 0));
    shown_close();
}
END_TEST

START_TEST(the_gutter_counts_the_records_in_the_window) {
    shown_fixture(KINDS, 120, 60);
    int y = shown_find("5 in view");
    ck_assert_int_gt(y, 0);
    move_to_time(&shown, trace_origin(shown.trace) + 14750000, true);
    for (int i = 0; i < 12; i++)
        move_zoom_in(&shown);
    app_draw(&shown);
    ck_assert_msg(strstr(shown_row(y), "2 in view"), "%s", shown_row(y)); /* 14.7 and 14.8 ms */
    shown_close();
}
END_TEST

START_TEST(a_record_names_its_thread) {
    struct track_line line;
    shown_fixture(KINDS, 120, 60);
    ck_assert(track_line_of(shown.trace, track(&track_log, 0), 0, &line));
    size_t n = track_line_moments(shown.trace, &line);
    ck_assert_uint_eq(n, 5);
    for (size_t i = 0; i < n; i++) {
        struct selection s = track_line_selection(shown.trace, &line, i);
        ck_assert_uint_eq(selection_thread(shown.trace, &s),
                          trace_thread_at(shown.trace, s.offset));
    }
    shown_close();
}
END_TEST

SUITE(track_log) {
    Suite *s = suite_create("track_log");
    TCase *t = tcase_create("log");
    tcase_add_test(t, log_and_profile_are_tracks_if_there_are_records);
    tcase_add_test(t, the_gutter_counts_the_records_in_the_window);
    tcase_add_test(t, a_record_names_its_thread);
    suite_add_tcase(s, t);
    return s;
}

/* ---- threads ---- */

START_TEST(a_scheduled_thread_without_slices_has_a_strip_of_states) {
    shown_fixture(KINDS, 120, 60);
    shown_keys("tthread 1<Enter>"); /* it idles, and is folded */
    int with = 0;
    for (int i = 0; track(&track_thread, i); i++) {
        const struct track *t = track(&track_thread, i);
        bool scheduled = sched_thread(trace_sched(shown.trace), t->of) != NULL &&
                         nest_rows(&trace_thread(shown.trace, t->of)->nest) == 0;
        struct track_line line;
        ck_assert_int_eq(t->strip, scheduled);
        ck_assert(track_line_of(shown.trace, t, 0, &line));
        ck_assert(!scheduled || line.slices == &track_thread_state);
        with += scheduled;
    }
    ck_assert_int_eq(with, 1); /* 0 is no thread (SEMANTICS 10.6) */
    shown_close();
}
END_TEST

START_TEST(an_event_is_found_by_its_record) {
    static const char ends[] =
        "magic\ninit 1000000000\n"
        "begin 10 5/6 \"c\" \"work\"\ninstant 20 5/6 \"c\" \"x\"\nend 30 5/6 \"c\" \"work\"\n";
    struct selection s;
    shown_text(ends, 100, 30);
    const struct thread *t = trace_thread(shown.trace, 0);
    const struct slice *work = lane_at(nest_row(&t->nest, 0), 0);
    uint64_t end = slice_extra_end_offset(trace_slice_extra(shown.trace), work);
    ck_assert(track_thread.find(shown.trace, (struct moment){slice_end(work), end}, 0, &s));
    ck_assert_ptr_eq(s.kind, &track_thread_slice);
    struct selection instant = selection_of_moment(shown.trace, &track_thread_instant, 0, 0);
    ck_assert(track_thread.find(shown.trace, (struct moment){instant.time, instant.offset}, 0, &s));
    ck_assert_ptr_eq(s.kind, &track_thread_instant);
    ck_assert(
        !track_thread.find(shown.trace, (struct moment){instant.time, instant.offset + 8}, 0, &s));
    ck_assert(!track_thread.find(shown.trace, (struct moment){instant.time, instant.offset},
                                 NO_THREAD, &s));
    shown_close();
}
END_TEST

SUITE(track_thread) {
    Suite *s = suite_create("track_thread");
    TCase *t = tcase_create("thread");
    tcase_add_test(t, a_scheduled_thread_without_slices_has_a_strip_of_states);
    tcase_add_test(t, an_event_is_found_by_its_record);
    suite_add_tcase(s, t);
    return s;
}

/* ---- the strip of states ---- */

START_TEST(a_column_has_the_state_that_lasts_longest_in_it) {
    shown_fixture(KINDS, 140, 60);
    shown_keys("8");
    const struct track *t = track(&track_thread, 0);
    int y = shown.layout.tracks + (int)(t->top - shown.timeline.top), sure = 0;
    struct lane *states = &sched_thread(trace_sched(shown.trace), t->of)->lane;
    for (int c = 0; c < shown.timeline.window.columns; c++) {
        int64_t from = window_edge(&shown.timeline.window, c),
                to = window_edge(&shown.timeline.window, c + 1);
        for (uint32_t i = 0; i < states->n; i++) {
            const struct slice *s = lane_at(states, i);
            uint32_t state = sched_state(sched_thread(trace_sched(shown.trace), t->of), i);
            if (s->start > from || slice_open(s) || slice_end(s) < to ||
                (state != SCHED_RUNNING && state != SCHED_BLOCKED))
                continue;
            uint32_t cp = grid_at(&shown.grid, shown.layout.lane + c, y)->cp[0];
            ck_assert_msg(cp == (state == SCHED_RUNNING ? '=' : '.') || cp == '%', "column %d: %c",
                          c, (int)cp);
            sure++;
        }
    }
    ck_assert_int_gt(sure, 40);
    shown_close();
}
END_TEST

SUITE(draw_states) {
    Suite *s = suite_create("draw_states");
    TCase *t = tcase_create("states");
    tcase_add_test(t, a_column_has_the_state_that_lasts_longest_in_it);
    suite_add_tcase(s, t);
    return s;
}

/* ---- processes ---- */

START_TEST(a_process_is_a_header_over_its_tracks) {
    shown_fixture(KINDS, 120, 60);
    const struct track *header = track(&track_process, 0);
    is_named(header, "render_svc");
    ck_assert(header->kind->header);
    for (const struct track *t = header + 1; t->process == header->process; t++)
        ck_assert(!t->kind->header);
    ck_assert_ptr_nonnull(
        strstr(shown_row(shown.layout.tracks + (int)(header->top - shown.timeline.top)), "2104"));
    shown_close();
}
END_TEST

SUITE(track_process) {
    Suite *s = suite_create("track_process");
    TCase *t = tcase_create("process");
    tcase_add_test(t, a_process_is_a_header_over_its_tracks);
    suite_add_tcase(s, t);
    return s;
}
