/* pager.h - text that is longer than the screen: help, trace information, problems. Keys as in less. */
#ifndef FXTOP_PAGER_H
#define FXTOP_PAGER_H

#include "src/base/vec.h"
#include "ui/screen/grid.h"
#include "ui/screen/key.h"

struct pager_line {
    char *text;    /* UTF-8, safe to draw (made by text_plain or our own) */
    uint64_t tag;  /* what Enter on it means; 0: nothing */
    bool heading, warn;
};

struct pager {
    VEC(struct pager_line) lines;
    size_t top, current; /* current: only where lines have tags */
    bool choose;         /* a list: j k move the current line */
    char *pattern;       /* of the last search, lower case */
};

void pager_clear(struct pager *page);
void pager_add(struct pager *page, bool heading, uint64_t tag, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Text broken to fit cols, at blanks where there are some; what follows the first line begins at column `indent`. */
void pager_wrap(struct pager *page, int cols, int indent, const char *text);
void pager_draw(const struct pager *page, struct grid *grid, int y, int rows);
void pager_move(struct pager *page, int64_t lines, int rows); /* scrolls, or moves the current line */
void pager_search(struct pager *page, const char *pattern, int direction, int rows); /* NULL: the last one */

#endif
