/* suite_tab_name.c - the selected slice among all of its name: quantiles as a sort of all durations
 * gives them. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/move.h"

/* n slices "work" on two threads, of 1, 2, ... n us, and as many others. */
static void start(int n) {
    static char text[60000];
    size_t at = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 1; i <= n; i++)
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "complete %d 5/%d \"c\" \"work\" end=%d\ncomplete %d 5/8 \"c\" \"rest\" end=%d\n",
            i * 1000000, 6 + i % 2, i * 1000000 + i * 1000, i * 1000000, i * 1000000 + 5);
    shown_text(text, 120, 40);
}

START_TEST(statistics_are_of_all_slices_of_the_name) {
    start(200);
    shown_select("work", 0);
    const struct aggregate_row *row = tab_name_stats(&shown);
    ck_assert_ptr_nonnull(row);
    ck_assert_uint_eq(row->durations.v.n, 200);
    ck_assert_int_eq(quantiles_at(&row->durations, 0), 1000);
    ck_assert_int_eq(quantiles_at(&row->durations, 500), 100000);
    ck_assert_int_eq(quantiles_at(&row->durations, 1000), 200000);
    ck_assert(shown_has("Same name 200"));
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "p50 100.0 us")); /* the line of the details */
    shown_keys("<Tab>lll");
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "p50 100.0 us"));
    ck_assert_ptr_nonnull(strstr(shown_drawer(), "max 200.0 us"));
    shown_close();
}
END_TEST

START_TEST(the_bars_of_the_histogram_hold_all_slices) {
    for (int n = 2; n <= 6; n++) {
        start(n);
        shown_resize(120, 60);
        shown_select("work", 0);
        shown_keys("<Tab>lll");
        int sum = 0;
        for (const char *line = strstr(shown_drawer(), ".."); line; line = strstr(line + 1, "..")) {
            int count = 0;
            ck_assert_int_eq(sscanf(line, ".. %*f %*s %d", &count), 1);
            sum += count;
        }
        ck_assert_msg(sum == n, "%d of %d in:\n%s", sum, n, shown_drawer());
        shown_close();
    }
}
END_TEST

START_TEST(nothing_with_a_length_has_no_statistics) {
    start(3);
    ck_assert_ptr_null(tab_name_stats(&shown));
    shown_keys("<Tab>lll");
    ck_assert_ptr_null(strstr(shown_drawer(), "p50"));
    shown_close();
}
END_TEST

SUITE(tab_name) {
    Suite *s = suite_create("tab_name");
    TCase *t = tcase_create("tab_name");
    tcase_add_test(t, statistics_are_of_all_slices_of_the_name);
    tcase_add_test(t, the_bars_of_the_histogram_hold_all_slices);
    tcase_add_test(t, nothing_with_a_length_has_no_statistics);
    suite_add_tcase(s, t);
    return s;
}
