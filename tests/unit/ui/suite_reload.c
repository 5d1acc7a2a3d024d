/* suite_reload.c - the parts of a view that stay when the file is read again, or was
 * overwritten. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace_life.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/ui/live.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

START_TEST(a_reload_keeps_view_selection_and_pins) {
    live_start(false);
    live_keys("jp");
    live_keys("g2.5ms<Enter>wwwl");
    ck_assert_ptr_eq(live_app.timeline.selection.kind, &track_thread_slice);
    struct selection selection = live_app.timeline.selection;
    struct window window = live_app.timeline.window;
    int64_t cursor = live_app.timeline.cursor;
    ck_assert_uint_eq(live_app.timeline.tracks.pins.n, 1);
    app_watch(&live_app);
    ck_assert(!live_app.reload.reported);
    live_calls("ab", 500, 600);
    app_watch(&live_app);
    ck_assert(live_app.reload.reported);
    ck_assert_ptr_nonnull(strstr(live_app.message.text, "has grown: R"));
    live_keys("R");
    live_read_on();
    ck_assert(!live_app.reload.reported);
    ck_assert_int_eq(trace_state(live_trace), TRACE_COMPLETE);
    ck_assert_uint_eq(trace_events(live_trace), 1200);
    ck_assert_ptr_eq(live_app.timeline.selection.kind, selection.kind);
    ck_assert_uint_eq(live_app.timeline.selection.offset, selection.offset);
    ck_assert_uint_eq(live_app.timeline.selection.of, selection.of);
    ck_assert_int_eq(live_app.timeline.window.from, window.from);
    ck_assert_int_eq(live_app.timeline.window.width, window.width);
    ck_assert_int_eq(live_app.timeline.cursor, cursor);
    ck_assert_uint_eq(live_app.timeline.tracks.pins.n, 1);
    ck_assert(live_app.timeline.tracks.tracks.v[0].pinned);
    live_stop();
}
END_TEST

START_TEST(the_view_waits_while_a_long_trace_comes_again) {
    live_start(false);
    for (int i = 500; i < 80000; i += 1500)
        live_calls("ab", i, i + 1500);
    live_keys("R");
    live_read_on();
    live_keys("g790ms<Enter>wwwwwwwwwwl");
    struct selection selection = live_app.timeline.selection;
    struct window window = live_app.timeline.window;
    ck_assert_ptr_eq(selection.kind, &track_thread_slice);
    live_keys("R");
    ck_assert_int_eq(trace_state(live_trace), TRACE_LOADING);
    ck_assert_int_lt(trace_end(live_trace), window.from);
    for (int i = 0; trace_state(live_trace) == TRACE_LOADING; i++) {
        ck_assert_int_eq(live_app.timeline.window.from, window.from);
        ck_assert_int_eq(live_app.timeline.window.width, window.width);
        trace_step(live_trace, 1 << 20);
        app_update(&live_app);
        app_draw(&live_app);
        ck_assert_int_lt(i, 100);
    }
    ck_assert_int_eq(live_app.timeline.window.from, window.from);
    ck_assert_ptr_eq(live_app.timeline.selection.kind, &track_thread_slice);
    ck_assert_uint_eq(live_app.timeline.selection.offset, selection.offset);
    live_stop();
}
END_TEST

START_TEST(all_is_as_long_as_it_was_while_it_comes_again) {
    live_start(false);
    for (int i = 500; i < 80000; i += 1500)
        live_calls("ab", i, i + 1500);
    live_keys("R");
    live_read_on();
    live_keys("0G");
    int64_t cursor = live_app.timeline.cursor, width = live_app.timeline.window.width;
    ck_assert_int_eq(cursor, trace_end(live_trace));
    live_keys("RR0"); /* read again while it is read again */
    ck_assert_int_eq(trace_state(live_trace), TRACE_LOADING);
    ck_assert_int_lt(trace_end(live_trace), cursor);
    ck_assert_int_eq(live_app.timeline.window.width, width);
    ck_assert_int_eq(live_app.timeline.cursor, cursor);
    live_keys("G");
    ck_assert_int_eq(live_app.timeline.cursor, cursor);
    live_read_on();
    ck_assert_int_eq(live_app.timeline.window.width, width);
    ck_assert_int_eq(live_app.timeline.cursor, cursor);
    live_stop();
}
END_TEST

