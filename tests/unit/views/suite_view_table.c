/* suite_view_table.c - keys, filter and search in a view that is a table, over 300 log records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view_table.h"

/* Record i: "message i", "odd" or "even", and "tenth" in 9, 19, 29 ... */
static void start(void) {
    static char text[40000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 300; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "log %d 5/6 \"message %d %s%s\"\n",
                              i * 1000, i, i % 2 ? "odd" : "even", i % 10 == 9 ? " tenth" : "");
    shown_text(text, 100, 30);
    shown_keys("5");
}

static struct table *table(void) {
    return shown.views.current->ops->table(shown.views.current);
}

START_TEST(keys_move_the_current_row) {
    start();
    struct table *t = table();
    int page = t->rows;
    ck_assert_int_gt(page, 5);
    view_table_down(&shown);
    ck_assert_uint_eq(t->at, 1);
    view_table_up(&shown);
    view_table_up(&shown);
    ck_assert_uint_eq(t->at, 0);
    view_table_page_down(&shown);
    ck_assert_uint_le(t->at, (uint32_t)page); /* a row of the page before may stay */
    ck_assert_uint_ge(t->at, (uint32_t)page - 2);
    view_table_page_up(&shown);
    ck_assert_uint_eq(t->at, 0);
    view_table_end(&shown);
    ck_assert_uint_eq(t->at, 299);
    view_table_down(&shown);
    ck_assert_uint_eq(t->at, 299);
    app_draw(&shown);
    ck_assert(shown_has("message 299 odd"));
    view_table_start(&shown);
    ck_assert_uint_eq(t->at, 0);
    shown_close();
}
END_TEST

START_TEST(a_filter_leaves_the_rows_that_match) {
    start();
    view_table_filter(&shown, "odd");
    shown_keys("g");
    ck_assert_str_eq(view_filter(&shown), "odd");
    for (int i = 0; i < 150; i++) {
        struct relation_row row;
        ck_assert(table_current(table(), &row));
        ck_assert_uint_eq(row.row, (uint64_t)i * 2 + 1);
        shown_keys("j");
    }
    ck_assert_uint_eq(table()->at, 149);
    view_table_filter(&shown, "/(/");
    ck_assert(shown.message.is_error);
    ck_assert_str_eq(view_filter(&shown), "odd");
    view_table_filter(&shown, "");
    shown_keys("G");
    ck_assert_uint_eq(table()->at, 299);
    shown_close();
}
END_TEST

/* The rows of each letter are those that Enter leaves; Esc brings back filter and row. */
START_TEST(rows_follow_while_a_filter_is_typed) {
    static const char *const filters[] = {"odd", "!odd", "message=message", "tenth"};
    struct relation_row row;
    start();
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++)
        for (size_t n = 1; n <= strlen(filters[k]); n++) {
            char keys[40];
            snprintf(keys, sizeof keys, "&%.*s", (int)n, filters[k]);
            shown_keys(keys);
            uint32_t typed = table_count(table());
            shown_keys("<Enter>");
            ck_assert_msg(shown.message.is_error || table_count(table()) == typed, "%s", keys);
            shown_keys("&<Enter>");
            ck_assert_uint_eq(table_count(table()), 300);
        }
    shown_keys("&odd<Enter>Gk"); /* record 297 */
    shown_keys("&tenth");
    ck_assert_uint_eq(table_count(table()), 30);
    ck_assert(shown_has("30 of 300 rows"));
    shown_keys("<Esc>");
    ck_assert_uint_eq(table_count(table()), 150);
    ck_assert(table_current(table(), &row));
    ck_assert_uint_eq(row.row, 297);
    shown_close();
}
END_TEST

START_TEST(a_search_goes_to_each_match_and_round) {
    start();
    shown_keys("/tenth<Enter>");
    for (int i = 0; i < 60; i++) { /* each twice */
        struct relation_row row;
        ck_assert(table_current(table(), &row));
        ck_assert_uint_eq(row.row, (uint64_t)(i % 30) * 10 + 9);
        shown_keys("n");
    }
    shown_keys("/<Enter>");
    ck_assert(shown_has("search dropped"));
    shown_keys("/<Enter>"); /* there is none */
    ck_assert(!shown_has("search dropped"));
    shown_close();
}
END_TEST

START_TEST(csv_has_the_rows_as_shown) {
    char *text = NULL;
    size_t size, lines = 0;
    start();
    view_table_filter(&shown, "even");
    shown_keys("j");
    FILE *out = open_memstream(&text, &size);
    ck_assert(view_csv(&shown.views, out));
    ck_assert_int_eq(fclose(out), 0);
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    ck_assert_uint_eq(lines, 151);
    ck_assert_ptr_nonnull(strstr(text, "message 298 even"));
    ck_assert_ptr_null(strstr(text, "odd"));
    free(text);
    shown_close();
}
END_TEST

