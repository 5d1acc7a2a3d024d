/* suite_grid.c - cells, looks and keys: what panes draw with, and what a terminal's bytes mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/lib/suites.h"
#include "ui/command.h"
#include "ui/screen/grid.h"
#include "ui/screen/key_decode.h"
#include "ui/screen/pager.h"
#include "ui/screen/style.h"

static const struct look plain = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
static const struct look filled = {16, 74, 0};

/* --- Grid --- */

static struct grid grid;

static void make_grid(void) {
    style_init(COLOR_256);
    grid_init(&grid, 10, 3, false);
}

static void drop_grid(void) {
    grid_free(&grid);
}

/* The grid as text; one buffer. */
static const char *printed(enum color_depth depth) {
    static char text[16384];
    FILE *out = fmemopen(text, sizeof text, "w");
    grid_print(&grid, out, depth);
    fclose(out);
    return text;
}

static int put(const char *s, int x, int right, bool cut) {
    return grid_text(&grid, (struct grid_place){x, 0, right}, str_of(s), plain, 0, cut);
}

#define check_first_row(expected) ck_assert_str_eq(printed(COLOR_MONO), expected "\n\n\n")

START_TEST(text_is_clipped_on_all_sides) {
    ck_assert_int_eq(put("hello world", -2, 99, false), 9);
    check_first_row("llo world");
    grid_clear(&grid, plain);
    ck_assert_int_eq(put("hello world", 0, 99, false), 10);
    check_first_row("hello worl");
    grid_clear(&grid, plain);
    ck_assert_int_eq(put("hello", 2, 5, false), 5);
    check_first_row("  hel");
    ck_assert_int_eq(put("hello", 5, 3, false), 5);
    grid_text(&grid, (struct grid_place){0, -1, 10}, STR("above"), plain, 0, false);
    grid_text(&grid, (struct grid_place){0, 3, 10}, STR("below"), plain, 0, false);
    grid_fill(&grid, -5, 1, 1000, 'x', plain);
    grid_fill(&grid, 0, 99, 5, 'x', plain);
    grid_fill(&grid, 0, 2, -5, 'x', plain);
    grid_look(&grid, -3, 2, 100, filled);
    ck_assert_str_eq(printed(COLOR_MONO), "  hel\nxxxxxxxxxx\n\n");
}
END_TEST

START_TEST(a_cut_text_ends_in_an_ellipsis) {
    put("hello", 0, 4, true);
    check_first_row("hel\u2026");
    put("hello", 0, 5, true);
    check_first_row("hello");
    grid_clear(&grid, plain);
    put("hello", 0, 2, true);
    check_first_row("h\u2026");
    grid_clear(&grid, plain);
    put("hello", 0, 1, true); /* one letter is more useful */
    check_first_row("h");
}
END_TEST

START_TEST(half_a_wide_character_is_a_space) {
    put("\u65e5\u672c", 0, 3, false);
    check_first_row("\u65e5");
    put("x\u65e5\u672cy", 0, 4, true); /* the ellipsis falls on a right half */
    check_first_row("x\u65e5\u2026");
    put("\u65e5\u672cyyy", 0, 4, true);
    check_first_row("\u65e5 \u2026");
    grid_clear(&grid, plain);
    put("\u65e5\u672c", -1, 10, false);
    check_first_row(" \u672c");
    grid_clear(&grid, plain);
    put("\u65e5\u672c", 0, 10, false);
    grid_put(&grid, 1, 0, 'x', plain); /* over a right half */
    check_first_row(" x\u672c");
    grid_put(&grid, 2, 0, 'y', plain); /* over a left half */
    check_first_row(" xy");
    grid_clear(&grid, plain);
    put("\u65e5\u65e5", 0, 10, false);
    put("\u672c", 1, 10, false); /* over two halves */
    check_first_row(" \u672c");
    put("\u672c", 9, 10, false);
    ck_assert_uint_eq(grid_at(&grid, 9, 0)->cp[0], ' ');
}
END_TEST

