/* suite_json_read.c - strings without escapes, and numbers without rounding: each time equals a
 * computation on its digits as text. */
#include "src/import/json/json_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(escapes_become_characters) {
    static const struct {
        const char *raw, *text;
    } cases[] = {{"plain", "plain"},
                 {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
                 {"\\u0041\\u00e9\\u20AC", "A\xc3\xa9\xe2\x82\xac"},
                 {"\\ud83d\\ude00!", "\xf0\x9f\x98\x80!"},
                 {"\\ud83d\\u0041", "\xef\xbf\xbd"
                                    "A"},
                 {"\\ude00x", "\xef\xbf\xbdx"},
                 {"\\ud83d", "\xef\xbf\xbd"},
                 {"C:\\q\\u12g4\\", "C:\\q\\u12g4\\"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char to[64];
        bool cut = false;
        size_t n = json_read_string(str_of(cases[i].raw), to, sizeof to, &cut);
        ck_assert_msg(n == strlen(cases[i].text) && memcmp(to, cases[i].text, n) == 0 && !cut,
                      "%s: %.*s", cases[i].raw, (int)n, to);
    }
}
END_TEST

/* Whatever the bytes and the space: never more than fits, and the same start. */
START_TEST(a_cut_string_is_the_start_of_the_whole) {
    static const char letters[] = "ab\\\\u0dD8eE\"\xc3\xa9\xf0\x9f\x98\x80";
    struct chance chance = {77};
    for (int set = 0; set < 20000; set++) {
        char raw[40], whole[40], part[40];
        struct str s = {raw, (size_t)below(&chance, sizeof raw)};
        for (size_t i = 0; i < s.n; i++)
            raw[i] = letters[below(&chance, sizeof letters - 1)];
        bool cut = false, short_cut = false;
        size_t n = json_read_string(s, whole, s.n, &cut), cap = (size_t)below(&chance, s.n + 1);
        MUST(!cut && n <= s.n, set);
        size_t m = json_read_string(s, part, cap, &short_cut);
        MUST(m <= cap && m <= n && memcmp(whole, part, m) == 0 && short_cut == (m < n), set);
    }
}
END_TEST

START_TEST(integers_are_exact) {
    uint64_t u;
    int64_t i;
    ck_assert(json_read_u64(STR("18446744073709551615"), &u) && u == UINT64_MAX);
    ck_assert(json_read_u64(STR("-0"), &u) && u == 0);
    ck_assert(json_read_i64(STR("-9223372036854775808"), &i) && i == INT64_MIN);
    ck_assert(json_read_i64(STR("9223372036854775807"), &i) && i == INT64_MAX);
    static const char *const no[] = {
        "18446744073709551616", "-1", "1.0", "1e3", "", "-", "x", "1x", "99999999999999999999999"};
    for (size_t k = 0; k < sizeof no / sizeof *no; k++)
        ck_assert_msg(!json_read_u64(str_of(no[k]), &u), "%s", no[k]);
    ck_assert(!json_read_i64(STR("9223372036854775808"), &i) &&
              !json_read_i64(STR("-9223372036854775809"), &i));
    static const struct {
        const char *text;
        uint64_t value;
    } whole[] = {{"7.0", 7},
                 {"12.50e1", 125},
                 {"1e3", 1000},
                 {"-0.0", 0},
                 {"4294967296.000", UINT64_C(1) << 32}};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        ck_assert_msg(json_read_whole(str_of(whole[k].text), &u) && u == whole[k].value, "%s",
                      whole[k].text);
    ck_assert(!json_read_whole(STR("7.5"), &u) && !json_read_whole(STR("2e19"), &u) &&
              !json_read_whole(STR("-1.0"), &u));
    double x;
    ck_assert(json_read_double(STR("-2.5e-1"), &x) && x == -0.25);
    ck_assert(json_read_double(STR("NaN"), &x) && isnan(x));
    ck_assert(json_read_double(STR("Infinity"), &x) && isinf(x));
    ck_assert(!json_read_double(STR("1.5x"), &x) && !json_read_double(STR(""), &x));
}
END_TEST

START_TEST(doubles_are_those_of_strtod) {
    struct chance chance = {7};
    for (int set = 0; set < 300000; set++) {
        char text[80];
        int n = 1 + (int)below(&chance, 20), at = 0;
        int point = below(&chance, 2) ? 1 + (int)below(&chance, 20) : -1;
        text[at] = '-';
        at += below(&chance, 4) == 0;
        for (int i = 0; i < n; i++) {
            if (i == point)
                text[at++] = '.';
            text[at++] = (char)('0' + (below(&chance, 6) ? below(&chance, 10) : 0));
        }
        text[at] = '\0';
        if (below(&chance, 3) == 0)
            snprintf(text + at, sizeof text - (size_t)at, "e%d", (int)below(&chance, 60) - 30);
        double x = 1, want = strtod(text, NULL);
        ck_assert_msg(json_read_double(str_of(text), &x), "%s", text);
        ck_assert_msg(memcmp(&x, &want, sizeof x) == 0, "%s: %a, not %a", text, x, want);
    }
}
END_TEST

/* The digits of a number of microseconds, moved by hand: picoseconds as text. */
static bool slow_picos(const char *digits, int point, char out[400]) {
    int n = (int)strlen(digits), k = 0;
    /* point: digits before the decimal point, may be negative */
    for (int i = 0; i < point + 6 && k < 390; i++)
        out[k++] = i < n ? digits[i] : '0';
    out[k] = '\0';
    const char *first = out + strspn(out, "0");
    memmove(out, first, strlen(first) + 1);
    return strlen(out) <= 22 &&
           (strlen(out) < 22 || strncmp(out, "9223372036854775807999", 22) <= 0);
}

START_TEST(times_are_the_digits_moved) {
    struct chance chance = {99};
    for (int set = 0; set < 200000; set++) {
        char digits[48], text[80], want[400], got[40];
        int n = 1 + (int)below(&chance, 19), zeros = (int)below(&chance, 4),
            before = (int)below(&chance, 14);
        for (int i = 0; i < n; i++)
            digits[i] = (char)('0' + below(&chance, 10));
        digits[n] = '\0';
        int exponent = below(&chance, 3) == 0 ? (int)below(&chance, 60) - 30 : 0;
        bool negative = below(&chance, 8) == 0, sign;
        /* text: [-]digits[.digits][e+-N], the point after `before` digits */
        int head = before < n ? before : n;
        int k = snprintf(text, sizeof text, "%s%.*s%.*s", negative ? "-" : "", zeros + (head == 0),
                         "0000", head, digits);
        if (head < n)
            k += snprintf(text + k, sizeof text - (size_t)k, ".%s", digits + head);
        if (exponent != 0)
            snprintf(text + k, sizeof text - (size_t)k, "e%s%d", exponent > 0 && set % 2 ? "+" : "",
                     exponent);
        struct json_time t;
        bool fits = slow_picos(digits, head + exponent, want),
             zero = strspn(digits, "0") == strlen(digits);
        bool known = json_read_time(str_of(text), &t, &sign) == JSON_READ_TIME;
        snprintf(got, sizeof got, "%" PRIu64 "%03" PRIu32, known ? t.ns : 0, known ? t.ps : 0);
        const char *first = got + strspn(got, "0");
        if (known != (fits || zero) || (known && strcmp(zero ? "" : want, first) != 0) ||
            (known && sign != (negative && !zero)))
            ck_abort_msg("%s: got %s%s, want %s%s", text, known ? "" : "none ", first,
                         fits ? "" : "none ", want);
    }
}
END_TEST

START_TEST(sums_and_differences_carry) {
    struct json_time sum, a = {5, 700}, b = {INT64_MAX - 6, 400};
    ck_assert(json_read_add(a, b, &sum) && sum.ns == INT64_MAX && sum.ps == 100);
    ck_assert(!json_read_add((struct json_time){6, 600}, b, &sum));
    ck_assert(json_read_subtract(sum, b, &sum) && sum.ns == 5 && sum.ps == 700);
    ck_assert(!json_read_subtract(a, (struct json_time){5, 701}, &sum));
    ck_assert_uint_eq(json_read_ns((struct json_time){5, 500}), 6);
    ck_assert_uint_eq(json_read_ns((struct json_time){5, 499}), 5);
    ck_assert(json_read_ns((struct json_time){INT64_MAX, 999}) == INT64_MAX);
    ck_assert_int_eq(json_read_time(STR("9223372036854775.807"), &sum, &(bool){false}),
                     JSON_READ_TIME);
    ck_assert_int_eq(json_read_time(STR("9223372036854775.808"), &sum, &(bool){false}),
                     JSON_READ_TOO_LARGE);
    ck_assert_int_eq(json_read_time(STR("-1e30"), &sum, &(bool){false}), JSON_READ_TOO_LARGE);
    ck_assert_int_eq(json_read_time(STR("soon"), &sum, &(bool){false}), JSON_READ_NO_TIME);
}
END_TEST

SUITE(json_read) {
    Suite *s = suite_create("json_read");
    TCase *c = tcase_create("json_read");
    tcase_add_test(c, escapes_become_characters);
    tcase_add_test(c, a_cut_string_is_the_start_of_the_whole);
    tcase_add_test(c, integers_are_exact);
    tcase_add_test(c, doubles_are_those_of_strtod);
    tcase_add_test(c, times_are_the_digits_moved);
    tcase_add_test(c, sums_and_differences_carry);
    suite_add_tcase(s, c);
    return s;
}
