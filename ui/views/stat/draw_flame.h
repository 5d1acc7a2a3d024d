/* draw_flame.h - a tree of paths as rows of frames: a row a depth, the frames as wide as their
 * weight.
 *
 * Frames narrower than a column are one stretch at the end of their parent, drawn as density.
 * Positions are eighths of a column from the left edge. */
#ifndef FXTOP_DRAW_FLAME_H
#define FXTOP_DRAW_FLAME_H

#include "ui/views/stat/paths.h"

#define FLAME_ROWS 2048 /* depth below the zoomed frame that is laid out */

struct flame_frame {
    uint32_t node; /* PATH_ROOT in a row below the first: a stretch of several */
    double from, to;
};

struct flame {
    VEC(struct flame_frame) frames;
    VEC(size_t) rows; /* first frame of each row */
};

void draw_flame_free(struct flame *flame);
/* Lays out at most `rows` rows from the zoomed frame down. */
void draw_flame_layout(struct flame *flame, const struct paths *paths, int columns, uint32_t rows);
/* The frames of a row: *n of them. */
const struct flame_frame *draw_flame_row(const struct flame *flame, uint32_t row, size_t *n);
/* The row and frame of a node; false: it is not laid out. */
bool draw_flame_find(const struct flame *flame, uint32_t node, uint32_t *row, size_t *i);
/* Draws `rows` rows from `top` on, at row y of the screen. */
void draw_flame(struct paths *paths, const struct flame *flame, uint32_t top, int y, int rows);

#endif
