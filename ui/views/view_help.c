/* view_help.c - the help screen, made from the command table. It covers the view in which it was
 * opened. */
#include "ui/views/view_page.h"

static void fill(struct view *view) {
    view->app->views.write_help(view_page_pager(view), view->app);
}

/* The legend has the values that are ranked in the background. */
static bool step(struct view *view) {
    view_page_is_of(view, view->app->timeline.colors.ranks);
    return false;
}

static void *make(struct view *view) {
    (void)view;
    return view_page_new(fill);
}

const struct view_ops view_help = {
    .title = "[? Help]",
    .modes = MODE_TEXT,
    .make = make,
    .free = view_page_free,
    .open = view_page_open_over,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = view_page_update,
    .pointer = view_page_pointer,
    .find = view_page_find,
    .step = step,
};
