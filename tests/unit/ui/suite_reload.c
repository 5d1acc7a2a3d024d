/* suite_reload.c - what stays of a view when the file is read again, and how it goes along with one that grows. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace_life.h"
#include "tests/lib/scratch.h"
#include "tests/lib/suites.h"
#include "tests/lib/tracegen.h"
#include "ui/app.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

static char path[SCRATCH_PATH];
static struct app app;
static struct trace *trace;

static void put(const char *how, const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    FILE *f = fopen(path, how);
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes.v, 1, bytes.n, f), bytes.n);
    ck_assert_int_eq(fclose(f), 0);
    free(bytes.v);
}

/* A trace of `n` slices of 1 us, one each 10 us, on each of two threads. */
static void calls(const char *how, int from, int to) {
    static char text[400000];
    size_t n = 0;
    if (from == 0)
        n += (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\n");
    for (int i = from; i < to; i++)
        for (int t = 1; t <= 2; t++)
            n += (size_t)snprintf(text + n, sizeof text - n, "complete %d t%d \"c\" \"call %d\" end=%d\n", i * 10000, t,
                                  i, i * 10000 + 1000);
    put(how, text);
}

static void keys(const char *text) {
    struct key key;
    while (key_parse(&text, &key))
        app_key(&app, &key);
}

static void start(bool follow) {
    struct trace_options options = {.follow = follow};
    struct err err;
    ck_assert(scratch_write(path, "reload", "", 0));
    calls("wb", 0, 500);
    trace = trace_open(path, &options, &err);
    ck_assert_ptr_nonnull(trace);
    while (trace_step(trace, 1 << 20) == TRACE_LOADING)
        ;
    app_init(&app, trace, 100, 30, true);
}

/* Nothing of the trace is read so far. */
static void begin(const char *text) {
    struct err err;
    ck_assert(scratch_write(path, "reload", "", 0));
    put("wb", text);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_ptr_nonnull(trace);
    app_init(&app, trace, 100, 30, true);
}

static void stop(void) {
    app_free(&app);
    trace_free(trace);
    unlink(path);
}

/* As the loop of the screen does. */
static void read_on(void) {
    for (int i = 0; i < 5000 && (trace_state(trace) == TRACE_LOADING || i < 3); i++) {
        trace_step(trace, 4096);
        app_update(&app);
        app_draw(&app);
    }
}

START_TEST(a_reload_keeps_view_selection_and_pins) {
    start(false);
    keys("jp");
    keys("g2.5ms<Enter>wwwl");
    ck_assert_ptr_eq(app.timeline.selection.kind, &track_thread_slice);
    struct selection selection = app.timeline.selection;
    struct window window = app.timeline.window;
    int64_t cursor = app.timeline.cursor;
    ck_assert_uint_eq(app.timeline.tracks.pins.n, 1);
    app_watch(&app);
    ck_assert(!app.reload.reported);
    calls("ab", 500, 600);
    app_watch(&app);
    ck_assert(app.reload.reported);
    ck_assert_ptr_nonnull(strstr(app.message.text, "has grown: R"));
    keys("R");
    read_on();
    ck_assert(!app.reload.reported);
    ck_assert_int_eq(trace_state(trace), TRACE_COMPLETE);
    ck_assert_uint_eq(trace_events(trace), 1200);
    ck_assert_ptr_eq(app.timeline.selection.kind, selection.kind);
    ck_assert_uint_eq(app.timeline.selection.offset, selection.offset);
    ck_assert_uint_eq(app.timeline.selection.of, selection.of);
    ck_assert_int_eq(app.timeline.window.from, window.from);
    ck_assert_int_eq(app.timeline.window.width, window.width);
    ck_assert_int_eq(app.timeline.cursor, cursor);
    ck_assert_uint_eq(app.timeline.tracks.pins.n, 1);
    ck_assert(app.timeline.tracks.tracks.v[0].pinned);
    stop();
}
END_TEST

START_TEST(the_view_waits_while_a_long_trace_comes_again) {
    start(false);
    for (int i = 500; i < 80000; i += 1500)
        calls("ab", i, i + 1500);
    keys("R");
    read_on();
    keys("g790ms<Enter>wwwwwwwwwwl");
    struct selection selection = app.timeline.selection;
    struct window window = app.timeline.window;
    ck_assert_ptr_eq(selection.kind, &track_thread_slice);
    keys("R");
    ck_assert_int_eq(trace_state(trace), TRACE_LOADING);
    ck_assert_int_lt(trace_end(trace), window.from);
    for (int i = 0; trace_state(trace) == TRACE_LOADING; i++) {
        ck_assert_int_eq(app.timeline.window.from, window.from);
        ck_assert_int_eq(app.timeline.window.width, window.width);
        trace_step(trace, 1 << 20);
        app_update(&app);
        app_draw(&app);
        ck_assert_int_lt(i, 100);
    }
    ck_assert_int_eq(app.timeline.window.from, window.from);
    ck_assert_ptr_eq(app.timeline.selection.kind, &track_thread_slice);
    ck_assert_uint_eq(app.timeline.selection.offset, selection.offset);
    stop();
}
END_TEST

START_TEST(all_is_as_long_as_it_was_while_it_comes_again) {
    start(false);
    for (int i = 500; i < 80000; i += 1500)
        calls("ab", i, i + 1500);
    keys("R");
    read_on();
    keys("0G");
    int64_t cursor = app.timeline.cursor, width = app.timeline.window.width;
    ck_assert_int_eq(cursor, trace_end(trace));
    keys("RR0"); /* read again while it is read again */
    ck_assert_int_eq(trace_state(trace), TRACE_LOADING);
    ck_assert_int_lt(trace_end(trace), cursor);
    ck_assert_int_eq(app.timeline.window.width, width);
    ck_assert_int_eq(app.timeline.cursor, cursor);
    keys("G");
    ck_assert_int_eq(app.timeline.cursor, cursor);
    read_on();
    ck_assert_int_eq(app.timeline.window.width, width);
    ck_assert_int_eq(app.timeline.cursor, cursor);
    stop();
}
END_TEST

START_TEST(what_is_not_there_any_more_is_let_go) {
    start(false);
    keys("jjp");
    keys("g4ms<Enter>wwwl");
    ck_assert_ptr_eq(app.timeline.selection.kind, &track_thread_slice);
    put("wb", "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"alone\"\n");
    app_watch(&app);
    ck_assert_ptr_nonnull(strstr(app.message.text, "has changed: R"));
    keys("R");
    read_on();
    ck_assert_uint_eq(trace_events(trace), 1);
    ck_assert_ptr_eq(app.timeline.selection.kind, NULL);
    app_draw(&app);
    put("wb", "word 0\n");
    keys("R");
    ck_assert(app.message.is_error);
    ck_assert_uint_eq(trace_events(trace), 1);
    app_draw(&app);
    stop();
}
END_TEST

/* Lists refer to entries by number: they must be cleared for a trace without them. */
START_TEST(lists_are_of_the_trace_that_is_there) {
    static const char *const before[] = {"6<Enter>",        "6<Enter>L",     "6<Enter>L?", "5G",
                                         ":blobs<Enter>jj", ":blobs<Enter>j<Enter>", ":profile<Enter>G", ":profile<Enter>G?",
                                         ":objects<Enter>G", "!j",                  "IG",               "lX"};
    static const char *const after[] = {"<Enter>", "X", "q<Enter>", "j<Enter>X"};
    for (size_t i = 0; i < sizeof before / sizeof *before * 4; i++) {
        struct err err;
        struct trace_bytes bytes = tracegen_load("every_kind", &err);
        ck_assert_ptr_nonnull(bytes.v);
        start(false);
        FILE *f = fopen(path, "wb");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(bytes.v, 1, bytes.n, f), bytes.n);
        ck_assert_int_eq(fclose(f), 0);
        free(bytes.v);
        keys("R");
        read_on();
        keys(before[i / 4]);
        read_on();
        app_draw(&app);
        calls("wb", 0, 5);
        ck_assert(trace_reload(trace, &err));
        trace_step(trace, 64);
        app_update(&app);
        app_draw(&app);
        keys(after[i % 4]);
        read_on();
        ck_assert_uint_eq(trace_events(trace), 10);
        stop();
    }
}
END_TEST

