/* draw_stack.c - all series of a counter on each other, in one track.
 *
 * Each column shows the values at its end, as bars of eighths on each other, from zero. Two bars that meet in a cell
 * are its foreground and background. Lines below the first are the legend. */
#include "ui/timeline/kinds/draw_stack.h"

#include <stdio.h>

#include "src/base/text.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/kinds/curve.h"

#define STACKED 8 /* series of one stack: as many as there are looks */

/* The values of the series at t, negative ones as 0; returns their sum. */
static double stack_at(struct trace *trace, uint32_t leader, uint32_t n, int64_t t, double values[STACKED]) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct counter_sample *s = curve_at(counter_series(trace_counters(trace), leader + i), t);
        double x = s ? counter_value(s) : 0;
        values[i] = x > 0 ? x : 0; /* NaN too */
        sum += values[i];
    }
    return sum;
}

static uint32_t stack_size(struct trace *trace, uint32_t leader) {
    const struct counters *counters = trace_counters(trace);
    uint32_t n = 1;
    while (n < STACKED && leader + n < counter_series_count(counters) && counter_leader(counters, leader + n) == leader)
        n++;
    return n;
}

static struct look stack_look(uint32_t i) {
    struct look look = style_series(i);
    return (struct look){look.bg, LOOK_DEFAULT, 0};
}

void draw_stack(struct app *app, int y, const struct track *track, int row) {
    struct grid *g = &app->grid;
    uint32_t n = stack_size(app->trace, track->of);
    double values[STACKED], most = 0;
    int64_t end = curve_end(app->trace, track);
    int height = (int)track->height, bottom = (height - 1 - row) * 8;
    bool plain = g->ascii || style_depth() == COLOR_MONO;
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= end; c++) {
        double sum = stack_at(app->trace, track->of, n, app->timeline.edges[c + 1] - 1, values);
        most = sum > most ? sum : most;
    }
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= end && most > 0;
         c++) {
        stack_at(app->trace, track->of, n, app->timeline.edges[c + 1] - 1, values);
        double below = 0;
        int shown = 0;
        struct look under = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
        for (uint32_t i = 0; i < n && shown < 8; i++) {
            int to = (int)((below + values[i]) / most * (height * 8) + 0.5) - bottom;
            below += values[i];
            to = to > 8 ? 8 : to;
            if (to <= shown)
                continue;
            struct look look = stack_look(i);
            if (plain) {
                grid_put(g, app->layout.lane + c, y, (uint32_t) "#+:.ox=-"[i], style_look(ROLE_CURVE));
            } else if (shown == 0) {
                grid_put(g, app->layout.lane + c, y, grid_level(g, to), look);
                under = look;
            } else { /* two bars in a cell: the lower one in the foreground */
                grid_put(g, app->layout.lane + c, y, grid_level(g, shown), (struct look){under.fg, look.fg, 0});
            }
            shown = shown == 0 ? to : 8;
        }
    }
    char buf[96], number[24], text[64];
    if (row == 0) {
        bool current = app->timeline.line == track->top;
        draw_gutter(app, y, 1, trace_name(app->trace, counter_series(trace_counters(app->trace), track->of)->name),
                    curve_number(most, buf), style_look(current ? ROLE_GUTTER_CURRENT : ROLE_GUTTER));
    } else if ((uint32_t)row <= n) { /* the legend */
        uint32_t i = (uint32_t)row - 1;
        char name[24];
        const struct counter_series *series = counter_series(trace_counters(app->trace), track->of + i);
        text_plain(name, sizeof name, trace_name(app->trace, series->argument), g->ascii ? TEXT_ASCII : 0);
        stack_at(app->trace, track->of, n, app->timeline.cursor, values);
        snprintf(text, sizeof text, "%s =%s", name, curve_number(values[i], number));
        grid_put(g, 1, y, plain ? (uint32_t) "#+:.ox=-"[i] : 0x2588, plain ? style_look(ROLE_CURVE) : stack_look(i));
        grid_ztext(g, 3, y, app->layout.gutter, text, style_look(ROLE_DIM));
    }
}
