/* suite_pattern.c - regular expressions: what they match, what they may cost, what is wrong with
 * them. */
#include "src/base/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/suites.h"

static bool matches(const char *text, const char *name, size_t n, uint32_t *cost) {
    struct err err;
    struct pattern *pattern = pattern_new(text, false, &err);
    ck_assert_msg(pattern != NULL, "%s", err.text);
    bool match = pattern_matches(pattern, (struct str){name, n});
    *cost = pattern_cost(pattern);
    pattern_free(pattern);
    return match;
}

START_TEST(an_expression_knows_posix_classes_and_unicode) {
    static const struct {
        const char *text, *name;
        bool match;
    } cases[] = {
        {"/^[[:alpha:]]+$/", "abc", true},
        {"/^[[:alpha:]]+$/", "\xc3\xa4\xce\xb1\xd0\xb6", true}, /* letters of three alphabets */
        {"/^[[:alpha:]]+$/", "ab1", false},
        {"/[[:space:]]x[[:digit:]]{2}/", "a x42", true},
        {"/^[^[:punct:]]$/", "\xe2\x82\xac", true}, /* one character, three bytes */
        {"/[[:<:]]run[[:>:]]/", "a run b", true},
        {"/[[:<:]]run[[:>:]]/", "a running b", false},
        {"/^[]x]+$/", "]x]", true},
        {"/a{2,3}b/", "aab", true},
        {"/a{2,3}b/", "ab", false},
        {"/^a.b$/",
         "a\xc3\xa4"
         "b",
         true},
        {"/^a.b$/", "a\nb", true},
        {"/b$/", "ab\n", false},
        {"/\xc3\xa4/", "\xc3\x84", true}, /* smart case folds all letters */
        {"/X\xc3\xa4/", "X\xc3\x84", false},
        {"/b.d/",
         "\xff\xc3"
         "bcd\x80",
         true},
        {"/^.$/", "\xff", false}, /* ill-formed: nothing matches it */
        {"/(.)\\1/", "abccd", true},
        {"/\xff"
         "b/",
         "a\xff"
         "b",
         true}, /* not UTF-8: bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t cost;
        ck_assert_msg(matches(cases[i].text, cases[i].name, strlen(cases[i].name), &cost) ==
                          cases[i].match,
                      "%s on %s", cases[i].text, cases[i].name);
    }
}
END_TEST

START_TEST(a_name_may_hold_nul_and_may_be_empty) {
    uint32_t cost;
    ck_assert(matches("/^a\\x00b$/", "a\0b", 3, &cost));
    ck_assert(!matches("/a$/", "a\0b", 3, &cost));
    ck_assert(matches("/^$/", NULL, 0, &cost));
}
END_TEST

/* Without a limit the first takes 2^n steps, the others n squared to n^4; none can be
 * rejected by its last character alone. */
START_TEST(a_match_costs_so_much_and_no_more) {
    static const char *const slow[] = {"/(a*)*[bx]/",
                                       "/(a+)+$[bx]/",
                                       "/(a|aa)+[bx]/",
                                       "/a[^b]*[bx]/",
                                       "/(\\w|c)+[bx]/",
                                       "/a.*?a.*?a.*?[bx]/",
                                       "/((a{1,300}){1,300}[bx])/",
                                       "/(a*)\\1*[bx]/"};
    static char name[32000];
    memset(name, 'a', sizeof name);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        for (size_t n = 400; n <= sizeof name; n *= 4) {
            uint32_t cost;
            ck_assert_msg(!matches(slow[i], name, n, &cost), "%s", slow[i]);
            ck_assert_msg(cost >= PATTERN_MOST && cost <= PATTERN_MOST + n, "%s: %u", slow[i],
                          cost);
        }
}
END_TEST

START_TEST(a_long_name_is_matched_where_that_costs_little) {
    static const char *const quick[] = {"/q.*z$/", "/^a+q[a-z]*z$/", "/(q|x)a*z/", "/.*q.*z/"};
    static char name[32000];
    memset(name, 'a', sizeof name);
    name[20000] = 'q';
    name[sizeof name - 1] = 'z';
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++) {
        uint32_t cost;
        ck_assert_msg(matches(quick[i], name, sizeof name, &cost), "%s", quick[i]);
        ck_assert_uint_lt(cost, PATTERN_MOST);
    }
}
END_TEST

/* The first three would compile to more memory than PCRE2 allows itself, or recurse too deeply; \C
 * splits characters.
 */
START_TEST(an_expression_may_not_be_too_large_or_wrong) {
    static char deep[2002] = "/";
    memset(deep + 1, '(', 1000);
    memset(deep + 1001, ')', 1000);
    const char *const bad[] = {"/((((a{99}){99}){99}){99}){99}/",
                               "/a{70000}/",
                               deep,
                               "/\\Ca/",
                               "/a{2,1}b/",
                               "/[[:nil:]]/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {.text = ""};
        ck_assert_msg(pattern_new(bad[i], false, &err) == NULL, "%s", bad[i]);
        ck_assert_msg(strstr(err.text, "at column ") != NULL, "%s", err.text);
    }
}
END_TEST

START_TEST(a_bad_expression_names_the_fault_and_its_column) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"/a(b/", "/a(b/: missing closing parenthesis at column 5"},
        {"/a(b", "/a(b: missing closing parenthesis at column 5"},
        {"/[a/", "/[a/: missing terminating ] for character class at column 4"},
        /* characters */
        {"/\xc3\xa4\xc3\xa4)/", "/\xc3\xa4\xc3\xa4)/: unmatched closing parenthesis at column 4"},
        {"/\x1b[2J\n(/", "/^[[2J^J(/: missing terminating ] for character class at column 8"},
        {"/", "nothing to search for"},
        {"//", "nothing to search for"},
        {"", "nothing to search for"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.text = ""};
        ck_assert_ptr_null(pattern_new(cases[i].text, false, &err));
        ck_assert_str_eq(err.text, cases[i].message);
    }
}
END_TEST

START_TEST(an_error_about_a_long_expression_still_names_the_column) {
    static char text[1000];
    memset(text, 'a', sizeof text - 1);
    text[0] = '/';
    text[900] = '(';
    struct err err = {.text = ""};
    ck_assert_ptr_null(pattern_new(text, false, &err));
    ck_assert_msg(strstr(err.text, "missing closing parenthesis at column 1000") != NULL, "%s",
                  err.text);
}
END_TEST

SUITE(pattern) {
    Suite *s = suite_create("pattern");
    TCase *tc = tcase_create("expressions");
    tcase_add_test(tc, an_expression_knows_posix_classes_and_unicode);
    tcase_add_test(tc, a_name_may_hold_nul_and_may_be_empty);
    tcase_add_test(tc, a_match_costs_so_much_and_no_more);
    tcase_add_test(tc, a_long_name_is_matched_where_that_costs_little);
    tcase_add_test(tc, an_expression_may_not_be_too_large_or_wrong);
    tcase_add_test(tc, a_bad_expression_names_the_fault_and_its_column);
    tcase_add_test(tc, an_error_about_a_long_expression_still_names_the_column);
    suite_add_tcase(s, tc);
    return s;
}
