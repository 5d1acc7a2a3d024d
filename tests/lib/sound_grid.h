/* sound_grid.h - whether a screen may show a character: RELIABILITY 1, judged by utf8proc's tables
 * and not by text.h.
 */
#ifndef FXTOP_SOUND_GRID_H
#define FXTOP_SOUND_GRID_H

#include "ui/screen/grid.h"

/* One position: a base that is no mark, with up to two marks, of that width. */
bool sound_glyph(const uint32_t cp[3], int width, bool ascii);
/* All of them, wide ones whole. */
bool sound_grid(const struct grid *grid);

#endif
