/* suite_table_column.c - names of columns, times as decimal numbers of any unit and as dates. */
#include "src/import/tables/table_column.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/unit/lib/suites.h"

START_TEST(names_have_roles_and_units) {
    static const struct {
        const char *name;
        enum table_role role;
        unsigned digits;
        bool unit;
    } names[] = {{"ts", TABLE_TIME, 0, false},
                 {"TS_US", TABLE_TIME, 3, true},
                 {"Time (ms)", TABLE_TIME, 6, true},
                 {"start_time[s]", TABLE_TIME, 9, true},
                 {"@timestamp", TABLE_TIME, 0, false},
                 {"start_time", TABLE_TIME, 0, false},
                 {"duration_ns", TABLE_DURATION, 0, true},
                 {"value_ms", TABLE_ARGUMENT, 6, true},
                 {"_s", TABLE_ARGUMENT, 0, false},
                 {"(s)", TABLE_ARGUMENT, 0, false},
                 {"Name", TABLE_NAME, 0, false},
                 {"names", TABLE_ARGUMENT, 0, false},
                 {"", TABLE_ARGUMENT, 0, false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct table_column c = table_column_of(str_of(names[i].name));
        ck_assert_msg(c.role == names[i].role && c.unit == names[i].unit &&
                          c.digits == names[i].digits,
                      "%s: %d %u", names[i].name, (int)c.role, c.digits);
    }
}
END_TEST

START_TEST(times_are_exact) {
    static const struct {
        const char *text;
        unsigned digits;
        enum table_time kind;
        uint64_t ns;
    } times[] = {{"0", 9, TABLE_CLOCK, 0},
                 {"1.5", 9, TABLE_CLOCK, 1500000000},
                 {"1700000000.123456789", 9, TABLE_CLOCK, UINT64_C(1700000000123456789)},
                 {"1700000000.1234567894", 9, TABLE_CLOCK, UINT64_C(1700000000123456789)},
                 {"1700000000.1234567895", 9, TABLE_CLOCK, UINT64_C(1700000000123456790)},
                 {"9007199254740993", 0, TABLE_CLOCK, UINT64_C(9007199254740993)},
                 {".5", 3, TABLE_CLOCK, 500},
                 {"5.", 3, TABLE_CLOCK, 5000},
                 {" 7 ", 0, TABLE_CLOCK, 7},
                 {"1e3", 3, TABLE_CLOCK, 1000000},
                 {"9223372036854775807", 0, TABLE_CLOCK, INT64_MAX},
                 {"9223372036854775808", 0, TABLE_NO_TIME, 0},
                 {"9999999999999", 9, TABLE_NO_TIME, 0},
                 {"-1", 0, TABLE_NEGATIVE, 0},
                 {".", 0, TABLE_NO_TIME, 0},
                 {"", 0, TABLE_NO_TIME, 0},
                 {"1,234", 0, TABLE_NO_TIME, 0},
                 {"0x1f", 0, TABLE_NO_TIME, 0},
                 {"1970-01-01T00:00:01Z", 0, TABLE_WALL, 1000000000},
                 {"2000-02-29 12:00:00.5", 0, TABLE_WALL, UINT64_C(951825600500000000)},
                 {"2023-11-14T23:13:20+01:00", 0, TABLE_WALL, UINT64_C(1700000000000000000)},
                 {"2023-11-14T22:13:20,123456789Z", 0, TABLE_WALL, UINT64_C(1700000000123456789)},
                 {"2023-11-14T21:43:20-0030", 0, TABLE_WALL, UINT64_C(1700000000000000000)},
                 {"2023-13-14T22:13:20Z", 0, TABLE_NO_TIME, 0},
                 {"2023-11-14T22:13:20X", 0, TABLE_NO_TIME, 0},
                 {"2023-11-14", 0, TABLE_NO_TIME, 0}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        uint64_t ns = 0;
        enum table_time kind = table_column_time(str_of(times[i].text), times[i].digits, &ns);
        ck_assert_msg(kind == times[i].kind, "%s: %d", times[i].text, (int)kind);
        if (kind == TABLE_CLOCK || kind == TABLE_WALL)
            ck_assert_msg(ns == times[i].ns, "%s: %" PRIu64, times[i].text, ns);
    }
}
END_TEST

SUITE(table_column) {
    Suite *s = suite_create("table_column");
    TCase *c = tcase_create("table_column");
    tcase_add_test(c, names_have_roles_and_units);
    tcase_add_test(c, times_are_exact);
    suite_add_tcase(s, c);
    return s;
}
