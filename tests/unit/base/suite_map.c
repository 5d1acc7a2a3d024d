/* suite_map.c - content gets dense numbers, whatever its hashes are. */
#include "src/base/map.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { MOST = 3000 };

struct contents { /* by number; what is looked for */
    uint64_t v[MOST], wanted;
    uint32_t compared;
};

static bool same(const void *ctx, uint32_t number) {
    struct contents *c = (struct contents *)(uintptr_t)ctx;
    c->compared++;
    return c->v[number] == c->wanted;
}

/* From hashes that are all equal, to hashes that are all different. */
static uint64_t hash_of(int set, uint64_t content) {
    return set % 3 == 0   ? UINT64_C(7) << 40
           : set % 3 == 1 ? content % 50 << 32
                          : hash_words(content, 1);
}

START_TEST(content_has_the_number_that_it_was_added_with) {
    static struct contents c;
    struct chance chance = {21};
    for (int set = 0; set < 9; set++) {
        struct map map = {0};
        uint32_t n = 0, most = set % 3 == 0 ? 300 : MOST;
        while (n < most) {
            c.wanted = below(&chance, most * 2);
            uint64_t hash = hash_of(set, c.wanted);
            uint32_t wanted = MAP_NONE;
            for (uint32_t i = 0; i < n; i++)
                wanted = c.v[i] == c.wanted ? i : wanted;
            MUST(map_find(&map, hash, same, &c) == wanted, set);
            if (wanted != MAP_NONE)
                continue;
            c.v[n] = c.wanted;
            map_add(&map, hash, n++);
            MUST(map.n == n, set);
            if (n % 100 == 0 && below(&chance, 3) == 0)
                break;
        }
        map_free(&map);
    }
}
END_TEST

START_TEST(interned_content_has_one_number) {
    static struct contents c;
    struct chance chance = {5};
    struct map map = {0};
    uint32_t n = 0;
    for (int k = 0; k < 20000; k++) {
        c.wanted = below(&chance, MOST);
        uint32_t i = map_intern(&map, hash_words(c.wanted, 0), same, &c, n);
        MUST(i <= n, k);
        if (i == n)
            c.v[n++] = c.wanted;
        MUST(c.v[i] == c.wanted && map.n == n, k);
    }
    ck_assert_uint_le(n, MOST);
    map_free(&map);
}
END_TEST

START_TEST(other_content_is_compared_only_when_hashes_meet) {
    static struct contents c;
    struct map map = {0};
    for (uint32_t i = 0; i < MOST; i++) {
        c.v[i] = i;
        map_add(&map, hash_words(i, 0), i);
    }
    for (c.wanted = 0; c.wanted < MOST * 2; c.wanted++)
        map_find(&map, hash_words(c.wanted, 0), same, &c);
    ck_assert_uint_lt(c.compared, MOST + 100);
    map_free(&map);
}
END_TEST

START_TEST(a_guess_is_what_was_noted_until_content_is_added) {
    struct map map = {0};
    for (uint64_t key = 0; key < 40; key++)
        *map_guess(&map, key) = (uint32_t)key + 1;
    uint32_t right = 0;
    for (uint64_t key = 0; key < 40; key++)
        right += *map_guess(&map, key) == key + 1;
    ck_assert_uint_ge(right, 35); /* some keys may share a place */
    map_add(&map, 1, 0);
    for (uint64_t key = 0; key < 40; key++)
        ck_assert_uint_eq(*map_guess(&map, key), 0);
    map_free(&map);
}
END_TEST

/* Growing moves entries a few at a time: no call takes long, and all of them are found
 * meanwhile. */
START_TEST(a_map_that_grows_has_all_entries) {
    static struct contents c;
    struct map map = {0};
    bool grew = false;
    for (uint32_t n = 0; n < MOST; n++) {
        size_t moved = map.old.slots ? map.moved : 0;
        bool growing = map.old.slots != NULL;
        c.v[n] = n;
        map_add(&map, hash_words(n, 0), n);
        grew = grew || map.old.slots;
        MUST(!growing || map.old.slots == NULL || map.moved - moved <= 8, (int)n);
        for (c.wanted = n < 40 ? 0 : n - 40; c.wanted <= n + 1; c.wanted++)
            MUST(map_find(&map, hash_words(c.wanted, 0), same, &c) ==
                     (c.wanted <= n ? c.wanted : MAP_NONE),
                 (int)n);
        c.wanted = 0;
        MUST(map_find(&map, hash_words(0, 0), same, &c) == 0, (int)n);
    }
    ck_assert(grew);
    map_finish(&map);
    ck_assert_ptr_null(map.old.slots);
    for (c.wanted = 0; c.wanted < MOST; c.wanted++)
        ck_assert_uint_eq(map_find(&map, hash_words(c.wanted, 0), same, &c), c.wanted);
    map_free(&map);
}
END_TEST

SUITE(map) {
    Suite *s = suite_create("map");
    TCase *t = tcase_create("map");
    tcase_add_test(t, content_has_the_number_that_it_was_added_with);
    tcase_add_test(t, interned_content_has_one_number);
    tcase_add_test(t, other_content_is_compared_only_when_hashes_meet);
    tcase_add_test(t, a_map_that_grows_has_all_entries);
    tcase_add_test(t, a_guess_is_what_was_noted_until_content_is_added);
    suite_add_tcase(s, t);
    return s;
}
