/* suite_lane.c - a lane's answers against those of a plain scan. */
#include "model/store/lane.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST_COLUMNS 130

static struct chance chance = {42};

#define NAMES 6

/* Some names are frequent for a while, so that columns of any width have one that covers most, or
 * just about half. */
static uint32_t some_name(uint32_t i, unsigned kind) {
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return (uint32_t)below(&chance, NAMES);
    case 2:
        return below(&chance, 10) < 7 ? 2 : (uint32_t)below(&chance, NAMES);
    case 3:
        return i % 2;
    case 4:
        return i % 4 ? 3 : 5;
    default:
        return below(&chance, 3) ? i / 100 % NAMES : (uint32_t)below(&chance, NAMES);
    }
}

/* Appends slices after the others; touching ones and those of no length are frequent. */
static void grow(struct lane *lane, uint32_t n, int64_t first, int64_t longest) {
    unsigned kind = (unsigned)below(&chance, 6);
    /* slices of one length, so that shares are simple fractions */
    bool even = below(&chance, 3) == 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t start = lane->n > 0 ? slice_end(lane_at(lane, lane->n - 1)) : first, dur = 0;
        if (below(&chance, 2))
            start += (int64_t)below(&chance, (uint64_t)longest + 1);
        if (below(&chance, 4))
            dur =
                (int64_t)below(&chance, (uint64_t)(below(&chance, 8) ? longest : longest * 20) + 1);
        uint64_t offset = chance_next(&chance) % 100000 * 8;
        if (even) {
            start = lane->n > 0 ? slice_end(lane_at(lane, lane->n - 1)) : first;
            dur = longest;
        }
        struct slice s = slice_make(start, dur, event_pack(offset, some_name(i, kind)), offset + 16,
                                    below(&chance, 2) ? SLICE_COMPLETE : 0);
        lane_push(lane, &s);
    }
}

/* The last slice may have no end; what had one gets it back. */
static void set_open(struct lane *lane, bool open) {
    struct slice *s = lane_last(lane);
    if (open && !slice_open(s))
        *s = slice_make(s->start, SLICE_OPEN, s->begin_word, UINT64_MAX, 0);
    else if (!open && slice_open(s))
        *s = slice_make(s->start, (int64_t)below(&chance, 50), s->begin_word, slice_offset(s) + 8,
                        0);
}

static int64_t some_time(const struct lane *lane) {
    if (lane->n == 0)
        return (int64_t)below(&chance, 100);
    const struct slice *s = lane_at(lane, below(&chance, lane->n));
    switch (below(&chance, 5)) {
    case 0:
        return s->start;
    case 1:
        return slice_open(s) ? s->start + 1 : slice_end(s);
    case 2:
        return s->start + (int64_t)below(&chance, 5) - 2;
    case 3:
        return slice_open(s) ? s->start : s->start + slice_dur(s) / 2;
    default:
        return (int64_t)(chance_next(&chance) >> 4) * (below(&chance, 2) ? 1 : -1);
    }
}

/* the lane's, for scans: a lane unpacks a block each time it is asked for a slice */
static VEC(struct slice) plain;

static void read_all(const struct lane *lane) {
    plain.n = 0;
    for (uint32_t i = 0; i < lane->n; i++)
        vec_push(&plain, *lane_at(lane, i));
}

static void from_and_before(const struct lane *lane, int64_t t) {
    uint32_t from = 0, before = UINT32_MAX;
    while (from < plain.n && plain.v[from].start < t)
        from++;
    for (uint32_t i = 0; i < plain.n && plain.v[i].start <= t; i++)
        before = i;
    MUST(lane_from(lane, t) == from);
    MUST(lane_before(lane, t) == before);
}

static void busy(struct lane *lane, int64_t from, int64_t to) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < plain.n; i++) {
        int64_t a = plain.v[i].start, b = slice_end(&plain.v[i]);
        if (a < from)
            a = from;
        if (b > to)
            b = to;
        if (a < b)
            sum += b - a;
    }
    MUST(lane_busy(lane, from, to) == sum);
}

/* The promise of lane_column(), against a sum per name: half of the time or more, and always three
 * quarters. */
static void name_covers_most(int64_t from, int64_t to, uint32_t name) {
    int64_t sums[NAMES] = {0}, busy = 0;
    for (uint32_t i = 0; i < plain.n; i++) {
        int64_t a = plain.v[i].start, b = slice_end(&plain.v[i]);
        a = a > from ? a : from;
        b = b < to ? b : to;
        if (a < b) {
            sums[slice_name(&plain.v[i])] += b - a;
            busy += b - a;
        }
    }
    MUST(name == LANE_NO_NAME || (name < NAMES && sums[name] >= busy - sums[name]));
    for (uint32_t k = 0; k < NAMES; k++)
        MUST(busy == 0 || sums[k] < busy - busy / 4 || name == k);
}

