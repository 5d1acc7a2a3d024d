/* suite_text.c - text.h, the only way of a trace's text to a screen, a file or a message. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "src/base/text.h"
#include "tests/unit/lib/suites.h"

static char out[65536];

static const char *plain(struct str s, unsigned flags) {
    text_plain(out, sizeof out, s, flags);
    return out;
}

#define check_plain(literal, flags, expected) ck_assert_str_eq(plain(STR(literal), flags), expected)

/* --- UTF-8 --- */

START_TEST(maximal_bad_parts_become_one_sign_each) {
    check_plain("a\xFF"
                "b",
                0, "a\uFFFDb");
    check_plain("\xC3", 0, "\uFFFD");
    check_plain("\xC3\x28", 0, "\uFFFD(");
    check_plain("\xE2\x82", 0, "\uFFFD");
    check_plain("\xE2\x82x", 0, "\uFFFDx");
    check_plain("\xF0\x9F\x98", 0, "\uFFFD");
    check_plain("\xC0\xAF", 0, "\uFFFD\uFFFD");                     /* too long a form */
    check_plain("\xE0\x80\xAF", 0, "\uFFFD\uFFFD\uFFFD");           /* the same in three bytes */
    check_plain("\xED\xA0\x80", 0, "\uFFFD\uFFFD\uFFFD");           /* a surrogate */
    check_plain("\xF4\x90\x80\x80", 0, "\uFFFD\uFFFD\uFFFD\uFFFD"); /* above U+10FFFF */
    check_plain("\xF1\x80\x80\xE2\x82\xAC", 0, "\uFFFD\u20AC");
    check_plain("\x80\xBF", 0, "\uFFFD\uFFFD");
}
END_TEST

START_TEST(decoding_undoes_encoding) {
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        char bytes[4];
        uint32_t back;
        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        size_t n = text_utf8(cp, bytes);
        if (text_decode((struct str){bytes, n}, &back) != n || back != cp)
            ck_abort_msg("U+%04X is not itself", cp);
        for (size_t cut = 1; cut < n; cut++)
            if (text_decode((struct str){bytes, cut}, &back) != cut || back != TEXT_BAD)
                ck_abort_msg("U+%04X cut at %zu", cp, cut);
    }
}
END_TEST

START_TEST(surrogates_are_never_encoded) {
    char bytes[4];
    ck_assert_uint_eq(text_utf8(0xD800, bytes), 3);
    ck_assert_mem_eq(bytes, "\xEF\xBF\xBD", 3);
    ck_assert_uint_eq(text_utf8(0x110000, bytes), 3);
}
END_TEST

/* --- Text on the screen --- */

START_TEST(controls_and_hidden_characters_are_spelled_out) {
    check_plain("a\tb\nc\x1b[31m\x7f", 0, "a^Ib^Jc^[[31m^?");
    ck_assert_str_eq(plain((struct str){"\0x", 2}, 0), "^@x");
    check_plain("\xC2\x9B", 0, "<U+009B>");
    check_plain("\u202e\u2028\u2029", 0, "<U+202E><U+2028><U+2029>");
    check_plain("\u200b\u200d\ufeff\u00ad", 0, "<U+200B><U+200D><U+FEFF><U+00AD>");
    check_plain("\ue000\U000f0000\U0010fffd", 0, "<U+E000><U+F0000><U+10FFFD>");
    check_plain("\u0378\ufffe\U0001ffff", 0, "<U+0378><U+FFFE><U+1FFFF>");
    check_plain("\u115f\u3164\uffa0\u034f\U000e0041", 0,
                "<U+115F><U+3164><U+FFA0><U+034F><U+E0041>");
}
END_TEST

START_TEST(widths_that_terminals_disagree_on_are_spelled_out) {
    check_plain("\U0001f1e9\U0001f1ea", 0, "<U+1F1E9><U+1F1EA>"); /* a flag */
    check_plain("\u2764\ufe0f", 0, "\u2764<U+FE0F>");
    check_plain("\U0001f44d\U0001f3fd", 0, "\U0001f44d<U+1F3FD>");
}
END_TEST

