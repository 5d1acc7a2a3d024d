/* suite_keep_set.c - the offsets and hosts in the text of a session, with lines that are wrong. */
#include "ui/keep/keep_set.h"

#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define TRACES 3

static int64_t offsets[TRACES];
static uint16_t worlds[TRACES];
static bool moved[TRACES], hosted;

static void take(const char *text) {
    struct keep_set set = {TRACES, offsets, worlds, moved, &hosted};
    for (uint16_t i = 0; i < TRACES; i++) {
        offsets[i] = 7;
        worlds[i] = i;
        moved[i] = false;
    }
    hosted = false;
    keep_set_read(text, &set);
}

START_TEST(offsets_and_hosts_are_taken) {
    take("# head 12\nplace offset 2 -3000000ns\nplace hosts 0 1 0\nplace order name\n");
    ck_assert(!moved[0] && moved[1] && !moved[2] && hosted);
    ck_assert(offsets[0] == 7 && offsets[1] == -3000000 && offsets[2] == 7);
    ck_assert(worlds[0] == 0 && worlds[1] == 1 && worlds[2] == 0);
    take("place offset 3 2305843009213693952ns");
    ck_assert(moved[2] && offsets[2] == INT64_C(1) << 61);
}
END_TEST

static const char *const wrong[] = {"place offset 0 1ns\n",
                                    "place offset 4 1ns\n",
                                    "place offset 2\n",
                                    "place offset 2 1\n",
                                    "place offset 2 2305843009213693953ns\n",
                                    "place offset -1 1ns\n",
                                    "place offset 99999999999999999999 1ns\n",
                                    " place offset 2 1ns\n",
                                    "place hosts 0 0\n",
                                    "place hosts 0 0 0 0\n",
                                    "place hosts 0 2 1\n",
                                    "place hosts 1 0 0\n",
                                    "place hosts 0 x 0\n",
                                    "place hosts 0 0 0x\n",
                                    "place hosts \nplace hosts ",
                                    ""};

START_TEST(what_is_wrong_changes_nothing) {
    take(wrong[_i]);
    for (uint16_t i = 0; i < TRACES; i++)
        ck_assert_msg(!moved[i] && offsets[i] == 7 && worlds[i] == i && !hosted, "%s", wrong[_i]);
}
END_TEST

SUITE(keep_set) {
    Suite *s = suite_create("keep_set");
    TCase *t = tcase_create("keep_set");
    tcase_add_test(t, offsets_and_hosts_are_taken);
    tcase_add_loop_test(t, what_is_wrong_changes_nothing, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(s, t);
    return s;
}
