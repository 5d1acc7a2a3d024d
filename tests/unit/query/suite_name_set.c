/* suite_name_set.c - names are matched in steps, once each, and new ones when they come. */
#include "model/query/name_set.h"

#include <stdio.h>

#include "tests/lib/chance.h"
#include "tests/lib/suites.h"
#include "tests/unit/query/thrown.h"

static void add_names(struct trace *trace, int from, int to) {
    for (int i = from; i < to; i++) {
        char name[32];
        int n = snprintf(name, sizeof name, i % 3 ? "old %d" : "new %d", i);
        names_intern(reader_names(trace_reader(trace)), name, (size_t)n);
    }
}

START_TEST(a_budget_of_one_unit_matches_one_name) {
    struct chance chance = {77};
    struct trace *trace = thrown_trace(&chance, 20);
    struct err err;
    struct filter *filter = filter_new("/^new [0-9]+$/", false, &err);
    struct name_set set;
    name_set_init(&set, trace, filter);
    for (int k = 0; k < 2; k++) {
        add_names(trace, k * 300, k * 300 + 300);
        uint32_t all = names_count(reader_names(trace_reader(trace)));
        while (set.has.n < all) {
            size_t before = set.has.n;
            ck_assert(!name_set_step(&set, BUDGET_OF(0)));
            ck_assert(name_set_step(&set, BUDGET_OF(1)) == (before + 1 == all));
            ck_assert_uint_eq(set.has.n, before + 1);
        }
        ck_assert(name_set_step(&set, BUDGET_OF(0)));
        ck_assert_uint_eq(name_set_count(&set), 100 * ((uint32_t)k + 1));
    }
    for (uint32_t i = 0; i < set.has.n; i++)
        ck_assert(name_set_has(&set, i) == filter_matches(filter, trace_name(trace, i)));
    ck_assert(!name_set_has(&set, UINT32_MAX));
    set.generation++; /* as if the trace was read again */
    ck_assert(!name_set_step(&set, BUDGET_OF(1)));
    ck_assert_uint_eq(set.has.n, 1);
    name_set_free(&set);
    filter_free(filter);
    trace_free(trace);
}
END_TEST

Suite *suite_name_set(void) {
    Suite *s = suite_create("name_set");
    TCase *c = tcase_create("name_set");
    tcase_add_test(c, a_budget_of_one_unit_matches_one_name);
    suite_add_tcase(s, c);
    return s;
}
