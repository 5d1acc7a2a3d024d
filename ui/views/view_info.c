/* view_info.c - 9 Info: the text of --summary as a page. */
#include <string.h>

#include "model/output/report.h"
#include "src/base/err.h"
#include "ui/views/view_page.h"

/* The report, which has made its text safe. The caller frees it. */
static char *summary(struct trace *trace, const struct grid *grid) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f) {
        report_summary(trace, f, grid->ascii);
        if (fclose(f) == 0)
            return text;
    }
    err_no_memory();
}

static void fill(struct view *view) {
    struct app *app = view->app;
    char *text = summary(app->trace, &app->grid);
    for (char *line = text, *end; *line; line = end + (*end != 0)) {
        end = line + strcspn(line, "\n");
        char saved = *end;
        *end = 0;
        pager_wrap(view_page_pager(view), app->grid.cols, 8, line);
        *end = saved;
    }
    free(text);
}

static void *make(struct view *view) {
    (void)view;
    return view_page_new(fill);
}

const struct view_ops view_info = {
    .title = "[9 Info]",
    .modes = MODE_TEXT,
    .make = make,
    .free = view_page_free,
    .open = view_page_open,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = view_page_update,
    .pointer = view_page_pointer,
    .find = view_page_find,
};
