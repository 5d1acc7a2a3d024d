/* suite_between_sure.c - what a comparison must not call the same, or a change: slices without an
 * end, and the lengths of the traces. */
#include "model/query/stat/between/between.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/output/between/between_relation.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/query/runs.h"

/* 1,000 slices of 900 us on a thread, and one that has lasted so many us, or none; the trace is as
 * long anyway. */
static struct trace *with_open(unsigned us) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0; i < 1000; i++)
        fprintf(f, "complete %u 1/2 \"c\" \"request\" end=%u\n", i * 1000, i * 1000 + 900);
    fprintf(f, "begin 0 1/3 \"c\" \"main\"\ninstant 2000000 1/2 \"c\" \"i\"\n");
    if (us > 0)
        fprintf(f, "begin %u 1/4 \"c\" \"request\"\n", 2000000 - us);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* A slice without an end is in no percentile: if it may be a change, nothing is the same in
 * silence. */
START_TEST(what_has_no_end_is_not_the_same_in_silence) {
    static const struct {
        unsigned a, b; /* us; 0: none is open */
        bool unsure;
        enum between_verdict verdict;
    } cases[] = {
        {0, 0, false, BETWEEN_SAME},        {0, 800, false, BETWEEN_SAME},
        {0, 930, false, BETWEEN_SAME},      {0, 1000, true, BETWEEN_SAME},
        {0, 8000, true, BETWEEN_SAME},      {0, 900000, false, BETWEEN_SLOWER},
        {8000, 8000, false, BETWEEN_SAME},  {8000, 9000, false, BETWEEN_SAME},
        {8000, 0, false, BETWEEN_SAME},     {800, 8000, true, BETWEEN_SAME},
        {900000, 0, false, BETWEEN_FASTER},
    };
    char said[SLICE_ITER_OPEN_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned runs = 1; runs <= 2; runs++) {
            struct between b = {.threshold = 0.05};
            struct trace *last = NULL;
            for (unsigned k = 0; k < 2 * runs; k++) {
                trace_free(last);
                last = runs_add(&b, k < runs ? BETWEEN_A : BETWEEN_B,
                                with_open(k < runs ? cases[i].a : cases[i].b));
            }
            runs_finish(&b, last);
            ck_assert_msg((between_unsure(&b, true, said) != NULL) == cases[i].unsure, "%u us: %s",
                          cases[i].b, said);
            if (cases[i].b == 8000 && cases[i].unsure)
                ck_assert_str_eq(said, "1 slice of request has no end and has lasted 8.000 ms: "
                                       "longer than all that ended");
            ck_assert_int_eq(runs_row(&b, "request")->verdict, cases[i].verdict);
            ck_assert_int_eq(runs_row(&b, "main")->verdict, BETWEEN_SAME);
            between_free(&b);
        }
}
END_TEST

static struct trace *with_hang(bool hangs) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0; i < 200; i++)
        fprintf(f, "complete %u 1/2 \"c\" \"request\" end=%u\n", i * 1000, i * 1000 + 900 + i % 7);
    if (hangs)
        fputs("complete 200000 1/2 \"c\" \"request\" end=30200000\n", f);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* A slice of 30 s that one run of several has is no median of anything. */
START_TEST(a_hang_of_one_run_is_not_the_same) {
    for (int hangs = 0; hangs < 5; hangs++) { /* runs of B that hang */
        struct between b = {.threshold = 0.05};
        struct trace *last = NULL;
        for (int k = 0; k < 8; k++) {
            trace_free(last);
            last = runs_add(&b, k < 4 ? BETWEEN_A : BETWEEN_B, with_hang(k >= 8 - hangs));
        }
        runs_finish(&b, last);
        const struct between_row *row = runs_row(&b, "request");
        ck_assert_int_eq(row->verdict, hangs > 0 ? BETWEEN_SLOWER : BETWEEN_SAME);
        struct chars reason = {.v = NULL};
        between_relation_reason(&b, row, true, &reason);
        chars_put(&reason, '\0');
        if (hangs == 1)
            ck_assert_str_eq(reason.v, "request: its longest 30 s, 906 us in A");
        vec_free(&reason);
        between_free(&b);
    }
}
END_TEST

/* The same work, of which one part is slower or faster, and others take as long as before, or
 * longer. */
