/* view_sandwich.h - 4 Sandwich: callers above and callees below one name; and the rows that 3 Flame
 * shares with it. */
#ifndef FXTOP_VIEW_SANDWICH_H
#define FXTOP_VIEW_SANDWICH_H

#include "ui/views/stat/paths.h"

/* Keys, by view_flame.h. */
void view_sandwich_move(struct app *app, int rows);
void view_sandwich_other(struct app *app); /* from the callers to the callees and back */
void view_sandwich_enter(struct app *app);
void view_sandwich_back(struct app *app);

/* Titles of the columns, and a row below them: name, calls, total, share of `whole`, self. */
void view_sandwich_titles(const struct paths *paths, int y, const char *title);
void view_sandwich_row(struct paths *paths, const struct path_row_by_name *row, struct sum whole,
                       int y, enum role role);
/* Callers and callees of the middle name next to each other. */
void view_sandwich_pane(struct paths *paths, int y, int rows);

#endif