/* An earlier view may have been of lines that are folded now, and of a time that the file no longer has. */
START_TEST(an_earlier_view_is_of_what_is_there) {
    start(false);
    keys("jjGw{<Enter>");
    ck_assert_uint_eq(app.timeline.tracks.lines, 1);
    keys("<lt>");
    ck_assert_uint_eq(app.timeline.line, 0);
    app_draw(&app);
    keys("w");
    calls("wb", 0, 5);
    keys("R");
    read_on();
    keys("<lt>");
    ck_assert_int_le(app.timeline.cursor, trace_end(trace));
    app_draw(&app);
    stop();
}
END_TEST

START_TEST(a_picture_drawn_before_anything_was_read_again_is_of_nothing) {
    struct err err;
    start(false);
    keys("jj");
    app_draw(&app);
    ck_assert(trace_reload(trace, &err));
    app_draw(&app);
    ck_assert_uint_eq(app.reload.reloads, trace_reloads(trace));
    read_on();
    ck_assert_uint_eq(trace_events(trace), 1000);
    stop();
}
END_TEST

/* The number in the message of :only is that of the events which are there, as long as it is shown. */
START_TEST(the_number_of_events_left_follows) {
    start(true);
    keys(":only call<Enter>");
    while (app_idle(&app))
        ;
    ck_assert_str_eq(app.message.text, "showing only 1,000 events; x dims the others");
    calls("ab", 500, 700);
    read_on();
    while (app_idle(&app))
        ;
    ck_assert_str_eq(app.message.text, "showing only 1,400 events; x dims the others");
    keys("j");
    app.message.text[0] = 0;
    calls("ab", 700, 800);
    read_on();
    while (app_idle(&app))
        ;
    ck_assert_str_eq(app.message.text, "");
    stop();
}
END_TEST

