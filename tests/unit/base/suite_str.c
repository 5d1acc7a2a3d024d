/* suite_str.c - runs of bytes: equal ones, and parts in either case. */
#include "src/base/str.h"

#include <ctype.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static size_t any_text(struct chance *chance, char *to, size_t most) {
    size_t n = below(chance, most + 1);
    for (size_t i = 0; i < n; i++)
        to[i] = "aAbB"[below(chance, 4)];
    to[n] = '\0';
    return n;
}

START_TEST(strings_are_equal_when_all_their_bytes_are) {
    struct chance chance = {31};
    for (int set = 0; set < 20000; set++) {
        char a[8], b[8];
        size_t n = any_text(&chance, a, 3), m = any_text(&chance, b, 3);
        bool equal = n == m;
        for (size_t i = 0; equal && i < n; i++)
            equal = a[i] == b[i];
        MUST(str_eq((struct str){a, n}, (struct str){b, m}) == equal, set);
    }
    ck_assert(str_eq((struct str){NULL, 0}, (struct str){"x", 0}));
    ck_assert(!str_eq((struct str){"a\0b", 3}, (struct str){"a\0c", 3}));
    ck_assert(str_eq(STR("a\0b"), (struct str){"a\0b", 3}));
    ck_assert(str_eq(str_of("a\0b"), STR("a")));
}
END_TEST

START_TEST(a_part_is_found_in_either_case) {
    struct chance chance = {37};
    for (int set = 0; set < 50000; set++) {
        char text[12], part[4], lower[12], low_part[4];
        size_t n = any_text(&chance, text, 10), m = any_text(&chance, part, 3);
        for (size_t i = 0; i <= n; i++)
            lower[i] = (char)tolower((unsigned char)text[i]);
        for (size_t i = 0; i <= m; i++)
            low_part[i] = (char)tolower((unsigned char)part[i]);
        MUST(str_has(text, part) == (strstr(lower, low_part) != NULL), set);
    }
}
END_TEST

SUITE(str) {
    Suite *s = suite_create("str");
    TCase *t = tcase_create("str");
    tcase_add_test(t, strings_are_equal_when_all_their_bytes_are);
    tcase_add_test(t, a_part_is_found_in_either_case);
    suite_add_tcase(s, t);
    return s;
}
