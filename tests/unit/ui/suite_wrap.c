/* suite_wrap.c - where lines break. */
#include "ui/screen/wrap.h"

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static size_t fit(const char *text, size_t columns, enum wrap_at at) {
    return wrap_fit(str_of(text), columns, 0, at);
}

START_TEST(a_line_has_at_least_one_character) {
    static const char wide[] = "\xe6\xbc\xa2\xe5\xad\x97"; /* two characters of two columns */
    for (size_t columns = 0; columns < 3; columns++)
        MUST(fit(wide, columns, WRAP_ANYWHERE) == 3);
    MUST(fit(wide, 3, WRAP_BLANK) == 3);
    MUST(fit(wide, 4, WRAP_ANYWHERE) == 6);
    MUST(fit("", 5, WRAP_BLANK) == 0);
}
END_TEST

START_TEST(words_and_units_stay_whole) {
    MUST(fit("one two three", 8, WRAP_BLANK) == 7);
    MUST(fit("one two three", 8, WRAP_ANYWHERE) == 8);
    MUST(fit("took 8 ms", 7, WRAP_BLANK) == 4); /* not between 8 and ms */
    MUST(fit("took 8 9 ms", 7, WRAP_BLANK) == 6);
    MUST(fit("unbreakable", 4, WRAP_BLANK) == 4);
    MUST(fit("a unbreakable", 6, WRAP_HALF) == 6); /* the blank is in the first half */
    MUST(fit("abcd efgh", 7, WRAP_HALF) == 5);
}
END_TEST

START_TEST(a_word_goes_to_the_next_line_if_it_fits_there) {
    struct str s = STR("word next");
    MUST(wrap_fill(s, 3, 10, 0) == 0);
    MUST(wrap_fill(s, 0, 10, 0) == 0);
    MUST(wrap_fill(s, 10, 10, 0) == s.n);
    MUST(wrap_fill(s, 6, 10, 0) == 4);
    MUST(wrap_fill(STR("139.1 ms"), 5, 10, 0) == 0);      /* a number and its unit are one word */
    MUST(wrap_fill(STR("unbreakable"), 3, 5, 0) == 3);    /* fits on no line */
    MUST(wrap_fill(STR("an unbreakable"), 5, 6, 0) == 5); /* so it begins on this one */
    MUST(wrap_fill(STR("an unbreakable"), 5, 11, 0) == 2);
}
END_TEST

START_TEST(lines_are_what_was_broken) {
    struct str rest = STR("ab\n\ncdefg\nh"), line;
    static const char *const lines[] = {"ab", "", "cde", "fg", "h"};
    MUST(wrap_count(rest, 3, 0) == 5);
    for (size_t i = 0; i < 5; i++) {
        line = wrap_take(&rest, 3, 0);
        MUST(str_eq(line, str_of(lines[i])));
    }
    MUST(rest.n == 0 && wrap_count(rest, 3, 0) == 1);
}
END_TEST

SUITE(wrap) {
    Suite *s = suite_create("wrap");
    TCase *t = tcase_create("wrap");
    tcase_add_test(t, a_line_has_at_least_one_character);
    tcase_add_test(t, words_and_units_stay_whole);
    tcase_add_test(t, a_word_goes_to_the_next_line_if_it_fits_there);
    tcase_add_test(t, lines_are_what_was_broken);
    suite_add_tcase(s, t);
    return s;
}