/* A mouse report of a place that the screen does not have. */
START_TEST(a_click_beside_the_screen_is_one_at_its_edge) {
    start(false);
    put("wb", "magic\ninit 1000000000\nbegin 0 1/2 \"c\" \"n\"\nend 9223372036854775806 1/2 \"c\" \"n\"\n");
    keys("R");
    read_on();
    keys("<Click:900,1><Release:900,1>");
    ck_assert_int_gt(app.timeline.cursor, trace_end(trace) / 20 * 19);
    keys("<Click:900,4><Release:900,4>");
    ck_assert_int_gt(app.timeline.cursor, trace_end(trace) / 20 * 19);
    stop();
}
END_TEST

START_TEST(a_smaller_screen_shows_the_current_line) {
    start(false);
    keys("jj");
    ck_assert_uint_eq(app.timeline.line, 2);
    app_resize(&app, 100, 5);
    ck_assert_int_gt(app.layout.track_rows, 0);
    ck_assert_uint_ge(app.timeline.line, app.timeline.top);
    ck_assert_uint_lt(app.timeline.line, app.timeline.top + (uint64_t)app.layout.track_rows);
    stop();
}
END_TEST

/* A trace of fewer nanoseconds than columns has a window beyond its end, where a click may put the cursor. */
START_TEST(the_cursor_stays_in_the_window_when_the_screen_shrinks) {
    start(false);
    put("wb", "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"alone\"\n");
    keys("R");
    read_on();
    keys("<Click:90,4><Release:90,4>");
    app_resize(&app, 20, 5);
    ck_assert_int_le(app.timeline.cursor, app.timeline.window.from + app.timeline.window.width);
    stop();
}
END_TEST

