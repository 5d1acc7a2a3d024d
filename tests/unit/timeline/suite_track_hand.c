/* suite_track_hand.c - zJ and zK move threads and processes, in each order and in the session. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/keep/keep_state.h"
#include "ui/timeline/track_hand.h"

static const char traced[] = "magic\ninit 1000000000\n"
                             "kernel_object 1 5 \"first\"\nkernel_object 1 8 \"second\"\n"
                             "kernel_object 1 9 \"third\"\n"
                             "kernel_object 2 6 \"aa\" process=koid:5\n"
                             "kernel_object 2 7 \"bb\" process=koid:5\n"
                             "complete 0 5/6 \"c\" \"x\" end=900\n"
                             "complete 0 5/7 \"c\" \"x\" end=500\n"
                             "complete 0 8/8 \"c\" \"x\" end=400\n"
                             "complete 0 9/9 \"c\" \"x\" end=300\n"
                             "counter 0 5/6 \"c\" \"n\" id=1 n=i32:10\n";

/* The rows begin with these, in this order. */
static void in_order(const char *const *names) {
    int y = 0;
    for (; *names; names++) {
        int at = shown_find(*names);
        ck_assert_msg(at > y, "%s: row %d after %d", *names, at, y);
        y = at;
    }
}

#define IN_ORDER(...) in_order((const char *const[]){__VA_ARGS__, NULL})

START_TEST(keys_move_the_current_track) {
    shown_text(traced, 80, 30);
    IN_ORDER("first", "aa", "bb", "second", "third");
    shown_keys("tbb<Enter>zK");
    ck_assert(shown_has("moved; :move-back"));
    IN_ORDER("first", "bb", "aa", "second", "third");
    ck_assert_uint_eq(session_track(&shown.timeline)->of, 1); /* the line goes along */
    shown_keys("zK");
    ck_assert(shown_has("it is the first one"));
    shown_keys("tsecond<Enter>zJ");
    IN_ORDER("first", "bb", "aa", "third", "second");
    shown_keys("oo"); /* by name */
    IN_ORDER("first", "bb", "aa", "third", "second");
    shown_keys("tn.n<Enter>zJ");
    ck_assert(shown_has("only threads and processes move"));
    shown_keys(":move-back<Enter>");
    IN_ORDER("first", "aa", "bb", "second", "third");
    shown_close();
}
END_TEST

START_TEST(a_session_keeps_moves) {
    struct chars lines = {0};
    char first[80];
    shown_text(traced, 80, 30);
    shown_keys("tbb<Enter>zKtthird<Enter>zKzK");
    IN_ORDER("third", "first", "bb", "aa", "second");
    keep_state_write(&shown, &lines);
    chars_add(&lines, (struct str){"", 1});
    ck_assert_ptr_nonnull(strstr(lines.v, "place move thread 5/7 before thread 5/6\n"));
    ck_assert_ptr_nonnull(strstr(lines.v, "place move process 9 before process 8\n"));
    shown_close();
    shown_text(traced, 80, 30);
    ck_assert_uint_eq(keep_state_run(&shown, lines.v, KEEP_ALL, first), 0);
    shown_keys("j");
    IN_ORDER("third", "first", "bb", "aa", "second");
    keep_state_run(&shown, "place move thread 5/7 before process 9\nplace move x\n", KEEP_ALL,
                   first);
    IN_ORDER("third", "first", "bb", "aa", "second");
    vec_free(&lines);
    shown_close();
}
END_TEST

SUITE(track_hand) {
    Suite *s = suite_create("track_hand");
    TCase *t = tcase_create("track_hand");
    tcase_add_test(t, keys_move_the_current_track);
    tcase_add_test(t, a_session_keeps_moves);
    suite_add_tcase(s, t);
    return s;
}
