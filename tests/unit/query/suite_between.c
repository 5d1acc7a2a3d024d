/* suite_between.c - traces compared by name: the name that was slowed by a tenth and what contains
 * it, nothing else. */
#include "model/query/stat/between/between.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/between/between_relation.h"
#include "model/query/stat/two_samples.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/query/runs.h"

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

/* Writes a slice from t on and what it contains; returns its end. Each own time is within a tenth
 * of the tree's. */
static unsigned long write_slice(FILE *f, struct chance *chance, int name, int slowed,
                                 double factor, unsigned long t) {
    unsigned long end =
        t + (unsigned long)((double)tree[name].us * (900 + (double)below(chance, 200)) *
                            (name == slowed ? factor : 1));
    for (int child = name + 1; child < NAMES; child++)
        if (tree[child].parent == name)
            end = write_slice(f, chance, child, slowed, factor, end);
    fprintf(f, "complete %lu 1/%d \"c\" \"%s\" end=%lu\n", t, name >= 6 ? 11 : 10, tree[name].name,
            end);
    return end;
}

/* The same numbers of chance for each seed, whatever is slowed: children of a slowed slice are as
 * long as before. */
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

static void hold(const struct between *b, int slowed, enum between_verdict verdict) {
    ck_assert_uint_eq(b->v.n, NAMES);
    for (int i = 0; i < NAMES; i++) {
        const struct between_row *row = runs_row(b, tree[i].name);
        bool changed = slowed >= 0 && (i == slowed || contains(i, slowed));
        ck_assert_msg(row->verdict == (changed ? verdict : BETWEEN_SAME),
                      "%s slowed: %s is %s, p %g", slowed >= 0 ? tree[slowed].name : "nothing",
                      tree[i].name, between_word(row->verdict), row->p);
    }
}

START_TEST(what_was_slowed_and_what_contains_it_are_found) {
    for (int slowed = 0; slowed < NAMES; slowed++)
        for (int faster = 0; faster < 2; faster++) {
            if (tree[slowed].us < 100) /* its own time is a small part: it contains others */
                continue;
            struct between b = {.threshold = 0.05};
            trace_free(runs_add(&b, BETWEEN_A, make(77, -1, 1)));
            runs_finish(&b, runs_add(&b, BETWEEN_B, make(77, slowed, faster ? 0.9 : 1.1)));
            hold(&b, slowed, faster ? BETWEEN_FASTER : BETWEEN_SLOWER);
            between_free(&b);
        }
}
END_TEST

START_TEST(a_trace_and_itself_are_the_same) {
    struct between b = {.threshold = 0.05};
    trace_free(runs_add(&b, BETWEEN_A, make(5, -1, 1)));
    runs_finish(&b, runs_add(&b, BETWEEN_B, make(5, -1, 1)));
    hold(&b, -1, BETWEEN_SAME);
    for (size_t i = 0; i < b.v.n; i++)
        ck_assert(b.v.v[i].p >= 1);
    between_free(&b);
    static const char *const fixtures[] = {"every_kind", "async_same_id", "clock_far"};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        struct between c = {.threshold = 0.05};
        trace_free(runs_add(&c, BETWEEN_A, loaded_fixture(fixtures[i])));
        runs_finish(&c, runs_add(&c, BETWEEN_B, loaded_fixture(fixtures[i])));
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
            trace_free(runs_add(&b, BETWEEN_A, make(100 + run, -1, 1)));
            trace_free(last);
            last = runs_add(&b, BETWEEN_B, make(200 + run, slowed, 1.1));
        }
        runs_finish(&b, last);
        hold(&b, slowed, BETWEEN_SLOWER);
        between_free(&b);
    }
}
END_TEST

START_TEST(three_runs_are_too_few) {
    struct between b = {.threshold = 0.05};
    struct trace *last = NULL;
    for (uint64_t run = 0; run < 3; run++) {
        trace_free(runs_add(&b, BETWEEN_A, make(100 + run, -1, 1)));
        trace_free(last);
        last = runs_add(&b, BETWEEN_B, make(200 + run, 5, 1.5));
    }
    runs_finish(&b, last);
    ck_assert_int_eq(runs_row(&b, "Draw")->verdict, BETWEEN_FEW);
    ck_assert_uint_eq(b.counts[BETWEEN_SLOWER], 0);
    between_free(&b);
}
END_TEST