START_TEST(what_is_not_there_any_more_is_let_go) {
    live_start(false);
    live_keys("jjp");
    live_keys("g4ms<Enter>wwwl");
    ck_assert_ptr_eq(live_app.timeline.selection.kind, &track_thread_slice);
    live_put("wb", "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"alone\"\n");
    app_watch(&live_app);
    ck_assert_ptr_nonnull(strstr(live_app.message.text, "has changed: R"));
    live_keys("R");
    live_read_on();
    ck_assert_uint_eq(trace_events(live_trace), 1);
    ck_assert_ptr_eq(live_app.timeline.selection.kind, NULL);
    app_draw(&live_app);
    live_put("wb", "word 0\n");
    live_keys("R");
    ck_assert(live_app.message.is_error);
    ck_assert_uint_eq(trace_events(live_trace), 1);
    app_draw(&live_app);
    live_stop();
}
END_TEST

/* Lists refer to entries by number: they must be cleared for a trace without them. */
START_TEST(a_comparison_may_be_of_a_thread_that_is_gone) {
    live_start(false);
    live_keys("Gg2.5ms<Enter>wwwl:range selection<Enter>:compare half<Enter>");
    while (app_idle(&live_app))
        ;
    ck_assert(live_shows("A  from"));
    live_put("wb", "magic\ninit 1000000000\n");
    live_keys("R");
    live_read_on();
    ck_assert_uint_eq(trace_thread_count(live_trace), 0);
    while (app_idle(&live_app))
        ;
    ck_assert(live_shows("A  from"));
    live_stop();
}
END_TEST

START_TEST(lists_are_of_the_trace_that_is_there) {
    static const char *const before[] = {"6<Enter>",
                                         "6<Enter>L",
                                         "6<Enter>L?",
                                         "5G",
                                         ":blobs<Enter>jj",
                                         ":blobs<Enter>j<Enter>",
                                         ":profile<Enter>G",
                                         ":profile<Enter>G?",
                                         ":objects<Enter>G",
                                         "!j",
                                         "IG",
                                         "lX"};
    static const char *const after[] = {"<Enter>", "X", "q<Enter>", "j<Enter>X"};
    for (size_t i = 0; i < sizeof before / sizeof *before * 4; i++) {
        struct err err;
        struct trace_bytes bytes = tracegen_load("every_kind", &err);
        ck_assert_ptr_nonnull(bytes.v);
        live_start(false);
        FILE *f = fopen(live_path, "wb");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(bytes.v, 1, bytes.n, f), bytes.n);
        ck_assert_int_eq(fclose(f), 0);
        free(bytes.v);
        live_keys("R");
        live_read_on();
        live_keys(before[i / 4]);
        live_read_on();
        app_draw(&live_app);
        live_calls("wb", 0, 5);
        ck_assert(trace_reload(live_trace, &err));
        trace_step(live_trace, 64);
        app_update(&live_app);
        app_draw(&live_app);
        live_keys(after[i % 4]);
        live_read_on();
        ck_assert_uint_eq(trace_events(live_trace), 10);
        live_stop();
    }
}
END_TEST

/* An earlier view may have been of lines that are folded now, and of a time that the file no longer
 * has. */
START_TEST(an_earlier_view_is_of_what_is_there) {
    live_start(false);
    live_keys("jjGw{<Enter>");
    ck_assert_uint_eq(live_app.timeline.tracks.lines, 1);
    live_keys("<lt>");
    ck_assert_uint_eq(live_app.timeline.line, 0);
    app_draw(&live_app);
    live_keys("w");
    live_calls("wb", 0, 5);
    live_keys("R");
    live_read_on();
    live_keys("<lt>");
    ck_assert_int_le(live_app.timeline.cursor, trace_end(live_trace));
    app_draw(&live_app);
    live_stop();
}
END_TEST

