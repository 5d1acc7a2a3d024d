/* suite_ticks.c - the clock of a recording: times of the kernel and of the counter are the same
 * time. */
#include "record/ticks.h"

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_time_of_the_kernel_becomes_ticks_near_those_of_now) {
    struct ticks t;
    ticks_init(&t);
    ck_assert_uint_gt(t.per_second, 1000000);
    for (int i = 0; i < 1000; i++) {
        uint64_t before = ticks_now(&t), of = ticks_of(&t, ticks_monotonic()),
                 after = ticks_now(&t);
        uint64_t slack = t.per_second / 1000; /* 1 ms: the rate is measured within 50 ppm or so */
        MUST(of + slack >= before && of <= after + slack, i);
    }
    ck_assert_uint_eq(ticks_of(&t, t.pair_ns), t.pair_ticks);
    ck_assert_uint_lt(ticks_of(&t, t.pair_ns - 1000000), t.pair_ticks); /* before the pair, too */
}
END_TEST

START_TEST(without_a_counter_ticks_are_nanoseconds) {
    const struct ticks t = {WIRE_CLOCK_MONOTONIC, 1000000000, 5, 7};
    ck_assert_uint_eq(ticks_of(&t, 12345), 12345);
    uint64_t before = ticks_monotonic(), now = ticks_now(&t);
    ck_assert(now >= before && now - before < 1000000000);
}
END_TEST

SUITE(ticks) {
    Suite *s = suite_create("ticks");
    TCase *c = tcase_create("ticks");
    tcase_add_test(c, a_time_of_the_kernel_becomes_ticks_near_those_of_now);
    tcase_add_test(c, without_a_counter_ticks_are_nanoseconds);
    suite_add_tcase(s, c);
    return s;
}
