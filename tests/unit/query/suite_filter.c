/* suite_filter.c - which texts a filter holds for, and that its printed form is the same filter. */
#include "model/query/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

static struct chance chance = {8675309};

START_TEST(terms_of_the_grammar) {
    static const struct {
        const char *text;
        bool exact;
        enum filter_operator op;
        const char *holds, *fails, *printed;
    } cases[] = {
        {"draw", false, FILTER_CONTAINS, "ReDrawFrame", "DraFrame", "draw"},
        {"Draw", false, FILTER_CONTAINS, "ReDrawFrame", "redraw", "Draw"},
        {"a b", false, FILTER_CONTAINS, "xa by", "ab", "a b"},
        {"/dra.$/", false, FILTER_MATCHES, "redraW", "drawn", "/dra.$/"},
        {"/Dra.$", false, FILTER_MATCHES, "Draw", "draw", "/Dra.$/"},
        {"/a/b", false, FILTER_MATCHES, "xa/b", "ab", "/a/b/"},
        {"draw", true, FILTER_EQUALS, "draw", "Draw", "draw"},
        {"/draw/", true, FILTER_EQUALS, "/draw/", "draw", "/draw/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        char printed[40];
        struct filter *f = filter_new(cases[i].text, cases[i].exact, &err);
        MUST(f != NULL && f->terms.n == 1 && f->terms.v[0].op == cases[i].op, (int)i);
        MUST(filter_matches(f, str_of(cases[i].holds)) && !filter_matches(f, str_of(cases[i].fails)), (int)i);
        MUST(strcmp(filter_text(f), cases[i].text) == 0, (int)i);
        MUST(filter_print(f, printed, sizeof printed) == strlen(cases[i].printed), (int)i);
        MUST(strcmp(printed, cases[i].printed) == 0, (int)i);
        filter_free(f);
    }
}
END_TEST

START_TEST(faults_are_one_line) {
    static const char *const faults[] = {"", "/a(/", "/[/"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {.text = ""};
        MUST(filter_new(faults[i], false, &err) == NULL, (int)i);
        MUST(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, (int)i);
    }
}
END_TEST

static bool slow_contains(const char *text, const char *part) {
    bool fold = true;
    for (const char *p = part; *p; p++)
        fold = fold && !isupper((unsigned char)*p);
    for (; *text; text++) {
        size_t n = 0;
        while (part[n] && text[n] && (fold ? tolower((unsigned char)text[n]) : text[n]) == part[n])
            n++;
        if (part[n] == '\0')
            return true;
    }
    return false;
}

static void throw_text(char *text, size_t most) {
    static const char letters[] = "abAB ./";
    size_t n = 1 + below(&chance, most - 1);
    for (size_t i = 0; i < n; i++)
        text[i] = letters[below(&chance, sizeof letters - 1)];
    text[n] = '\0';
}

START_TEST(literals_against_a_slow_search_and_print_is_parsed_back) {
    char text[6], name[12], printed[16];
    struct err err;
    for (int i = 0; i < 20000; i++) {
        throw_text(text, sizeof text - 1);
        struct filter *f = filter_new(text, false, &err);
        if (f == NULL)
            continue; /* "/" alone, or the like */
        ck_assert_uint_lt(filter_print(f, printed, sizeof printed), sizeof printed);
        struct filter *again = filter_new(printed, false, &err);
        MUST(again != NULL && again->terms.n == f->terms.n && again->terms.v[0].op == f->terms.v[0].op, i);
        for (int k = 0; k < 5; k++) {
            throw_text(name, sizeof name - 1);
            bool holds = filter_matches(f, str_of(name));
            MUST(filter_matches(again, str_of(name)) == holds, i);
            MUST(text[0] == '/' || holds == slow_contains(name, text), i);
        }
        filter_free(again);
        filter_free(f);
    }
}
END_TEST

START_TEST(print_is_cut_and_returns_its_length) {
    struct err err;
    char out[6] = "?????";
    struct filter *f = filter_new("abcdefgh", false, &err);
    ck_assert_uint_eq(filter_print(f, out, 4), 8);
    ck_assert_str_eq(out, "abc");
    ck_assert_int_eq(out[4], '?');
    ck_assert_uint_eq(filter_print(f, NULL, 0), 8);
    filter_free(f);
}
END_TEST

Suite *suite_filter(void) {
    Suite *s = suite_create("filter");
    TCase *c = tcase_create("filter");
    tcase_add_test(c, terms_of_the_grammar);
    tcase_add_test(c, faults_are_one_line);
    tcase_add_test(c, literals_against_a_slow_search_and_print_is_parsed_back);
    tcase_add_test(c, print_is_cut_and_returns_its_length);
    suite_add_tcase(s, c);
    return s;
}
