/* suite_verbs.c - verbs: which word is one, which was meant for one, what the next word is. */
#include "app/verbs.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_word_is_near_a_verb_by_a_letter_or_two) {
    static const char *const far[] = {"trace", "./tpo", "t", "top.fxt", "TOP", "cutting", ""};
    struct command_line_verbs all = verbs_table();
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        ck_assert_ptr_null(verbs_near(far[i]));
    for (size_t i = 0; i < all.n; i++) {
        ck_assert_ptr_eq(verbs_find(all.rows[i].name), &all.rows[i]);
        ck_assert_ptr_eq(verbs_near(all.rows[i].name), &all.rows[i]);
        ck_assert_str_eq(verbs_near(all.rows[i].name)->name, all.rows[i].name);
    }
    ck_assert_str_eq(verbs_near("tpo")->name, "top");
    ck_assert_str_eq(verbs_near("qurey")->name, "query");
    ck_assert_str_eq(verbs_near("descirbes")->name, "describe");
    ck_assert_ptr_null(verbs_find("tpo"));
}
END_TEST

START_TEST(a_word_is_a_value_if_the_verb_takes_one) {
    const struct command_line_verb *query = verbs_find("query"), *top = verbs_find("top"),
                                   *describe = verbs_find("describe");
    ck_assert_str_eq(verbs_value(query, 1, "a"), "a");
    ck_assert_ptr_null(verbs_value(query, 0, NULL));
    ck_assert_ptr_null(verbs_value(top, 2, "a"));
    ck_assert_str_eq(verbs_value(describe, 2, "@16"), "@16");
    ck_assert_str_eq(verbs_value(describe, 2, "1.5s"), "1.5s");
    ck_assert_str_eq(verbs_value(describe, 2, "50%"), "50%");
    ck_assert_ptr_null(verbs_value(describe, 1, "@16"));
    ck_assert_ptr_null(verbs_value(describe, 2, "a.fxt"));
}
END_TEST

SUITE(verbs) {
    Suite *s = suite_create("verbs");
    TCase *t = tcase_create("verbs");
    tcase_add_test(t, a_word_is_near_a_verb_by_a_letter_or_two);
    tcase_add_test(t, a_word_is_a_value_if_the_verb_takes_one);
    suite_add_tcase(s, t);
    return s;
}
