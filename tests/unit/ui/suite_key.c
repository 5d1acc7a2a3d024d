/* suite_key.c - keys: what a terminal's bytes mean, and what keys are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/str.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"
#include "ui/screen/key_decode.h"

/* Names of the keys that the bytes mean, in one line. "~" in front of a group of bytes: after a
 * pause. */
static struct key_decode decoder;

static void drain(char *line, size_t cap, bool in_prompt, bool idle) {
    struct key key;
    while (key_decode_next(&decoder, in_prompt, idle, &key)) {
        char name[16], pointer[32];
        const char *text = key_name(key.code, name);
        if (key.code == KEY_POINTER) {
            snprintf(pointer, sizeof pointer, "<%d:%d,%d>", key.what, key.x, key.y);
            text = pointer;
        }
        size_t n = strlen(line);
        if (n + strlen(text) < cap)
            snprintf(line + n, cap - n, "%s", text);
    }
}

static const char *keys_of(struct str bytes, bool in_prompt, size_t piece) {
    static char line[512];
    line[0] = '\0';
    key_decode_init(&decoder);
    for (size_t i = 0; i < bytes.n; i += piece) {
        size_t n = bytes.n - i < piece ? bytes.n - i : piece;
        ck_assert_uint_eq(key_decode_feed(&decoder, bytes.s + i, n), n);
        drain(line, sizeof line, in_prompt, false);
    }
    drain(line, sizeof line, in_prompt, true);
    ck_assert_int_eq(key_decode_patience(&decoder), -1);
    return line;
}

/* In one read, and in single bytes. */
#define check_keys_in(bytes, in_prompt, expected)                                                  \
    do {                                                                                           \
        ck_assert_str_eq(keys_of(STR(bytes), in_prompt, sizeof(bytes)), expected);                 \
        ck_assert_str_eq(keys_of(STR(bytes), in_prompt, 1), expected);                             \
    } while (0)
#define check_keys(bytes, expected) check_keys_in(bytes, false, expected)

START_TEST(terminals_keys_are_known) {
    check_keys("aZ <\xC3\xA9\xE6\x97\xA5", "aZ<Space><lt>\u00e9\u65e5");
    check_keys("\r\n\t\b\x7f", "<Enter><Enter><Tab><BS><BS>");
    check_keys("\x01\x03\x1a\x13\x11", "<C-a><C-c><C-z><C-s><C-q>");
    check_keys("\033[A\033[B\033[C\033[D\033[H\033[F", "<Up><Down><Right><Left><Home><End>");
    check_keys("\033OA\033OB\033OC\033OD\033OH\033OF", "<Up><Down><Right><Left><Home><End>");
    check_keys("\033[1~\033[2~\033[3~\033[4~\033[5~\033[6~\033[7~\033[8~",
               "<Home><Ins><Del><End><PgUp><PgDn><Home><End>");
    check_keys(
        "\033OP\033OQ\033OR\033OS\033[15~\033[17~\033[18~\033[19~\033[20~\033[21~\033[23~\033[24~",
        "<F1><F2><F3><F4><F5><F6><F7><F8><F9><F10><F11><F12>");
    check_keys("\033[[A\033[[E\033[11~\033[14~", "<F1><F5><F1><F4>"); /* linux console, rxvt */
    check_keys("\033[Z", "<S-Tab>");
    check_keys("\033Op\033Oy\033OM\033Ok\033Oj", "09<Enter>+*"); /* keypad of a vt100 */
}
END_TEST

/* Escape is a key after 25 ms, also while the answer to a question is expected; no byte of a late
 * answer is a key. */
