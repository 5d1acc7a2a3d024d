/* suite_layout.c - arithmetic of rectangles, and the command table. */
#include <string.h>

#include "tests/lib/suites.h"
#include "ui/command.h"
#include "ui/screen/layout.h"

START_TEST(panes_never_overlap_nor_leave_the_screen) {
    for (int cols = 1; cols <= 260; cols += cols > 18 && cols < 22 ? 1 : 7) { /* every size near a limit */
        for (int rows = 1; rows <= 120; rows += rows < 32 ? 1 : 11) {
            for (int open = 0; open < 4; open++) {
                struct layout l = layout_of(cols, rows, open & 1, open & 2);
                if (l.too_small) {
                    ck_assert(cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS);
                    continue;
                }
                unsigned char used[120] = {0};
                const int lines[] = {l.title, l.overview, l.hits, l.ruler, l.status, l.hint};
                for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
                    ck_assert_int_lt(lines[i], rows);
                    if (lines[i] >= 0)
                        ck_assert_int_eq(used[lines[i]]++, 0);
                }
                for (int y = 0; y < l.drawer_rows; y++)
                    if (!l.drawer_alone)
                        ck_assert_int_eq(used[l.drawer + y]++, 0);
                for (int y = 0; y < l.track_rows; y++)
                    ck_assert_int_eq(used[l.tracks + y]++, 0);
                ck_assert_int_ge(l.track_rows, 1);
                ck_assert_int_eq(l.lane + l.lanes, cols);
                ck_assert_int_ge(l.lanes, 8);
                ck_assert_int_eq(l.gutter + 1, l.lane);
            }
        }
    }
}
END_TEST

START_TEST(small_terminals_give_up_panes_in_order) {
    struct layout big = layout_of(100, 30, true, true), small = layout_of(80, 24, true, true);
    ck_assert_int_ge(big.hits, 0);
    ck_assert_int_lt(small.hits, 0);
    ck_assert_int_eq(small.drawer_rows, 5);
    ck_assert(layout_of(59, 15, true, false).drawer_alone);
    ck_assert_int_eq(layout_of(59, 30, false, false).gutter, 8);
    ck_assert(!layout_of(20, 5, false, false).too_small);
    ck_assert(layout_of(19, 5, false, false).too_small);
}
END_TEST

Suite *suite_layout(void) {
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, panes_never_overlap_nor_leave_the_screen);
    tcase_add_test(t, small_terminals_give_up_panes_in_order);
    suite_add_tcase(s, t);
    return s;
}

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
                ck_assert_msg(command_for_key(code, mode) == &commands[i], "a key of %s means %s", commands[i].name,
                              command_for_key(code, mode) ? command_for_key(code, mode)->name : "nothing");
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

START_TEST(tab_completes_the_words_of_an_argument) {
    char buf[COMMAND_COMPLETION];
    ck_assert_str_eq(command_complete("scale ", 0, buf), "scale fit");
    ck_assert_str_eq(command_complete("scale ", 2, buf), "scale log");
    ck_assert_ptr_null(command_complete("scale ", 3, buf)); /* LO..HI is no word */
    ck_assert_str_eq(command_complete("value r", 0, buf), "value rate");
    ck_assert_ptr_null(command_complete("value x", 0, buf));
    ck_assert_ptr_null(command_complete("goto ", 0, buf));
    ck_assert_ptr_null(command_complete("zoom-in ", 0, buf));
}
END_TEST

START_TEST(no_command_needs_a_key_that_terminals_keep) {
    static const uint32_t taken[] = {KEY_CTRL('a'), KEY_CTRL('b'), KEY_CTRL('s'), KEY_CTRL('q'), KEY_CTRL('c')};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        for (unsigned mode = 1; mode < MODE_ANY; mode *= 2)
            ck_assert_ptr_null(command_for_key(taken[i], mode));
}
END_TEST

Suite *suite_command(void) {
    Suite *s = suite_create("command");
    TCase *t = tcase_create("table");
    tcase_add_test(t, no_key_is_bound_twice_in_one_mode);
    tcase_add_test(t, names_are_unique_and_complete);
    tcase_add_test(t, tab_completes_the_words_of_an_argument);
    tcase_add_test(t, no_command_needs_a_key_that_terminals_keep);
    suite_add_tcase(s, t);
    return s;
}
