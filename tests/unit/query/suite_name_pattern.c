/* suite_name_pattern.c - patterns of names, and the expression that fits their names. */
#include "model/query/stat/name_pattern.h"

#include <string.h>

#include "src/base/pattern.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {97};

static struct str pattern_of(const char *name, struct name_pattern *to) {
    to->n = 0;
    name_pattern_add(str_of(name), to);
    return (struct str){to->n > 0 ? to->v : "", to->n};
}

START_TEST(numbers_and_quoted_parts_are_folded) {
    static const char *const cases[][2] = {
        {"", ""},
        {"Frame", "Frame"},
        {"ProfilerStep#12", "ProfilerStep#N"},
        {"Worker #3 of 10", "Worker #N of N"},
        {"0x7f12ab", "0xN"},
        {"0x", "Nx"},
        {"0xyz", "Nxyz"},
        {"v1.25", "vN.N"},
        {"action 'Linking a/b.c'", "action '...'"},
        {"say \"a b\" twice \"c\"", "say \"...\" twice \"...\""},
        {"it's 5 o'clock", "it's N o'clock"},
        {"action 'don't'", "action '...'"},
        {"an open 'end", "an open 'end"},
        {"`f` and 'g'", "`...` and '...'"},
        {"''", "'...'"},
    };
    struct name_pattern text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str got = pattern_of(cases[i][0], &text);
        ck_assert_msg(str_eq(got, str_of(cases[i][1])), "%s: %.*s", cases[i][0], (int)got.n, got.s);
    }
    vec_free(&text);
}
END_TEST

/* The expression of a name's pattern fits the name, and no name of another pattern but for N and
 * numbers side by side. */
START_TEST(the_expression_fits_its_names) {
    static const char *const parts[] = {"1", "23", "0x1f", "a",  "N",  " ",   "#",     "'b c'",
                                        "'", "\"", "/",    ".*", "\\", "(x)", "\"q\"", "\xc3\xa4"};
    struct name_pattern text[2] = {{0}, {0}}, regex = {0};
    unsigned same = 0, other = 0;
    for (int n = 0; n < 20000; n++) {
        char name[2][80] = {"", ""};
        struct str pattern[2];
        for (int i = 0; i < 2; i++) {
            for (size_t k = 1 + below(&chance, n % 2 ? 2 : 6); k > 0; k--)
                checked_append(name[i], sizeof name[i], "%s",
                               parts[below(&chance, sizeof parts / sizeof *parts)]);
            pattern[i] = pattern_of(name[i], &text[i]);
        }
        regex.n = 0;
        vec_push(&regex, '/');
        name_pattern_regex(pattern[0], &regex);
        vec_push(&regex, '/');
        vec_push(&regex, '\0');
        struct err err;
        struct pattern *p = pattern_new(regex.v, false, &err);
        ck_assert_msg(p != NULL, "%s: %s", regex.v, err.text);
        ck_assert_msg(pattern_matches(p, str_of(name[0])), "%s: %s", name[0], regex.v);
        bool alike = str_eq(pattern[0], pattern[1]), fits = pattern_matches(p, str_of(name[1]));
        ck_assert_msg(!alike || fits, "%s: %s", name[1], regex.v);
        ck_assert_msg(alike || !fits || memchr(text[0].v, 'N', text[0].n), "%s: %s", name[1],
                      regex.v);
        same += alike;
        other += !fits;
        pattern_free(p);
    }
    ck_assert_uint_gt(same, 200);
    ck_assert_uint_gt(other, 10000);
    vec_free(&text[0]);
    vec_free(&text[1]);
    vec_free(&regex);
}
END_TEST

SUITE(name_pattern) {
    Suite *s = suite_create("name_pattern");
    TCase *t = tcase_create("name_pattern");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, numbers_and_quoted_parts_are_folded);
    tcase_add_test(t, the_expression_fits_its_names);
    suite_add_tcase(s, t);
    return s;
}
