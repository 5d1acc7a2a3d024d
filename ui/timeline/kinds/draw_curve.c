/* draw_curve.c - a counter as a curve. Half columns in braille, whole ones in ASCII; each shows all from the least to
 * the greatest value in it, so that a peak of one sample is never lost. */
#include "ui/timeline/kinds/draw_curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/timeline/draw.h"
#include "ui/timeline/track_ops.h"

struct scale {
    double lo, hi;
    bool log, empty; /* empty: there is no value in view */
    const struct counter_sample *base, *most; /* of a scale that fits: values count from the least; else NULL */
};

/* Counted from a near one, large integers keep their last digits. */
static double value_of(const struct scale *s, const struct counter_sample *sample) {
    return s->base ? counter_difference(sample, s->base) : counter_value(sample);
}

static double within(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* 0..1 from the bottom; what is outside of a fixed scale lies at its edge. */
static double place(const struct scale *s, double x) {
    if (s->log) {
        double lo = log1p(s->lo > 0 ? s->lo : 0), hi = log1p(s->hi > 0 ? s->hi : 0);
        return hi > lo ? within((log1p(x > 0 ? x : 0) - lo) / (hi - lo)) : 0;
    }
    return s->hi / 2 > s->lo / 2 ? within((x / 2 - s->lo / 2) / (s->hi / 2 - s->lo / 2)) : 0.5; /* halves: no overflow */
}

/* The nearest of the steps 0..most. Each result is kept in a double: where registers hold more of it, a value halfway
 * between two would fall on the other one. */
static int step_of(const struct scale *s, double x, int most) {
    double share = place(s, x), at = share * most;
    return (int)(at + 0.5);
}

/* The least and the greatest of [from, to), the one that holds at `from` too. */
static bool extent(struct counter_series *s, int64_t from, int64_t to, size_t *least, size_t *most) {
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

static struct scale scale_of(struct app *app, const struct curve *curve, struct counter_series *s) {
    struct scale scale = {.hi = 1, .log = curve->scale == CURVE_LOG};
    size_t n, least, most;
    const struct counter_sample *v = counter_samples(s, &n);
    if (curve->scale == CURVE_FIXED)
        return (struct scale){.lo = curve->lo, .hi = curve->hi};
    scale.empty = !extent(s, app->timeline.edges[0], app->timeline.edges[app->timeline.window.columns], &least, &most);
    if (scale.empty)
        return scale;
    scale.lo = counter_value(&v[least]);
    scale.hi = counter_value(&v[most]);
    if (curve->scale == CURVE_ZERO || scale.log) {
        scale.lo = scale.lo < 0 ? scale.lo : 0;
        scale.hi = scale.hi > 0 ? scale.hi : 0;
    } else if (isfinite(counter_difference(&v[most], &v[least]))) {
        scale.base = &v[least];
        scale.most = &v[most];
        scale.lo = 0;
        scale.hi = value_of(&scale, scale.most);
    }
    return scale;
}

/* Pairs of what extent() says of each half column, or of each column where there are no halves. */
static const size_t *columns_of(struct app *app, uint32_t of, enum curve_mode mode, struct counter_series *s,
                                int halves) {
    struct curve_columns *d = &app->timeline.drawn;
    int n = app->timeline.window.columns * halves;
    if (d->v && d->of == of && d->mode == mode && d->from == app->timeline.window.from &&
        d->width == app->timeline.window.width && d->version == app->reload.version && d->n == n)
        return d->v;
    size_t *v = err_realloc(d->v, (size_t)n * 2, sizeof *v);
    *d = (struct curve_columns){v, of, mode, app->timeline.window.from, app->timeline.window.width, app->reload.version,
                                n};
    for (int c = 0; c < app->timeline.window.columns; c++) {
        int64_t edge = app->timeline.edges[c], width = app->timeline.edges[c + 1] - edge;
        for (int half = 0; half < halves; half++, v += 2) {
            int64_t from = edge + width / halves * half,
                    to = half + 1 < halves ? edge + width / halves : app->timeline.edges[c + 1];
            if (edge > trace_end(app->trace) || !extent(s, from, to > from ? to : from + 1, &v[0], &v[1]))
                v[0] = v[1] = NO_SAMPLE;
        }
    }
    return d->v;
}

static void dots(struct app *app, int y, int row, int height, const size_t *v, const struct counter_sample *samples,
                 const struct scale *scale) {
    static const unsigned char bits[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}; /* from the bottom */
    struct grid *g = &app->grid;
    int halves = g->ascii ? 1 : 2, per_row = g->ascii ? 2 : 4, levels = height * per_row;
    int bottom = (height - 1 - row) * per_row;
    struct look look = style_look(ROLE_CURVE);
    for (int c = 0; c < app->timeline.window.columns; c++) {
        unsigned cell = 0;
        for (int half = 0; half < halves; half++, v += 2) {
            if (v[0] == NO_SAMPLE)
                continue;
            int low = step_of(scale, value_of(scale, &samples[v[0]]), levels - 1),
                high = step_of(scale, value_of(scale, &samples[v[1]]), levels - 1);
            for (int level = low < bottom ? bottom : low; level <= high && level < bottom + per_row; level++)
                cell |= g->ascii ? 1u << (level - bottom) : bits[half][level - bottom];
        }
        static const char ascii[] = {' ', '.', '\'', ':'};
        if (cell)
            grid_put(g, app->layout.lane + c, y, g->ascii ? (uint32_t)ascii[cell] : 0x2800 + cell, look);
    }
}

/* One line alone: how high the greatest value of each column stands. */
static void levels(struct app *app, int y, struct counter_series *s, const struct scale *scale) {
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= trace_end(app->trace); c++) {
        size_t n, least, most;
        if (!extent(s, app->timeline.edges[c], app->timeline.edges[c + 1], &least, &most))
            continue;
        int level = 1 + step_of(scale, value_of(scale, &counter_samples(s, &n)[most]), 7);
        grid_put(&app->grid, app->layout.lane + c, y,
                 grid_level(&app->grid, level < 1   ? 1
                                        : level > 8 ? 8
                                                    : level),
                 style_look(ROLE_CURVE));
    }
}

const char *curve_number(double x, char buf[24]) {
    static const char units[] = " kMGTPE";
    double size = fabs(x), whole = x;
    int unit = 0;
    if (isnan(x)) {
        snprintf(buf, 24, "NaN");
        return buf;
    }
    while (size >= 9999.5 && unit < 6) {
        size /= 1000;
        x /= 1000;
        unit++;
    }
    if (size >= 9999.5 || (size > 0 && size < 0.001))
        snprintf(buf, 24, "%.2e", whole);
    else if (unit == 0 && x == floor(x))
        snprintf(buf, 24, "%.0f", x);
    else
        snprintf(buf, 24, unit ? "%.4g%c" : "%.4g", x, units[unit]);
    return buf;
}

const char *curve_text(const struct counter_sample *s, const struct counter_sample *least, int room, char buf[32]) {
    struct detail_argument a = {.type = counter_type(s), .bits = s->bits};
    char digits[64], same[24];
    double x = counter_value(s), more = least ? counter_difference(s, least) : 0;
    if (a.type != FXT_ARG_DOUBLE && fabs(x) >= 1e15) {
        struct str all = detail_value(&a, digits);
        if ((int)all.n <= room) {
            snprintf(buf, 32, "%.*s", (int)all.n, all.s);
            return buf;
        }
    }
    curve_number(x, buf);
    if (more > 0 && strcmp(curve_number(counter_value(least), same), buf) == 0)
        snprintf(buf, 32, "min+%s", curve_number(more, same));
    return buf;
}

/* The sample that holds at t, or NULL. */
const struct counter_sample *curve_at(struct counter_series *s, int64_t t) {
    size_t n, i = t == INT64_MAX ? (counter_samples(s, &n), n) : counter_from(s, t + 1);
    return i > 0 ? &counter_samples(s, &n)[i - 1] : NULL;
}

static void gutter(struct app *app, int y, const struct track *track, int row, struct counter_series *s,
                   const struct curve *curve, const struct scale *scale) {
    struct grid *g = &app->grid;
    bool current = app->timeline.line == track->top + (uint64_t)row;
    char buf[96], a[32], b[32], c[32], d[24], text[120] = "", right[32] = "";
    int height = (int)track->height;
    size_t n, i, j;
    const struct counter_sample *now = curve_at(s, app->timeline.cursor), *v = counter_samples(s, &n), *least = NULL;
    bool any = extent(s, app->timeline.edges[0], app->timeline.edges[app->timeline.window.columns], &i, &j);
    if (any)
        least = &v[i];
    static const char *const modes[] = {"", " (delta)", " (rate/s)"};
    if (scale->empty)
        ;
    else if (row == 0)
        snprintf(right, sizeof right, "%s",
                 height == 1   ? (now ? curve_text(now, least, 0, a) : "")
                 : scale->base ? curve_text(scale->most, least, 0, a)
                               : curve_number(scale->hi, a));
    else if (row == height - 1)
        snprintf(right, sizeof right, "%s", scale->base ? curve_text(least, NULL, 0, a) : curve_number(scale->lo, a));
    if (row == 0) {
        struct str name = track_list_name(app->trace, track, buf);
        draw_gutter(app, y, 1, name, right, style_look(current ? ROLE_GUTTER_CURRENT : ROLE_GUTTER));
        return;
    }
    double average;
    int edge = app->layout.gutter - (int)strlen(right), room = right[0] ? edge - 2 : edge - 1;
    if (row == 1 && now) {
        const char *value = curve_text(now, least, room, b);
        int at = snprintf(text, sizeof text, "%s%s%s", (int)strlen(value) < room ? "=" : "", value, modes[curve->mode]);
        if (height == 3 &&
            counter_average(s, app->timeline.edges[0], app->timeline.edges[app->timeline.window.columns], &average)) {
            snprintf(text + at, sizeof text - (size_t)at, "  avg %s", curve_number(average, d));
            if ((int)strlen(text) + 2 > app->layout.gutter)
                text[at] = 0;
        }
    }
    if (row == 2 && any) {
        snprintf(text, sizeof text, "%s .. %s", curve_text(least, NULL, 0, b), curve_text(&v[j], least, 0, c));
        if ((int)(strlen(text) + strlen(right)) + 3 > app->layout.gutter) { /* the scale gives way */
            right[0] = 0;
            if ((int)strlen(text) + 2 > app->layout.gutter)
                snprintf(text, sizeof text, "%s..%s", b, c);
        }
    } else if (row == 3 &&
               counter_average(s, app->timeline.edges[0], app->timeline.edges[app->timeline.window.columns], &average))
        snprintf(text, sizeof text, "avg %s", curve_number(average, b));
    edge = app->layout.gutter - (int)strlen(right);
    grid_ztext(g, 1, y, right[0] == 0 ? edge : edge > 1 ? edge - 1 : 1, text, style_look(row == 1 ? ROLE_VALUE : ROLE_DIM));
    grid_ztext(g, edge, y, app->layout.gutter, right, style_look(ROLE_DIM));
}

struct curve *curve_of(struct app *app, uint32_t series) {
    while (app->timeline.curves.n <= series)
        vec_push(&app->timeline.curves, ((struct curve){0}));
    return &app->timeline.curves.v[series];
}

struct counter_series *curve_series(struct app *app, uint32_t series) {
    struct curve *curve = curve_of(app, series);
    struct counter_series *raw = counter_series(trace_counters(app->trace), series);
    if (curve->mode == CURVE_VALUE)
        return raw;
    if (curve->derived == NULL || curve->version != app->reload.version) {
        counter_series_free(curve->derived);
        curve->derived = counter_derive(raw, curve->mode == CURVE_RATE);
        curve->version = app->reload.version;
    }
    return curve->derived;
}

#define STACKED 8 /* series of one stack that can be told apart */

/* What the series of a counter hold at t, as far as it is not negative; their sum. */
static double stack_at(struct app *app, uint32_t leader, uint32_t n, int64_t t, double values[STACKED]) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct counter_sample *s = curve_at(counter_series(trace_counters(app->trace), leader + i), t);
        double x = s ? counter_value(s) : 0;
        values[i] = x > 0 ? x : 0; /* NaN too */
        sum += values[i];
    }
    return sum;
}