/* A log record in whose place another one stands by now has no text, and no bytes to point to. */
START_TEST(what_was_overwritten_is_drawn_as_nothing) {
    start(false);
    put("wb", "magic\ninit 1000000000\nlog 5 1/2 \"first\"\nlog 7 1/2 \"second\"\n");
    keys("R");
    read_on();
    keys("5");
    app_draw(&app);
    put("r+b", "magic\ninit 1000000000\nbegin 5 1/2 \"c\" \"n\"\n");
    app_draw(&app);
    keys("j");
    app_draw(&app);
    stop();
}
END_TEST

/* Likewise for an instant: the record there has no scope now. */
START_TEST(an_instant_that_was_overwritten_has_no_scope) {
    start(false);
    put("wb", "magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"first\"\ninstant 9 1/2 \"c\" \"next\"\n");
    keys("R");
    read_on();
    app_draw(&app);
    put("r+b", "magic\ninit 1000000000\nswitch 5 0 2 3 4\n");
    keys("wj^<Tab>");
    app_draw(&app);
    stop();
}
END_TEST

/* And for a backtrace: the record there has no addresses now. */
START_TEST(a_backtrace_that_was_overwritten_is_not_listed) {
    start(false);
    put("wb", "magic\ninit 1000000000\nbacktrace 5 1/2 16 32 48\nbacktrace 9 1/2 16 32\n");
    keys("R");
    read_on();
    put("r+b", "magic\ninit 1000000000\nkernel_object 1 0x4141414141414140 \"x\"\n");
    keys(":profile<Enter>");
    app_draw(&app);
    stop();
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

/* A trace that is mapped, one that is inflated, and one of a pipe, opened, read, followed, read again and closed. */
static void open_and_close(const char *name, bool follow) {
    struct trace_options options = {.follow = follow};
    struct err err;
    trace = trace_open(name, &options, &err);
    ck_assert_ptr_nonnull(trace);
    app_init(&app, trace, 100, 30, true);
    read_on();
    keys("FlG");
    read_on();
    keys("RF");
    read_on();
    keys("F");
    read_on();
    app_watch(&app);
    file_watch(trace_file(trace));
    app_free(&app);
    trace_free(trace);
}

START_TEST(nothing_stays_open) {
    char packed[SCRATCH_PATH + 4], command[2 * SCRATCH_PATH + 20], folder[SCRATCH_PATH];
    start(false);
    stop();
    calls("wb", 0, 500);
    ck_assert(scratch_folder(folder, "left"));
    const char *old = getenv("TMPDIR");
    char *before = old ? strdup(old) : NULL;
    setenv("TMPDIR", folder, 1);
    snprintf(packed, sizeof packed, "%s.gz", path);
    snprintf(command, sizeof command, "gzip -c %s >%s", path, packed);
    ck_assert_int_eq(system(command), 0);
    long descriptors = 0, maps = 0;
    for (int i = 0; i < 12; i++) {
        open_and_close(path, false);
        open_and_close(path, true);
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
    ck_assert_int_eq(lines_of("/proc/self/maps", strrchr(path, '/')), 0);
    unlink(packed);
    unlink(path);
    rmdir(folder);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}
END_TEST

START_TEST(a_window_at_the_end_goes_along_until_it_is_moved) {
    start(true);
    read_on();
    keys("wwwG");
    int64_t width = app.timeline.window.width, right = app.timeline.window.from + width, end = trace_end(trace);
    ck_assert_int_gt(right, end);
    for (int i = 500; i < 600; i += 20) {
        calls("ab", i, i + 20);
        read_on();
        ck_assert_int_eq(app.timeline.window.width, width);
        ck_assert_int_eq(app.timeline.window.from + width - trace_end(trace), right - end);
    }
    keys("A");
    int64_t from = app.timeline.window.from;
    calls("ab", 600, 620);
    read_on();
    ck_assert_int_eq(app.timeline.window.from, from);
    keys("0");
    calls("ab", 620, 640);
    read_on();
    ck_assert_int_ge(app.timeline.window.from + app.timeline.window.width,
                     trace_end(trace)); /* the whole, as it grows */
    keys("F");
    read_on();
    ck_assert_int_eq(trace_state(trace), TRACE_COMPLETE);
    stop();
}
END_TEST

/* The cursor is at the end while nothing moves it, so that W shows new events. */
START_TEST(the_cursor_of_a_followed_trace_is_at_its_end) {
    start(true);
    read_on();
    ck_assert_int_eq(app.timeline.cursor, trace_end(trace));
    calls("ab", 500, 520);
    read_on();
    keys("jW");
    const struct window *w = &app.timeline.window;
    ck_assert_int_lt(w->width, trace_end(trace) - trace_begin(trace));
    for (int i = 520; i < 600; i += 20) {
        calls("ab", i, i + 20);
        read_on();
        ck_assert_int_eq(app.timeline.cursor, trace_end(trace));
        ck_assert_int_ge(w->from + w->width, trace_end(trace));
    }
    keys("h");
    int64_t cursor = app.timeline.cursor;
    calls("ab", 600, 620);
    read_on();
    ck_assert_int_eq(app.timeline.cursor, cursor);
    stop();
}
END_TEST

/* Whether a row of the screen has the text. */
static bool on_screen(const char *text) {
    char line[101];
    app_draw(&app);
    for (int y = 0; y < app.grid.rows; y++) {
        for (int x = 0; x < 100; x++)
            line[x] = (char)grid_at(&app.grid, x, y)->cp[0];
        line[100] = 0;
        if (strstr(line, text))
            return true;
    }
    return false;
}

/* While it grows, until the numbers are known again, those from before are shown. */
START_TEST(the_drawer_of_a_followed_trace_keeps_its_numbers) {
    static const char *const tabs[] = {"<Tab>W", "<Tab>llll", "<Tab>lll"};
    static const char *const texts[] = {"at +0.00", "share    count", "p50 1.000 us"};
    for (int n = 0; n < 3; n++) {
        start(true);
        keys("jg2.5ms<Enter>wwwwl");
        keys(tabs[n]);
        ck_assert(app.drawer.open);
        for (int round = 0; round < 3; round++) {
            while (app_idle(&app))
                continue;
            ck_assert_msg(on_screen(texts[n]), "%s", texts[n]);
            ck_assert(on_screen("Same name 2 ") && on_screen("Children 0"));
            calls("ab", 500 + round * 10, 510 + round * 10);
            app_watch(&app);
            while (trace_step(trace, 1 << 20) == TRACE_LOADING)
                continue;
            app_update(&app);
            ck_assert_uint_eq(trace_events(trace), 1020 + (unsigned)round * 20);
            ck_assert_msg(on_screen(texts[n]), "%s", texts[n]);
            ck_assert(on_screen("Same name 2 ") && on_screen("Children 0"));
            keys(round ? "<C-l>" : "");
            ck_assert_msg(on_screen(texts[n]), "%s", texts[n]);
        }
        keys("]"); /* another slice has no such numbers so far */
        stop();
    }
}
END_TEST

START_TEST(one_that_is_followed_and_written_anew_is_read_again) {
    start(true);
    read_on();
    calls("wb", 0, 20);
    app_watch(&app);
    read_on();
    ck_assert_uint_eq(trace_events(trace), 40);
    ck_assert(trace_follows(trace));
    ck_assert_ptr_nonnull(strstr(app.message.text, "was replaced"));
    stop();
}
END_TEST

/* Rows of an earlier version are shown until the new ones are complete, but their slices may be in other places. */
START_TEST(rows_of_an_earlier_version_lead_nowhere) {
    static const char *const views[] = {"2/call 499<Enter><Enter>", ":compare half<Enter>"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        start(true);
        read_on();
        keys(views[i]);
        while (app_idle(&app))
            ;
        struct view *view = app.views.current;
        /* all calls move to the second row, and few slices are left in the first one */
        put("ab", "complete 0 t1 \"c\" \"all\" end=9000000\ncomplete 0 t2 \"c\" \"all\" end=9000000\n");
        read_on();
        ck_assert(!trace_unflushed(trace));
        app.asks = true;
        ck_assert(view->ops->step(view, BUDGET_OF(1)));
        app.asks = false;
        view->ops->enter(view);
        ck_assert_ptr_eq(app.views.current, view);
        ck_assert_ptr_nonnull(strstr(app.message.text, "has read on"));
        while (app_idle(&app))
            ;
        keys("<Enter>");
        ck_assert(view_is(&app.views, MODE_TIMELINE));
        ck_assert_ptr_eq(app.timeline.selection.kind, &track_thread_slice);
        stop();
    }
}
END_TEST

START_TEST(a_picture_may_be_wanted_just_when_all_is_taken_up_again) {
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninstant 18446744073709551615 1/2 \"c\" \"far\"\n");
    start(false);
    for (int i = 0; i < 100; i++) /* too far for times that count from the first event */
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d %d/%d \"c\" \"near\" end=%d\n", i, i + 1, i + 2, i + 5);
    put("wb", text);
    ck_assert(trace_reload(trace, NULL));
    app_update(&app);
    uint32_t before = trace_generation(trace);
    while (trace_generation(trace) == before) {
        app_update(&app);
        trace_step(trace, 256);
    }
    ck_assert_uint_eq(trace_process_count(trace), 0);
    app_draw(&app);
    read_on();
    ck_assert_uint_eq(trace_process_count(trace), 100);
    app_draw(&app);
    stop();
}
END_TEST

