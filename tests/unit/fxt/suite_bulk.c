/* suite_bulk.c - the bulk of random times, against all stretches of the sorted times
 * (SEMANTICS 4.5). */
#include "src/fxt/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define TIMES 4000

static int by_time(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool more_than_ten(uint64_t gap, uint64_t span) {
    return span > 0 && gap / 10 >= span && gap - span * 10 > 0;
}

/* The shortest of all stretches that leave out few enough times, each more than ten spans away. */
static struct bulk_stretch shortest(const int64_t *t, size_t n) {
    struct bulk_stretch best = {t[0], t[n - 1], 0, 0, BULK_NO_ZERO};
    size_t few = n / 16 < 8 ? n / 16 : 8, allowed = n / 1000 > few ? n / 1000 : few;
    for (size_t i = 0; i <= allowed; i++)
        for (size_t k = 0; i + k <= allowed; k++) {
            int64_t from = t[i], to = t[n - 1 - k];
            uint64_t span = (uint64_t)to - (uint64_t)from;
            if ((i == 0 || more_than_ten((uint64_t)from - (uint64_t)t[i - 1], span)) &&
                (k == 0 || more_than_ten((uint64_t)t[n - k] - (uint64_t)to, span)) &&
                span < (uint64_t)best.to - (uint64_t)best.from)
                best = (struct bulk_stretch){from, to, i + k, 0, BULK_NO_ZERO};
        }
    return best;
}

static int64_t saturated(int64_t t, uint64_t by, bool back) {
    uint64_t least = (uint64_t)t - (uint64_t) - (INT64_C(1) << 61),
             most = (uint64_t)(INT64_C(1) << 61) - (uint64_t)t;
    if (back)
        return by > least ? -(INT64_C(1) << 61) : (int64_t)((uint64_t)t - by);
    return by > most ? INT64_C(1) << 61 : (int64_t)((uint64_t)t + by);
}

/* Times in a stretch, rising or in any order, of which some are far: just over ten spans, just
 * under, or anywhere. */
static size_t throw_times(struct chance *c, int64_t *t) {
    size_t n = below(c, 3) == 0 ? 1 + below(c, 300) : 1000 + below(c, TIMES - 1000);
    int64_t from = (int64_t)below(c, UINT64_C(1) << 60) * (below(c, 2) ? 1 : -1);
    uint64_t span = UINT64_C(1) << below(c, 50);
    bool rising = below(c, 2), clustered = below(c, 4) == 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t at = rising ? i * (span / n + 1) % (span + 1) : below(c, span + 1);
        t[i] = from + (int64_t)(clustered && below(c, 10) > 0 ? at / 1000 : at);
    }
    for (size_t k = below(c, 12); k > 0; k--) {
        size_t i = below(c, n);
        uint64_t by =
            below(c, 3) == 0 ? span * (9 + below(c, 4)) + below(c, 3) : UINT64_C(1) << below(c, 62);
        t[i] = saturated(t[i], by, below(c, 2));
    }
    return n;
}

/* Adds the times, those of the core in the way that the reader does. */
static void add_all(struct bulk *bulk, const int64_t *t, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!bulk_add_core(bulk, t[i], t[i]))
            bulk_add(bulk, t[i], i * 8);
    }
}

START_TEST(the_bulk_is_the_shortest_stretch) {
    static int64_t t[TIMES], sorted[TIMES];
    struct chance c = {12345};
    int some = 0;
    for (int set = 0; set < 3000; set++) {
        size_t n = throw_times(&c, t);
        struct bulk bulk;
        struct bulk_stretch found;
        bulk_init(&bulk, below(&c, 2) ? n / 1000 : UINT64_MAX);
        add_all(&bulk, t, n);
        MUST(bulk_find(&bulk, n, (struct wide){0, 0}, &found), set);
        memcpy(sorted, t, n * sizeof *t);
        qsort(sorted, n, sizeof *sorted, by_time);
        struct bulk_stretch wanted = shortest(sorted, n);
        MUST(found.from == wanted.from && found.to == wanted.to && found.far == wanted.far, set);
        some += wanted.far > 0;
        size_t cases = 0;
        for (size_t i = 0; i < bulk.cases.n; i++)
            cases += bulk_is_far(&found, bulk.cases.v[i].time) &&
                     t[bulk.cases.v[i].offset / 8] == bulk.cases.v[i].time;
        MUST(cases == found.far, set);
        bulk_free(&bulk);
    }
    ck_assert_int_gt(some, 1000);
}
END_TEST

/* Adds the times that clocks vouch for. */
static struct bulk_stretch vouched(struct bulk_stretch s, const int64_t *t, size_t n, int64_t from,
                                   int64_t to) {
    const struct bulk_stretch was = s;
    uint64_t far = 0;
    if (was.to < from || was.from > to)
        return was;
    for (size_t i = 0; i < n; i++)
        if (t[i] >= from && t[i] <= to) {
            s.from = t[i] < s.from ? t[i] : s.from;
            s.to = t[i] > s.to ? t[i] : s.to;
        }
    for (size_t i = 0; i < n; i++)
        far += t[i] < s.from || t[i] > s.to;
    s.far = far;
    return s;
}

