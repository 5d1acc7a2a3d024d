/* suite_flow_nav.c - ] and [ lead through all stops of the chosen flow, and ( and ) choose it. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
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

/* The points of a slice are one stop; a slice without any leads to the first one inside it, at any
 * depth. */
START_TEST(a_slice_with_two_points_is_passed_at_once) {
    shown_text("magic\ninit 1000000000\n"
               "complete 0 5/6 \"c\" \"outer\" end=1000\n"
               "complete 50 5/6 \"c\" \"middle\" end=900\n"
               "complete 60 5/6 \"c\" \"a\" end=800\n"
               "flow_begin 100 5/6 \"c\" \"one\" id=1\n"
               "flow_step 200 5/6 \"c\" \"one\" id=1\n"
               "complete 2000 5/7 \"c\" \"b\" end=3000\n"
               "flow_step 2100 5/7 \"c\" \"one\" id=1\n"
               "flow_end 2200 5/7 \"c\" \"one\" id=1\n",
               100, 30);
    shown_select("outer", 0);
    follows(flow_nav_next, "a");
    ck_assert_ptr_nonnull(strstr(shown.message.text, "no flow in outer itself"));
    follows(flow_nav_next, "b");
    follows(flow_nav_previous, "a");
    shown_select("middle", 0);
    follows(flow_nav_previous, "a");
    shown_close();
}
END_TEST

/* Both ends of the flow are in the window, and their threads on the screen: the far one is
 * pinned. */
START_TEST(a_flow_is_shown_from_its_begin_to_its_end) {
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                "magic\ninit 1000000000\n"
                                "complete 0 5/6 \"c\" \"a\" end=900000\n"
                                "complete 950000 5/6 \"c\" \"b\" end=950010\n"
                                "flow_begin 100000 5/6 \"c\" \"one\" id=1\n");
    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete 0 5/%d \"c\" \"x\" end=100\n"
                              "complete 200 5/%d \"c\" \"x\" end=300\n",
                              10 + i, 10 + i);
    snprintf(text + n, sizeof text - n,
             "complete 0 5/99 \"c\" \"first\" end=10\nflow_end 300000 5/99 \"c\" \"one\" id=1\n"
             "complete 9000000 5/99 \"c\" \"last\" end=9000010\n");
    shown_text(text, 100, 30);
    const struct flow *flow = flows_at(trace_flows(shown.trace), 0);
    for (int end = 0; end < 2; end++) {
        flow_nav_show(&shown, end ? flow->last : flow->first);
        const struct window *w = &shown.timeline.window;
        ck_assert_int_lt(w->from, 100000 + trace_begin(shown.trace));
        ck_assert_int_gt(w->from + w->width, 300000 + trace_begin(shown.trace));
        ck_assert_int_lt(w->width, 400000);
        ck_assert_int_eq(shown.timeline.cursor - trace_begin(shown.trace), end ? 300000 : 100000);
        ck_assert_uint_eq(shown.timeline.tracks.pins.n, 1);
        shown_resize(100, 30); /* draws */
        ck_assert(shown_has("thread 6") && shown_has("thread 99"));
    }
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

SUITE(flow_nav) {
    Suite *s = suite_create("flow_nav");
    TCase *t = tcase_create("flow_nav");
    tcase_add_test(t, there_and_back_through_all_points);
    tcase_add_test(t, a_slice_with_two_points_is_passed_at_once);
    tcase_add_test(t, a_flow_is_shown_from_its_begin_to_its_end);
    tcase_add_test(t, the_chosen_flow_is_the_one_that_is_followed);
    tcase_add_test(t, without_a_flow_nothing_moves);
    tcase_add_test(t, modes_have_names);
    suite_add_tcase(s, t);
    return s;
}
