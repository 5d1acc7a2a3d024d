#include "ui/page.h"


#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/text.h"

void page_clear(struct page *page) {
    for (size_t i = 0; i < page->lines.n; i++)
        free(page->lines.v[i].text);
    vec_free(&page->lines);
    free(page->pattern);
    *page = (struct page){0};
}

void page_add(struct page *page, bool heading, uint64_t tag, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n >= 0) {
        char *text = err_malloc((size_t)n + 1);
        vsnprintf(text, (size_t)n + 1, fmt, again);
        vec_push(&page->lines, ((struct page_line){text, tag, heading, false}));
    }
    va_end(again);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void page_wrap(struct page *page, int cols, int indent, const char *text) {
    int lead = 0;
    size_t room = cols > indent + 10 ? (size_t)cols - 2 : (size_t)indent + 8;
    while (text_width(str_of(text), 0, room + 1) + (size_t)lead > room) {
        size_t cut = 0, most = 1; /* the last blank that fits, not before a unit; else the last character */
        for (size_t i = 1; text[i] && text_width((struct str){text, i}, 0, room + 1) + (size_t)lead <= room; i++)
            if (text[i] == ' ' && text[i - 1] != ' ' && (!is_digit(text[i - 1]) || (unsigned char)text[i + 1] <= '9'))
                cut = i;
            else if (((unsigned char)text[i] & 0xC0) != 0x80)
                most = i;
        if (cut == 0)
            cut = most;
        page_add(page, false, 0, "%*s%.*s", lead, "", (int)cut, text);
        text += cut + strspn(text + cut, " ");
        lead = indent;
    }
    page_add(page, false, 0, "%*s%s", lead, "", text);
}

static void clamp(struct page *page, int rows) {
    size_t n = page->lines.n, most = n > (size_t)rows ? n - (size_t)rows : 0;
    if (page->choose) {
        if (page->current < page->top)
            page->top = page->current;
        if (rows > 0 && page->current >= page->top + (size_t)rows)
            page->top = page->current - (size_t)rows + 1;
    }
    if (page->top > most)
        page->top = most;
}

static void go(struct page *page, size_t line, int rows) {
    if (page->choose)
        page->current = line;
    else
        page->top = line;
    clamp(page, rows);
}

void page_move(struct page *page, int64_t lines, int rows) {
    int64_t at = (int64_t)(page->choose ? page->current : page->top) + lines, last = (int64_t)page->lines.n - 1;
    go(page, (size_t)(at < 0 || last < 0 ? 0 : at > last ? last : at), rows);
}

void page_search(struct page *page, const char *pattern, int direction, int rows) {
    if (pattern) {
        free(page->pattern);
        size_t size = strlen(pattern) + 1;
        page->pattern = memcpy(err_malloc(size), pattern, size);
    }
    size_t n = page->lines.n, at = page->choose ? page->current : page->top;
    for (size_t k = 1; page->pattern && k <= n; k++) {
        size_t i = (at + (direction > 0 ? k : n - k % n)) % n;
        if (str_has(page->lines.v[i].text, page->pattern)) {
            go(page, i, rows);
            return;
        }
    }
}

void page_draw(const struct page *page, struct grid *grid, int y, int rows) {
    for (int r = 0; r < rows; r++) {
        size_t i = page->top + (size_t)r;
        if (i >= page->lines.n)
            break;
        const struct page_line *line = &page->lines.v[i];
        struct look look = style_look(line->heading ? ROLE_HEADER : line->warn ? ROLE_WARN : ROLE_TEXT);
        bool current = page->choose && i == page->current;
        grid_ztext(grid, 0, y + r, 1, current ? ">" : " ", look);
        grid_zcut(grid, 1, y + r, line->text, current ? style_selected(look) : look);
    }
}
