/* grid.c - the cells of the screen, text in them, and the grid as text.
 *
 * Every function clips, so callers need not. A wide character takes two cells; writing one of them
 * blanks the other. */
#include "ui/screen/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"

/* --- The cells --- */

static size_t cell_count(int cols, int rows) {
    return (size_t)(cols > 0 ? cols : 0) * (size_t)(rows > 0 ? rows : 0);
}

void grid_init(struct grid *grid, int cols, int rows, bool ascii) {
    *grid = (struct grid){.ascii = ascii};
    grid_resize(grid, cols, rows);
}

void grid_resize(struct grid *grid, int cols, int rows) {
    free(grid->cells);
    grid->cols = cols > 0 ? cols : 0;
    grid->rows = rows > 0 ? rows : 0;
    grid->cells = err_calloc(cell_count(cols, rows) + 1, sizeof *grid->cells);
    grid_clear(grid, (struct look){LOOK_DEFAULT, LOOK_DEFAULT, 0});
}

void grid_free(struct grid *grid) {
    free(grid->cells);
    *grid = (struct grid){0};
}

void grid_here(struct grid *grid, int x, int y) {
    if (grid_at(grid, x, y)) {
        grid->here_x = x;
        grid->here_y = y;
    }
}

void grid_clear(struct grid *grid, struct look look) {
    size_t n = cell_count(grid->cols, grid->rows);
    grid_here(grid, grid->cols - 1, grid->rows - 1);
    for (size_t i = 0; i < n; i++)
        grid->cells[i] = (struct cell){{' ', 0, 0}, look};
}

struct cell *grid_at(struct grid *grid, int x, int y) {
    if (x < 0 || y < 0 || x >= grid->cols || y >= grid->rows)
        return NULL;
    return &grid->cells[(size_t)y * (size_t)grid->cols + (size_t)x];
}

/* Before a cell is written: the other half of a wide character that it was part of becomes a
 * space. */
static struct cell *claim(struct grid *grid, int x, int y) {
    struct cell *cell = grid_at(grid, x, y);
    if (cell == NULL)
        return NULL;
    if (cell->cp[0] == 0 && x > 0)
        memcpy(cell[-1].cp, (uint32_t[3]){' ', 0, 0}, sizeof cell->cp);
    if (x + 1 < grid->cols && cell[1].cp[0] == 0)
        cell[1].cp[0] = ' ';
    return cell;
}

void grid_put(struct grid *grid, int x, int y, uint32_t cp, struct look look) {
    struct cell *cell = claim(grid, x, y);
    if (cell != NULL)
        *cell = (struct cell){{cp ? cp : ' ', 0, 0}, look};
}

void grid_fill(struct grid *grid, int x, int y, int n, uint32_t cp, struct look look) {
    int from = x < 0 ? 0 : x;
    int64_t to = (int64_t)x + n < grid->cols ? (int64_t)x + n : grid->cols;
    for (int i = from; i < to; i++)
        grid_put(grid, i, y, cp, look);
}

void grid_look(struct grid *grid, int x, int y, int n, struct look look) {
    int from = x < 0 ? 0 : x;
    int64_t to = (int64_t)x + n < grid->cols ? (int64_t)x + n : grid->cols;
    for (int i = from; i < to; i++) {
        struct cell *cell = grid_at(grid, i, y);
        if (cell != NULL)
            cell->look = look;
    }
}

/* --- Text --- */

/* Puts a glyph whose left column is x; a half outside the grid makes the other half a space. */
static void put_glyph(struct grid *grid, int x, int y, const struct glyph *glyph,
                      struct look look) {
    bool left = x >= 0 && x < grid->cols,
         right = glyph->width == 2 && x + 1 >= 0 && x + 1 < grid->cols;
    if (glyph->width == 2 && left != right) {
        grid_put(grid, left ? x : x + 1, y, ' ', look);
        return;
    }
    struct cell *cell = left ? claim(grid, x, y) : NULL;
    if (cell == NULL)
        return;
    if (glyph->width == 2) {
        claim(grid, x + 1, y);
        cell[1] = (struct cell){{0, 0, 0}, look};
    }
    cell->look = look;
    memcpy(cell->cp, glyph->cp, sizeof cell->cp);
}

/* Escapes of unsafe characters differ on any background: by attribute on a slice, also by colour on
 * the terminal's own. */
