/* suite_quote.c - every byte stays what it is through the shells, and through a line of commands
 * that can be typed. */
#include "src/io/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/text.h"
#include "src/base/vec.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* ---- words of a shell ---- */

static void shell(const char *expected, struct str s, unsigned flags, bool always) {
    char *word = quote_shell(s, flags, always);
    ck_assert_str_eq(word, expected);
    free(word);
}

/* A hint that is pasted into a shell names the same file. */
START_TEST(a_word_of_a_shell_is_quoted_as_it_needs) {
    shell("a-b_c/0.fxt", STR("a-b_c/0.fxt"), 0, false);
    shell("'a'", STR("a"), 0, true);
    shell("''", STR(""), 0, false);
    shell("'my trace;$x.fxt'", STR("my trace;$x.fxt"), 0, false);
    shell("'it'\\''s'", STR("it's"), 0, false);
    shell("'a'\\\\'b'", STR("a\\b"), 0, false);
    shell("'=ls'", STR("=ls"), 0, false);
    shell("'\u65e5'", STR("\u65e5"), 0, false);
    shell("\"$(printf '\\346\\227\\245')\"", STR("\u65e5"), TEXT_ASCII, false);
    shell("\"$(printf 'a\\012it\\047s\\040\\134')\"", STR("a\nit's \\"), 0, false);
    shell("\"$(printf '\\342\\200\\256x')\"", STR("\u202ex"), 0, false);
    shell("\"$(printf 'a')\"'\n''\n'", STR("a\n\n"), 0, false);
    shell("'\n'", STR("\n"), 0, false);
}
END_TEST

static const char *const hostile[] = {"",
                                      "-n",
                                      "--",
                                      "-e\\n",
                                      "~",
                                      "~root",
                                      "=ls",
                                      "!!",
                                      "!$",
                                      "a!b",
                                      "%d",
                                      "%s%n",
                                      "%self",
                                      "#",
                                      "a #b",
                                      "$HOME",
                                      "$(id)",
                                      "`id`",
                                      "${x}",
                                      "'",
                                      "''",
                                      "'\\''",
                                      "\\",
                                      "\\\\",
                                      "\\'",
                                      "a\\",
                                      "\\n",
                                      "\"",
                                      "\"$x\"",
                                      "*",
                                      "?",
                                      "[a]",
                                      "{a,b}",
                                      "a;b",
                                      "a&b",
                                      "a|b",
                                      "<Enter>",
                                      "<lt>",
                                      ">x",
                                      "(a)",
                                      "^a^b",
                                      "\t",
                                      "\n",
                                      "a\n",
                                      "\n\n",
                                      "\nb",
                                      "\r",
                                      "\033[201~id\n",
                                      "\x03",
                                      "\x04",
                                      "\xc3\xa9'; id #",
                                      "\xe2\x80\xae",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xc0\x80",
                                      "\xff",
                                      "a\xcc\x81\xcc\x82\xcc\x83",
                                      "  a  ",
                                      "place escaped w! x",
                                      "%0a",
                                      "%"};
#define HOSTILE (sizeof hostile / sizeof *hostile)

struct words { /* as the shells should see them, each with a NUL; and a command that prints them so
                */
    VEC(char) plain, script;
};

static void append(struct words *words, struct str s) {
    char *quoted = quote_shell(s, 0, s.n % 2 == 0);
    for (size_t i = 0; i <= s.n; i++)
        vec_push(&words->plain, i < s.n ? s.s[i] : '\0');
    vec_push(&words->script, ' ');
    for (const char *c = quoted; *c; c++)
        vec_push(&words->script, *c);
    free(quoted);
}

/* Each byte that can be typed in a word of its own, since a shell reads it; all bytes in words of
 * many. */
static void fill(struct words *words) {
    struct chance chance = {35};
    for (const char *c = "printf '%s\\000'"; *c; c++)
        vec_push(&words->script, *c);
    for (char c = ' '; c < 0x7f; c++) {
        append(words, (struct str){&c, 1});
        append(words, (struct str){(char[]){'a', c, 'b'}, 3});
        append(words, (struct str){(char[]){c, c}, 2});
    }
    for (size_t i = 0; i < HOSTILE; i++)
        append(words, str_of(hostile[i]));
    for (int n = 0; n < 24; n++) {
        char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)(1 + below(&chance, 255));
        append(words, (struct str){bytes, (size_t)below(&chance, sizeof bytes)});
    }
}

