/* stat_raster.h - the raster of view 2: how long the slices of a name are over time, longest at the
 * top. */
#ifndef FXTOP_STAT_RASTER_H
#define FXTOP_STAT_RASTER_H

#include "model/query/stat/tables/raster.h"
#include "ui/session.h"

int stat_raster_columns(const struct app *app); /* of the screen */
/* In rows [y, y + rows): a row is a bucket, or several; a column a stretch of the range; brighter
 * is more. */
void stat_raster_draw(struct app *app, const struct raster *raster, int y, int rows);

#endif
