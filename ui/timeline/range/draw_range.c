/* draw_range.c - draws the range as a bar with ends: in a line of its own over the columns of the
 * window, and on the overview over those of the whole trace. The range kept for a comparison is a
 * thin bar in that line. */
#include "ui/timeline/range/draw_range.h"

#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/draw_tracks.h"

enum part { PART_BEGIN, PART_MIDDLE, PART_END, PART_ONE, PARTS };

static const uint32_t bar[2][PARTS] = {{0x255E, 0x2550, 0x2561, 0x256A}, {'|', '=', '|', '#'}};
static const uint32_t thin[2][PARTS] = {{0x251C, 0x2500, 0x2524, 0x253C}, {'|', '-', '|', '+'}};

struct columns { /* those that a range covers; an end that is outside of the window has no mark */
    int first, last;
    bool begins, ends;
};

/* False: none of it is in the window. */
static bool covered(const struct window *w, const struct range *range, struct columns *c) {
    int64_t last = range->to > range->from ? range->to - 1 : range->to;
    c->first = window_column(w, range->from);
    c->last = window_column(w, last);
    if (!range->timed || c->first >= w->columns || c->last < 0)
        return false;
    c->begins = c->first >= 0;
    c->ends = c->last < w->columns;
    c->first = c->begins ? c->first : 0;
    c->last = c->ends ? c->last : w->columns - 1;
    return true;
}

static void put_bar(struct app *app, int y, const struct columns *c, const uint32_t glyphs[PARTS],
                    struct look look) {
    for (int k = c->first; k <= c->last; k++) {
        enum part part = PART_MIDDLE;
        if (k == c->first && c->begins)
            part = k == c->last && c->ends ? PART_ONE : PART_BEGIN;
        else if (k == c->last && c->ends)
            part = PART_END;
        grid_put(&app->grid, app->layout.lane + k, y, glyphs[part], look);
    }
}

/* "range     15.33 ms" */
static void title(struct app *app, int y) {
    const struct range *range = session_range(app);
    char length[32];
    int gutter = app->layout.gutter,
        x = grid_ztext(&app->grid, 0, y, gutter, "range", style_look(ROLE_WINDOW_MARK));
    units_duration(units_since(range->from, range->to), app->grid.ascii, length);
    int width = (int)text_width(str_of(length), 0, 32);
    if (x + 1 + width <= gutter)
        grid_ztext(&app->grid, gutter - width, y, gutter, length, style_look(ROLE_WINDOW_MARK));
}

void draw_range_line(struct app *app) {
    const struct range *kept = session_kept_range(app);
    struct columns c;
    int y = app->layout.range;
    if (y < 0)
        return;
    title(app, y);
    draw_tracks_bar(app, y);
    if (kept && covered(&app->timeline.window, kept, &c))
        put_bar(app, y, &c, thin[app->grid.ascii], style_look(ROLE_DIM));
    if (covered(&app->timeline.window, session_range(app), &c))
        put_bar(app, y, &c, bar[app->grid.ascii], style_look(ROLE_WINDOW_MARK));
}

void draw_range_ruler(struct app *app, int y) {
    struct columns c;
    if (app->layout.range >= 0 || !covered(&app->timeline.window, session_range(app), &c))
        return;
    const uint32_t *glyphs = bar[app->grid.ascii];
    for (int k = c.first; k <= c.last; k++) {
        const struct cell *cell = grid_at(&app->grid, app->layout.lane + k, y);
        if (cell && (cell->cp[0] == ' ' || cell->cp[0] == 0))
            grid_put(&app->grid, app->layout.lane + k, y, glyphs[PART_MIDDLE],
                     style_look(ROLE_WINDOW_MARK));
        else
            grid_look(&app->grid, app->layout.lane + k, y, 1, style_look(ROLE_WINDOW_MARK));
    }
    struct columns end = {c.first, c.first, c.begins, c.ends && c.first == c.last};
    if (c.begins)
        put_bar(app, y, &end, glyphs, style_look(ROLE_WINDOW_MARK));
    end = (struct columns){c.last, c.last, c.begins && c.first == c.last, c.ends};
    if (c.ends)
        put_bar(app, y, &end, glyphs, style_look(ROLE_WINDOW_MARK));
}

void draw_range_overview(struct app *app, const struct window *whole, int y) {
    struct columns c;
    if (!covered(whole, session_range(app), &c))
        return;
    for (int k = c.first; k <= c.last; k++) {
        const struct cell *cell = grid_at(&app->grid, app->layout.lane + k, y);
        struct look look = cell ? cell->look : style_look(ROLE_OVERVIEW);
        look.attr |= ATTR_UNDERLINE;
        grid_look(&app->grid, app->layout.lane + k, y, 1, look);
    }
    struct columns end = {c.first, c.first, true, c.first == c.last};
    put_bar(app, y, &end, bar[app->grid.ascii], style_look(ROLE_WINDOW_MARK));
    end = (struct columns){c.last, c.last, c.first == c.last, true};
    put_bar(app, y, &end, bar[app->grid.ascii], style_look(ROLE_WINDOW_MARK));
}
