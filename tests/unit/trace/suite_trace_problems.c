/* suite_trace_problems.c - the list of problems and their count agree, whatever is wrong with a
 * trace. */
#include "model/trace/trace_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const char *const fixtures[] = {"every_kind",         "async_unmatched",    "flow_unmatched",
                                       "counter_values",     "args_malformed",     "flipped_bits",
                                       "../screens/damaged", "../screens/overlap", "cut_in_record",
                                       "../screens/kinds",   "../screens/nesting"};
#define FIXTURES (int)(sizeof fixtures / sizeof *fixtures)

/* The count of a title is the sum of the list; cases are in the file and in the limits. */
static void agree(struct trace *trace, int set) {
    uint64_t counts[2] = {0, 0};
    const struct problems *all = trace_problems(trace);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &all->kinds[kind];
        counts[0] += problem_is_note(kind) ? 0 : p->count;
        counts[1] += p->count;
        ck_assert_msg(problem_case_count(p) == (p->count < PROBLEM_KEPT ? p->count : PROBLEM_KEPT),
                      "set %d: %s", set, problem_name(kind));
        for (size_t i = 0; i < problem_case_count(p); i++)
            ck_assert_msg(problem_case(p, i)->offset >= p->first_offset, "set %d: %s", set,
                          problem_name(kind));
    }
    ck_assert_msg(trace_problem_count(trace, false) == counts[0], "set %d", set);
    ck_assert_msg(trace_problem_count(trace, true) == counts[1], "set %d", set);
    const struct problems *damage = trace_damage(trace);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++)
        ck_assert_msg(damage->kinds[kind].count <= all->kinds[kind].count, "set %d: %s", set,
                      problem_name(kind));
    ck_assert_ptr_eq(trace_problems(trace), all); /* until the trace changes */
}

START_TEST(list_and_count_agree_on_each_fixture) {
    struct trace *trace = loaded_fixture(fixtures[_i]);
    agree(trace, _i);
    trace_free(trace);
}
END_TEST

START_TEST(list_and_count_agree_on_random_ends) {
    struct chance chance = {11};
    for (int set = 0; set < 60; set++) {
        static char text[20000];
        size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
        for (int i = 0; i < 60; i++) {
            static const char *const kinds[] = {"begin",     "end",        "async_begin",
                                                "async_end", "flow_begin", "flow_step",
                                                "flow_end",  "complete"};
            int kind = (int)below(&chance, 8), t = (int)below(&chance, 500);
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "%s %d 5/%d \"c\" \"n%d\"", kinds[kind],
                                 t, 6 + (int)below(&chance, 2), (int)below(&chance, 2));
            n += (size_t)(kind == 7   ? snprintf(text + n, sizeof text - n, " end=%d\n",
                                                 t + (int)below(&chance, 90))
                          : kind >= 2 ? snprintf(text + n, sizeof text - n, " id=%d\n",
                                                 (int)below(&chance, 3))
                                      : snprintf(text + n, sizeof text - n, "\n"));
        }
        struct trace *trace = loaded_text(text);
        agree(trace, set);
        trace_free(trace);
    }
}
END_TEST

START_TEST(each_kind_is_found_once) {
    static const struct {
        int kind;
        const char *records;
    } cases[] = {
        {PROBLEM_END_WITHOUT_BEGIN, "end 1 5/6 \"c\" \"x\"\n"},
        {PROBLEM_BEGIN_WITHOUT_END, "begin 1 5/6 \"c\" \"x\"\n"},
        {PROBLEM_END_NAME_MISMATCH, "begin 1 5/6 \"c\" \"x\"\nend 2 5/6 \"c\" \"y\"\n"},
        {PROBLEM_PARTIAL_OVERLAP,
         "complete 1 5/6 \"c\" \"x\" end=5\ncomplete 3 5/6 \"c\" \"y\" end=9\n"},
        {PROBLEM_ASYNC_END_WITHOUT_BEGIN, "async_end 1 5/6 \"c\" \"x\" id=1\n"},
        {PROBLEM_ASYNC_BEGIN_WITHOUT_END, "async_begin 1 5/6 \"c\" \"x\" id=1\n"},
        {PROBLEM_FLOW_WITHOUT_BEGIN, "flow_end 1 5/6 \"c\" \"x\" id=1\n"},
        {PROBLEM_FLOW_WITHOUT_END, "flow_begin 1 5/6 \"c\" \"x\" id=1\n"},
        {PROBLEM_COUNTER_NOT_NUMERIC, "counter 1 5/6 \"c\" \"x\" a=\"text\" id=1\n"},
        {PROBLEM_COUNTER_NOT_FINITE, "counter 1 5/6 \"c\" \"x\" a=f64:nan id=1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300] = "magic\ninit 1000000000\n";
        checked_append(text, sizeof text, "%s", cases[i].records);
        struct trace *trace = loaded_text(text);
        const struct problems *all = trace_problems(trace);
        for (int kind = 0; kind < PROBLEM_KINDS; kind++)
            ck_assert_msg(all->kinds[kind].count == (kind == cases[i].kind), "%llu %s of %s",
                          (unsigned long long)all->kinds[kind].count, problem_name(kind),
                          cases[i].records);
        agree(trace, (int)i);
        trace_free(trace);
    }
}
END_TEST

SUITE(trace_problems) {
    Suite *s = suite_create("trace_problems");
    TCase *t = tcase_create("problems");
    tcase_add_loop_test(t, list_and_count_agree_on_each_fixture, 0, FIXTURES);
    tcase_add_test(t, list_and_count_agree_on_random_ends);
    tcase_add_test(t, each_kind_is_found_once);
    suite_add_tcase(s, t);
    return s;
}
