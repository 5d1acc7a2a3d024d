/* suite_view_flame.c - keys and the mouse in 3 Flame and 4 Sandwich. */
#include <stdio.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/stat/paths.h"
#include "ui/views/view.h"

/* frame 0-1000: layout 0-600 (text 100-200, text 300-500), paint 600-900; frame 2000-2500: paint
 * 2000-2500. */
static const char frames[] =
    "magic\ninit 1000000000\n"
    "complete 0 5/6 \"c\" \"frame\" end=1000\ncomplete 0 5/6 \"c\" \"layout\" end=600\n"
    "complete 100 5/6 \"c\" \"text\" end=200\ncomplete 300 5/6 \"c\" \"text\" end=500\n"
    "complete 600 5/6 \"c\" \"paint\" end=900\ncomplete 2000 5/6 \"c\" \"frame\" end=2500\n"
    "complete 2000 5/6 \"c\" \"paint\" end=2500\ncomplete 2500 5/7 \"c\" \"paint\" end=2600\n";

static const char *selected(void) {
    return shown_row(shown.layout.status);
}

#define STATUS(text) ck_assert_msg(shown_has(text), "%s", selected())

START_TEST(keys_move_between_frames) {
    shown_text(frames, 120, 30);
    shown_keys("3");
    STATUS("all  100% of all  2.700 us"); /* 2.6 us of one thread, 100 ns of the other */
    shown_keys("j");
    STATUS("frame  55.6% of all  1.500 us  self 100 ns  2 calls");
    shown_keys("j");
    STATUS("paint  29.6% of all  800 ns  self 800 ns  2 calls");
    shown_keys("l");
    STATUS("layout  22.2% of all  600 ns  self 300 ns  1 call ");
    shown_keys("lj");
    STATUS("text  11.1% of all  300 ns  self 300 ns  2 calls");
    shown_keys("j");
    STATUS("nothing below this frame");
    shown_keys("kh");
    STATUS("paint  29.6%");
    shown_keys("*");
    STATUS("paint  3.7% of all  100 ns  self 100 ns  1 call ");
    shown_keys("kk");
    STATUS("all  100%");
    shown_close();
}
END_TEST

START_TEST(enter_zooms_in_and_backspace_out) {
    shown_text(frames, 120, 30);
    shown_keys("3jjl<Enter>");
    ck_assert(shown_has("{layout 600 ns 22.2%"));
    ck_assert(!shown_has("[all"));
    shown_keys("<BS>");
    ck_assert(shown_has("[frame 1.500 us 55.6%"));
    STATUS("layout  22.2%");
    shown_keys("0");
    ck_assert(shown_has("[all 2.700 us 100%"));
    shown_keys("<BS>");
    STATUS("zoomed out already");
    shown_close();
}
END_TEST

START_TEST(a_click_selects_and_another_zooms) {
    shown_text(frames, 120, 30);
    shown_keys("3");
    int y = shown_find("[frame");
    char key[64];
    snprintf(key, sizeof key, "<Click:3,%d><Release:3,%d>", y, y);
    shown_keys(key);
    STATUS("frame  55.6%");
    ck_assert(shown_has("{all") || shown_has("[all"));
    shown_keys(key);
    ck_assert(shown_has("{frame 1.500 us 55.6%"));
    ck_assert(!shown_has("[all"));
    shown_close();
}
END_TEST

START_TEST(switches_change_weight_direction_and_whole) {
    shown_text(frames, 120, 30);
    shown_keys("3c");
    ck_assert(shown_has("wall time in slices"));
    shown_keys("j");
    STATUS("frame  93.8% of all  1.500 us");
    shown_keys("W");
    STATUS("running time is not known");
    ck_assert(shown_has("calls in slices"));
    shown_keys("k");
    STATUS("all  100% of all  8 calls");
    shown_keys("Wi");
    ck_assert(shown_has("bottom-up  wall time in slices"));
    shown_keys("j");
    STATUS("paint  56.2% of all  900 ns  3 calls"); /* 500 + 300 + 100 */
    shown_keys("j");
    STATUS("frame  50.0% of all  800 ns");
    shown_close();
}
END_TEST

START_TEST(a_filter_counts_what_is_inside) {
    shown_text(frames, 120, 30);
    shown_keys("3c&name=layout<Enter>jjj");
    STATUS("text  18.8% of all  300 ns");
    ck_assert(shown_has("left out by the filter 1.000 us 62.5%"));
    shown_keys("&!text<Enter>"); /* without it, also in what is counted */
    ck_assert(shown_has("left out"));
    shown_close();
}
END_TEST