START_TEST(a_picture_drawn_before_anything_was_read_again_is_of_nothing) {
    struct err err;
    live_start(false);
    live_keys("jj");
    app_draw(&live_app);
    ck_assert(trace_reload(live_trace, &err));
    app_draw(&live_app);
    ck_assert_uint_eq(live_app.reload.reloads, trace_reloads(live_trace));
    live_read_on();
    ck_assert_uint_eq(trace_events(live_trace), 1000);
    live_stop();
}
END_TEST

/* A mouse report of a place that the screen does not have. */
START_TEST(a_click_beside_the_screen_is_one_at_its_edge) {
    live_start(false);
    live_put("wb", "magic\ninit 1000000000\nbegin 0 1/2 \"c\" \"n\"\nend 9223372036854775806 1/2 "
                   "\"c\" \"n\"\n");
    live_keys("R");
    live_read_on();
    live_keys("<Click:900,1><Release:900,1>");
    ck_assert_int_gt(live_app.timeline.cursor, trace_end(live_trace) / 20 * 19);
    live_keys("<Click:900,4><Release:900,4>");
    ck_assert_int_gt(live_app.timeline.cursor, trace_end(live_trace) / 20 * 19);
    live_stop();
}
END_TEST

START_TEST(a_smaller_screen_shows_the_current_line) {
    live_start(false);
    live_keys("jj");
    ck_assert_uint_eq(live_app.timeline.line, 2);
    app_resize(&live_app, 100, 5);
    ck_assert_int_gt(live_app.layout.track_rows, 0);
    ck_assert_uint_ge(live_app.timeline.line, live_app.timeline.top);
    ck_assert_uint_lt(live_app.timeline.line,
                      live_app.timeline.top + (uint64_t)live_app.layout.track_rows);
    live_stop();
}
END_TEST

/* A trace of fewer nanoseconds than columns has a window beyond its end, where a click may put the
 * cursor. */
START_TEST(the_cursor_stays_in_the_window_when_the_screen_shrinks) {
    live_start(false);
    live_put("wb", "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"alone\"\n");
    live_keys("R");
    live_read_on();
    live_keys("<Click:90,4><Release:90,4>");
    app_resize(&live_app, 20, 5);
    ck_assert_int_le(live_app.timeline.cursor,
                     live_app.timeline.window.from + live_app.timeline.window.width);
    live_stop();
}
END_TEST

/* A log record in whose place another one stands by now has no text, and no bytes to point to. */
START_TEST(what_was_overwritten_is_drawn_as_nothing) {
    live_start(false);
    live_put("wb", "magic\ninit 1000000000\nlog 5 1/2 \"first\"\nlog 7 1/2 \"second\"\n");
    live_keys("R");
    live_read_on();
    live_keys("5");
    app_draw(&live_app);
    live_put("r+b", "magic\ninit 1000000000\nbegin 5 1/2 \"c\" \"n\"\n");
    app_draw(&live_app);
    live_keys("j");
    app_draw(&live_app);
    live_stop();
}
END_TEST

/* Likewise for an instant: the record there has no scope now. */
START_TEST(an_instant_that_was_overwritten_has_no_scope) {
    live_start(false);
    live_put(
        "wb",
        "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"first\"\ninstant 9 1/2 \"c\" \"next\"\n");
    live_keys("R");
    live_read_on();
    app_draw(&live_app);
    live_put("r+b", "magic\ninit 1000000000\nswitch 5 0 2 3 4\n");
    live_keys("wj^<Tab>");
    app_draw(&live_app);
    live_stop();
}
END_TEST