/* Whatever is drawn where, no half of a wide character stays alone. */
START_TEST(halves_always_meet) {
    struct chance chance = {7};
    for (int i = 0; i < 20000; i++) {
        uint64_t any = chance_next(&chance);
        int x = (int)(any >> 8 & 15) - 3, right = (int)(any >> 12 & 15);
        if (any & 0x10000)
            grid_put(&grid, x, 0, 'a', plain);
        else
            put(any & 0x20000 ? "\u65e5x\u672c" : "\u65e5\u672c\u8a9e", x, right, any & 0x40000);
        bool meet = true;
        for (int c = 0; c < grid.cols; c++) {
            bool wide = grid_at(&grid, c, 0)->cp[0] >= 0x3000, right_half = grid_at(&grid, c, 0)->cp[0] == 0;
            meet = meet && (!right_half || (c > 0 && grid_at(&grid, c - 1, 0)->cp[0] >= 0x3000));
            meet = meet && (!wide || (c + 1 < grid.cols && grid_at(&grid, c + 1, 0)->cp[0] == 0));
        }
        ck_assert(meet);
    }
}
END_TEST

START_TEST(strange_characters_look_strange) {
    put("a\x01", 0, 10, false);
    check_first_row("a^A");
    ck_assert(style_eq(grid_at(&grid, 0, 0)->look, plain));
    ck_assert(!style_eq(grid_at(&grid, 1, 0)->look, plain));
    grid_text(&grid, (struct grid_place){0, 0, 10}, STR("\x01"), filled, TEXT_TRACK, false);
    ck_assert_int_eq(grid_at(&grid, 0, 0)->look.bg, filled.bg);
    ck_assert_int_eq(grid_at(&grid, 0, 0)->look.fg, filled.fg);
    ck_assert_uint_ne(grid_at(&grid, 0, 0)->look.attr, filled.attr);
}
END_TEST

START_TEST(our_own_text_has_an_ascii_form) {
    ck_assert_int_eq(grid_ztext(&grid, 0, 0, 10, "5 \u00b5s \u25b2\u2026", plain), 7);
    check_first_row("5 \u00b5s \u25b2\u2026");
    grid.ascii = true;
    grid_clear(&grid, plain);
    ck_assert_int_eq(grid_printf(&grid, (struct grid_place){0, 0, 10}, plain, "%d \u00b5s \u2501\u2026\u65e5", 5), 9);
    check_first_row("5 us =~??");
    put("\u00e9", 0, 10, false);
    check_first_row("\\u{E9}~??");
    for (int i = 0; i <= 8; i++) {
        ck_assert_uint_lt(grid_level(&grid, i), 0x7F);
        ck_assert_uint_lt(grid_left(&grid, i), 0x7F);
        ck_assert(i == 0 || grid_level(&grid, i) != ' ');
    }
    for (int id = GLYPH_RULE; id <= GLYPH_OPEN_EDGE; id++)
        ck_assert(grid_glyph(&grid, (enum glyph_id)id) > ' ' && grid_glyph(&grid, (enum glyph_id)id) < 0x7F);
}
END_TEST

START_TEST(our_own_glyphs_are_one_column) {
    for (int id = GLYPH_RULE; id <= GLYPH_OPEN_EDGE; id++) {
        char bytes[4];
        size_t n = text_utf8(grid_glyph(&grid, (enum glyph_id)id), bytes);
        ck_assert_uint_eq(text_width((struct str){bytes, n}, 0, 9), 1);
        ck_assert(!text_strange(grid_glyph(&grid, (enum glyph_id)id)));
    }
    ck_assert_uint_eq(grid_level(&grid, 8), 0x2588);
    ck_assert_uint_eq(grid_level(&grid, 1), 0x2581);
    ck_assert_uint_eq(grid_level(&grid, -4), ' ');
    ck_assert_uint_eq(grid_left(&grid, 1), 0x258F);
    ck_assert_uint_eq(grid_left(&grid, 99), 0x2588);
}
END_TEST

START_TEST(printing_keeps_what_can_be_seen) {
    grid_text(&grid, (struct grid_place){0, 0, 10}, STR("ab"), filled, 0, false);
    grid_fill(&grid, 2, 0, 2, ' ', filled);
    grid_text(&grid, (struct grid_place){0, 1, 10}, STR("c "), (struct look){LOOK_DEFAULT, LOOK_DEFAULT, ATTR_BOLD}, 0,
              false);
    grid_put(&grid, 9, 2, 'z', (struct look){3, 12, ATTR_REVERSE});
    ck_assert_str_eq(printed(COLOR_MONO), "ab\nc\n         z\n");
    ck_assert_str_eq(printed(COLOR_256), "\033[0;38;5;16;48;5;74mab  \033[0m\n\033[0;1mc\033[0m\n"
                                         "         \033[0;7;33;104mz\033[0m\n");
    grid_put(&grid, 9, 2, 'z', (struct look){0x1000000 | 0x010203, LOOK_DEFAULT, 0});
    ck_assert_ptr_nonnull(strstr(printed(COLOR_TRUE), "\033[0;38;2;1;2;3mz"));
}
END_TEST

