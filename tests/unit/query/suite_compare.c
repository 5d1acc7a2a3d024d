/* suite_compare.c - two ranges compared by name, against a slow reading of the same slices. */
#include "model/query/stat/between/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {91177};

/* Rows are those of A in their order, then those that only B has. */
static void check_order(const struct compare *c) {
    const struct names_table *a = &c->sides[COMPARE_A], *b = &c->sides[COMPARE_B];
    uint32_t n = names_table_rows(a);
    for (uint32_t i = 0; i < n; i++)
        MUST(c->rows.v[i].rows[COMPARE_A] == i &&
                 c->rows.v[i].name == names_table_row(a, i)->key.name,
             (int)i);
    for (uint32_t i = 0; i < names_table_rows(b); i++) {
        bool in_a = false;
        for (uint32_t k = 0; k < names_table_rows(a); k++)
            in_a = in_a || names_table_row(a, k)->key.name == names_table_row(b, i)->key.name;
        if (!in_a)
            MUST(c->rows.v[n].rows[COMPARE_A] == COMPARE_NONE && c->rows.v[n].rows[COMPARE_B] == i,
                 (int)i);
        n += !in_a;
    }
    MUST(n == c->rows.n, (int)n);
}

/* Each row has a judged one of its own, and these are all. */
static void check_judged(const struct compare *c) {
    size_t counts[BETWEEN_VERDICTS] = {0};
    MUST(c->between.v.n == c->rows.n);
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct between_row *row = compare_judged(c, i);
        MUST(row->like->number == c->rows.v[i].name, (int)i);
        for (int side = 0; side < COMPARE_SIDES; side++)
            MUST(row->has[side] == (c->rows.v[i].rows[side] != COMPARE_NONE), (int)i);
        counts[row->verdict]++;
    }
    MUST(memcmp(counts, c->between.counts, sizeof counts) == 0);
}

/* The rows so far. */
static void check_so_far(const struct compare *c) {
    MUST(compare_percent(c) <= 100);
    for (uint32_t i = 0; i < compare_rows(c); i += 3) {
        struct compare_row row = compare_row(c, i);
        MUST(compare_judged(c, i) == NULL, (int)i);
        for (int side = 0; side < COMPARE_SIDES; side++)
            MUST(row.rows[side] == COMPARE_NONE ||
                 names_table_row(&c->sides[side], row.rows[side])->key.name == row.name);
    }
}