/* One process of a shell reads all words; 0: there is no such shell here. */
static size_t asked(const char *options, const char *script, char *out, size_t cap) {
    char line[SCRATCH_PATH + 200];
    int name = (int)strcspn(options, " ");
    snprintf(line, sizeof line, "command -v %.*s >/dev/null || exit 0; exec %s %s 2>&1", name,
             options, options, script);
    FILE *f = popen(line, "r");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(out, 1, cap, f);
    pclose(f);
    return n;
}

START_TEST(shells_read_every_word_as_it_was) {
    static const char *const shells[] = {"sh", "dash", "bash --norc --noprofile", "zsh -f",
                                         "fish --no-config"};
    struct words words = {0};
    char script[SCRATCH_PATH], home[SCRATCH_PATH];
    const char *ci = getenv("CI");
    fill(&words);
    ck_assert(scratch_write(script, "quote", words.script.v, words.script.n) &&
              scratch_folder(home, "quote"));
    setenv("HOME", home, 1); /* fish writes there */
    setenv("XDG_DATA_HOME", home, 1);
    char *out = err_malloc(words.plain.n + 1);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        size_t n = asked(shells[i], script, out, words.plain.n + 1);
        if (n == 0 && i > 2 &&
            !(ci && strcmp(ci, "true") == 0)) /* zsh and fish may be missing, but for .ci/run */
            continue;
        MUST(n == words.plain.n && memcmp(out, words.plain.v, n) == 0, i);
    }
    char remove_all[SCRATCH_PATH + 16];
    snprintf(remove_all, sizeof remove_all, "rm -rf %s", home);
    ck_assert_int_eq(system(remove_all), 0);
    remove(script);
    free(out);
    vec_free(&words.plain);
    vec_free(&words.script);
}
END_TEST

/* ---- lines of commands ---- */

static void read_back(const char *words, struct str text) {
    char *line = quote_line(words, text), *back = quote_line_read(line);
    size_t n = strlen(words);
    struct text t = text_begin(str_of(line), 0);
    struct glyph glyph;
    while (text_next(&t, &glyph))
        ck_assert_msg(!glyph.strange, "%s", line);
    ck_assert_ptr_nonnull(back);
    ck_assert(strncmp(back, words, n) == 0 && back[n] == ' ' && strlen(back) == n + 1 + text.n);
    ck_assert(memcmp(back + n + 1, text.s, text.n) == 0);
    free(line);
    free(back);
}

START_TEST(lines_hold_every_text) {
    struct chance chance = {36};
    for (int a = 1; a < 256; a++)
        for (int b = 1; b < 256; b++)
            read_back("find", (struct str){(char[]){(char)a, (char)b}, 2});
    for (size_t i = 0; i < HOSTILE; i++)
        read_back("place in rows", str_of(hostile[i]));
    for (int n = 0; n < 200; n++) {
        char bytes[40];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)(1 + below(&chance, 255));
        read_back("note", (struct str){bytes, (size_t)below(&chance, sizeof bytes)});
    }
}
END_TEST

START_TEST(lines_are_spelled_only_if_they_must) {
    char *line = quote_line("find", STR("name=\"a 100%\" /\\d+/ \u65e5"));
    ck_assert_str_eq(line, "find name=\"a 100%\" /\\d+/ \u65e5");
    free(line);
    line = quote_line("find", STR("x\nblobs 5%"));
    ck_assert_str_eq(line, "place escaped find x%0ablobs 5%25");
    free(line);
    static const char *const wrong[] = {"%", "%0", "%00", "%0A", "%zz", "x%"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s", QUOTE_LINE, wrong[i]);
        MUST(quote_line_read(text) == NULL, i);
    }
}
END_TEST

SUITE(quote) {
    Suite *s = suite_create("quote");
    TCase *t = tcase_create("quote");
    tcase_add_test(t, a_word_of_a_shell_is_quoted_as_it_needs);
    tcase_add_test(t, shells_read_every_word_as_it_was);
    tcase_add_test(t, lines_hold_every_text);
    tcase_add_test(t, lines_are_spelled_only_if_they_must);
    suite_add_tcase(s, t);
    return s;
}