static struct look strange_look(struct look look) {
    struct look strange = style_look(ROLE_STRANGE);
    if (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT)
        look.fg = strange.fg;
    look.attr |= strange.attr;
    return look;
}

/* The rest of the text did not fit before `right`: its last column becomes an ellipsis, unless that
 * is all there is. */
static void cut_text(struct grid *grid, int x, int y, int right, struct look look) {
    if (right - x >= 2)
        grid_put(grid, right - 1, y, grid_glyph(grid, GLYPH_ELLIPSIS), look);
}

int grid_text(struct grid *grid, struct grid_place at, struct str s, struct look look,
              unsigned flags, bool cut) {
    struct text text = text_begin(s, flags | (grid->ascii ? TEXT_ASCII : 0));
    struct glyph glyph;
    int x = at.x, right = at.right < grid->cols ? at.right : grid->cols;
    while (text_next(&text, &glyph)) {
        if (glyph.width > right - x) {
            if (x < right) /* a wide character in the last column */
                grid_put(grid, x, at.y, ' ', look);
            if (cut)
                cut_text(grid, at.x, at.y, right, look);
            return right > x ? right : x;
        }
        if (x + glyph.width > 0) /* else left of the grid: not on the screen */
            put_glyph(grid, x, at.y, &glyph, glyph.strange ? strange_look(look) : look);
        x += glyph.width;
    }
    return x;
}

#define MIDDLE_LEAST 5  /* columns in which a name with a number is cut in the middle ... */
#define WIDE_LEAST 24   /* ... and any name */
#define TAIL_LEAST 3    /* of the last word: a shorter one does not help */
#define QUOTE_LOOKED 24 /* bytes of a name that are searched for a quote */
#define NAME_LOOKED 200 /* bytes of a name that are searched for "::" */

static bool has_scope(struct str s) {
    for (size_t i = 0; i + 1 < s.n && i < NAME_LOOKED; i++)
        if (s.s[i] == ':' && s.s[i + 1] == ':')
            return true;
    return false;
}

static char from_end(struct str s, int i) {
    return s.s[s.n - 1 - (size_t)i];
}

/* Bytes at the end of a name that stay when it is cut to `room` columns, all printable ASCII: half
 * of a C++ name or of a path, a third of any name that has space, else the digits of its number;
 * 0: it is cut at the end. */
static int name_tail(struct str s, int room) {
    int most = room / 2, plain = 0, digits = 0;
    if (room < MIDDLE_LEAST)
        return 0;
    while (plain < most && (size_t)plain < s.n && from_end(s, plain) > ' ' &&
           from_end(s, plain) < 0x7F)
        plain++;
    while (digits < plain && from_end(s, digits) >= '0' && from_end(s, digits) <= '9')
        digits++;
    if (has_scope(s))
        return plain;
    bool list = memchr(s.s, ';', s.n); /* of arguments: the first ones matter */
    if (room < WIDE_LEAST || plain < TAIL_LEAST || list)
        return digits;
    int least = memchr(s.s, '/', s.n) ? most : room / 3; /* paths begin alike */
    if (digits > least)
        return digits;
    return plain < least ? plain : least;
}

/* The quoted part of "action 'Linking a.o'", from the quote on; the name itself if it does not end
 * in one. */
static struct str quoted_part(struct str s) {
    for (size_t i = 1; i + 2 < s.n && i < QUOTE_LOOKED; i++)
        if ((s.s[i] == '\'' || s.s[i] == '"') && s.s[i - 1] == ' ' && s.s[s.n - 1] == s.s[i])
            return (struct str){s.s + i, s.n - i};
    return s;
}

static bool fits(struct str s, int room, unsigned flags) {
    return room <= 0 || text_width(s, flags, (size_t)room + 1) <= (size_t)room;
}

int grid_name(struct grid *grid, struct grid_place at, struct str s, struct look look,
              unsigned flags) {
    int right = at.right < grid->cols ? at.right : grid->cols, room = right - at.x;
    unsigned shown = flags | (grid->ascii ? TEXT_ASCII : 0);
    if (room < WIDE_LEAST && !fits(s, room, shown))
        s = quoted_part(s);
    int tail = fits(s, room, shown) ? 0 : name_tail(s, room);
    if (tail == 0)
        return grid_text(grid, at, s, look, flags, true);
    grid_text(grid, (struct grid_place){at.x, at.y, right - tail - 1}, s, look, flags, false);
    grid_put(grid, right - tail - 1, at.y, grid_glyph(grid, GLYPH_ELLIPSIS), look);
    struct str end = {s.s + s.n - (size_t)tail, (size_t)tail};
    return grid_text(grid, (struct grid_place){right - tail, at.y, right}, end, look, flags, false);
}

