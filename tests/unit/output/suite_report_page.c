/* suite_report_page.c - the page of fxtop record --report. */
#include "model/output/report_page.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static char *page_of(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(report_page(trace, f, true));
    fclose(f);
    trace_free(trace);
    return text;
}

/* The waits are of the switches: from 6 ms of the fixture to 9, and from there to 9.7. */
START_TEST(stacks_have_their_innermost_function_first) {
    char *text = page_of(loaded_fixture("backtraces"));
    const char *waits = strstr(text, "Longest waits, by off-CPU time\n");
    ck_assert(strstr(text, "\nHeaviest stacks, by samples\n   14.3%          1  "));
    ck_assert(strstr(text, "  0x0 < 0xffffffffffffffff < 0x10010\n"));
    ck_assert(strstr(text, "  fib < fib < fib < fib < fib < fib < fib < fib < ...\n"));
    ck_assert(waits != NULL);
    ck_assert_str_eq(waits, "Longest waits, by off-CPU time\n"
                            "   81.1%   3.000 ms  0x20 app < main\n"
                            "   18.9%   700.0 us  copy < read\n");
    free(text);
}
END_TEST

START_TEST(frames_of_the_kernel_are_left_out_of_waits) {
    char *text = page_of(
        loaded_text("magic\ninit 1000000000\n"
                    "kernel_object 2 9 \"x (samples)\" process=koid:1 thread=koid:4\n"
                    "instant 0 1/4 \"c\" \"first\"\nswitch 0 0 5 1 4\n"
                    "begin 1 1/9 \"sampled\" \"wait\" dso=\"libc.so\"\n"
                    "begin 1 1/9 \"sampled\" \"schedule\" dso=\"[kernel]\"\n"
                    "instant 1 1/9 \"sampled\" \"blocked\"\nswitch 1 0 4 3 5\nswitch 5 0 5 1 4\n"
                    "end 6 1/9 \"sampled\" \"\"\nend 6 1/9 \"sampled\" \"\"\n"
                    "begin 6 1/9 \"sampled\" \"copy\" dso=\"[kernel]\"\n"
                    "instant 6 1/9 \"sampled\" \"sample\"\nend 7 1/9 \"sampled\" \"\"\n"));
    ck_assert(strstr(text, "\nHeaviest stacks, by samples\n  100.0%          1  copy\n"));
    ck_assert(strstr(text, "by off-CPU time\n  100.0%       4 ns  wait\n"));
    free(text);
}
END_TEST

START_TEST(the_slowest_slices_are_measured_ones) {
    char *text =
        page_of(loaded_text("magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"short\" end=2\n"
                            "complete 5 1/2 \"c\" \"long\" end=9\n"));
    const char *slow = strstr(text, "\nSlowest slices\n");
    ck_assert(slow && strstr(slow, "long") && strstr(slow, "long") < strstr(slow, "short"));
    ck_assert(strstr(text, "Heaviest") == NULL);
    free(text);
}
END_TEST

SUITE(report_page) {
    Suite *s = suite_create("report_page");
    TCase *t = tcase_create("report_page");
    tcase_add_test(t, stacks_have_their_innermost_function_first);
    tcase_add_test(t, frames_of_the_kernel_are_left_out_of_waits);
    tcase_add_test(t, the_slowest_slices_are_measured_ones);
    suite_add_tcase(s, t);
    return s;
}
