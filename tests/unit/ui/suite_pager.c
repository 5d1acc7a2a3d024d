/* suite_pager.c - pages of text: broken at blanks, and whole on any screen. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/suites.h"
#include "ui/help.h"
#include "ui/screen/pager.h"

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
    struct grid grid;
    grid_init(&grid, 200, 1, false);
    help_write(&page, &grid);
    char *all = page_text(&page);
    for (int cols = 20; cols < 130; cols++) {
        pager_clear(&page);
        grid_resize(&grid, cols, 1);
        help_write(&page, &grid);
        for (size_t i = 0; i < page.lines.n; i++)
            ck_assert_msg((int)text_width(str_of(page.lines.v[i].text), 0, 1000) < cols, "%d: %s", cols,
                          page.lines.v[i].text);
        char *text = page_text(&page);
        ck_assert_str_eq(text, all);
        free(text);
    }
    pager_clear(&page);
    grid_free(&grid);
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

Suite *suite_pager(void) {
    Suite *s = suite_create("pager");
    TCase *t = tcase_create("pages");
    tcase_add_test(t, help_is_whole_on_any_screen);
    tcase_add_test(t, lines_break_at_blanks_else_anywhere);
    suite_add_tcase(s, t);
    return s;
}
