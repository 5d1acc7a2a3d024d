/* suite_find.c - searching visits each hit once and in order, and moves nothing if there is
 * none. */
#include <stdio.h>
#include <string.h>

#include "model/trace/trace_problems.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"

/* Three calls of "work" on two threads, and others between them. */
static const char calls[] = "magic\n"
                            "init 1000000000\n"
                            "complete 1000 5/6 \"c\" \"work\" end=2000\n"
                            "complete 2500 5/7 \"c\" \"rest\" end=2600\n"
                            "complete 3000 5/7 \"c\" \"work\" end=4000\n"
                            "complete 5000 5/6 \"c\" \"rest\" end=5500\n"
                            "complete 6000 5/6 \"c\" \"work\" end=9000\n";

struct place {
    struct window window;
    int64_t cursor;
    uint64_t line, offset;
};

static struct place place(void) {
    const struct timeline *t = &shown.timeline;
    return (struct place){t->window, t->cursor, t->line, t->selection.offset};
}

static void is_at(const struct place *before) {
    struct place now = place();
    ck_assert(window_eq(&now.window, &before->window));
    ck_assert_int_eq(now.cursor, before->cursor);
    ck_assert_uint_eq(now.line, before->line);
    ck_assert_uint_eq(now.offset, before->offset);
}

/* The offsets of the next n hits, by find_next() or another step. */
static void hits(void (*step)(struct app *), size_t n, uint64_t *offsets) {
    for (size_t i = 0; i < n; i++) {
        step(&shown);
        offsets[i] = shown.timeline.selection.offset;
    }
}

START_TEST(every_hit_once_and_then_from_the_start) {
    uint64_t there[6], back[6];
    shown_text(calls, 100, 30);
    find_name(&shown, "work");
    uint64_t first = shown.timeline.selection.offset;
    hits(find_next, 6, there);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(there[i], there[i + 3]);
        ck_assert_uint_ne(there[i], there[(i + 1) % 3]);
    }
    ck_assert_uint_eq(there[2], first);
    hits(find_previous, 6, back);
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(back[i], there[4 - i]);
    shown_close();
}
END_TEST

START_TEST(without_a_hit_nothing_moves) {
    shown_text(calls, 100, 30);
    shown_select("rest", 1);
    struct place before = place();
    find_name(&shown, "no such name");
    ck_assert(shown.message.is_error);
    ck_assert_ptr_nonnull(strstr(shown.message.text, "no such name"));
    is_at(&before);
    find_name(&shown, "//(/");
    ck_assert(shown.message.is_error);
    is_at(&before);
    find_time(&shown, "never");
    ck_assert(shown.message.is_error);
    is_at(&before);
    find_time(&shown, "");
    is_at(&before);
    find_problem(&shown); /* there is none */
    is_at(&before);
    shown_close();
}
END_TEST

START_TEST(the_same_name_is_the_whole_name) {
    static const char names[] = "magic\n"
                                "init 1000000000\n"
                                "complete 1000 5/6 \"c\" \"work\" end=2000\n"
                                "complete 3000 5/6 \"c\" \"workshop\" end=4000\n"
                                "complete 6000 5/6 \"c\" \"work\" end=9000\n";
    shown_text(names, 100, 30);
    shown_select("work", 0);
    find_same_next(&shown);
    ck_assert_str_eq(shown_selected(), "work");
    ck_assert_int_eq(shown.timeline.selection.time - trace_origin(shown.trace), 5000);
    find_same_next(&shown); /* wrapped: not the workshop */
    ck_assert_int_eq(shown.timeline.selection.time, trace_origin(shown.trace));
    find_same_previous(&shown);
    ck_assert_int_eq(shown.timeline.selection.time - trace_origin(shown.trace), 5000);
    shown_close();
}
END_TEST

START_TEST(a_time_as_typed_is_under_the_cursor) {
    static const struct {
        const char *text;
        int64_t at;
    } times[] = {{"2us", 2000},  {"50%", 4000}, {"+1us", 5000},
                 {"-3us", 2000}, {"0%", 0},     {"100%", 8000}};
    shown_text(calls, 100, 30);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        find_time(&shown, times[i].text);
        ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), times[i].at);
    }
    shown_close();
}
END_TEST