START_TEST(escape_does_not_wait_for_the_answer) {
    static const char answer[] = "\033]11;rgb:ffff/ffff/ffff\033\\";
    char line[200] = "";
    key_decode_init(&decoder);
    decoder.asked = true;
    key_decode_feed(&decoder, "\033", 1);
    drain(line, sizeof line, false, false);
    ck_assert_str_eq(line, "");
    ck_assert_int_eq(key_decode_patience(&decoder), 25);
    drain(line, sizeof line, false, true);
    ck_assert_str_eq(line, "<Esc>");
    for (size_t i = 1; i < sizeof answer - 1; i++) { /* that was the begin of the answer */
        key_decode_feed(&decoder, answer + i, 1);
        drain(line, sizeof line, false, false);
        ck_assert_str_eq(line, "<Esc>");
    }
    ck_assert(decoder.answered && decoder.light && !decoder.asked);
    drain(line, sizeof line, false, true);
    key_decode_init(&decoder);
    decoder.asked = true;
    line[0] = 0;
    for (int k = 0; k < 2; k++) { /* Escape and [ or ], typed */
        key_decode_feed(&decoder, "\033", 1);
        drain(line, sizeof line, false, false);
        drain(line, sizeof line, false, true);
        key_decode_feed(&decoder, k ? "]" : "]x", k ? 1 : 2);
        drain(line, sizeof line, false, false);
        drain(line, sizeof line, false, true);
    }
    ck_assert_str_eq(line, "<Esc>]x<Esc>]");
    key_decode_feed(&decoder, answer, sizeof answer - 1);
    drain(line, sizeof line, false, false);
    ck_assert_str_eq(line, "<Esc>]x<Esc>]");
    ck_assert(decoder.answered);
}
END_TEST

/* Mode 2026 is known by the answer to the question alone, whole or in pieces; no byte of it is a
 * key. */
START_TEST(a_mode_is_known_by_its_answer) {
    static const struct {
        const char *answer;
        bool asked, has;
    } said[] = {{"\033[?2026;2$y", true, true},   {"\033[?2026;1$y", true, true},
                {"\033[?2026;0$y", true, false},  {"\033[?2026;4$y", true, false},
                {"\033[?2026;22$y", true, false}, {"\033[?2026;2$y", false, false},
                {"\033[?2004;2$y", true, false}};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        bool ours = said[k].asked && strncmp(said[k].answer + 1, "[?2026", 6) == 0;
        for (int pieces = 0; pieces < (ours ? 3 : 2); pieces++) {
            char line[100] = "";
            size_t n = strlen(said[k].answer);
            key_decode_init(&decoder);
            decoder.asked_mode = said[k].asked;
            for (size_t i = 0, part; i < n; i += part) {
                part = pieces ? 1 : n;
                key_decode_feed(&decoder, said[k].answer + i, part);
                drain(line, sizeof line, false, false);
                if (pieces == 2 && i == 0) /* ESC alone is a key after 25 ms */
                    drain(line, sizeof line, false, true);
            }
            ck_assert_str_eq(line, pieces == 2 ? "<Esc>" : "");
            ck_assert(decoder.synchronized == (said[k].has && pieces < 2));
        }
    }
}
END_TEST

START_TEST(modifiers_are_ignored) {
    check_keys("\033[1;5A\033[1;2P\033[3;5~\033[1;2H", "<Up><F1><Del><Home>");
    /* rxvt */
    check_keys("\033Oa\033[b\033[3$\033[5^\033[23@\033O5P", "<Up><Down><Del><PgUp><F11><F1>");
    check_keys("\033[27;5;99~\033[97;5u\033[9;2u\033[13u\033[57399u", "<C-c><C-a><S-Tab><Enter>");
}
END_TEST

START_TEST(escape_is_a_key_of_its_own) {
    check_keys("\033", "<Esc>");
    check_keys("\033\033", "<Esc><Esc>");
    check_keys("\033j", "<Esc>j");
    check_keys("\033\033[A", "<Esc><Up>");
    check_keys("\033[", "<Esc>[");
    check_keys("\033P", "<Esc>P");
    check_keys("\033Pj", "<Esc>Pj");
    check_keys("\033]q", "<Esc>]q");
    key_decode_init(&decoder);
    key_decode_feed(&decoder, "\033", 1);
    struct key key;
    ck_assert(!key_decode_next(&decoder, false, false, &key));
    ck_assert_int_eq(key_decode_patience(&decoder), 25);
}
END_TEST

START_TEST(the_mouse_is_understood) {
    check_keys("\033[<0;5;6M\033[<32;7;6M\033[<0;7;6m", "<0:4,5><2:6,5><1:6,5>");
    check_keys("\033[<64;1;1M\033[<65;200;100M\033[<16;2;3M", "<3:0,0><4:199,99><0:1,2>");
    check_keys("\033[<2;5;6M\033[<35;5;6M\033[<66;1;1M\033[<0;0;0M\033[<0;99999;1M\033[<0;1M", "");
    check_keys("\033[M !!\033[M#\"!\033[Ma!!\033[M\"!!", "<0:0,0><1:1,0><4:0,0>");
}
END_TEST

