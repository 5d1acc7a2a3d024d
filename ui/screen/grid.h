/* grid.h - the screen as cells: all drawing goes here, and a terminal, a file or a test reads it.
 *
 * Coordinates are columns and rows from 0 at the top left. All drawing is clipped to the grid and
 * to the given right edge; a wide character that does not fit becomes a space. Text from a trace
 * passes through text.h on its way in. */
#ifndef FXTOP_GRID_H
#define FXTOP_GRID_H

#include <stdio.h>

#include "src/base/text.h"
#include "ui/screen/style.h"

struct cell {
    uint32_t cp[3];   /* 0 in cp[0]: the right half of the wide character before it */
    struct look look; /* colours and attributes */
};

struct grid {
    int cols, rows;
    bool ascii; /* glyph set, see grid_glyph() */
    /* where the selection is: the terminal's cursor goes there, for screen readers */
    int here_x, here_y;
    struct cell *cells; /* rows * cols */
};

void grid_init(struct grid *grid, int cols, int rows, bool ascii);
void grid_resize(struct grid *grid, int cols, int rows);
void grid_free(struct grid *grid);
/* the selection is then at the end of the last row */
void grid_clear(struct grid *grid, struct look look);
/* the selection, or where text is typed; the last one counts */
void grid_here(struct grid *grid, int x, int y);

/* one of our own glyphs, width 1 */
void grid_put(struct grid *grid, int x, int y, uint32_t cp, struct look look);
void grid_fill(struct grid *grid, int x, int y, int n, uint32_t cp, struct look look);
struct grid_place {
    int x, y, right; /* from column x of row y to before column `right` */
};

/* Draws text; returns the column after it (`right` if it did not fit). Strange characters take the
 * attributes of ROLE_STRANGE on look's background. If `cut` is set, text that does not fit ends in
 * an ellipsis ("…", ASCII "~"), given two columns or more. TEXT_ASCII is added if the grid is
 * ASCII. */
int grid_text(struct grid *grid, struct grid_place at, struct str s, struct look look,
              unsigned flags, bool cut);
/* Draws a name. One that does not fit is cut in the middle if it ends in a number, is a C++ name,
 * or has 24 columns: names like it differ at the end. With less space, any other is cut at the end,
 * and of "action 'Linking a.o'" the quoted part is drawn. */
int grid_name(struct grid *grid, struct grid_place at, struct str s, struct look look,
              unsigned flags);
/* Our own UTF-8 text, cut without an ellipsis. An ASCII grid gets the ASCII form of our own
 * characters. */
int grid_ztext(struct grid *grid, int x, int y, int right, const char *s, struct look look);
/* the same, cut with an ellipsis */
void grid_zcut(struct grid *grid, int x, int y, const char *s, struct look look);
/* Parts with two blanks between: draws as many whole ones as fit, so that no number is cut. The
 * first is cut with an ellipsis. Returns the column after them. */
int grid_zparts(struct grid *grid, int x, int y, const char *s, struct look look);
int grid_printf(struct grid *grid, struct grid_place at, struct look look, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* changes looks, not characters */
void grid_look(struct grid *grid, int x, int y, int n, struct look look);
struct cell *grid_at(struct grid *grid, int x, int y); /* NULL outside */

/* Our own drawing characters in both glyph sets. */
enum glyph_id {
    GLYPH_RULE,     /* ─ - */
    GLYPH_BAR,      /* │ | */
    GLYPH_TICK,     /* ├ | */
    GLYPH_CURSOR,   /* ┊ : */
    GLYPH_OPEN,     /* ▸ > folded */
    GLYPH_CLOSED,   /* ▾ v unfolded */
    GLYPH_ELLIPSIS, /* … ~ */
    GLYPH_WARN,     /* ▲ ! */
    GLYPH_INSTANT,  /* ◆ ! */
    GLYPH_UP,
    GLYPH_DOWN,
    GLYPH_LEFT,
    GLYPH_RIGHT,      /* ▲ ▼ ◀ ▶, ^ v < > */
    GLYPH_SUBSTITUTE, /* U+FFFD ? */
    GLYPH_MICRO,      /* µ u */
    GLYPH_OPEN_EDGE,  /* ╌ ~ : the edge of a slice that never ended */
};
uint32_t grid_glyph(const struct grid *grid, enum glyph_id id);
/* Eighths from the bottom, 0..8: " ▁▂▃▄▅▆▇█"; ASCII: " .:-=+&#". Never blank for eighths > 0. */
uint32_t grid_level(const struct grid *grid, int eighths);
/* Eighths from the left, 0..8: " ▏▎▍▌▋▊▉█" (ASCII has none: space or '#'). */
uint32_t grid_left(const struct grid *grid, int eighths);

/* As text, trailing blanks of each row removed, each row ends in LF: what --print writes and golden
 * screens hold. With colour: SGR sequences between runs, blanks stay where they have a background,
 * a coloured row ends with a reset. The looks' numbers must be those of `depth` (style_init()). */
void grid_print(const struct grid *grid, FILE *out, enum color_depth depth);

#endif
