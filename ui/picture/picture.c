/* picture.c - writes cells as SVG and HTML.
 *
 * A row is cut into runs of one look. SVG gives each text its place and length, so that any font
 * stays in the columns, and draws blocks (U+2581 to U+258F) as rectangles: glyphs of a font would
 * leave gaps. HTML is one <pre>. */
#include "ui/picture/picture.h"

#include <string.h>

#define CELL_W 8.0 /* of SVG: units of a cell */
#define CELL_H 17.0
#define BASE 13.0 /* of the text from the top of its cell */

struct colors {
    int32_t fg, bg; /* rgb */
};

/* dark, light */
static const int32_t grounds[2] = {0x101010, 0xffffff}, texts[2] = {0xd8d8d8, 0x101010};

static int32_t rgb(int32_t color, int32_t otherwise) {
    return color == LOOK_DEFAULT ? otherwise : style_rgb(color);
}

static struct colors colors_of(struct look look) {
    bool light = style_light();
    struct colors c = {rgb(look.fg, texts[light]), rgb(look.bg, grounds[light])};
    return look.attr & ATTR_REVERSE ? (struct colors){c.bg, c.fg} : c;
}

/* A character as XML has it. */
static void put_char(uint32_t cp, FILE *out) {
    char bytes[4];
    bool allowed =
        cp >= ' ' && cp != 0x7f && !(cp >= 0xd800 && cp < 0xe000) && (cp & 0xfffe) != 0xfffe;
    if (cp == '&') {
        fputs("&amp;", out);
    } else if (cp == '<' || cp == '>') {
        fputs(cp == '<' ? "&lt;" : "&gt;", out);
    } else {
        size_t n = text_utf8(allowed ? cp : 0xfffd, bytes);
        fwrite(bytes, 1, n, out);
    }
}

static void put_cell(const struct cell *cell, FILE *out) {
    for (int i = 0; i < 3 && cell->cp[i]; i++)
        put_char(cell->cp[i], out);
}

static bool is_wide(const struct cell *row, int x, int cols) {
    return x + 1 < cols && row[x + 1].cp[0] == 0 && row[x].cp[0] != 0;
}

/* Cells of one look from x on; a wide character is whole. */
static int run_of(const struct cell *row, int x, int cols) {
    int n = 1;
    while (x + n < cols && (row[x + n].cp[0] == 0 || style_eq(row[x].look, row[x + n].look)))
        n++;
    return n;
}

static bool all_blank(const struct cell *row, int n) {
    for (int i = 0; i < n; i++)
        if (row[i].cp[0] != ' ')
            return false;
    return true;
}

/* The first row of the screen, which names the file. */
static void put_title(const struct grid *grid, FILE *out) {
    int n = grid->rows > 0 ? grid->cols : 0;
    bool blank = true;
    fputs("<title>", out);
    for (int x = 0; x < n; x++) {
        bool space = grid->cells[x].cp[0] == ' ';
        if (!space || !blank)
            put_cell(&grid->cells[x], out);
        blank = space;
    }
    fputs("</title>\n", out);
}

/* ---- SVG ---- */

/* Eighths of a cell that a block fills from the bottom, or, negative, from the left; 0: it is no
 * block. */
static int block_of(const struct cell *cell) {
    uint32_t cp = cell->cp[0];
    if (cell->cp[1] != 0 || cp < 0x2581 || cp > 0x258f)
        return 0;
    return cp <= 0x2588 ? (int)(cp - 0x2580) : -(int)(0x2590 - cp);
}

static void svg_rect(double x, double y, double w, double h, int32_t color, FILE *out) {
    fprintf(out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"#%06x\"/>", x,
            y, w, h, (unsigned)color);
}

static void svg_blocks(const struct cell *row, int x, int n, int y, int32_t color, FILE *out) {
    for (int i = x; i < x + n; i++) {
        int eighths = block_of(&row[i]), same = 1;
        if (eighths == 0)
            continue;
        while (eighths > 0 && i + same < x + n && block_of(&row[i + same]) == eighths)
            same++;
        double high = eighths > 0 ? CELL_H * eighths / 8 : CELL_H;
        double wide = eighths > 0 ? CELL_W * same : CELL_W * -eighths / 8;
        svg_rect(i * CELL_W, (y + 1) * CELL_H - high, wide, high, color, out);
        i += same - 1;
    }
}

static bool is_space(const struct cell *cell) {
    return cell->cp[0] == ' ' || block_of(cell) != 0;
}

