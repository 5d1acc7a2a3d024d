/* suite_picture.c - pictures are well-formed XML with the text of the screen, and without scripts
 * or links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "ui/picture/picture.h"

static char *printed(const struct grid *grid, enum picture_format format) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    picture_print(grid, format, COLOR_256, f);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

/* Takes one element or text off the front: "<name", "</name", or the text before the next one. */
static const char *take(const char **at, char buf[4096]) {
    size_t n = **at == '<' ? strcspn(*at, ">") + 1 : strcspn(*at, "<");
    MUST(n < 4096);
    memcpy(buf, *at, n);
    buf[n] = 0;
    *at += n;
    return buf;
}

/* Whether each element that begins ends, within those around it, and each & begins an entity. */
static void check_nesting(const char *xml) {
    char open[16][16], buf[4096];
    int depth = 0;
    while (*xml) {
        const char *item = take(&xml, buf);
        size_t n = strlen(item);
        if (*item != '<') {
            for (const char *amp = strchr(item, '&'); amp; amp = strchr(amp + 1, '&'))
                ck_assert(!strncmp(amp, "&amp;", 5) || !strncmp(amp, "&lt;", 4) ||
                          !strncmp(amp, "&gt;", 4));
            continue;
        }
        MUST(item[n - 1] == '>');
        if (item[1] == '!' || item[1] == '?' || item[n - 2] == '/')
            continue;
        size_t name = strcspn(item + 1 + (item[1] == '/'), " >");
        MUST(name < 16);
        if (item[1] == '/') {
            MUST(depth > 0);
            depth--;
            ck_assert_msg(strncmp(open[depth], item + 2, name) == 0 && open[depth][name] == 0, "%s",
                          item);
            continue;
        }
        MUST(depth < 16);
        memcpy(open[depth], item + 1, name);
        open[depth++][name] = 0;
    }
    ck_assert_int_eq(depth, 0);
}

