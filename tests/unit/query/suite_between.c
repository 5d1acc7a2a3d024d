/* suite_between.c - traces compared by name: the name that was slowed by a tenth and what contains it, nothing else. */
#include "model/query/stat/between/between.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/two_samples.h"
#include "tests/lib/chance.h"
#include "tests/lib/loaded.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

#define NAMES 8
#define NO_PARENT (-1)

static const struct {
    const char *name;
    int parent;
    unsigned us; /* of its own */
} tree[NAMES] = {
    {"Frame", NO_PARENT, 50}, {"Input", 0, 200}, {"Update", 0, 40},        {"Physics", 2, 700},
    {"Anim", 2, 300},         {"Draw", 0, 900},  {"Audio", NO_PARENT, 80}, {"Mix", 6, 400},
};

static bool contains(int outer, int inner) {
    for (int i = tree[inner].parent; i >= 0; i = tree[i].parent)
        if (i == outer)
            return true;
    return false;
}

/* Writes a slice from t on and what it contains; returns its end. Each own time is within a tenth of the tree's. */
static unsigned long write_slice(FILE *f, struct chance *chance, int name, int slowed, double factor, unsigned long t) {
    unsigned long end =
        t + (unsigned long)((double)tree[name].us * (900 + (double)below(chance, 200)) * (name == slowed ? factor : 1));
    for (int child = name + 1; child < NAMES; child++)
        if (tree[child].parent == name)
            end = write_slice(f, chance, child, slowed, factor, end);
    fprintf(f, "complete %lu 1/%d \"c\" \"%s\" end=%lu\n", t, name >= 6 ? 11 : 10, tree[name].name, end);
    return end;
}

/* The same numbers of chance for each seed, whatever is slowed: children of a slowed slice are as long as before. */
static struct trace *make(uint64_t seed, int slowed, double factor) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct chance chance = {seed};
    unsigned long t[2] = {1000, 1000};
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < 300; i++) {
        t[0] = write_slice(f, &chance, 0, slowed, factor, t[0]) + 100000;
        t[1] = write_slice(f, &chance, 6, slowed, factor, t[1]) + 700000;
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Adds a run; the last one of B stays open for between_contain(). */
static struct trace *add(struct between *b, int side, struct trace *trace) {
    struct trace_names names = {.span = 0};
    trace_names_take(&names, trace, &(struct question){.filter = NULL});
    vec_push(&b->runs[side], names);
    return trace;
}

static const struct between_row *row_of(const struct between *b, const char *name) {
    for (size_t i = 0; i < b->v.n; i++)
        if (strcmp(b->v.v[i].like->name, name) == 0)
            return &b->v.v[i];
    ck_abort_msg("no row %s", name);
}

static void finish(struct between *b, struct trace *last) {
    between_compare(b);
    between_contain(b, last, &(struct question){.filter = NULL});
    trace_free(last);
}

static void hold(const struct between *b, int slowed, enum between_verdict verdict) {
    ck_assert_uint_eq(b->v.n, NAMES);
    for (int i = 0; i < NAMES; i++) {
        const struct between_row *row = row_of(b, tree[i].name);
        bool changed = slowed >= 0 && (i == slowed || contains(i, slowed));
        ck_assert_msg(row->verdict == (changed ? verdict : BETWEEN_SAME), "%s slowed: %s is %s, p %g",
                      slowed >= 0 ? tree[slowed].name : "nothing", tree[i].name, between_word(row->verdict), row->p);
    }
}

START_TEST(what_was_slowed_and_what_contains_it_are_found) {
    for (int slowed = 0; slowed < NAMES; slowed++)
        for (int faster = 0; faster < 2; faster++) {
            if (tree[slowed].us < 100) /* its own time is a small part: it contains others */
                continue;
            struct between b = {.threshold = 0.05};
            trace_free(add(&b, BETWEEN_A, make(77, -1, 1)));
            finish(&b, add(&b, BETWEEN_B, make(77, slowed, faster ? 0.9 : 1.1)));
            hold(&b, slowed, faster ? BETWEEN_FASTER : BETWEEN_SLOWER);
            between_free(&b);
        }
}
END_TEST

START_TEST(a_trace_and_itself_are_the_same) {
    struct between b = {.threshold = 0.05};
    trace_free(add(&b, BETWEEN_A, make(5, -1, 1)));
    finish(&b, add(&b, BETWEEN_B, make(5, -1, 1)));
    hold(&b, -1, BETWEEN_SAME);
    for (size_t i = 0; i < b.v.n; i++)
        ck_assert(b.v.v[i].p >= 1);
    between_free(&b);
    static const char *const fixtures[] = {"every_kind", "async_same_id", "clock_far"};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        struct between c = {.threshold = 0.05};
        trace_free(add(&c, BETWEEN_A, loaded_fixture(fixtures[i])));
        finish(&c, add(&c, BETWEEN_B, loaded_fixture(fixtures[i])));
        ck_assert_uint_eq(c.counts[BETWEEN_SAME], c.v.n);
        between_free(&c);
    }
}
END_TEST

START_TEST(runs_are_tested_by_their_medians) {
    for (int slowed = -1; slowed < NAMES; slowed += 4) {
        struct between b = {.threshold = 0.05};
        struct trace *last = NULL;
        for (uint64_t run = 0; run < 5; run++) {
            trace_free(add(&b, BETWEEN_A, make(100 + run, -1, 1)));
            trace_free(last);
            last = add(&b, BETWEEN_B, make(200 + run, slowed, 1.1));
        }
        finish(&b, last);
        hold(&b, slowed, BETWEEN_SLOWER);
        between_free(&b);
    }
}
END_TEST