START_TEST(a_cursor_that_nobody_moved_stands_at_the_earliest_event) {
    begin("magic\ninit 1000000000\nthread 1 7 8\ninstant 2000 t1 \"c\" \"first\"\ninstant 1000 t1 \"c\" \"earlier\"\n");
    int64_t before = INT64_MIN;
    for (enum trace_state state = TRACE_LOADING; state != TRACE_COMPLETE;) {
        state = trace_step(trace, 8);
        app_update(&app);
        if (trace_events(trace) == 1)
            before = app.timeline.cursor;
    }
    app_update(&app);
    ck_assert_int_eq(before - trace_origin(trace), 1000);
    ck_assert_int_eq(app.timeline.cursor, trace_origin(trace));
    stop();
}
END_TEST

START_TEST(a_page_opened_while_loading_is_complete_in_the_end) {
    static char text[50000];
    static uint32_t shown[100 * 30];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\n");
    for (int i = 0; i < 1000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %d 7/8 \"c\" \"i\"\n", i);
    begin(text);
    trace_step(trace, 4096);
    app_update(&app);
    ck_assert_int_eq(trace_state(trace), TRACE_LOADING);
    keys("9");
    read_on();
    ck_assert_uint_eq(trace_events(trace), 1000);
    for (int i = 0; i < 100 * 30; i++)
        shown[i] = grid_at(&app.grid, i % 100, i / 100)->cp[0];
    keys("q9");
    app_draw(&app);
    for (int i = 0; i < 100 * 30; i++)
        ck_assert_uint_eq(grid_at(&app.grid, i % 100, i / 100)->cp[0], shown[i]);
    stop();
}
END_TEST