START_TEST(any_size_will_do) {
    static const int sizes[][2] = {{0, 0}, {1, 1}, {1, 200}, {500, 1}, {-3, 7}, {500, 200}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        grid_resize(&grid, sizes[i][0], sizes[i][1]);
        put("hello \u65e5\u672c", 0, grid.cols, true);
        grid_put(&grid, grid.cols - 1, grid.rows - 1, 'x', plain);
        printed(COLOR_256);
        ck_assert_ptr_null(grid_at(&grid, grid.cols, 0));
        ck_assert_ptr_null(grid_at(&grid, 0, -1));
    }
}
END_TEST

Suite *suite_grid(void) {
    Suite *suite = suite_create("grid");
    TCase *cells = tcase_create("cells");
    tcase_set_timeout(cells, 60);
    tcase_add_checked_fixture(cells, make_grid, drop_grid);
    tcase_add_test(cells, text_is_clipped_on_all_sides);
    tcase_add_test(cells, a_cut_text_ends_in_an_ellipsis);
    tcase_add_test(cells, half_a_wide_character_is_a_space);
    tcase_add_test(cells, halves_always_meet);
    tcase_add_test(cells, strange_characters_look_strange);
    tcase_add_test(cells, our_own_text_has_an_ascii_form);
    tcase_add_test(cells, our_own_glyphs_are_one_column);
    tcase_add_test(cells, printing_keeps_what_can_be_seen);
    tcase_add_test(cells, any_size_will_do);
    suite_add_tcase(suite, cells);
    return suite;
}

/* --- Style --- */

