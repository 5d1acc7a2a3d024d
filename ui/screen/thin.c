/* thin.c - draws a crowded picture with fewer changes of colour.
 *
 * A colour costs up to 11 bytes, a block 3, and a crowded picture changes its colour at every third
 * cell. If it takes too much, little ink gives way. A run of one colour with less ink than a limit
 * joins its neighbours. All take the colour that has most ink among them, as a column takes the
 * colour of the name that covers most of it. Then edges and instants within slices lose a colour,
 * and bars are drawn in ASCII, the lowest ones first. Text, heights and positions stay.
 *
 * The first level that suffices with a little to spare is taken, or the one of the frame before:
 * another level would send cells that did not change. */
#include "ui/screen/thin.h"

#include <string.h>

enum ascii { ASCII_NONE, ASCII_LOWEST, ASCII_LINES, ASCII_ALL };

static const struct level {
    int ink;   /* in eighths of a cell: a run with less of it joins others */
    bool flat; /* edges and instants within slices have one colour */
    enum ascii ascii;
} levels[] = {
    {0, false, ASCII_NONE},   {2, false, ASCII_NONE},    {3, false, ASCII_NONE},
    {3, false, ASCII_LOWEST}, {4, false, ASCII_LOWEST},  {6, false, ASCII_LOWEST},
    {8, false, ASCII_LOWEST}, {12, false, ASCII_LOWEST}, {16, false, ASCII_LOWEST},
    {16, true, ASCII_LOWEST}, {24, true, ASCII_LOWEST},  {24, true, ASCII_LINES},
    {32, true, ASCII_LINES},  {48, true, ASCII_LINES},   {16, true, ASCII_ALL},
    {24, true, ASCII_ALL},    {32, true, ASCII_ALL},     {64, true, ASCII_ALL},
    {128, true, ASCII_ALL},
};
#define SLACK 16 /* of the limit: a part that a new level leaves, for a selection and its drawer */
#define LEVELS (int)(sizeof levels / sizeof *levels)

size_t thin_limit(int cols, int rows, bool slow) {
    size_t cells = (size_t)cols * (size_t)rows, least = 120 * 40;
    if (cells < least)
        cells = least;
    return slow ? 10000 * cells / least : SIZE_MAX;
}

/* ---- bytes ---- */

static size_t utf8_size(uint32_t cp) {
    return 1u + (cp >= 0x80) + (cp >= 0x800) + (cp >= 0x10000);
}

static size_t color_size(int32_t color) {
    if (color >= 0x1000000)
        return 19;
    if (color >= 100)
        return 11;
    return color >= 16 ? 10 : 5;
}

#define CURSOR 8 /* to the begin of a row */

static size_t attr_size(uint8_t attr) {
    size_t n = attr ? 7 : 6;
    for (unsigned rest = attr; rest; rest &= rest - 1)
        n += 2;
    return n;
}

/* The bytes that take back the colours of a look. */
static size_t reset_size(struct look look) {
    if (look.fg != LOOK_DEFAULT && look.bg != LOOK_DEFAULT)
        return 8;
    return look.fg != look.bg ? 5 : 0;
}

/* The bytes that curses sends for a change of look. Attributes are set together, which resets the
 * colours. To the terminal's own colours it first takes back the others, and then ends the
 * attributes, too. */
static size_t look_size(struct look from, struct look to) {
    bool plain = to.fg == LOOK_DEFAULT && to.bg == LOOK_DEFAULT;
    if (plain && to.attr == 0)
        return reset_size(from) + attr_size(0);
    size_t n = from.attr != to.attr ? attr_size(to.attr) + (to.attr == 0) : 0;
    if (plain)
        return n + reset_size(from);
    bool resets = (from.fg != LOOK_DEFAULT && to.fg == LOOK_DEFAULT) ||
                  (from.bg != LOOK_DEFAULT && to.bg == LOOK_DEFAULT);
    if (n == 0 && resets)
        n = reset_size(from);
    if (n > 0)
        from.fg = from.bg = LOOK_DEFAULT;
    return n + (from.fg != to.fg ? color_size(to.fg) : 0) +
           (from.bg != to.bg ? color_size(to.bg) : 0);
}

/* Whether a look is invisible on a blank. */
static bool shows_blank(struct look look) {
    return look.bg == LOOK_DEFAULT && (look.attr & (ATTR_REVERSE | ATTR_UNDERLINE)) == 0;
}

