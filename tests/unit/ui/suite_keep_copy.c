/* suite_keep_copy.c - what y and Y copy is safe and leads back, and the bytes that a terminal is
 * sent. */
#include "ui/keep/keep_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/screen/table.h"
#include "ui/views/view.h"

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
        MUST(plain.n >= 8 && memcmp(plain.v, "\033]52;c;", 7) == 0 && plain.v[plain.n - 1] == '\a',
             n);
        MUST(decoded(plain.v + 7, plain.n - 8, back) == length &&
                 (length == 0 || memcmp(back, text, length) == 0),
             n);
        keep_copy_sequence(s, KEEP_COPY_TMUX, &tmux);
        MUST(tmux.n == 2 * plain.n + 10 && memcmp(tmux.v, plain.v, plain.n) == 0, n);
        MUST(memcmp(tmux.v + plain.n, "\033Ptmux;\033\033]52", 12) == 0, n);
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

/* No control character but the ends of lines, and one at the end only of a table or a page: a shell
 * runs a line that is pasted with its end. */
static bool is_safe(const struct chars *text, bool tabs) {
    size_t ends = 0;
    for (size_t i = 0; i < text->n; i++) {
        unsigned char c = (unsigned char)text->v[i];
        if ((c < 0x20 && c != '\n' && !(tabs && c == '\t')) || c == 0x7f ||
            (c == 0xc2 && i + 1 < text->n && (unsigned char)text->v[i + 1] < 0xa0))
            return false;
        ends += c == '\n';
    }
    return text->n > 0 && (text->v[text->n - 1] == '\n') == (tabs && ends > 0);
}

START_TEST(hostile_names_are_copied_as_shown) {
    static const char *const keys[] = {"y",           "jlhy", "<Tab>ly", "lllly", "4y",
                                       "1/.<Enter>y", "9y",   "1yy",     "4yy",   "2yy"};
    static const char *const commands[] = {"1Y", "&\x1b[<Enter>Y", "4Y", "2jY"};
    shown_fixture("../screens/hostile", 120, 40);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        shown.requests.copied = false;
        shown_keys(keys[i]);
        MUST(shown.requests.copied && is_safe(&shown.requests.copy, true), (int)i);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        shown.requests.copied = false;
        shown_keys(commands[i]);
        MUST(shown.requests.copied && is_safe(&shown.requests.copy, false), (int)i);
    }
    shown_close();
}
END_TEST

static size_t copied_lines(const char *keys) {
    size_t lines = 0;
    shown_keys(keys);
    for (size_t i = 0; i < shown.requests.copy.n; i++)
        lines += shown.requests.copy.v[i] == '\n';
    return lines > 0 ? lines : shown.requests.copy.n > 0; /* one line has no end */
}

START_TEST(y_copies_the_table_and_yy_a_row) {
    static const char *const rows[] = {"yy", "jyy", "kjyy", "<C-l>yy"};
    static const char *const tables[] = {"y", "yyy", "yjy", "y:<Esc>y", "y<WheelDown:9,9>y"};
    size_t all;
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("5");
    trace_logs(shown.trace, &all);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        MUST(copied_lines(rows[i]) == 1, i);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        shown_keys("<C-l>");
        MUST(copied_lines(tables[i]) == all + 1 && memcmp(shown.requests.copy.v, "time\t", 5) == 0,
             i);
    }
    shown_keys("1:range 0..100%<Enter>5");
    MUST(copied_lines("y") == all + 1 && copied_lines("y") == 1);
    MUST(copied_lines("4y") > 1 && copied_lines("y") == 1);
    shown_close();
}
END_TEST

/* The task: the line of the slowest slice, and the command that opens the list again, by 2, Enter
 * and Ctrl-Y. */
START_TEST(the_line_and_the_command_in_three_keys) {
    static const char command[] = "\nfxtop --no-session --keys='";
    char text[4000] = "";
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("2<Enter><C-y>");
    ck_assert_uint_lt(shown.requests.copy.n, sizeof text);
    memcpy(text, shown.requests.copy.v, shown.requests.copy.n);
    ck_assert(strncmp(text, "+", 1) == 0 && strstr(text, command));
    ck_assert(strstr(text, "place in open ") && strstr(text, "slices<Enter>"));
    ck_assert(text[shown.requests.copy.n - 1] != '\n');
    shown_keys("yY");
    ck_assert(memcmp(shown.requests.copy.v, command + 1, sizeof command - 2) == 0);
    shown_close();
}
END_TEST