START_TEST(text_that_does_not_fit_gets_rows_up_to_half) {
    static const char longest[] =
        "a text of many words which is wrapped at the width of the screen, again and again and "
        "again, until it takes "
        "more rows than there are; a text of many words which is wrapped at the width of the "
        "screen, again and again "
        "and again, until it takes more rows than there are; a text of many words which is wrapped "
        "at the width of "
        "the screen, again and again and again, until it takes more rows than there are";
    start();
    struct view_area area = {2, 20};
    int few = view_table_pane_rows(&shown.grid, area, STR("short"));
    int more = view_table_pane_rows(&shown.grid, area, str_of(longest));
    ck_assert_int_ge(more, few);
    ck_assert_int_le(more, 10);
    shown_resize(40, 30);
    ck_assert_int_gt(view_table_pane_rows(&shown.grid, area, str_of(longest)), more);
    ck_assert_int_le(view_table_pane_rows(&shown.grid, area, str_of(longest)), 10);
    ck_assert_int_eq(view_table_text(&shown.grid, 5, 2, str_of(longest), ROLE_TEXT),
                     view_table_text(&shown.grid, 5, 20, str_of(longest), ROLE_TEXT));
    shown_close();
}
END_TEST

/* Rows that come are looked at again only when those from before are in order. */
START_TEST(rows_get_in_order_before_the_next_look) {
    start();
    struct table *t = table();
    int64_t looked = 0, soon = clock_now() + 1000000000;
    table_sort_by(t, 2);
    ck_assert(!t->ready);
    ck_assert(!view_table_look(t, &looked));
    ck_assert_int_gt(looked, 0); /* another pause */
    looked = soon;
    ck_assert(!view_table_look(t, &looked));
    ck_assert(looked == soon); /* a look that is not due is not put off */
    looked = clock_now();
    table_step(t, NULL);
    ck_assert(!view_table_look(t, &looked));
    looked = 0;
    ck_assert(view_table_look(t, &looked));
    ck_assert_int_gt(looked, 0);
    ck_assert(!view_table_look(t, &looked));
    shown_close();
}
END_TEST

START_TEST(a_time_that_is_not_known_has_no_text) {
    struct table_cell cell = {.value = {.integer = 77}};
    start();
    view_table_point(&shown, &cell);
    ck_assert_uint_eq(cell.text.n, 0);
    relation_set_integer(&cell.value, 77);
    view_table_point(&shown, &cell);
    ck_assert_uint_gt(cell.text.n, 0);
    shown_close();
}
END_TEST

START_TEST(other_views_report_that_they_are_no_table) {
    start();
    shown_keys("1");
    view_table_filter(&shown, "x");
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    ck_assert_ptr_null(view_table_prompt(&shown));
    shown_close();
}
END_TEST

/* A left side that nothing in the trace or the table has can never hold: all filters and searches
 * name it. */
START_TEST(what_can_never_hold_is_said) {
    static const struct {
        const char *keys, *said;
    } cases[] = {
        {"/dru>1ms<Enter>", "'dru' is no field and no argument of this trace"},
        {"/arg.dru>1ms<Enter>", "'arg.dru' is no field and no argument of this trace"},
        {"/arg.level=7 arg.duration~x<Enter>",
         "'arg.duration' is no field and no argument of this trace"},
        {"//dru>1ms<Enter>", NULL},
        {"/operator=<Enter>", "no name has 'operator=', and a term has a value: dur>1ms"},
        {":find dru=5<Enter>", "'dru' is no field and no argument of this trace"},
        {":only dru=5<Enter>",
         "'dru' is no field and no argument of this trace; :only shows all again"},
        {":only level=5<Enter>", "showing only 1 event"},
        {":only<Enter>", NULL},
        {"&dru=5<Enter>", "'dru' is no field and no argument of this trace"},
        {"&<Enter>", NULL},
        {"2&dru>1ms<Enter>", "'dru' is no field and no argument of this trace"},
        {"2&<Enter>/dru>1ms<Enter>", "'dru' is no column of this table, so the term is text"},
        {"3&dru>1ms<Enter>", "'dru' is no field and no argument of this trace"},
        {"&<Enter>5&dru>1ms<Enter>", "'dru' is no column of this table, so the term is text"},
    };
    shown_text("magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"a\" end=9 level=u32:5\n"
               "complete 2 1/2 \"c\" \"b\" end=4\nlog 3 1/2 \"text\"\n",
               100, 30);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shown_keys(cases[i].keys);
        if (cases[i].said)
            ck_assert_msg(shown_has(cases[i].said), "%s: no %s", cases[i].keys, cases[i].said);
        else
            ck_assert_msg(!shown_has("is no "), "%s", cases[i].keys);
    }
    shown_close();
}
END_TEST

SUITE(view_table) {
    Suite *s = suite_create("view_table");
    TCase *t = tcase_create("table");
    tcase_add_test(t, keys_move_the_current_row);
    tcase_add_test(t, a_filter_leaves_the_rows_that_match);
    tcase_add_test(t, rows_follow_while_a_filter_is_typed);
    tcase_add_test(t, a_search_goes_to_each_match_and_round);
    tcase_add_test(t, csv_has_the_rows_as_shown);
    tcase_add_test(t, text_that_does_not_fit_gets_rows_up_to_half);
    tcase_add_test(t, rows_get_in_order_before_the_next_look);
    tcase_add_test(t, a_time_that_is_not_known_has_no_text);
    tcase_add_test(t, other_views_report_that_they_are_no_table);
    tcase_add_test(t, what_can_never_hold_is_said);
    suite_add_tcase(s, t);
    return s;
}
