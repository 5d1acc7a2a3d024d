/* suite_thin.c - crowded pictures in fewer bytes: what gives way, and what stays. */
#include "ui/screen/thin.h"

#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { COLS = 120, ROWS = 40, LANE = 22, LIMIT = 10000 };

static struct grid from, to;

static const struct look plain = {LOOK_DEFAULT, LOOK_DEFAULT, 0};

static void setup(void) {
    style_init(COLOR_256);
    grid_init(&from, COLS, ROWS, false);
    grid_init(&to, COLS, ROWS, false);
}

static void teardown(void) {
    grid_free(&from);
    grid_free(&to);
}

static struct look ink(uint32_t name) {
    return (struct look){style_series(name).bg, LOOK_DEFAULT, 0};
}

/* The least that a writer sends: 11 bytes for each change of a look, and the characters. */
static size_t bytes_of(const struct grid *grid) {
    size_t n = 0;
    struct look look = plain;
    for (int i = 0; i < grid->cols * grid->rows; i++) {
        const struct cell *cell = &grid->cells[i];
        n += cell->cp[0] < 0x80 ? 1 : cell->cp[0] < 0x800 ? 2 : 3;
        n += style_eq(cell->look, look) ? 0 : 11;
        look = cell->look;
    }
    return n;
}

/* Bars of all heights in ten colours, a name at the left of each row, and names within slices. */
static void crowd(uint64_t seed) {
    struct chance chance = {seed};
    for (int y = 0; y < ROWS; y++) {
        grid_ztext(&from, 1, y, LANE, "thread 2000", plain);
        for (int x = LANE; x < COLS; x++) {
            uint32_t color = (uint32_t)below(&chance, 10);
            int height = (int)below(&chance, 9);
            if (below(&chance, 30) == 0)
                x = grid_ztext(&from, x, y, COLS, "abc", style_series(color)) - 1;
            else
                grid_put(&from, x, y, grid_level(&from, height), ink(color));
        }
    }
}

static int height_of(uint32_t cp) {
    const char *low = cp > ' ' && cp < 0x7f ? strchr(".:-=+&#", (int)cp) : NULL;
    return cp == ' ' ? 0 : cp == '_' ? 1 : low ? (int)(low - ".:-=+&#") + 1 : (int)(cp - 0x2580);
}

START_TEST(a_picture_that_fits_stays_as_it_is) {
    crowd(1);
    MUST(thin_copy(&to, &from, SIZE_MAX, 0) == 0);
    for (int i = 0; i < COLS * ROWS; i++) {
        MUST(memcmp(to.cells[i].cp, from.cells[i].cp, sizeof from.cells[i].cp) == 0);
        MUST(from.cells[i].cp[0] == ' ' || style_eq(to.cells[i].look, from.cells[i].look));
    }
    MUST(thin_limit(COLS, ROWS, true) == LIMIT && thin_limit(COLS, ROWS, false) == SIZE_MAX);
    MUST(thin_limit(2 * COLS, ROWS, true) == 2 * LIMIT && thin_limit(20, 5, true) == LIMIT);
}
END_TEST

START_TEST(text_heights_and_places_stay_in_a_crowd) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        crowd(seed);
        MUST(bytes_of(&from) > 30000);
        MUST(thin_copy(&to, &from, LIMIT, 0) > 0);
        MUST(bytes_of(&to) < LIMIT);
        for (int i = 0; i < COLS * ROWS; i++) {
            const struct cell *a = &from.cells[i], *b = &to.cells[i];
            bool text = i % COLS < LANE || a->look.bg != LOOK_DEFAULT;
            if (text && a->cp[0] != ' ')
                MUST(memcmp(a, b, sizeof *a) == 0);
            else if (!text)
                MUST(height_of(b->cp[0]) == height_of(a->cp[0]) ||
                     (b->cp[0] == '#' && height_of(a->cp[0]) == 8));
        }
    }
}
END_TEST

START_TEST(the_colour_with_most_ink_is_that_of_all) {
    static const int heights[] = {1, 2, 1, 2};
    for (int x = 0; x < 4; x++)
        grid_put(&from, x, 0, grid_level(&from, heights[x]), ink((uint32_t)x % 2));
    MUST(thin_copy(&to, &from, 8 * ROWS + 30, 0) > 0);
    for (int x = 0; x < 4; x++) {
        MUST(to.cells[x].look.fg == ink(1).fg);
        MUST(height_of(to.cells[x].cp[0]) == heights[x]);
    }
}
END_TEST

/* Eight colours without UTF-8: the console of Linux. */
START_TEST(ascii_and_few_colours_fit_too) {
    style_init(COLOR_8);
    from.ascii = true;
    crowd(3);
    MUST(thin_copy(&to, &from, LIMIT, 0) > 0);
    for (int i = 0; i < COLS * ROWS; i++)
        MUST(memcmp(to.cells[i].cp, from.cells[i].cp, sizeof from.cells[i].cp) == 0);
    MUST(bytes_of(&to) < 2 * LIMIT); /* a colour has five bytes here */
    from.ascii = false;
}
END_TEST