/* Nothing runs, and nothing is fetched. */
static void check_harmless(const char *xml) {
    static const char *const bad[] = {"<script",        "<a ",   "<img",   "<image", "<use",
                                      "<foreignObject", "<link", "<iframe"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(strstr(xml, bad[i]) == NULL, "%s", bad[i]);
    for (const char *s = xml; *s; s++)
        MUST((unsigned char)*s >= ' ' || *s == '\n');
    for (const char *s = strstr(xml, "http:"); s; s = strstr(s + 1, "http:"))
        ck_assert(!strncmp(s, "http://www.w3.org/2000/svg\"", 27) ||
                  !strncmp(s, "http://www.w3.org/1999/xhtml\"", 29));
}

/* The texts of a page, entities resolved, spaces and tags left out. */
static char *text_of(const char *xml, const char *from) {
    char buf[4096], *text = calloc(1, strlen(xml) + 1), *end = text;
    xml = strstr(xml, from);
    while (*xml) {
        const char *item = take(&xml, buf);
        for (const char *s = item; *item != '<' && *s; s++) {
            bool entity = *s == '&';
            if (*s == ' ' || *s == '\n')
                continue;
            *end++ = (char)(!entity ? *s : s[1] == 'a' ? '&' : s[1] == 'l' ? '<' : '>');
            s += entity ? strcspn(s, ";") : 0;
        }
    }
    return text;
}

static void random_grid(struct grid *grid, struct chance *chance) {
    static const char *const names[] = {"<script>alert(1)</script>",
                                        "a & b < c > d",
                                        "\"quoted\"'",
                                        "]]>",
                                        "<!--",
                                        "\xe6\xbc\xa2\xe5\xad\x97",
                                        "e\xcc\x81\xcc\x82",
                                        "\xe2\x80\xaegnp",
                                        "&amp;",
                                        "\x1b[2J",
                                        "\xef\xbf\xbe",
                                        "\xed\xa0\x80",
                                        "href=x",
                                        "plain  two   three"};
    for (int i = 0; i < 60; i++) {
        int x = (int)below(chance, 40), y = (int)below(chance, 12);
        struct look look = style_look((enum role)below(chance, ROLE_COUNT));
        if (below(chance, 4) == 0)
            look = style_selected(style_series((uint32_t)below(chance, 10)));
        if (below(chance, 3) == 0)
            grid_put(grid, x, y, grid_level(grid, (int)below(chance, 9)), look);
        else
            grid_text(grid, (struct grid_place){x, y, 40}, str_of(names[below(chance, 14)]), look,
                      0, true);
    }
}

START_TEST(pictures_are_whole_and_say_what_the_screen_says) {
    struct chance chance = {(uint64_t)_i + 1};
    struct grid grid;
    style_init(COLOR_256);
    style_background(_i % 2);
    grid_init(&grid, 40, 12, false);
    grid_clear(&grid, style_look(ROLE_TEXT));
    random_grid(&grid, &chance);
    char *svg = printed(&grid, PICTURE_SVG), *html = printed(&grid, PICTURE_HTML), *plain;
    check_nesting(svg);
    check_nesting(html);
    check_harmless(svg);
    check_harmless(html);
    style_init(COLOR_MONO);
    char *screen = NULL;
    size_t n;
    FILE *f = open_memstream(&screen, &n);
    grid_print(&grid, f, COLOR_MONO);
    fclose(f);
    plain = calloc(1, n + 1);
    for (size_t i = 0, k = 0; i < n; i++)
        if (screen[i] != ' ' && screen[i] != '\n')
            plain[k++] = screen[i];
    char *text = text_of(html, "<pre>");
    ck_assert_str_eq(text, plain);
    free(text);
    free(plain);
    free(screen);
    free(svg);
    free(html);
    grid_free(&grid);
    style_background(false);
}
END_TEST

/* Blocks are rectangles, each as high as its eighths; all other characters are text in their
 * columns. */
START_TEST(svg_draws_blocks_and_places_texts) {
    struct grid grid;
    style_init(COLOR_256);
    grid_init(&grid, 20, 2, false);
    grid_clear(&grid, style_look(ROLE_TEXT));
    grid_put(&grid, 0, 1, grid_level(&grid, 4), style_look(ROLE_TEXT));
    grid_put(&grid, 1, 1, grid_level(&grid, 4), style_look(ROLE_TEXT));
    grid_put(&grid, 2, 1, grid_left(&grid, 2), style_look(ROLE_TEXT));
    grid_ztext(&grid, 5, 0, 20, "ab  c d", style_look(ROLE_TEXT));
    char *svg = printed(&grid, PICTURE_SVG);
    ck_assert_ptr_ne(
        strstr(svg, "<rect x=\"0\" y=\"25.5\" width=\"16\" height=\"8.5\" fill=\"#d8d8d8\"/>"),
        NULL);
    ck_assert_ptr_ne(
        strstr(svg, "<rect x=\"16\" y=\"17\" width=\"2\" height=\"17\" fill=\"#d8d8d8\"/>"), NULL);
    ck_assert_ptr_ne(
        strstr(svg, "<text x=\"40\" y=\"13\" textLength=\"16\" fill=\"#d8d8d8\">ab</text>"), NULL);
    ck_assert_ptr_ne(
        strstr(svg, "<text x=\"72\" y=\"13\" textLength=\"24\" fill=\"#d8d8d8\">c d</text>"), NULL);
    free(svg);
    grid_free(&grid);
}
END_TEST

SUITE(picture) {
    Suite *s = suite_create("picture");
    TCase *t = tcase_create("picture");
    tcase_add_loop_test(t, pictures_are_whole_and_say_what_the_screen_says, 0, 300);
    tcase_add_test(t, svg_draws_blocks_and_places_texts);
    suite_add_tcase(s, t);
    return s;
}