static bool is_blank(const struct cell *cell) {
    return cell->cp[0] == ' ' && cell->cp[1] == 0 && shows_blank(cell->look);
}

/* The bytes of a row. The look goes on from row to row. */
static size_t row_size(const struct cell *row, int cols, struct look *look) {
    size_t n = CURSOR;
    while (cols > 0 && is_blank(&row[cols - 1]))
        cols--;
    for (int x = 0; x < cols; x++) {
        if (row[x].cp[0] == 0)
            continue;
        if (!style_eq(row[x].look, *look))
            n += look_size(*look, row[x].look);
        *look = row[x].look;
        for (int i = 0; i < 3 && row[x].cp[i]; i++)
            n += utf8_size(row[x].cp[i]);
    }
    return n;
}

/* ---- runs ---- */

static bool is_bar(uint32_t cp) {
    return cp >= 0x2581 && cp <= 0x2588;
}

/* Eighths of a part of a cell at its left or right; 0: it is none. */
static int part_of(uint32_t cp) {
    if (cp >= 0x2589 && cp <= 0x258f)
        return (int)(0x2590 - cp);
    if (cp == 0x2590)
        return 4;
    return cp == 0x2595 ? 1 : 0;
}

/* The ink of a cell of a chart in eighths; 0: a blank; -1: it keeps its colour. */
static int ink_of(const struct cell *cell, bool ascii) {
    uint32_t cp = cell->cp[0];
    struct look look = cell->look;
    if (is_blank(cell))
        return 0;
    if (look.bg != LOOK_DEFAULT || (look.attr & ~ATTR_DIM) || cell->cp[1] != 0)
        return -1;
    /* bars of the terminal's own colour are no text */
    if (look.fg == LOOK_DEFAULT && !look.attr && !is_bar(cp))
        return -1;
    if (ascii) { /* bars of grid_level(), and states */
        const char *bar = cp < 0x80 ? strchr(".:-=+&#|", (int)cp) : NULL;
        return bar ? (int)(bar - ".:-=+&#|") + 1 : -1;
    }
    if (is_bar(cp))
        return (int)(cp - 0x2580);
    if (cp > 0x2800 && cp <= 0x28ff) /* a curve */
        return 2;
    if (cp == 0xb7)
        return 1;
    if (cp == 0x2501 || cp == 0x254c || cp == 0x25c6)
        return 2;
    return part_of(cp) ? part_of(cp) : -1;
}

#define COLORS 12

struct mixed {        /* runs that join */
    int from, ink, n; /* the first cell; n: colours */
    struct {
        struct look look;
        int ink;
    } colors[COLORS]; /* the last one also counts those that found no place */
};

static void add_run(struct mixed *mixed, struct look look, int ink) {
    int i = 0;
    while (i < mixed->n && i < COLORS - 1 && !style_eq(mixed->colors[i].look, look))
        i++;
    if (i == mixed->n) {
        mixed->colors[mixed->n].look = look;
        mixed->colors[mixed->n++].ink = 0;
    }
    mixed->colors[i].ink += ink;
    mixed->ink += ink;
}

/* Gives them the colour that has most ink. */
static void end_mixed(struct mixed *mixed, struct cell *row, int to) {
    int best = 0;
    for (int i = 1; i < mixed->n; i++)
        if (mixed->colors[i].ink > mixed->colors[best].ink)
            best = i;
    for (int x = mixed->from; mixed->n > 1 && x < to; x++)
        row[x].look = mixed->colors[best].look;
    *mixed = (struct mixed){.from = to};
}

/* One run: cells of a chart with one colour, and blanks. Returns the cell after it. */
static int run_end(const struct cell *row, int x, int cols, bool ascii, int *ink) {
    struct look look = row[x].look;
    *ink = 0;
    for (int cell; x < cols && (cell = ink_of(&row[x], ascii)) >= 0 &&
                   (cell == 0 || style_eq(row[x].look, look));
         x++)
        *ink += cell;
    return x;
}

static void join_runs(struct cell *row, int cols, int least, bool ascii) {
    struct mixed mixed = {0};
    for (int x = 0, end, ink; x < cols; x = end) {
        ink = ink_of(&row[x], ascii);
        if (ink <= 0) {
            if (ink < 0)
                end_mixed(&mixed, row, x);
            end = x + 1;
            mixed.from = mixed.n == 0 ? end : mixed.from;
            continue;
        }
        end = run_end(row, x, cols, ascii, &ink);
        if (ink >= least)
            end_mixed(&mixed, row, x);
        add_run(&mixed, row[x].look, ink);
        if (mixed.ink >= least)
            end_mixed(&mixed, row, end);
    }
    end_mixed(&mixed, row, cols);
}

