/* picture.h - the screen as a picture for documents and tickets: SVG and HTML, with colours and
 * text to be selected.
 *
 * Both are whole XML documents without scripts, links or anything from outside, whatever names are
 * on the screen. */
#ifndef FXTOP_PICTURE_H
#define FXTOP_PICTURE_H

#include <stdio.h>

#include "ui/screen/grid.h"

enum picture_format { PICTURE_TEXT, PICTURE_ANSI, PICTURE_SVG, PICTURE_HTML };

/* depth: of the looks (style_init()); the ground is light or dark as style_light() has it. */
void picture_print(const struct grid *grid, enum picture_format format, enum color_depth depth,
                   FILE *out);

#endif