static void compare_all(struct compare *c, struct trace *trace, const struct range *a,
                        const struct range *b) {
    struct tasks all = {0};
    struct task *task = task_new(&all, compare_make, c);
    compare_set(c, trace, a, b);
    while (!task_step(task, TASK_OF(3)))
        check_so_far(c);
    task_free(task);
    check_order(c);
    check_judged(c);
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

/* The slices of a name that overlap a range, by the sentences of SEMANTICS 6.10; the total tick by
 * tick. */
static struct slow slowly(const struct trace *trace, const struct thrown_slices *all,
                          const struct range *range, struct str name) {
    int64_t durations[200];
    struct slow slow = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct slice *s = &all->v[i].slice;
        if (all->v[i].kind != SLICE_ITER_SLICES ||
            !str_eq(trace_slice_name((struct trace *)trace, s), name) ||
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

START_TEST(both_sides_equal_a_slow_reading) {
    for (int n = 0; n < 60; n++) {
        struct trace *trace = thrown_trace(&chance, 60);
        struct thrown_slices all = thrown_slices(trace);
        struct range ranges[COMPARE_SIDES] = {any_range(trace), any_range(trace)};
        static struct compare c;
        size_t rows = 0;
        compare_all(&c, trace, &ranges[0], &ranges[1]);
        for (uint32_t row = 0; row < c.rows.n; row++) {
            struct slow slow[COMPARE_SIDES];
            const struct between_row *judged = compare_judged(&c, row);
            int64_t value;
            double change;
            for (int side = 0; side < COMPARE_SIDES; side++) {
                slow[side] =
                    slowly(trace, &all, &ranges[side], trace_name(trace, c.rows.v[row].name));
                bool any = compare_value(&c, row, (enum compare_side)side, NAMES_COUNT, &value);
                MUST(any == (slow[side].count > 0) && value == slow[side].count, n);
                any = compare_value(&c, row, (enum compare_side)side, NAMES_P50, &value);
                MUST(any == (slow[side].ended > 0) && value == slow[side].p50, n);
                any = compare_value(&c, row, (enum compare_side)side, NAMES_P99, &value);
                MUST(any == (slow[side].ended > 0) && value == slow[side].p99, n);
                if (slow[side].count > 0)
                    MUST(sum_ns(names_table_row(&c.sides[side], c.rows.v[row].rows[side])->total) ==
                             slow[side].total,
                         n);
            }
            for (int side = 0; side < COMPARE_SIDES; side++)
                MUST(judged->values[BETWEEN_TOTAL][side] == (double)slow[side].total &&
                         judged->values[BETWEEN_P50][side] == (double)slow[side].p50,
                     n);
            MUST(judged->verdict != BETWEEN_NEW || slow[0].count == 0, n);
            MUST(judged->verdict != BETWEEN_GONE || slow[1].count == 0, n);
            bool any = between_change(judged, BETWEEN_P50, &change);
            MUST(any == (slow[0].ended > 0 && slow[1].ended > 0 && slow[0].p50 > 0), n);
            if (any)
                MUST(change == ((double)slow[1].p50 - (double)slow[0].p50) / (double)slow[0].p50,
                     n);
            rows++;
        }
        for (size_t i = 0; i < all.n; i++) { /* every name of a side has a row */
            bool in = all.v[i].kind != SLICE_ITER_SLICES;
            for (int side = 0; side < COMPARE_SIDES; side++)
                in = in || range_overlaps(&ranges[side], all.v[i].slice.start,
                                          slice_end(&all.v[i].slice));
            bool found = !in || all.v[i].kind != SLICE_ITER_SLICES;
            for (uint32_t row = 0; row < c.rows.n && !found; row++)
                found = str_eq(trace_name(trace, c.rows.v[row].name),
                               trace_slice_name(trace, &all.v[i].slice));
            MUST(found, n);
        }
        MUST(rows == c.rows.n, n);
        compare_free(&c);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* Two traces of the same slices, and one that has one after the other: the verdicts, their p and
 * what made them are the same. Names say what changes; the tenth of chance is the same each
 * time. */
static unsigned write_part(FILE *f, int part, unsigned at) {
    struct chance own = {17}, noise = {18 + (uint64_t)part};
    for (int i = 0; i < 120; i++) {
        unsigned jitter = (unsigned)below(&own, 1000), late = part == 1;
        fprintf(f, "complete %u 1/2 \"\" \"outer\" end=%u\n", at,
                at + 90000 + late * 30000 + jitter);
        fprintf(f, "complete %u 1/2 \"\" \"slow\" end=%u\n", at + 10,
                at + 20010 + late * 30000 + jitter);
        fprintf(f, "complete %u 1/2 \"\" \"same\" end=%u\n", at + 60000, at + 65000 + jitter);
        if (late || i % 5 == 0)
            fprintf(f, "complete %u 1/2 \"\" \"more\" end=%u\n", at + 80000, at + 84000);
        if (i < 4)
            fprintf(f, "complete %u 1/2 \"\" \"few\" end=%u\n", at + 85000,
                    at + 86000 + late * 3000);
        if (i % 10 == 0)
            fprintf(f, "complete %u 1/2 \"\" \"%s\" end=%u\n", at + 130000, late ? "new" : "gone",
                    at + 140000);
        fprintf(f, "complete %u 1/2 \"\" \"hang\" end=%u\n", at + 141000,
                at + 142000 + (late && i == 50) * 2000000);
        at += 142000 + (late && i == 50) * 2000000;
        fprintf(f, "complete %u 1/2 \"\" \"noise\" end=%u\n", at + 1000,
                at + 2000 + (unsigned)below(&noise, 40000));
        at += 58000;
    }
    return at;
}

static struct trace *parts(bool first, bool second, unsigned *middle) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\ninstant 0 1/3 \"\" \"begin\"\n", f);
    unsigned at = *middle = first ? write_part(f, 0, 0) : 0;
    at = second ? write_part(f, 1, at) : at;
    fprintf(f, "instant %u 1/3 \"\" \"end\"\n", at);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

static const struct between_row *row_named(const struct between *b, struct str name) {
    for (size_t i = 0; i < b->v.n; i++)
        if (str_eq((struct str){b->v.v[i].like->name, b->v.v[i].like->n}, name))
            return &b->v.v[i];
    return NULL;
}

START_TEST(ranges_are_judged_as_traces_are) {
    static const struct {
        const char *name;
        enum between_verdict verdict;
    } cases[] = {{"outer", BETWEEN_SLOWER}, {"slow", BETWEEN_SLOWER},  {"same", BETWEEN_SAME},
                 {"new", BETWEEN_NEW},      {"noise", BETWEEN_CHANCE}, {"few", BETWEEN_FEW},
                 {"gone", BETWEEN_GONE},    {"hang", BETWEEN_SLOWER},  {"more", BETWEEN_MORE_OF}};
    unsigned middle, none;
    struct trace *one = parts(true, true, &middle), *a = parts(true, false, &none),
                 *b = parts(false, true, &none);
    struct question whole = {.filter = NULL};
    struct between traces = {.threshold = BETWEEN_THRESHOLD};
    struct trace_names names[2] = {{.span = 0}, {.span = 0}};
    trace_names_take(&names[0], a, &whole);
    trace_names_take(&names[1], b, &whole);
    vec_push(&traces.runs[0], names[0]);
    vec_push(&traces.runs[1], names[1]);
    between_compare(&traces);
    between_contain(&traces, b, &whole);
    struct range ranges[COMPARE_SIDES] = {{0}};
    struct compare c = {.trace = NULL};
    range_set_time(&ranges[0], one, trace_begin(one), trace_begin(one) + middle);
    range_set_time(&ranges[1], one, trace_begin(one) + middle, trace_end(one));
    compare_all(&c, one, &ranges[0], &ranges[1]);
    ck_assert_uint_eq(c.rows.n, sizeof cases / sizeof *cases);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct between_row *here = row_named(&c.between, str_of(cases[i].name));
        const struct between_row *there = row_named(&traces, str_of(cases[i].name));
        ck_assert_msg(here->verdict == cases[i].verdict && there->verdict == cases[i].verdict,
                      "%s: %s, of traces %s, p %g", cases[i].name, between_word(here->verdict),
                      between_word(there->verdict), here->p);
        ck_assert(here->tested == there->tested && here->p == there->p &&
                  here->decided == there->decided);
        ck_assert((here->because == BETWEEN_NO_ROW) == (there->because == BETWEEN_NO_ROW));
    }
    const struct between_row *outer = row_named(&c.between, STR("outer")),
                             *slow = row_named(&c.between, STR("slow"));
    ck_assert_ptr_eq(&c.between.v.v[outer->because], slow);
    ck_assert(row_named(&c.between, STR("hang"))->decided == BETWEEN_LONGEST &&
              slow->decided != BETWEEN_LONGEST);
    between_free(&traces);
    compare_free(&c);
    trace_free(one);
    trace_free(a);
    trace_free(b);
}
END_TEST

#define EACH 300 /* names of a side; a third of them both have */

/* Rows come while a long side is counted, and all of them before the first percentile. */
START_TEST(rows_are_shown_as_they_come) {
    static char text[2 * EACH * 50 + 100];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\n"), so_far = 0, joined = 0;
    for (int i = 0; i < 2 * EACH; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 1/2 \"\" \"n%d\" end=%d\n",
                              i * 10, i < EACH ? i : i - EACH / 3, i * 10 + 5);
    struct trace *trace = loaded_text(text);
    struct range a = {0}, b = {0};
    struct compare c = {.trace = NULL};
    struct tasks all = {0};
    struct task *task = task_new(&all, compare_make, &c);
    range_set_time(&a, trace, trace_begin(trace), trace_begin(trace) + EACH * 10);
    range_set_time(&b, trace, trace_begin(trace) + EACH * 10, trace_end(trace));
    compare_set(&c, trace, &a, &b);
    while (!task_step(task, TASK_OF(100))) {
        so_far += compare_rows(&c) > 0 && compare_rows(&c) < EACH;
        joined += compare_rows(&c) == 2 * EACH - EACH / 3 && !c.sides[COMPARE_A].lived;
    }
    task_free(task);
    ck_assert(so_far > 0 && joined > 2);
    check_order(&c);
    ck_assert_uint_eq(c.rows.n, 2 * EACH - EACH / 3);
    compare_free(&c);
    trace_free(trace);
}
END_TEST

/* Verdicts of many names do not keep a key waiting. */
START_TEST(many_rows_are_judged_in_steps) {
    enum { NAMES = 16000 };
    struct trace *trace = loaded_names(NAMES);
    struct range whole = {0};
    struct compare c = {.trace = NULL};
    struct tasks all = {0};
    struct task *task = task_new(&all, compare_make, &c);
    int judging = 0;
    compare_set(&c, trace, &whole, &whole);
    while (!task_step(task, TASK_OF(10000)))
        judging += c.between.percent > 0;
    task_free(task);
    ck_assert_int_gt(judging, 20);
    check_judged(&c);
    ck_assert_uint_eq(c.rows.n, NAMES);
    compare_free(&c);
    trace_free(trace);
}
END_TEST

SUITE(compare) {
    Suite *s = suite_create("compare");
    TCase *c = tcase_create("compare");
    tcase_add_test(c, both_sides_equal_a_slow_reading);
    tcase_add_test(c, ranges_are_judged_as_traces_are);
    tcase_add_test(c, rows_are_shown_as_they_come);
    tcase_add_test(c, many_rows_are_judged_in_steps);
    suite_add_tcase(s, c);
    return s;
}