START_TEST(ordinary_text_is_itself) {
    static const char *const texts[] = {
        "plain",   "na\u00efve \u00b5s", "\u65e5\u672c\u8a9e", "\u0416\u03a9\u05d0\u0639",
        "e\u0301", "\u2500\u2582\u25b2", "\U0001f600"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_str_eq(plain(str_of(texts[i]), 0), texts[i]);
}
END_TEST

START_TEST(a_track_shows_one_sign_a_character) {
    check_plain("a\tb\nc", TEXT_TRACK, "a\uFFFDb\uFFFDc");
    check_plain("\u202ex\xFF", TEXT_TRACK, "\uFFFDx\uFFFD");
    check_plain("e\u0301\u0302\u0303\u0304\u0305x", TEXT_TRACK, "e\u0301\u0302\uFFFDx");
    check_plain("\u0301\u0302x", TEXT_TRACK, "\uFFFDx");
}
END_TEST

START_TEST(two_marks_at_most_and_only_on_a_character) {
    check_plain("e\u0301\u0302\u0303", 0, "e\u0301\u0302<U+0303>");
    check_plain("\u0301e", 0, "<U+0301>e");
    check_plain("\x01\u0301", 0, "^A<U+0301>");
    struct text text = text_begin(STR("e\u0301\u0302"), 0);
    struct glyph glyph;
    ck_assert(text_next(&text, &glyph));
    ck_assert_uint_eq(glyph.cp[0], 'e');
    ck_assert_uint_eq(glyph.cp[1], 0x301);
    ck_assert_uint_eq(glyph.cp[2], 0x302);
    ck_assert_uint_eq(glyph.width, 1);
    ck_assert(!glyph.strange);
    ck_assert(!text_next(&text, &glyph));
}
END_TEST

START_TEST(the_ascii_form_holds_only_ascii) {
    check_plain("caf\u00e9", TEXT_ASCII, "caf\\u{E9}");
    check_plain("\xE2\x82|\xFF", TEXT_ASCII, "\\xE2\\x82|\\xFF");
    check_plain("\u202e\u65e5\n", TEXT_ASCII, "\\u{202E}\\u{65E5}^J");
    check_plain("e\u0301", TEXT_ASCII, "e\\u{301}");
    check_plain("\u65e5\xFF\n.", TEXT_ASCII | TEXT_TRACK, "???.");
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp += cp < 0x3000 ? 1 : 61) {
        char bytes[4];
        size_t n = text_utf8(cp, bytes);
        for (const char *s = plain((struct str){bytes, n}, TEXT_ASCII); *s; s++)
            ck_assert(*s >= 0x20 && *s < 0x7F);
    }
}
END_TEST

/* The oracle of the whole module: whatever goes in, only visible characters come out. */
START_TEST(nothing_strange_comes_out) {
    static const unsigned flags[] = {0, TEXT_TRACK, TEXT_ASCII, TEXT_ASCII | TEXT_TRACK};
    unsigned seed = 12345;
    for (int round = 0; round < 20000; round++) {
        char bytes[24];
        size_t n = 0;
        while (n < sizeof bytes - 4) {
            seed = seed * 1664525 + 1013904223;
            uint32_t cp = (seed >> 8) % (seed & 0x80 ? 0x110000 : 0x3100);
            if (seed & 0x40)
                bytes[n++] = (char)(seed >> 16);
            else
                n += text_utf8(cp, bytes + n);
        }
        for (size_t f = 0; f < 4; f++) {
            struct text text = text_begin((struct str){bytes, n}, flags[f]);
            struct glyph glyph;
            bool visible = true;
            while (text_next(&text, &glyph)) {
                visible = visible && (glyph.width == 1 || glyph.width == 2) && glyph.cp[0] != 0;
                for (int i = 0; i < 3 && glyph.cp[i]; i++)
                    visible = visible && glyph.cp[i] >= 0x20 && !text_strange(glyph.cp[i]);
                visible = visible &&
                          (!(flags[f] & TEXT_ASCII) || (glyph.cp[0] < 0x7F && glyph.cp[1] == 0));
            }
            ck_assert(visible);
        }
    }
}
END_TEST

