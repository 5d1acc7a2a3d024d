/* view_slices_place.c - 2 Slices: the pivot, filter, tab and opened row as lines, and back
 * (ui/views/view_place.h). */
#include <string.h>

#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_place.h"

void view_slices_keep(struct view *view, struct chars *out) {
    struct slices_view *v = view->state;
    if (v->by == GROUP_BY_ARGUMENT)
        view_place_typed(out, "pivot", v->argument);
    else if (v->by != GROUP_BY_NAME)
        view_place_line(out, "pivot %s", view_slices_pivots[v->by]);
    if (v->filter) /* before the tab: some have filters of rows */
        view_place_typed(out, "filter", filter_text(v->filter));
    if (v->tab != 0)
        view_place_line(out, "tab %zu", v->tab);
    if (v->inside) {
        view_place_table(&v->shown[v->tab].table, out);
        view_place_named(out, "open", (struct str){v->title.v, v->title.n});
    }
    if (v->rastered && view_slices_named(v))
        view_place_line(out, "raster");
}

/* Opens the row of names with a text: of several, threads of one number in many processes, the
 * current one if it has it. */
static bool put_open(struct view *view, const char *text) {
    struct slices_view *v = view->state;
    const struct stat_names *names = view_slices_shown(v)->answer.shown;
    uint32_t n = view_slices_named(v) && names ? names_table_rows(&names->table) : 0;
    struct relation_row current;
    uint32_t from = table_current(&v->shown[v->tab].table, &current) ? (uint32_t)current.row : 0;
    char buf[400];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t row = (uint32_t)(((uint64_t)from + k) % n);
        struct str s = names_table_text(&names->table, row, buf, sizeof buf);
        if (!view_place_is_name(s, text, strlen(text)))
            continue;
        table_show(&v->shown[v->tab].table, row);
        view_slices_open_row(view, row);
        return true;
    }
    return false;
}

bool view_slices_put(struct view *view, const char *line) {
    struct slices_view *v = view->state;
    int tab = view_place_tab(line, SLICES_TABS);
    if (strncmp(line, "pivot ", 6) == 0)
        view_slices_pivot_by(v->app, line + 6);
    else if (tab >= 0)
        view_slices_other(v, ((size_t)tab + SLICES_TABS - view_slices_chosen(v)) % SLICES_TABS);
    else if (strncmp(line, "filter ", 7) == 0)
        view_slices_set_filter(view, line + 7);
    else if (strncmp(line, "open ", 5) == 0)
        return put_open(view, line + 5);
    else if (strcmp(line, "raster") == 0 && !v->rastered)
        view_slices_raster(v->app);
    else
        return false;
    return true;
}
