/* suite_track_moved.c - moves are made one after the other, and leave what they do not name. */
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/list/track_moved.h"

static void add(struct track_moved *m, uint32_t item, uint32_t before) {
    ck_assert(track_moved_add(m, &(struct track_move){false, 0, item, before}));
}

static void is(struct track_moved *m, const char *want) {
    static const uint32_t v[] = {0, 1, 2, 3};
    const uint32_t *order = track_moved_order(m, false, 0, v, 4);
    char text[5] = "";
    for (size_t i = 0; i < 4; i++)
        text[i] = (char)('a' + order[i]);
    ck_assert_str_eq(text, want);
}

START_TEST(each_is_before_another_one) {
    struct track_moved m = {0};
    is(&m, "abcd");
    add(&m, 1, 0);
    is(&m, "bacd");
    add(&m, 2, 0);
    is(&m, "bcad");
    add(&m, 0, 2); /* the reverse of the last one */
    is(&m, "bacd");
    ck_assert_uint_eq(m.v.n, 1);
    add(&m, 1, 9); /* it is not there now */
    add(&m, 0, 3);
    is(&m, "bcad");
    ck_assert(
        track_moved_add(&m, &(struct track_move){true, 7, 3, 0})); /* of a process's threads */
    is(&m, "bcad");
    const uint32_t threads[] = {0, 3};
    ck_assert_uint_eq(track_moved_order(&m, true, 7, threads, 2)[0], 3);
    ck_assert_ptr_eq(track_moved_order(&m, true, 8, threads, 2), threads);
    track_moved_free(&m);
}
END_TEST

/* Two that are next to each other change places, and all others stay. */
START_TEST(a_move_past_the_next_one_swaps) {
    struct track_moved m = {0};
    struct chance chance = {7};
    uint32_t v[9], before[9];
    for (uint32_t i = 0; i < 9; i++)
        v[i] = i;
    while (m.v.n < TRACK_MOVED_MOST) {
        size_t k = (size_t)below(&chance, 8), n = m.v.n;
        memcpy(before, track_moved_order(&m, false, 0, v, 9), sizeof before);
        add(&m, before[k + 1], before[k]);
        const uint32_t *now = track_moved_order(&m, false, 0, v, 9);
        for (size_t i = 0; i < 9; i++) {
            size_t was = i;
            if (i == k || i == k + 1)
                was = i == k ? k + 1 : k;
            ck_assert_uint_eq(now[i], before[was]);
        }
        ck_assert(m.v.n == n + 1 || m.v.n + 1 == n);
    }
    ck_assert(!track_moved_add(&m, &(struct track_move){false, 0, 77, 78}));
    track_moved_free(&m);
}
END_TEST

SUITE(track_moved) {
    Suite *s = suite_create("track_moved");
    TCase *t = tcase_create("track_moved");
    tcase_add_test(t, each_is_before_another_one);
    tcase_add_test(t, a_move_past_the_next_one_swaps);
    suite_add_tcase(s, t);
    return s;
}
