/* draw_curve.c - a counter as a curve.
 *
 * Each half column (in ASCII: each column) shows the range from its least to its greatest value. So
 * a peak of one sample is never lost. The ranges are found once per frame for all lines of a track.
 * The gutter shows the scale, the value at the cursor, and the range and average of the window, one
 * per line. */
#include "ui/timeline/kinds/draw_curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/kinds/draw_stack.h"
#include "ui/timeline/track_ops.h"

struct scale {
    double lo, hi;
    bool log, empty; /* empty: the window holds no value */
    /* if the scale fits the values, which then count from base; else NULL */
    const struct counter_sample *base, *most;
};

/* Differences from a near value keep the last digits of large integers. */
static double value_of(const struct scale *s, const struct counter_sample *sample) {
    return s->base ? counter_difference(sample, s->base) : counter_value(sample);
}

static double within(double x) {
    if (x < 0)
        return 0;
    return x > 1 ? 1 : x;
}

static double log_of(double x) {
    return log1p(x > 0 ? x : 0);
}

/* 0..1 from the bottom, clamped to the scale. */
static double place(const struct scale *s, double x) {
    if (s->log) {
        double lo = log_of(s->lo), hi = log_of(s->hi);
        return hi > lo ? within((log_of(x) - lo) / (hi - lo)) : 0;
    }
    return s->hi / 2 > s->lo / 2 ? within((x / 2 - s->lo / 2) / (s->hi / 2 - s->lo / 2))
                                 : 0.5; /* halves do not overflow */
}

/* The nearest of the steps 0..most. Each result is stored in a double: registers of more bits would
 * round a value halfway between two steps to the other one. */
static int step_of(const struct scale *s, double x, int most) {
    double share = place(s, x), at = share * most;
    return (int)(at + 0.5);
}

/* Indices of the least and greatest sample of [from, to), including the one that holds at `from`;
 * false: none. */
static bool extent(struct counter_series *s, int64_t from, int64_t to, size_t *least,
                   size_t *most) {
    size_t i = counter_from(s, from), j = counter_from(s, to), n;
    const struct counter_sample *v = counter_samples(s, &n);
    bool any = counter_extent(s, i, j, least, most);
    if (i > 0 && (i == n || i == j || v[i].at.time > from) && !isnan(counter_value(&v[i - 1]))) {
        if (!any || counter_difference(&v[i - 1], &v[*least]) < 0)
            *least = i - 1;
        if (!any || counter_difference(&v[i - 1], &v[*most]) > 0)
            *most = i - 1;
        any = true;
    }
    return any;
}

struct plot { /* one line of a counter */
    struct app *app;
    int y, row, height; /* screen row; row of the track; its height */
    const struct track *track;
    const struct filter_lanes *only; /* the samples that it leaves; NULL: all */
    const struct curve *curve;
    struct counter_series *series; /* as the mode shows it; NULL: no sample is left */
    const struct counter_sample *now, *least, *most; /* at the cursor; in the window; NULL: none */
    struct scale scale;
};

static void set_scale(struct plot *p) {
    struct scale *scale = &p->scale;
    *scale = (struct scale){.hi = 1, .log = p->curve->scale == CURVE_LOG};
    if (p->curve->scale == CURVE_FIXED) {
        *scale = (struct scale){.lo = p->curve->lo, .hi = p->curve->hi};
        return;
    }
    scale->empty = p->least == NULL;
    if (scale->empty)
        return;
    scale->lo = counter_value(p->least);
    scale->hi = counter_value(p->most);
    if (p->curve->scale == CURVE_ZERO || scale->log) {
        scale->lo = scale->lo < 0 ? scale->lo : 0;
        scale->hi = scale->hi > 0 ? scale->hi : 0;
    } else if (isfinite(counter_difference(p->most, p->least))) {
        scale->base = p->least;
        scale->most = p->most;
        scale->lo = 0;
        scale->hi = value_of(scale, scale->most);
    }
}

static int64_t window_end(const struct timeline *timeline) {
    return timeline->edges[timeline->window.columns];
}

/* Reads the samples that `only` leaves: the extent and the value at the cursor. A hidden sample is
 * no value. */
static void set_samples(struct plot *p, const struct filter_lanes *only) {
    struct app *app = p->app;
    size_t n, least, most;
    p->only = only;
    p->series = curve_series(app, p->track->of, only);
    p->now = p->series ? curve_at(p->series, app->timeline.cursor) : NULL;
    if (only && p->now && isnan(counter_value(p->now)))
        p->now = NULL;
    p->least = p->most = NULL;
    if (p->series &&
        extent(p->series, app->timeline.edges[0], window_end(&app->timeline), &least, &most)) {
        p->least = &counter_samples(p->series, &n)[least];
        p->most = &counter_samples(p->series, &n)[most];
    }
}

