/* curve.c - the settings of each counter, its samples in the chosen mode, numbers as text, and the
 * commands that change the settings.
 *
 * Deltas and rates are a derived series, made when it is first drawn and again for each version of
 * the trace. */
#include "ui/timeline/kinds/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/trace/trace_life.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

/* ---- values ---- */

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

const char *curve_text(const struct counter_sample *s, const struct counter_sample *least, int room,
                       char buf[32]) {
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

const struct counter_sample *curve_at(struct counter_series *s, int64_t t) {
    size_t n, i = t == INT64_MAX ? (counter_samples(s, &n), n) : counter_from(s, t + 1);
    return i > 0 ? &counter_samples(s, &n)[i - 1] : NULL;
}

struct curve *curve_of(struct timeline *timeline, uint32_t series) {
    while (timeline->curves.n <= series)
        vec_push(&timeline->curves, ((struct curve){0}));
    return &timeline->curves.v[series];
}

struct counter_series *curve_series(struct app *app, uint32_t series,
                                    const struct filter_lanes *only) {
    struct curve *curve = curve_of(&app->timeline, series);
    struct counter_series *raw = only ? filter_lanes_counter(only, series)
                                      : counter_series(trace_counters(app->trace), series);
    uint32_t changes = only ? app->timeline.only_changes : 0;
    if (curve->mode == CURVE_VALUE || raw == NULL)
        return raw;
    struct curve_derived *d = &curve->derived[only != NULL];
    if (d->series == NULL || d->version != app->reload.version || d->changes != changes) {
        counter_series_free(d->series);
        *d = (struct curve_derived){counter_derive(raw, curve->mode == CURVE_RATE),
                                    app->reload.version, changes};
    }
    return d->series;
}

/* ---- commands ---- */

/* The curve of the current line; else NULL, and a message is shown. */
static struct curve *current_curve(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track && track->kind == &track_counter)
        return curve_of(&app->timeline, track->of);
    session_say(app, false, "not a counter: 7 lists them");
    return NULL;
}

void curve_next_scale(struct app *app) {
    static const char *const said[] = {"fits the values in view", "starts at zero",
                                       "is logarithmic", "is fixed"};
    struct curve *curve = current_curve(app);
    if (curve == NULL)
        return;
    curve->scale = (enum curve_scale)((curve->scale + 1) % CURVE_FIXED);
    session_say(app, false, "the scale %s", said[curve->scale]);
}

/* "0..100". The text is cut at the dots first, because "0." is a number, too. */
static bool range(const char *text, double *lo, double *hi) {
    char first[64];
    const char *dots = strstr(text, "..");
    char *end;
    if (dots == NULL || dots == text || (size_t)(dots - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(dots - text));
    first[dots - text] = 0;
    *lo = strtod(first, &end);
    if (end == first || *end)
        return false;
    *hi = strtod(dots + 2, &end);
    return end != dots + 2 && *end == 0 && isfinite(*lo) && isfinite(*hi) && *hi > *lo;
}

void curve_set_scale(struct app *app, const char *text) {
    static const char *const names[] = {"fit", "zero", "log"};
    struct curve *curve = current_curve(app);
    double lo, hi;
    if (curve == NULL)
        return;
    for (int i = 0; i < CURVE_FIXED; i++)
        if (strcmp(text, names[i]) == 0) {
            curve->scale = (enum curve_scale)i;
            return;
        }
    if (!range(text, &lo, &hi)) {
        session_say(app, true, "expected fit, zero, log or a range like 0..100");
        return;
    }
    curve->scale = CURVE_FIXED;
    curve->lo = lo;
    curve->hi = hi;
}

/* mode: enum curve_mode, or -1 for the next one. */
static void set_mode(struct app *app, int mode) {
    static const char *const said[] = {"values as recorded", "differences from the previous sample",
                                       "changes per second"};
    struct curve *curve = current_curve(app);
    if (curve == NULL)
        return;
    curve->mode =
        mode < 0 ? (enum curve_mode)((curve->mode + 1) % CURVE_MODES) : (enum curve_mode)mode;
    curve->derived[0].version = curve->derived[1].version = UINT64_MAX; /* derive again */
    session_say(app, false, "%s", said[curve->mode]);
}

void curve_next_mode(struct app *app) {
    set_mode(app, -1);
}

void curve_set_mode(struct app *app, const char *name) {
    static const char *const names[CURVE_MODES] = {"value", "delta", "rate"};
    for (int i = 0; i < CURVE_MODES; i++)
        if (strcmp(name, names[i]) == 0) {
            set_mode(app, i);
            return;
        }
    session_say(app, true, "expected value, delta or rate");
}

void curve_stack(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track == NULL || track->kind != &track_counter) {
        session_say(app, false, "not a counter: 7 lists them");
        return;
    }
    uint32_t leader = counter_leader(trace_counters(app->trace), track->of);
    bool stacked = !track_list_stacked(&app->timeline.tracks, leader);
    uint64_t line;
    track_list_stack(&app->timeline.tracks, leader, stacked);
    if (stacked)
        track_list_set_depth(&app->timeline.tracks, &track_counter, leader, 4);
    tracks_update(app->trace, &app->timeline);
    if (track_list_find(&app->timeline.tracks, &track_counter, leader, 0, &line))
        app->timeline.line = line;
    session_say(app, false, stacked ? "arguments stacked" : "arguments separate");
}

int64_t curve_end(const struct trace *trace, const struct track *track) {
    size_t n;
    struct counter_series *series = counter_series(trace_counters(trace), track->of);
    const struct counter_sample *v = counter_samples(series, &n);
    int64_t end = trace_process_end(trace, track->process);
    return n > 0 && v[n - 1].at.time > end ? v[n - 1].at.time : end;
}
