/* suite_prompt.c - keys -> line. */
#include "ui/screen/prompt.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const char *words(void *ctx, const char *stem, size_t n) {
    static const char *const all[] = {"go", "goto", "gödel", "help"};
    (void)ctx;
    for (size_t i = 0; i < 4; i++)
        if (strncmp(all[i], stem, strlen(stem)) == 0 && n-- == 0)
            return all[i];
    return NULL;
}

static enum prompt_result press(struct prompt *p, uint32_t code) {
    struct key key = {.code = code};
    return prompt_key(p, &key, words, NULL);
}

static void type(struct prompt *p, const char *ascii) {
    for (; *ascii; ascii++)
        ck_assert_int_eq(press(p, (unsigned char)*ascii), PROMPT_EDITING);
}

static const char *text_with_cursor(struct prompt *p) {
    static char buf[256];
    const char *s = prompt_text(p);
    snprintf(buf, sizeof buf, "%.*s|%s", (int)p->cursor, s, s + p->cursor);
    return buf;
}

START_TEST(edits_at_the_cursor) {
    struct prompt p = {0};
    prompt_open(&p, ":", "", NULL);
    ck_assert(p.active);
    ck_assert_str_eq(p.label, ":");
    static const struct {
        uint32_t key;
        const char *line;
    } steps[] = {
        {'a', "a|"},           {'c', "ac|"},          {KEY_CURSOR_LEFT, "a|c"},
        {'b', "ab|c"},         {KEY_TO_HOME, "|abc"}, {KEY_CURSOR_LEFT, "|abc"},
        {KEY_ERASE, "|abc"}, /* nothing before it, but the line is not empty */
        {KEY_DELETE_, "|bc"},  {KEY_TO_END, "bc|"},   {KEY_CURSOR_RIGHT, "bc|"},
        {KEY_DELETE_, "bc|"},  {' ', "bc |"},         {'d', "bc d|"},
        {'e', "bc de|"},       {' ', "bc de |"},      {KEY_CTRL('w'), "bc |"},
        {KEY_CTRL('w'), "|"},  {KEY_CTRL('w'), "|"},  {'x', "x|"},
        {'y', "xy|"},          {'z', "xyz|"},         {KEY_CURSOR_LEFT, "xy|z"},
        {KEY_CTRL('u'), "|z"}, {KEY_CTRL('e'), "z|"}, {KEY_CTRL('a'), "|z"},
        {KEY_CTRL('k'), "|"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ck_assert_int_eq(press(&p, steps[i].key), PROMPT_EDITING);
        ck_assert_str_eq(text_with_cursor(&p), steps[i].line);
    }
    prompt_free(&p);
}
END_TEST

START_TEST(characters_are_whole) {
    struct prompt p = {0};
    prompt_open(&p, "/", NULL, NULL);
    static const uint32_t all[] = {0x7f + 0x21, 0xb5,    0x7ff,   0x800,   0x4e2d,
                                   0xffff,      0x10000, 0x1f600, 0x10ffff};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        press(&p, all[i]);
    ck_assert_str_eq(prompt_text(&p),
                     "\xc2\xa0\xc2\xb5\xdf\xbf\xe0\xa0\x80\xe4\xb8\xad\xef\xbf\xbf\xf0\x90\x80\x80"
                     "\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    press(&p, KEY_CURSOR_LEFT);
    press(&p, KEY_ERASE); /* the smiley, four bytes */
    press(&p, KEY_TO_HOME);
    press(&p, KEY_DELETE_);
    press(&p, KEY_CURSOR_RIGHT);
    ck_assert_str_eq(text_with_cursor(&p),
                     "\xc2\xb5|\xdf\xbf\xe0\xa0\x80\xe4\xb8\xad\xef\xbf\xbf\xf0\x90\x80\x80"
                     "\xf4\x8f\xbf\xbf");
    prompt_free(&p);
}
END_TEST

START_TEST(controls_are_no_text) {
    struct prompt p = {0};
    prompt_open(&p, "/", "ab", NULL);
    static const uint32_t all[] = {0,           1,
                                   7,           '\n',
                                   27,          0x7f,
                                   0x80,        0x9b,
                                   0xd800,      0xdfff,
                                   0x110000,    KEY_CTRL('z'),
                                   KEY_PAGE_UP, KEY_FUNCTION + 1,
                                   KEY_POINTER, KEY_RESIZED,
                                   KEY_TIMEOUT, UINT32_MAX};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_int_eq(press(&p, all[i]), PROMPT_EDITING);
    ck_assert_str_eq(text_with_cursor(&p), "ab|");
    prompt_free(&p);
}
END_TEST

START_TEST(enter_takes_and_escape_leaves) {
    struct prompt_history h = {0};
    struct prompt p = {0};
    prompt_open(&p, "goto ", "12 ms", &h);
    ck_assert_int_eq(press(&p, KEY_ENTERED), PROMPT_DONE);
    ck_assert(!p.active);
    ck_assert_str_eq(prompt_text(&p), "12 ms");
    ck_assert_uint_eq(h.lines.n, 1);
    static const uint32_t leave[] = {KEY_ESCAPE, KEY_CTRL('c')};
    for (int i = 0; i < 2; i++) {
        prompt_open(&p, ":", "x", &h);
        ck_assert_int_eq(press(&p, leave[i]), PROMPT_CANCELLED);
        ck_assert(!p.active);
    }
    prompt_open(&p, ":", "x", &h);
    ck_assert_int_eq(press(&p, KEY_ERASE), PROMPT_EDITING);
    ck_assert_int_eq(press(&p, KEY_ERASE), PROMPT_CANCELLED);
    ck_assert_uint_eq(h.lines.n, 1);
    prompt_close(&p);
    prompt_free(&p);
    prompt_history_free(&h);
}
END_TEST

START_TEST(history_keeps_the_line_being_typed) {
    struct prompt_history h = {0};
    struct prompt p = {0};
    static const char *const lines[] = {"one", "two", "two", "", "three"};
    for (int i = 0; i < 5; i++) {
        prompt_open(&p, ":", lines[i], &h);
        press(&p, KEY_ENTERED);
    }
    ck_assert_uint_eq(h.lines.n, 3); /* no line twice in a row, no empty one */
    prompt_open(&p, ":", NULL, &h);
    type(&p, "new");
    static const struct {
        uint32_t key;
        const char *line;
    } steps[] = {
        {KEY_CURSOR_DOWN, "new|"},
        {KEY_CURSOR_UP, "three|"},
        {KEY_CURSOR_UP, "two|"},
        {KEY_CURSOR_UP, "one|"},
        {KEY_CURSOR_UP, "one|"},
        {KEY_CURSOR_DOWN, "two|"},
        {'s', "twos|"},
        {KEY_CURSOR_DOWN, "three|"},
        {KEY_CURSOR_DOWN, "new|"},
        {KEY_CURSOR_DOWN, "new|"},
        {KEY_CURSOR_UP, "three|"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        press(&p, steps[i].key);
        ck_assert_str_eq(text_with_cursor(&p), steps[i].line);
    }
    ck_assert_int_eq(press(&p, KEY_ENTERED), PROMPT_DONE);
    ck_assert_uint_eq(h.lines.n, 3);
    ck_assert_str_eq(h.lines.v[1], "two");
    prompt_free(&p);
    prompt_history_free(&h);
}
END_TEST

START_TEST(history_keeps_the_latest_lines) {
    struct prompt_history h = {0};
    struct prompt p = {0};
    char line[16];
    for (int i = 0; i < 450; i++) {
        snprintf(line, sizeof line, "%d", i);
        prompt_open(&p, ":", line, &h);
        press(&p, KEY_ENTERED);
    }
    ck_assert_uint_eq(h.lines.n, 200);
    ck_assert_str_eq(h.lines.v[0], "250");
    ck_assert_str_eq(h.lines.v[199], "449");
    prompt_free(&p);
    prompt_history_free(&h);
}
END_TEST

START_TEST(tab_goes_round_the_completions) {
    struct prompt p = {0};
    prompt_open(&p, ":", "g", NULL);
    static const struct {
        uint32_t key;
        const char *line;
    } steps[] = {
        {KEY_TABBED, "go|"},
        {KEY_TABBED, "goto|"},
        {KEY_TIMEOUT, "goto|"},
        {KEY_TABBED, "g\xc3\xb6"
                     "del|"},
        {KEY_TABBED, "g|"},
        {KEY_TABBED, "go|"},
        {KEY_BACKTAB, "g|"},
        {KEY_BACKTAB, "g\xc3\xb6"
                      "del|"},
        {KEY_BACKTAB, "goto|"},
        {KEY_CURSOR_LEFT, "got|o"},
        {KEY_TABBED, "goto|"},
        {KEY_TABBED, "goto|"},
        {'x', "gotox|"},
        {KEY_TABBED, "gotox|"},
        {KEY_BACKTAB, "gotox|"},
        {KEY_CTRL('u'), "|"},
        {KEY_TABBED, "go|"},
        {KEY_BACKTAB, "|"},
        {KEY_BACKTAB, "help|"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        press(&p, steps[i].key);
        ck_assert_str_eq(text_with_cursor(&p), steps[i].line);
    }
    struct key key = {.code = KEY_TABBED};
    prompt_open(&p, ":", "g", NULL); /* no completion */
    prompt_key(&p, &key, NULL, NULL);
    ck_assert_str_eq(text_with_cursor(&p), "g|");
    prompt_free(&p);
}
END_TEST

START_TEST(any_keys_keep_it_whole) {
    struct prompt_history h = {0};
    struct prompt p = {0};
    static const uint32_t keys[] = {'a',
                                    ' ',
                                    0xb5,
                                    0x4e2d,
                                    0x1f600,
                                    KEY_CURSOR_LEFT,
                                    KEY_CURSOR_RIGHT,
                                    KEY_TO_HOME,
                                    KEY_TO_END,
                                    KEY_ERASE,
                                    KEY_DELETE_,
                                    KEY_CTRL('w'),
                                    KEY_CTRL('u'),
                                    KEY_CTRL('k'),
                                    KEY_CURSOR_UP,
                                    KEY_CURSOR_DOWN,
                                    KEY_TABBED,
                                    KEY_BACKTAB,
                                    KEY_ENTERED,
                                    KEY_ESCAPE,
                                    'g',
                                    'h',
                                    0x7ff};
    struct chance chance = {7};
    prompt_open(&p, ":", NULL, &h);
    for (int i = 0; i < 200000; i++) {
        if (press(&p, keys[below(&chance, sizeof keys / sizeof *keys)]) != PROMPT_EDITING)
            prompt_open(&p, ":", NULL, &h);
        MUST(p.cursor <= p.text.n);
        MUST(p.cursor == p.text.n || ((unsigned char)p.text.v[p.cursor] & 0xc0) != 0x80);
        MUST(strlen(prompt_text(&p)) == p.text.n);
    }
    prompt_free(&p);
    prompt_history_free(&h);
}
END_TEST

SUITE(prompt) {
    Suite *s = suite_create("prompt");
    TCase *t = tcase_create("keys");
    tcase_add_test(t, edits_at_the_cursor);
    tcase_add_test(t, characters_are_whole);
    tcase_add_test(t, controls_are_no_text);
    tcase_add_test(t, enter_takes_and_escape_leaves);
    tcase_add_test(t, history_keeps_the_line_being_typed);
    tcase_add_test(t, history_keeps_the_latest_lines);
    tcase_add_test(t, tab_goes_round_the_completions);
    tcase_add_test(t, any_keys_keep_it_whole);
    suite_add_tcase(s, t);
    return s;
}
