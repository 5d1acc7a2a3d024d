/* view_flame.h - keys of the views 3 Flame and 4 Sandwich. In other views a message gives the reason. */
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

#endif
