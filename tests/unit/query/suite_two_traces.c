/* suite_two_traces.c - another trace and the open one: numbers and verdicts are those of a slow
 * reading and of --compare, however small the steps are, and whatever interrupts them. */
#include "model/query/stat/between/two_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define NAMES 6
#define SLICES 400

/* Slices of a name in a random trace, noted while its text is written. */
struct noted {
    uint64_t count;
    int64_t total, durations[SLICES];
};

struct made {
    char *text;
    struct noted of[NAMES];
};

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Slices one after the other on a thread, so that a total is the sum. Some names are missing. */
static struct made *make(struct chance *chance) {
    struct made *made = err_calloc(1, sizeof *made);
    size_t size;
    FILE *f = open_memstream(&made->text, &size);
    unsigned missing = (unsigned)below(chance, 2 * NAMES);
    unsigned long t = 1000;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (uint64_t i = 0, n = below(chance, SLICES); i < n; i++) {
        unsigned name = (unsigned)below(chance, NAMES);
        unsigned long dur = 1000 + (unsigned long)below(chance, 100000 + 20000 * (uint64_t)name);
        if (name == missing)
            continue;
        fprintf(f, "complete %lu 1/2 \"c\" \"name %u\" end=%lu\n", t, name, t + dur);
        made->of[name].durations[made->of[name].count++] = (int64_t)dur;
        made->of[name].total += (int64_t)dur;
        t += dur + (unsigned long)below(chance, 5000);
    }
    fprintf(f, "instant %lu 1/2 \"c\" \"end\"\n", t);
    fclose(f);
    for (unsigned name = 0; name < NAMES; name++)
        qsort(made->of[name].durations, made->of[name].count, sizeof(int64_t), by_value);
    return made;
}

static void drop(struct made *made) {
    free(made->text);
    free(made);
}

/* The nearest rank. */
static int64_t percentile(const struct noted *noted, uint64_t thousandths) {
    uint64_t rank = (noted->count * thousandths + 999) / 1000;
    return noted->durations[rank > 0 ? rank - 1 : 0];
}

/* Writes the text as a trace to a file, which the caller unlinks. */
static void write_trace(const char *text, char path[SCRATCH_PATH]) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    MUST(bytes.v && scratch_write(path, "two_traces", bytes.v, bytes.n));
    free(bytes.v);
}

static void hold_side(const struct between_row *row, int side, const struct noted *noted) {
    ck_assert_int_eq(row->has[side], noted->count > 0);
    if (noted->count == 0)
        return;
    ck_assert_double_eq(row->values[BETWEEN_COUNT][side], (double)noted->count);
    ck_assert_double_eq(row->values[BETWEEN_TOTAL][side], (double)noted->total);
    ck_assert_double_eq(row->values[BETWEEN_P50][side], (double)percentile(noted, 500));
    ck_assert_double_eq(row->values[BETWEEN_P99][side], (double)percentile(noted, 990));
}

/* The rows are those of --compare, in its order. */
static void hold_same(const struct between *b, const struct between *like) {
    ck_assert_uint_eq(b->v.n, like->v.n);
    for (size_t i = 0; i < b->v.n; i++) {
        const struct between_row *x = &b->v.v[i], *y = &like->v.v[i];
        ck_assert_str_eq(x->like->name, y->like->name);
        ck_assert_int_eq(x->verdict, y->verdict);
        ck_assert_uint_eq(x->because, y->because);
        ck_assert_int_eq(x->tested, y->tested);
        ck_assert_double_eq(x->p, y->p);
        ck_assert_mem_eq(x->values, y->values, sizeof x->values);
    }
    ck_assert_mem_eq(b->counts, like->counts, sizeof b->counts);
}

/* As compare_traces.c does it. */
static void compare_at_once(struct between *b, const char *path, struct trace *own) {
    struct err err;
    struct question whole = {.filter = NULL};
    struct trace_names names[BETWEEN_SIDES] = {{.span = 0}, {.span = 0}};
    struct trace *other = trace_open(path, &(struct trace_options){.follow = false}, &err);
    MUST(other);
    trace_load(other);
    trace_names_take(&names[BETWEEN_A], other, &whole);
    trace_names_take(&names[BETWEEN_B], own, &whole);
    trace_free(other);
    vec_push(&b->runs[BETWEEN_A], names[BETWEEN_A]);
    vec_push(&b->runs[BETWEEN_B], names[BETWEEN_B]);
    between_compare(b);
    between_contain(b, own, &whole);
}

