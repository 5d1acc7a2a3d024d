/* suite_u64map.c - a map from number to number, against a list that is searched. */
#include "src/base/u64map.h"

#include <stdbool.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_key_has_the_value_it_was_last_given) {
    enum { KEYS = 400 };
    struct chance chance = {11};
    for (int set = 0; set < 50; set++) {
        struct u64map map = {0};
        uint64_t keys[KEYS] = {0, UINT64_MAX - 1, 1, UINT64_C(1) << 63}, values[KEYS];
        size_t n = 4 + below(&chance, KEYS - 4), given = 0;
        for (size_t i = 4; i < n; i++)
            /* all differ */
            keys[i] = set % 2 ? 2 + i : chance_star(&chance) >> below(&chance, 40) << 8 | i;
        for (size_t i = 0; i < n; i++)
            values[i] = UINT64_MAX;
        for (int turn = 0; turn < 1000; turn++) {
            size_t i = below(&chance, n), asked = below(&chance, n);
            uint64_t value = chance_star(&chance) >> 1;
            given += values[i] == UINT64_MAX;
            values[i] = value;
            u64map_set(&map, keys[i], value);
            MUST(u64map_get(&map, keys[asked]) == values[asked], set);
            MUST(map.n == given, set);
        }
        if (set % 3 == 0)
            u64map_finish(&map);
        MUST(set % 3 != 0 || map.old == NULL, set);
        for (size_t i = 0; i < n; i++)
            MUST(u64map_get(&map, keys[i]) == values[i], set);
        u64map_free(&map);
    }
}
END_TEST

/* A key moves some slots of the table before, never all. */
START_TEST(no_key_moves_a_whole_table) {
    struct u64map map = {0};
    bool grew = false;
    for (uint64_t key = 0; key < 5000; key++) {
        size_t moved = map.moved;
        bool growing = map.old != NULL;
        u64map_set(&map, key, key + 1);
        grew = grew || map.old;
        MUST(!growing || map.old == NULL || map.moved - moved <= 8, (int)key);
        MUST(u64map_get(&map, key / 2) == key / 2 + 1 && u64map_get(&map, key + 1) == UINT64_MAX,
             (int)key);
    }
    ck_assert(grew);
    ck_assert_uint_eq(map.n, 5000);
    u64map_free(&map);
}
END_TEST

START_TEST(an_empty_map_has_no_key_and_no_bytes) {
    struct u64map map = {0};
    ck_assert_uint_eq(u64map_get(&map, 0), UINT64_MAX);
    ck_assert_uint_eq(u64map_bytes(&map), 0);
    u64map_set(&map, 7, 8);
    ck_assert_uint_eq(u64map_get(&map, 6), UINT64_MAX);
    ck_assert_uint_gt(u64map_bytes(&map), 0);
    u64map_free(&map);
    ck_assert_uint_eq(u64map_get(&map, 7), UINT64_MAX);
}
END_TEST

START_TEST(any_number_is_a_key_and_only_the_two_largest_share_one) {
    struct u64map map = {0};
    u64map_set(&map, u64map_key(UINT64_MAX), 5);
    ck_assert_uint_eq(u64map_get(&map, u64map_key(UINT64_MAX - 1)), 5);
    ck_assert_uint_eq(u64map_get(&map, u64map_key(UINT64_MAX - 2)), UINT64_MAX);
    ck_assert_uint_eq(u64map_key(0), 0);
    u64map_free(&map);
}
END_TEST

SUITE(u64map) {
    Suite *s = suite_create("u64map");
    TCase *t = tcase_create("u64map");
    tcase_add_test(t, a_key_has_the_value_it_was_last_given);
    tcase_add_test(t, no_key_moves_a_whole_table);
    tcase_add_test(t, an_empty_map_has_no_key_and_no_bytes);
    tcase_add_test(t, any_number_is_a_key_and_only_the_two_largest_share_one);
    suite_add_tcase(s, t);
    return s;
}
