/* suite_event_key.c - an event's mark has its record, its kind, and its event key. */
#include "model/store/event_key.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { EVENTS = 5000 };

static bool equal(const struct event_key *a, const struct event_key *b) {
    return a->who == b->who && a->category == b->category && a->name == b->name &&
           a->thread == b->thread;
}

START_TEST(a_mark_tells_what_it_was_made_of) {
    static struct event_key keys[EVENTS];
    static uint64_t marks[EVENTS];
    struct chance chance = {61};
    for (int set = 0; set < 40; set++) {
        struct event_keys all = {0};
        uint64_t few = 1 + below(&chance, set % 2 ? 3 : 2000),
                 categories = 1 + below(&chance, 3000);
        for (uint64_t i = 0; i < EVENTS; i++) {
            /* Numbers that differ in few bits, and far apart, so that many have the guess of
             * another. */
            keys[i] = (struct event_key){(uint32_t)below(&chance, few) << below(&chance, 2) * 20,
                                         (uint32_t)below(&chance, categories),
                                         (uint32_t)below(&chance, few),
                                         (uint32_t)below(&chance, 1 + few / 8)};
            marks[i] = event_key_mark(&all, i * 24, i % 4, keys[i]);
        }
        for (uint64_t i = 0; i < EVENTS; i++) {
            MUST(event_key_offset(marks[i]) == i * 24, set);
            MUST(event_key_kind(marks[i]) == i % 4, set);
            MUST(equal(event_key_of(&all, marks[i]), &keys[i]), set);
            MUST(i == 0 || marks[i] > marks[i - 1], set); /* in the order of the records */
        }
        for (size_t i = 0; i < all.v.n; i++)
            for (size_t k = 0; k < i && k < 50; k++)
                MUST(!equal(&all.v.v[i], &all.v.v[k]), set); /* each key is kept once */
        event_keys_free(&all);
        MUST(event_keys_bytes(&all) == 0, set);
    }
}
END_TEST

START_TEST(a_key_whose_number_does_not_fit_is_found_by_its_record) {
    struct event_keys all = {0};
    struct event_key a = {1, 2, 3, 4}, b = {4, 5, 6, 7};
    uint64_t near = event_key_mark(&all, 8, 1, a);
    event_key_mark(&all, 16, 1, b);
    uint64_t last = (EVENT_WORDS - 1) * 8, far = event_key_far(&all, last, 2, 1),
             other = event_key_far(&all, 24, 3, 0);
    ck_assert(equal(event_key_of(&all, far), &b) && equal(event_key_of(&all, other), &a));
    ck_assert(equal(event_key_of(&all, near), &a));
    ck_assert_uint_eq(event_key_offset(far), last);
    ck_assert_uint_eq(event_key_kind(far), 2);
    ck_assert_uint_eq(event_key_kind(other), 3);
    event_keys_free(&all);
}
END_TEST

SUITE(event_key) {
    Suite *s = suite_create("event_key");
    TCase *t = tcase_create("event_key");
    tcase_add_test(t, a_mark_tells_what_it_was_made_of);
    tcase_add_test(t, a_key_whose_number_does_not_fit_is_found_by_its_record);
    suite_add_tcase(s, t);
    return s;
}
