/* pager.c - lines of text, scrolling, and the current line. */
#include "ui/screen/pager.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/base/text.h"
#include "ui/screen/wrap.h"

void pager_clear(struct pager *page) {
    for (size_t i = 0; i < page->lines.n; i++) {
        free(page->lines.v[i].text);
        free(page->lines.v[i].cells);
    }
    vec_free(&page->lines);
    free(page->pattern);
    free(page->typed);
    *page = (struct pager){0};
}

void pager_add(struct pager *page, bool heading, uint64_t tag, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n >= 0) {
        char *text = err_malloc((size_t)n + 1);
        vsnprintf(text, (size_t)n + 1, fmt, again);
        vec_push(&page->lines, ((struct pager_line){.text = text, .tag = tag, .heading = heading}));
    }
    va_end(again);
}

void pager_add_cells(struct pager *page, const struct grid *row) {
    int n = row->cols;
    while (n > 0 && row->cells[n - 1].cp[0] == ' ' &&
           style_eq(row->cells[n - 1].look, style_look(ROLE_TEXT)))
        n--;
    struct pager_line line = {.cells = err_malloc((size_t)n * sizeof *line.cells + 1), .ncells = n};
    line.text = err_malloc((size_t)n * 12 + 1); /* three code points a cell */
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        line.cells[i] = row->cells[i];
        for (int k = 0; k < 3 && line.cells[i].cp[k]; k++)
            length += text_utf8(line.cells[i].cp[k], line.text + length);
    }
    line.text[length] = 0;
    vec_push(&page->lines, line);
}

void pager_wrap(struct pager *page, int cols, int indent, const char *text) {
    struct str rest = str_of(text);
    size_t room = cols > indent + 10 ? (size_t)cols - 2 : (size_t)indent + 8;
    for (int lead = 0;; lead = indent) {
        size_t cut = wrap_fit(rest, room - (size_t)lead, 0, WRAP_BLANK);
        pager_add(page, false, 0, "%*s%.*s", lead, "", (int)cut, rest.s);
        if (cut == rest.n)
            return;
        cut += strspn(rest.s + cut, " ");
        rest = (struct str){rest.s + cut, rest.n - cut};
    }
}

static void clamp(struct pager *page, int rows) {
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

void pager_go(struct pager *page, size_t line, int rows) {
    if (page->choose)
        page->current = line;
    else
        page->top = line;
    clamp(page, rows);
}

void pager_move(struct pager *page, int64_t lines, int rows) {
    int64_t at = (int64_t)(page->choose ? page->current : page->top) + lines,
            last = (int64_t)page->lines.n - 1;
    if (at > last)
        at = last;
    pager_go(page, at > 0 ? (size_t)at : 0, rows);
}

void pager_section(struct pager *page, int direction, int rows) {
    size_t at = page->choose ? page->current : page->top;
    /* wraps before the first */
    for (size_t i = at + (size_t)direction; i < page->lines.n; i += (size_t)direction)
        if (page->lines.v[i].heading) {
            pager_go(page, i, rows);
            return;
        }
}

void pager_drop_search(struct pager *page) {
    free(page->pattern);
    page->pattern = NULL;
}

void pager_type(struct pager *page, const char *pattern) {
    free(page->typed);
    page->typed = pattern ? err_copy(pattern, strlen(pattern)) : NULL;
}

size_t pager_typed(const struct pager *page) {
    size_t found = 0;
    for (size_t i = 0; page->typed && i < page->lines.n; i++)
        found += str_has(page->lines.v[i].text, page->typed);
    return found;
}

void pager_take_searches(struct pager *page, struct pager *from) {
    page->pattern = from->pattern;
    page->typed = from->typed;
    from->pattern = from->typed = NULL;
}

bool pager_search(struct pager *page, const char *pattern, int direction, int rows) {
    if (pattern) {
        pager_drop_search(page);
        page->pattern = err_copy(pattern, strlen(pattern));
    }
    size_t n = page->lines.n, at = page->choose ? page->current : page->top;
    for (size_t k = 1; page->pattern && k <= n; k++) {
        size_t i = (at + (direction > 0 ? k : n - k % n)) % n;
        if (str_has(page->lines.v[i].text, page->pattern)) {
            pager_go(page, i, rows);
            return true;
        }
    }
    return false;
}

/* Marks the places of the pattern in a line that is drawn from column 1 on. */
static void mark(const struct pager *page, struct grid *grid, int y, const char *text) {
    const char *pattern = page->typed ? page->typed : page->pattern;
    size_t n = pattern ? strlen(pattern) : 0;
    unsigned flags = grid->ascii ? TEXT_ASCII : 0;
    for (const char *at = text; n > 0 && *at;) {
        if (strncasecmp(at, pattern, n) != 0) {
            at++;
            continue;
        }
        int x =
            1 + (int)text_width((struct str){text, (size_t)(at - text)}, flags, (size_t)grid->cols);
        int wide = (int)text_width((struct str){at, n}, flags, (size_t)grid->cols);
        grid_look(grid, x, y, wide, style_look(ROLE_HIT));
        at += n;
    }
}

void pager_draw(const struct pager *page, struct grid *grid, int y, int rows) {
    for (int r = 0; r < rows; r++) {
        size_t i = page->top + (size_t)r;
        if (i >= page->lines.n)
            break;
        const struct pager_line *line = &page->lines.v[i];
        enum role role = line->warn ? ROLE_WARN : ROLE_TEXT;
        struct look look = style_look(line->heading ? ROLE_HEADER : role);
        bool current = page->choose && i == page->current;
        if (current || (!page->choose && r == 0))
            grid_here(grid, 0, y + r);
        grid_ztext(grid, 0, y + r, 1, current ? ">" : " ", look);
        if (line->cells == NULL)
            grid_zcut(grid, 1, y + r, line->text, current ? style_selected(look) : look);
        for (int k = 0; k < line->ncells; k++) {
            struct cell *cell = grid_at(grid, 1 + k, y + r);
            if (cell)
                *cell = line->cells[k];
        }
        if (line->cells == NULL && !current)
            mark(page, grid, y + r, line->text);
    }
}