static uint32_t to_ascii(uint32_t cp);

void grid_zcut(struct grid *grid, int x, int y, const char *s, struct look look) {
    size_t room = (size_t)(grid->cols - x);
    grid_ztext(grid, x, y, grid->cols, s, look);
    if (text_width(str_of(s), 0, room + 1) > room)
        cut_text(grid, x, y, grid->cols, look);
}

int grid_zparts(struct grid *grid, int x, int y, const char *s, struct look look) {
    char parts[512];
    size_t room = (size_t)(grid->cols - x);
    snprintf(parts, sizeof parts, "%s", s);
    for (size_t n = strlen(parts); n > 1 && text_width(str_of(parts), 0, room + 1) > room; n--)
        if (parts[n - 1] == ' ' && parts[n - 2] == ' ')
            parts[n - 2] = '\0';
    grid_zcut(grid, x, y, parts, look);
    return x + (int)text_width(str_of(parts), 0, room);
}

int grid_ztext(struct grid *grid, int x, int y, int right, const char *s, struct look look) {
    struct text text = text_begin(str_of(s), 0);
    struct glyph glyph;
    if (right > grid->cols)
        right = grid->cols;
    while (x < right && text_next(&text, &glyph)) {
        if (glyph.width > right - x)
            glyph = (struct glyph){{' ', 0, 0}, 1, false};
        if (grid->ascii && glyph.cp[1] != 0) /* marks on a character */
            glyph =
                (struct glyph){{glyph.cp[0] == ' ' ? '?' : glyph.cp[0], 0, 0}, glyph.width, false};
        if (grid->ascii && glyph.cp[0] >= 0x7F)
            for (int n = glyph.width; n > 0; n--, x++)
                grid_put(grid, x, y, to_ascii(glyph.cp[0]), look);
        else {
            put_glyph(grid, x, y, &glyph, look);
            x += glyph.width;
        }
    }
    return x;
}

int grid_printf(struct grid *grid, struct grid_place at, struct look look, const char *fmt, ...) {
    char text[1024]; /* wider than the terminals there are; a longer text is cut */
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return n < 0 ? at.x : grid_ztext(grid, at.x, at.y, at.right, text, look);
}

/* --- Our own characters --- */

static const struct {
    uint32_t wide;
    char ascii;
} glyphs[] = {
    [GLYPH_RULE] = {0x2500, '-'},     [GLYPH_BAR] = {0x2502, '|'},
    [GLYPH_TICK] = {0x251C, '|'},     [GLYPH_CURSOR] = {0x250A, ':'},
    [GLYPH_OPEN] = {0x25B8, '>'},     [GLYPH_CLOSED] = {0x25BE, 'v'},
    [GLYPH_ELLIPSIS] = {0x2026, '~'}, [GLYPH_WARN] = {0x25B2, '!'},
    [GLYPH_INSTANT] = {0x25C6, '!'},  [GLYPH_UP] = {0x25B2, '^'},
    [GLYPH_DOWN] = {0x25BC, 'v'},     [GLYPH_LEFT] = {0x25C0, '<'},
    [GLYPH_RIGHT] = {0x25B6, '>'},    [GLYPH_SUBSTITUTE] = {0xFFFD, '?'},
    [GLYPH_MICRO] = {0xB5, 'u'},      [GLYPH_OPEN_EDGE] = {0x254C, '~'},
};