static uint32_t stack_size(struct app *app, uint32_t leader) {
    const struct counters *counters = trace_counters(app->trace);
    uint32_t n = 1;
    while (n < STACKED && leader + n < counter_series_count(counters) && counter_leader(counters, leader + n) == leader)
        n++;
    return n;
}

static struct look stack_look(uint32_t i) {
    struct look look = style_slice((i + 1) * 2654435761u, false);
    return (struct look){look.bg, LOOK_DEFAULT, 0};
}

/* The series of a counter on each other, as they stand at the end of each column; zero is the bottom. */
static void draw_stack(struct app *app, int y, const struct track *track, int row) {
    struct grid *g = &app->grid;
    uint32_t n = stack_size(app, track->of);
    double values[STACKED], most = 0;
    int height = (int)track->height, bottom = (height - 1 - row) * 8;
    bool plain = g->ascii || style_depth() == COLOR_MONO;
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= trace_end(app->trace); c++) {
        double sum = stack_at(app, track->of, n, app->timeline.edges[c + 1] - 1, values);
        most = sum > most ? sum : most;
    }
    for (int c = 0; c < app->timeline.window.columns && app->timeline.edges[c] <= trace_end(app->trace) && most > 0;
         c++) {
        stack_at(app, track->of, n, app->timeline.edges[c + 1] - 1, values);
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
            } else { /* two meet in this cell: the lower as a block on the upper's colour */
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
        stack_at(app, track->of, n, app->timeline.cursor, values);
        snprintf(text, sizeof text, "%s =%s", name, curve_number(values[i], number));
        grid_put(g, 1, y, plain ? (uint32_t) "#+:.ox=-"[i] : 0x2588, plain ? style_look(ROLE_CURVE) : stack_look(i));
        grid_ztext(g, 3, y, app->layout.gutter, text, style_look(ROLE_DIM));
    }
}

void draw_curve(struct app *app, int y, const struct track *track, int row) {
    if (track_list_stacked(&app->timeline.tracks, track->of)) {
        draw_stack(app, y, track, row);
        return;
    }
    struct curve *curve = curve_of(app, track->of);
    struct counter_series *s = curve_series(app, track->of);
    struct scale scale = scale_of(app, curve, s);
    size_t n;
    gutter(app, y, track, row, s, curve, &scale);
    if (track->height == 1)
        levels(app, y, s, &scale);
    else
        dots(app, y, row, (int)track->height, columns_of(app, track->of, curve->mode, s, app->grid.ascii ? 1 : 2),
             counter_samples(s, &n), &scale);
    if (app->timeline.selection.kind == &track_counter_sample && app->timeline.selection.of == track->of) {
        int c = window_column(&app->timeline.window, app->timeline.selection.time);
        struct cell *cell =
            c >= 0 && c < app->timeline.window.columns ? grid_at(&app->grid, app->layout.lane + c, y) : NULL;
        if (cell)
            cell->look = style_selected(cell->look);
    }
}
