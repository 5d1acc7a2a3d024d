/* pager.h - text that is longer than the screen: help, trace information, problems. It scrolls, or
 * has a current line.
 *
 * Texts are safe to draw: made by text_plain() or constants. */
#ifndef FXTOP_PAGER_H
#define FXTOP_PAGER_H

#include "src/base/vec.h"
#include "ui/screen/grid.h"
#include "ui/screen/key.h"

struct pager_line {
    char *text;         /* UTF-8; of a line with cells, what these show */
    struct cell *cells; /* a line in looks of its own, or NULL */
    int ncells;
    uint64_t tag; /* for the owner: the subject of the line; 0: none */
    bool heading, warn;
};

struct pager {
    VEC(struct pager_line) lines;
    size_t top;     /* first line on the screen */
    size_t current; /* valid while `choose` */
    bool choose;    /* a list: moving moves the current line, not the text */
    char *pattern;  /* of the last search */
    char *typed;    /* the pattern of a search while it is typed, or NULL */
};

void pager_clear(struct pager *page);
void pager_add(struct pager *page, bool heading, uint64_t tag, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds the first row of a grid as it is, without the blanks at its end. */
void pager_add_cells(struct pager *page, const struct grid *row);
/* Adds a text in lines that fit `cols` columns; all lines but the first begin at column
 * `indent`. */
void pager_wrap(struct pager *page, int cols, int indent, const char *text);
void pager_draw(const struct pager *page, struct grid *grid, int y, int rows);
/* Scrolls, or moves the current line; rows: of the screen. */
void pager_move(struct pager *page, int64_t lines, int rows);
/* To the next heading, or the one before; direction: 1 or -1. Without one the line stays. */
void pager_section(struct pager *page, int direction, int rows);
/* Makes a line the current one, or the first on the screen. */
void pager_go(struct pager *page, size_t line, int rows);
/* Goes to the next line that contains the pattern, whatever its case, and wraps at the end; false:
 * no line does. NULL: the last pattern, if there is one. direction: 1 or -1. */
bool pager_search(struct pager *page, const char *pattern, int direction, int rows);
/* Drops the pattern of the last search. */
void pager_drop_search(struct pager *page);
/* Marks the places of a pattern while it is typed, instead of those of the last search; NULL: it is
 * typed no longer. */
void pager_type(struct pager *page, const char *pattern);
size_t pager_typed(const struct pager *page); /* the number of lines that contain it */
/* Takes the searches of another page over, whose text this one replaces. */
void pager_take_searches(struct pager *page, struct pager *from);

#endif
