/* draw_ruler.c - the time axis: the point in time of the first tick at the left, then ticks at steps of 1, 2 or 5 with
 * their distance from it. */
#include "ui/timeline/draw_ruler.h"

#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/range/draw_range.h"
#include "ui/timeline/range/marks.h"

void draw_ruler(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.ruler, columns = app->timeline.window.columns;
    if (y < 0)
        return;
    draw_tracks_bar(app, y);
    int64_t step = units_step((int64_t)(app->timeline.window.width / columns) * 9 + 1);
    int64_t origin = trace_begin(app->trace), from = app->timeline.window.from;
    uint64_t since = (uint64_t)from - (uint64_t)origin, until = (uint64_t)origin - (uint64_t)from;
    uint64_t left = from < origin ? until % (uint64_t)step : since % (uint64_t)step;
    /* the last tick at or before the window's start; ticks count from the origin, which far times may precede */
    int64_t base = from >= origin || left == 0 ? from - (int64_t)(from >= origin ? left : 0)
                   : from < INT64_MIN + step   ? from
                                               : from - (step - (int64_t)left);
    char text[48];
    int resolution_width = app->layout.gutter - 1;
    session_point(app, base, step, text);
    grid_ztext(g, 0, y, resolution_width, text, style_look(ROLE_RULER));
    int64_t end = window_edge(&app->timeline.window, columns);
    int free_from = 0;
    for (int64_t t = base; t < end; t += step) {
        int c = window_column(&app->timeline.window, t);
        if (t >= from && c >= free_from && c < columns) {
            char offset[32];
            units_duration_short(t - base, g->ascii, offset);
            if (t == base)
                snprintf(offset, sizeof offset, "0");
            int x = app->layout.lane + c;
            grid_put(g, x, y, grid_glyph(g, GLYPH_TICK), style_look(ROLE_RULER));
            if (c + 1 + (int)strlen(offset) <= columns) {
                size_t n = 0; /* "5ms": without the blank it takes a column less */
                char packed[36];
                for (const char *p = offset; *p; p++)
                    if (*p != ' ')
                        packed[n++] = *p;
                packed[n] = 0;
                free_from = grid_ztext(g, x + 1, y, app->layout.lane + columns, packed, style_look(ROLE_RULER)) -
                            app->layout.lane + 1;
            }
        }
        if (t > INT64_MAX - step)
            break;
    }
    draw_range_ruler(app, y);
    marks_draw(app, y);
    draw_tracks_cursor(app, y);
    draw_range_line(app);
}
