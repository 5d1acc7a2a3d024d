/* suite_slice_group.c - the texts of groups, those of slices without a category or an argument, and
 * equal values. */
#include "model/query/stat/slice_group.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/query/group_key.h"

static const char text[] = "magic\nprovider 1 \"p\"\ninit 1000000000\n"
                           "kernel_object 1 7 \"shop\"\nkernel_object 2 8 \"till\" process=koid:7\n"
                           "complete 1 7/8 \"gfx\" \"a\" end=5 level=u32:7\n"
                           "complete 10 7/8 \"gfx\" \"b\" end=15 level=u32:7\n"
                           "complete 20 7/8 \"\" \"a\" end=25 level=\"seven\"\n"
                           "complete 30 7/9 \"net\" \"a\" end=35\n";

/* The texts of the groups of all slices in file order, each with a bar after it. */
static void expect_of(const char *source, enum slice_group_by by, const char *want) {
    struct trace *trace = loaded_text(source);
    struct slice_group group;
    struct slice_iter iter;
    struct slice_run run;
    char got[400] = "", buf[400];
    size_t n = 0;
    slice_group_init(&group, trace, by, "level");
    slice_iter_init(&iter, trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
    while (slice_iter_next(&iter, NULL, &run))
        for (uint32_t i = 0; i < run.n; i++) {
            struct aggregate_key key = group_key(&group, run.track, &run.v[i]);
            struct str name = slice_group_text(&group, &key, buf, sizeof buf);
            n += (size_t)snprintf(got + n, sizeof got - n, "%.*s|", (int)name.n, name.s);
            ck_assert_uint_lt(n, sizeof got);
        }
    ck_assert_str_eq(got, want);
    slice_group_free(&group);
    trace_free(trace);
}

static void expect(enum slice_group_by by, const char *want) {
    expect_of(text, by, want);
}

START_TEST(threads_of_one_number_have_texts_of_their_own) {
    static const char pids[] = "magic\nprovider 1 \"p\"\ninit 1000000000\n"
                               "kernel_object 1 1 \"shop\"\nkernel_object 1 2 \"shop\"\n"
                               "kernel_object 2 10 \"till\"\n"
                               "complete 1 1/10 \"c\" \"a\" end=5\n"
                               "complete 1 2/10 \"c\" \"a\" end=5\n"
                               "complete 1 3/10 \"c\" \"a\" end=5\n";
    expect_of(pids, GROUP_BY_THREAD, "till 10|till 10 of shop 2|till 10 of process 3|");
    expect_of(pids, GROUP_BY_NAME_THREAD,
              "a  till 10|a  till 10 of shop 2|a  till 10 of process 3|");
}
END_TEST

START_TEST(each_slice_has_the_text_of_its_group) {
    expect(GROUP_BY_NAME, "a|b|a|a|");
    expect(GROUP_BY_NAME_THREAD, "a  till 8|b  till 8|a  till 8|a  thread 9|");
    expect(GROUP_BY_THREAD, "till 8|till 8|till 8|thread 9|");
    expect(GROUP_BY_PROCESS, "shop 7|shop 7|shop 7|shop 7|");
    expect(GROUP_BY_CATEGORY, "gfx|gfx|(none)|net|");
    expect(GROUP_BY_ARGUMENT, "7|7|seven|(none)|");
}
END_TEST

SUITE(slice_group) {
    Suite *s = suite_create("slice_group");
    TCase *t = tcase_create("slice_group");
    tcase_add_test(t, each_slice_has_the_text_of_its_group);
    tcase_add_test(t, threads_of_one_number_have_texts_of_their_own);
    suite_add_tcase(s, t);
    return s;
}
