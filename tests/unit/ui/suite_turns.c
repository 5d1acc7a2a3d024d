/* suite_turns.c - views while a trace is read or grows: turns of reading and of background work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/ui/live.h"
#include "ui/app.h"
#include "ui/jobs.h"
#include "ui/screen/style.h"
#include "ui/turns.h"
#include "ui/views/view.h"

static struct app app;
static struct trace *trace;

/* A bit of everything for each us from `from` to `to`; names come, and their order by time
 * changes. */
static void events(const char *how, int from, int to) {
    static char text[1000000];
    char *at = text, *end = text + sizeof text;
#define ADD(...) (at += snprintf(at, (size_t)(end - at), __VA_ARGS__))
    if (from == 0)
        ADD("magic\ninit 1000000000\nkernel_object 2 8 \"main\" process=koid:7\nkernel_object 2 9 "
            "\"io\" "
            "process=koid:7\nkernel_object 1 7 \"app\"\nthread 1 7 8\nthread 2 7 9\nthread 3 7 "
            "10\n");
    for (int i = from; i < to; i++) {
        int t = 1000 + i * 1000;
        ADD("switch %d 0 %d 3 %d\n", t, i % 2 ? 8 : 9, i % 2 ? 9 : 8);
        ADD("wakeup %d 0 %d waker=koid:%d\n", t + 500, i % 2 ? 8 : 9, i % 2 ? 9 : 8);
        ADD("complete %d t1 \"c\" \"outer %d\" end=%d n=i32:%d\n", t, i % 7, t + 900, i % 3);
        ADD("complete %d t1 \"d\" \"inner %d\" end=%d\n", t + 100, i / 5 % 9,
            t + 200 + i * 37 % 600);
        ADD("complete %d t%d \"c\" \"call %d\" end=%d\n", t + 50, 2 + i % 2, i / 11,
            t + 60 + i * 7);
        ADD("flow_begin %d t1 \"c\" \"flow %d\" id=%d\nflow_end %d t%d \"c\" \"flow %d\" id=%d\n",
            t + 120, i % 3, i, t + 300, 2 + i % 2, i % 3, i);
        ADD("counter %d t1 \"c\" \"count\" id=%d x=u32:%d\n", t + 130, i % 2, i);
        ADD("async_begin %d t1 \"c\" \"load %d\" id=%d\nasync_end %d t1 \"c\" \"load %d\" id=%d\n",
            t, i % 4, i, t + 5 * i, i % 4, i);
        ADD("log %d t1 \"message %d of %c\"\n", t + 140, i, 'a' + i % 3);
    }
#undef ADD
    ck_assert(at < end);
    live_put(how, text);
}

static void work(struct app *of) {
    for (int i = 0; app_idle(of); i++)
        MUST(i < 100000);
    app_draw(of);
}

static void keys_of(struct app *of, const char *text) {
    struct key key;
    while (key_parse(&text, &key)) {
        app_key(of, &key);
        work(of);
    }
    ck_assert_msg(*text == 0, "no such key: %s", text);
}

static void open_grown(int events_first) {
    struct err err;
    ck_assert(scratch_write(live_path, "turns", "", 0));
    events("wb", 0, events_first);
    trace = trace_open(live_path, &(struct trace_options){.follow = true}, &err);
    ck_assert_ptr_nonnull(trace);
    style_init(COLOR_MONO); /* gaps between equal colours are characters */
    app_init(&app, trace, 120, 40, true);
}

static void read_on(void) {
    for (int i = 0; i < 100; i++)
        if (trace_step(trace, 1 << 20) == TRACE_WAITING && !trace_unflushed(trace))
            break;
    app_update(&app);
}

static void stop(void) {
    app_free(&app);
    trace_free(trace);
    unlink(live_path);
}

static bool shows(struct app *of, const char *text) {
    char row[512];
    for (int y = 0; y < of->grid.rows; y++) {
        for (int x = 0; x < of->grid.cols; x++) {
            uint32_t c = grid_at(&of->grid, x, y)->cp[0];
            row[x] = c >= ' ' && c <= '~' ? (char)c : '?';
        }
        row[of->grid.cols] = 0;
        if (strstr(row, text))
            return true;
    }
    return false;
}

/* ---- tables and pictures ---- */

static const char *const views[] = {
    "2",
    "2t",
    "2ttt",
    "2tttt",
    "2:pivot n<Enter>",
    "2/\"outer 3\"<Enter><Enter>",
    "2&dur<gt>300ns<Enter>",
    "2<Tab>",
    "2<Tab><Tab>",
    "2<Tab><Tab><Tab>",
    "2<Tab><Tab><Tab><Tab>",
    "2<Tab><Tab><Tab><Tab><Tab>",
    "2<Tab><Tab><Tab><Tab><Tab><Tab>",
    "2<Tab><Tab><Tab><Tab><Tab><Tab><Tab>",
    "2/\"outer 3\"<Enter>r",
    "3",
    "3i",
    "3r",
    "3W",
    "/outer 3<Enter>4",
    ":compare half<Enter>",
    ":wakeups<Enter>",
    ":wakeups<Enter><Tab>",
    ":wakeups<Enter><Tab><Tab>",
    "/outer 3<Enter>B",
    "/outer 3<Enter>BB",
    "5",
    "6",
};
enum { VIEWS = sizeof views / sizeof *views };

