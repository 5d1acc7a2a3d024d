/* draw_curve.c - a counter as a filled area.
 *
 * Each column is filled up to its least value, and as a shade from there to its greatest. So a peak
 * or a dip of one sample is never lost. The ranges are found once per frame for all lines of a
 * track. The last value is at the right end where it hides nothing. The gutter shows the scale, the
 * value at the cursor, and the range and average of the window, one per line. */
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
    /* halves do not overflow */
    if (s->hi / 2 > s->lo / 2)
        return within((x / 2 - s->lo / 2) / (s->hi / 2 - s->lo / 2));
    return (s->base ? counter_value(s->base) : s->hi) == 0 ? 0 : 0.5; /* one value */
}

/* The nearest of the steps 0..most. Each result is stored in a double: registers of more bits would
 * round a value halfway between two steps to the other one. */
static int step_of(const struct scale *s, double x, int most) {
    double share = place(s, x), at = share * most;
    return (int)(at + 0.5);
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
    if (p->curve->scale == CURVE_SHARED) {
        scale->empty = !curve_group_extent(p->app, p->track->of, p->only, &scale->lo, &scale->hi);
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
    if (p->series && curve_extent(p->series, app->timeline.edges[0], window_end(&app->timeline),
                                  &least, &most)) {
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

/* Indices of the least and greatest sample of each column. */
static const size_t *columns_of(const struct plot *p) {
    struct app *app = p->app;
    uint32_t of = p->track->of;
    int64_t end = curve_end(app->trace, p->track);
    enum curve_mode mode = p->curve->mode;
    uint32_t changes = p->only ? app->timeline.only_changes : 0;
    struct curve_columns *d = &app->timeline.drawn[p->only != NULL];
    int n = app->timeline.window.columns;
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
    for (int c = 0; c < n; c++, v += 2) {
        int64_t from = app->timeline.edges[c], to = app->timeline.edges[c + 1];
        if (from > end || !curve_extent(p->series, from, to, &v[0], &v[1]))
            v[0] = v[1] = NO_SAMPLE;
    }
    return d->v;
}

struct fill { /* of a cell, in eighths */
    int sure, most;
};

static int clamp_eighths(int x) {
    if (x < 0)
        return 0;
    return x < 8 ? x : 8;
}

/* A column has an eighth at least, so that a value at the bottom of the scale is seen. */
static struct fill fill_of(const struct plot *p, const size_t v[2]) {
    size_t n;
    const struct counter_sample *samples = counter_samples(p->series, &n);
    int levels = p->height * 8, bottom = (p->height - 1 - p->row) * 8;
    int low = 1 + step_of(&p->scale, value_of(&p->scale, &samples[v[0]]), levels - 1),
        high = 1 + step_of(&p->scale, value_of(&p->scale, &samples[v[1]]), levels - 1);
    return (struct fill){clamp_eighths(low - bottom), clamp_eighths(high - bottom)};
}

/* One colour for all: each change of it takes ten bytes. */
static void put_fill(struct grid *g, int x, int y, const struct fill *fill, struct look look) {
    uint32_t cp = grid_level(g, fill->most);
    if (fill->most == 8 && fill->sure < 8)
        cp = g->ascii ? ':' : 0x2592;
    if (fill->most > 0)
        grid_put(g, x, y, cp, look);
}

static struct look look_of(const struct plot *p) {
    struct str name = trace_name(p->app->trace, p->series->name);
    if (p->app->grid.ascii || style_depth() == COLOR_MONO)
        return style_look(ROLE_CURVE);
    return (struct look){style_hashed(style_name_hash(name)).bg, LOOK_DEFAULT, 0};
}

/* Whether n cells are full or blank: a text hides nothing of the area there. */
static bool is_even(struct grid *g, int x, int y, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t cp = grid_at(g, x + i, y)->cp[0];
        if (cp != grid_level(g, 8) && cp != ' ')
            return false;
    }
    return true;
}

/* The last value of the window, over the end of the area, if it hides nothing of it. */
static void end_value(const struct plot *p, int last) {
    struct grid *g = &p->app->grid;
    size_t n;
    const struct counter_sample *samples = counter_samples(p->series, &n);
    size_t after = counter_from(p->series, window_end(&p->app->timeline));
    char buf[32];
    if (after == 0 || isnan(counter_value(&samples[after - 1])))
        return;
    const char *text = curve_text(&samples[after - 1], p->least, 0, buf);
    int width = (int)strlen(text), x = p->app->layout.lane + last + 1 - width;
    if (last + 1 < 4 * width || !is_even(g, x, p->y, width))
        return;
    for (int i = 0; i < width; i++) {
        struct look under = grid_at(g, x + i, p->y)->look, look = style_look(ROLE_VALUE);
        if (grid_at(g, x + i, p->y)->cp[0] == grid_level(g, 8))
            look = style_on(under.fg);
        grid_put(g, x + i, p->y, (unsigned char)text[i], look);
    }
}

static void area(const struct plot *p) {
    struct app *app = p->app;
    const size_t *v = columns_of(p);
    struct look look = look_of(p);
    int last = -1;
    for (int c = 0; c < app->timeline.window.columns; c++, v += 2) {
        if (v[0] == NO_SAMPLE)
            continue;
        struct fill fill = fill_of(p, v);
        put_fill(&app->grid, app->layout.lane + c, p->y, &fill, look);
        last = c;
    }
    if (p->row == p->height - 1 && last >= 0)
        end_value(p, last);
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

/* The columns of the gutter from the name of the process on. */
static int gutter_columns(const struct plot *p) {
    return p->app->layout.gutter - draw_gutter_indent(p->app, p->track);
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
    if ((int)strlen(text) + 2 > gutter_columns(p))
        text[at] = 0;
}

/* "6316k .. 18.58M": the scale's label gives way to it. */
static void range_text(const struct plot *p, char text[TEXT], char label[32]) {
    char least[32], most[32];
    int gutter = gutter_columns(p);
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
    int x = 1 + draw_gutter_indent(app, p->track);
    scale_label(p, label);
    if (p->row == 0) {
        struct str name = track_list_name(app->trace, p->track, buf);
        draw_gutter(app, p->y, x, name, label, draw_gutter_look(&app->timeline, p->track, 0));
        return;
    }
    int edge = app->layout.gutter - (int)strlen(label);
    if (p->row == 1 && p->now)
        value_text(p, edge - x - (label[0] != 0), text);
    if (p->row == 2 && p->least)
        range_text(p, text, label);
    else if (p->row == 3 && average(p, &mean))
        snprintf(text, sizeof text, "avg %s", curve_number(mean, buf));
    edge = app->layout.gutter - (int)strlen(label);
    int right = edge;
    if (label[0])
        right = edge > 1 ? edge - 1 : 1;
    grid_ztext(&app->grid, x, p->y, right, text, style_look(p->row == 1 ? ROLE_VALUE : ROLE_DIM));
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
    area(&p);
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
