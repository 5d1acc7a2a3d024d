/* suite_process_label.c - recorded processes are called by what distinguishes them. */
#include <string.h>

#include "model/query/process_label.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const char build[] =
    "magic\ninit 1000000000\n"
    "kernel_object 1 10 \"make\"\nkernel_object 1 11 \"cc1\"\nkernel_object 1 12 \"cc1\"\n"
    "kernel_object 1 13 \"sh\"\nkernel_object 1 14 \"true\"\nkernel_object 1 15 \"ls\"\n"
    "kernel_object 1 16 \"ninja\"\n"
    "instant 1 10/10 \"process\" \"exec\" name=\"make\" command=\"make -j2 all\"\n"
    "instant 2 11/11 \"process\" \"exec\" name=\"cc1\" command=\"/lib/cc1 -quiet src/m0.c -o "
    "m0.s\"\n"
    "instant 3 12/12 \"process\" \"exec\" name=\"cc1\" command=\"/lib/cc1 -quiet src/m7.c -o "
    "m7.s\"\n"
    "instant 4 13/13 \"process\" \"exec\" name=\"sh\" command=\"sh\"\n"
    "instant 5 14/14 \"other\" \"exec\" name=\"true\" command=\"true all\"\n"
    "instant 5 16/16 \"process\" \"exec\" name=\"ninja\" command=\"ninja  -k -j2\"\n"
    "complete 6 15/15 \"c\" \"work\" end=9\n";

START_TEST(a_label_has_the_first_argument_that_differs) {
    static const struct {
        uint64_t pid;
        const char *label;
    } want[] = {{10, "make all"}, {11, "cc1 m0.c"}, {12, "cc1 m7.c"},    {13, ""},
                {14, ""},         {15, ""},         {16, "ninja -k -j2"}};
    struct trace *trace = loaded_text(build);
    char buf[PROCESS_LABEL];
    for (uint32_t p = 0; p < trace_process_count(trace); p++)
        for (size_t i = 0; i < sizeof want / sizeof *want; i++)
            if (trace_process(trace, p)->pid == want[i].pid) {
                size_t n = process_label(trace, p, buf);
                ck_assert_uint_eq(n, strlen(want[i].label));
                ck_assert_msg(memcmp(buf, want[i].label, n) == 0, "%.*s", (int)n, buf);
            }
    trace_free(trace);
}
END_TEST

SUITE(process_label) {
    Suite *s = suite_create("process_label");
    TCase *t = tcase_create("process_label");
    tcase_add_test(t, a_label_has_the_first_argument_that_differs);
    suite_add_tcase(s, t);
    return s;
}
