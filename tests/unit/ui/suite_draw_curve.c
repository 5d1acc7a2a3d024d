/* suite_draw_curve.c - numbers of counters as the gutter and the drawer show them. */
#include <math.h>
#include <string.h>

#include "tests/unit/lib/suites.h"
#include "ui/timeline/kinds/curve.h"

START_TEST(numbers_have_four_digits_and_a_prefix) {
    static const struct {
        double x;
        const char *text;
    } all[] = {{0, "0"},
               {-0.0, "-0"},
               {7, "7"},
               {-9999, "-9999"},
               {0.5, "0.5"},
               {3.14159, "3.142"},
               {9999.4, "9999"},
               {9999.6, "10k"},
               {12345, "12.35k"},
               {-1.5e7, "-15M"},
               {2.5e10, "25G"},
               {1e13, "10T"},
               {1e16, "10P"},
               {1e19, "10E"},
               {9.9e21, "9900E"},
               {1e22, "1.00e+22"},
               {0.001, "0.001"},
               {0.0009, "9.00e-04"},
               {-1e300, "-1.00e+300"}};
    char buf[24];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_str_eq(curve_number(all[i].x, buf), all[i].text);
}
END_TEST

START_TEST(what_is_no_number_is_said_so) {
    char buf[24];
    ck_assert_str_eq(curve_number((double)NAN, buf), "NaN");
    ck_assert_str_eq(curve_number(-(double)NAN, buf), "NaN");
    ck_assert_str_eq(curve_number((double)INFINITY, buf), "inf");
}
END_TEST

SUITE(draw_curve) {
    Suite *s = suite_create("draw_curve");
    TCase *t = tcase_create("draw_curve");
    tcase_add_test(t, numbers_have_four_digits_and_a_prefix);
    tcase_add_test(t, what_is_no_number_is_said_so);
    suite_add_tcase(s, t);
    return s;
}