/* ---- the command, pasted ---- */

static const char *const names[] = {"x\nblobs\nw! made\n",
                                    "foo\033:w! made\r",
                                    "foo\r:w! made\r",
                                    "\xc3\xa9'; touch made; #",
                                    "<Enter>:w! made<Enter>",
                                    "<CR>",
                                    "<lt>",
                                    "a<b",
                                    "|touch made",
                                    "$(touch made)",
                                    "`touch made`",
                                    "\"",
                                    "a\"b",
                                    "'",
                                    "\\",
                                    "\\\\",
                                    "a\\",
                                    "/x/",
                                    "=",
                                    "!x",
                                    "a=b c",
                                    " a ",
                                    "  ",
                                    "#",
                                    "%n%0a",
                                    "place escaped w! made",
                                    "\xe2\x80\xae",
                                    "\xed\xa0\x80",
                                    "\xff\xfe",
                                    "\xf4\x90\x80\x80",
                                    "e\xcc\x81\xcc\x82\xcc\x83",
                                    "\xe6\xbc\xa2\xe5\xad\x97",
                                    "arg.x=1",
                                    "covered",
                                    "a,b"};
#define NAMES (sizeof names / sizeof *names)
#define BYTES 8 /* of a name that has some of all bytes */

/* All bytes but NUL are in a name of the fixture, after those above. */
static struct str name_at(size_t i, char buf[BYTES]) {
    if (i < NAMES)
        return str_of(names[i]);
    for (size_t k = 0; k < BYTES; k++)
        buf[k] = (char)((i - NAMES) * BYTES + k);
    return i == NAMES ? (struct str){buf + 1, BYTES - 1} : (struct str){buf, BYTES};
}

static void show_names(void) {
    struct chars text = {0};
    char line[64], buf[BYTES];
    chars_text(&text, "magic\ninit 1000000000\n");
    for (size_t i = 0; i < NAMES + 256 / BYTES; i++) {
        struct str name = name_at(i, buf);
        snprintf(line, sizeof line, "complete %zu 7/8 \"c\" \"", 1000 * i);
        chars_text(&text, line);
        for (size_t k = 0; k < name.n; k++) {
            snprintf(line, sizeof line, "\\x%02x", (unsigned char)name.s[k]);
            chars_text(&text, line);
        }
        snprintf(line, sizeof line, "\" end=%zu\n", 1000 * i + 500 + i);
        chars_text(&text, line);
    }
    chars_add(&text, (struct str){"", 1});
    shown_text(text.v, 120, 40);
    vec_free(&text);
}

/* The value of --keys in the copied command, read as a shell reads it; for free(). */
static char *copied_keys(void) {
    static const char before[] = "fxtop --no-session --keys='";
    const char *s = shown.requests.copy.v, *end = s + shown.requests.copy.n;
    char *keys = err_calloc(shown.requests.copy.n, 1), *to = keys;
    ck_assert(memcmp(s, before, sizeof before - 1) == 0 && end[-1] != '\n');
    for (s += sizeof before - 1; memcmp(s, "' -- ", 5) != 0; s++) {
        bool outside = memcmp(s, "'\\", 2) == 0; /* '\'' or '\\' */
        ck_assert((unsigned char)*s >= ' ' && *s != 0x7f && (*s != '\'' || outside));
        *to++ = outside ? s[2] : *s;
        s += outside ? 3 : 0;
    }
    return keys;
}

/* The keys lead to a view that is copied as the same keys again. */
static void paste_back(const char *keys, size_t i) {
    struct err err;
    shown_close();
    show_names();
    MUST(app_start(&shown, NULL, NULL, keys, &err), i);
    while (app_idle(&shown))
        continue;
    shown_keys("Y");
    char *again = copied_keys();
    ck_assert_msg(strcmp(again, keys) == 0, "%zu: %s\n%s", i, keys, again);
    free(again);
}

