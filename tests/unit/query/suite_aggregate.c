/* suite_aggregate.c - rows of an aggregate against sums over all slices, one key at a time, and its
 * running counts. */
#include "model/query/aggregate.h"

#include <stdlib.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {424242};

static uint32_t part_of(struct trace *trace, const struct thrown_slice *s, enum aggregate_by by) {
    if (by == AGGREGATE_NAME)
        return 0;
    if (by == AGGREGATE_NAME_TRACK)
        return s->track;
    return s->kind == SLICE_ITER_SLICES
               ? trace_thread(trace, s->track)->process
               : async_group(trace_async(trace), s->track - SLICE_ITER_ASYNC)->process;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One row, by looking at every slice. Returns how many slices are of it. */
static size_t compare_row(const struct aggregate *a, struct trace *trace,
                          const struct thrown_slices *all, unsigned kinds,
                          const struct aggregate_row *row) {
    int64_t *durations = malloc((all->n + 1) * sizeof *durations), sum = 0;
    uint64_t open = 0;
    size_t ended = 0;
    uint32_t tracks = 0, last = UINT32_MAX;
    for (size_t i = 0; i < all->n; i++) {
        const struct thrown_slice *s = &all->v[i];
        if ((s->kind & kinds) == 0 ||
            trace_packed_name(trace, s->slice.begin_word) != row->key.name ||
            part_of(trace, s, a->by) != row->key.a)
            continue;
        tracks += s->track != last;
        last = s->track;
        if (slice_open(&s->slice))
            open++;
        else
            sum += durations[ended++] = slice_dur(&s->slice);
    }
    MUST(row->count == ended + open && row->open == open && row->tracks == tracks &&
         sum_ns(row->sum) == sum);
    MUST(aggregate_mean(row) ==
         (ended > 0 ? (2 * sum + (int64_t)ended) / (2 * (int64_t)ended) : 0));
    if (a->durations) {
        qsort(durations, ended, sizeof *durations, by_value);
        MUST(row->durations.v.n == ended);
        for (size_t i = 0; i < ended; i++)
            MUST(row->durations.v.v[i].value == durations[i]);
    }
    free(durations);
    return ended + open;
}

static void compare(struct aggregate *a, struct trace *trace, const struct thrown_slices *all,
                    unsigned kinds) {
    struct slice_iter iter;
    struct budget budget = budget_units(0);
    size_t seen = 0, want = 0;
    slice_iter_init(&iter, trace, &SLICE_SET_ALL(kinds));
    while (!aggregate_slices(a, trace, &iter, TASK_WITHIN(&budget)))
        budget = budget_units((uint32_t)below(&chance, 300));
    aggregate_sort(NULL, a);
    for (size_t i = 0; i < a->rows.n; i++) {
        seen += compare_row(a, trace, all, kinds, &a->rows.v[i]);
        MUST(aggregate_find(a, &a->rows.v[i].key) == i);
    }
    for (size_t i = 0; i < all->n; i++)
        want += (all->v[i].kind & kinds) != 0 &&
                (a->only == AGGREGATE_ANY ||
                 trace_packed_name(trace, all->v[i].slice.begin_word) == a->only);
    MUST(seen == want);
}

START_TEST(rows_are_those_of_a_slow_count) {
    static const unsigned kinds[] = {SLICE_ITER_SLICES, SLICE_ITER_OPERATIONS,
                                     SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS};
    for (int n = 0; n < 300; n++) {
        struct trace *trace =
            thrown_trace(&chance, n % 100 == 0 ? 20000 : 2 + (unsigned)below(&chance, 300));
        struct thrown_slices all = thrown_slices(trace);
        struct aggregate a = AGGREGATE_INIT((enum aggregate_by)below(&chance, 3));
        a.durations = below(&chance, 2);
        for (int k = 0; k < 3; k++) { /* used again after a clear */
            a.only = below(&chance, 3) > 0 || all.n == 0
                         ? AGGREGATE_ANY
                         : trace_packed_name(trace, all.v[below(&chance, all.n)].slice.begin_word);
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

/* ---- covered time, at every moment ---- */

struct cut {
    const struct thrown_slice *slice;
    uint32_t name, part;
    int64_t start, end; /* in the set's stretch of time */
    bool added;         /* false: it only covers */
};

/* Whether x comes after y in nesting order; both have a length and cover the same moment. */
static bool later(const struct trace *trace, const struct cut *x, const struct cut *y) {
    const struct nest *nest = &trace_thread(trace, x->slice->track)->nest;
    const struct slice_extra *extra = trace_slice_extra(trace);
    if (x->slice->slice.start != y->slice->slice.start)
        return x->slice->slice.start > y->slice->slice.start;
    return nest_depth(nest, extra, x->slice->row, x->slice->i) >
           nest_depth(nest, extra, y->slice->row, y->slice->i);
}

struct covered {
    int64_t total, self, all; /* all: of the tracks, by any slice */
};

/* Adds the stretch from at[0] to at[1], in which no slice begins or ends, to a row. */
static void add_stretch(const struct trace *trace, const struct cut *v, size_t n,
                        const int64_t at[2], const struct aggregate_row *row,
                        struct covered *sums) {
    int64_t x = at[0], y = at[1];
    for (size_t k = 0; k < n;) { /* cuts of one track follow each other */
        uint32_t track = v[k].slice->track;
        const struct cut *last = NULL;
        bool in = false;
        for (; k < n && v[k].slice->track == track; k++) {
            if (v[k].start > x || v[k].end < y)
                continue;
            in = in || (v[k].added && v[k].name == row->key.name && v[k].part == row->key.a);
            if (last == NULL || (track < SLICE_ITER_ASYNC && later(trace, &v[k], last)))
                last = &v[k];
        }
        sums->total += in ? y - x : 0;
        sums->all += last && track < SLICE_ITER_ASYNC ? y - x : 0;
        if (last && track < SLICE_ITER_ASYNC && last->added && last->name == row->key.name &&
            last->part == row->key.a)
            sums->self += y - x;
    }
}

static struct covered covered(const struct trace *trace, const struct cut *v, size_t n,
                              const struct aggregate_row *row) {
    int64_t *times = malloc((2 * n + 1) * sizeof *times);
    struct covered sums = {0};
    for (size_t k = 0; k < n; k++) {
        times[2 * k] = v[k].start;
        times[2 * k + 1] = v[k].end;
    }
    qsort(times, 2 * n, sizeof *times, by_value);
    for (size_t k = 1; k < 2 * n; k++)
        if (times[k] > times[k - 1])
            add_stretch(trace, v, n, &times[k - 1], row, &sums);
    free(times);
    return sums;
}

/* A filter, and a range of tracks. */
static bool most(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    (void)ctx;
    return (track + row + i) % 3 > 0;
}

/* Whether the set's filter selects it. */
static bool is_added(const struct thrown_slice *s, const struct slice_set *set) {
    return set->has == NULL || set->has(NULL, s->track, s->row, s->i);
}

static bool in_set(const struct trace *trace, const struct thrown_slice *s,
                   const struct slice_set *set) {
    int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
    return (s->kind & set->kinds) != 0 && (set->track == NO_THREAD || set->track == s->track) &&
           (set->tracks == NULL || track_set_has(set->tracks, s->track)) &&
           !trace_damaged_slice(trace, &s->slice) && (start < set->to || set->to == INT64_MAX) &&
           (end > set->from || start >= set->from);
}

static void compare_nested(struct trace *trace, const struct thrown_slices *all,
                           const struct slice_set *set, enum aggregate_by by) {
    struct aggregate a = AGGREGATE_INIT(by);
    struct slice_order order;
    struct cut *v = malloc((all->n + 1) * sizeof *v);
    size_t n = 0, seen = 0;
    int64_t selves = 0, any = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct thrown_slice *s = &all->v[i];
        int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
        struct cut cut = {s,
                          trace_packed_name(trace, s->slice.begin_word),
                          part_of(trace, s, by),
                          start > set->from ? start : set->from,
                          end < set->to ? end : set->to,
                          true};
        if (in_set(trace, s, set) && cut.start < cut.end)
            v[n++] = cut;
    }
    slice_order_init(&order, trace, set);
    for (size_t i = 0; i < n; i++)
        v[i].added = is_added(v[i].slice, set);
    while (!aggregate_nested(&a, trace, &order, TASK_OF((uint32_t)below(&chance, 200))))
        ;
    for (size_t i = 0; i < a.rows.n; i++) {
        const struct aggregate_row *row = &a.rows.v[i];
        struct covered want = covered(trace, v, n, row);
        MUST(sum_ns(row->total) == want.total && sum_ns(row->self) == want.self);
        any = want.all;
        selves += sum_ns(row->self);
        seen += row->count;
    }
    if (set->has == NULL) /* a filter selects rows, so that some selves are not added */
        MUST(selves == any);
    for (size_t i = 0; i < all->n; i++)
        seen -= in_set(trace, &all->v[i], set) && is_added(&all->v[i], set);
    MUST(seen == 0);
    slice_order_free(&order);
    aggregate_free(&a);
    free(v);
}

static struct slice_set any_set(const struct trace *trace, const struct thrown_slices *all) {
    struct slice_set set =
        SLICE_SET_ALL(below(&chance, 4) ? SLICE_ITER_SLICES : SLICE_ITER_OPERATIONS);
    uint64_t span = (uint64_t)(trace_end(trace) - trace_origin(trace));
    if (below(&chance, 3) == 0 && all->n > 0)
        set.track = all->v[below(&chance, all->n)].track;
    if (below(&chance, 2) > 0) {
        set.from = trace_origin(trace) + (int64_t)below(&chance, span + 1);
        set.to = set.from + 1 + (int64_t)below(&chance, below(&chance, 2) ? 40 : span + 1);
    }
    return set;
}

/* Recursion counts once, and all selves are the covered time of the threads, overlaps included. */
START_TEST(total_and_self_are_those_of_every_moment) {
    for (int n = 0; n < 2400; n++) {
        unsigned events = 2 + (unsigned)below(&chance, n % 16 == 0 ? 150 : 30);
        struct trace *trace = n % 800 == 0 ? thrown_far(&chance)
                              : n % 3
                                  ? thrown_trace(&chance, events)
                                  : thrown_nested(&chance, events, 2 + (unsigned)below(&chance, 5));
        MUST(n % 800 > 0 || (trace_far_times(trace) == 3 && trace_damaged_slices(trace) == 1));
        struct thrown_slices all = thrown_slices(trace);
        struct slice_set set = any_set(trace, &all);
        struct track_set tracks = {0};
        for (size_t i = 0; i < all.n; i++)
            if (all.v[i].track % 2)
                track_set_put(&tracks, all.v[i].track, true);
        set.tracks = below(&chance, 4) == 0 ? &tracks : NULL;
        set.has = below(&chance, 4) == 0 ? most : NULL;
        compare_nested(trace, &all, &set, (enum aggregate_by)below(&chance, 3));
        track_set_free(&tracks);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

START_TEST(single_durations_saturate_and_keep_their_ids) {
    struct aggregate a = AGGREGATE_INIT(AGGREGATE_NAME);
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
    ck_assert(aggregate_sort(NULL, &a));
    ck_assert_int_eq(sum_ns(a.rows.v[high].sum), INT64_MAX);
    ck_assert_int_eq(sum_ns(a.rows.v[low].sum), INT64_MIN);
    ck_assert_uint_eq(a.rows.v[high].count, 3);
    ck_assert_uint_eq(a.rows.v[high].durations.v.v[0].id, 8);
    aggregate_free(&a);
}
END_TEST

#define ALL_KINDS                                                                                  \
    (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS)

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
    uint32_t from = i - i % AGGREGATE_BLOCK,
             end = s->n - from < AGGREGATE_BLOCK ? s->n : from + AGGREGATE_BLOCK;
    for (i = from; i < end; i++)
        if (is_counted(s, i))
            return true;
    return false;
}

static void compare_series(const struct aggregate_series *c, const struct slice_series *s) {
    uint32_t counted = s->n, n = 0, next = counted;
    for (uint32_t i = 0; i < counted; i++) {
        if (i % AGGREGATE_BLOCK == 0)
            MUST(aggregate_before(c, i / AGGREGATE_BLOCK) == n);
        n += is_counted(s, i);
    }
    MUST(aggregate_series_count(c) == n);
    /* a skip passes no counted event, and ends in a block with some */
    for (uint32_t i = counted; i > 0; i--) {
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
        struct trace *trace =
            thrown_trace(&chance, n % 20 == 0 ? 20000 : 2 + (unsigned)below(&chance, 300));
        struct aggregate a = AGGREGATE_INIT(AGGREGATE_NAME);
        struct slice_series s;
        struct budget budget = budget_units(0);
        unsigned calls = 0;
        struct aggregate_events events = {ALL_KINDS, count_some, &calls};
        uint32_t row = aggregate_row(&a, &(struct aggregate_key){0});
        for (bool done = false; !done; budget = budget_units((uint32_t)below(&chance, 300))) {
            unsigned most = calls + budget.units / (AGGREGATE_BLOCK / 8) + 1;
            done = aggregate_count(&a, row, trace, &events, TASK_WITHIN(&budget));
            MUST(calls <= most); /* a step ends with its budget */
            for (size_t i = 0; i < a.running.v.n; i++) {
                const struct aggregate_series *c = &a.running.v.v[i];
                MUST(!done || c->blocks >= 1);
            }
        }
        uint64_t all = 0;
        for (uint32_t track = 0, r = 0; slice_iter_series(trace, ALL_KINDS, &track, &r, &s);) {
            const struct aggregate_series *c = aggregate_series_of(&a, &s);
            MUST(c != NULL && c->blocks == (s.n + AGGREGATE_BLOCK - 1) / AGGREGATE_BLOCK);
            /* a million short series are freed within a key */
            MUST((c->more != NULL) == (s.n > AGGREGATE_BLOCK));
            compare_series(c, &s);
            all += aggregate_series_count(c);
        }
        ck_assert_uint_eq(a.rows.v[row].count, all);
        aggregate_free(&a);
        trace_free(trace);
    }
}
END_TEST

SUITE(aggregate) {
    Suite *s = suite_create("aggregate");
    TCase *c = tcase_create("aggregate");
    tcase_add_test(c, rows_are_those_of_a_slow_count);
    tcase_add_test(c, running_counts_are_those_of_a_slow_count);
    tcase_add_test(c, total_and_self_are_those_of_every_moment);
    tcase_add_test(c, single_durations_saturate_and_keep_their_ids);
    suite_add_tcase(s, c);
    return s;
}
