/* draw_ruler.c - the time axis: the point in time of the first tick at the left, then ticks at
 * steps of 1, 2 or 5 with their distance from it. */
#include "ui/timeline/draw_ruler.h"

#include <stdio.h>
#include <string.h>

#include "src/base/own_trace.h"
#include "src/base/units.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/range/draw_range.h"
#include "ui/timeline/range/marks.h"

#define LEAST_APART 9 /* columns from tick to tick */
#define SECOND INT64_C(1000000000)

/* "5ms": without the blank a label takes a column less. It is exact: a step of seconds stays one,
 * however many they are. */
static const char *label(int64_t ns, bool ascii, char text[32]) {
    char offset[32];
    size_t n = 0;
    if (ns < 1000 * SECOND)
        units_duration_short(ns, ascii, offset);
    else
        units_point(ns, SECOND, ascii, offset);
    for (const char *p = offset; *p; p++)
        if (*p != ' ' && *p != '+')
            text[n++] = *p;
    text[n] = 0;
    return ns == 0 ? "0" : text;
}

/* From tick to tick: so far that each has space for its label, of which the last one is the
 * longest. */
static int64_t step_of(const struct window *w, bool ascii) {
    int64_t column = w->width / w->columns, step = units_step(column * LEAST_APART + 1);
    for (int columns = 0;; step = units_step(step + 1)) {
        char text[32];
        columns = (int)strlen(label(w->width / step * step, ascii, text)) + 2;
        if (column > INT64_MAX / columns || step > INT64_MAX / 5 || step >= column * columns)
            return step;
    }
}

void draw_ruler(struct app *app) {
    TRACE_DURATION("draw", "ruler");
    struct grid *g = &app->grid;
    int y = app->layout.ruler, columns = app->timeline.window.columns;
    if (y < 0)
        return;
    draw_tracks_bar(app, y);
    int64_t step = step_of(&app->timeline.window, g->ascii);
    int64_t origin = trace_begin(app->trace), from = app->timeline.window.from;
    uint64_t since = (uint64_t)from - (uint64_t)origin, until = (uint64_t)origin - (uint64_t)from;
    uint64_t left = from < origin ? until % (uint64_t)step : since % (uint64_t)step;
    /* the last tick at or before the window's start; ticks count from the origin, which far times
     * may precede */
    int64_t base = from;
    if (from >= origin)
        base = from - (int64_t)left;
    else if (left > 0 && from >= INT64_MIN + step)
        base = from - (step - (int64_t)left);
    char text[48];
    int resolution_width = app->layout.gutter - 1;
    session_point(app, base, step, text);
    grid_ztext(g, 0, y, resolution_width, text, style_look(ROLE_RULER));
    int64_t end = window_edge(&app->timeline.window, columns);
    int free_from = 0;
    for (int64_t t = base; t < end; t += step) {
        int c = window_column(&app->timeline.window, t);
        if (t >= from && c >= free_from && c < columns) {
            char packed[32];
            const char *offset = label(units_since(base, t), g->ascii, packed);
            int x = app->layout.lane + c;
            grid_put(g, x, y, grid_glyph(g, GLYPH_TICK), style_look(ROLE_RULER));
            if (c + 1 + (int)strlen(offset) <= columns) {
                free_from = grid_ztext(g, x + 1, y, app->layout.lane + columns, offset,
                                       style_look(ROLE_RULER)) -
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