START_TEST(three_runs_are_too_few) {
    struct between b = {.threshold = 0.05};
    struct trace *last = NULL;
    for (uint64_t run = 0; run < 3; run++) {
        trace_free(add(&b, BETWEEN_A, make(100 + run, -1, 1)));
        trace_free(last);
        last = add(&b, BETWEEN_B, make(200 + run, 5, 1.5));
    }
    finish(&b, last);
    ck_assert_int_eq(row_of(&b, "Draw")->verdict, BETWEEN_FEW);
    ck_assert_uint_eq(b.counts[BETWEEN_SLOWER], 0);
    between_free(&b);
}
END_TEST

START_TEST(names_of_one_trace_alone_are_new_or_gone) {
    static const char before[] = "magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"all\" end=1000000\n";
    static const char after[] = "magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"all\" end=1000000\n"
                                "complete 5 1/2 \"c\" \"long\" end=2000\ncomplete 3000 1/2 \"c\" \"short\" end=3500\n";
    for (int turned = 0; turned < 2; turned++) {
        struct between b = {.threshold = 0.05};
        trace_free(add(&b, BETWEEN_A, loaded_text(turned ? after : before)));
        finish(&b, add(&b, BETWEEN_B, loaded_text(turned ? before : after)));
        ck_assert_int_eq(row_of(&b, "long")->verdict, turned ? BETWEEN_GONE : BETWEEN_NEW);
        ck_assert_int_eq(row_of(&b, "short")->verdict, BETWEEN_SAME);
        ck_assert_int_eq(row_of(&b, "all")->verdict, BETWEEN_SAME);
        between_free(&b);
    }
}
END_TEST

START_TEST(more_slices_a_time_are_more) {
    struct between b = {.threshold = 0.05};
    struct trace *last = NULL;
    for (int side = 0; side < 2; side++) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        fputs("magic\ninit 1000000000\n", f);
        for (int i = 0; i < 200; i++)
            fprintf(f, "complete %d 1/2 \"c\" \"a\" end=%d\n", i * 1000, i * 1000 + 10);
        for (int i = 0; i < (side ? 200 : 100); i++)
            fprintf(f, "complete %d 1/2 \"c\" \"b\" end=%d\n", i * 1000 + 500, i * 1000 + 501);
        fclose(f);
        trace_free(last);
        last = add(&b, side, loaded_text(text));
        free(text);
    }
    finish(&b, last);
    ck_assert_int_eq(row_of(&b, "a")->verdict, BETWEEN_SAME);
    ck_assert_uint_ge(row_of(&b, "b")->verdict, BETWEEN_MORE_OF);
    between_free(&b);
}
END_TEST

/* The statistic of lists of values against each pair of them. */
START_TEST(values_are_tested_as_durations_are) {
    struct chance chance = {31};
    for (int set = 0; set < 50; set++) {
        int64_t a[40], b[40];
        uint64_t n[2] = {1 + below(&chance, 40), 1 + below(&chance, 40)}, twice = 0;
        for (uint64_t i = 0; i < 40; i++) {
            a[i] = (int64_t)below(&chance, 30) - 5;
            b[i] = (int64_t)below(&chance, 30);
        }
        for (uint64_t i = 0; i < n[0]; i++)
            for (uint64_t k = 0; k < n[1]; k++)
                twice += b[k] > a[i] ? 2 : b[k] == a[i];
        struct two_samples *s = err_calloc(1, sizeof *s);
        struct budget endless = budget_endless();
        two_samples_of_values(s, (const int64_t *const[]){a, b}, n);
        while (!two_samples_step(s, &endless))
            ;
        ck_assert_uint_eq(s->twice_u, twice);
        two_samples_free(s);
        free(s);
    }
}
END_TEST

/* An even choice of many durations is kept, and the counts are of all. */
START_TEST(many_durations_are_sampled_evenly) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < 50000; i++)
        fprintf(f, "complete %d 1/2 \"c\" \"a\" end=%d\n", i * 100, i * 100 + i % 90);
    fclose(f);
    struct trace_names names = {.span = 0};
    struct trace *trace = loaded_text(text);
    trace_names_take(&names, trace, &(struct question){.filter = NULL});
    ck_assert_uint_eq(names.v.n, 1);
    ck_assert_uint_eq(names.v.v[0].ended, 50000);
    ck_assert_uint_eq(names.v.v[0].sample.n, 16667);
    for (size_t i = 0; i < names.v.v[0].sample.n; i++)
        MUST(names.v.v[0].sample.v[i] == (int64_t)(3 * i % 90), (int)i);
    trace_names_free(&names);
    trace_free(trace);
    free(text);
}
END_TEST

Suite *suite_between(void) {
    Suite *suite = suite_create("between");
    TCase *c = tcase_create("between");
    tcase_add_test(c, what_was_slowed_and_what_contains_it_are_found);
    tcase_add_test(c, a_trace_and_itself_are_the_same);
    tcase_add_test(c, runs_are_tested_by_their_medians);
    tcase_add_test(c, three_runs_are_too_few);
    tcase_add_test(c, names_of_one_trace_alone_are_new_or_gone);
    tcase_add_test(c, more_slices_a_time_are_more);
    tcase_add_test(c, values_are_tested_as_durations_are);
    tcase_add_test(c, many_durations_are_sampled_evenly);
    suite_add_tcase(suite, c);
    return suite;
}
