/* draw_stack.c - all series of a counter on each other, in one track.
 *
 * Each column shows the values at its end, as bars of eighths on each other, from zero. Two bars
 * that meet in a cell are its foreground and background. Lines below the first are the legend. */
#include "ui/timeline/kinds/draw_stack.h"

#include <stdio.h>

#include "src/base/text.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/kinds/curve.h"

#define STACKED 8 /* series of one stack: as many as there are looks */

struct stack { /* one line of it */
    struct app *app;
    const struct track *track;
    int y, row;
    uint32_t n;  /* series */
    double most; /* of their sums in the window */
};

/* The values of the series at t, negative ones as 0; returns their sum. only (may be NULL): of the
 * samples that it leaves. */
static double stack_at(const struct stack *s, const struct filter_lanes *only, int64_t t,
                       double values[STACKED]) {
    const struct counters *counters = trace_counters(s->app->trace);
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t of = s->track->of + i;
        struct counter_series *series =
            only ? filter_lanes_counter(only, of) : counter_series(counters, of);
        const struct counter_sample *sample = series ? curve_at(series, t) : NULL;
        double x = sample ? counter_value(sample) : 0;
        values[i] = x > 0 ? x : 0; /* NaN too */
        sum += values[i];
    }
    return sum;
}

static uint32_t stack_size(struct trace *trace, uint32_t leader) {
    const struct counters *counters = trace_counters(trace);
    uint32_t n = 1;
    while (n < STACKED && leader + n < counter_series_count(counters) &&
           counter_leader(counters, leader + n) == leader)
        n++;
    return n;
}

static struct look stack_look(uint32_t i) {
    struct look look = style_series(i);
    return (struct look){look.bg, LOOK_DEFAULT, 0};
}

static bool is_plain(const struct app *app) {
    return app->grid.ascii || style_depth() == COLOR_MONO;
}

static void draw_column(const struct stack *s, int c, const double values[STACKED]) {
    struct grid *g = &s->app->grid;
    int x = s->app->layout.lane + c, height = (int)s->track->height,
        bottom = (height - 1 - s->row) * 8, shown = 0;
    double below = 0;
    struct look under = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    for (uint32_t i = 0; i < s->n && shown < 8; i++) {
        int to = (int)((below + values[i]) / s->most * (height * 8) + 0.5) - bottom;
        below += values[i];
        to = to > 8 ? 8 : to;
        if (to <= shown)
            continue;
        struct look look = stack_look(i);
        if (is_plain(s->app)) {
            grid_put(g, x, s->y, (uint32_t) "#+:.ox=-"[i], style_look(ROLE_CURVE));
        } else if (shown == 0) {
            grid_put(g, x, s->y, grid_level(g, to), look);
            under = look;
        } else { /* two bars in a cell: the lower one in the foreground */
            grid_put(g, x, s->y, grid_level(g, shown), (struct look){under.fg, look.fg, 0});
        }
        shown = shown == 0 ? to : 8;
    }
}

static void draw_columns(void *ctx, const struct filter_lanes *only) {
    const struct stack *s = ctx;
    const struct timeline *timeline = &s->app->timeline;
    int64_t end = curve_end(s->app->trace, s->track);
    double values[STACKED];
    for (int c = 0; c < timeline->window.columns && timeline->edges[c] <= end && s->most > 0; c++) {
        stack_at(s, only, timeline->edges[c + 1] - 1, values);
        draw_column(s, c, values);
    }
}

/* On the first line the name, on the others a series each. */
static void legend(const struct stack *s, const struct filter_lanes *only) {
    struct app *app = s->app;
    struct grid *g = &app->grid;
    const struct counters *counters = trace_counters(app->trace);
    char buf[96], number[24], text[64], name[24];
    double values[STACKED];
    int x = 1 + draw_gutter_indent(app, s->track);
    if (s->row == 0) {
        bool current = app->timeline.line == s->track->top;
        draw_gutter(
            app, s->y, x, trace_name(app->trace, counter_series(counters, s->track->of)->name),
            curve_number(s->most, buf), style_look(current ? ROLE_GUTTER_CURRENT : ROLE_GUTTER));
    } else if ((uint32_t)s->row <= s->n) {
        uint32_t i = (uint32_t)s->row - 1;
        bool plain = is_plain(app);
        text_plain(name, sizeof name,
                   trace_name(app->trace, counter_series(counters, s->track->of + i)->argument),
                   g->ascii ? TEXT_ASCII : 0);
        stack_at(s, only, app->timeline.cursor, values);
        if (only && filter_lanes_counter(only, s->track->of + i) == NULL)
            snprintf(text, sizeof text, "%s", name);
        else
            snprintf(text, sizeof text, "%s =%s", name, curve_number(values[i], number));
        grid_put(g, x, s->y, plain ? (uint32_t) "#+:.ox=-"[i] : 0x2588,
                 plain ? style_look(ROLE_CURVE) : stack_look(i));
        grid_ztext(g, x + 2, s->y, app->layout.gutter, text, style_look(ROLE_DIM));
    }
}

void draw_stack(struct app *app, int y, const struct track *track, int row) {
    struct stack s = {
        .app = app, .track = track, .y = y, .row = row, .n = stack_size(app->trace, track->of)};
    const struct filter_lanes *left = session_left(&app->timeline);
    const struct timeline *timeline = &app->timeline;
    int64_t end = curve_end(app->trace, track);
    double values[STACKED];
    for (int c = 0; c < timeline->window.columns && timeline->edges[c] <= end; c++) {
        double sum = stack_at(&s, left, timeline->edges[c + 1] - 1, values);
        s.most = sum > s.most ? sum : s.most;
    }
    draw_lane_only(app, y, draw_columns, &s);
    legend(&s, left);
}
