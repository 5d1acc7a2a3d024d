/* suite_waker.c - the key b goes to the thread and slice that woke the selected one, or a message
 * names the reason. */
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

/* main is blocked in "load" from 20 to 60 us, and before that shortly in it from 10 to 12. */
static const char traced[] =
    "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\nthread 3 1 12\n"
    "complete 0 t1 \"c\" \"load\" end=90000\ncomplete 500 t1 \"c\" \"prepare\" end=9000\n"
    "complete 30000 t2 \"c\" \"read\" end=70000\n"
    "complete 45000 t3 \"c\" \"idle work\" end=46000\n"
    "switch 10000 0 10 3 12\nwakeup 12000 0 10 waker=koid:12\nswitch 13000 0 12 3 10\n"
    "switch 20000 0 10 3 11\nwakeup 60000 0 10 waker=koid:11\nswitch 65000 0 11 3 10\n"
    "switch 95000 0 10 3 12\nwakeup 96000 0 11\nwakeup 97000 0 10 waker=koid:77\n"
    "switch 98000 0 12 3 10\ninstant 99000 t1 \"c\" \"last\"\n";

START_TEST(b_goes_to_the_waker_of_the_longest_wait_in_a_slice) {
    shown_text(traced, 100, 30);
    shown_select("load", 0);
    shown_keys("b");
    ck_assert_str_eq(shown_selected(), "read");
    ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), 60000);
    ck_assert(shown_has("here thread 10 was woken"));
    shown_close();
}
END_TEST

START_TEST(the_wait_at_the_cursor_goes_first) {
    shown_text(traced, 100, 30);
    shown_select("load", 0);
    shown.timeline.cursor = trace_origin(shown.trace) + 11000;
    shown_keys("b");
    ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), 12000);
    ck_assert_uint_eq(trace_thread(shown.trace, shown.timeline.selection.of)->id.tid, 12);
    ck_assert_ptr_eq(shown.timeline.selection.kind, &track_thread_state); /* it has no slice then */
    shown_close();
}
END_TEST

/* States of the thread, by the time of their begin in us. */
static void select_state(uint64_t tid, int64_t us) {
    uint32_t thread = trace_koid_thread(shown.trace, 0, tid);
    const struct sched_thread *t = sched_thread(trace_sched(shown.trace), thread);
    uint32_t i = lane_before(&t->lane, trace_origin(shown.trace) + us * 1000);
    shown.timeline.selection = selection_of_lane(&track_thread_state, thread, 0, &t->lane, i);
    shown.timeline.cursor = shown.timeline.selection.time;
}

START_TEST(blocked_and_runnable_states_lead_to_the_same_waker) {
    for (int us = 20; us <= 60; us += 40) {
        shown_text(traced, 100, 30);
        select_state(10, us);
        shown_keys("b");
        ck_assert_str_eq(shown_selected(), "read");
        shown_close();
    }
}
END_TEST

START_TEST(b_says_why_it_goes_nowhere) {
    static const struct {
        uint64_t tid;
        int64_t us;
        const char *says;
    } cases[] = {
        {10, 95, "woken by thread 77, of which the trace has no events"},
        {11, 96, "the waker is unknown"},
        {11, 65, "the waker is unknown"},
        {12, 98, "it is blocked to the end of the trace"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        shown_text(traced, 100, 30);
        select_state(cases[k].tid, cases[k].us);
        shown_keys("b");
        ck_assert_msg(shown_has(cases[k].says), "%s", cases[k].says);
        shown_close();
    }
    shown_text(traced, 100, 30);
    shown_select("prepare", 0);
    shown_keys("b");
    ck_assert(shown_has("the thread does not wait in this slice"));
    shown_close();
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\" end=10\n", 100, 30);
    shown_select("work", 0);
    shown_keys("b");
    ck_assert(shown_has("the trace has no scheduling of this thread"));
    shown_close();
}
END_TEST

SUITE(waker) {
    Suite *s = suite_create("waker");
    TCase *t = tcase_create("waker");
    tcase_add_test(t, b_goes_to_the_waker_of_the_longest_wait_in_a_slice);
    tcase_add_test(t, the_wait_at_the_cursor_goes_first);
    tcase_add_test(t, blocked_and_runnable_states_lead_to_the_same_waker);
    tcase_add_test(t, b_says_why_it_goes_nowhere);
    suite_add_tcase(s, t);
    return s;
}
