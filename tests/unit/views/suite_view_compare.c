/* suite_view_compare.c - :compare: two ranges, two halves, a slice and the median of its name; tabs
 * and the pane. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

/* 40 of "Frame", 100 apart; in the second half they are 60 long instead of 50, and "Load" in them
 * 30 instead of 20. "Once" is only in the first half, "Late" only in the second. */
static const char *halves(void) {
    static char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int i = 0; i < 80; i++) {
        int at = i * 100, late = i >= 40;
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"Frame\" end=%d\n",
                              at, at + 50 + 10 * late);
        if (i % 2 == 0)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d 1/2 \"\" \"Load\" end=%d\n", at + 10,
                                  at + 30 + 10 * late);
        if (i == 3 || i == 70)
            n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"%s\" end=%d\n",
                                  at + 90, late ? "La\\e[2Jte" : "Once", at + 95);
    }
    snprintf(text + n, sizeof text - n, "instant 8000 1/3 \"\" \"end\"\n");
    return text;
}

START_TEST(halves_are_compared_by_name) {
    shown_text(halves(), 140, 36);
    shown_keys(":compare half<Enter>");
    ck_assert(shown_has("changed 4 - all 4 - only A 1 - only B 1"));
    ck_assert(shown_has(" A  from +0.000000 s  4.000 ms  all tracks"));
    ck_assert(shown_has(" B  from +0.004000 s  4.000 ms  all tracks"));
    ck_assert(shown_has("Frame"));
    ck_assert(shown_has("+20.0%"));
    ck_assert(shown_has("slower"));
    ck_assert(shown_has("La?[2Jte"));
    ck_assert(shown_has("2 slower  1 new  1 gone of 4 names"));
    shown_keys("<Tab><Tab>");
    ck_assert(shown_has("Once") && !shown_has("Load"));
    shown_keys("<Tab>");
    ck_assert(!shown_has(" Once") && shown_has("La?[2Jte"));
    shown_close();
}
END_TEST

/* Six steps in each half, whose big part takes twice as long in the second, and whose many tiny
 * ones a bit more: the rows come by their share of the change, and say the leaf. */
START_TEST(what_changed_is_named_by_its_share) {
    static char text[60000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int i = 0; i < 12; i++) {
        int late = i >= 6, at = i * 300000, big = late ? 200000 : 100000;
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "complete %d 1/2 \"\" \"step\" end=%d\ncomplete %d 1/2 \"\" \"forward\" end=%d\n"
            "complete %d 1/2 \"\" \"big\" end=%d\n",
            at, at + big + 5000, at + 5, at + big + 15, at + 10, at + big + 10);
        for (int k = 0; k < 40; k++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d 1/2 \"\" \"tiny\" end=%d\n", at + big + 20 + k * 10,
                                  at + big + 25 + k * 10 + 2 * late);
    }
    snprintf(text + n, sizeof text - n, "instant 3600000 1/3 \"\" \"end\"\n");
    shown_text(text, 140, 36);
    shown_keys(":compare half<Enter>");
    ck_assert(shown_has("4 slower of 4 names"));
    shown_keys("/step<Enter>");
    ck_assert(shown_has("step +600 ms: big +600 ms (6 calls)"));
    shown_keys("/forward<Enter>");
    ck_assert(shown_has("forward +600 ms: big +600 ms (6 calls)"));
    shown_keys("k");
    ck_assert(shown_has("big +600 ms: its own time +600 ms (6 calls)"));
    shown_keys("G");
    ck_assert(shown_has("tiny +480 us: its own time +480 us (240 calls)"));
    shown_close();
}
END_TEST