static struct plot plot_of(struct app *app, int y, const struct track *track, int row) {
    struct plot p = {.app = app, .y = y, .row = row, .height = (int)track->height, .track = track};
    p.curve = curve_of(&app->timeline, track->of);
    set_samples(&p, session_left(&app->timeline));
    set_scale(&p);
    return p;
}

/* Indices of the least and greatest sample of each half column; of each column if halves is 1. */
static const size_t *columns_of(const struct plot *p, int halves) {
    struct app *app = p->app;
    uint32_t of = p->track->of;
    int64_t end = curve_end(app->trace, p->track);
    enum curve_mode mode = p->curve->mode;
    uint32_t changes = p->only ? app->timeline.only_changes : 0;
    struct curve_columns *d = &app->timeline.drawn[p->only != NULL];
    int n = app->timeline.window.columns * halves;
    if (d->v && d->of == of && d->mode == mode && d->from == app->timeline.window.from &&
        d->width == app->timeline.window.width && d->version == app->reload.version &&
        d->changes == changes && d->n == n)
        return d->v;
    size_t *v = err_realloc(d->v, (size_t)n * 2, sizeof *v);
    *d = (struct curve_columns){.v = v,
                                .of = of,
                                .mode = mode,
                                .from = app->timeline.window.from,
                                .width = app->timeline.window.width,
                                .version = app->reload.version,
                                .changes = changes,
                                .n = n};
    for (int c = 0; c < app->timeline.window.columns; c++) {
        int64_t edge = app->timeline.edges[c], width = app->timeline.edges[c + 1] - edge;
        for (int half = 0; half < halves; half++, v += 2) {
            int64_t from = edge + width / halves * half,
                    to = half + 1 < halves ? edge + width / halves : app->timeline.edges[c + 1];
            if (edge > end || !extent(p->series, from, to > from ? to : from + 1, &v[0], &v[1]))
                v[0] = v[1] = NO_SAMPLE;
        }
    }
    return d->v;
}

static void dots(const struct plot *p) {
    /* from the bottom */
    static const unsigned char bits[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};
    struct app *app = p->app;
    struct grid *g = &app->grid;
    int halves = g->ascii ? 1 : 2, per_row = g->ascii ? 2 : 4, levels = p->height * per_row;
    int bottom = (p->height - 1 - p->row) * per_row;
    const size_t *v = columns_of(p, halves);
    size_t n;
    const struct counter_sample *samples = counter_samples(p->series, &n);
    const struct scale *scale = &p->scale;
    struct look look = style_look(ROLE_CURVE);
    for (int c = 0; c < app->timeline.window.columns; c++) {
        unsigned cell = 0;
        for (int half = 0; half < halves; half++, v += 2) {
            if (v[0] == NO_SAMPLE)
                continue;
            int low = step_of(scale, value_of(scale, &samples[v[0]]), levels - 1),
                high = step_of(scale, value_of(scale, &samples[v[1]]), levels - 1);
            for (int level = low < bottom ? bottom : low; level <= high && level < bottom + per_row;
                 level++)
                cell |= g->ascii ? 1u << (level - bottom) : bits[half][level - bottom];
        }
        static const char ascii[] = {' ', '.', '\'', ':'};
        if (cell)
            grid_put(g, app->layout.lane + c, p->y,
                     g->ascii ? (uint32_t)ascii[cell] : 0x2800 + cell, look);
    }
}

/* A track of one line: the greatest value of each column. */
static void levels(const struct plot *p) {
    struct app *app = p->app;
    int64_t end = curve_end(app->trace, p->track);
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= end; c++) {
        size_t n, least, most;
        if (!extent(p->series, app->timeline.edges[c], app->timeline.edges[c + 1], &least, &most))
            continue;
        int level =
            1 + step_of(&p->scale, value_of(&p->scale, &counter_samples(p->series, &n)[most]), 7);
        if (level < 1)
            level = 1;
        else if (level > 8)
            level = 8;
        grid_put(&app->grid, app->layout.lane + c, p->y, grid_level(&app->grid, level),
                 style_look(ROLE_CURVE));
    }
}

/* ---- the gutter ---- */

/* At the right: the top of the scale on the first line, its bottom on the last; the value of a
 * track of one line. */
