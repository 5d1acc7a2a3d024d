/* suite_slice.c - a slice in 24 bytes, and its values in the side table, return what was stored. */
#include "model/store/slice.h"

#include <string.h>

#include "src/base/u64map.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {42};

START_TEST(a_slice_tells_what_was_put_into_it) {
    static const int shifts[] = {0, 20, 32, 33, 34, 56, 57, 58, 62};
    for (int k = 0; k < 20000; k++) {
        uint64_t near =
            (below(&chance, 4) << shifts[below(&chance, sizeof shifts / sizeof *shifts)]) +
            below(&chance, 3) - 1;
        int64_t dur = near >> 63 ? INT64_MAX - (int64_t)below(&chance, 2) : (int64_t)near;
        uint64_t offset = below(&chance, UINT64_C(1) << 37) * 8,
                 end = offset + 8 * (1 + below(&chance, UINT64_C(1) << below(&chance, 30)));
        uint32_t name = below(&chance, 4) ? (uint32_t)below(&chance, 1000)
                                          : EVENT_NAME_MAX - 3 + (uint32_t)below(&chance, 67);
        unsigned flags = (unsigned)below(&chance, 16) & ~1u;
        enum { OWN, OPEN, PAIR, BACK } kind = (int)below(&chance, 4);
        if (kind == BACK)
            end = offset / 2 / 8 * 8; /* the end stands before the begin in the file */
        if (kind == OPEN)
            dur = SLICE_OPEN;
        struct slice s =
            slice_make(7, dur, event_pack(offset, name),
                       kind == OPEN || kind == OWN ? UINT64_MAX : end, flags | (kind == OWN));
        ck_assert_int_eq(s.start, 7);
        ck_assert_int_eq(slice_dur(&s), dur);
        ck_assert_uint_eq(slice_offset(&s), offset);
        ck_assert_uint_eq(slice_flags(&s), flags | (kind == OWN));
        ck_assert_int_eq(slice_endless(&s), kind == OPEN);
        ck_assert_int_eq(slice_open(&s),
                         kind == OPEN || (kind == OWN && (flags & SLICE_MISMATCH) != 0));
        bool known = slice_name(&s) < EVENT_NAME_MAX;
        ck_assert_int_eq(known, name < EVENT_NAME_MAX && (kind == OPEN || dur < SLICE_LONG));
        ck_assert(!known || slice_name(&s) == name);
        if (kind == OPEN || kind == OWN)
            ck_assert(!slice_end_in_side_table(&s) && slice_end_words(&s) == 0);
        else
            ck_assert(slice_end_in_side_table(&s) ||
                      slice_offset(&s) + slice_end_words(&s) * 8 == end);
        ck_assert(kind != PAIR || dur >= SLICE_SHORT || (end - offset) / 8 >= SLICE_DISTANCES ||
                  !slice_end_in_side_table(&s));
    }
}
END_TEST

START_TEST(a_plain_slice_is_made_as_any_other) {
    static const uint64_t words[] = {
        0, 1, 2, SLICE_DISTANCES - 1, SLICE_DISTANCES, SLICE_DISTANCES + 1};
    static const int64_t durs[] = {
        0, 1, 2, SLICE_SHORT - 1, SLICE_SHORT, SLICE_SHORT + 1, SLICE_LONG, INT64_MAX};
    for (int k = 0; k < 20000; k++) {
        uint64_t distance = words[below(&chance, 6)],
                 offset = below(&chance, UINT64_C(1) << 36) * 8, end = offset + distance * 8;
        int64_t dur = durs[below(&chance, 8)];
        uint64_t a = event_pack(offset, (uint32_t)below(&chance, 5)),
                 e = event_pack(end, (uint32_t)below(&chance, 5));
        bool mismatch = distance > 0 && below(&chance, 2),
             plain = dur > 0 && dur < SLICE_SHORT && distance < SLICE_DISTANCES;
        struct slice made = {0}, wanted = slice_make(5, dur, a, distance > 0 ? end : UINT64_MAX,
                                                     (distance > 0 ? 0 : SLICE_COMPLETE) |
                                                         (mismatch ? SLICE_MISMATCH : 0));
        ck_assert_int_eq(slice_make_plain(&made, 5, dur, a, e, mismatch), plain);
        ck_assert(!plain || memcmp(&made, &wanted, sizeof made) == 0);
    }
}
END_TEST

static void set(void *ctx, uint64_t key, uint64_t value) {
    u64map_set(ctx, key, value);
}

static uint64_t get(void *ctx, uint64_t key) {
    return u64map_get(ctx, key);
}

START_TEST(a_slice_that_is_ended_knows_its_end_record_however_far_it_is) {
    struct u64map far = {0};
    struct slice_extra extra = {&far, NULL, set, get, NULL, NULL};
    for (int k = 0; k < 20000; k++) {
        uint64_t offset = 8 + (uint64_t)k * (UINT64_C(1) << 20);
        uint64_t end = offset + 8 * (1 + below(&chance, UINT64_C(1) << below(&chance, 30)));
        if (below(&chance, 8) == 0)
            end = offset / 2 / 8 * 8 + 8; /* its end stands before it */
        int64_t start = (int64_t)below(&chance, 1000),
                dur = (int64_t)(chance_star(&chance) >> (2 + below(&chance, 61)));
        unsigned flags = (unsigned)(below(&chance, 2) * SLICE_MISMATCH),
                 had = (unsigned)(below(&chance, 2) * SLICE_OVERLAP);
        struct slice s = slice_make(start, SLICE_OPEN, event_pack(offset, 5), UINT64_MAX, had);
        MUST(slice_open(&s) && slice_extra_end_offset(&extra, &s) == 0, k);
        slice_extra_close(&extra, &s, start + dur, end, flags);
        MUST(!slice_open(&s) && s.start == start && slice_dur(&s) == dur, k);
        MUST(slice_end(&s) == start + dur && slice_offset(&s) == offset, k);
        MUST(slice_flags(&s) == (flags | had), k);
        MUST(slice_extra_end_offset(&extra, &s) == end, k);
    }
    u64map_free(&far);
}
END_TEST

START_TEST(a_complete_slice_has_no_end_record) {
    struct slice_extra extra = {0};
    struct slice s = slice_make(1, 2, event_pack(80, 3), UINT64_MAX, SLICE_COMPLETE);
    ck_assert_uint_eq(slice_extra_end_offset(&extra, &s), 0);
}
END_TEST

SUITE(slice) {
    Suite *s = suite_create("slice");
    TCase *t = tcase_create("slice");
    tcase_add_test(t, a_slice_tells_what_was_put_into_it);
    tcase_add_test(t, a_plain_slice_is_made_as_any_other);
    tcase_add_test(t, a_slice_that_is_ended_knows_its_end_record_however_far_it_is);
    tcase_add_test(t, a_complete_slice_has_no_end_record);
    suite_add_tcase(s, t);
    return s;
}