static void column(struct lane *lane, int64_t from, int64_t to) {
    uint32_t name;
    if (lane->n == 0 || from >= to || to - from < 0)
        return;
    MUST(lane_column(lane, from, to, &name) == lane_busy(lane, from, to));
    name_covers_most(from, to, name);
}

static uint32_t longest_of(uint32_t i, uint32_t j) {
    uint32_t best = i;
    for (uint32_t k = i + 1; k < j; k++)
        if (slice_dur(&plain.v[k]) > slice_dur(&plain.v[best]))
            best = k;
    return best;
}

static void longest(struct lane *lane) {
    uint32_t i = (uint32_t)below(&chance, lane->n),
             j = i + 1 + (uint32_t)below(&chance, lane->n - i);
    MUST(lane_longest(lane, i, j) == longest_of(i, j));
    MUST(lane_longest(lane, 0, lane->n) == longest_of(0, plain.n));
}

static int column_at(const int64_t *edges, int columns, int64_t t) {
    for (int c = columns - 1; c > 0; c--)
        if (edges[c] <= t)
            return c;
    return 0;
}

/* The spans that touch a column are all of it: one of several slices has its busy time, else it is
 * the sum. */
static void column_by_spans(struct lane *lane, int64_t from, int64_t to, const struct span *spans,
                            size_t n) {
    int64_t sum = 0;
    bool dense = false;
    for (size_t k = 0; k < n; k++) {
        int64_t a = spans[k].start > from ? spans[k].start : from,
                b = spans[k].end < to ? spans[k].end : to;
        dense = dense || (a < b && spans[k].n > 1);
        sum += a < b ? b - a : 0;
    }
    MUST(dense || sum == lane_busy(lane, from, to));
}

static void spans(struct lane *lane, const int64_t *edges, int columns) {
    struct span out[2 * MOST_COLUMNS + 1];
    memset(out, 0xee, sizeof out);
    size_t n = lane_spans(lane, edges, columns, out), k = 0;
    uint32_t froms[MOST_COLUMNS + 1];
    lane_froms(lane, edges, columns + 1, froms);
    for (int c = 0; c <= columns; c++)
        MUST(froms[c] == lane_from(lane, edges[c]));
    int some = (int)below(&chance, (uint64_t)columns);
    column_by_spans(lane, edges[some], edges[some + 1], out, n);
    uint32_t in = 0; /* how many slices of span k were met */
    bool was_small = false;
    MUST(n <= (size_t)columns * 2);
    for (uint32_t i = 0; i < plain.n; i++) {
        const struct slice *s = &plain.v[i];
        if (s->start >= edges[columns] || (s->start < edges[0] && slice_end(s) <= edges[0]))
            continue; /* it does not touch the window */
        MUST(k < n);
        const struct span *span = &out[k];
        int c = column_at(edges, columns, s->start);
        MUST(span->first + in == i);
        MUST(span->column == c);
        if (span->n == 1) {
            MUST(span->start == s->start && span->end == slice_end(s));
            /* two that end where they begin, in one column, would have been put together */
            bool small = slice_end(s) <= edges[c + 1];
            MUST(!small || !was_small || out[k - 1].column != c);
            was_small = small;
        } else {
            MUST(span->start == edges[c] && span->end == edges[c + 1]);
            MUST(slice_end(s) <= edges[c + 1]);
            MUST(in > 0 || span->reached_in == (s->start < edges[c]));
            MUST(in > 0 || !was_small || k == 0 || out[k - 1].column != c);
            was_small = true;
        }
        if (++in == span->n) {
            MUST(lane_longest(lane, span->first, span->first + span->n) ==
                 longest_of(span->first, span->first + span->n));
            MUST(span->n == 1 || span->busy == lane_busy(lane, span->start, span->end));
            if (span->n > 1)
                MUST(span->reaches_out == (i + 1 < plain.n && plain.v[i + 1].start < span->end));
            if (span->n > 1)
                name_covers_most(span->start, span->end, lane_span_name(lane, span));
            k++;
            in = 0;
        }
    }
    MUST(k == n && in == 0);
}

static void some_spans(struct lane *lane) {
    int64_t edges[MOST_COLUMNS + 1];
    int columns = 1 + (int)below(&chance, below(&chance, 3) ? 8 : MOST_COLUMNS);
    int64_t widest = below(&chance, 3)
                         ? 1 + (int64_t)below(&chance, 60)
                         : 1 + (int64_t)(chance_next(&chance) >> (8 + below(&chance, 50)));
    edges[0] = some_time(lane);
    for (int c = 0; c < columns; c++)
        edges[c + 1] = edges[c] + 1 + (int64_t)below(&chance, (uint64_t)widest);
    spans(lane, edges, columns);
}

static void all_questions(struct lane *lane) {
    read_all(lane);
    for (int k = 0; k < 12; k++) {
        int64_t a = some_time(lane), b = some_time(lane);
        from_and_before(lane, a);
        busy(lane, a < b ? a : b, a < b ? b : a);
        column(lane, a < b ? a : b, a < b ? b : a);
        some_spans(lane);
        if (lane->n > 0)
            longest(lane);
    }
    from_and_before(lane, INT64_MAX);
    from_and_before(lane, INT64_MIN);
}

