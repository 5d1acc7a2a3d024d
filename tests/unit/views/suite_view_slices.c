/* suite_view_slices.c - view 2 by keys: rows and their numbers, instances, filters, pivots, and
 * growing traces. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view.h"

static const char calls[] = "magic\ninit 1000000000\n"
                            "kernel_object 2 7 \"alpha\" process=koid:5\n"
                            "complete 1000 5/6 \"c\" \"work\" end=2000 n=i32:3\n"
                            "complete 3000 5/7 \"d\" \"work\" end=9000 n=i32:4\n"
                            "complete 5000 5/6 \"c\" \"re\\\"st \\\\\" end=5500\n"
                            "complete 6000 5/6 \"c\" \"work\" end=9000 n=i32:3\n"
                            "complete 7000 5/6 \"c\" \"inner\" end=8000\n";

static const char *row_of(const char *name) {
    int y = shown_find(name);
    ck_assert_int_ge(y, 0);
    return shown_row(y);
}

static void expect(const char *row, const char *const *texts) {
    for (; *texts; texts++)
        ck_assert_msg(strstr(row, *texts) != NULL, "no %s in: %s", *texts, row);
}

START_TEST(a_row_has_the_numbers_of_its_name) {
    shown_text(calls, 160, 30);
    shown_keys("2");
    expect(row_of(">work"), (const char *const[]){" 3 ", "10.00 us", "9.000 us", "1.000 us",
                                                  "3.000 us", "6.000 us", NULL});
    expect(row_of(" inner"), (const char *const[]){" 1 ", "1.000 us", NULL});
    ck_assert(shown_has("5 slices"));
    shown_close();
}
END_TEST

START_TEST(enter_lists_the_longest_first_and_goes_there) {
    static const char *const durations[] = {"6.000 us", "3.000 us", "1.000 us"};
    shown_text(calls, 160, 30);
    shown_keys("2<Enter>");
    int y = shown_find(" dur ") + 1;
    for (int i = 0; i < 3; i++)
        ck_assert_msg(strstr(shown_row(y + i), durations[i]), "row %d: %s", i, shown_row(y + i));
    ck_assert(strstr(shown_row(y), "alpha 7") && strstr(shown_row(y), "n=4"));
    shown_keys("j<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_str_eq(shown_selected(), "work");
    ck_assert_int_eq(shown.timeline.selection.time - trace_origin(shown.trace), 5000);
    shown_keys("2");
    ck_assert(shown_has("> work"));
    shown_keys("q");
    ck_assert(!shown_has("> work") && shown_has(">work"));
    shown_close();
}
END_TEST

START_TEST(a_filter_selects_slices_and_not_rows) {
    shown_text(calls, 160, 30);
    shown_keys("2&dur>2us<Enter>");
    expect(row_of(">work"), (const char *const[]){" 2 ", "9.000 us", NULL});
    ck_assert(shown_has("flt dur>2us") && !shown_has("inner"));
    shown_keys("&pid=<Enter>"); /* a fault leaves the filter */
    ck_assert(shown_has("flt dur>2us"));
    shown_keys("&<Enter>");
    ck_assert(shown_has("inner") && !shown_has("flt "));
    shown_close();
}
END_TEST

/* Slices follow each letter of a filter; Esc brings back the filter from before. In other tabs rows
 * follow. */
START_TEST(slices_follow_while_a_filter_is_typed) {
    shown_text(calls, 160, 30);
    shown_keys("2&dur>2us<Enter>&work");
    ck_assert(shown_has("flt work") && shown_has("3 slices"));
    shown_keys(" !dur>"); /* no filter: that before it stays */
    ck_assert(shown_has("flt work !dur ") && shown_has("3 slices"));
    shown_keys("<BS><BS><BS><BS><BS>dur>3us");
    expect(row_of(">work"), (const char *const[]){" 1 ", "6.000 us", NULL});
    shown_keys("<C-u>");
    ck_assert(shown_has("inner") && !shown_has("flt "));
    shown_keys("w<Esc>");
    ck_assert(shown_has("flt dur>2us") && !shown_has("inner"));
    expect(row_of(">work"), (const char *const[]){" 2 ", "9.000 us", NULL});
    shown_keys("&inner<Enter>");
    ck_assert(shown_has("flt inner"));
    expect(row_of(">inner"), (const char *const[]){" 1 ", NULL});
    shown_keys("<S-Tab><S-Tab>&dur>1us");
    ck_assert(shown_has("1 of 3 rows") && shown_has("3.000 us") && !shown_has(" all threads"));
    shown_keys("<Esc>");
    ck_assert(shown_has("gap 1/3") && shown_has("3.000 us") && shown_has(" all threads"));
    shown_close();
}
END_TEST

