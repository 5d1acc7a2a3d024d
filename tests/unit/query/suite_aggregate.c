/* suite_aggregate.c - rows of an aggregate against sums over all slices, one key at a time, and its running counts. */
#include "model/query/aggregate.h"

#include <stdlib.h>

#include "tests/lib/must.h"
#include "tests/lib/suites.h"
#include "tests/unit/query/thrown.h"

static struct chance chance = {424242};

static uint32_t part_of(struct trace *trace, const struct thrown_slice *s, enum aggregate_by by) {
    if (by == AGGREGATE_NAME)
        return 0;
    if (by == AGGREGATE_NAME_TRACK)
        return s->track;
    return s->kind == SLICE_ITER_SLICES ? trace_thread(trace, s->track)->process
                                        : async_group(trace_async(trace), s->track - SLICE_ITER_ASYNC)->process;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One row, by looking at every slice. Returns how many slices are of it. */
static size_t compare_row(const struct aggregate *a, struct trace *trace, const struct thrown_slices *all,
                          unsigned kinds, const struct aggregate_row *row) {
    int64_t *durations = malloc((all->n + 1) * sizeof *durations), total = 0, open_total = 0;
    uint64_t count = 0, open = 0;
    uint32_t tracks = 0, last = UINT32_MAX;
    for (size_t i = 0; i < all->n; i++) {
        const struct thrown_slice *s = &all->v[i];
        if ((s->kind & kinds) == 0 || trace_packed_name(trace, s->slice->begin_word) != row->key.name ||
            part_of(trace, s, a->by) != row->key.a)
            continue;
        if (slice_open(s->slice)) {
            open++;
            open_total += a->until - s->slice->start;
            continue;
        }
        tracks += s->track != last;
        last = s->track;
        total += durations[count++] = slice_dur(s->slice);
    }
    MUST(row->count == count && row->open == open && row->tracks == tracks);
    MUST(row->total == total && row->open_total == open_total);
    if (a->durations) {
        qsort(durations, count, sizeof *durations, by_value);
        MUST(row->durations.v.n == count);
        for (size_t i = 0; i < count; i++)
            MUST(row->durations.v.v[i].value == durations[i]);
    }
    free(durations);
    return count + open;
}

static void compare(struct aggregate *a, struct trace *trace, const struct thrown_slices *all, unsigned kinds) {
    struct slice_iter iter;
    struct budget budget = budget_units(0);
    size_t seen = 0, want = 0;
    slice_iter_init(&iter, trace, &SLICE_SET_ALL(kinds));
    while (!aggregate_slices(a, trace, &iter, &budget))
        budget = budget_units((uint32_t)below(&chance, 300));
    while (!aggregate_sort(a, &budget))
        budget = budget_units(1 + (uint32_t)below(&chance, 300));
    for (size_t i = 0; i < a->rows.n; i++) {
        seen += compare_row(a, trace, all, kinds, &a->rows.v[i]);
        MUST(aggregate_find(a, &a->rows.v[i].key) == i);
    }
    for (size_t i = 0; i < all->n; i++)
        want += (all->v[i].kind & kinds) != 0 &&
                (a->only == AGGREGATE_ANY || trace_packed_name(trace, all->v[i].slice->begin_word) == a->only);
    MUST(seen == want);
}

START_TEST(rows_are_those_of_a_slow_count) {
    static const unsigned kinds[] = {SLICE_ITER_SLICES, SLICE_ITER_OPERATIONS,
                                     SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS};
    for (int n = 0; n < 300; n++) {
        struct trace *trace = thrown_trace(&chance, n % 100 == 0 ? 20000 : 2 + (unsigned)below(&chance, 300));
        struct thrown_slices all = thrown_slices(trace);
        struct aggregate a = AGGREGATE_INIT((enum aggregate_by)below(&chance, 3), trace_end(trace));
        a.durations = below(&chance, 2);
        for (int k = 0; k < 3; k++) { /* used again after a clear */
            a.only = below(&chance, 3) > 0 || all.n == 0
                         ? AGGREGATE_ANY
                         : trace_packed_name(trace, all.v[below(&chance, all.n)].slice->begin_word);
            compare(&a, trace, &all, kinds[below(&chance, 3)]);
            aggregate_clear(&a);
            ck_assert_uint_eq(a.rows.n, 0);
        }
        aggregate_free(&a);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

START_TEST(single_durations_saturate_and_keep_their_ids) {
    struct aggregate a = AGGREGATE_INIT(AGGREGATE_NAME, 0);
    struct budget budget = budget_endless();
    a.durations = true;
    uint32_t high = aggregate_row(&a, &(struct aggregate_key){7, 1, 2}),
             low = aggregate_row(&a, &(struct aggregate_key){7, 2, 1});
    ck_assert_uint_ne(high, low);
    ck_assert_uint_eq(aggregate_row(&a, &(struct aggregate_key){7, 1, 2}), high);
    ck_assert_uint_eq(aggregate_find(&a, &(struct aggregate_key){7, 0, 0}), AGGREGATE_ANY);
    for (uint32_t i = 0; i < 3; i++) {
        aggregate_add(&a, high, INT64_MAX - 1, 10 - i);
        aggregate_add(&a, low, INT64_MIN + 1, i);
    }
    ck_assert(aggregate_sort(&a, &budget));
    ck_assert_int_eq(a.rows.v[high].total, INT64_MAX);
    ck_assert_int_eq(a.rows.v[low].total, INT64_MIN);
    ck_assert_uint_eq(a.rows.v[high].count, 3);
    ck_assert_uint_eq(a.rows.v[high].durations.v.v[0].id, 8);
    aggregate_free(&a);
}
END_TEST

#define ALL_KINDS (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS)

/* Events that a test counts: blocks without any are as likely as blocks with some. */
static bool is_counted(const struct slice_series *s, uint32_t i) {
    return (i / 700 + s->track + s->row) % 2 == 0 && i % 5 == 0;
}

static uint32_t count_some(void *ctx, const struct slice_series *s, uint32_t i, uint32_t end) {
    uint32_t n = 0;
    ++*(unsigned *)ctx;
    MUST(end <= s->n && i % AGGREGATE_BLOCK == 0 && end - i <= AGGREGATE_BLOCK);
    for (; i < end; i++)
        n += is_counted(s, i);
    return n;
}

/* Whether the block of an entry has any. */
static bool has_counted(const struct slice_series *s, uint32_t i) {
    uint32_t from = i - i % AGGREGATE_BLOCK, end = s->n - from < AGGREGATE_BLOCK ? s->n : from + AGGREGATE_BLOCK;
    for (i = from; i < end; i++)
        if (is_counted(s, i))
            return true;
    return false;
}

static void compare_series(const struct aggregate_series *c, const struct slice_series *s) {
    uint32_t counted = aggregate_counted(c, s), n = 0, next = counted;
    for (uint32_t i = 0; i < counted; i++) {
        if (i % AGGREGATE_BLOCK == 0)
            MUST(c->before.v[i / AGGREGATE_BLOCK] == n);
        n += is_counted(s, i);
    }
    MUST(aggregate_series_count(c) == n);
    for (uint32_t i = counted; i > 0; i--) { /* a skip passes no counted event, and ends in a block with some */
        next = is_counted(s, i - 1) ? i - 1 : next;
        uint32_t at = aggregate_skip(c, i - 1, counted);
        MUST(at >= i - 1 && at <= next);
        MUST(at == counted || has_counted(s, at));
    }
    for (uint32_t i = 0, last = 0; i <= counted; i++) {
        uint32_t at = aggregate_skip_back(c, i);
        MUST(at <= i && at >= last);
        MUST(at == 0 || has_counted(s, at - 1));
        last = i < counted && is_counted(s, i) ? i + 1 : last;
    }
}

START_TEST(running_counts_are_those_of_a_slow_count) {
    for (int n = 0; n < 60; n++) {
        struct trace *trace = thrown_trace(&chance, n % 20 == 0 ? 20000 : 2 + (unsigned)below(&chance, 300));
        struct aggregate a = AGGREGATE_INIT(AGGREGATE_NAME, 0);
        struct slice_series s;
        struct budget budget = budget_units(0);
        unsigned calls = 0;
        struct aggregate_events events = {ALL_KINDS, count_some, &calls};
        uint32_t row = aggregate_row(&a, &(struct aggregate_key){0});
        for (bool done = false; !done; budget = budget_units((uint32_t)below(&chance, 300))) {
            unsigned most = calls + budget.units / (AGGREGATE_BLOCK / 8) + 1;
            done = aggregate_count(&a, row, trace, &events, &budget);
            MUST(calls <= most); /* a step ends with its budget */
            for (size_t i = 0; i < a.running.v.n; i++) {
                const struct aggregate_series *c = &a.running.v.v[i];
                MUST(c->before.n >= 1 && (!done || c->before.n >= 2));
            }
        }
        uint64_t all = 0;
        for (uint32_t track = 0, r = 0; slice_iter_series(trace, ALL_KINDS, &track, &r, &s);) {
            const struct aggregate_series *c = aggregate_series_of(&a, &s);
            MUST(c != NULL && aggregate_counted(c, &s) == s.n);
            compare_series(c, &s);
            all += aggregate_series_count(c);
        }
        ck_assert_uint_eq(a.rows.v[row].count, all);
        aggregate_free(&a);
        trace_free(trace);
    }
}
END_TEST

Suite *suite_aggregate(void) {
    Suite *s = suite_create("aggregate");
    TCase *c = tcase_create("aggregate");
    tcase_add_test(c, rows_are_those_of_a_slow_count);
    tcase_add_test(c, running_counts_are_those_of_a_slow_count);
    tcase_add_test(c, single_durations_saturate_and_keep_their_ids);
    suite_add_tcase(s, c);
    return s;
}
