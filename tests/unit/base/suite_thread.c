/* suite_thread.c - a thread leaves a processor, and may use all of them afterwards. */
#include "src/base/thread.h"

#include <sched.h>

#include "tests/unit/lib/suites.h"

START_TEST(a_thread_leaves_its_processor_if_there_is_another) {
#ifdef HAVE_SCHED_GETAFFINITY
    enum { TIMES = 50 };
    cpu_set_t before, after;
    int moved = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    for (int i = 0; i < TIMES; i++) {
        int cpu = thread_cpu();
        ck_assert(CPU_ISSET(cpu, &before));
        thread_leave_cpu(cpu);
        moved += thread_cpu() != cpu; /* the system may have moved it back */
    }
    ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
    ck_assert(CPU_EQUAL(&before, &after));
    ck_assert(moved > TIMES / 2 || !thread_worthwhile());
#endif
}
END_TEST

START_TEST(a_thread_with_one_processor_stays) {
#ifdef HAVE_SCHED_GETAFFINITY
    cpu_set_t before, one, after;
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = thread_cpu();
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert(!thread_worthwhile());
    thread_leave_cpu(cpu);
    ck_assert_int_eq(thread_cpu(), cpu);
    ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
    ck_assert(CPU_EQUAL(&one, &after));
    ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
#endif
}
END_TEST

SUITE(thread) {
    Suite *s = suite_create("thread");
    TCase *c = tcase_create("thread");
    tcase_add_test(c, a_thread_leaves_its_processor_if_there_is_another);
    tcase_add_test(c, a_thread_with_one_processor_stays);
    suite_add_tcase(s, c);
    return s;
}
