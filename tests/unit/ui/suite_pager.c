/* suite_pager.c - pages of text: broken at blanks, whole on any screen, searched. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/help.h"
#include "ui/screen/pager.h"
#include "ui/views/view_page.h"

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
    static struct app app;
    struct grid *grid = &app.grid;
    grid_init(grid, 200, 1, false);
    help_write(&page, &app);
    char *all = page_text(&page);
    for (int cols = 20; cols < 130; cols++) {
        pager_clear(&page);
        grid_resize(grid, cols, 1);
        help_write(&page, &app);
        for (size_t i = 0; i < page.lines.n; i++)
            ck_assert_msg((int)text_width(str_of(page.lines.v[i].text), 0, 1000) < cols, "%d: %s",
                          cols, page.lines.v[i].text);
        char *text = page_text(&page);
        size_t same = 0;
        while (text[same] && text[same] == all[same])
            same++;
        ck_assert_msg(text[same] == all[same], "%d: %.60s", cols, text + same);
        free(text);
    }
    pager_clear(&page);
    grid_free(grid);
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
        /* 20 columns */
        {"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
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

static bool is_hit(const struct grid *grid, int x, int y) {
    return style_eq(grid_at((struct grid *)grid, x, y)->look, style_look(ROLE_HIT));
}

/* A typed text is marked at all its places, and its lines are counted; without one the last search
 * is. */
START_TEST(a_search_is_marked_while_it_is_typed) {
    struct pager page = {0}, other = {0};
    struct grid grid;
    style_init(COLOR_256);
    grid_init(&grid, 30, 3, false);
    pager_add(&page, false, 0, "no \xC3\xA9 Zoom zoo");
    pager_add(&page, false, 0, "pan");
    pager_add(&page, false, 0, "zo");
    ck_assert(pager_search(&page, "pan", 1, 3));
    pager_type(&page, "ZO");
    ck_assert_uint_eq(pager_typed(&page), 2);
    grid_clear(&grid, style_look(ROLE_TEXT));
    pager_go(&page, 0, 3);
    pager_draw(&page, &grid, 0, 3);
    for (int x = 0; x < 30; x++)
        ck_assert_int_eq(is_hit(&grid, x, 0), x == 6 || x == 7 || x == 11 || x == 12);
    ck_assert(!is_hit(&grid, 1, 1));
    ck_assert(is_hit(&grid, 1, 2) && is_hit(&grid, 2, 2) && !is_hit(&grid, 3, 2));
    pager_take_searches(&other, &page);
    pager_take_searches(&page, &other);
    pager_type(&page, NULL);
    ck_assert_uint_eq(pager_typed(&page), 0);
    grid_clear(&grid, style_look(ROLE_TEXT));
    pager_draw(&page, &grid, 0, 3);
    ck_assert(!is_hit(&grid, 6, 0) && is_hit(&grid, 1, 1) && !is_hit(&grid, 4, 1));
    pager_drop_search(&page);
    ck_assert(!pager_search(&page, NULL, 1, 3));
    pager_clear(&page);
    grid_free(&grid);
    style_init(COLOR_MONO);
}
END_TEST

/* Keys of a page: Esc brings the search before back, another size of the screen keeps it, / and
 * Enter drop it. */
START_TEST(a_search_of_a_page_follows_its_keys) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"a\" end=1000\n", 100, 30);
    shown_keys("?/zoom<Enter>");
    struct pager *page = view_page_pager(shown.views.current);
    size_t top = page->top;
    ck_assert_uint_gt(top, 0);
    shown_keys("/pa");
    ck_assert(shown_has(" lines") && strcmp(page->typed, "pa") == 0);
    ck_assert_uint_eq(page->top, top);
    shown_keys("<Esc>");
    ck_assert(page->typed == NULL && strcmp(page->pattern, "zoom") == 0);
    shown_resize(90, 24);
    shown_keys("n");
    ck_assert(strstr(shown_row(1), "zoom") != NULL);
    shown_keys("/<Enter>");
    ck_assert(page->pattern == NULL && shown_has("search dropped"));
    shown_keys("n");
    ck_assert(shown_has("no search yet"));
    shown_close();
}
END_TEST

SUITE(pager) {
    Suite *s = suite_create("pager");
    TCase *t = tcase_create("pages");
    tcase_add_test(t, help_is_whole_on_any_screen);
    tcase_add_test(t, lines_break_at_blanks_else_anywhere);
    tcase_add_test(t, a_search_is_marked_while_it_is_typed);
    tcase_add_test(t, a_search_of_a_page_follows_its_keys);
    suite_add_tcase(s, t);
    return s;
}