/* And for an operation: the record there has no id now, or there is none. */
START_TEST(an_operation_that_was_overwritten_has_no_id) {
    static const char *const others[] = {"magic\ninit 1000000000\nswitch 5 0 2 3 4\n",
                                         "magic\ninit 1000000000\nword 0xffffffffffffffff\n"};
    for (int i = 0; i < 2; i++) {
        live_start(false);
        live_put("wb", "magic\ninit 1000000000\nasync_begin 5 1/2 \"c\" \"first\" id=119\n"
                       "async_end 9 1/2 \"c\" \"first\" id=119\n");
        live_keys("R");
        live_read_on();
        live_keys("/first<Enter><Tab>");
        ck_assert(live_shows("async id 0x77  depth 0"));
        live_put("r+b", others[i]);
        ck_assert(live_shows("  async  depth 0"));
        live_stop();
    }
}
END_TEST

/* A list of tracks that got shorter is drawn before any other work. */
START_TEST(the_rows_of_a_shorter_list_are_on_the_screen) {
    live_start(false);
    live_app.timeline.top = 50;
    live_app.reload.version--; /* events came, and tracks went */
    app_update(&live_app);
    ck_assert_uint_lt(live_app.timeline.top, live_app.timeline.tracks.lines);
    live_stop();
}
END_TEST

/* And for a backtrace: the record there has no addresses now. */
START_TEST(a_backtrace_that_was_overwritten_is_not_listed) {
    live_start(false);
    live_put("wb", "magic\ninit 1000000000\nbacktrace 5 1/2 16 32 48\nbacktrace 9 1/2 16 32\n");
    live_keys("R");
    live_read_on();
    live_put("r+b", "magic\ninit 1000000000\nkernel_object 1 0x4141414141414140 \"x\"\n");
    live_keys(":profile<Enter>");
    app_draw(&live_app);
    live_stop();
}
END_TEST

static long lines_of(const char *file, const char *with) {
    char line[600];
    long n = 0;
    FILE *f = fopen(file, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f))
        n += strstr(line, with) != NULL;
    fclose(f);
    return n;
}

static long entries_of(const char *directory) {
    long n = -2; /* . and .. */
    DIR *d = opendir(directory);
    ck_assert_ptr_nonnull(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

/* A trace that is mapped, one that is inflated, and one of a pipe, opened, read, followed, read
 * again and closed. */
static void open_and_close(const char *name, bool follow) {
    struct trace_options options = {.follow = follow};
    struct err err;
    live_trace = trace_open(name, &options, &err);
    ck_assert_ptr_nonnull(live_trace);
    app_init(&live_app, live_trace, 100, 30, true);
    live_read_on();
    live_keys("FlG");
    live_read_on();
    live_keys("RF");
    live_read_on();
    live_keys("F");
    live_read_on();
    app_watch(&live_app);
    file_watch(trace_file(live_trace));
    app_free(&live_app);
    trace_free(live_trace);
}

START_TEST(nothing_stays_open) {
    char packed[SCRATCH_PATH + 4], command[2 * SCRATCH_PATH + 20], folder[SCRATCH_PATH];
    live_start(false);
    live_stop();
    live_calls("wb", 0, 500);
    ck_assert(scratch_folder(folder, "left"));
    const char *old = getenv("TMPDIR");
    char *before = old ? strdup(old) : NULL;
    setenv("TMPDIR", folder, 1);
    snprintf(packed, sizeof packed, "%s.gz", live_path);
    snprintf(command, sizeof command, "gzip -c %s >%s", live_path, packed);
    ck_assert_int_eq(system(command), 0);
    long descriptors = 0, maps = 0;
    for (int i = 0; i < 12; i++) {
        open_and_close(live_path, false);
        open_and_close(live_path, true);
        open_and_close(packed, false);
        int ends[2], in = dup(STDIN_FILENO);
        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(write(ends[1], "\x10\0\4FxT\x16\0", 8), 8);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        open_and_close("-", false);
        dup2(in, STDIN_FILENO);
        close(in);
        if (i == 1) {
            descriptors = entries_of("/proc/self/fd");
            maps = lines_of("/proc/self/maps", "/fxtop-");
        }
    }
    ck_assert_int_eq(entries_of("/proc/self/fd"), descriptors);
    ck_assert_int_eq(lines_of("/proc/self/maps", "/fxtop-"), maps);
    ck_assert_int_eq(entries_of(folder), 0);
    ck_assert_int_eq(lines_of("/proc/self/maps", strrchr(live_path, '/')), 0);
    unlink(packed);
    unlink(live_path);
    rmdir(folder);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}
END_TEST

START_TEST(a_picture_may_be_wanted_just_when_all_is_taken_up_again) {
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\ninstant 18446744073709551615 1/2 \"c\" \"far\"\n");
    live_start(false);
    for (int i = 0; i < 100; i++) /* too far for times that count from the first event */
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete %d %d/%d \"c\" \"near\" end=%d\n", i, i + 1, i + 2, i + 5);
    live_put("wb", text);
    ck_assert(trace_reload(live_trace, NULL));
    app_update(&live_app);
    uint32_t before = trace_generation(live_trace);
    while (trace_generation(live_trace) == before) {
        app_update(&live_app);
        trace_step(live_trace, 256);
    }
    ck_assert_uint_eq(trace_process_count(live_trace), 0);
    app_draw(&live_app);
    live_read_on();
    ck_assert_uint_eq(trace_process_count(live_trace), 100);
    app_draw(&live_app);
    live_stop();
}
END_TEST