/* Eight colours with UTF-8: slate is the terminal's own colour there, and a bar of it is no
 * text. */
START_TEST(bars_of_the_terminals_own_colour_join_too) {
    style_init(COLOR_8);
    crowd(5);
    for (int i = 0; i < COLS * ROWS; i++)
        if (i % COLS >= LANE && from.cells[i].look.bg == LOOK_DEFAULT && i % 2)
            from.cells[i].look = style_look(ROLE_DENSITY);
    MUST(thin_copy(&to, &from, LIMIT, 0) > 0);
    MUST(bytes_of(&to) < LIMIT);
}
END_TEST

START_TEST(a_right_part_needs_no_reverse_video) {
    static const uint32_t right[] = {0x2588, 0x2588, 0x2590, 0x2590, 0x2590, 0x2590, 0x2595};
    from.ascii = false;
    for (int left = 1; left < 8; left++)
        grid_put(&from, left * 2, 0, grid_left(&from, left),
                 (struct look){ink(1).fg, LOOK_DEFAULT, ATTR_REVERSE});
    MUST(thin_copy(&to, &from, 1, 0) > 0);
    for (int left = 1; left < 8; left++) {
        const struct cell *cell = &to.cells[left * 2];
        MUST(cell->look.attr == 0 && cell->look.fg == ink(1).fg);
        MUST(cell->cp[0] == (right[left - 1] == 0x2595 ? '|' : '#'));
    }
}
END_TEST

START_TEST(edges_and_instants_in_slices_become_flat_last) {
    struct look edge = {style_series(0).bg, style_series(1).bg, 0},
                instant = {248, style_series(2).bg, 0};
    grid_put(&from, 0, 0, grid_left(&from, 5), edge);
    grid_put(&from, 1, 0, grid_left(&from, 2), edge);
    grid_put(&from, 2, 0, 0x25c6, instant);
    grid_put(&from, 3, 0, 0xb7, style_look(ROLE_STATUS)); /* of a text */
    MUST(thin_copy(&to, &from, 1, 0) > 0);
    MUST(to.cells[0].cp[0] == '#' && to.cells[1].cp[0] == '#' && to.cells[2].cp[0] == 0x25c6);
    for (int x = 0; x < 3; x++)
        MUST(to.cells[x].look.bg == LOOK_DEFAULT && to.cells[x].look.fg != LOOK_DEFAULT);
    MUST(style_eq(to.cells[3].look, style_look(ROLE_STATUS)));
}
END_TEST

START_TEST(a_level_stays_while_it_suffices) {
    crowd(7);
    int level = thin_copy(&to, &from, LIMIT, 0);
    MUST(level > 1 && thin_copy(&to, &from, LIMIT, level) == level);
    grid_put(&from, LANE, 3, ' ', plain);
    MUST(thin_copy(&to, &from, LIMIT, level) == level);
    MUST(thin_copy(&to, &from, SIZE_MAX, level) == 0);
    grid_clear(&from, plain);
    MUST(thin_copy(&to, &from, LIMIT, level) == 0);
}
END_TEST

/* Otherwise the first selection would send the whole picture in another level. */
START_TEST(a_new_level_leaves_bytes_for_a_selection) {
    for (size_t limit = LIMIT; limit < LIMIT + LIMIT / 2; limit += 7) {
        crowd(7);
        int level = thin_copy(&to, &from, limit, 0);
        for (int x = 0; x < 6; x++) /* up to 8 + 11 + 2 bytes for each */
            grid_put(&from, x, 0, 'a' + (uint32_t)x, style_look(x % 2 ? ROLE_STATUS : ROLE_TEXT));
        MUST(level > 0 && thin_copy(&to, &from, limit, level) == level);
    }
}
END_TEST

SUITE(thin) {
    Suite *suite = suite_create("thin");
    TCase *tcase = tcase_create("thin");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_new_level_leaves_bytes_for_a_selection);
    tcase_add_test(tcase, a_picture_that_fits_stays_as_it_is);
    tcase_add_test(tcase, text_heights_and_places_stay_in_a_crowd);
    tcase_add_test(tcase, the_colour_with_most_ink_is_that_of_all);
    tcase_add_test(tcase, ascii_and_few_colours_fit_too);
    tcase_add_test(tcase, bars_of_the_terminals_own_colour_join_too);
    tcase_add_test(tcase, a_right_part_needs_no_reverse_video);
    tcase_add_test(tcase, edges_and_instants_in_slices_become_flat_last);
    tcase_add_test(tcase, a_level_stays_while_it_suffices);
    suite_add_tcase(suite, tcase);
    return suite;
}
