/* suite_grid.c - cells: what panes draw with, clipped at all sides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"
#include "ui/screen/grid.h"

static const struct look plain = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
static const struct look filled = {16, 74, 0};

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

static void check_name(const char *name, int right, const char *wanted) {
    char row[64];
    grid_clear(&grid, plain);
    grid_name(&grid, (struct grid_place){0, 0, right}, str_of(name), plain, 0);
    snprintf(row, sizeof row, "%s\n\n\n", wanted);
    ck_assert_str_eq(printed(COLOR_MONO), row);
}

START_TEST(parts_are_drawn_whole) {
    static const struct {
        const char *text, *shown;
        int end;
    } cases[] = {{"1 s  2  3 a", " 1 s  2", 7},
                 {"1 s  2", " 1 s  2", 7},
                 {"1 s  \u00b5\u00b5  4", " 1 s  \u00b5\u00b5", 8},
                 {"1 s  23456", " 1 s", 4},
                 {"", "", 1},
                 {"a part too long", " a part t\u2026", 10},
                 {"a part too long  2", " a part t\u2026", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char row[64];
        grid_clear(&grid, plain);
        ck_assert_int_eq(grid_zparts(&grid, 1, 0, cases[i].text, plain), cases[i].end);
        snprintf(row, sizeof row, "%s\n\n\n", cases[i].shown);
        ck_assert_str_eq(printed(COLOR_MONO), row);
    }
}
END_TEST

START_TEST(a_cut_name_keeps_what_tells_it_from_others) {
    check_name("Frame 212", 9, "Frame 212");
    check_name("Frame 212", 8, "Fram\u2026212");
    check_name("Frame 212", 5, "Fr\u202612");
    check_name("Frame 212", 4, "Fra\u2026");
    check_name("Frame 212", 1, "F");
    check_name("Layout", 5, "Layo\u2026");
    check_name("std::vector<int>::push_back", 10, "std:\u2026_back");
    check_name("a::b c 2", 7, "a::b \u20262");
    check_name("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 12", 8,
               "\u00e9\u00e9\u00e9\u00e9\u00e9\u202612");
    check_name("12345678901234", 10, "1234\u202601234");
}
END_TEST

START_TEST(a_wide_name_is_cut_in_the_middle) {
    grid_free(&grid);
    grid_init(&grid, 40, 3, false);
    check_name("one-long-word-without-a-number", 23, "one-long-word-without-\u2026");
    check_name("one-long-word-without-a-number", 24, "one-long-word-w\u2026a-number");
    check_name("a name of several words at all", 24, "a name of several wo\u2026all");
    check_name("a name of several words: it is", 24, "a name of several words\u2026");
    check_name("action 'Linking lib.a'", 22, "action 'Linking lib.a'");
    check_name("action 'Linking lib.a'", 21, "'Linking lib.a'");
    check_name("action 'Linking lib.a'", 14, "'Linking lib.\u2026");
    check_name("action 'Linking' lib.a", 14, "action 'Linki\u2026");
    check_name("/usr/lib/gcc/12/include/c++/12/iostream", 24, "/usr/lib/gc\u2026/12/iostream");
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
            bool wide = grid_at(&grid, c, 0)->cp[0] >= 0x3000,
                 right_half = grid_at(&grid, c, 0)->cp[0] == 0;
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
    ck_assert_int_eq(grid_printf(&grid, (struct grid_place){0, 0, 10}, plain,
                                 "%d \u00b5s \u2501\u2026\u65e5", 5),
                     9);
    check_first_row("5 us =~??");
    put("\u00e9", 0, 10, false);
    check_first_row("\\u{E9}~??");
    for (int i = 0; i <= 8; i++) {
        ck_assert_uint_lt(grid_level(&grid, i), 0x7F);
        ck_assert_uint_lt(grid_left(&grid, i), 0x7F);
        ck_assert(i == 0 || grid_level(&grid, i) != ' ');
    }
    for (int id = GLYPH_RULE; id <= GLYPH_OPEN_EDGE; id++)
        ck_assert(grid_glyph(&grid, (enum glyph_id)id) > ' ' &&
                  grid_glyph(&grid, (enum glyph_id)id) < 0x7F);
    grid_ztext(&grid, 0, 1, 10, "e\u0301 \u0354", plain); /* marks of a typed key */
    const struct cell *row = &grid.cells[grid.cols];
    ck_assert(row[0].cp[0] == 'e' && row[0].cp[1] == 0);
    ck_assert(row[1].cp[0] == '?' && row[1].cp[1] == 0);
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
    grid_text(&grid, (struct grid_place){0, 1, 10}, STR("c "),
              (struct look){LOOK_DEFAULT, LOOK_DEFAULT, ATTR_BOLD}, 0, false);
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

SUITE(grid) {
    Suite *suite = suite_create("grid");
    TCase *cells = tcase_create("cells");
    tcase_set_timeout(cells, 60);
    tcase_add_checked_fixture(cells, make_grid, drop_grid);
    tcase_add_test(cells, text_is_clipped_on_all_sides);
    tcase_add_test(cells, a_cut_text_ends_in_an_ellipsis);
    tcase_add_test(cells, parts_are_drawn_whole);
    tcase_add_test(cells, a_cut_name_keeps_what_tells_it_from_others);
    tcase_add_test(cells, a_wide_name_is_cut_in_the_middle);
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