/* No number is shown of the slices that match before all of them are counted. */
START_TEST(slices_of_a_typed_filter_are_known_or_counted) {
    char words[80] = "";
    bool counted = false;
    shown_text(calls, 160, 30);
    shown_keys("2");
    struct view *view = shown.views.current;
    view_slices_type_filter(view, "work");
    view_slices_drop(view->state); /* as if the key had left no time */
    for (bool more = true; more;) {
        more = session_within(&shown, TASK_OF(1), view_step);
        view_slices_typed_words(view->state, words, sizeof words);
        ck_assert_msg(strncmp(words, "counting ", 9) == 0 || strcmp(words, "3 slices ") == 0, "%s",
                      words);
        counted = counted || words[0] == 'c';
    }
    ck_assert(counted);
    ck_assert_str_eq(words, "3 slices ");
    shown_close();
}
END_TEST

START_TEST(a_bar_becomes_a_filter) {
    shown_text(calls, 160, 30);
    shown_keys("2h");
    ck_assert(shown_has("> 6 us .. 8 us: 1"));
    shown_keys("<Enter>");
    ck_assert(shown_has("flt dur>=6us dur<8us"));
    expect(row_of(">work"), (const char *const[]){" 1 ", "6.000 us", NULL});
    shown_keys("h<Esc>");
    ck_assert(shown_has("choose a bucket"));
    shown_close();
}
END_TEST

/* Rows that are shown before all is known have a heading for it, and give way to the answer. */
START_TEST(the_heading_tells_of_how_much_rows_are_that_come) {
    static const size_t tabs[] = {0, 4, 6, SLICES_TABS};
    struct chars text = {0};
    char line[160];
    chars_add(&text, STR("magic\n"));
    for (int i = 0; i < 900; i++) {
        snprintf(line, sizeof line,
                 "complete %d 1/%d \"\" \"n%d\" end=%d\nflow_begin %d 1/%d \"\" \"f%d\" id=%d\n",
                 100 * i, 8 + i / 300, i % 7, 100 * i + 10 + i % 13, 100 * i + 5, 8 + i / 300,
                 i % 3, i);
        chars_add(&text, str_of(line));
    }
    chars_add(&text, (struct str){"", 1});
    for (size_t k = 0; k < sizeof tabs / sizeof *tabs; k++) {
        bool said = false, more = true;
        shown_text(text.v, 120, 30);
        shown_keys("2");
        struct view *view = shown.views.current;
        struct slices_view *v = view->state;
        if (tabs[k] < SLICES_TABS)
            v->tab = tabs[k];
        else
            view_slices_open_row(view, 0);
        shown.range.serial++; /* all is asked again */
        for (int i = 0; more; i++) {
            struct stat_shown *s = view_slices_shown(v);
            s->looked = 0;
            more = session_within(&shown, TASK_OF(i < 400 ? 20 : 100000), view_step);
            app_draw(&shown);
            ck_assert(!s->answer.done || !shown_has("so far, of"));
            said = said || (shown_has("so far, of") && table_count(&s->table) > 0);
        }
        ck_assert_msg(said, "tab %zu", tabs[k]);
        shown_close();
    }
    vec_free(&text);
}
END_TEST