static struct trace *with_work(unsigned part_us, unsigned other_us, unsigned calls) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    unsigned at = 0;
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0; i < 100; i++, at += part_us + 10) {
        fprintf(f, "complete %u 1/2 \"c\" \"part\" end=%u\n", at, at + part_us);
        for (unsigned k = 0; k < calls; k++)
            fprintf(f, "complete %u 1/3 \"c\" \"other\" end=%u\ninstant %u 1/3 \"c\" \"tick\"\n",
                    at + k * 60, at + k * 60 + other_us, at + k * 60);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* A run that is shorter, because something in it became faster, has more of everything else a
 * second, and a greater share of it. That is no change of these. */
START_TEST(lengths_change_nothing_but_themselves) {
    static const struct {
        unsigned parts[2], others[2], calls[2];
        enum between_verdict part, other, tick;
    } cases[] = {
        {{2000, 1000}, {40, 40}, {5, 5}, BETWEEN_FASTER, BETWEEN_SAME, BETWEEN_SAME},
        {{1000, 2000}, {40, 40}, {5, 5}, BETWEEN_SLOWER, BETWEEN_SAME, BETWEEN_SAME},
        {{2000, 1000}, {40, 30}, {5, 5}, BETWEEN_FASTER, BETWEEN_FASTER, BETWEEN_SAME},
        {{2000, 1000}, {30, 40}, {5, 5}, BETWEEN_FASTER, BETWEEN_SLOWER, BETWEEN_SAME},
        {{1000, 2000}, {30, 40}, {5, 5}, BETWEEN_SLOWER, BETWEEN_SLOWER, BETWEEN_SAME},
        {{2000, 1000}, {40, 40}, {5, 4}, BETWEEN_FASTER, BETWEEN_SAME, BETWEEN_SAME},
        {{2000, 1000}, {40, 40}, {5, 8}, BETWEEN_FASTER, BETWEEN_MORE_OF, BETWEEN_MORE_OF},
        {{1000, 1000}, {40, 40}, {5, 8}, BETWEEN_SAME, BETWEEN_MORE_OF, BETWEEN_MORE_OF},
        {{1000, 2000}, {40, 40}, {5, 4}, BETWEEN_SLOWER, BETWEEN_FEWER, BETWEEN_FEWER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct between b = {.threshold = 0.05};
        trace_free(runs_add(&b, BETWEEN_A,
                            with_work(cases[i].parts[0], cases[i].others[0], cases[i].calls[0])));
        runs_finish(&b,
                    runs_add(&b, BETWEEN_B,
                             with_work(cases[i].parts[1], cases[i].others[1], cases[i].calls[1])));
        const enum between_verdict wanted[] = {cases[i].part, cases[i].other, cases[i].tick};
        static const char *const names[] = {"part", "other", "tick"};
        for (int k = 0; k < 3; k++)
            ck_assert_msg(runs_row(&b, names[k])->verdict == wanted[k], "case %zu: %s is %s", i,
                          names[k], between_word(runs_row(&b, names[k])->verdict));
        between_free(&b);
    }
}
END_TEST

/* One in 40 of 1,000 slices is longer in B, or in A. The U test does not see it. */
static struct trace *with_tail(bool longer) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0; i < 1000; i++) {
        unsigned tail = (longer ? 40000 : 14000) + i;
        fprintf(f, "complete %u 1/2 \"c\" \"request\" end=%u\n", i * 60000,
                i * 60000 + (i % 40 == 20 ? tail : 10000 + i * 7919 % 1000));
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(a_verdict_beside_another_p_says_what_decided) {
    for (int slower = 0; slower < 2; slower++) {
        struct between b = {.threshold = 0.05};
        struct relation_value value;
        trace_free(runs_add(&b, BETWEEN_A, with_tail(!slower)));
        runs_finish(&b, runs_add(&b, BETWEEN_B, with_tail(slower)));
        const struct between_row *row = runs_row(&b, "request");
        uint64_t at = (uint64_t)(row - b.v.v);
        ck_assert(row->tested && row->p > 0.5 && between_changed(row));
        between_relation_get(&b, at, COMPARED_VERDICT, true, &value);
        ck_assert_str_eq(value.buf, slower ? "slower (p99)" : "faster (p99)");
        between_relation_get(&b, at, COMPARED_VERDICT, false, &value);
        ck_assert(str_eq(value.text, slower ? STR("slower") : STR("faster")));
        between_free(&b);
    }
}
END_TEST

SUITE(between_sure) {
    Suite *suite = suite_create("between_sure");
    TCase *c = tcase_create("between_sure");
    tcase_add_test(c, what_has_no_end_is_not_the_same_in_silence);
    tcase_add_test(c, a_hang_of_one_run_is_not_the_same);
    tcase_add_test(c, lengths_change_nothing_but_themselves);
    tcase_add_test(c, a_verdict_beside_another_p_says_what_decided);
    suite_add_tcase(suite, c);
    return suite;
}
