/* suite_view_hits.c - the hits of the search as rows: all of them, and Enter goes to one. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static const char calls[] =
    "magic\ninit 1000000000\n"
    "complete 1000 5/6 \"c\" \"work\" end=2000\ncomplete 3000 5/7 \"c\" \"work\" end=9000\n"
    "complete 5000 5/6 \"c\" \"rest\" end=5500\ncomplete 6000 5/6 \"c\" \"work\" end=9000\n";

START_TEST(each_hit_is_a_row_the_longest_first) {
    static const char *const durations[] = {"6.000 us", "3.000 us", "1.000 us"};
    shown_text(calls, 140, 30);
    shown_keys("/work<Enter>:hits<Enter>");
    int y = shown_find(" name") + 1;
    ck_assert_int_gt(y, 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_msg(strstr(shown_row(y + i), durations[i]), "row %d: %s", i, shown_row(y + i));
        ck_assert_ptr_nonnull(strstr(shown_row(y + i), "work"));
    }
    ck_assert(!shown_has("rest "));
    shown_keys("gj<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_str_eq(shown_selected(), "work");
    ck_assert_int_eq(shown.timeline.selection.time - trace_origin(shown.trace), 5000);
    shown_close();
}
END_TEST

/* b and c overlap: c, begun later, has the time that both cover (SEMANTICS 6.9). */
START_TEST(self_is_known_of_slices_that_overlap) {
    static const char overlaps[] = "magic\ninit 1000000000\n"
                                   "complete 1000 5/6 \"c\" \"work a\" end=20000\n"
                                   "complete 3000 5/6 \"c\" \"work b\" end=9000\n"
                                   "complete 5000 5/6 \"c\" \"work c\" end=12000\n";
    static const char *const selves[][2] = {
        {"work a", "10.00 us"}, {"work c", "7.000 us"}, {"work b", "2.000 us"}};
    shown_text(overlaps, 140, 30);
    shown_keys("/work<Enter>:hits<Enter>");
    for (int i = 0; i < 3; i++) {
        int y = shown_find(" name") + 1 + i;
        ck_assert_msg(strstr(shown_row(y), selves[i][0]) && strstr(shown_row(y), selves[i][1]),
                      "%s: %s", selves[i][1], shown_row(y));
    }
    shown_close();
}
END_TEST

/* Each column that a key sorts by: names and threads from A to Z, times from the greatest. */
START_TEST(hits_sort_by_each_column) {
    static const char traced[] = "magic\ninit 1000000000\n"
                                 "kernel_object 2 7 \"alpha\" process=koid:5\n"
                                 "kernel_object 2 6 \"beta\" process=koid:5\n"
                                 "switch 1000 0 0 3 6\nswitch 4000 0 6 3 7\nswitch 9000 0 7 3 0\n"
                                 "complete 1000 5/6 \"c\" \"work c\" end=8000\n"
                                 "complete 2000 5/6 \"c\" \"work a\" end=3500\n"
                                 "complete 4000 5/7 \"c\" \"work b\" end=8500\n";
    static const struct {
        const char *title, *names[3];
    } orders[] = {
        {"name", {"work a", "work b", "work c"}}, {"thread", {"work b", NULL, NULL}},
        {"dur", {"work c", "work b", "work a"}},  {"running", {"work b", "work c", "work a"}},
        {"blocked", {"work c", NULL, NULL}},      {"self", {"work c", "work b", "work a"}},
    };
    shown_text(traced, 140, 30);
    shown_keys("/work<Enter>:hits<Enter>");
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        char wanted[40];
        snprintf(wanted, sizeof wanted, "sorted by %s", orders[k].title);
        for (int i = 0; i < 12 && !shown_has(wanted); i++)
            shown_keys(">");
        ck_assert_msg(shown_has(wanted), "%s", wanted);
        int y = shown_find(" name") + 1;
        for (int i = 0; i < 3 && orders[k].names[i]; i++)
            ck_assert_msg(strstr(shown_row(y + i), orders[k].names[i]), "%s, %d: %s", wanted, i,
                          shown_row(y + i));
    }
    shown_close();
}
END_TEST

START_TEST(without_a_search_the_view_is_empty) {
    struct view_record record;
    shown_text(calls, 140, 30);
    shown_keys(":hits<Enter>jG<Enter>");
    ck_assert(shown_has("no hits"));
    ck_assert(shown.views.current->ops->record == NULL || !view_record(&shown.views, &record));
    shown_close();
}
END_TEST

SUITE(view_hits) {
    Suite *s = suite_create("view_hits");
    TCase *t = tcase_create("hits");
    tcase_add_test(t, each_hit_is_a_row_the_longest_first);
    tcase_add_test(t, self_is_known_of_slices_that_overlap);
    tcase_add_test(t, hits_sort_by_each_column);
    tcase_add_test(t, without_a_search_the_view_is_empty);
    suite_add_tcase(s, t);
    return s;
}
