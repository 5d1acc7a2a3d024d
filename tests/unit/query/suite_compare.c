/* suite_compare.c - two ranges compared by name, against a slow reading of the same slices. */
#include "model/query/stat/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/loaded.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"
#include "tests/unit/query/thrown.h"

static struct chance chance = {91177};

/* Rows are those of A in their order, then those that only B has. */
static void check_order(const struct compare *c) {
    const struct names_table *a = &c->sides[COMPARE_A], *b = &c->sides[COMPARE_B];
    uint32_t n = names_table_rows(a);
    for (uint32_t i = 0; i < n; i++)
        MUST(c->rows.v[i].rows[COMPARE_A] == i && c->rows.v[i].name == names_table_row(a, i)->key.name, (int)i);
    for (uint32_t i = 0; i < names_table_rows(b); i++) {
        bool in_a = false;
        for (uint32_t k = 0; k < names_table_rows(a); k++)
            in_a = in_a || names_table_row(a, k)->key.name == names_table_row(b, i)->key.name;
        if (!in_a)
            MUST(c->rows.v[n].rows[COMPARE_A] == COMPARE_NONE && c->rows.v[n].rows[COMPARE_B] == i, (int)i);
        n += !in_a;
    }
    MUST(n == c->rows.n, (int)n);
}

static void check_counts(const struct compare *c) {
    struct compare_counts n = {0};
    for (size_t i = 0; i < c->rows.n; i++) {
        unsigned verdict = c->rows.v[i].verdict, speed = verdict & (COMPARE_SLOWER | COMPARE_FASTER);
        n.changed += verdict != 0 && verdict != COMPARE_FEW;
        n.new += verdict == COMPARE_NEW;
        n.gone += verdict == COMPARE_GONE;
        n.slower += speed == COMPARE_SLOWER;
        n.faster += speed == COMPARE_FASTER;
        n.mixed += speed == (COMPARE_SLOWER | COMPARE_FASTER);
    }
    MUST(memcmp(&n, &c->counts, sizeof n) == 0);
}

static void compare_all(struct compare *c, struct trace *trace, const struct range *a, const struct range *b) {
    compare_begin(c, trace, a, b, NULL, NULL);
    for (struct budget small = budget_units(3); !compare_step(c, &small); small = budget_units(3)) {
        MUST(compare_percent(c) <= 100);
        for (uint32_t i = 0; i < c->rows.n; i += 3) { /* rows so far have no verdict, and no change of another part */
            int64_t change;
            MUST(c->rows.v[i].verdict == 0, (int)i);
            MUST(compare_counted(c) || !compare_change(c, i, COMPARE_TOTAL, &change), (int)i);
            for (int side = 0; side < COMPARE_SIDES; side++)
                MUST(c->rows.v[i].rows[side] == COMPARE_NONE ||
                     names_table_row(&c->sides[side], c->rows.v[i].rows[side])->key.name == c->rows.v[i].name);
        }
    }
    compare_finish(c);
    check_order(c);
    check_counts(c);
}

static struct range any_range(const struct trace *trace) {
    struct range range = {0};
    uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 2;
    if (below(&chance, 4) > 0)
        range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                       trace_begin(trace) + (int64_t)below(&chance, span));
    return range;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct slow {
    int64_t count, p50, p99, total;
    size_t ended;
};

/* The slices of a name that overlap a range, by the sentences of SEMANTICS 6.10; the total tick by tick. */
static struct slow slowly(const struct trace *trace, const struct thrown_slices *all, const struct range *range,
                          struct str name) {
    int64_t durations[200];
    struct slow slow = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct slice *s = &all->v[i].slice;
        if (all->v[i].kind != SLICE_ITER_SLICES || !str_eq(trace_slice_name((struct trace *)trace, s), name) ||
            !range_overlaps(range, s->start, slice_end(s)))
            continue;
        slow.count++;
        if (!slice_open(s))
            durations[slow.ended++] = slice_dur(s);
    }
    if (slow.ended > 0) {
        qsort(durations, slow.ended, sizeof *durations, by_value);
        slow.p50 = durations[(slow.ended * 50 + 99) / 100 - 1];
        slow.p99 = durations[(slow.ended * 99 + 99) / 100 - 1];
    }
    for (int64_t t = range_begin(range, trace); t < range_end(range, trace); t++)
        for (uint32_t k = 0; k < trace_thread_count(trace); k++) {
            bool in = false;
            for (size_t i = 0; i < all->n && !in; i++)
                in = all->v[i].kind == SLICE_ITER_SLICES && all->v[i].track == k &&
                     str_eq(trace_slice_name((struct trace *)trace, &all->v[i].slice), name) &&
                     all->v[i].slice.start <= t && slice_iter_end(trace, k, &all->v[i].slice) > t;
            slow.total += in;
        }
    return slow;
}

