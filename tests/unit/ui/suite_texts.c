/* suite_texts.c - texts that help: hints, answers to unknown keys, help, legend, completions, words
 * of the drawer. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/command.h"
#include "ui/drawer/phrase.h"

#define KINDS "../screens/kinds"

/* ---- hints ---- */

START_TEST(the_last_line_names_keys_of_the_mode) {
    static const struct {
        const char *keys, *hint;
    } modes[] = {{"1", "Tab"}, {"5", "filter"}, {"?", "line"}, {":", "Enter"}, {"z", "z"}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        shown_fixture(KINDS, 140, 30);
        shown_keys(modes[i].keys);
        const char *row = shown_row(shown.grid.rows - 1);
        ck_assert_msg(strstr(row, modes[i].hint), "%s: %s", modes[i].keys, row);
        shown_close();
    }
}
END_TEST

START_TEST(a_hint_is_whole_at_any_width) {
    shown_fixture(KINDS, 140, 30);
    char longest[512];
    snprintf(longest, sizeof longest, "%s", shown_row(29));
    /* a line is a set of the words of the longest one */
    for (int cols = 140; cols >= 20; cols -= 3) {
        shown_resize(cols, 30);
        char row[512];
        snprintf(row, sizeof row, "%s", shown_row(29));
        for (char *word = strtok(row, " "); word; word = strtok(NULL, " "))
            ck_assert_msg(strstr(longest, word), "%d columns: %s", cols, word);
    }
    shown_close();
}
END_TEST

START_TEST(a_key_without_a_meaning_is_answered) {
    shown_fixture(KINDS, 140, 30);
    struct window window = shown.timeline.window;
    shown_keys("~");
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    shown.message.text[0] = 0;
    shown_keys("zy");
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    ck_assert(window_eq(&window, &shown.timeline.window));
    shown_close();
}
END_TEST

SUITE(hints) {
    Suite *s = suite_create("hints");
    TCase *t = tcase_create("hints");
    tcase_add_test(t, the_last_line_names_keys_of_the_mode);
    tcase_add_test(t, a_hint_is_whole_at_any_width);
    tcase_add_test(t, a_key_without_a_meaning_is_answered);
    suite_add_tcase(s, t);
    return s;
}

/* ---- help and legend ---- */

START_TEST(help_names_every_command) {
    static const int widths[] = {140, 80, 50};
    for (int i = 0; i < 3; i++) {
        shown_fixture(KINDS, widths[i], 30);
        shown_keys("?");
        for (size_t k = 0; k < command_count; k++)
            ck_assert_msg(widths[i] < 80 || strstr(shown_page(), commands[k].name), "%s",
                          commands[k].name);
        shown_close();
    }
}
END_TEST

START_TEST(help_with_a_word_opens_at_its_line) {
    shown_fixture(KINDS, 100, 20);
    shown_keys(":help order<Enter>");
    ck_assert_msg(shown_has(" order"), "%s", shown_row(1));
    shown_close();
}
END_TEST

SUITE(help) {
    Suite *s = suite_create("help");
    TCase *t = tcase_create("help");
    tcase_add_test(t, help_names_every_command);
    tcase_add_test(t, help_with_a_word_opens_at_its_line);
    suite_add_tcase(s, t);
    return s;
}

START_TEST(the_legend_explains_the_glyphs_of_the_timeline) {
    static const char *const words[] = {"instant", "running", "blocked", "deeper", "lost", "hop"};
    for (int cols = 140; cols >= 40; cols -= 20) {
        shown_fixture(KINDS, cols, 30);
        shown_keys("?");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            ck_assert_msg(strstr(shown_page(), words[i]), "%s at %d columns", words[i], cols);
        shown_close();
    }
}
END_TEST

SUITE(legend) {
    Suite *s = suite_create("legend");
    TCase *t = tcase_create("legend");
    tcase_add_test(t, the_legend_explains_the_glyphs_of_the_timeline);
    suite_add_tcase(s, t);
    return s;
}

/* ---- completions ---- */

START_TEST(the_list_has_the_commands_that_begin_so) {
    shown_fixture(KINDS, 100, 40);
    shown_keys(":zoom-");
    ck_assert_int_gt(shown_find(" commands -"), 0);
    for (size_t i = 0; i < command_count; i++) {
        bool begins = strncmp(commands[i].name, "zoom-", 5) == 0, listed = false;
        for (int y = shown_find(" commands -"); y < shown.layout.status; y++) {
            const char *name = shown_row(y) + strspn(shown_row(y), " ");
            size_t n = strlen(commands[i].name);
            listed = listed ||
                     (strncmp(name, commands[i].name, n) == 0 && (name[n] == ' ' || name[n] == 0));
        }
        ck_assert_msg(listed == begins, "%s", commands[i].name);
    }
    shown_keys("<Esc>");
    ck_assert(!shown_has("zoom-in-far"));
    shown_close();
}
END_TEST

SUITE(completions) {
    Suite *s = suite_create("completions");
    TCase *t = tcase_create("completions");
    tcase_add_test(t, the_list_has_the_commands_that_begin_so);
    suite_add_tcase(s, t);
    return s;
}