static bool is_slice_color(int32_t color) {
    bool is = color == style_look(ROLE_DENSITY).fg;
    for (uint32_t i = 0; i < STYLE_SERIES && !is; i++)
        is = style_series(i).bg == color;
    return is || style_on(color).fg != LOOK_DEFAULT;
}

/* An edge between two slices becomes a cell of the one that has more of it. An edge before a blank
 * needs no reverse video. */
static void flatten(struct cell *row, int cols) {
    int32_t ground = style_look(ROLE_GROUND).bg;
    for (int x = 0; x < cols; x++) {
        struct cell *cell = &row[x];
        int part = part_of(cell->cp[0]);
        bool instant = cell->cp[0] == 0xb7 || cell->cp[0] == 0x25c6;
        /* a right part */
        if (part && cell->look.bg == LOOK_DEFAULT && cell->look.attr == ATTR_REVERSE) {
            uint32_t right = part > 2 ? 0x2590 : 0x2588;
            cell->cp[0] = part > 6 ? 0x2595 : right;
            cell->look.attr = 0;
        }
        if (cell->look.bg == LOOK_DEFAULT || cell->look.attr || (!part && !instant))
            continue;
        if (is_slice_color(cell->look.bg)) {
            if (instant || part < 4)
                cell->look.fg = cell->look.bg;
            cell->cp[0] = instant ? cell->cp[0] : 0x2588;
        } else if (cell->look.bg != ground) {
            continue;
        }
        cell->look.bg = LOOK_DEFAULT;
    }
}

static void make_ascii(struct cell *row, int cols, enum ascii ascii) {
    for (int x = 0; x < cols; x++) {
        uint32_t cp = row[x].cp[0], *to = &row[x].cp[0];
        if (cp == 0x2581)
            *to = '_';
        else if (cp == 0xb7)
            *to = '.';
        else if (ascii >= ASCII_LINES && (cp == 0x2501 || cp == 0x254c))
            *to = cp == 0x2501 ? '=' : '~';
        else if (ascii == ASCII_ALL && is_bar(cp))
            *to = (uint32_t) "_:-=+&##"[cp - 0x2581];
        else if (ascii == ASCII_ALL && part_of(cp) && row[x].look.bg == LOOK_DEFAULT)
            *to = part_of(cp) < 4 ? '|' : '#';
    }
}

/* ---- the picture ---- */

/* Blanks take the colour of the cell before them, so that no colour is set and reset for nothing.
 * Blanks at the end of the row do not: one sequence clears them. */
static void color_blanks(struct cell *row, int cols) {
    struct look look = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    while (cols > 0 && is_blank(&row[cols - 1]))
        cols--;
    for (int x = 0; x < cols; x++) {
        if (row[x].cp[0] == 0)
            continue;
        if (is_blank(&row[x]) && shows_blank(look))
            row[x].look = look;
        look = row[x].look;
    }
}

static size_t copy_at(struct grid *to, const struct grid *from, const struct level *level) {
    struct look look = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    size_t n = 0, cols = (size_t)from->cols;
    for (int y = 0; y < from->rows; y++) {
        struct cell *row = &to->cells[(size_t)y * cols];
        memcpy(row, &from->cells[(size_t)y * cols], cols * sizeof *row);
        if (level->flat)
            flatten(row, from->cols);
        if (level->ink)
            join_runs(row, from->cols, level->ink, from->ascii);
        if (level->ascii != ASCII_NONE)
            make_ascii(row, from->cols, level->ascii);
        color_blanks(row, from->cols);
        n += row_size(row, from->cols, &look);
    }
    return n;
}

int thin_copy(struct grid *to, const struct grid *from, size_t limit, int last) {
    int low = 0, high = LEVELS - 1; /* the least level that suffices */
    size_t n = copy_at(to, from, &levels[last]);
    if (n <= limit && (last == 0 || n > limit - limit / 5))
        return last;
    bool more = n <= limit;
    limit -= limit / SLACK;
    if (last > 0 && copy_at(to, from, &levels[0]) <= limit)
        return 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (copy_at(to, from, &levels[middle]) <= limit)
            high = middle;
        else
            low = middle;
    }
    high = more && high > last ? last : high;
    copy_at(to, from, &levels[high]);
    return high;
}