/* Linear light of a palette number of the cube or the greys, red, green and blue. */
static void light(int32_t color, double out[3]) {
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    int grey = 8 + (color - 232) * 10, rgb[3] = {grey, grey, grey};
    ck_assert(color >= 16 && color < 256);
    if (color < 232) {
        rgb[0] = level[(color - 16) / 36];
        rgb[1] = level[(color - 16) / 6 % 6];
        rgb[2] = level[(color - 16) % 6];
    }
    for (int i = 0; i < 3; i++) {
        double c = rgb[i] / 255.0;
        out[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
}

static double luminance(int32_t color) {
    double c[3];
    light(color, c);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double contrast(double a, double b) {
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* All looks that names get, up to `most`; returns how many there are. */
static int all_hues(bool alternate, struct look out[], int most) {
    int n = 0;
    for (uint32_t h = 0; h < 2000; h++) {
        struct look look = style_slice(h * 2654435761U, alternate);
        int i = 0;
        while (i < n && !style_eq(out[i], look))
            i++;
        if (i == n && n < most)
            out[n++] = look;
    }
    return n;
}

START_TEST(a_depth_has_its_hues) {
    struct look looks[32];
    static const int expected[] = {
        [COLOR_MONO] = 1, [COLOR_8] = 6, [COLOR_16] = 6, [COLOR_256] = 12, [COLOR_TRUE] = 12,
    };
    style_init((enum color_depth)_i);
    ck_assert_int_eq(all_hues(false, looks, 32), expected[_i]);
    ck_assert_int_eq(all_hues(true, looks, 32), expected[_i]);
    for (uint32_t h = 0; h < 100; h++) {
        ck_assert(style_eq(style_slice(h, false), style_slice(h, false)));
        ck_assert(_i == COLOR_MONO || !style_eq(style_slice(h, false), style_slice(h, true)));
    }
}
END_TEST

START_TEST(text_on_a_slice_is_readable) {
    struct look looks[32];
    style_init(COLOR_256);
    for (int alternate = 0; alternate < 2; alternate++)
        for (int i = all_hues(alternate, looks, 32); i-- > 0;)
            ck_assert_double_ge(contrast(luminance(looks[i].fg), luminance(looks[i].bg)), 4.5);
}
END_TEST

/* CIELAB of linear light as eyes of a kind see it (Machado, Oliveira, Fernandes 2009, severity 1). */
static void lab(int32_t color, int eyes, double out[3]) {
    static const double seen[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    };
    static const double xyz[3][3] = {
        {0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047},
        {0.2126, 0.7152, 0.0722},
        {0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883},
    };
    double c[3], s[3], f[3];
    light(color, c);
    for (int i = 0; i < 3; i++) {
        double v = seen[eyes][i][0] * c[0] + seen[eyes][i][1] * c[1] + seen[eyes][i][2] * c[2];
        s[i] = v < 0 ? 0 : v > 1 ? 1 : v;
    }
    for (int i = 0; i < 3; i++)
        f[i] = cbrt(xyz[i][0] * s[0] + xyz[i][1] * s[1] + xyz[i][2] * s[2]);
    out[0] = 116 * f[1] - 16;
    out[1] = 500 * (f[0] - f[1]);
    out[2] = 200 * (f[1] - f[2]);
}

START_TEST(hues_differ_for_any_eyes) {
    struct look looks[32];
    style_init(COLOR_256);
    int n = all_hues(false, looks, 32);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            double p[3], q[3];
            lab(looks[a].bg, _i, p);
            lab(looks[b].bg, _i, q);
            double d = sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
            ck_assert_double_ge(d, 10); /* 2.3 is the least difference that is visible side by side */
        }
}
END_TEST

START_TEST(roles_are_readable_on_dark_and_light) {
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        ck_assert_int_eq(style_depth(), (enum color_depth)depth);
        for (int role = 0; role < ROLE_COUNT; role++) {
            struct look look = style_look((enum role)role);
            ck_assert(depth != COLOR_MONO || (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT));
            ck_assert(depth == COLOR_TRUE || depth == COLOR_256 || look.fg < 8);
            if (depth == COLOR_256 && look.bg != LOOK_DEFAULT)
                ck_assert_double_ge(contrast(luminance(look.fg), luminance(look.bg)), 4.5);
            else if (depth == COLOR_256 && look.fg != LOOK_DEFAULT) {
                ck_assert_double_ge(contrast(luminance(look.fg), 0), 2.8);
                ck_assert_double_ge(contrast(luminance(look.fg), 1), 2.8);
            }
        }
    }
}
END_TEST

START_TEST(selected_is_reverse_at_any_depth) {
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        struct look slice = style_slice(77, false), selected = style_selected(slice);
        ck_assert(selected.attr & ATTR_REVERSE);
        ck_assert(!style_eq(slice, selected));
    }
}
END_TEST

Suite *suite_style(void) {
    Suite *suite = suite_create("style");
    TCase *looks = tcase_create("looks");
    tcase_add_loop_test(looks, a_depth_has_its_hues, COLOR_MONO, COLOR_TRUE + 1);
    tcase_add_test(looks, text_on_a_slice_is_readable);
    tcase_add_loop_test(looks, hues_differ_for_any_eyes, 0, 4);
    tcase_add_test(looks, roles_are_readable_on_dark_and_light);
    tcase_add_test(looks, selected_is_reverse_at_any_depth);
    suite_add_tcase(suite, looks);
    return suite;
}

/* --- Keys --- */

/* Names of the keys that the bytes mean, in one line. "~" in front of a group of bytes: after a pause. */
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
#define check_keys_in(bytes, in_prompt, expected)                                                                      \
    do {                                                                                                               \
        ck_assert_str_eq(keys_of(STR(bytes), in_prompt, sizeof(bytes)), expected);                                     \
        ck_assert_str_eq(keys_of(STR(bytes), in_prompt, 1), expected);                                                 \
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
    check_keys("\033OP\033OQ\033OR\033OS\033[15~\033[17~\033[18~\033[19~\033[20~\033[21~\033[23~\033[24~",
               "<F1><F2><F3><F4><F5><F6><F7><F8><F9><F10><F11><F12>");
    check_keys("\033[[A\033[[E\033[11~\033[14~", "<F1><F5><F1><F4>"); /* linux console, rxvt */
    check_keys("\033[Z", "<S-Tab>");
    check_keys("\033Op\033Oy\033OM\033Ok\033Oj", "09<Enter>+*"); /* keypad of a vt100 */
}
END_TEST

START_TEST(modifiers_are_ignored) {
    check_keys("\033[1;5A\033[1;2P\033[3;5~\033[1;2H", "<Up><F1><Del><Home>");
    check_keys("\033Oa\033[b\033[3$\033[5^\033[23@\033O5P", "<Up><Down><Del><PgUp><F11><F1>"); /* rxvt */
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
    key_decode_define(&decoder, "\033A", KEY_CURSOR_UP); /* vt52 */
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

/* Random bytes: it ends, the buffer empties, and no key is a control character or above what keys there are. */
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
        "a", "Z", "<lt>", "<Space>", "<Tab>", "<S-Tab>", "<Enter>", "<Esc>", "<BS>", "<Up>", "<Down>", "<Left>",
        "<Right>", "<Home>", "<End>", "<PgUp>", "<PgDn>", "<Ins>", "<Del>", "<F1>", "<F9>", "<F10>", "<F12>", "<C-a>",
        "<C-z>", "<C-Space>", "<C-]>", "\u00e9", ">",
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
        "", "<", "<F0>", "<F13>", "<F1x>", "<>", "<C->", "<C-1>", "<Click>", "<Click:1>", "<Click:a,b>",
        "<Click:1,2,3>", "<Drag:-1,2>", "\xFF", "<Resize:80>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        keys = wrong[i];
        ck_assert_msg(!key_parse(&keys, &key), "%s", wrong[i]);
        ck_assert_ptr_eq(keys, wrong[i]);
    }
}
END_TEST