/* ---- words of the drawer ---- */

static bool is(struct str s, const char *text) {
    return s.n == strlen(text) && memcmp(s.s, text, s.n) == 0;
}

START_TEST(threads_slices_and_joined_words) {
    char buf[64], both[12];
    shown_text("magic\ninit 1000000000\nkernel_object 2 6 \"main\" process=koid:5\n"
               "complete 0 5/6 \"c\" \"outer\" end=1000\ncomplete 200 5/6 \"c\" \"inner\" end=300\n"
               "complete 0 5/7 \"c\" \"x\" end=1000\nflow_begin 1000 5/7 \"c\" \"f\" id=1\n"
               "flow_end 1100 5/7 \"c\" \"f\" id=1\n",
               100, 30);
    struct trace *trace = shown.trace;
    int64_t t = trace_origin(trace);
    ck_assert(is(phrase_thread(trace, 0, NULL, buf, sizeof buf), "main"));
    ck_assert(is(phrase_thread(trace, 0, "/", buf, sizeof buf), "main/6"));
    ck_assert(is(phrase_thread(trace, 0, " ", buf, sizeof buf), "main 6"));
    ck_assert(is(phrase_thread(trace, 1, NULL, buf, sizeof buf), "thread 7"));
    ck_assert(is(phrase_thread(trace, NO_THREAD, "/", buf, sizeof buf), "-"));
    ck_assert(is(phrase_slice(trace, &(struct trace_point){0, {t + 250, 0}, false}), "inner"));
    ck_assert(is(phrase_slice(trace, &(struct trace_point){0, {t + 500, 0}, false}), "outer"));
    /* ends then */
    ck_assert(is(phrase_slice(trace, &(struct trace_point){0, {t + 1000, 0}, false}), "outer"));
    ck_assert(is(phrase_slice(trace, &(struct trace_point){0, {t + 5000, 0}, false}), ""));
    ck_assert(is(phrase_slice(trace, &(struct trace_point){NO_THREAD, {t, 0}, false}), ""));
    struct flow_slice_place begin = flow_slice_place(trace, 0), end = flow_slice_place(trace, 1);
    ck_assert(is(phrase_place(trace, &begin), "x") && is(phrase_place(trace, &end), ""));
    ck_assert(is(phrase_join(both, sizeof both, STR("main"), " > ", STR("io")), "main > io"));
    ck_assert_uint_le(phrase_join(both, sizeof both, STR("a long name"), " > ", STR("another")).n,
                      sizeof both);
    shown_close();
}
END_TEST

START_TEST(a_flow_in_words) {
    struct phrase words[PHRASE_FLOW];
    shown_text("magic\ninit 1000000000\n"
               "complete 0 5/6 \"c\" \"a\" end=1000\nflow_begin 500 5/6 \"c\" \"f\" id=1\n"
               "complete 3000 5/7 \"c\" \"b\" end=4000\nflow_end 3500 5/7 \"c\" \"f\" id=1\n"
               "flow_begin 600 5/6 \"c\" \"g\" id=2\n",
               100, 30);
    answer_step(session_flow_stats(shown.trace, &shown.flow), NULL);
    ck_assert_str_eq(phrase_flow_state(flows_at(trace_flows(shown.trace), 0)), "complete");
    ck_assert_str_ne(phrase_flow_state(flows_at(trace_flows(shown.trace), 1)), "complete");
    ck_assert_int_ge(phrase_flow(&shown, 0, words), 3);
    ck_assert_str_eq(words[0].text, "complete");
    ck_assert_ptr_nonnull(strstr(words[1].text, "2 points"));
    ck_assert_ptr_nonnull(strstr(words[1].text, "1 hop"));
    ck_assert_int_ge(phrase_flow(&shown, 1, words), 1);
    ck_assert_ptr_nonnull(strstr(words[1].text, "1 point "));
    shown_close();
}
END_TEST

SUITE(phrase) {
    Suite *s = suite_create("phrase");
    TCase *t = tcase_create("phrase");
    tcase_add_test(t, threads_slices_and_joined_words);
    tcase_add_test(t, a_flow_in_words);
    suite_add_tcase(s, t);
    return s;
}

START_TEST(the_cell_at_the_cursor_is_described) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"the only one\" end=500000\n"
               "instant 1000000 5/6 \"c\" \"x\"\n",
               100, 30);
    shown_select("the only one", 0);
    shown_keys("<Esc><Esc>;");
    ck_assert_msg(strstr(shown.message.text, "the only one"), "%s", shown.message.text);
    shown_keys("g75%<Enter>;"); /* nothing is there */
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    ck_assert_ptr_null(strstr(shown.message.text, "the only one"));
    shown_close();
}
END_TEST

SUITE(describe) {
    Suite *s = suite_create("describe");
    TCase *t = tcase_create("describe");
    tcase_add_test(t, the_cell_at_the_cursor_is_described);
    suite_add_tcase(s, t);
    return s;
}