/* Terms about slices go along from the tracks, bare words do not: they are of names of tracks. */
START_TEST(tracks_chosen_by_slices_lead_to_what_is_inside) {
    static const char *const filters[][2] = {
        {"name=layout dur>1ns", "filter: name=layout dur>1ns "},
        {"name=layout thread", "filter: name=layout "},
        {"thread", NULL},
    };
    for (int i = 0; i < 3; i++) {
        char keys[80];
        shown_text(frames, 120, 30);
        snprintf(keys, sizeof keys, "&%s<Enter>3", filters[i][0]);
        shown_keys(keys);
        ck_assert(shown_has(filters[i][1] ? filters[i][1] : "left-heavy"));
        ck_assert_int_eq(shown_has("filter: "), filters[i][1] != NULL);
        shown_close();
    }
}
END_TEST

START_TEST(what_is_inside_is_all_if_it_is_less) {
    shown_text(frames, 120, 30);
    shown_keys("3&name=layout<Enter>");
    STATUS("all  100% of all  600 ns");
    ck_assert(!shown_has("left out by the filter"));
    ck_assert(shown_has("left out: 37.0%"));
    shown_keys("c");
    shown_keys("kj");
    STATUS("frame");
    ck_assert(shown_has("left out by the filter 1.000 us 37.0%"));
    shown_close();
}
END_TEST

START_TEST(a_filter_leaves_ancestors_as_frames) {
    shown_text(frames, 120, 30);
    shown_keys("3c&name=text<Enter>j");
    STATUS("frame  18.8% of all  300 ns  self 0 ns  0 calls");
    ck_assert(shown_has("left out by the filter 1.300 us 81.2%"));
    shown_keys("&name=<Enter>");
    ck_assert(!shown_has("no slice matches"));
    shown_keys("&name=nothing<Enter>");
    ck_assert(shown_has("left out by the filter 1.600 us 100%"));
    shown_keys("&<C-u><Enter>");
    ck_assert(!shown_has("left out"));
    shown_close();
}
END_TEST

START_TEST(the_range_is_what_counts) {
    shown_text(frames, 120, 30);
    range_set_time(&shown.range.range, shown.trace, trace_begin(shown.trace) + 500,
                   trace_begin(shown.trace) + 700);
    shown.range.serial++;
    shown_keys("3j");
    STATUS("frame  100% of all  200 ns  self 0 ns  1 call ");
    shown_keys("j");
    STATUS("  50.0% of all  100 ns  self 100 ns  1 call ");
    shown_close();
}
END_TEST

/* ---- the sandwich ---- */

/* Order and recursion are of frames: callers and callees are the same either way. */
START_TEST(the_sandwich_does_not_name_an_order_of_frames) {
    shown_text(frames, 120, 30);
    shown_keys("3cir");
    ck_assert(shown_has(" bottom-up, recursion folded  wall time"));
    shown_keys("j4");
    ck_assert(shown_has(" wall time") && !shown_has("bottom-up") && !shown_has("folded"));
    shown_close();
}
END_TEST