/* The table; of views without one, the rows of the screen below the heading. */
static char *shown_by(struct app *of) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (view_has_csv(&of->views))
        ck_assert(view_csv(&of->views, out));
    for (int y = 5; y < of->grid.rows && !view_has_csv(&of->views); y++)
        for (int x = 0; x < of->grid.cols; x++)
            fputc((int)grid_at(&of->grid, x, y)->cp[0] & 127, out);
    fclose(out);
    return text;
}

/* The same keys after all of the file was read at once. */
static void compare_with_a_whole_one(const char *keys) {
    struct err err;
    struct app other;
    struct trace *whole = trace_open(live_path, &(struct trace_options){0}, &err);
    ck_assert_ptr_nonnull(whole);
    trace_load(whole);
    app_init(&other, whole, 120, 40, true);
    keys_of(&other, keys);
    work(&other);
    char *a = shown_by(&app), *b = shown_by(&other);
    size_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    ck_assert_msg(a[same] == b[same], "%s: it grew: ...%.300s\nat once: ...%.300s", keys,
                  a + (same > 80 ? same - 80 : 0), b + (same > 80 ? same - 80 : 0));
    free(a);
    free(b);
    app_free(&other);
    trace_free(whole);
}

START_TEST(a_growing_trace_is_shown_as_far_as_it_was_read) {
    const char *keys = views[_i];
    open_grown(40);
    read_on();
    keys_of(&app, keys);
    work(&app);
    bool names_range = strcmp(keys, "5") != 0;
    for (int i = 40; i < 200; i += 37) {
        events("ab", i, i + 37);
        read_on();
        work(&app);
        ck_assert_msg(!names_range || shows(&app, "trace so far"), "%s", keys);
        compare_with_a_whole_one(keys);
    }
    stop();
}
END_TEST

START_TEST(a_view_does_not_wait_for_the_end_of_loading) {
    struct err err;
    const char *keys = views[_i];
    ck_assert(scratch_write(live_path, "turns", "", 0));
    events("wb", 0, 400);
    trace = trace_open(live_path, &(struct trace_options){0}, &err);
    ck_assert_ptr_nonnull(trace);
    style_init(COLOR_MONO); /* gaps between equal colours are characters */
    app_init(&app, trace, 120, 40, true);
    for (int i = 0; i < 4; i++)
        trace_step(trace, 8192);
    ck_assert_int_eq(trace_state(trace), TRACE_LOADING);
    app_update(&app);
    keys_of(&app, keys);
    work(&app);
    char *some = shown_by(&app);
    char *rows = strchr(some, '\n'); /* of a table: after its heading */
    ck_assert_msg(view_has_csv(&app.views) ? strlen(rows) > 5 : shows(&app, " of all"),
                  "%s: %.300s", keys, some);
    free(some);
    while (trace_step(trace, 8192) == TRACE_LOADING) {
        app_update(&app);
        work(&app);
    }
    app_update(&app);
    work(&app);
    ck_assert(!shows(&app, "trace so far"));
    compare_with_a_whole_one(keys);
    stop();
}
END_TEST

static const char *current_cell(int column, char buf[400]) {
    struct table *t = app.views.current->ops->table(app.views.current);
    struct relation_row row;
    struct relation_value value;
    ck_assert(table_current(t, &row));
    relation_get(t->source->relation, t->ctx, row, column, &value);
    if (value.type == RELATION_TEXT)
        snprintf(buf, 400, "%.*s", (int)value.text.n, value.text.s);
    else
        snprintf(buf, 400, "%lld", (long long)value.integer);
    return buf;
}

/* Whatever frame is drawn while it grows has the row, and no fewer rows than before. */
START_TEST(the_current_row_stays_and_nothing_blinks) {
    static const struct {
        const char *keys;
        int column;
    } tables[] = {{"2/\"call 2\"<Enter>", 0},
                  {"2t/\"call 2 \"<Enter>", 0},
                  {"2<gt><gt>/\"inner 1\"<Enter>", 0},
                  {"2:pivot n<Enter>jj", 0},
                  {"2/\"outer 3\"<Enter><Enter>jj", 0},
                  {"2<Tab>jjj", 1},
                  {"2<Tab><Tab>j", 0},
                  {"2<Tab><Tab><Tab><Tab>j", 0},
                  {"2<Tab><Tab><Tab><Tab><Tab>j", 0},
                  {"2<Tab><Tab><Tab><Tab><Tab><Tab>jjj", 0},
                  {"2<Tab><Tab><Tab><Tab><Tab><Tab><Tab>jj", 4},
                  {":compare half<Enter><Tab>jj", 0},
                  {":wakeups<Enter><Tab><Tab>j", 0},
                  {"/outer 3<Enter>BB<gt>jjj", 0}};
    char before[400], now[400];
    int moves = 0;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        open_grown(60);
        read_on();
        keys_of(&app, tables[k].keys);
        work(&app);
        current_cell(tables[k].column, before);
        struct table *t = app.views.current->ops->table(app.views.current);
        int sort = t->sort;
        for (int i = 60; i < 240; i += 30) {
            uint32_t rows = table_count(t), at = t->at;
            events("ab", i, i + 15);
            read_on();
            events("ab", i + 15, i + 30); /* it grows before anything was counted again */
            read_on();
            for (bool more = true, first = true; more; first = false) {
                more = first || jobs_step(&app, TASK_OF(300));
                if (!app.dirty)
                    continue;
                app_draw(&app);
                ck_assert_msg(table_count(t) + 2 >= rows, "%s: %u rows, then %u", tables[k].keys,
                              rows, table_count(t));
                ck_assert_msg(strcmp(current_cell(tables[k].column, now), before) == 0,
                              "%s: '%s', then '%s'", tables[k].keys, before, now);
                ck_assert_uint_ge(t->at + 1, t->top); /* it is on the screen */
            }
            moves += t->at != at;
        }
        ck_assert_int_eq(t->sort, sort);
        stop();
    }
    ck_assert_int_gt(moves, 10); /* else the test would show nothing */
}
END_TEST