/* Terminals go by libc: what it sees otherwise than utf8proc is never shown as it is. */
START_TEST(what_is_shown_is_as_wide_as_libc_says) {
    size_t disputed = 0;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    for (uint32_t cp = 0xA0; cp <= 0x10FFFF; cp++) {
        char bytes[4];
        struct str s = {bytes, text_utf8(cp, bytes)};
        struct text text = text_begin(s, TEXT_TRACK);
        struct glyph glyph;
        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        ck_assert(text_next(&text, &glyph));
        if (!glyph.strange && glyph.width != wcwidth((wchar_t)cp))
            ck_abort_msg("U+%04X is %d wide, libc says %d", (unsigned)cp, glyph.width,
                         wcwidth((wchar_t)cp));
        disputed += glyph.strange;
    }
    ck_assert_uint_gt(disputed, 0);
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(the_locale_changes_nothing) {
    setlocale(LC_ALL, "C");
    ck_assert_uint_eq(text_width(STR("\u65e5\u672c"), 0, 99), 4);
    check_plain("\u65e5\u0301", 0, "\u65e5\u0301");
    char before[200]; /* how it is spelled is libc's business */
    setlocale(LC_ALL, "C.UTF-8");
    snprintf(before, sizeof before, "%s", setlocale(LC_ALL, NULL));
    ck_assert_uint_eq(text_width(STR("\u672c\u8a9e"), 0, 99), 4);
    ck_assert_str_eq(setlocale(LC_ALL, NULL), before);
    setlocale(LC_ALL, "C");
}
END_TEST

/* --- Whole strings --- */

START_TEST(what_no_character_can_be_is_strange) {
    ck_assert(text_strange(0x110000));
    ck_assert(text_strange(UINT32_MAX));
    ck_assert(text_strange(0xD800));
    ck_assert(!text_strange(0x20DD)); /* a circle around the character before it */
}
END_TEST

START_TEST(width_counts_columns_up_to_the_limit) {
    ck_assert_uint_eq(text_width(STR("abc"), 0, 99), 3);
    ck_assert_uint_eq(text_width(STR("\u65e5x"), 0, 99), 3);
    ck_assert_uint_eq(text_width(STR("\n"), 0, 99), 2);
    ck_assert_uint_eq(text_width(STR("\n"), TEXT_TRACK, 99), 1);
    ck_assert_uint_eq(text_width(STR("abcdef"), 0, 4), 4);
    ck_assert_uint_eq(text_width(STR("\u65e5\u65e5"), 0, 3), 3);
    ck_assert_uint_eq(text_width(STR("abc"), 0, 0), 0);
    ck_assert_uint_eq(text_width((struct str){NULL, 0}, 0, 9), 0);
}
END_TEST

START_TEST(plain_text_is_never_cut_inside_a_character) {
    char small[8];
    ck_assert_uint_eq(text_plain(small, 4, STR("ab\u65e5"), 0), 2);
    ck_assert_str_eq(small, "ab");
    ck_assert_uint_eq(text_plain(small, 6, STR("ab\u65e5"), 0), 5);
    ck_assert_uint_eq(text_plain(small, 5, STR("abe\u0301"), 0), 2);
    ck_assert_uint_eq(text_plain(small, 1, STR("a"), 0), 0);
    ck_assert_str_eq(small, "");
    ck_assert_uint_eq(text_plain(small, 0, STR("a"), 0), 0);
}
END_TEST

START_TEST(dup_holds_it_whole) {
    char *copy = text_dup(STR("a\n\u202e\u65e5"), 0);
    ck_assert_str_eq(copy, "a^J<U+202E>\u65e5");
    free(copy);
}
END_TEST

START_TEST(marks_beyond_two_are_one_sign_on_tracks_and_spelled_out_elsewhere) {
    enum { MARKS = 20000 };
    char *name = malloc(1 + 2 * MARKS);
    name[0] = 'e';
    for (int i = 0; i < MARKS; i++)
        memcpy(name + 1 + 2 * i, "\u0301", 2);
    size_t track = text_width((struct str){name, 1 + 2 * MARKS}, TEXT_TRACK, SIZE_MAX);
    size_t details = text_width((struct str){name, 1 + 2 * MARKS}, 0, SIZE_MAX);
    ck_assert_uint_eq(track, 2);
    ck_assert_uint_eq(details, 1 + (MARKS - 2) * strlen("<U+0301>"));
    free(name);
}
END_TEST

/* --- JSON --- */

static size_t json_n;

static void collect(void *ctx, const char *bytes, size_t n) {
    memcpy((char *)ctx + json_n, bytes, n);
    json_n += n;
}

static const char *json(struct str s) {
    json_n = 0;
    text_json(s, collect, out);
    out[json_n] = '\0';
    return out;
}

START_TEST(json_escapes_what_must_not_be_read_raw) {
    ck_assert_str_eq(json(STR("say \"hi\" \\ /")), "say \\\"hi\\\" \\\\ /");
    ck_assert_str_eq(json((struct str){"a\0b\n\x1f\x7f", 6}), "a\\u0000b\\u000a\\u001f\\u007f");
    ck_assert_str_eq(json(STR("\xC2\x80\xC2\x9F\u00a0")), "\\u0080\\u009f\u00a0");
    ck_assert_str_eq(json(STR("\u202e\u2028\ufeff\u200d")), "\\u202e\\u2028\\ufeff\\u200d");
    ck_assert_str_eq(json(STR("\U000e0041\U0010ffff")), "\\udb40\\udc41\\udbff\\udfff");
    ck_assert_str_eq(json(STR("\xE2\x82z\xFF")), "\uFFFDz\uFFFD");
    ck_assert_str_eq(json(STR("\u65e5e\u0301\U0001f600")), "\u65e5e\u0301\U0001f600");
    ck_assert_str_eq(json(STR("")), "");
}
END_TEST

START_TEST(json_leaves_to_terminals_what_only_they_dispute) {
    ck_assert_str_eq(json(STR("\U0001f1e9\U0001f3fd")), "\U0001f1e9\U0001f3fd");
}
END_TEST

START_TEST(text_is_told_from_data) {
    ck_assert(text_readable(STR("Model: fx-1\n\tExposure: 1/60\r\n")));
    ck_assert(text_readable(STR("\u65e5\u672c")) && text_readable(STR("")));
    ck_assert(!text_readable(STR("GIF89a\0")) && !text_readable(STR("\xFF\xD8\xFF")));
    ck_assert(!text_readable(STR("\033[2J")));
}
END_TEST

/* Columns are left out at the front as long as whole characters and escapes are. */
START_TEST(skipped_columns_are_those_of_whole_characters) {
    static const struct {
        const char *text;
        size_t columns;
        const char *rest;
    } cases[] = {
        {"abc", 0, "abc"},
        {"abc", 2, "c"},
        {"abc", 3, ""},
        {"abc", 9, ""},
        {"", 4, ""},
        {"\xe6\x97\xa5x", 1, "\xe6\x97\xa5x"},
        {"\xe6\x97\xa5x", 2, "x"},
        {"\x01z", 1, "\x01z"},
        {"\x01z", 2, "z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str rest = text_skip(str_of(cases[i].text), 0, cases[i].columns);
        ck_assert_msg(str_eq(rest, str_of(cases[i].rest)), "case %zu", i);
    }
}
END_TEST

SUITE(text) {
    Suite *suite = suite_create("text");
    TCase *utf8 = tcase_create("UTF-8");
    tcase_add_test(utf8, maximal_bad_parts_become_one_sign_each);
    tcase_add_test(utf8, decoding_undoes_encoding);
    tcase_add_test(utf8, surrogates_are_never_encoded);
    suite_add_tcase(suite, utf8);
    TCase *shown = tcase_create("shown");
    tcase_set_timeout(shown, 60);
    tcase_add_test(shown, controls_and_hidden_characters_are_spelled_out);
    tcase_add_test(shown, widths_that_terminals_disagree_on_are_spelled_out);
    tcase_add_test(shown, ordinary_text_is_itself);
    tcase_add_test(shown, a_track_shows_one_sign_a_character);
    tcase_add_test(shown, two_marks_at_most_and_only_on_a_character);
    tcase_add_test(shown, the_ascii_form_holds_only_ascii);
    tcase_add_test(shown, nothing_strange_comes_out);
    tcase_add_test(shown, the_locale_changes_nothing);
    tcase_add_test(shown, what_is_shown_is_as_wide_as_libc_says);
    suite_add_tcase(suite, shown);
    TCase *strings = tcase_create("strings");
    tcase_set_timeout(strings, 60);
    tcase_add_test(strings, what_no_character_can_be_is_strange);
    tcase_add_test(strings, width_counts_columns_up_to_the_limit);
    tcase_add_test(strings, plain_text_is_never_cut_inside_a_character);
    tcase_add_test(strings, dup_holds_it_whole);
    tcase_add_test(strings, text_is_told_from_data);
    tcase_add_test(strings, marks_beyond_two_are_one_sign_on_tracks_and_spelled_out_elsewhere);
    tcase_add_test(strings, json_escapes_what_must_not_be_read_raw);
    tcase_add_test(strings, json_leaves_to_terminals_what_only_they_dispute);
    tcase_add_test(strings, skipped_columns_are_those_of_whole_characters);
    suite_add_tcase(suite, strings);
    return suite;
}
