/* suite_details_preempted.c - the runs in place of a thread that was taken from its CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

#define THREADS                                                                                    \
    "magic\ninit 1000000000\nkernel_object 2 6 \"aa\" process=koid:5\n"                            \
    "kernel_object 2 7 \"bb\" process=koid:5\nkernel_object 2 8 \"cc\" process=koid:5\n"

START_TEST(runs_on_its_cpu_until_it_is_back) {
    shown_text(THREADS "switch 0 2 9 3 6\nswitch 1000 2 6 1 7\nswitch 1600 2 7 1 8\n"
                       "switch 1700 2 8 3 7\nswitch 1900 1 9 3 6\nswitch 2200 2 7 3 9\n"
                       "switch 2500 1 6 3 9\n",
               120, 30);
    shown_keys("taa<Enter>l<Tab>");
    ck_assert(shown_has("preempted on cpu 2; instead ran process 5 / bb 7 800 ns, "
                        "process 5 / cc 8 100 ns; back on cpu 1 at +0.000001900 s"));
    shown_keys("<Tab>l"); /* it runs */
    ck_assert(!shown_has("preempted"));
    shown_close();
}
END_TEST

START_TEST(many_others_are_added_up) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(f);
    fputs(THREADS "switch 0 0 9 3 6\nswitch 100 0 6 1 1000\n", f);
    for (int i = 0; i < 99; i++)
        fprintf(f, "switch %d 0 %d 3 %d\n", 200 + i * 100 + i * i, 1000 + i, 1001 + i);
    fclose(f);
    shown_text(text, 160, 30);
    shown_keys("taa<Enter>ll<Tab>");
    ck_assert(shown_has("preempted on cpu 0; instead ran "));
    ck_assert(shown_has(", others ") && !shown_has("back on"));
    shown_close();
    free(text);
}
END_TEST

/* Blocked threads leave by themselves; those that were woken did not run before. */
START_TEST(others_are_not_preempted) {
    shown_text(THREADS "switch 0 0 9 3 6\nswitch 100 0 6 3 7\nwakeup 200 0 6\n"
                       "switch 300 0 7 3 6\nswitch 400 0 6 3 9\n",
               120, 30);
    shown_keys("taa<Enter>l<Tab>");
    ck_assert(!shown_has("preempted"));
    shown_keys("<Tab>l");
    ck_assert(!shown_has("preempted"));
    shown_close();
}
END_TEST

SUITE(details_preempted) {
    Suite *s = suite_create("details_preempted");
    TCase *t = tcase_create("details_preempted");
    tcase_add_test(t, runs_on_its_cpu_until_it_is_back);
    tcase_add_test(t, many_others_are_added_up);
    tcase_add_test(t, others_are_not_preempted);
    suite_add_tcase(s, t);
    return s;
}