/* Six steps of a big part in two more slices, and many tiny ones: what changed is named by its
 * share of the time. */
static struct trace *with_steps(unsigned big, unsigned tiny) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0, at = 0; i < 6; i++, at += big + 600000) {
        fprintf(f, "complete %u 1/2 \"c\" \"step\" end=%u\n", at, at + big + 500000);
        fprintf(f, "complete %u 1/2 \"c\" \"forward\" end=%u\n", at + 10, at + big + 30);
        fprintf(f, "complete %u 1/2 \"c\" \"big\" end=%u\n", at + 20, at + big + 20);
        for (unsigned k = 0; k < 40; k++)
            fprintf(f, "complete %u 1/2 \"c\" \"tiny\" end=%u\n", at + big + 100 + k * 12000,
                    at + big + 100 + k * 12000 + tiny);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(the_cause_is_named_by_its_share_of_the_change) {
    for (int turned = 0; turned < 2; turned++) {
        struct between b = {.threshold = 0.05};
        trace_free(runs_add(&b, BETWEEN_A,
                            with_steps(turned ? 200000000 : 100000000, turned ? 7000 : 5000)));
        runs_finish(&b, runs_add(&b, BETWEEN_B,
                                 with_steps(turned ? 100000000 : 200000000, turned ? 5000 : 7000)));
        enum between_verdict verdict = turned ? BETWEEN_FASTER : BETWEEN_SLOWER;
        const struct between_row *big = runs_row(&b, "big");
        ck_assert_int_eq(big->verdict, verdict);
        ck_assert_uint_eq(big->because, BETWEEN_NO_ROW);
        ck_assert(runs_row(&b, "forward")->verdict == verdict &&
                  runs_row(&b, "step")->verdict == verdict);
        ck_assert_ptr_eq(&b.v.v[runs_row(&b, "forward")->because], big);
        ck_assert_ptr_eq(&b.v.v[runs_row(&b, "step")->because], big);
        between_free(&b);
    }
}
END_TEST

/* 500 requests of 0.9 ms, and in one trace one more of a length, that ends or not; with one `read`
 * in each. */
static struct trace *with_hang(unsigned ms, bool ends) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0; i < 500; i++)
        fprintf(f,
                "complete %u 1/2 \"c\" \"request\" end=%u\ncomplete %u 1/2 \"c\" \"read\" end=%u\n",
                i * 1000, i * 1000 + 900, i * 1000 + 100, i * 1000 + 500);
    if (ms > 0 && ends)
        fprintf(f,
                "complete 500000 1/2 \"c\" \"request\" end=%u\ncomplete 500100 1/2 \"c\" \"read\" "
                "end=%u\n",
                500000 + ms * 1000, 500000 + ms * 1000 - 100);
    if (ms > 0 && !ends)
        fprintf(f,
                "begin 500000 1/2 \"c\" \"request\"\nbegin 500100 1/2 \"c\" \"read\"\ninstant %u "
                "1/2 \"c\" \"i\"\n",
                500000 + ms * 1000);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(one_slice_that_hangs_is_a_change) {
    static const struct {
        unsigned ms;
        bool ends, changed;
    } cases[] = {{30000, true, true},
                 {30000, false, true},
                 {100, true, true},
                 {8, true, false},
                 {1, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turned = 0; turned < 2; turned++) {
            struct between b = {.threshold = 0.05};
            trace_free(runs_add(&b, BETWEEN_A, with_hang(turned ? cases[i].ms : 0, cases[i].ends)));
            runs_finish(
                &b, runs_add(&b, BETWEEN_B, with_hang(turned ? 0 : cases[i].ms, cases[i].ends)));
            enum between_verdict verdict = turned ? BETWEEN_FASTER : BETWEEN_SLOWER;
            const struct between_row *request = runs_row(&b, "request"),
                                     *read = runs_row(&b, "read");
            ck_assert_msg((read->verdict == verdict) == cases[i].changed, "%u ms: %s", cases[i].ms,
                          between_word(read->verdict));
            ck_assert((read->decided == BETWEEN_LONGEST) == cases[i].changed &&
                      (request->decided == BETWEEN_LONGEST) == cases[i].changed);
            struct chars reason = {.v = NULL};
            if (cases[i].ms == 100 && !turned) {
                ck_assert(between_relation_reason(&b, read, true, &reason));
                chars_put(&reason, '\0');
                ck_assert_str_eq(reason.v, "read +99.8 ms: its longest 99.8 ms, 400 us in A");
            } else if (cases[i].changed) {
                ck_assert(between_relation_reason(&b, request, true, &reason));
                ck_assert_ptr_eq(&b.v.v[request->because], read);
            }
            vec_free(&reason);
            between_free(&b);
        }
}
END_TEST

/* Steps of one part, whose number changes, or which only one trace has. */
static struct trace *with_parts(unsigned parts) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0; i < 20; i++) {
        unsigned at = i * 10000, end = at + 2000 + parts * 500;
        fprintf(f, "complete %u 1/2 \"c\" \"step\" end=%u\n", at, end);
        for (unsigned k = 0; k < parts; k++)
            fprintf(f, "complete %u 1/2 \"c\" \"part\" end=%u\n", at + 10 + k * 500,
                    at + 510 + k * 500);
    }
    fputs("instant 300000 1/2 \"c\" \"end\"\n", f);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(what_is_new_or_called_more_often_is_a_cause) {
    static const struct {
        unsigned a, b;
        enum between_verdict part, step;
        const char *reason;
    } cases[] = {
        {0, 2, BETWEEN_NEW, BETWEEN_SLOWER, "step +20 ms: part +20 ms (40 calls, new)"},
        {1, 4, BETWEEN_MORE_OF, BETWEEN_SLOWER, "step +30 ms: part +30 ms (80 calls, 20 in A)"},
        {4, 1, BETWEEN_FEWER, BETWEEN_FASTER, "step -30 ms: part -30 ms (20 calls, 80 in A)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct between b = {.threshold = 0.05};
        struct chars reason = {.v = NULL};
        trace_free(runs_add(&b, BETWEEN_A, with_parts(cases[i].a)));
        runs_finish(&b, runs_add(&b, BETWEEN_B, with_parts(cases[i].b)));
        ck_assert_int_eq(runs_row(&b, "part")->verdict, cases[i].part);
        ck_assert_int_eq(runs_row(&b, "step")->verdict, cases[i].step);
        ck_assert(between_relation_reason(&b, runs_row(&b, "step"), true, &reason));
        chars_put(&reason, '\0');
        ck_assert_str_eq(reason.v, cases[i].reason);
        vec_free(&reason);
        between_free(&b);
    }
}
END_TEST

/* Six steps, of one slice that has these children, names and microseconds in turn. */
static struct trace *with_children(const char *children) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000\n", f);
    for (unsigned i = 0, at = 0; i < 6; i++, at += 1000) {
        unsigned begin = at;
        char *end;
        for (const char *c = children; *c; c = end + (*end == ' ')) {
            int n = (int)strcspn(c, " ");
            unsigned us = (unsigned)strtoul(c + n, &end, 10);
            fprintf(f, "complete %u 1/2 \"c\" \"%.*s\" end=%u\n", at, n, c, at + us);
            at += us;
        }
        fprintf(f, "complete %u 1/2 \"c\" \"work\" end=%u\n", begin, at + 10);
        fprintf(f, "complete %u 1/2 \"c\" \"step\" end=%u\n", begin, at + 20);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* A cause may cancel another one, be below the threshold, be gone, or be called less often. One
 * that changed elsewhere alone is none. */
START_TEST(the_cause_has_most_of_the_change) {
    static const struct {
        const char *a, *b, *step;
    } cases[] = {
        {"a 1000 b 5000", "a 5000 b 1500", "step +3 ms: a +24 ms (6 calls)"},
        {"a 5000 b 1500", "a 1000 b 5000", "step -3 ms: a -24 ms (6 calls)"},
        {"big 100000 tiny 100", "big 104000 tiny 200", "step +24.6 ms: big +24 ms (6 calls)"},
        {"read 9000 b 1000", "b 1000", "step -54 ms: read -54 ms (6 calls, gone)"},
        {"old 9000 b 1000", "b 1000 new 300", "step -52.2 ms: old -54 ms (6 calls, gone)"},
        {"a 1000 a 1000 b 10", "a 1000 b 10", "step -6 ms: a -6 ms (6 calls, 12 in A)"},
    };
    const struct question whole = {.filter = NULL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct between b = {.threshold = 0.05};
        struct chars reason = {.v = NULL};
        struct trace *traces[] = {runs_add(&b, BETWEEN_A, with_children(cases[i].a)),
                                  runs_add(&b, BETWEEN_B, with_children(cases[i].b))};
        between_compare(&b);
        between_contain(&b, traces[BETWEEN_B], &whole);
        if (between_wants_gone(&b))
            between_gone_make(NULL, &b, traces[BETWEEN_A], &whole);
        ck_assert(between_relation_reason(&b, runs_row(&b, "step"), true, &reason));
        chars_put(&reason, '\0');
        ck_assert_str_eq(reason.v, cases[i].step);
        ck_assert_uint_eq(runs_row(&b, "work")->because, runs_row(&b, "step")->because);
        vec_free(&reason);
        trace_free(traces[0]);
        trace_free(traces[1]);
        between_free(&b);
    }
}
END_TEST

START_TEST(names_of_one_trace_alone_are_new_or_gone) {
    static const char before[] =
        "magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"all\" end=1000000\n";
    static const char after[] =
        "magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"all\" end=1000000\n"
        "complete 5 1/2 \"c\" \"long\" end=2000\ncomplete 3000 1/2 \"c\" \"short\" end=3500\n";
    for (int turned = 0; turned < 2; turned++) {
        struct between b = {.threshold = 0.05};
        trace_free(runs_add(&b, BETWEEN_A, loaded_text(turned ? after : before)));
        runs_finish(&b, runs_add(&b, BETWEEN_B, loaded_text(turned ? before : after)));
        ck_assert_int_eq(runs_row(&b, "long")->verdict, turned ? BETWEEN_GONE : BETWEEN_NEW);
        ck_assert_int_eq(runs_row(&b, "short")->verdict, BETWEEN_SAME);
        ck_assert_int_eq(runs_row(&b, "all")->verdict, BETWEEN_SAME);
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
        last = runs_add(&b, side, loaded_text(text));
        free(text);
    }
    runs_finish(&b, last);
    ck_assert_int_eq(runs_row(&b, "a")->verdict, BETWEEN_SAME);
    ck_assert_uint_ge(runs_row(&b, "b")->verdict, BETWEEN_MORE_OF);
    between_free(&b);
}
END_TEST

/* A trace of n instants and n operation instants of a name in so many microseconds. */
static struct trace *with_instants(const char *name, unsigned n, unsigned us) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"all\" end=%u000\n", us);
    for (unsigned i = 0; i < n; i++) {
        fprintf(f, "instant %u 1/2 \"c\" \"%s\"\n", i * (us * 1000 / n), name);
        fprintf(f, "async_instant %u 1/2 \"c\" \"async %s\" id=%u\n", i * (us * 1000 / n), name, i);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(instants_are_counted_alone) {
    static const struct {
        unsigned a, b;
        enum between_verdict verdict;
    } cases[] = {{100, 100, BETWEEN_SAME}, {100, 150, BETWEEN_MORE_OF}, {150, 100, BETWEEN_FEWER},
                 {100, 105, BETWEEN_SAME}, {0, 3, BETWEEN_SAME},        {0, 20, BETWEEN_NEW},
                 {20, 0, BETWEEN_GONE},    {1, 2, BETWEEN_SAME}};
    static const char *const names[] = {"tick", "async tick"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct between b = {.threshold = 0.05};
        trace_free(runs_add(&b, BETWEEN_A, with_instants("tick", cases[i].a, 1000)));
        runs_finish(&b, runs_add(&b, BETWEEN_B, with_instants("tick", cases[i].b, 1000)));
        ck_assert_uint_eq(b.v.n, 3);
        for (int k = 0; k < 2; k++) {
            const struct between_row *row = runs_row(&b, names[k]);
            struct relation_value value = {.type = RELATION_NULL};
            ck_assert_uint_eq(row->like->kind, SLICE_ITER_INSTANTS);
            ck_assert_double_eq(row->values[BETWEEN_COUNT][BETWEEN_A], cases[i].a);
            ck_assert_double_eq(row->values[BETWEEN_COUNT][BETWEEN_B], cases[i].b);
            ck_assert_msg(row->verdict == cases[i].verdict, "%s: %u and %u are %s", names[k],
                          cases[i].a, cases[i].b, between_word(row->verdict));
            for (int column = COMPARED_TOTAL_A; column <= COMPARED_P; column++)
                between_relation_get(&b, (uint64_t)(row - b.v.v), (enum between_column)column,
                                     false, &value);
            ck_assert_int_eq(value.type, RELATION_NULL);
        }
        between_free(&b);
    }
}
END_TEST

/* Instants of a filter and of a range, against a count by hand. */
START_TEST(instants_of_a_question) {
    struct trace *trace = with_instants("tick", 100, 1000); /* one each 10 us */
    struct question asked;
    struct err err;
    const char *wrong;
    struct question_texts texts = {.range = "100us..300us", .filter = "name=tick"};
    ck_assert(question_init(&asked, trace, &texts, true, &wrong, &err));
    struct trace_names names = {.span = 0};
    trace_names_take(&names, trace, &asked);
    ck_assert_uint_eq(names.v.n, 1);
    ck_assert_uint_eq(names.v.v[0].count, 20);
    trace_names_free(&names);
    question_free(&asked);
    trace_free(trace);
}
END_TEST

/* Twice as long, with half as many again: fewer in a second. The rates say it, and a sentence. */
START_TEST(counts_are_compared_per_second) {
    for (int longer = 0; longer < 2; longer++) {
        struct between b = {.threshold = 0.05};
        trace_free(runs_add(&b, BETWEEN_A, with_instants("tick", 200, 1000)));
        runs_finish(&b, runs_add(&b, BETWEEN_B, with_instants("tick", 300, longer ? 2000 : 1000)));
        const struct between_row *row = runs_row(&b, "tick");
        double change;
        ck_assert_int_eq(row->verdict, longer ? BETWEEN_FEWER : BETWEEN_MORE_OF);
        ck_assert(between_change(row, BETWEEN_RATE, &change));
        ck_assert_double_eq_tol(change, longer ? -0.25 : 0.5, 0.001);
        ck_assert_double_eq_tol(row->values[BETWEEN_RATE][BETWEEN_B] * 1e9,
                                longer ? 150000 : 300000, 500);
        ck_assert_int_eq(between_lengths(&b) != NULL, longer);
        between_free(&b);
    }
}
END_TEST

/* Workers with a task in a job each, and main with the same names; numbers differ from run to
 * run. */
static struct trace *with_workers(unsigned first, unsigned slower, uint64_t tasks[2],
                                  int64_t *total) {
    char *text = NULL;
    size_t size;
    struct chance chance = {9};
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "magic\ninit 1000000000\nkernel_object 1 5 \"app\"\nkernel_object 2 50 \"main\" "
               "process=koid:5\n");
    for (unsigned w = 0; w < 4; w++)
        fprintf(f, "kernel_object 2 %u \"worker %u\" process=koid:5\n", 60 + w, first + w);
    fputs("kernel_object 2 70 \"42\" process=koid:5\n", f);
    tasks[0] = tasks[1] = 0;
    *total = 0;
    for (unsigned i = 0; i < 400; i++) {
        unsigned thread = i % 5 == 4 ? 50 : 60 + i % 5, at = i / 5 * 100000;
        unsigned dur =
            (10000 + (unsigned)below(&chance, 1000)) * (thread == 50 ? 100 : slower) / 100;
        fprintf(f, "complete %u 5/%u \"c\" \"job\" end=%u\n", at, thread, at + dur + 2000);
        fprintf(f, "complete %u 5/%u \"c\" \"task\" end=%u\n", at + 1000, thread, at + 1000 + dur);
        tasks[thread != 50]++;
        *total += thread == 50 ? 0 : (int64_t)dur;
    }
    fputs("complete 0 5/70 \"c\" \"task\" end=8000000\ncomplete 0 6/80 \"c\" \"task\" end=8000000\n"
          "complete 0 6/81 \"c\" \"task\" end=8000000\n",
          f);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

static const struct between_row *row_of_pool(const struct between *b, const char *name,
                                             const char *thread) {
    for (size_t i = 0; i < b->v.n; i++)
        if (strcmp(b->v.v[i].like->name, name) == 0 &&
            strcmp(b->v.v[i].like->pool->thread, thread) == 0)
            return &b->v.v[i];
    ck_abort_msg("no row %s of %s", name, thread);
}

START_TEST(threads_of_a_pool_are_one) {
    struct between b = {.threshold = 0.05};
    struct trace_names names[BETWEEN_SIDES] = {{.by_pool = true}, {.by_pool = true}};
    struct question whole = {.filter = NULL};
    uint64_t tasks[2];
    int64_t totals[2];
    struct trace *a = with_workers(1, 100, tasks, &totals[0]),
                 *last = with_workers(38, 120, tasks, &totals[1]);
    trace_names_take(&names[0], a, &whole);
    trace_names_take(&names[1], last, &whole);
    trace_free(a);
    vec_push(&b.runs[0], names[0]);
    vec_push(&b.runs[1], names[1]);
    between_compare(&b);
    between_contain(&b, last, &whole);
    trace_free(last);
    const struct between_row *task = row_of_pool(&b, "task", "worker"),
                             *job = row_of_pool(&b, "job", "worker");
    ck_assert_str_eq(task->like->pool->process, "app");
    ck_assert_int_eq(task->verdict, BETWEEN_SLOWER);
    ck_assert_int_eq(job->verdict, BETWEEN_SLOWER);
    for (int side = 0; side < 2; side++) {
        ck_assert_double_eq(task->values[BETWEEN_COUNT][side], (double)tasks[1]);
        ck_assert_double_eq(task->values[BETWEEN_TOTAL][side], (double)totals[side]);
    }
    ck_assert_int_eq(row_of_pool(&b, "task", "main")->verdict, BETWEEN_SAME);
    ck_assert_int_eq(row_of_pool(&b, "job", "main")->verdict, BETWEEN_SAME);
    ck_assert_double_eq(row_of_pool(&b, "task", "main")->values[BETWEEN_COUNT][0],
                        (double)tasks[0]);
    /* all of its name is digits */
    ck_assert_double_eq(row_of_pool(&b, "task", "42")->values[BETWEEN_COUNT][0], 1);
    const struct between_row *nameless = row_of_pool(&b, "task", "thread");
    ck_assert_double_eq(nameless->values[BETWEEN_COUNT][0], 2);
    ck_assert_str_eq(nameless->like->pool->process, "process");
    ck_assert_uint_eq(b.v.n, 6);
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
        struct two_samples s;
        two_samples_test(&s, (const int64_t *const[]){a, b}, n);
        ck_assert_uint_eq(s.twice_u, twice);
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

SUITE(between) {
    Suite *suite = suite_create("between");
    TCase *c = tcase_create("between");
    tcase_add_test(c, what_was_slowed_and_what_contains_it_are_found);
    tcase_add_test(c, a_trace_and_itself_are_the_same);
    tcase_add_test(c, runs_are_tested_by_their_medians);
    tcase_add_test(c, three_runs_are_too_few);
    tcase_add_test(c, the_cause_is_named_by_its_share_of_the_change);
    tcase_add_test(c, one_slice_that_hangs_is_a_change);
    tcase_add_test(c, what_is_new_or_called_more_often_is_a_cause);
    tcase_add_test(c, the_cause_has_most_of_the_change);
    tcase_add_test(c, names_of_one_trace_alone_are_new_or_gone);
    tcase_add_test(c, more_slices_a_time_are_more);
    tcase_add_test(c, instants_are_counted_alone);
    tcase_add_test(c, instants_of_a_question);
    tcase_add_test(c, counts_are_compared_per_second);
    tcase_add_test(c, threads_of_a_pool_are_one);
    tcase_add_test(c, values_are_tested_as_durations_are);
    tcase_add_test(c, many_durations_are_sampled_evenly);
    suite_add_tcase(suite, c);
    return suite;
}
