/* view_described.c - what the view before showed, in sentences: a page that can be read line by
 * line. */
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "ui/views/view_page.h"

struct described {
    struct view_page page; /* first: view_page.h reads it */
    char *text;
};

static void fill(struct view *view) {
    const struct described *described = view->state;
    for (char *line = described->text, *end; line && *line; line = end) {
        char after = *(end = line + strcspn(line, "\n"));
        *end = 0;
        pager_wrap(view_page_pager(view), view->app->grid.cols, 4, line);
        *end = after;
        end += after != 0;
    }
}

static void *make(struct view *view) {
    struct described *described = err_calloc(1, sizeof *described);
    (void)view;
    described->page.fill = fill;
    return described;
}

static void free_text(struct view *view) {
    struct described *described = view->state;
    free(described->text);
    view_page_free(view);
}

/* Draws the current view: keys that came together have no frame between them, and a description
 * reads the frame. */
static void draw_current(struct app *app) {
    if (app->layout.too_small)
        return;
    grid_clear(&app->grid, style_look(ROLE_TEXT));
    view_draw(&app->views);
}

static bool open(struct view *view) {
    struct described *described = view->state;
    size_t size;
    if (view->app->views.current != view) {
        free(described->text);
        described->text = NULL;
        FILE *f = open_memstream(&described->text, &size);
        if (f == NULL)
            err_no_memory();
        draw_current(view->app);
        view->app->views.describe(view->app, f);
        if (fclose(f) != 0)
            err_no_memory();
    }
    return view_page_open_over(view);
}

const struct view_ops view_described = {
    .title = "[Described]",
    .modes = MODE_TEXT,
    .make = make,
    .free = free_text,
    .open = open,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = view_page_update,
    .pointer = view_page_pointer,
    .find = view_page_find,
};
