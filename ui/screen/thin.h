/* thin.h - a picture in fewer bytes, for terminals at the end of a slow line. */
#ifndef FXTOP_THIN_H
#define FXTOP_THIN_H

#include "ui/screen/grid.h"

/* The bytes of a picture for a terminal of `cols` x `rows`: 10 kB at 120x40, more if it is larger;
 * not `slow`: any. */
size_t thin_limit(int cols, int rows, bool slow);
/* Copies a grid of the same size; if a terminal needs more than `limit` bytes for it, with longer
 * runs of one colour. Text, heights and positions stay. Blanks take the colour of the cell before
 * them, except at the end of a row. Returns how much was given up; 0: nothing. last: the same of
 * the frame before. */
int thin_copy(struct grid *to, const struct grid *from, size_t limit, int last);

#endif
