/* draw_path.h - a critical path over the tracks of its threads. Rows are the screen's. */
#ifndef FXTOP_DRAW_PATH_H
#define FXTOP_DRAW_PATH_H

#include "model/query/stat/waits/critical.h"
#include "ui/session.h"

/* Draws in `rows` rows from y on; current: the stretch that stands out. Returns the rows that were
 * used. The window's columns are those of app->timeline. */
int draw_path(struct app *app, const struct critical *path, size_t current, int y, int rows);

#endif