START_TEST(rows_are_those_of_the_pivot) {
    shown_text(calls, 160, 30);
    shown_keys("2t");
    ck_assert(shown_has("work  alpha 7") && shown_has("work  thread 6"));
    shown_keys("t");
    expect(row_of("thread 6"), (const char *const[]){" 4 ", "4.500 us", NULL});
    shown_keys("tt");
    expect(row_of(" c "), (const char *const[]){" 4 ", NULL});
    expect(row_of(" d "), (const char *const[]){" 1 ", NULL});
    shown_keys(":pivot n<Enter>");
    expect(row_of(" 3  "), (const char *const[]){" 2 ", "4.000 us", NULL});
    expect(row_of("(none)"), (const char *const[]){" 2 ", NULL});
    shown_keys("G<Enter>");
    ck_assert(shown_has("Slices > "));
    shown_close();
}
END_TEST

/* The names are quoted so that the filter is about this name alone. */
START_TEST(only_the_slices_of_a_row_stay_on_the_timeline) {
    shown_text(calls, 160, 30);
    shown_keys("2G");
    ck_assert(strstr(row_of(">re"), "0.500 us"));
    shown_keys("x");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert(shown_has("showing only 1 event"));
    shown_close();
}
END_TEST

START_TEST(a_range_trims_and_the_heading_says_so) {
    shown_text(calls, 160, 30);
    shown_keys(":range 2us..6us<Enter>2"); /* from 3 us to 7 us in the text */
    expect(row_of(">work"), (const char *const[]){" 2 ", "5.000 us", "6.000 us", NULL});
    ck_assert(shown_has("range 4.000 us") && shown_has("trimmed to the range"));
    shown_close();
}
END_TEST

START_TEST(a_new_range_is_counted_again) {
    shown_text(calls, 160, 30);
    shown_keys("2");
    ck_assert(shown_has("inner"));
    shown_keys("1:range 0us..2us<Enter>2");
    ck_assert(!shown_has("inner") && shown_has(">work"));
    shown_close();
}
END_TEST

START_TEST(a_raster_takes_the_place_of_the_table) {
    shown_text(calls, 160, 40);
    shown_keys("2r");
    ck_assert(shown_has("lengths over time of 3 slices") && !shown_has(" inner "));
    shown_keys("j");
    ck_assert(shown_has("lengths over time of 1 slice;"));
    shown_keys("q");
    ck_assert(shown_has(" inner") && !shown_has("lengths over time"));
    shown_close();
}
END_TEST

START_TEST(async_operations_are_not_called_slices) {
    shown_text("magic\ninit 1000000000\n"
               "async_begin 100 1/2 \"c\" \"Load\" id=1\nasync_end 400 1/2 \"c\" \"Load\" id=1\n"
               "async_begin 500 1/2 \"c\" \"Load\" id=2\nasync_end 900 1/2 \"c\" \"Load\" id=2\n",
               120, 40);
    shown_keys("2"); /* the first tab that has rows */
    ck_assert(shown_has("2 operations") && !shown_has("2 slices"));
    shown_keys("r");
    ck_assert(shown_has("lengths over time of 2 operations"));
    shown_keys("r<Enter>");
    ck_assert(shown_has("2 operations") && shown_has("operation 1/2"));
    shown_close();
}
END_TEST

