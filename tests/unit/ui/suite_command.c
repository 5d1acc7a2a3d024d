/* suite_command.c - the command table: names, keys and completions. */
#include <string.h>

#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/suites.h"
#include "ui/command.h"

/* Each key of a row of the table, as command_for_key() takes it. */
static bool next_key(const char **keys, uint64_t *code) {
    struct key k;
    while (**keys == ' ')
        (*keys)++;
    if (**keys == 0)
        return false;
    *code = 0;
    while (**keys && **keys != ' ') {
        if (key_parse(keys, &k)) {
            *code = *code << 32 | k.code;
        } else {
            *code = (unsigned char)**keys;
            (*keys)++;
        }
    }
    return true;
}

START_TEST(no_key_is_bound_twice_in_one_mode) {
    for (unsigned mode = 1; mode < MODE_ANY; mode *= 2) {
        for (size_t i = 0; i < command_count; i++) {
            const char *keys = commands[i].keys;
            uint64_t code;
            while (commands[i].modes & mode && next_key(&keys, &code))
                ck_assert_msg(command_for_key(code, mode) == &commands[i], "a key of %s means %s",
                              commands[i].name,
                              command_for_key(code, mode) ? command_for_key(code, mode)->name
                                                          : "nothing");
        }
    }
}
END_TEST

START_TEST(names_are_unique_and_complete) {
    char buf[COMMAND_COMPLETION];
    for (size_t i = 0; i < command_count; i++) {
        ck_assert_ptr_eq(command_by_name(commands[i].name, strlen(commands[i].name)), &commands[i]);
        ck_assert(commands[i].action != NULL || commands[i].run != NULL);
        ck_assert(commands[i].run == NULL || commands[i].argument != NULL);
        ck_assert(commands[i].prompt == NULL || commands[i].run != NULL);
        ck_assert_uint_gt(strlen(commands[i].help), 0);
        ck_assert_uint_ne(commands[i].modes, 0);
    }
    ck_assert_str_eq(command_complete("zoom-i", 0, buf), "zoom-in");
    ck_assert_str_eq(command_complete("zoom-i", 1, buf), "zoom-in-far");
    ck_assert_ptr_null(command_complete("zoom-i", 2, buf));
}
END_TEST

/* The names that a stem may become, with a blank after each. */
static const char *candidates(const char *stem, unsigned modes) {
    static char all[4000];
    char buf[COMMAND_COMPLETION];
    all[0] = 0;
    size_t n = 0;
    for (; command_candidate(stem, modes, n, buf); n++)
        checked_append(all, sizeof all, "%s ", buf);
    ck_assert_uint_eq(command_candidates(stem, modes), n);
    return all;
}

START_TEST(the_best_completions_come_first) {
    /* the help of the last two has it */
    ck_assert_str_eq(candidates("pin", MODE_TIMELINE), "pin pin-pattern profile reload ");
    ck_assert_str_eq(candidates("flow-n", MODE_TIMELINE), "flow-next ");
    ck_assert_str_eq(candidates("sort", MODE_TABLE), "sort-next sort-previous invert ");
    ck_assert_int_eq(strncmp(candidates("page", MODE_TEXT),
                             "page-left page-right page-down page-up text-page-down", 53),
                     0);
    ck_assert_int_eq(strncmp(candidates("page", MODE_TABLE),
                             "page-left page-right page-down page-up table-page", 49),
                     0);
    /* those without a key, then those of the timeline, then others */
    const char *all = candidates("", MODE_TIMELINE);
    ck_assert_ptr_nonnull(strstr(all, "zoom-in "));
    ck_assert(strstr(all, "problems ") < strstr(all, "zoom-in "));
    ck_assert(strstr(all, "zoom-in ") < strstr(all, "table-down "));
}
END_TEST

START_TEST(tab_completes_the_words_of_an_argument) {
    char buf[COMMAND_COMPLETION];
    ck_assert_str_eq(command_complete("scale ", 0, buf), "scale fit");
    ck_assert_str_eq(command_complete("scale ", 2, buf), "scale log");
    ck_assert_str_eq(command_complete("scale ", 3, buf), "scale shared");
    ck_assert_ptr_null(command_complete("scale ", 4, buf)); /* LO..HI is no word */
    ck_assert_str_eq(command_complete("value r", 0, buf), "value rate");
    ck_assert_ptr_null(command_complete("value x", 0, buf));
    ck_assert_ptr_null(command_complete("goto ", 0, buf));
    ck_assert_ptr_null(command_complete("zoom-in ", 0, buf));
}
END_TEST

START_TEST(no_command_needs_a_key_that_terminals_keep) {
    static const uint32_t taken[] = {KEY_CTRL('a'), KEY_CTRL('b'), KEY_CTRL('s'), KEY_CTRL('q'),
                                     KEY_CTRL('c')};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        for (unsigned mode = 1; mode < MODE_ANY; mode *= 2)
            ck_assert_ptr_null(command_for_key(taken[i], mode));
}
END_TEST

SUITE(command) {
    Suite *s = suite_create("command");
    TCase *t = tcase_create("table");
    tcase_add_test(t, no_key_is_bound_twice_in_one_mode);
    tcase_add_test(t, names_are_unique_and_complete);
    tcase_add_test(t, the_best_completions_come_first);
    tcase_add_test(t, tab_completes_the_words_of_an_argument);
    tcase_add_test(t, no_command_needs_a_key_that_terminals_keep);
    suite_add_tcase(s, t);
    return s;
}