/* A call of Frame has half a Load: 10 of 50, then 15 of 60. */
START_TEST(the_pane_has_children_that_sum_up) {
    shown_text(halves(), 140, 36);
    shown_keys(":compare half<Enter>/Frame<Enter>");
    ck_assert(shown_has(" Load                   10.00 us   15.00 us   +5.000 us"));
    ck_assert(shown_has(" self                   40.00 us   45.00 us   +5.000 us"));
    ck_assert(shown_has(" sum                    50.00 us   60.00 us   +10.00 us"));
    ck_assert(
        shown_has("worst in B: 60.00 us at +0.004000 s   worst in A: 50.00 us at +0.000000 s"));
    shown_keys("<Enter>");
    ck_assert_str_eq(shown_selected(), "Frame");
    ck_assert_int_eq(shown.timeline.selection.time - trace_begin(shown.trace), 4000000);
    shown_close();
}
END_TEST

START_TEST(a_kept_range_is_compared_with_the_current_one) {
    shown_text(halves(), 140, 36);
    shown_keys(":compare<Enter>");
    ck_assert(shown_has("no range is kept: = keeps one; or :compare half"));
    shown_keys(":range 0..1ms<Enter>=:range 1ms..2ms<Enter>:compare kept<Enter>");
    ck_assert(shown_has(" A  from +0.000000 s  1.000 ms"));
    ck_assert(shown_has(" B  from +0.001000 s  1.000 ms"));
    ck_assert(shown_has("1 gone of 3 names"));
    shown_keys(":range 7ms..8ms<Enter>"); /* the range changes: so does the answer */
    ck_assert(shown_has(" B  from +0.007000 s  1.000 ms"));
    ck_assert(shown_has("1 new  1 gone of 4 names"));
    shown_keys(":compare all<Enter>");
    ck_assert(shown_has("no file all: compare takes kept, half, median, threads or a file"));
    shown_close();
}
END_TEST

START_TEST(a_slice_is_compared_with_the_median_of_its_name) {
    shown_text(halves(), 140, 36);
    shown_keys(":compare median<Enter>");
    ck_assert(shown_has("no slice is selected: its name's median is compared with it"));
    shown_select("Frame", 60);
    shown_keys(":compare median<Enter>");
    ck_assert(shown_has(" A  from +0.000000 s  50.00 us  thread 2"));
    ck_assert(shown_has(" B  from +0.006000 s  60.00 us  thread 2"));
    shown_close();
}
END_TEST

/* Shows the halves of 80 slices of 50 us and more; the 61st is of another length. */
static void compare_halves(int of_61st, int lengths) {
    static char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int i = 0; i < 80; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"Frame\" end=%d\n",
                              i * 100, i * 100 + (i == 60 ? of_61st : 50 + i % lengths));
    snprintf(text + n, sizeof text - n, "instant 8000 1/3 \"\" \"end\"\n");
    shown_text(text, 140, 36);
    shown_keys(":compare half<Enter>");
}

/* A p99 of fewer than 100 slices is the longest one: that alone makes no name slower. */
START_TEST(one_long_slice_of_few_is_no_verdict) {
    compare_halves(90, 1);
    ck_assert(shown_has("changed 0 - all 1"));
    shown_keys("<Tab>");
    ck_assert(shown_has("+80.0%") && shown_has("same"));
    ck_assert(shown_has("U test p = 0.3296 (40, 40): may be chance"));
    ck_assert(shown_has("p99 (99 % confidence):  A at least 50.00 us  B at least 50.00 us"));
    shown_close();
}
END_TEST

START_TEST(equal_halves_do_not_differ) {
    compare_halves(50, 10);
    ck_assert(shown_has("nothing changed: Tab shows all names"));
    shown_keys("<Tab>");
    ck_assert(shown_has("U test p = 1.0000 (40, 40): durations do not differ"));
    shown_close();
}
END_TEST

/* Durations that all differ: p is as small as it can be, and each p99 has two ends. */
START_TEST(a_difference_is_tested) {
    static char text[90000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int i = 0; i < 1200; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"Frame\" end=%d\n",
                              i * 2000, i * 2000 + (i < 600 ? 1 + i : i));
    snprintf(text + n, sizeof text - n, "instant 2400000 1/3 \"\" \"end\"\n");
    shown_text(text, 140, 36);
    shown_keys(":compare half<Enter>");
    ck_assert(shown_has("U test p < 0.0001 (600, 600): durations differ"));
    ck_assert(shown_has("p99 (99 % confidence):  A 587.0 us to 600.0 us  B 1.186 ms to 1.199 ms"));
    shown_close();
}
END_TEST