START_TEST(a_place_to_go_back_to_may_be_folded_away) {
    live_start(false);
    /* the place that w left is a thread's, in a process that is folded then */
    live_keys("ggjjwkkc");
    ck_assert_uint_eq(live_app.timeline.tracks.lines, 1);
    live_keys("<lt>");
    ck_assert_uint_lt(live_app.timeline.line, live_app.timeline.tracks.lines);
    app_draw(&live_app);
    live_stop();
}
END_TEST

START_TEST(keys_of_a_text_mode_wait_for_what_they_read_again) {
    live_start(false);
    for (int i = 500; i < 60000; i += 500) /* more than is read at once */
        live_calls("ab", i, i + 500);
    live_app.printed = true;
    live_app.startup.keys = "R2";
    app_play(&live_app);
    ck_assert_int_eq(trace_state(live_trace), TRACE_COMPLETE);
    ck_assert_ptr_null(live_app.startup.keys);
    live_stop();
}
END_TEST

SUITE(reload) {
    Suite *s = suite_create("reload");
    TCase *t = tcase_create("reload");
    tcase_add_test(t, a_reload_keeps_view_selection_and_pins);
    tcase_add_test(t, the_view_waits_while_a_long_trace_comes_again);
    tcase_add_test(t, all_is_as_long_as_it_was_while_it_comes_again);
    tcase_add_test(t, what_is_not_there_any_more_is_let_go);
    tcase_add_test(t, a_comparison_may_be_of_a_thread_that_is_gone);
    tcase_add_test(t, lists_are_of_the_trace_that_is_there);
    tcase_add_test(t, an_earlier_view_is_of_what_is_there);
    tcase_add_test(t, a_picture_drawn_before_anything_was_read_again_is_of_nothing);
    tcase_add_test(t, a_click_beside_the_screen_is_one_at_its_edge);
    tcase_add_test(t, a_smaller_screen_shows_the_current_line);
    tcase_add_test(t, the_cursor_stays_in_the_window_when_the_screen_shrinks);
    tcase_add_test(t, what_was_overwritten_is_drawn_as_nothing);
    tcase_add_test(t, an_instant_that_was_overwritten_has_no_scope);
    tcase_add_test(t, an_operation_that_was_overwritten_has_no_id);
    tcase_add_test(t, the_rows_of_a_shorter_list_are_on_the_screen);
    tcase_add_test(t, a_backtrace_that_was_overwritten_is_not_listed);
    tcase_add_test(t, nothing_stays_open);
    tcase_add_test(t, a_picture_may_be_wanted_just_when_all_is_taken_up_again);
    tcase_add_test(t, a_place_to_go_back_to_may_be_folded_away);
    tcase_add_test(t, keys_of_a_text_mode_wait_for_what_they_read_again);
    suite_add_tcase(s, t);
    return s;
}
