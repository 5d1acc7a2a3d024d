/* suite_keep_state.c - the state of the interface as lines of commands: kept, put back, and the
 * same again; and the sessions that are made of it. */
#include "ui/keep/keep_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/keep/keep_session.h"
#include "ui/keep/track_spec.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

static char *state(void (*write)(struct app *app, struct chars *out)) {
    struct chars text = {0};
    write(&shown, &text);
    chars_add(&text, (struct str){"", 1});
    return text.v;
}

/* All rows of the screen but those that name the file, which is another one each time; each ends in
 * LF. */
static char *screen(void) {
    struct chars text = {0};
    for (int y = 1; y < shown.grid.rows; y++) {
        const char *row = shown_row(y);
        chars_add(&text, strstr(row, "fxtop-loaded") ? STR("") : str_of(row));
        chars_add(&text, STR("\n"));
    }
    chars_add(&text, (struct str){"", 1});
    return text.v;
}

static const char *const keys[] = {
    "j",
    "j",
    "k",
    "J",
    "}",
    "l",
    "l",
    "h",
    "w",
    "w",
    "s",
    "d",
    "a",
    "L",
    "H",
    "e",
    "c",
    "E",
    "C",
    "p",
    "o",
    "zM",
    "zR",
    "x",
    "<Space>",
    "%",
    "r",
    "=",
    "ma",
    "mb",
    "mc",
    "0",
    "7",
    "8",
    "1",
    "<Tab>",
    "<Esc>",
    "u",
    "i",
    "f",
    "T",
    "Z",
    "zt",
    "zz",
    "vLLv",
    ":range 10%..30%<Enter>",
    "&main<Enter>",
    "&!raster<Enter>",
    "&<Enter>",
    ":only dur>1ms<Enter>",
    ":only<Enter>",
    "Ma note<Enter>",
    "Mit's \"quoted\"<Enter>",
    "<Enter>",
    "<BS>",
    "g50%<Enter>",
};

/* Plays, keeps, opens the trace again and puts back. */
static void round_trip_of(const char *fixture, const char *played, int n,
                          void (*write)(struct app *app, struct chars *out)) {
    char first[80] = "";
    shown_fixture(fixture, 120, 40);
    shown_keys(played);
    shown_keys("<C-l>");
    char *kept = state(write), *whole = state(keep_state_write), *before = screen();
    /* on a folded track */
    bool lost = selection_any(&shown.timeline.selection) && !strstr(kept, "place select");
    shown_close();
    shown_fixture(fixture, 120, 40);
    unsigned missed = keep_state_run(&shown, kept, KEEP_ALL, first);
    shown_resize(120, 40); /* lines of the place in a view wait for its rows */
    shown_keys("<C-l>");
    char *again = state(keep_state_write), *after = screen();
    shown_close();
    ck_assert_msg(missed == 0, "%d: %s not found after %s", n, first, played);
    size_t at = 0;
    while (before[at] && before[at] == after[at])
        at++;
    while (at > 0 && before[at - 1] != '\n')
        at--;
    /* by windows before the one that is kept */
    bool folded = lost || strstr(before, " quiet ") || strstr(after, " quiet ");
    ck_assert_msg(folded || strcmp(before, after) == 0, "%d: %s\n%.400s\n%.400s\n%.1500s", n,
                  played, before + at, after + at, kept);
    ck_assert_msg(folded || strcmp(whole, again) == 0, "%d: %s\n%s\n%s", n, played, whole, again);
    free(whole);
    free(kept);
    free(before);
    free(again);
    free(after);
}

static void round_trip(const char *fixture, const char *played, int n) {
    round_trip_of(fixture, played, n, keep_state_write);
    round_trip_of(fixture, played, n, keep_state_write_short);
}

