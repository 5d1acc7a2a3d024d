/* suite_nest_chunks.c - what goes into chunks comes out unchanged and in order, whatever its times
 * are. */
#include "model/nest/nest_chunks.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define NS_32 (INT64_C(1) << 32)

static bool add(struct nest_chunks *chunks, const struct duration *event) {
    return nest_chunks_add(chunks, event) || nest_chunks_add_far(chunks, event);
}

/* Near, at the limits of a chunk, and anywhere, the ends of int64_t among them. */
static int64_t some_time(struct chance *chance, int64_t last) {
    static const int64_t far[] = {INT64_MIN, INT64_MAX,         0,
                                  -1,        INT64_MAX - NS_32, INT64_MIN + NS_32 / 2};
    uint64_t step =
        below(chance, 5) == 0 ? (uint64_t)NS_32 / 2 + below(chance, 5) - 2 : below(chance, 1000000);
    switch (below(chance, 12)) {
    case 0:
        return far[below(chance, sizeof far / sizeof *far)];
    case 1:
        return (int64_t)((uint64_t)last - step);
    default:
        return (int64_t)((uint64_t)last + step);
    }
}

static int64_t some_dur(struct chance *chance) {
    static const int64_t at_limits[] = {DURATION_BEGINS, DURATION_ENDS, DURATION_UNENDED, 0,
                                        NS_32 - 6,       NS_32 - 5,     NS_32 - 4,        NS_32,
                                        INT64_MAX};
    return below(chance, 3) == 0 ? at_limits[below(chance, sizeof at_limits / sizeof *at_limits)]
                                 : (int64_t)below(chance, 100000);
}

static bool is_long(const struct duration *event) {
    return event->dur > NS_32 - 5;
}

START_TEST(events_come_out_as_they_went_in) {
    static struct duration in[NEST_CHUNKS_ENTRIES], out[NEST_CHUNKS_ENTRIES];
    struct nest_chunks chunks = {0};
    struct chance chance = {161803};
    for (int round = 0; round < 400; round++) {
        uint32_t most = round % 8 == 0 ? NEST_CHUNKS_ENTRIES
                                       : (uint32_t)below(&chance, NEST_CHUNKS_ENTRIES),
                 n = 0;
        int64_t time = 0;
        for (uint32_t entries = 0; entries < most; n++) {
            time = some_time(&chance, time);
            in[n] = (struct duration){time, some_dur(&chance), (uint64_t)n << 24 | (uint32_t)round};
            entries += is_long(&in[n]) ? 2 : 1;
            if (entries > NEST_CHUNKS_ENTRIES)
                break;
            MUST(add(&chunks, &in[n]), n);
            MUST(nest_chunks_entries(&chunks) == entries, n);
        }
        MUST(most < NEST_CHUNKS_ENTRIES || !add(&chunks, &(struct duration){0, NS_32, 0}), round);
        MUST(nest_chunks_take(&chunks, out) == n && nest_chunks_entries(&chunks) == 0, round);
        for (uint32_t i = 0; i < n; i++)
            MUST(in[i].time == out[i].time && in[i].dur == out[i].dur &&
                     in[i].packed == out[i].packed,
                 i);
    }
}
END_TEST

/* An event of a thread that has one in a while, and one whose times go to and fro. */
START_TEST(events_far_from_each_other_take_little_more_space) {
    struct nest_chunks chunks = {0};
    for (int i = 0; i < 1000; i++)
        MUST(add(&chunks, &(struct duration){i % 2 ? i * NS_32 : -i * NS_32, 5, 1}), i);
    ck_assert_uint_le(chunks.bytes, 1000 * 40 + 100);
    nest_chunks_free(&chunks);
    ck_assert_uint_eq(nest_chunks_entries(&chunks), 0);
    ck_assert_uint_eq(chunks.bytes, 0);
}
END_TEST

SUITE(nest_chunks) {
    Suite *s = suite_create("nest_chunks");
    TCase *c = tcase_create("nest_chunks");
    tcase_add_test(c, events_come_out_as_they_went_in);
    tcase_add_test(c, events_far_from_each_other_take_little_more_space);
    suite_add_tcase(s, c);
    return s;
}