static void scale_label(const struct plot *p, char label[32]) {
    const struct scale *scale = &p->scale;
    char buf[32];
    const char *text = "";
    if (scale->empty)
        text = "";
    else if (p->row == 0 && p->height == 1)
        text = p->now ? curve_text(p->now, p->least, 0, buf) : "";
    else if (p->row == 0)
        text =
            scale->base ? curve_text(scale->most, p->least, 0, buf) : curve_number(scale->hi, buf);
    else if (p->row == p->height - 1)
        text = scale->base ? curve_text(p->least, NULL, 0, buf) : curve_number(scale->lo, buf);
    snprintf(label, 32, "%s", text);
}

static bool average(const struct plot *p, double *mean) {
    return p->series && counter_average(p->series, p->app->timeline.edges[0],
                                        window_end(&p->app->timeline), mean);
}

#define TEXT 120

/* "=12.5 (delta)" in `room` columns; with the average if there is no other line for it. */
static void value_text(const struct plot *p, int room, char text[TEXT]) {
    static const char *const modes[] = {"", " (delta)", " (rate/s)"};
    char buf[32];
    double mean;
    const char *value = curve_text(p->now, p->least, room, buf);
    int at = snprintf(text, TEXT, "%s%s%s", (int)strlen(value) < room ? "=" : "", value,
                      modes[p->curve->mode]);
    if (p->height != 3 || !average(p, &mean))
        return;
    snprintf(text + at, TEXT - (size_t)at, "  avg %s", curve_number(mean, buf));
    if ((int)strlen(text) + 2 > p->app->layout.gutter)
        text[at] = 0;
}

/* "6316k .. 18.58M": the scale's label gives way to it. */
static void range_text(const struct plot *p, char text[TEXT], char label[32]) {
    char least[32], most[32];
    int gutter = p->app->layout.gutter;
    curve_text(p->least, NULL, 0, least);
    curve_text(p->most, p->least, 0, most);
    snprintf(text, TEXT, "%s .. %s", least, most);
    if ((int)(strlen(text) + strlen(label)) + 3 <= gutter)
        return;
    label[0] = 0;
    if ((int)strlen(text) + 2 > gutter)
        snprintf(text, TEXT, "%s..%s", least, most);
}

static void gutter(const struct plot *p) {
    struct app *app = p->app;
    char buf[96], text[TEXT] = "", label[32];
    double mean;
    scale_label(p, label);
    if (p->row == 0) {
        struct str name = track_list_name(app->trace, p->track, buf);
        draw_gutter(app, p->y, 1, name, label, draw_gutter_look(&app->timeline, p->track, 0));
        return;
    }
    int edge = app->layout.gutter - (int)strlen(label);
    if (p->row == 1 && p->now)
        value_text(p, label[0] ? edge - 2 : edge - 1, text);
    if (p->row == 2 && p->least)
        range_text(p, text, label);
    else if (p->row == 3 && average(p, &mean))
        snprintf(text, sizeof text, "avg %s", curve_number(mean, buf));
    edge = app->layout.gutter - (int)strlen(label);
    int right = edge;
    if (label[0])
        right = edge > 1 ? edge - 1 : 1;
    grid_ztext(&app->grid, 1, p->y, right, text, style_look(p->row == 1 ? ROLE_VALUE : ROLE_DIM));
    grid_ztext(&app->grid, edge, p->y, app->layout.gutter, label, style_look(ROLE_DIM));
}

/* Draws on the scale of ctx: the samples that :only leaves are drawn over all of them if the others
 * are dimmed. */
static void draw_plot(void *ctx, const struct filter_lanes *only) {
    struct plot p = *(const struct plot *)ctx;
    if (only != p.only)
        set_samples(&p, only);
    if (p.series == NULL)
        return;
    if (p.height == 1)
        levels(&p);
    else
        dots(&p);
}

void draw_curve(struct app *app, int y, const struct track *track, int row) {
    if (track_list_stacked(&app->timeline.tracks, track->of)) {
        draw_stack(app, y, track, row);
        return;
    }
    struct plot p = plot_of(app, y, track, row);
    gutter(&p);
    draw_lane_only(app, y, draw_plot, &p);
    if (app->timeline.selection.kind != &track_counter_sample ||
        app->timeline.selection.of != track->of)
        return;
    int c = window_column(&app->timeline.window, app->timeline.selection.time);
    struct cell *cell = c >= 0 && c < app->timeline.window.columns
                            ? grid_at(&app->grid, app->layout.lane + c, y)
                            : NULL;
    if (cell)
        cell->look = style_selected(cell->look);
}