START_TEST(a_pasted_command_leads_back_whatever_names_are) {
    show_names();
    for (size_t i = 0; i < NAMES + 256 / BYTES; i++) {
        char buf[BYTES], name_z[80];
        struct str name = name_at(i, buf);
        snprintf(name_z, sizeof name_z, "%.*s", (int)name.n, name.s);
        shown_select(name_z, 0);
        shown_keys("*Y");
        ck_assert(shown.find.search && str_eq(str_of(search_pattern(shown.find.search)), name));
        char *keys = copied_keys();
        paste_back(keys, i);
        free(keys);
    }
    for (size_t i = 0; i < NAMES + 256 / BYTES; i++) { /* only the slices of a row of names */
        shown_close();
        show_names();
        shown_keys("2");
        table_go(shown.views.current->ops->table(shown.views.current), (uint32_t)i);
        shown_keys("xY");
        char *keys = copied_keys();
        ck_assert_ptr_nonnull(strstr(keys, "only "));
        paste_back(keys, i);
        free(keys);
    }
    shown_close();
    ck_assert_int_ne(access("made", F_OK), 0);
}
END_TEST

/* The keys that bring a state back, and those that Y copies. */
START_TEST(what_a_start_shows_is_left_out) {
    static const char *const copied[][2] = {
        {"ll", ":place select 0 1000ns thread 7/8<Enter>"},
        {"ll<Tab>l", ":place select 0 1000ns thread 7/8<Enter>:place drawer 1 0 focus<Enter>"},
        {"2", ":slices<Enter>"},
    };
    show_names();
    shown_keys("Y");
    ck_assert(memcmp(shown.requests.copy.v, "fxtop --no-session -- ", 22) == 0);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        shown_close();
        show_names();
        shown_keys(copied[i][0]);
        shown_keys("Y");
        char *keys = copied_keys();
        ck_assert_str_eq(keys, copied[i][1]);
        paste_back(keys, i);
        free(keys);
    }
    shown_close();
}
END_TEST

/* The value of an option of the copied command; NULL: it is not given. */
static char *copied_option(const char *name, char value[64]) {
    const char *from = memmem(shown.requests.copy.v, shown.requests.copy.n, name, strlen(name));
    size_t n = 0;
    if (from == NULL)
        return NULL;
    for (from += strlen(name); from[n] != ' '; n++)
        value[n] = from[n];
    value[n] = 0;
    return value;
}

/* The same window and cursor. Copied again, it is the same command. */
START_TEST(a_window_and_a_cursor_are_options) {
    static const char *const moved[][3] = {
        {"g10us<Enter>", NULL, "10us"},
        {":place window 5us..9us<Enter>", "5us..9us", NULL},
        {"g10us<Enter>:place window 4us..12us<Enter>", "4us..12us", "10us"},
        {"g7us<Enter>www", NULL, NULL},
        {"++", NULL, NULL},
        {"g50%<Enter>++", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        char window[64], at[64], window_again[64], at_again[64];
        struct err err;
        show_names();
        shown_keys(moved[i][0]);
        shown_keys("Y");
        char *w = copied_option(" --window=", window), *t = copied_option(" --at=", at);
        MUST((w || t) && !copied_option(" --keys=", window_again), i);
        MUST(!moved[i][1] || (w && strcmp(w, moved[i][1]) == 0), i);
        MUST(!moved[i][2] || (t && strcmp(t, moved[i][2]) == 0), i);
        const struct timeline before = shown.timeline;
        shown_close();
        show_names();
        MUST(app_start(&shown, t, w, NULL, &err), i);
        MUST(shown.timeline.cursor == before.cursor, i);
        MUST(shown.timeline.window.from == before.window.from, i);
        MUST(shown.timeline.window.width == before.window.width, i);
        MUST(shown.timeline.window_mode == before.window_mode, i);
        shown_keys("Y");
        char *w2 = copied_option(" --window=", window_again),
             *t2 = copied_option(" --at=", at_again);
        MUST(!w == !w2 && (!w || strcmp(w, w2) == 0), i);
        MUST(!t == !t2 && (!t || strcmp(t, t2) == 0), i);
        shown_close();
    }
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

SUITE(keep_copy) {
    Suite *s = suite_create("keep_copy");
    TCase *t = tcase_create("keep_copy");
    tcase_add_test(t, a_terminal_gets_the_text);
    tcase_add_test(t, hostile_names_are_copied_as_shown);
    tcase_add_test(t, y_copies_the_table_and_yy_a_row);
    tcase_add_test(t, a_pasted_command_leads_back_whatever_names_are);
    tcase_add_test(t, what_a_start_shows_is_left_out);
    tcase_add_test(t, a_window_and_a_cursor_are_options);
    tcase_add_test(t, the_line_and_the_command_in_three_keys);
    tcase_add_test(t, w_writes_what_y_copies);
    suite_add_tcase(s, t);
    return s;
}