/* 100 child names: those that do not fit are one row, so that the column adds up. */
START_TEST(children_that_do_not_fit_are_counted) {
    static char text[30000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int half = 0; half < 2; half++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"Frame\" end=%d\n",
                              half * 2000, half * 2000 + 1500 + half);
        for (int i = 0; i < 100; i++)
            n += (size_t)snprintf(
                text + n, sizeof text - n, "complete %d 1/2 \"\" \"child %d\" end=%d\n",
                half * 2000 + i * 10, i, half * 2000 + i * 10 + 4 + half * (i == 70));
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"frame\" end=%d\n",
                              half * 2000 + 1600, half * 2000 + 1700);
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"other\" end=%d\n",
                              half * 2000 + 1610, half * 2000 + 1620);
    }
    snprintf(text + n, sizeof text - n, "instant 4000 1/3 \"\" \"end\"\n");
    shown_text(text, 140, 36);
    shown_keys(":compare half<Enter><Tab>/Frame<Enter>");
    ck_assert(shown_has(" child 70               4.000 us   5.000 us   +1.000 us"));
    ck_assert(shown_has(" 95 others"));
    ck_assert(shown_has(" self                   1.100 ms"));
    ck_assert(shown_has(" sum                    1.500 ms"));
    ck_assert(!shown_has("- frame "));
    shown_close();
}
END_TEST

START_TEST(two_threads_are_compared) {
    static char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000\n");
    for (int i = 0; i < 80; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/%d \"\" \"Load\" end=%d\n",
                              i * 100, 2 + i % 2, i * 100 + 50 + i % 2 * 20);
    shown_text(text, 140, 36);
    shown_keys(":compare threads<Enter>");
    ck_assert(shown_has("tag two threads: Space on each of them, then :compare threads"));
    shown_keys("tthread 2<Enter><Space>tthread 3<Enter>:compare threads<Enter>");
    ck_assert(shown_has("thread 2"));
    ck_assert(shown_has(" B  from +0.000000 s  7.970 ms  thread 3"));
    ck_assert(shown_has("+40.0%"));
    ck_assert(shown_has("1 slower"));
    ck_assert(shown_has("U test p < 0.0001 (40, 40): durations differ"));
    shown_keys("q<Space>:compare threads<Enter>"); /* both are tagged */
    ck_assert(shown_has("1 slower"));
    shown_close();
}
END_TEST

START_TEST(nothing_to_compare_is_said) {
    shown_text("magic\ninit 1000000\ninstant 5 1/2 \"\" \"a\"\ninstant 9 1/2 \"\" \"a\"\n", 80, 24);
    shown_keys(":compare half<Enter>");
    ck_assert(shown_has("no slices in either range"));
    shown_keys("<Enter>");
    shown_resize(20, 5);
    shown_keys("j<Tab>");
    shown_resize(60, 16);
    shown_keys("q");
    shown_close();
}
END_TEST

SUITE(view_compare) {
    Suite *s = suite_create("view_compare");
    TCase *c = tcase_create("view_compare");
    tcase_add_test(c, halves_are_compared_by_name);
    tcase_add_test(c, what_changed_is_named_by_its_share);
    tcase_add_test(c, the_pane_has_children_that_sum_up);
    tcase_add_test(c, a_kept_range_is_compared_with_the_current_one);
    tcase_add_test(c, a_slice_is_compared_with_the_median_of_its_name);
    tcase_add_test(c, one_long_slice_of_few_is_no_verdict);
    tcase_add_test(c, equal_halves_do_not_differ);
    tcase_add_test(c, a_difference_is_tested);
    tcase_add_test(c, children_that_do_not_fit_are_counted);
    tcase_add_test(c, two_threads_are_compared);
    tcase_add_test(c, nothing_to_compare_is_said);
    suite_add_tcase(s, c);
    return s;
}