START_TEST(a_state_put_back_is_the_same_screen) {
    struct chance chance = {4711};
    for (int n = 0; n < 150; n++) {
        char played[800];
        size_t at = 0;
        for (unsigned k = 1 + (unsigned)below(&chance, 14); k > 0 && at < sizeof played; k--)
            at += (size_t)snprintf(played + at, sizeof played - at, "%s",
                                   keys[below(&chance, sizeof keys / sizeof *keys)]);
        if (n % 5 == 0 && at < sizeof played) /* of tables only the view is kept */
            at += (size_t)snprintf(played + at, sizeof played - at, "5");
        ck_assert_uint_lt(at, sizeof played);
        round_trip(n % 3 == 0   ? "../screens/chain"
                   : n % 3 == 1 ? "../screens/kinds"
                                : "../screens/hostile",
                   played, n);
    }
}
END_TEST

/* Tabs, orders, filters, current rows, and what was opened. */
START_TEST(the_place_in_a_view_is_kept) {
    static const char *const opened[] = {"2",
                                         "2<Enter>",
                                         "2tt",
                                         "3",
                                         "3W",
                                         "4",
                                         "5",
                                         "B",
                                         ":wakeups<Enter>",
                                         ":compare half<Enter>",
                                         ":objects<Enter>",
                                         "z/",
                                         ":problems<Enter>",
                                         "lB",
                                         "l4",
                                         "v$v2",
                                         "2<Tab>",
                                         ":compare median<Enter>",
                                         "2&dur>1us<Enter>",
                                         "3&dur>1us<Enter>",
                                         "5&a<Enter>",
                                         "2<Tab>&a<Enter>"};
    static const char *const moved[] = {"j", "j", "j", "<Enter>", "<Tab>", "<Tab>", ">", ">",
                                        "I", "r", "i", "c",       "S",     "q2",    "q3"};
    struct chance chance = {1847};
    for (int n = 0; n < 400; n++) {
        char played[800];
        size_t at = (size_t)snprintf(played, sizeof played, "%s",
                                     opened[below(&chance, sizeof opened / sizeof *opened)]);
        for (unsigned k = (unsigned)below(&chance, 9); k > 0 && at < sizeof played; k--)
            at += (size_t)snprintf(played + at, sizeof played - at, "%s",
                                   moved[below(&chance, sizeof moved / sizeof *moved)]);
        ck_assert_uint_lt(at, sizeof played);
        round_trip(n % 3 == 0   ? "../screens/chain"
                   : n % 3 == 1 ? "../screens/kinds"
                                : "../screens/hostile",
                   played, n);
    }
}
END_TEST

/* Events outside of the range of a part are only shown again if they were. */
START_TEST(the_whole_of_a_part_is_kept) {
    round_trip("../screens/part", _i ? "0" : "", _i);
}
END_TEST

START_TEST(a_track_is_found_by_its_text) {
    static const char *const fixtures[] = {"../screens/kinds", "../screens/hostile",
                                           "../screens/chain"};
    for (size_t f = 0; f < sizeof fixtures / sizeof *fixtures; f++) {
        shown_fixture(fixtures[f], 120, 40);
        for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++) {
            const struct track *t = &shown.timeline.tracks.tracks.v[i];
            struct chars text = {0}, back = {0};
            struct track found;
            if (!track_spec_write(shown.trace, t->kind, t->of, t->process, &text))
                continue;
            for (size_t k = 0; k < text.n; k++)
                MUST(text.v[k] >= 0x20 && text.v[k] < 0x7f, (int)i);
            chars_add(&text, (struct str){"", 1});
            MUST(track_spec_find(shown.trace, text.v, &found) && found.kind == t->kind, (int)i);
            MUST(track_spec_write(shown.trace, found.kind, found.of, found.process, &back), (int)i);
            MUST(back.n == text.n - 1 && memcmp(back.v, text.v, back.n) == 0, (int)i);
            vec_free(&text);
            vec_free(&back);
        }
        shown_close();
    }
}
END_TEST