START_TEST(frames_stay_while_it_grows) {
    open_grown(60);
    read_on();
    keys_of(&app, "3jjl<Enter>");
    work(&app);
    bool crumb = shows(&app, "all > outer");
    ck_assert(crumb);
    for (int i = 60; i < 240; i += 30) {
        events("ab", i, i + 30);
        read_on();
        for (bool more = true; more;) {
            more = jobs_step(&app, TASK_OF(300));
            if (app.dirty)
                app_draw(&app);
            ck_assert(shows(&app, "all > outer"));
        }
    }
    stop();
}
END_TEST

/* ---- turns ---- */

#define MS INT64_C(1000000)

START_TEST(what_was_asked_is_finished_before_more_is_read) {
    int64_t now = 1000 * MS;
    open_grown(10);
    read_on();
    ck_assert(turns_working(&app, now)); /* nothing was asked of this version */
    for (int i = 0; i < 50; i++) {
        turns_worked(&app, true, now += 10 * MS);
        ck_assert(turns_working(&app, now)); /* it goes on */
    }
    turns_worked(&app, false, now);
    ck_assert(!turns_working(&app, now) && turns_wait(&app, now) == -1); /* nothing is newer */
    events("ab", 10, 20);
    read_on();
    ck_assert(!turns_working(&app, now));
    ck_assert_int_eq(turns_wait(&app, now), 3 * 500 + 1);
    ck_assert(!turns_working(&app, now + (3 * 500 - 1) * MS) &&
              turns_working(&app, now + 3 * 500 * MS));
    stop();
}
END_TEST

START_TEST(a_key_has_its_turn_sooner) {
    int64_t now = 1000 * MS;
    open_grown(10);
    read_on();
    ck_assert(turns_working(&app, now));
    turns_worked(&app, false, now += 100 * MS);
    turns_key(&app);
    /* keys that follow each other do not stop reading */
    ck_assert(!turns_working(&app, now + 99 * MS));
    ck_assert(turns_working(&app, now + 100 * MS));
    /* work without an end does not either */
    turns_worked(&app, true, now + 100 * MS + TURNS_MOST_NS);
    ck_assert(!turns_working(&app, now + 100 * MS + TURNS_MOST_NS));
    stop();
}
END_TEST

START_TEST(an_empty_timeline_says_why_while_the_trace_grows) {
    open_grown(0);
    read_on();
    live_put("ab", "instant 5 1/2 \"c\" \"i\"\n");
    read_on();
    keys_of(&app, "8");
    ck_assert(shows(&app, "no such tracks so far: 1 shows the timeline"));
    keys_of(&app, "1&nothing<Enter>");
    ck_assert(shows(&app, "no track matches the filter: & and Enter show all"));
    stop();
}
END_TEST

START_TEST(a_whole_trace_needs_no_turns) {
    struct err err;
    open_grown(10);
    ck_assert(trace_follow(trace, false, &err));
    while (trace_step(trace, 1 << 20) != TRACE_COMPLETE)
        ;
    app_update(&app);
    turns_key(&app);
    ck_assert(!turns_working(&app, 1000 * MS) && turns_wait(&app, 1000 * MS) == -1);
    stop();
}
END_TEST

SUITE(turns) {
    Suite *s = suite_create("turns");
    TCase *t = tcase_create("turns");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_growing_trace_is_shown_as_far_as_it_was_read, 0, VIEWS);
    tcase_add_loop_test(t, a_view_does_not_wait_for_the_end_of_loading, 0, VIEWS);
    tcase_add_test(t, the_current_row_stays_and_nothing_blinks);
    tcase_add_test(t, frames_stay_while_it_grows);
    tcase_add_test(t, what_was_asked_is_finished_before_more_is_read);
    tcase_add_test(t, a_key_has_its_turn_sooner);
    tcase_add_test(t, an_empty_timeline_says_why_while_the_trace_grows);
    tcase_add_test(t, a_whole_trace_needs_no_turns);
    suite_add_tcase(s, t);
    return s;
}
