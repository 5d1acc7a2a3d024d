/* suite_tab_why.c - Why, Children and the keys to the slowest: sentences and numbers of small
 * traces. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

/* Frames of 4 us with a Layout of 2 us. Each twentieth has 4 x Measure of 3 us in a Layout of 13
 * us, and level=7. */
static void start(bool states) {
    static char text[60000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 5 6\n");
    for (int k = 0; k < 80; k++) {
        int at = 1000000 + k * 100000, slow = k % 20 == 9, dur = slow ? 15000 + k : 4000 + k;
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete %d t1 \"c\" \"Frame\" level=i32:%d end=%d\n", at,
                              slow ? 7 : k % 3, at + dur);
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d t1 \"c\" \"Layout\" end=%d\n",
                              at + 100, at + 100 + (slow ? 13000 : 2000));
        for (int i = 0; slow && i < 4; i++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d t1 \"c\" \"Measure\" end=%d\n", at + 200 + i * 3100,
                                  at + 3200 + i * 3100);
        if (states)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "switch %d 0 9 3 6\nswitch %d 0 6 3 9\n", at - 1000, at + 20000);
    }
    snprintf(text + n, sizeof text - n, "instant 90000000 t1 \"c\" \"last\"\n");
    shown_text(text, 120, 50);
}

START_TEST(the_slowest_frame_and_why_in_four_keys) {
    start(true);
    shown_select("Frame", 0);
    shown_keys("<Tab>sW++");
    const char *drawer = shown_drawer();
    ck_assert_msg(strstr(drawer, "11.03 us slower than the median, in own time: 12.00 us in "
                                 "Measure (4 calls, median 0); "
                                 "all running"),
                  "%s", drawer);
    ck_assert_ptr_nonnull(strstr(drawer, "rank 1 of 80"));
    ck_assert_ptr_nonnull(strstr(drawer, "level=7 in 4 of 4, in 0 % of the others"));
    ck_assert_ptr_nonnull(strstr(drawer, "sum                  15.07 us  4.041 us  +11.03 us"));
    shown_close();
}
END_TEST

/* The leaf is four levels down. A slice is around all, and another child got faster. */
START_TEST(why_goes_down_to_the_leaf) {
    static char text[20000];
    static const char *const names[] = {"step", "forward", "layer", "block", "big"};
    size_t n = (size_t)snprintf(
        text, sizeof text, "magic\ninit 1000000\ncomplete 0 1/2 \"c\" \"step\" end=10000000\n");
    for (int k = 0; k < 9; k++) {
        int at = 1000 + k * 1000000, big = k == 7 ? 200000 : 100000;
        for (int level = 0; level < 5; level++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d 1/2 \"c\" \"%s\" end=%d\n", at + level * 10,
                                  level == 0 ? "pass" : names[level], at + big + 5000 - level * 10);
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"c\" \"tiny\" end=%d\n",
                              at + 100, at + (k == 7 ? 200 : 600));
    }
    shown_text(text, 120, 50);
    shown_select("pass", 0);
    shown_keys("<Tab>sW++");
    const char *drawer = shown_drawer();
    ck_assert_msg(strstr(drawer, "100.0 ms slower than the median, in own time: 100.4 ms in big"),
                  "%s", drawer);
    shown_close();
}
END_TEST

START_TEST(keys_go_down_the_ranks) {
    static const char *const ranks[] = {"15.07 us, rank 1 of 80", "15.05 us, rank 2",
                                        "15.03 us, rank 3", "15.01 us, rank 4", "4.079 us, rank 5"};
    start(false);
    shown_select("Frame", 3);
    shown_keys("<Tab>s");
    for (int k = 0; k < 5; k++) {
        ck_assert_msg(shown_has(ranks[k]), "%s", ranks[k]);
        ck_assert_str_eq(shown_selected(), "Frame");
        shown_keys("S");
    }
    for (int k = 0; k < 80; k++)
        shown_keys("S");
    ck_assert(shown_has("this is the fastest of its name"));
    shown_close();
}
END_TEST

/* Links of Same name: slowest, next slowest, then the buckets that are not empty. */
START_TEST(same_name_leads_to_slices) {
    start(false);
    shown_select("Frame", 3);
    shown_keys("<Tab>lll<Enter>");
    ck_assert(shown_has("15.07 us, rank 1 of 80"));
    shown_keys("j<Enter>");
    ck_assert(shown_has("15.05 us, rank 2 of 80"));
    shown_keys("<Enter>"); /* the link stays */
    ck_assert(shown_has("15.03 us, rank 3 of 80"));
    shown_keys("j<Enter>"); /* 3 to 5 us: the first of all */
    ck_assert(shown_has("4.000 us, rank 80 of 80"));
    shown_close();
}
END_TEST

START_TEST(children_sum_to_the_slice) {
    start(false);
    shown_select("Frame", 9);
    ck_assert(shown_has("Children 1"));
    shown_keys("<Tab>llll");
    ck_assert_ptr_nonnull(
        strstr(shown_drawer(), "Layout                                13.00 us   86.6%        1"));
    ck_assert_ptr_nonnull(
        strstr(shown_drawer(), "self                                  2.009 us   13.4%"));
    ck_assert_ptr_nonnull(
        strstr(shown_drawer(), "sum                                   15.01 us  100.0%"));
    shown_keys("<Enter>"); /* to the longest Layout */
    ck_assert_str_eq(shown_selected(), "Layout");
    ck_assert(shown_has("Children 4"));
    ck_assert_ptr_nonnull(
        strstr(shown_drawer(), "Measure                               12.00 us   92.3%        4"));
    shown_close();
}
END_TEST

START_TEST(the_median_is_named_and_is_a_link) {
    start(false);
    shown_select("Frame", 9);
    shown_keys("<Tab>W<Enter>");
    ck_assert(shown_has("this is the median of its name"));
    shown_close();
}
END_TEST

START_TEST(a_single_slice_has_nothing_to_compare_with) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\" end=10\nbegin 20 5/6 \"c\" "
               "\"open\"\n"
               "instant 50 5/6 \"c\" \"i\"\n",
               100, 30);
    shown_select("work", 0);
    shown_keys("<Tab>W");
    ck_assert(shown_has("the only one of its name"));
    shown_close();
    shown_text("magic\ninit 1000000000\nbegin 20 5/6 \"c\" \"open\"\ninstant 50 5/6 \"c\" \"i\"\n",
               100, 30);
    shown_select("open", 0);
    shown_keys("<Tab>W");
    ck_assert(shown_has("none of this name has ended"));
    shown_keys("s");
    ck_assert(shown_has("none of this name has ended"));
    shown_close();
}
END_TEST

SUITE(tab_why) {
    Suite *s = suite_create("tab_why");
    TCase *t = tcase_create("tab_why");
    tcase_add_test(t, why_goes_down_to_the_leaf);
    tcase_add_test(t, the_slowest_frame_and_why_in_four_keys);
    tcase_add_test(t, keys_go_down_the_ranks);
    tcase_add_test(t, same_name_leads_to_slices);
    tcase_add_test(t, children_sum_to_the_slice);
    tcase_add_test(t, the_median_is_named_and_is_a_link);
    tcase_add_test(t, a_single_slice_has_nothing_to_compare_with);
    suite_add_tcase(s, t);
    return s;
}
