/* suite_thread.c - a process that may use one processor has no use for a second thread. */
#include "src/base/thread.h"

#include <sched.h>

#include "tests/unit/lib/suites.h"

START_TEST(one_processor_is_not_worthwhile) {
#ifdef HAVE_SCHED_GETAFFINITY
    cpu_set_t before, one;
    int cpu = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    ck_assert(thread_worthwhile() == (CPU_COUNT(&before) > 1));
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert(!thread_worthwhile());
    ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
#endif
}
END_TEST

SUITE(thread) {
    Suite *s = suite_create("thread");
    TCase *c = tcase_create("thread");
    tcase_add_test(c, one_processor_is_not_worthwhile);
    suite_add_tcase(s, c);
    return s;
}
