/* suite_view_place.c - the place in a view as lines: names that cannot be mistaken, and lines that
 * name nothing here. */
#include "ui/views/view_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view_table.h"

static bool is_written(struct str name, const struct chars *text) {
    return view_place_is_name(name, text->v, text->n);
}

/* Two names have the same text only if they are the same, and no text has a byte that ends a line
 * or a path. */
START_TEST(a_text_is_of_one_name) {
    struct chance chance = {8191};
    static const char bytes[] = "aA/\\ \n\x01\xc3\xa9<x2f";
    for (int n = 0; n < 4000; n++) {
        char a[8], b[8];
        struct str x = {a, (size_t)below(&chance, 5)}, y = {b, (size_t)below(&chance, 5)};
        struct chars text = {0};
        for (size_t i = 0; i < sizeof a; i++) {
            a[i] = bytes[below(&chance, sizeof bytes - 1)];
            b[i] = bytes[below(&chance, sizeof bytes - 1)];
        }
        chars_add(&text, STR(""));
        view_place_name(&text, x);
        MUST(is_written(x, &text), n);
        MUST(is_written(y, &text) == str_eq(x, y), n);
        for (size_t i = 0; i < text.n; i++)
            MUST(text.v[i] >= 0x20 && text.v[i] < 0x7f && text.v[i] != '/', n);
        vec_free(&text);
    }
}
END_TEST

START_TEST(lines_without_a_place_are_named) {
    static const char *const lines[] = {"row 99999",
                                        "row x",
                                        "sort never",
                                        "rows \"x",
                                        "tab 9",
                                        "open never",
                                        "pivot",
                                        "never",
                                        "",
                                        "row -1",
                                        "row 18446744073709551616",
                                        "tab -1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char refused[80];
        shown_fixture("../screens/chain", 120, 40);
        shown_keys("2");
        view_place_put(&shown, lines[i]);
        view_place_put(&shown, "row 1"); /* the next one is put back all the same */
        shown_resize(120, 40);
        snprintf(refused, sizeof refused, "not here now:%s%s", *lines[i] ? " " : "", lines[i]);
        ck_assert_msg(shown_has(refused), "%s: %s", lines[i], shown_row(38));
        ck_assert_uint_eq(shown.views.later.n, 0);
        shown_close();
    }
}
END_TEST

#define LONG_NAME "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define ROW(thread, name, end) "complete 5 " thread " \"c\" \"" name "\" end=" end "\n"

/* The rows of the screen below the name of the file, for free(). */
static char *screen(void) {
    struct chars text = {0};
    for (int y = 1; y < 40; y++)
        chars_add(&text, str_of(shown_row(y)));
    chars_add(&text, (struct str){"", 1});
    return text.v;
}

/* Opens a row of view 2, writes its place, and puts that back in another run. */
static void open_again(const char *trace, const char *keys, int row) {
    struct chars out = {0};
    shown_text(trace, 120, 40);
    shown_keys(keys);
    for (int k = 0; k < row; k++)
        shown_keys("j");
    shown_keys("<Enter>");
    view_place_write(&shown, &out);
    chars_add(&out, (struct str){"", 1});
    char *opened = screen(), *lines = out.v;
    shown_close();
    shown_text(trace, 120, 40);
    shown_keys("2");
    for (char *line; (line = strsep(&lines, "\n")) != NULL;)
        if (strncmp(line, "place in ", 9) == 0)
            view_place_put(&shown, line + 9);
    shown_resize(120, 40);
    char *again = screen();
    ck_assert_msg(strcmp(opened, again) == 0, "%s %d:\n%s\n%s", keys, row, opened, again);
    free(opened);
    free(again);
    vec_free(&out);
    shown_close();
}

/* The row whose slices are shown is found again by its whole name, whatever is in it; of threads
 * that are called alike, the same. */
START_TEST(an_opened_row_is_found_again) {
    static const char trace[] =
        "magic\ninit 1000000000\n" ROW("1/2", "a", "15") ROW("2/2", "a\\x00b", "26")
            ROW("3/2", "a\\x00c", "37") ROW("4/2", LONG_NAME LONG_NAME LONG_NAME "1", "48")
                ROW("5/2", LONG_NAME LONG_NAME LONG_NAME "2", "59");
    for (int row = 0; row < 5; row++) {
        open_again(trace, "2", row);
        open_again(trace, "2tt", row);
    }
}
END_TEST

/* The search of a table, for n and N, is written, and put back without moving the current row. */
START_TEST(a_search_in_a_table_is_kept) {
    struct chars out = {0};
    shown_fixture("../screens/chain", 120, 40);
    shown_keys("2/name~a<Enter>");
    view_place_write(&shown, &out);
    chars_add(&out, (struct str){"", 1});
    ck_assert_msg(strstr(out.v, "place in find name~a\n") != NULL, "%s", out.v);
    vec_free(&out);
    shown_close();
    shown_fixture("../screens/chain", 120, 40);
    shown_keys("2");
    view_place_put(&shown, "find name~a");
    shown_resize(120, 40);
    const struct table *t = shown.views.current->ops->table(shown.views.current);
    ck_assert_ptr_nonnull(t->search);
    ck_assert_str_eq(filter_text(t->search), "name~a");
    ck_assert_uint_eq(t->at, 0);
    shown_close();
}
END_TEST

/* A key of the user, or another view, drops what still waits. */
START_TEST(lines_that_wait_are_dropped_by_a_key) {
    shown_fixture("../screens/chain", 120, 40);
    shown_keys("2");
    view_place_put(&shown, "tab 2");
    shown_keys("j");
    ck_assert(!shown_has("CPUs 6"));
    view_place_put(&shown, "tab 2");
    view_open(&shown, &view_log);
    shown_resize(120, 40);
    ck_assert_ptr_eq(shown.views.current->ops, &view_log);
    ck_assert(!shown_has("not here now"));
    view_place_put(&shown, "sort message up");
    view_place_put(&shown, "row 1");
    view_place_forget(&shown);
    shown_resize(120, 40);
    ck_assert(!shown_has("not here now"));
    shown_close();
}
END_TEST

SUITE(view_place) {
    Suite *s = suite_create("view_place");
    TCase *t = tcase_create("view_place");
    tcase_add_test(t, a_text_is_of_one_name);
    tcase_add_test(t, lines_without_a_place_are_named);
    tcase_add_test(t, an_opened_row_is_found_again);
    tcase_add_test(t, a_search_in_a_table_is_kept);
    tcase_add_test(t, lines_that_wait_are_dropped_by_a_key);
    suite_add_tcase(s, t);
    return s;
}
