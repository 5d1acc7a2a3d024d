/* suite_spread.c - buckets tile all durations, and their counts are those of each slice looked
 * at. */
#include "model/query/stat/spread.h"

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {13579};

START_TEST(buckets_tile_all_durations) {
    ck_assert_int_eq(spread_begin_of(0), 0);
    ck_assert_int_eq(spread_begin_of(10), 10);
    ck_assert_int_eq(spread_end_of(SPREAD_BUCKETS - 1), INT64_MAX);
    for (int b = 0; b + 1 < SPREAD_BUCKETS; b++) {
        ck_assert_int_lt(spread_begin_of(b), spread_end_of(b));
        ck_assert_int_eq(spread_end_of(b), spread_begin_of(b + 1));
        ck_assert_int_eq(spread_bucket(spread_begin_of(b)), b);
        ck_assert_int_eq(spread_bucket(spread_end_of(b) - 1), b);
    }
    ck_assert_int_eq(spread_bucket(INT64_MAX), SPREAD_BUCKETS - 1);
}
END_TEST

static bool some(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    (void)ctx;
    return (track + row + i) % 4 > 0;
}

struct asked {
    struct spread *spread;
    struct trace *trace;
    const struct instances_query *query;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    spread_make(task, a->spread, a->trace, a->query);
}

START_TEST(counts_are_those_of_every_slice) {
    for (int n = 0; n < 300; n++) {
        struct trace *trace = thrown_trace(&chance, 2 + (unsigned)below(&chance, 90));
        struct thrown_slices all = thrown_slices(trace);
        struct range range = {0};
        struct slice_group group;
        struct spread got;
        uint64_t these[SPREAD_BUCKETS] = {0}, every[SPREAD_BUCKETS] = {0};
        slice_group_init(&group, trace, GROUP_BY_NAME, NULL);
        struct instances_query query = {
            .range = &range, .kinds = SLICE_ITER_SLICES, .has = some, .group = &group, .key = {0}};
        if (all.n > 0)
            query.key.name =
                trace_packed_name(trace, all.v[below(&chance, all.n)].slice.begin_word);
        for (size_t i = 0; i < all.n; i++) {
            const struct thrown_slice *s = &all.v[i];
            if (s->kind != SLICE_ITER_SLICES || slice_open(&s->slice) ||
                trace_packed_name(trace, s->slice.begin_word) != query.key.name)
                continue;
            for (int b = 0; b < SPREAD_BUCKETS; b++)
                if (slice_dur(&s->slice) >= spread_begin_of(b) &&
                    slice_dur(&s->slice) < spread_end_of(b)) {
                    every[b]++;
                    these[b] += some(NULL, s->track, s->row, s->i);
                }
        }
        task_whole(make, &(struct asked){&got, trace, &query}, NULL);
        for (int b = 0; b < SPREAD_BUCKETS; b++)
            MUST(got.these[b] == these[b] && got.all[b] == every[b], n);
        slice_group_free(&group);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

SUITE(spread) {
    Suite *s = suite_create("spread");
    TCase *t = tcase_create("spread");
    tcase_add_test(t, buckets_tile_all_durations);
    tcase_add_test(t, counts_are_those_of_every_slice);
    suite_add_tcase(s, t);
    return s;
}