static int64_t part(double a, double b) {
    double change = (b - a) / a * 10000;
    return (int64_t)(change < 0 ? change - 0.5 : change + 0.5);
}

START_TEST(both_sides_equal_a_slow_reading) {
    for (int n = 0; n < 60; n++) {
        struct trace *trace = thrown_trace(&chance, 60);
        struct thrown_slices all = thrown_slices(trace);
        struct range ranges[COMPARE_SIDES] = {any_range(trace), any_range(trace)};
        struct compare c = {0};
        size_t rows = 0;
        compare_all(&c, trace, &ranges[0], &ranges[1]);
        for (uint32_t row = 0; row < c.rows.n; row++) {
            struct slow slow[COMPARE_SIDES];
            int64_t value, change;
            for (int side = 0; side < COMPARE_SIDES; side++) {
                slow[side] = slowly(trace, &all, &ranges[side], trace_name(trace, c.rows.v[row].name));
                bool any = compare_value(&c, row, (enum compare_side)side, COMPARE_COUNT, &value);
                MUST(any == (slow[side].count > 0) && value == slow[side].count, n);
                any = compare_value(&c, row, (enum compare_side)side, COMPARE_P50, &value);
                MUST(any == (slow[side].ended > 0) && value == slow[side].p50, n);
                any = compare_value(&c, row, (enum compare_side)side, COMPARE_P99, &value);
                MUST(any == (slow[side].ended > 0) && value == slow[side].p99, n);
                if (slow[side].count > 0)
                    MUST(sum_ns(names_table_row(&c.sides[side], c.rows.v[row].rows[side])->total) == slow[side].total, n);
            }
            unsigned verdict = c.rows.v[row].verdict;
            MUST((verdict == COMPARE_NEW) == (slow[0].count == 0), n);
            MUST((verdict == COMPARE_GONE) == (slow[1].count == 0), n);
            bool any = compare_change(&c, row, COMPARE_P50, &change);
            MUST(any == (slow[0].ended > 0 && slow[1].ended > 0 && slow[0].p50 > 0), n);
            if (any)
                MUST(change == part((double)slow[0].p50, (double)slow[1].p50), n);
            rows++;
        }
        for (size_t i = 0; i < all.n; i++) { /* every name of a side has a row */
            bool in = all.v[i].kind != SLICE_ITER_SLICES;
            for (int side = 0; side < COMPARE_SIDES; side++)
                in = in || range_overlaps(&ranges[side], all.v[i].slice.start, slice_end(&all.v[i].slice));
            bool found = !in || all.v[i].kind != SLICE_ITER_SLICES;
            for (uint32_t row = 0; row < c.rows.n && !found; row++)
                found = str_eq(trace_name(trace, c.rows.v[row].name), trace_slice_name(trace, &all.v[i].slice));
            MUST(found, n);
        }
        MUST(rows == c.rows.n, n);
        compare_free_step(&c, BUDGET_ENDLESS);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* The names say how the second half differs from the first. */
static struct trace *halves(void) {
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\n");
    for (int i = 0; i < 50; i++) {
        int at = i * 100, late = i >= 25;
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"slow\" end=%d\n", at, at + 20 + 2 * late);
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"same\" end=%d\n", at + 30, at + 35);
        if (late || i % 5 > 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"more\" end=%d\n", at + 40, at + 45);
        if (i == 0 || i == 1 || i == 25)
            n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"few\" end=%d\n", at + 50, at + 55);
        if (i == 3 || i == 30)
            n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"%s\" end=%d\n", at + 60,
                                  late ? "new" : "gone", at + 65);
    }
    snprintf(text + n, sizeof text - n, "instant 5000 1/2 \"\" \"end\"\n");
    return loaded_text(text);
}