START_TEST(callers_are_above_and_callees_below) {
    shown_text(frames, 120, 30);
    shown_keys("3cjjl4");
    ck_assert(shown_has("1 call  total 600 ns  self 300 ns  37.5% of all"));
    int middle = shown_find("- layout");
    ck_assert_int_gt(middle, 0);
    int y = shown_find(" frame");
    ck_assert(y > 0 && y < middle);
    y = shown_find(" text");
    ck_assert_int_gt(y, middle);
    ck_assert(shown_has("1 caller, 1 callee"));
    shown_keys("k<Enter>"); /* frame */
    ck_assert(shown_has("2 calls  total 1.500 us  self 100 ns  93.8% of all"));
    ck_assert(shown_has("(root)"));
    ck_assert(shown_has("1 caller, 2 callees"));
    shown_keys("k<Enter>");
    ck_assert(shown_has("nothing calls the outermost frame"));
    shown_keys("jj<Enter>"); /* the heaviest callee */
    ck_assert(shown_has("3 calls  total 900 ns  self 900 ns"));
    shown_keys("<BS><BS>");
    ck_assert(shown_has("1 call  total 600 ns"));
    shown_keys("<BS>");
    ck_assert(shown_has("no name was in the middle before"));
    shown_keys("q");
    ck_assert_ptr_eq(shown.views.current->ops, &view_flame);
    shown_keys("q");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

START_TEST(an_empty_search_drops_the_one_before) {
    for (int view = 3; view <= 4; view++) {
        shown_text(frames, 120, 30);
        shown_keys(view == 3 ? "3/text<Enter>/<Enter>" : "4/text<Enter>/<Enter>");
        ck_assert_msg(shown_has("search dropped"), "%d", view);
        shown_keys("/<Enter>"); /* there is none */
        ck_assert_msg(!shown_has("search dropped"), "%d", view);
        shown_close();
    }
}
END_TEST

START_TEST(from_the_timeline_it_takes_the_selected_name) {
    shown_text(frames, 120, 30);
    shown_select("text", 0);
    shown_keys("4");
    ck_assert_int_gt(shown_find("- text"), 0);
    ck_assert(shown_has("2 calls  total 300 ns  self 300 ns"));
    shown_close();
}
END_TEST

/* Its word has no name in it. */
START_TEST(from_a_run_on_a_processor_it_takes_none) {
    shown_text("magic\ninit 1000000000\nthread 1 5 6\nthread 2 5 7\ncomplete 0 t1 \"c\" \"frame\" "
               "end=1000\n"
               "complete 0 t1 \"c\" \"paint\" end=900\nswitch 100 0 6 3 7\nswitch 200 0 7 3 "
               "6\nswitch 900 0 6 3 7\n",
               120, 30);
    shown_keys("zR");
    ck_assert(track_list_find(&shown.timeline.tracks, &track_cpu, 0, 0, &shown.timeline.line));
    shown_keys("l");
    ck_assert_ptr_eq(shown.timeline.selection.kind, &track_cpu_run);
    shown_keys("4");
    ck_assert_int_gt(shown_find("- paint"), 0); /* the name with the most time of its own */
    shown_close();
}
END_TEST

START_TEST(an_empty_trace_has_no_frames) {
    shown_text("magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"i\"\n", 80, 24);
    shown_keys("3");
    ck_assert(shown_has("no slices in this range"));
    shown_keys("jjllhk<Enter><BS>0*irWc/x<Enter>nN&dur<gt>1ns<Enter>");
    shown_keys("4jjk<Enter><BS>lh");
    ck_assert(shown_has("nothing calls anything"));
    shown_close();
}
END_TEST

/* 2 and 3 call shares of the same time the same: of a thread that is in slices for a tenth of its
 * life. */
START_TEST(a_share_says_of_what) {
    shown_text("magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"a\" end=80\ncomplete 10 1/2 \"c\" "
               "\"b\" end=50\n"
               "complete 980 1/2 \"c\" \"c\" end=1000\n",
               120, 44);
    shown_keys("2");
    ck_assert(shown_has("of time ") && shown_has("8.0%"));
    shown_keys("3");
    ck_assert(shown_has("of all ") && shown_has("80.0%") && !shown_has("of time "));
    shown_keys("c");
    ck_assert(shown_has("of time ") && shown_has("8.0%"));
    shown_close();
    /* 7 of 136 ns: 5.147 % */
    shown_text(
        "magic\ninit 1000000000\ncomplete 0 1/7 \"c\" \"a\" end=17\ncomplete 0 1/8 \"c\" \"a\" "
        "end=20\ncomplete 20 1/8 \"c\" \"b\" end=27\ncomplete 5 2/70 \"d\" \"g\" end=47\n",
        120, 44);
    shown_keys("2");
    ck_assert(shown_has("of time ") && shown_has("5.1%") && !shown_has("5.2%"));
    shown_keys("3");
    ck_assert(shown_has("of time ") && shown_has("5.1%") && !shown_has("5.2%"));
    shown_close();
    /* Slices with an unset time are in the frame of all, but in no thread's time. */
    shown_text("magic\ninit 1000000000\ncomplete 1782000000000000000 1/7 \"c\" \"a\" "
               "end=1782000000000000090\ncomplete 1782000000000000100 1/7 \"c\" \"a\" "
               "end=1782000000000000190\ncomplete 0 1/7 \"c\" \"a\" end=90\n",
               120, 44);
    shown_keys("2");
    ck_assert(shown_has("of time "));
    shown_keys("3");
    ck_assert(shown_has("of all ") && !shown_has("of time "));
    shown_close();
}
END_TEST

SUITE(view_flame) {
    Suite *s = suite_create("view_flame");
    TCase *c = tcase_create("view_flame");
    tcase_add_test(c, keys_move_between_frames);
    tcase_add_test(c, enter_zooms_in_and_backspace_out);
    tcase_add_test(c, a_click_selects_and_another_zooms);
    tcase_add_test(c, switches_change_weight_direction_and_whole);
    tcase_add_test(c, a_filter_counts_what_is_inside);
    tcase_add_test(c, tracks_chosen_by_slices_lead_to_what_is_inside);
    tcase_add_test(c, what_is_inside_is_all_if_it_is_less);
    tcase_add_test(c, a_filter_leaves_ancestors_as_frames);
    tcase_add_test(c, the_range_is_what_counts);
    suite_add_tcase(s, c);
    return s;
}

SUITE(view_sandwich) {
    Suite *s = suite_create("view_sandwich");
    TCase *c = tcase_create("view_sandwich");
    tcase_add_test(c, the_sandwich_does_not_name_an_order_of_frames);
    tcase_add_test(c, callers_are_above_and_callees_below);
    tcase_add_test(c, an_empty_search_drops_the_one_before);
    tcase_add_test(c, from_the_timeline_it_takes_the_selected_name);
    tcase_add_test(c, from_a_run_on_a_processor_it_takes_none);
    tcase_add_test(c, an_empty_trace_has_no_frames);
    tcase_add_test(c, a_share_says_of_what);
    suite_add_tcase(s, c);
    return s;
}
