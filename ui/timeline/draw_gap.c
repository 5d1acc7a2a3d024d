/* draw_gap.c - fills the columns of the chosen gap that no slice shares. */
#include "ui/timeline/draw_gap.h"

#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"

static const struct chosen_gap *shown(const struct app *app) {
    const struct timeline *timeline = &app->timeline;
    return timeline->gap.any && !selection_any(&timeline->selection) ? &timeline->gap : NULL;
}

/* Puts "gap 9.600 ms" there, or what fits of it. */
static void label(struct grid *g, const struct chosen_gap *gap, int x, int right, int y,
                  struct look look) {
    char length[32], text[48];
    snprintf(text, sizeof text, "gap %s",
             units_duration(units_since(gap->from, gap->to), g->ascii, length));
    if ((int)text_width(str_of(text), 0, 48) <= right - x)
        grid_ztext(g, x, y, right, text, look);
    else if (right - x >= 3)
        grid_ztext(g, x, y, right, "gap", look);
}

void draw_gap(struct app *app, int y, const struct track *track) {
    const struct chosen_gap *gap = shown(app);
    const struct window *w = &app->timeline.window;
    if (gap == NULL || gap->kind != track->kind || gap->of != track->of)
        return;
    int first = window_column(w, gap->from), last = window_column(w, gap->to - 1);
    if (first >= w->columns || last < 0)
        return;
    bool begins = first >= 0, ends = last < w->columns;
    first = begins ? first : 0;
    last = ends ? last : w->columns - 1;
    first += begins && first < last && window_edge(w, first) < gap->from;
    last -= ends && first < last && window_edge(w, last + 1) > gap->to;
    int x = app->layout.lane + first, right = app->layout.lane + last + 1;
    bool mono = style_depth() == COLOR_MONO;
    struct look look = style_selected(style_look(ROLE_TEXT));
    grid_fill(&app->grid, x, y, right - x, ' ', look);
    if (mono && begins)
        grid_put(&app->grid, x++, y, '{', look);
    if (mono && ends && right > x)
        grid_put(&app->grid, --right, y, '}', look);
    label(&app->grid, gap, x, right, y, look);
}

void draw_gap_overview(struct app *app, const struct window *whole, int y) {
    const struct chosen_gap *gap = shown(app);
    if (gap == NULL)
        return;
    int from = window_column(whole, gap->from), to = window_column(whole, gap->to - 1);
    for (int c = from > 0 ? from : 0; c <= to && c < whole->columns; c++) {
        struct cell *cell = grid_at(&app->grid, app->layout.lane + c, y);
        if (cell)
            cell->look = style_look(ROLE_HEADER);
    }
}
