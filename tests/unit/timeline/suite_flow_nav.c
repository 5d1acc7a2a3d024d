/* suite_flow_nav.c - ] and [ lead through all points of the chosen flow, and ( and ) choose it. */
#include <string.h>

#include "tests/lib/shown.h"
#include "tests/lib/suites.h"
#include "ui/timeline/flow_nav.h"

/* A flow through three threads, and a second one that begins in the same slice. */
static const char hops[] = "magic\n"
                           "init 1000000000\n"
                           "complete 0 5/6 \"c\" \"a\" end=1000\n"
                           "flow_begin 100 5/6 \"c\" \"one\" id=1\n"
                           "flow_begin 200 5/6 \"c\" \"two\" id=2\n"
                           "complete 2000 5/7 \"c\" \"b\" end=3000\n"
                           "flow_step 2100 5/7 \"c\" \"one\" id=1\n"
                           "complete 4000 5/8 \"c\" \"c\" end=5000\n"
                           "flow_end 4100 5/8 \"c\" \"one\" id=1\n"
                           "complete 6000 5/7 \"c\" \"d\" end=7000\n"
                           "flow_end 6100 5/7 \"c\" \"two\" id=2\n";

static void follows(void (*step)(struct app *), const char *to) {
    step(&shown);
    ck_assert_str_eq(shown_selected(), to);
}

START_TEST(there_and_back_through_all_points) {
    shown_text(hops, 100, 30);
    shown_select("a", 0);
    follows(flow_nav_next, "b");
    follows(flow_nav_next, "c");
    shown.message.text[0] = 0;
    follows(flow_nav_next, "c");
    ck_assert_uint_gt(strlen(shown.message.text), 0); /* it ends there */
    follows(flow_nav_previous, "b");
    follows(flow_nav_previous, "a");
    follows(flow_nav_previous, "a");
    shown_close();
}
END_TEST

START_TEST(the_chosen_flow_is_the_one_that_is_followed) {
    size_t chosen;
    shown_text(hops, 100, 30);
    shown_select("a", 0);
    ck_assert_uint_eq(flow_nav_flows(&shown, &chosen), 2);
    ck_assert_uint_eq(chosen, 0);
    flow_nav_choose_next(&shown);
    ck_assert_uint_eq(flow_nav_flows(&shown, &chosen), 2);
    ck_assert_uint_eq(chosen, 1);
    follows(flow_nav_next, "d");
    follows(flow_nav_previous, "a");
    flow_nav_choose_next(&shown); /* round to the first */
    ck_assert_uint_eq(flow_nav_flows(&shown, &chosen), 2);
    ck_assert_uint_eq(chosen, 0);
    flow_nav_choose_previous(&shown);
    follows(flow_nav_next, "d");
    shown_close();
}
END_TEST

START_TEST(without_a_flow_nothing_moves) {
    size_t chosen;
    uint32_t point;
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"alone\" end=1000\n", 100, 30);
    ck_assert(!flow_nav_current(&shown, &point));
    shown_select("alone", 0);
    ck_assert_uint_eq(flow_nav_flows(&shown, &chosen), 0);
    follows(flow_nav_next, "alone");
    follows(flow_nav_previous, "alone");
    follows(flow_nav_choose_next, "alone");
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    shown_close();
}
END_TEST

START_TEST(modes_have_names) {
    static const char *const names[FLOWS_MODES] = {"chain", "direct", "all", "off"};
    shown_text(hops, 100, 30);
    for (int i = 0; i < FLOWS_MODES; i++) {
        flow_nav_set_mode(&shown, names[i]);
        ck_assert_int_eq((int)shown.flow.mode, i);
        ck_assert(!shown.message.is_error);
    }
    flow_nav_set_mode(&shown, "some");
    ck_assert(shown.message.is_error);
    ck_assert_int_eq((int)shown.flow.mode, FLOWS_OFF);
    flow_nav_mode(&shown);
    ck_assert_int_eq((int)shown.flow.mode, FLOWS_CHAIN);
    shown_close();
}
END_TEST

Suite *suite_flow_nav(void) {
    Suite *s = suite_create("flow_nav");
    TCase *t = tcase_create("flow_nav");
    tcase_add_test(t, there_and_back_through_all_points);
    tcase_add_test(t, the_chosen_flow_is_the_one_that_is_followed);
    tcase_add_test(t, without_a_flow_nothing_moves);
    tcase_add_test(t, modes_have_names);
    suite_add_tcase(s, t);
    return s;
}