START_TEST(answers_are_those_of_a_scan) {
    for (int n = 0; n < 2500; n++) {
        struct lane lane = {0};
        int64_t size = 1 + (int64_t)below(&chance, 40), first = (int64_t)below(&chance, 1000) - 500;
        for (int k = 0; k < 4; k++) {
            if (lane.n > 0)
                set_open(&lane, false);
            grow(&lane, (uint32_t)below(&chance, below(&chance, 20) ? 150 : 900), first, size);
            if (lane.n > 0)
                set_open(&lane, below(&chance, 3) == 0);
            all_questions(&lane);
            if (below(&chance, 2))
                lane_cut(&lane, below(&chance, 4) ? (uint32_t)below(&chance, lane.n + 1)
                                                  : lane.n - lane.n % 64);
        }
        all_questions(&lane);
        lane_free(&lane);
    }
    vec_free(&plain);
}
END_TEST

START_TEST(levels_above_the_blocks) { /* more than 64 x 64 slices, cut and grown again */
    for (int n = 0; n < 12; n++) {
        struct lane lane = {0};
        for (int k = 0; k < 6; k++) {
            if (lane.n > 0)
                set_open(&lane, false);
            grow(&lane, 4000 + (uint32_t)below(&chance, 9000), 0,
                 1 + (int64_t)below(&chance, 1000));
            set_open(&lane, k % 2);
            for (int q = 0; q < 4; q++)
                all_questions(&lane);
            lane_cut(&lane, (uint32_t)below(&chance, lane.n + 1));
        }
        lane_free(&lane);
    }
    vec_free(&plain);
}
END_TEST

/* Columns of about as many slices as the ways to find a name change at (lane_columns.c). */
START_TEST(names_at_the_thresholds) {
    static const uint32_t about[] = {8, 16, 32, 48, 128, 1024, 1300, 4096, 16384};
    for (int n = 0; n < 40; n++) {
        struct lane lane = {0};
        while (lane.n < 24000)
            grow(&lane, 200 + (uint32_t)below(&chance, 24000), 0,
                 1 + (int64_t)below(&chance, 1000));
        read_all(&lane);
        for (int q = 0; q < 60; q++) {
            uint32_t k = about[below(&chance, sizeof about / sizeof *about)];
            k += (uint32_t)below(&chance, 8) - (uint32_t)below(&chance, 8);
            uint32_t i = (uint32_t)below(&chance, lane.n - k);
            int64_t from = lane_start(&lane, i), to = lane_start(&lane, i + k);
            from += (int64_t)below(&chance, 3) - 1;
            to += (int64_t)below(&chance, 3) - 1;
            if (from >= to)
                continue;
            const int64_t edges[] = {from - 5, from, to, to + 5};
            spans(&lane, edges, 3);
            column(&lane, from, to);
        }
        lane_free(&lane);
    }
    vec_free(&plain);
}
END_TEST

START_TEST(no_slices_no_answers) {
    struct lane lane = {0};
    int64_t edges[] = {0, 1, 2};
    struct span out[4];
    ck_assert_uint_eq(lane_from(&lane, 0), 0);
    ck_assert_uint_eq(lane_before(&lane, 0), UINT32_MAX);
    ck_assert_int_eq(lane_busy(&lane, 0, 10), 0);
    ck_assert_uint_eq(lane_spans(&lane, edges, 2, out), 0);
    lane_free(&lane);
}
END_TEST

START_TEST(an_open_slice_reaches_to_the_end_of_time) {
    struct lane lane = {0};
    struct slice s = slice_make(100, SLICE_OPEN, event_pack(8, 1), UINT64_MAX, 0);
    int64_t edges[] = {INT64_MAX - 20, INT64_MAX - 10, INT64_MAX};
    struct span out[4];
    lane_push(&lane, &s);
    ck_assert_int_eq(lane_busy(&lane, 0, INT64_MAX), INT64_MAX - 100);
    ck_assert_int_eq(lane_busy(&lane, INT64_MAX - 7, INT64_MAX), 7);
    ck_assert_uint_eq(lane_spans(&lane, edges, 2, out), 1);
    ck_assert_int_eq(out[0].end, INT64_MAX);
    lane_free(&lane);
}
END_TEST

SUITE(lane) {
    Suite *s = suite_create("lane");
    TCase *t = tcase_create("questions");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, answers_are_those_of_a_scan);
    tcase_add_test(t, levels_above_the_blocks);
    tcase_add_test(t, names_at_the_thresholds);
    tcase_add_test(t, no_slices_no_answers);
    tcase_add_test(t, an_open_slice_reaches_to_the_end_of_time);
    suite_add_tcase(s, t);
    return s;
}
