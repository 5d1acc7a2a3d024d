/* suite_keep_copy.c - what y and Y copy is safe and leads back, and the bytes that a terminal is sent. */
#include "ui/keep/keep_copy.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/scratch.h"
#include "tests/lib/shown.h"
#include "tests/lib/suites.h"

/* A second reading of base64. */
static size_t decoded(const char *s, size_t n, unsigned char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t bytes = 0;
    uint32_t v = 0;
    int bits = 0;
    for (size_t i = 0; i < n && s[i] != '='; i++) {
        v = v << 6 | (uint32_t)(strchr(digits, s[i]) - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[bytes++] = (unsigned char)(v >> bits);
        }
    }
    return bytes;
}

START_TEST(a_terminal_gets_the_text) {
    struct chance chance = {52};
    for (int n = 0; n < 300; n++) {
        char text[2000];
        unsigned char back[2100];
        struct chars plain = {0}, tmux = {0}, screen = {0}, joined = {0};
        size_t length = (size_t)below(&chance, n < 10 ? 10 : sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)below(&chance, 256);
        struct str s = {text, length};
        keep_copy_sequence(s, KEEP_COPY_PLAIN, &plain);
        MUST(plain.n >= 8 && memcmp(plain.v, "\033]52;c;", 7) == 0 && plain.v[plain.n - 1] == '\a', n);
        MUST(decoded(plain.v + 7, plain.n - 8, back) == length && (length == 0 || memcmp(back, text, length) == 0), n);
        keep_copy_sequence(s, KEEP_COPY_TMUX, &tmux);
        MUST(tmux.n == plain.n + 10 && memcmp(tmux.v, "\033Ptmux;\033\033]52", 12) == 0, n);
        MUST(memcmp(tmux.v + tmux.n - 2, "\033\\", 2) == 0, n);
        keep_copy_sequence(s, KEEP_COPY_SCREEN, &screen);
        for (size_t i = 0; i < screen.n;) { /* strings of less than 768 bytes */
            size_t end = i + 2;
            MUST(memcmp(screen.v + i, "\033P", 2) == 0, n);
            while (memcmp(screen.v + end, "\033\\", 2) != 0)
                end++;
            MUST(end - i < 768, n);
            chars_add(&joined, (struct str){screen.v + i + 2, end - i - 2});
            i = end + 2;
        }
        MUST(joined.n == plain.n && memcmp(joined.v, plain.v, plain.n) == 0, n);
        vec_free(&plain);
        vec_free(&tmux);
        vec_free(&screen);
        vec_free(&joined);
    }
}
END_TEST

static bool is_safe(const struct chars *text, bool tabs) {
    for (size_t i = 0; i < text->n; i++) {
        unsigned char c = (unsigned char)text->v[i];
        if ((c < 0x20 && c != '\n' && !(tabs && c == '\t')) || c == 0x7f ||
            (c == 0xc2 && i + 1 < text->n && (unsigned char)text->v[i + 1] < 0xa0))
            return false;
    }
    return text->n > 0 && text->v[text->n - 1] == '\n';
}

START_TEST(hostile_names_are_copied_as_shown) {
    static const char *const keys[] = {"y", "jlhy", "<Tab>ly", "lllly", "5y", "1/.<Enter>z/y", "1%z/y", "9y", "1Y", "&\x1b[<Enter>Y"};
    shown_fixture("../screens/hostile", 120, 40);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        shown.requests.copied = false;
        shown_keys(keys[i]);
        MUST(!shown.requests.copied || is_safe(&shown.requests.copy, true), (int)i);
    }
    shown_keys("1");
    shown_keys("Y");
    MUST(shown.requests.copied && is_safe(&shown.requests.copy, false));
    shown_close();
}
END_TEST

START_TEST(a_row_or_with_a_range_the_table) {
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("5y");
    ck_assert(shown.requests.copied && shown.requests.copy.n > 0);
    size_t lines = 0;
    for (size_t i = 0; i < shown.requests.copy.n; i++)
        lines += shown.requests.copy.v[i] == '\n';
    ck_assert_uint_eq(lines, 1);
    shown_keys("1:range 0..100%<Enter>5y");
    size_t all, n = 0;
    trace_logs(shown.trace, &all);
    for (size_t i = 0; i < shown.requests.copy.n; i++)
        n += shown.requests.copy.v[i] == '\n';
    ck_assert_uint_eq(n, all + 1);
    ck_assert(memcmp(shown.requests.copy.v, "time\t", 5) == 0);
    shown_close();
}
END_TEST

/* The task: the line of the slowest slice, and the command that opens the list again, by 2, Enter and Ctrl-Y. */
START_TEST(the_line_and_the_command_in_three_keys) {
    static const char command[] = "\nfxtop --no-session --keys='";
    char text[4000] = "";
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("2<Enter><C-y>");
    ck_assert_uint_lt(shown.requests.copy.n, sizeof text);
    memcpy(text, shown.requests.copy.v, shown.requests.copy.n);
    ck_assert(strncmp(text, "+", 1) == 0 && strstr(text, command));
    ck_assert(strstr(text, "place in open ") && strstr(text, "slices<Enter>"));
    shown_keys("yY");
    ck_assert(memcmp(shown.requests.copy.v, command + 1, sizeof command - 2) == 0);
    shown_close();
}
END_TEST

START_TEST(w_writes_what_y_copies) {
    char path[SCRATCH_PATH], typed[SCRATCH_PATH + 32], text[4096] = "";
    ck_assert(scratch_write(path, "copy", "", 0));
    shown_fixture("../screens/kinds", 120, 40);
    shown_select("Frame 213", 0);
    snprintf(typed, sizeof typed, ":w %s<Enter>", path);
    shown_keys(typed);
    ck_assert(shown_has("exists"));
    snprintf(typed, sizeof typed, ":w! %s<Enter>", path);
    shown_keys(typed);
    shown_keys("y");
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    ck_assert(n == shown.requests.copy.n && memcmp(text, shown.requests.copy.v, n) == 0);
    ck_assert_ptr_nonnull(strstr(text, "Frame 213"));
    shown_close();
    remove(path);
}
END_TEST

Suite *suite_keep_copy(void) {
    Suite *s = suite_create("keep_copy");
    TCase *t = tcase_create("keep_copy");
    tcase_add_test(t, a_terminal_gets_the_text);
    tcase_add_test(t, hostile_names_are_copied_as_shown);
    tcase_add_test(t, a_row_or_with_a_range_the_table);
    tcase_add_test(t, the_line_and_the_command_in_three_keys);
    tcase_add_test(t, w_writes_what_y_copies);
    suite_add_tcase(s, t);
    return s;
}