START_TEST(pastes_are_keys_only_in_a_prompt) {
    check_keys("\033[200~qQ:\r\n\033[A\033\033[201~j", "j");
    check_keys_in("\033[200~a\xC3\xA9\r\nb\x03\tc\033[201~j", true, "a\u00e9b<Space>cj");
    check_keys("\033[200~qqq", ""); /* its end never comes */
    check_keys("\033[201~j", "j");
}
END_TEST

START_TEST(replies_and_the_unknown_are_eaten) {
    check_keys("\033[?64;1;2c\033[>41;370;0c\033[12;40R\033[0n\033[?2026;2$y\033[I\033[Oj", "j");
    check_keys("\033]11;rgb:0000/0000/0000\033\\\033]52;c;cXE=\ak", "k");
    check_keys("\033P1$r0m\033\\\033P>|xterm(370)\033\\\033_Gok\033\\x", "x");
    check_keys("\033[99~\033[1;2;3;4;5z\033[?1;2q\033Ozj", "j");
    check_keys("\033[8;40;120tj", "j");
    check_keys("\033[38;5\003", "<C-c>");
    check_keys("\xFF\x80\xC0\xAFk\xE6\x97", "k");
    char longest[600] = "\033[";
    memset(longest + 2, '1', 500);
    memcpy(longest + 502, "mj", 3);
    ck_assert_str_eq(keys_of(str_of(longest), false, 600), "j");
    ck_assert_str_eq(keys_of(str_of(longest), false, 1), "j");
}
END_TEST

START_TEST(the_terminals_description_adds_keys) {
    struct key key;
    key_decode_init(&decoder);
    key_decode_define(&decoder, "\033[A", KEY_CURSOR_UP); /* known */
    key_decode_define(&decoder, "\013", KEY_CURSOR_UP);   /* would hide Ctrl-K */
    key_decode_define(&decoder, "\033[very long indeed~", KEY_TO_HOME);
    ck_assert_int_eq(decoder.extra_n, 0);
    key_decode_define(&decoder, "\033A", KEY_CURSOR_UP);   /* vt52 */
    key_decode_define(&decoder, "\033[214z", KEY_TO_HOME); /* Sun */
    ck_assert_int_eq(decoder.extra_n, 2);
    key_decode_feed(&decoder, "\033A\033[214z\033B", 10);
    ck_assert(key_decode_next(&decoder, false, false, &key) && key.code == KEY_CURSOR_UP);
    ck_assert(key_decode_next(&decoder, false, false, &key) && key.code == KEY_TO_HOME);
    ck_assert(key_decode_next(&decoder, false, false, &key) && key.code == KEY_ESCAPE);
    for (int i = 0; i < 200; i++) {
        char sequence[16];
        snprintf(sequence, sizeof sequence, "\033x%d", i);
        key_decode_define(&decoder, sequence, KEY_TO_END);
    }
    ck_assert_int_eq(decoder.extra_n, 64);
}
END_TEST

/* Random bytes: it ends, the buffer empties, and no key is a control character or above what keys
 * there are. */
START_TEST(any_bytes_will_do) {
    static const char some[] = "\033\033\033[[O]P_<;~$M0123aAuRm\a\\ \x9b\xC3\xA9\r\t";
    struct chance chance = {99};
    key_decode_init(&decoder);
    for (int round = 0; round < 30000; round++) {
        char bytes[32];
        struct key key;
        size_t n = below(&chance, 32);
        for (size_t i = 0; i < n; i++) {
            uint64_t any = chance_next(&chance);
            bytes[i] = any & 0x8000 ? (char)(any >> 16) : some[(any >> 16) % (sizeof some - 1)];
        }
        ck_assert_uint_eq(key_decode_feed(&decoder, bytes, n), n);
        for (int idle = 0; idle < 2; idle++) {
            while (key_decode_next(&decoder, round & 1, idle && round % 7 == 0, &key)) {
                if (key.code < ' ' || key.code > KEY_POINTER || key.x < 0 || key.y < 0)
                    ck_abort_msg("key %#x at %d,%d", key.code, key.x, key.y);
            }
        }
        if (round % 7 == 0)
            ck_assert_int_eq(key_decode_patience(&decoder), -1);
        ck_assert_uint_lt(decoder.n - decoder.at, 100);
    }
}
END_TEST

