/* view_flame.h - keys of the views 3 Flame and 4 Sandwich. In other views a message gives the
 * reason. */
#ifndef FXTOP_VIEW_FLAME_H
#define FXTOP_VIEW_FLAME_H

#include "ui/session.h"

/* Actions of the command table. */
void view_flame_left(struct app *app);
void view_flame_right(struct app *app);
void view_flame_up(struct app *app);
void view_flame_down(struct app *app);
void view_flame_enter(struct app *app); /* zooms in; in the sandwich the row becomes the middle */
void view_flame_out(struct app *app);   /* zooms out; in the sandwich back to the middle before */
void view_flame_all(struct app *app);   /* the whole tree again */
void view_flame_bottom_up(struct app *app);
void view_flame_weight(struct app *app);
void view_flame_recursion(struct app *app);
void view_flame_covered(struct app *app);
void view_flame_same(struct app *app);
void view_flame_next(struct app *app);
void view_flame_previous(struct app *app);
void view_flame_filter(struct app *app, const char *text);

/* Frames are marked, or counted, while a search or a filter is typed; Esc brings back those from
 * before. The view is one of the two. */
void view_flame_find_typed(struct app *app, const char *text);
void view_flame_find_cancelled(struct app *app);
void view_flame_filter_typed(struct app *app, const char *text);
void view_flame_filter_cancelled(struct app *app);
bool view_flame_searches(const struct app *app); /* a search marks frames */

#endif