/* Characters that our own texts and panes use besides the glyphs above. */
static const struct {
    uint32_t wide;
    char ascii;
} others[] = {
    {0xB0, 'o'},   {0xB1, '~'},    {0xB7, '.'},    {0xD7, 'x'},   {0x3BC, 'u'},  {0x2013, '-'},
    {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'}, {0x201D, '"'}, {0x2190, '<'},
    {0x2191, '^'}, {0x2192, '>'},  {0x2193, 'v'},  {0x2212, '-'}, {0x221E, '-'}, {0x2248, '~'},
    {0x2264, '<'}, {0x2265, '>'},  {0x25CF, '*'},  {0x27E8, '<'}, {0x27E9, '>'},
};

static uint32_t to_ascii(uint32_t cp) {
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].wide == cp)
            return (uint32_t)glyphs[i].ascii;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].wide == cp)
            return (uint32_t)others[i].ascii;
    if (cp == 0x2501) /* heavy rule */
        return '=';
    if (cp == 0x2503)
        return '|';
    if (cp > 0x2503 && cp <= 0x257F) /* the other box drawing characters */
        return '+';
    if (cp >= 0x2460 && cp <= 0x2468) /* circled digits */
        return '1' + (cp - 0x2460);
    if (cp >= 0x2580 && cp <= 0x259F) /* blocks and shades */
        return '#';
    return '?';
}

uint32_t grid_glyph(const struct grid *grid, enum glyph_id id) {
    return grid->ascii ? (uint32_t)glyphs[id].ascii : glyphs[id].wide;
}

static int clamp_eighths(int eighths) {
    if (eighths < 0)
        return 0;
    return eighths > 8 ? 8 : eighths;
}

uint32_t grid_level(const struct grid *grid, int eighths) {
    eighths = clamp_eighths(eighths);
    if (grid->ascii)
        return (uint32_t) " .:-=+&##"[eighths];
    return eighths == 0 ? ' ' : 0x2580 + (uint32_t)eighths;
}

uint32_t grid_left(const struct grid *grid, int eighths) {
    eighths = clamp_eighths(eighths);
    if (grid->ascii)
        return eighths >= 4 ? '#' : ' ';
    return eighths == 0 ? ' ' : 0x2590 - (uint32_t)eighths;
}

/* --- As text --- */

/* A cell that can be left out at the end of a row. */
static bool is_blank(const struct cell *cell, bool colour) {
    if (cell->cp[0] != ' ')
        return false;
    return !colour ||
           (cell->look.bg == LOOK_DEFAULT && !(cell->look.attr & (ATTR_REVERSE | ATTR_UNDERLINE)));
}

/* One parameter group of an SGR sequence; base is 30 for the text, 40 for the background. */
static void print_color(FILE *out, int32_t color, int base) {
    if (color == LOOK_DEFAULT)
        return;
    if (color >= 0x1000000)
        fprintf(out, ";%d;2;%d;%d;%d", base + 8, color >> 16 & 255, color >> 8 & 255, color & 255);
    else if (color < 8)
        fprintf(out, ";%d", base + color);
    else if (color < 16)
        fprintf(out, ";%d", base + 60 + color - 8);
    else
        fprintf(out, ";%d;5;%d", base + 8, color);
}

static void print_look(FILE *out, struct look look) {
    fputs("\033[0", out);
    if (look.attr & ATTR_BOLD)
        fputs(";1", out);
    if (look.attr & ATTR_DIM)
        fputs(";2", out);
    if (look.attr & ATTR_UNDERLINE)
        fputs(";4", out);
    if (look.attr & ATTR_REVERSE)
        fputs(";7", out);
    print_color(out, look.fg, 30);
    print_color(out, look.bg, 40);
    putc('m', out);
}

static void print_cell(FILE *out, const struct cell *cell) {
    for (int i = 0; i < 3 && cell->cp[i]; i++) {
        char bytes[4];
        size_t n = text_utf8(cell->cp[i], bytes);
        fwrite(bytes, 1, n, out);
    }
}

static void print_row(const struct cell *row, int cols, FILE *out, bool colour) {
    const struct look plain = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    struct look now = plain;
    while (cols > 0 && is_blank(&row[cols - 1], colour))
        cols--;
    for (int x = 0; x < cols; x++) {
        if (colour && !style_eq(row[x].look, now))
            print_look(out, now = row[x].look);
        print_cell(out, &row[x]);
    }
    if (!style_eq(now, plain))
        fputs("\033[0m", out);
    putc('\n', out);
}

void grid_print(const struct grid *grid, FILE *out, enum color_depth depth) {
    for (int y = 0; y < grid->rows; y++)
        print_row(&grid->cells[(size_t)y * (size_t)grid->cols], grid->cols, out,
                  depth != COLOR_MONO);
}
