/* suite_units.c - times as text, and back. */
#include "src/base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {1};

START_TEST(durations_have_four_digits) {
    static const struct {
        int64_t ns;
        const char *text, *shortly;
    } cases[] = {
        {0, "0 ns", "0 ns"},
        {7, "7 ns", "7 ns"},
        {999, "999 ns", "999 ns"},
        {1000, "1.000 µs", "1 µs"},
        {1234, "1.234 µs", "1.234 µs"},
        {9999, "9.999 µs", "9.999 µs"},
        {10004, "10.00 µs", "10 µs"},
        {10005, "10.01 µs", "10.01 µs"},
        {99995, "100.0 µs", "100 µs"},
        {518300, "518.3 µs", "518.3 µs"},
        {999949, "999.9 µs", "999.9 µs"},
        {999950, "1.000 ms", "1 ms"},
        {8800000, "8.800 ms", "8.8 ms"},
        {40000000, "40.00 ms", "40 ms"},
        {999950000, "1.000 s", "1 s"},
        {INT64_C(12417000000), "12.42 s", "12.42 s"},
        {INT64_C(999949999999), "999.9 s", "999.9 s"},
        {INT64_C(3600000000000), "3600 s", "3600 s"},
        {INT64_C(12345499999999), "12345 s", "12345 s"},
        {-1204000, "-1.204 ms", "-1.204 ms"},
        {INT64_C(9999999499999999), "9999999 s", "9999999 s"},
        {INT64_C(9999999500000000), "115.7 d", "115.7 d"},
        {INT64_C(86400000000000000), "1000 d", "1000 d"},
        {INT64_C(20736000000000000), "240.0 d", "240 d"},
        {INT64_MAX - 1, "106752 d", "106752 d"},
        {INT64_MIN + 1, "-106752 d", "-106752 d"},
        {INT64_MAX, ">106751 d", ">106751 d"},
        {INT64_MIN, "<-106751 d", "<-106751 d"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[32];
        ck_assert_str_eq(units_duration(cases[i].ns, false, buf), cases[i].text);
        ck_assert_str_eq(units_duration_short(cases[i].ns, false, buf), cases[i].shortly);
    }
}
END_TEST

START_TEST(ascii_has_no_micro_sign) {
    char buf[32];
    ck_assert_str_eq(units_duration(518300, true, buf), "518.3 us");
    ck_assert_str_eq(units_duration_short(40000, true, buf), "40 us");
}
END_TEST

/* They fit into nine columns, too. */
/* Durations in the unit that is shared by all say what they are, to a unit of their last digit. */
START_TEST(a_shared_unit_suits_all) {
    static const char *const names[] = {" ns", " us", " ms", " s", " d"};
    static const int64_t sizes[] = {1, 1000, 1000000, 1000000000, INT64_C(86400000000000)};
    unsigned shared[5] = {0};
    for (int n = 0; n < 20000; n++) {
        int64_t a = 1 + (int64_t)(chance_next(&chance) >> (1 + below(&chance, 62))),
                b = 1 + (int64_t)(chance_next(&chance) >> (1 + below(&chance, 62))),
                least = a < b ? a : b, greatest = a < b ? b : a, back,
                unit = units_shared(least, greatest);
        char text[32];
        size_t k = 0;
        while (k < 5 && sizes[k] != unit)
            k++;
        MUST((k < 5) == (unit > 0), n);
        if (unit == 0)
            continue;
        shared[k]++;
        MUST(least >= unit / 10 && greatest >= unit, n);
        for (int i = 0; i < 2; i++) {
            units_duration_in(i ? greatest : -least, unit, true, text);
            MUST(strlen(text) < 12 && strstr(text, names[k]) != NULL, n);
            MUST(units_parse(text, strlen(text), &back), n);
            const char *point = strchr(text, '.');
            int64_t place = unit;
            for (size_t d = point ? strcspn(point + 1, " ") : 0; d > 0; d--)
                place /= 10;
            int64_t off = units_since(i ? greatest : -least, back);
            MUST(off <= place / 2 + 1 && -off <= place / 2 + 1, n);
            MUST(place == unit || strspn(text, "-0123456789.") <= 6, n);
        }
    }
    for (int k = 0; k < 5; k++)
        ck_assert_uint_gt(shared[k], 20);
    ck_assert_int_eq(units_shared(100, 999999), 1000);
    ck_assert_int_eq(units_shared(99, 999999), 0);
    ck_assert_int_eq(units_shared(1, 999), 1);
}
END_TEST

START_TEST(durations_never_shrink_as_time_grows) {
    for (int i = 0; i < 100000; i++) {
        int64_t a = (int64_t)(chance_next(&chance) >> (2 + chance_next(&chance) % 62)),
                b = a + (a < 100000 ? 1 : a / 20000), x, y;
        char buf[32];
        units_duration(a, true, buf);
        MUST(units_parse(buf, strlen(buf), &x) && strlen(buf) <= 9);
        MUST(x > a ? x - a : a - x <= a / 1999 + (a > INT64_C(1000000000000) ? 500000000 : 0));
        units_duration(b, false, buf);
        MUST(units_parse(buf, strlen(buf), &y));
        MUST(x <= y);
    }
}
END_TEST

START_TEST(points_show_what_the_resolution_needs) {
    static const struct {
        int64_t ns, resolution;
        const char *text;
    } cases[] = {
        {INT64_C(3434600000), 1000, "+3.434600 s"},
        {INT64_C(3434600000), 9999, "+3.434600 s"},
        {INT64_C(3434600000), 518000, "+3.4346 s"},
        {INT64_C(3434600000), 1, "+3.434600000 s"},
        {INT64_C(3434600000), 0, "+3.434600000 s"},
        {INT64_C(3434600000), INT64_C(1000000000), "+3 s"},
        {INT64_C(3934600000), INT64_MAX, "+4 s"},
        {-1204000, 1000, "-0.001204 s"},
        {INT64_C(-1204000000), 1000, "-1.204000 s"},
        {-1, 1000, "+0.000000 s"}, /* no minus before nothing */
        {0, 1000, "+0.000000 s"},
        {0, 1, "+0 ns"},
        {12, 1, "+12 ns"},
        {-12, 10, "-12 ns"},
        {1000, 1, "+0.000001000 s"},
        {INT64_MAX, 1, "+9223372036.854775807 s"},
        {INT64_MIN, 1, "-9223372036.854775808 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[32];
        ck_assert_str_eq(units_point(cases[i].ns, cases[i].resolution, false, buf), cases[i].text);
    }
}
END_TEST

START_TEST(points_of_neighbouring_columns_differ) {
    for (int i = 0; i < 20000; i++) {
        int64_t column = (int64_t)(chance_next(&chance) >> (4 + chance_next(&chance) % 60)) + 1;
        int64_t t = (int64_t)(chance_next(&chance) >> 2);
        char a[32], b[32];
        MUST(strcmp(units_point(t, column, false, a), units_point(t + column, column, false, b)) !=
             0);
    }
}
END_TEST

START_TEST(counts_and_sizes_have_three_digits_when_brief) {
    static const struct {
        uint64_t n;
        const char *full, *brief, *bytes;
    } cases[] = {
        {0, "0", "0", "0 B"},
        {96, "96", "96", "96 B"},
        {999, "999", "999", "999 B"},
        {1000, "1,000", "1000", "1.00 kB"},
        {9999, "9,999", "9999", "10.0 kB"},
        {12400, "12,400", "12.4k", "12.4 kB"},
        {517300, "517,300", "517k", "517 kB"},
        {999499, "999,499", "999k", "999 kB"},
        {999500, "999,500", "1.00M", "1.00 MB"},
        {1234567, "1,234,567", "1.23M", "1.23 MB"},
        {61800000, "61,800,000", "61.8M", "61.8 MB"},
        {UINT64_C(2410000000), "2,410,000,000", "2.41G", "2.41 GB"},
        {UINT64_C(2000000000000), "2,000,000,000,000", "2.00T", "2.00 TB"},
        {UINT64_C(2000000000000000), "2,000,000,000,000,000", "2.00P", "2.00 PB"},
        {UINT64_MAX, "18,446,744,073,709,551,615", "18.4E", "18.4 EB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[32];
        ck_assert_str_eq(units_count(cases[i].n, false, buf), cases[i].full);
        ck_assert_str_eq(units_count(cases[i].n, true, buf), cases[i].brief);
        ck_assert_str_eq(units_bytes(cases[i].n, buf), cases[i].bytes);
    }
}
END_TEST

START_TEST(wall_clock_times_are_utc_to_the_nanosecond) {
    char buf[48];
    ck_assert_str_eq(units_wall(UINT64_C(1650419113989693816), buf),
                     "2022-04-20 01:45:13.989693816 UTC");
    ck_assert_str_eq(units_wall(0, buf), "1970-01-01 00:00:00.000000000 UTC");
    ck_assert_str_eq(units_wall(UINT64_C(951868799000000001), buf),
                     "2000-02-29 23:59:59.000000001 UTC");
    ck_assert_str_eq(units_wall(UINT64_C(4107542400000000000), buf),
                     "2100-03-01 00:00:00.000000000 UTC");
    ck_assert_str_eq(units_wall(UINT64_MAX, buf), "2554-07-21 23:34:33.709551615 UTC");
}
END_TEST

static bool is_round(int64_t step) {
    while (step % 10 == 0)
        step /= 10;
    return step == 1 || step == 2 || step == 5;
}

START_TEST(steps_are_the_smallest_round_ones) {
    static const struct {
        int64_t least, step;
    } cases[] = {{1, 1},
                 {2, 2},
                 {3, 5},
                 {5, 5},
                 {6, 10},
                 {11, 20},
                 {5001, 10000},
                 {INT64_C(5000000000000000000), INT64_C(5000000000000000000)},
                 {INT64_C(5000000000000000001), INT64_MAX},
                 {INT64_MAX, INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        MUST(units_step(cases[i].least) == cases[i].step);
    for (int i = 0; i < 100000; i++) {
        int64_t least = (int64_t)(chance_next(&chance) >> (2 + chance_next(&chance) % 62)) + 1,
                step = units_step(least);
        MUST(step >= least);
        MUST(is_round(step));
        MUST(step / 5 <= least * 2 / 4); /* 2.5 is the greatest ratio of neighbours */
    }
}
END_TEST

START_TEST(parses_what_people_type) {
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"250", 250},
        {"7ns", 7},
        {"120us", 120000},
        {"120 µs", 120000},
        {"120 \xce\xbcs", 120000},
        {"1.5ms", 1500000},
        {" 1.5  ms ", 1500000},
        {"+3.4 s", INT64_C(3400000000)},
        {"-1.204 ms", -1204000},
        {"+3.434600000 s", INT64_C(3434600000)},
        {"2s", INT64_C(2000000000)},
        {"1m", INT64_C(60000000000)},
        {"1.5min", INT64_C(90000000000)},
        {"2h", INT64_C(7200000000000)},
        {".5ms", 500000},
        {"5.ms", 5000000},
        {"1.9", 1},
        {"0.9999999999999999999999999999 us", 999},
        {"1.0000000019999999999999999999 s", 1000000001},
        {"000000000000000000000000000012 ns", 12},
        {"9223372036854775807", INT64_MAX},
        {"9223372036.854775807s", INT64_MAX},
        {"9223372036854775808", INT64_MAX},
        {"9223372036.854775808s", INT64_MAX},
        {"9223372037s", INT64_MAX},
        {"99999999h", INT64_MAX},
        {"18446744073709551616", INT64_MAX},
        {"-18446744073709551617", -INT64_MAX},
        {"20000000000000000000", INT64_MAX},
        {"99999999999999999999999999999999999999999 s", INT64_MAX},
    };
    static const char *const bad[] = {"",    " ",   "+",    "-",     ".",
                                      "ms",  "+ms", "1 kg", "1.5.2", "1e3",
                                      "--1", "1 2", "0x10", "1 m s", "18446744073709551616 kg",
                                      "inf", "- 5"};
    int64_t ns;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(units_parse(cases[i].text, strlen(cases[i].text), &ns), "%s", cases[i].text);
        ck_assert_int_eq(ns, cases[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!units_parse(bad[i], strlen(bad[i]), &ns), "%s", bad[i]);
    ck_assert(units_parse("12345", 2, &ns)); /* the length counts, not a NUL */
    ck_assert_int_eq(ns, 12);
}
END_TEST

START_TEST(points_can_be_typed_again) {
    for (int i = 0; i < 100000; i++) {
        int64_t t = (int64_t)(chance_next(&chance) >> (1 + chance_next(&chance) % 63)), back;
        char buf[32];
        if (i % 2)
            t = -t;
        units_point(t, 1, i % 3 == 0, buf);
        MUST(units_parse(buf, strlen(buf), &back));
        MUST(back == t);
    }
}
END_TEST

START_TEST(differences_and_sums_saturate_at_one_floor) {
    ck_assert_int_eq(units_since(5, 3), -2);
    ck_assert_int_eq(units_since(1, INT64_MIN), INT64_MIN);
    ck_assert_int_eq(units_since(INT64_MIN, 0), INT64_MAX);
    ck_assert_int_eq(units_since(INT64_MAX, INT64_MIN), INT64_MIN);
    ck_assert_int_eq(units_sum(5, -3), 2);
    ck_assert_int_eq(units_sum(INT64_MIN, -1), INT64_MIN);
    ck_assert_int_eq(units_sum(INT64_MAX, 1), INT64_MAX);
}
END_TEST

START_TEST(work_under_way_is_never_at_100_percent) {
    ck_assert_uint_eq(units_percent(0, 7), 0);
    ck_assert_uint_eq(units_percent(1, 3), 33);
    ck_assert_uint_eq(units_percent(6, 7), 84);
    ck_assert_uint_eq(units_percent(7, 7), 99);
    ck_assert_uint_eq(units_percent(8, 7), 99); /* the number of all was about */
    ck_assert_uint_eq(units_percent(0, 0), 99);
}
END_TEST

SUITE(units) {
    Suite *s = suite_create("units");
    TCase *t = tcase_create("text");
    tcase_add_test(t, differences_and_sums_saturate_at_one_floor);
    tcase_add_test(t, work_under_way_is_never_at_100_percent);
    tcase_add_test(t, durations_have_four_digits);
    tcase_add_test(t, ascii_has_no_micro_sign);
    tcase_add_test(t, a_shared_unit_suits_all);
    tcase_add_test(t, durations_never_shrink_as_time_grows);
    tcase_add_test(t, points_show_what_the_resolution_needs);
    tcase_add_test(t, points_of_neighbouring_columns_differ);
    tcase_add_test(t, counts_and_sizes_have_three_digits_when_brief);
    tcase_add_test(t, wall_clock_times_are_utc_to_the_nanosecond);
    tcase_add_test(t, steps_are_the_smallest_round_ones);
    suite_add_tcase(s, t);
    t = tcase_create("parse");
    tcase_add_test(t, parses_what_people_type);
    tcase_add_test(t, points_can_be_typed_again);
    suite_add_tcase(s, t);
    return s;
}