/* A window in a span that is wider than the first one. */
START_TEST(a_window_is_kept_with_its_limits) {
    char first[80] = "";
    shown_fixture("damaged_times", 120, 30);
    for (enum shown limits = SHOWN_WINDOW; limits <= SHOWN_ALL; limits++) {
        move_show_whole(&shown, limits);
        shown_keys("www");
        struct window w = shown.timeline.window;
        char *kept = state(keep_state_write_short);
        shown_keys("0");
        ck_assert_uint_eq(keep_state_run(&shown, kept, KEEP_ALL, first), 0);
        ck_assert_int_eq(shown.timeline.window.from, w.from);
        ck_assert_int_eq(shown.timeline.window.width, w.width);
        free(kept);
    }
    shown_close();
}
END_TEST

START_TEST(lines_that_are_no_part_of_a_state_are_refused) {
    static const char lines[] =
        "# a comment\n\nquit-now\nw! /tmp/never\nsession /tmp/never\nplace\nplace fold process 77\n"
        "place line 1 2 thread 9/9\nplace cursor x\nplace window 2ms..1ms\nplace rows 3\n"
        "place times never\nplace select 99s\nmark\nrange x\nplace order name";
    char first[80] = "";
    shown_fixture("../screens/kinds", 120, 40);
    unsigned missed = keep_state_run(&shown, lines, KEEP_ALL, first);
    ck_assert_uint_eq(missed, 13);
    ck_assert_str_eq(first, "quit-now");
    ck_assert_int_eq(shown.requests.quit, QUIT_NO);
    ck_assert_int_eq(shown.timeline.tracks.order, ORDER_BY_NAME);
    shown_close();
}
END_TEST

START_TEST(another_content_takes_order_and_folds_alone) {
    static const char lines[] =
        "place order name\nrange 1ms..2ms\nmark a 1ms\nfilter main\nplace cursor 3ms\nlog\n";
    char first[80] = "";
    shown_fixture("../screens/kinds", 120, 40);
    int64_t cursor = shown.timeline.cursor;
    ck_assert_uint_eq(keep_state_run(&shown, lines, KEEP_ORDER, first), 0);
    ck_assert(shown.timeline.tracks.order == ORDER_BY_NAME && !range_any(session_range(&shown)));
    ck_assert(shown.timeline.filter == NULL && !shown.marks.v[0].any &&
              shown.timeline.cursor == cursor);
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

START_TEST(a_session_written_to_a_file_is_taken_up_from_it) {
    char path[SCRATCH_PATH], typed[SCRATCH_PATH + 64];
    struct err err;
    ck_assert(scratch_write(path, "session", "", 0));
    shown_fixture("../screens/kinds", 120, 40);
    snprintf(typed, sizeof typed, ":range 1ms..2ms<Enter>:session %s<Enter>", path);
    shown_keys(typed);
    ck_assert(shown_has("another kind")); /* it is empty, and may be of another program */
    ck_assert_int_eq(remove(path), 0);
    shown_keys(typed);
    ck_assert(shown_has("session written"));
    shown_keys(typed); /* over a session */
    ck_assert(shown_has("session written"));
    shown_close();
    shown_fixture("../screens/kinds", 120, 40);
    ck_assert(keep_session_from(&shown, path, &err));
    keep_session_apply(&shown);
    ck_assert(session_range(&shown)->timed);
    ck_assert(!keep_session_from(&shown, "/no/such/file", &err));
    shown_close();
    remove(path);
}
END_TEST

SUITE(keep_state) {
    Suite *s = suite_create("keep_state");
    TCase *t = tcase_create("keep_state");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_state_put_back_is_the_same_screen);
    tcase_add_test(t, the_place_in_a_view_is_kept);
    tcase_add_test(t, a_window_is_kept_with_its_limits);
    tcase_add_loop_test(t, the_whole_of_a_part_is_kept, 0, 2);
    tcase_add_test(t, a_track_is_found_by_its_text);
    tcase_add_test(t, lines_that_are_no_part_of_a_state_are_refused);
    tcase_add_test(t, another_content_takes_order_and_folds_alone);
    tcase_add_test(t, a_session_written_to_a_file_is_taken_up_from_it);
    suite_add_tcase(s, t);
    return s;
}