/* An answer by steps of so many units, interrupted and begun again now and then. */
static const struct between *answer_of(struct two_traces *two, struct answer *answer,
                                       uint32_t units, struct chance *chance) {
    char progress[80];
    while (two_traces_step(two, TASK_OF(units)))
        MUST(*two_traces_progress(two, NULL, progress) != '\0');
    MUST(two->state == TWO_READY);
    for (bool done = false; !done;) {
        if (answer->next == NULL) {
            struct two_traces_answer *asked =
                answer_ask(answer, &two_traces_answer_ops, two->own, 0);
            asked->two = two;
        }
        done = answer_step(answer, TASK_OF(units));
        two_traces_progress(two, answer->next, progress);
        if (!done && below(chance, 200) == 0)
            answer_drop(answer);
    }
    return &((const struct two_traces_answer *)answer->shown)->between;
}

START_TEST(numbers_are_those_of_the_writer_and_of_the_mode) {
    struct chance chance = {4711};
    for (int pair = 0; pair < 40; pair++) {
        struct made *a = make(&chance), *b = make(&chance);
        struct two_traces two = {.own = NULL};
        struct between like = {.threshold = BETWEEN_THRESHOLD};
        struct err err;
        char path[SCRATCH_PATH];
        write_trace(a->text, path);
        struct trace *own = loaded_text(b->text);
        MUST(two_traces_open(&two, own, path, &err));
        struct answer made = {0};
        uint32_t units = 1 + (uint32_t)below(&chance, 2000);
        const struct between *answer = answer_of(&two, &made, units, &chance);
        for (size_t i = 0; i < answer->v.n; i++) {
            if (answer->v.v[i].like->kind == SLICE_ITER_INSTANTS) { /* "end" */
                ck_assert_double_eq(answer->v.v[i].values[BETWEEN_COUNT][BETWEEN_A], 1);
                continue;
            }
            unsigned name = (unsigned)(answer->v.v[i].like->name[5] - '0');
            hold_side(&answer->v.v[i], BETWEEN_A, &a->of[name]);
            hold_side(&answer->v.v[i], BETWEEN_B, &b->of[name]);
        }
        compare_at_once(&like, path, own);
        hold_same(answer, &like);
        answer_drop(&made);
        answer = answer_of(&two, &made, 100, &chance); /* the next answer is the same */
        hold_same(answer, &like);
        answer_drop(&made);
        two_traces_close(&two);
        between_free(&like);
        trace_free(own);
        unlink(path);
        drop(a);
        drop(b);
    }
}
END_TEST

START_TEST(a_trace_and_itself_are_the_same) {
    struct chance chance = {99};
    struct made *made = make(&chance);
    struct two_traces two = {.own = NULL};
    struct err err;
    char path[SCRATCH_PATH];
    write_trace(made->text, path);
    struct trace *own = loaded_text(made->text);
    MUST(two_traces_open(&two, own, path, &err));
    struct answer given = {0};
    const struct between *answer = answer_of(&two, &given, 500, &chance);
    ck_assert_uint_gt(answer->v.n, 0);
    ck_assert_uint_eq(answer->counts[BETWEEN_SAME], answer->v.n);
    answer_drop(&given);
    two_traces_close(&two);
    trace_free(own);
    unlink(path);
    drop(made);
}
END_TEST

/* Nothing is open after a fault, and closing in the middle of any stage frees all: the sanitizer
 * looks. */
START_TEST(faults_are_one_line_and_any_stage_can_be_left) {
    struct chance chance = {5};
    struct made *made = make(&chance);
    struct two_traces two = {.own = NULL};
    struct err err = {.at = ERR_NO_OFFSET};
    char path[SCRATCH_PATH];
    write_trace(made->text, path);
    struct trace *own = loaded_text(made->text);
    ck_assert(!two_traces_open(&two, own, ".", &err));
    ck_assert_str_eq(err.text, "is a directory");
    ck_assert(!two_traces_open(&two, own, "/dev/null", &err));
    ck_assert_str_eq(err.text, "is no regular file");
    ck_assert(!two_traces_open(&two, own, "-", &err));
    ck_assert(!two_traces_open(&two, own, "no such file", &err));
    ck_assert_str_eq(err.text, "no such file or directory");
    ck_assert_int_eq(two.state, TWO_CLOSED);
    for (int steps = 0; steps < 60; steps++) {
        MUST(two_traces_open(&two, own, path, &err));
        for (int i = 0; i < steps; i++)
            two_traces_step(&two, TASK_OF(20));
        two_traces_close(&two);
        ck_assert_ptr_null(two.other);
    }
    trace_free(own);
    unlink(path);
    drop(made);
}
END_TEST

SUITE(two_traces) {
    Suite *s = suite_create("two_traces");
    TCase *t = tcase_create("compared");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, numbers_are_those_of_the_writer_and_of_the_mode);
    tcase_add_test(t, a_trace_and_itself_are_the_same);
    tcase_add_test(t, faults_are_one_line_and_any_stage_can_be_left);
    suite_add_tcase(s, t);
    return s;
}
