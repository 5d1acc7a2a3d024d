/* legend.h - the glyphs and colours of the timeline, each in itself, with its meaning. */
#ifndef FXTOP_LEGEND_H
#define FXTOP_LEGEND_H

#include "ui/session.h"

/* Adds the legend to a page, wrapped at the grid's width, in its glyphs and in the looks of this
 * terminal. */
void legend_write(struct pager *page, const struct app *app);

#endif