/* A text without two spaces in a row, which some browsers would make one. */
static void svg_word(const struct cell *row, int x, int n, int y, int32_t color, FILE *out) {
    unsigned attr = row[x].look.attr;
    fprintf(out, "<text x=\"%g\" y=\"%g\" textLength=\"%g\" fill=\"#%06x\"", x * CELL_W,
            y * CELL_H + BASE, n * CELL_W, (unsigned)color);
    if (attr & ATTR_BOLD)
        fputs(" font-weight=\"bold\"", out);
    if (attr & ATTR_DIM)
        fputs(" opacity=\"0.7\"", out);
    if (attr & ATTR_UNDERLINE)
        fputs(" text-decoration=\"underline\"", out);
    putc('>', out);
    for (int i = x; i < x + n; i++) {
        if (is_space(&row[i]))
            putc(' ', out);
        else
            put_cell(&row[i], out);
    }
    fputs("</text>", out);
}

static void svg_text(const struct cell *row, int x, int n, int y, int32_t color, FILE *out) {
    for (int end = x + n, to; x < end; x = to + 1) {
        to = x;
        while (to < end &&
               !(is_space(&row[to]) && (to == x || to + 1 == end || is_space(&row[to + 1]))))
            to++;
        if (to > x)
            svg_word(row, x, to - x, y, color, out);
    }
}

static void svg_print(const struct grid *grid, FILE *out) {
    bool light = style_light();
    double w = grid->cols * CELL_W, h = grid->rows * CELL_H;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g "
            "%g\" "
            "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" "
            "style=\"direction:ltr;unicode-bidi:bidi-override\">\n",
            w, h, w, h);
    put_title(grid, out);
    fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
            (unsigned)grounds[light]);
    for (int y = 0; y < grid->rows; y++) {
        const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->cols];
        for (int x = 0, n; x < grid->cols; x += n) {
            n = run_of(row, x, grid->cols);
            struct colors c = colors_of(row[x].look);
            if (c.bg != grounds[light])
                svg_rect(x * CELL_W, y * CELL_H, n * CELL_W, CELL_H, c.bg, out);
            svg_blocks(row, x, n, y, c.fg, out);
            svg_text(row, x, n, y, c.fg, out);
        }
        putc('\n', out);
    }
    fputs("</svg>\n", out);
}

/* ---- HTML ---- */

static void html_run(const struct cell *row, int x, int n, int cols, FILE *out) {
    const struct look look = row[x].look, plain = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    struct colors c = colors_of(look);
    bool styled = !style_eq(look, plain) &&
                  !(look.bg == LOOK_DEFAULT && !(look.attr & (ATTR_REVERSE | ATTR_UNDERLINE)) &&
                    all_blank(&row[x], n));
    if (styled)
        fprintf(out, "<span style=\"color:#%06x;background:#%06x%s%s%s\">", (unsigned)c.fg,
                (unsigned)c.bg, look.attr & ATTR_BOLD ? ";font-weight:bold" : "",
                look.attr & ATTR_DIM ? ";opacity:.7" : "",
                look.attr & ATTR_UNDERLINE ? ";text-decoration:underline" : "");
    for (int i = x; i < x + n; i++) {
        bool wide = is_wide(row, i, cols);
        fputs(wide ? "<b class=\"w\">" : "", out);
        put_cell(&row[i], out);
        fputs(wide ? "</b>" : "", out);
    }
    fputs(styled ? "</span>" : "", out);
}

static void html_print(const struct grid *grid, FILE *out) {
    bool light = style_light();
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta "
          "charset=\"utf-8\"/>\n",
          out);
    put_title(grid, out);
    fprintf(out,
            "<style>pre{color:#%06x;background:#%06x;font:13px/1.2 'DejaVu Sans "
            "Mono',Menlo,Consolas,monospace;"
            "display:inline-block;padding:4px;direction:ltr;unicode-bidi:bidi-override}"
            ".w{display:inline-block;width:2ch;font-weight:inherit}</style></head>\n<body><pre>",
            (unsigned)texts[light], (unsigned)grounds[light]);
    for (int y = 0; y < grid->rows; y++) {
        const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->cols];
        for (int x = 0, n; x < grid->cols; x += n) {
            n = run_of(row, x, grid->cols);
            html_run(row, x, n, grid->cols, out);
        }
        putc('\n', out);
    }
    fputs("</pre></body></html>\n", out);
}

void picture_print(const struct grid *grid, enum picture_format format, enum color_depth depth,
                   FILE *out) {
    if (format == PICTURE_SVG)
        svg_print(grid, out);
    else if (format == PICTURE_HTML)
        html_print(grid, out);
    else
        grid_print(grid, out, depth);
}