/* The base is 2^62 ns. Two clocks have the times `from` and `to`, which are `wall` apart by the
 * wall clock. */
static struct bulk_stretch with_clocks(const int64_t *t, size_t n, int64_t from, int64_t to,
                                       uint64_t wall) {
    const struct wide base = {0, UINT64_C(1) << 62};
    struct bulk bulk;
    struct bulk_stretch found;
    bulk_init(&bulk, UINT64_MAX);
    bulk_clock(&bulk, wide_add(base, from), 1700000000000000000);
    for (size_t i = 0; i < n; i++)
        if (!bulk_add_core(&bulk, t[i], t[i]))
            bulk_add(&bulk, t[i], i * 8);
    bulk_clock(&bulk, wide_add(base, to), 1700000000000000000 + wall);
    ck_assert(bulk_find(&bulk, n, base, &found));
    bulk_free(&bulk);
    return found;
}

START_TEST(clocks_that_agree_vouch_for_the_time_between) {
    static int64_t t[TIMES], sorted[TIMES];
    struct chance c = {4711};
    unsigned grown = 0, left = 0;
    for (int set = 0; set < 3000; set++) {
        size_t n = throw_times(&c, t);
        memcpy(sorted, t, n * sizeof *t);
        qsort(sorted, n, sizeof *sorted, by_time);
        struct bulk_stretch bulk = shortest(sorted, n);
        if (n < 8)
            continue;
        int64_t from = sorted[below(&c, 8)] - (int64_t)below(&c, 2),
                to = sorted[n - 1 - below(&c, 8)];
        uint64_t took = (uint64_t)to - (uint64_t)from;
        if (from >= to || took > UINT64_C(1) << 60)
            continue;
        struct bulk_stretch wanted = bulk.far > 0 ? vouched(bulk, t, n, from, to) : bulk;
        struct bulk_stretch found = with_clocks(t, n, from, to, took + below(&c, took / 100 + 1));
        MUST(found.from == wanted.from && found.to == wanted.to && found.far == wanted.far, set);
        grown += wanted.far < bulk.far;
        left += wanted.far > 0;
        found = with_clocks(t, n, from, to, took + took / 100 + 1000001);
        MUST(found.from == bulk.from && found.to == bulk.to && found.far == bulk.far, set);
    }
    ck_assert_msg(grown > 100 && left > 100, "%u grown, %u left", grown, left);
}
END_TEST

/* Adds n times from `from` on, of which every `of`th is 0. */
static struct bulk_stretch with_zeros(size_t n, int64_t from, size_t of) {
    struct bulk bulk;
    struct bulk_stretch found;
    bulk_init(&bulk, n / 1000);
    bulk_zero(&bulk, 0);
    for (size_t i = 0; i < n; i++) {
        int64_t t = i % of == 0 ? 0 : from + (int64_t)i;
        if (!bulk_add_core(&bulk, t, t))
            bulk_add(&bulk, t, 8 + i * 8);
    }
    ck_assert(bulk_find(&bulk, n, (struct wide){0, 0}, &found));
    ck_assert_uint_eq(bulk.zeros, (n + of - 1) / of);
    ck_assert_uint_eq(bulk.zero_offset, 8);
    bulk_free(&bulk);
    return found;
}

/* Few or most of few or many. */
START_TEST(times_of_0_beside_an_epoch_are_unset) {
    static const size_t sizes[] = {3, 10, 200, 999, 1001, 30000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        for (size_t of = 2; of <= n; of = of * 3 + 1) {
            struct bulk_stretch found = with_zeros(n, INT64_C(1700000000) * 1000000000, of);
            MUST(found.unset == (n + of - 1) / of && found.unset_to == 0 && found.far == 0, n);
            MUST(found.from > INT64_C(1700000000) * 1000000000 &&
                     found.to - found.from < (int64_t)n,
                 n);
            MUST(!bulk_is_far(&found, 0) &&
                     with_zeros(n, INT64_C(3600) * 1000000000, of).unset == 0,
                 n);
        }
    }
}
END_TEST

/* A time keeps its record only while it is outside of the core: an octave of many is part of
 * that. */
START_TEST(cases_are_few) {
    struct bulk bulk;
    struct chance c = {77};
    const size_t n = 1000000;
    bulk_init(&bulk, n / 1000);
    for (size_t i = 0; i < n; i++)
        bulk_add(&bulk, (int64_t)(chance_next(&c) >> (1 + below(&c, 62))), 0);
    ck_assert_uint_le(bulk.cases.n, (2 * BULK_OCTAVES + 1) * (n / 1000 + 1) + BULK_SAMPLE);
    bulk_free(&bulk);
}
END_TEST

SUITE(bulk) {
    Suite *s = suite_create("bulk");
    TCase *t = tcase_create("bulk");
    tcase_add_test(t, the_bulk_is_the_shortest_stretch);
    tcase_add_test(t, clocks_that_agree_vouch_for_the_time_between);
    tcase_add_test(t, times_of_0_beside_an_epoch_are_unset);
    tcase_add_test(t, cases_are_few);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return s;
}