#define FIRST_PART 8192 /* threads that are added at a time */

START_TEST(an_overview_in_parts_says_what_all_threads_say) {
    static char text[1200000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    int columns, parts = 0;
    for (int i = 0; i < 20000; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/%d \"\" \"\" end=%d\n", i, 2 + i % 9000,
                             i + (i == FIRST_PART ? 8000 : 1)); /* the first of the second part weighs as much as all */
    begin(text);
    trace_step(trace, 4096);
    app_update(&app);
    app_draw(&app);
    while (trace_events(trace) < 15000) /* that are in their places */
        trace_step(trace, 4096);
    ck_assert_int_eq(trace_state(trace), TRACE_LOADING);
    do {
        draw_overview_update(&app, BUDGET_OF(FIRST_PART * 32));
        ck_assert_int_lt(++parts, 10);
    } while (app.timeline.overview.next > 0);
    ck_assert_int_gt(parts, 1);
    columns = app.timeline.overview.columns;
    int64_t *edges = calloc((size_t)columns + 1, sizeof *edges);
    double *busy = calloc((size_t)columns, sizeof *busy), most = 0;
    window_edges(&app.timeline.overview.window, edges);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        trace_thread_busy(trace, trace_thread(trace, i), edges, columns, busy);
    for (int c = 0; c < columns; c++)
        most = busy[c] > most ? busy[c] : most;
    ck_assert(most > 0);
    for (int c = 0; c < columns; c++) {
        int level = (int)(busy[c] / most * 8 + 0.5);
        ck_assert_int_eq(app.timeline.overview.levels[c], level == 0 && busy[c] > 0 ? 1 : level);
    }
    free(edges);
    free(busy);
    stop();
}
END_TEST

START_TEST(a_place_to_go_back_to_may_be_folded_away) {
    start(false);
    keys("ggjjwkkc"); /* the place that w left is a thread's, in a process that is folded then */
    ck_assert_uint_eq(app.timeline.tracks.lines, 1);
    keys("<lt>");
    ck_assert_uint_lt(app.timeline.line, app.timeline.tracks.lines);
    app_draw(&app);
    stop();
}
END_TEST

Suite *suite_reload(void) {
    Suite *s = suite_create("reload");
    TCase *t = tcase_create("reload");
    tcase_add_test(t, a_reload_keeps_view_selection_and_pins);
    tcase_add_test(t, the_view_waits_while_a_long_trace_comes_again);
    tcase_add_test(t, all_is_as_long_as_it_was_while_it_comes_again);
    tcase_add_test(t, what_is_not_there_any_more_is_let_go);
    tcase_add_test(t, lists_are_of_the_trace_that_is_there);
    tcase_add_test(t, an_earlier_view_is_of_what_is_there);
    tcase_add_test(t, a_picture_drawn_before_anything_was_read_again_is_of_nothing);
    tcase_add_test(t, the_number_of_events_left_follows);
    tcase_add_test(t, a_click_beside_the_screen_is_one_at_its_edge);
    tcase_add_test(t, a_smaller_screen_shows_the_current_line);
    tcase_add_test(t, the_cursor_stays_in_the_window_when_the_screen_shrinks);
    tcase_add_test(t, what_was_overwritten_is_drawn_as_nothing);
    tcase_add_test(t, an_instant_that_was_overwritten_has_no_scope);
    tcase_add_test(t, a_backtrace_that_was_overwritten_is_not_listed);
    tcase_add_test(t, nothing_stays_open);
    tcase_add_test(t, a_window_at_the_end_goes_along_until_it_is_moved);
    tcase_add_test(t, the_cursor_of_a_followed_trace_is_at_its_end);
    tcase_add_test(t, the_drawer_of_a_followed_trace_keeps_its_numbers);
    tcase_add_test(t, one_that_is_followed_and_written_anew_is_read_again);
    tcase_add_test(t, rows_of_an_earlier_version_lead_nowhere);
    tcase_add_test(t, a_picture_may_be_wanted_just_when_all_is_taken_up_again);
    tcase_add_test(t, a_place_to_go_back_to_may_be_folded_away);
    tcase_add_test(t, a_page_opened_while_loading_is_complete_in_the_end);
    tcase_add_test(t, an_overview_in_parts_says_what_all_threads_say);
    tcase_add_test(t, a_cursor_that_nobody_moved_stands_at_the_earliest_event);
    suite_add_tcase(s, t);
    return s;
}
