/* suite_command_line.c - a table of options is parsed in each order, faults are one line, sizes do
 * not overflow. */
#include "src/command_line.h"

#include <string.h>

#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

static const char *const modes[] = {"slow", "fast", NULL};

static const struct command_line_row rows[] = {
    {"size", required_argument, 's', "=SIZE", "a size", VALUE_TEXT, NULL},
    {"sizes", no_argument, 256, "", "all sizes", VALUE_NONE, NULL},
    {"mode", optional_argument, 257, "[=MODE]", "a mode", VALUE_WORDS, modes},
    {"help", no_argument, 'h', "", "this help", VALUE_NONE, NULL},
};

/* The codes and values of a command line, and "end WORD" or "fault: TEXT" at its end. */
static const char *parsed(bool stops, const char *words) {
    static char out[400], copy[200];
    struct command_line line = {
        .rows = rows, .n = sizeof rows / sizeof *rows, .ascii = true, .stops = stops};
    char program[] = "fxtop", *argv[12] = {program}, *rest = NULL;
    struct err err;
    int argc = 1, code;
    out[0] = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    command_line_begin(&line);
    while ((code = command_line_next(&line, argc, argv, &err)) >= 0)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%d=%s ", code, optarg ? optarg : "");
    if (code == COMMAND_LINE_FAULT)
        snprintf(out + strlen(out), sizeof out - strlen(out), "fault: %s", err.text);
    else
        snprintf(out + strlen(out), sizeof out - strlen(out), "end %s",
                 optind < argc ? argv[optind] : "");
    return out;
}

START_TEST(options_are_found_in_each_form) {
    ck_assert_str_eq(parsed(false, "--size=3 -s 4 -h file"), "115=3 115=4 104= end file");
    ck_assert_str_eq(parsed(false, "file --sizes --mode --mode=x"), "256= 257= 257=x end file");
    ck_assert_str_eq(parsed(true, "-h prog --sizes"), "104= end prog");
    ck_assert_str_eq(parsed(false, "-- --sizes"), "end --sizes");
}
END_TEST

START_TEST(faults_are_one_line) {
    ck_assert_str_eq(parsed(false, "--nothing"), "fault: unknown option: --nothing (try --help)");
    ck_assert_str_eq(parsed(false, "-x"), "fault: unknown option: -x (try --help)");
    ck_assert_str_eq(parsed(false, "--si"), "fault: ambiguous option: --si (try --help)");
    ck_assert_str_eq(parsed(false, "--sizes=1"),
                     "fault: --sizes=1: this option takes no value (try --help)");
    ck_assert_str_eq(parsed(false, "-h --size"), "104= fault: --size needs a value (try --help)");
    ck_assert_str_eq(parsed(false, "--\033[31m"), "fault: unknown option: --^[[31m (try --help)");
}
END_TEST

START_TEST(sizes_have_units_and_do_not_overflow) {
    uint64_t bytes;
    ck_assert(command_line_bytes("20g", &bytes) && bytes == UINT64_C(20) << 30);
    ck_assert(command_line_bytes("7", &bytes) && bytes == 7);
    ck_assert(command_line_bytes("16777215T", &bytes) && bytes == UINT64_C(16777215) << 40);
    static const char *const wrong[] = {
        "", "0", "-1", "x", "1x", "1kk", "16777216t", "18446744073709551616", "1 k"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!command_line_bytes(wrong[i], &bytes), "%s", wrong[i]);
}
END_TEST

START_TEST(words_are_found_in_the_list_of_their_option) {
    const struct command_line_table table = {rows, sizeof rows / sizeof *rows};
    ck_assert_int_eq(command_line_word(table, 257, "slow"), 0);
    ck_assert_int_eq(command_line_word(table, 257, "fast"), 1);
    ck_assert_int_eq(command_line_word(table, 257, "fas"), -1);
    ck_assert_int_eq(command_line_word(table, 257, ""), -1);
}
END_TEST

SUITE(command_line) {
    Suite *s = suite_create("command_line");
    TCase *c = tcase_create("command_line");
    tcase_add_test(c, options_are_found_in_each_form);
    tcase_add_test(c, faults_are_one_line);
    tcase_add_test(c, sizes_have_units_and_do_not_overflow);
    tcase_add_test(c, words_are_found_in_the_list_of_their_option);
    suite_add_tcase(s, c);
    return s;
}