START_TEST(the_mouse_has_names) {
    const char *keys = "<Click:3,4><drag:5,6><Release:7,8><WheelUp:0,0><WheelDown:9,9><Resize:80x24>";
    static const struct key expected[] = {
        {KEY_POINTER, 3, 4, POINTER_PRESS},   {KEY_POINTER, 5, 6, POINTER_DRAG},
        {KEY_POINTER, 7, 8, POINTER_RELEASE}, {KEY_POINTER, 0, 0, POINTER_WHEEL_UP},
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

/* ---- pages ---- */

/* All lines of a page, without a blank. */
static char *page_text(const struct pager *page) {
    char *text = calloc(1, 100000), *end = text;
    for (size_t i = 0; i < page->lines.n; i++)
        for (const char *s = page->lines.v[i].text; *s; s++)
            if (*s != ' ')
                *end++ = *s;
    return text;
}

START_TEST(help_is_whole_on_any_screen) {
    struct pager page = {0};
    command_help(&page, 200);
    char *all = page_text(&page);
    for (int cols = 20; cols < 130; cols++) {
        pager_clear(&page);
        command_help(&page, cols);
        for (size_t i = 0; i < page.lines.n; i++)
            ck_assert_msg((int)strlen(page.lines.v[i].text) < cols, "%d: %s", cols, page.lines.v[i].text);
        char *text = page_text(&page);
        ck_assert_str_eq(text, all);
        free(text);
    }
    pager_clear(&page);
    free(all);
}
END_TEST

START_TEST(lines_break_at_blanks_else_anywhere) {
    static const struct {
        const char *text, *lines[4];
    } cases[] = {
        {"one two three four five", {"one two three four", "    five"}},
        {"one two three 400 ns", {"one two three", "    400 ns"}},
        {"a 0123456789abcdefghijk", {"a", "    0123456789abcd", "    efghijk"}},
        {"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9" /* 20 columns */
         "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
         {"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
          "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
          "    \xC3\xA9\xC3\xA9"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pager page = {0};
        pager_wrap(&page, 20, 4, cases[k].text);
        size_t n = 0;
        for (; n < 4 && cases[k].lines[n]; n++) {
            ck_assert(n < page.lines.n);
            ck_assert_str_eq(page.lines.v[n].text, cases[k].lines[n]);
        }
        ck_assert_uint_eq(page.lines.n, n);
        pager_clear(&page);
    }
}
END_TEST

Suite *suite_key(void) {
    Suite *suite = suite_create("key");
    TCase *bytes = tcase_create("bytes");
    tcase_set_timeout(bytes, 60);
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
    TCase *pages = tcase_create("pages");
    tcase_add_test(pages, help_is_whole_on_any_screen);
    tcase_add_test(pages, lines_break_at_blanks_else_anywhere);
    suite_add_tcase(suite, pages);
    return suite;
}