START_TEST(problems_are_visited_one_by_one_and_again) {
    static const char stray[] = "magic\n"
                                "init 1000000000\n"
                                "complete 0 5/6 \"c\" \"work\" end=9000\n"
                                "end 1000 5/7 \"c\" \"stray\"\n"
                                "end 2000 5/7 \"c\" \"stray\"\n";
    shown_text(stray, 100, 30);
    uint64_t tags[4];
    int64_t times[4];
    ck_assert_uint_eq(trace_problem_count(shown.trace, false), 2);
    for (int i = 0; i < 4; i++) {
        find_problem(&shown);
        tags[i] = shown.find.problem_tag;
        times[i] = shown.timeline.cursor;
    }
    ck_assert_uint_ne(tags[0], tags[1]);
    ck_assert_uint_eq(tags[0], tags[2]);
    ck_assert_uint_eq(tags[1], tags[3]);
    ck_assert_int_eq(times[1] - times[0], 1000);
    shown_close();
}
END_TEST

/* The search that was counted while it was typed is the one that Enter takes; Esc brings back the
 * one before. */
START_TEST(hits_counted_while_typing_stay) {
    shown_text(calls, 100, 30);
    find_name(&shown, "rest");
    const struct search *rest = shown.find.search;
    find_typed(&shown, "work");
    find_cancelled(&shown);
    ck_assert_ptr_eq(shown.find.search, rest);
    find_typed(&shown, "wor");
    find_typed(&shown, "work");
    const struct search *typed = shown.find.search;
    ck_assert(search_count(shown.find.search, NULL, &shown.find.hits));
    shown.find.hits_known = true;
    find_name(&shown, "work");
    ck_assert_ptr_eq(shown.find.search, typed);
    ck_assert(shown.find.hits_known && !shown.find.typing && shown.find.kept == NULL);
    ck_assert_uint_eq(shown.find.hits, 3);
    ck_assert_str_eq(shown_selected(), "work");
    shown_close();
}
END_TEST

START_TEST(a_range_as_a_time_becomes_the_window) {
    static const struct {
        const char *text;
        int64_t from, width;
    } cases[] = {
        {"2us..4us", 2000, 2000}, {"4us..+1us", 4000, 1000}, {"-3us..", 5000, 3000},
        {"..1us", 0, 1000},       {"3us..end", 3000, 5000},
    };
    shown_text(calls, 100, 30);
    const struct window *w = &shown.timeline.window;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        find_time(&shown, cases[i].text);
        ck_assert_int_eq(w->from - trace_begin(shown.trace), cases[i].from);
        ck_assert_int_eq(w->width, cases[i].width);
        ck_assert(shown.timeline.cursor >= w->from && shown.timeline.cursor < w->from + w->width);
    }
    struct place before = place();
    shown_keys("g4us..2us<Enter>");
    is_at(&before);
    ck_assert(shown_has("is empty"));
    shown_close();
}
END_TEST

START_TEST(a_window_is_so_long_around_the_cursor) {
    shown_text(calls, 100, 30);
    const struct window *w = &shown.timeline.window;
    find_time(&shown, "4us");
    find_window(&shown, "1us");
    ck_assert_int_eq(w->width, 1000);
    ck_assert_int_eq(shown.timeline.cursor - w->from, 500);
    find_window(&shown, "9000000s");
    ck_assert_int_eq(w->from, w->lo);
    struct place before = place();
    static const char *const bad[] = {"x", "20", "-1us", "0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char keys[64];
        snprintf(keys, sizeof keys, ":window %s<Enter>", bad[i]);
        shown_keys(keys);
        is_at(&before);
        ck_assert(shown_has("no duration and no range"));
    }
    shown_close();
}
END_TEST

SUITE(find) {
    Suite *s = suite_create("find");
    TCase *t = tcase_create("find");
    tcase_add_test(t, every_hit_once_and_then_from_the_start);
    tcase_add_test(t, a_range_as_a_time_becomes_the_window);
    tcase_add_test(t, a_window_is_so_long_around_the_cursor);

    tcase_add_test(t, without_a_hit_nothing_moves);
    tcase_add_test(t, the_same_name_is_the_whole_name);
    tcase_add_test(t, a_time_as_typed_is_under_the_cursor);
    tcase_add_test(t, hits_counted_while_typing_stay);
    tcase_add_test(t, problems_are_visited_one_by_one_and_again);
    suite_add_tcase(s, t);
    return s;
}