/* Each tab has rows, or a sentence about why it has none. */
START_TEST(tabs_follow_each_other) {
    static const char *const first[] = {">work",       "no scheduling", "no scheduling",
                                        "no counters", "no flows",      "no async",
                                        ">+",          "no log records"};
    shown_text(calls, 160, 30);
    shown_keys("2");
    for (int i = 0; i < 8; i++) {
        ck_assert_msg(shown_has(first[i]), "tab %d", i);
        shown_keys("<Tab>");
    }
    ck_assert(shown_has(">work"));
    shown_keys("<S-Tab><S-Tab><Enter>"); /* the longest gap */
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

static void click(const char *text) {
    int y = shown_find(text);
    ck_assert_int_ge(y, 0);
    const char *row = shown_row(y);
    int x = (int)(strstr(row, text) - row);
    char keys[80];
    snprintf(keys, sizeof keys, "<Click:%d,%d><Release:%d,%d>", x, y, x, y);
    shown_keys(keys);
}

START_TEST(a_click_sorts_by_a_title_and_opens_a_tab) {
    shown_text(calls, 160, 30);
    shown_keys("2");
    click("count ");
    ck_assert(shown_has("sorted by count, descending"));
    click("count ");
    ck_assert(shown_has("sorted by count, ascending"));
    click(" work");
    ck_assert(shown_has(">work"));
    click("Gaps");
    ck_assert(shown_has("gap 1/3"));
    click("Slices -");
    ck_assert(shown_has(">work"));
    shown_close();
}
END_TEST

/* W opens the drawer at why the slice of a row took longer. Keys without a meaning for the rows
 * have no hint, and are not said to be near another one. */
START_TEST(a_list_of_slices_leads_to_why) {
    shown_text(calls, 160, 30);
    shown_keys("2W");
    ck_assert(shown_has("W is for lists of slices") && shown_has("t pivot"));
    shown_keys("<C-t>");
    ck_assert(shown_has("near: t pivot"));
    shown_keys("<Enter>");
    ck_assert(shown_has("Enter show  W why  t by "));
    shown_keys("W");
    ck_assert_str_eq(shown_selected(), "work");
    ck_assert(strstr(shown_drawer(), "3.000 us slower than the median"));
    shown_keys("q2q<Tab>");
    ck_assert(shown_has("Enter show  Tab tabs") && !shown_has("r raster") && !shown_has("x only") &&
              !shown_has("bucket"));
    shown_keys("<C-t>");
    ck_assert(shown_has("unknown key <C-t>") && !shown_has("t pivot"));
    shown_close();
}
END_TEST

START_TEST(two_ranges_are_compared_and_q_comes_back) {
    shown_text(calls, 160, 30);
    shown_keys("2=");
    ck_assert_ptr_eq(shown.views.current->ops, &view_compare);
    ck_assert(shown_has("A  from +0 ns  4.000 us") && shown_has("B  from +0.000004000 s"));
    shown_keys("q");
    ck_assert_ptr_eq(shown.views.current->ops, &view_slices);
    shown_keys("1:range 0..1us<Enter>=:range 2us..3us<Enter>2=");
    ck_assert(shown_has("A  from +0 ns  1.000 us") &&
              shown_has("B  from +0.000002000 s  1.000 us"));
    shown_close();
}
END_TEST

/* Only slices that have ended have a length. */
START_TEST(slices_without_an_end_have_no_lengths) {
    shown_text("magic\ninit 1000000000\nbegin 5 1/2 \"c\" \"open\"\ninstant 95 1/2 \"c\" \"i\"\n",
               120, 30);
    shown_keys("2");
    ck_assert(shown_has("- open  none has ended") && !shown_has("choose a bucket"));
    shown_close();
}
END_TEST

SUITE(view_slices) {
    Suite *s = suite_create("view_slices");
    TCase *t = tcase_create("view_slices");
    tcase_add_test(t, a_row_has_the_numbers_of_its_name);
    tcase_add_test(t, enter_lists_the_longest_first_and_goes_there);
    tcase_add_test(t, a_filter_selects_slices_and_not_rows);
    tcase_add_test(t, slices_follow_while_a_filter_is_typed);
    tcase_add_test(t, slices_of_a_typed_filter_are_known_or_counted);
    tcase_add_test(t, a_bar_becomes_a_filter);
    tcase_add_test(t, the_heading_tells_of_how_much_rows_are_that_come);
    tcase_add_test(t, rows_are_those_of_the_pivot);
    tcase_add_test(t, only_the_slices_of_a_row_stay_on_the_timeline);
    tcase_add_test(t, a_range_trims_and_the_heading_says_so);
    tcase_add_test(t, a_new_range_is_counted_again);
    tcase_add_test(t, a_raster_takes_the_place_of_the_table);
    tcase_add_test(t, async_operations_are_not_called_slices);
    tcase_add_test(t, tabs_follow_each_other);
    tcase_add_test(t, a_click_sorts_by_a_title_and_opens_a_tab);
    tcase_add_test(t, a_list_of_slices_leads_to_why);
    tcase_add_test(t, two_ranges_are_compared_and_q_comes_back);
    tcase_add_test(t, slices_without_an_end_have_no_lengths);
    suite_add_tcase(s, t);
    return s;
}