START_TEST(a_verdict_follows_its_rules) {
    static const struct {
        const char *name;
        unsigned verdict;
    } cases[] = {
        {"slow", COMPARE_SLOWER}, {"same", 0},           {"more", COMPARE_MORE_OF}, {"few", COMPARE_FEW | COMPARE_LESS_OF},
        {"new", COMPARE_NEW},     {"gone", COMPARE_GONE},
    };
    struct trace *trace = halves();
    struct range a = {0}, b = {0};
    struct compare c = {0};
    size_t found = 0;
    range_set_time(&a, trace, trace_begin(trace), trace_begin(trace) + 2500);
    range_set_time(&b, trace, trace_begin(trace) + 2500, trace_end(trace));
    compare_all(&c, trace, &a, &b);
    for (uint32_t row = 0; row < c.rows.n; row++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (str_eq(trace_name(trace, c.rows.v[row].name), str_of(cases[i].name))) {
                MUST(c.rows.v[row].verdict == cases[i].verdict, (int)i, (int)c.rows.v[row].verdict);
                found++;
            }
    ck_assert_uint_eq(found, 6);
    ck_assert_uint_eq(c.rows.n, 6);
    compare_begin(&c, trace, &c.ranges[COMPARE_B], &c.ranges[COMPARE_A], NULL, NULL); /* its own ranges, swapped */
    struct budget endless = budget_endless();
    while (!compare_step(&c, &endless))
        ;
    compare_finish(&c);
    for (uint32_t row = 0; row < c.rows.n; row++)
        if (str_eq(trace_name(trace, c.rows.v[row].name), STR("slow")))
            ck_assert_uint_eq(c.rows.v[row].verdict, COMPARE_FASTER);
    compare_free_step(&c, BUDGET_ENDLESS);
    trace_free(trace);
}
END_TEST

#define EACH 300 /* names of a side; a third of them both have */

START_TEST(names_of_both_sides_are_known_early) {
    static char text[2 * EACH * 50 + 100];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\n");
    for (int i = 0; i < 2 * EACH; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"n%d\" end=%d\n", i * 10,
                              i < EACH ? i : i - EACH / 3, i * 10 + 5);
    struct trace *trace = loaded_text(text);
    struct range a = {0}, b = {0};
    struct compare c = {0};
    range_set_time(&a, trace, trace_begin(trace), trace_begin(trace) + EACH * 10);
    range_set_time(&b, trace, trace_begin(trace) + EACH * 10, trace_end(trace));
    compare_begin(&c, trace, &a, &b, NULL, NULL);
    size_t early = 0;
    for (struct budget small = budget_units(100); !compare_step(&c, &small); small = budget_units(100))
        if (c.joined[COMPARE_B] > 0 && early == 0) {
            early = c.joined[COMPARE_A] + 1;
            ck_assert_uint_lt(c.joined[COMPARE_A], EACH / 2);
        }
    ck_assert_uint_gt(early, 0);
    compare_finish(&c);
    check_order(&c);
    ck_assert_uint_eq(c.rows.n, 2 * EACH - EACH / 3);
    compare_free_step(&c, BUDGET_ENDLESS);
    trace_free(trace);
}
END_TEST

/* Neither verdicts nor the memory of many names keep a key waiting. */
START_TEST(many_rows_are_placed_and_freed_in_steps) {
    enum { NAMES = 16000 };
    struct trace *trace = loaded_names(NAMES);
    struct range whole = {0};
    struct compare c = {0};
    int placing = 0, freeing = 0;
    compare_begin(&c, trace, &whole, &whole, NULL, NULL);
    while (!compare_step(&c, BUDGET_OF(10000)))
        placing += c.placed > 0;
    ck_assert_int_gt(placing, 10);
    compare_finish(&c);
    check_counts(&c);
    ck_assert_uint_eq(c.rows.n, NAMES);
    while (!compare_free_step(&c, BUDGET_OF(1)))
        freeing++;
    ck_assert_int_gt(freeing, 5);
    ck_assert_uint_eq(c.rows.n, 0);
    trace_free(trace);
}
END_TEST

Suite *suite_compare(void) {
    Suite *s = suite_create("compare");
    TCase *c = tcase_create("compare");
    tcase_add_test(c, both_sides_equal_a_slow_reading);
    tcase_add_test(c, a_verdict_follows_its_rules);
    tcase_add_test(c, names_of_both_sides_are_known_early);
    tcase_add_test(c, many_rows_are_placed_and_freed_in_steps);
    suite_add_tcase(s, c);
    return s;
}