START_TEST(names_go_both_ways) {
    static const char *const all[] = {
        "a",      "Z",         "<lt>",   "<Space>", "<Tab>",   "<S-Tab>", "<Enter>", "<Esc>",
        "<BS>",   "<Up>",      "<Down>", "<Left>",  "<Right>", "<Home>",  "<End>",   "<PgUp>",
        "<PgDn>", "<Ins>",     "<Del>",  "<F1>",    "<F9>",    "<F10>",   "<F12>",   "<C-a>",
        "<C-z>",  "<C-Space>", "<C-]>",  "\u00e9",  ">",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *at = all[i];
        struct key key;
        char name[16];
        ck_assert_msg(key_parse(&at, &key), "%s", all[i]);
        ck_assert_str_eq(at, "");
        ck_assert_str_eq(key_name(key.code, name), all[i]);
    }
}
END_TEST

START_TEST(names_are_read_from_a_line) {
    const char *keys = "g<c-Z><TAB><gt><C-m><C-i><C-[>\u65e5<nonsense>x";
    static const uint32_t expected[] = {
        'g', KEY_CTRL('z'), KEY_TABBED, '>', KEY_ENTERED, KEY_TABBED, KEY_ESCAPE, 0x65e5,
    };
    struct key key;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert(key_parse(&keys, &key));
        ck_assert_uint_eq(key.code, expected[i]);
    }
    ck_assert(!key_parse(&keys, &key));
    ck_assert_str_eq(keys, "<nonsense>x");
    static const char *const wrong[] = {
        "",
        "<",
        "<F0>",
        "<F13>",
        "<F1x>",
        "<>",
        "<C->",
        "<C-1>",
        "<Click>",
        "<Click:1>",
        "<Click:a,b>",
        "<Click:1,2,3>",
        "<Drag:-1,2>",
        "\xFF",
        "<Resize:80>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        keys = wrong[i];
        ck_assert_msg(!key_parse(&keys, &key), "%s", wrong[i]);
        ck_assert_ptr_eq(keys, wrong[i]);
    }
}
END_TEST

START_TEST(the_mouse_has_names) {
    const char *keys =
        "<Click:3,4><drag:5,6><Release:7,8><WheelUp:0,0><WheelDown:9,9><Resize:80x24>";
    static const struct key expected[] = {
        {KEY_POINTER, 3, 4, POINTER_PRESS},      {KEY_POINTER, 5, 6, POINTER_DRAG},
        {KEY_POINTER, 7, 8, POINTER_RELEASE},    {KEY_POINTER, 0, 0, POINTER_WHEEL_UP},
        {KEY_POINTER, 9, 9, POINTER_WHEEL_DOWN}, {KEY_RESIZED, 80, 24, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct key key;
        ck_assert(key_parse(&keys, &key));
        ck_assert_uint_eq(key.code, expected[i].code);
        ck_assert_int_eq(key.x, expected[i].x);
        ck_assert_int_eq(key.y, expected[i].y);
        ck_assert_uint_eq(key.what, expected[i].what);
    }
    ck_assert_str_eq(keys, "");
}
END_TEST

SUITE(key) {
    Suite *suite = suite_create("key");
    TCase *bytes = tcase_create("bytes");
    tcase_set_timeout(bytes, 60);
    tcase_add_test(bytes, escape_does_not_wait_for_the_answer);
    tcase_add_test(bytes, a_mode_is_known_by_its_answer);
    tcase_add_test(bytes, terminals_keys_are_known);
    tcase_add_test(bytes, modifiers_are_ignored);
    tcase_add_test(bytes, escape_is_a_key_of_its_own);
    tcase_add_test(bytes, the_mouse_is_understood);
    tcase_add_test(bytes, pastes_are_keys_only_in_a_prompt);
    tcase_add_test(bytes, replies_and_the_unknown_are_eaten);
    tcase_add_test(bytes, the_terminals_description_adds_keys);
    tcase_add_test(bytes, any_bytes_will_do);
    suite_add_tcase(suite, bytes);
    TCase *names = tcase_create("names");
    tcase_add_test(names, names_go_both_ways);
    tcase_add_test(names, names_are_read_from_a_line);
    tcase_add_test(names, the_mouse_has_names);
    suite_add_tcase(suite, names);
    return suite;
}
