/* counters.c - all counters in view 7, one per line: at the cursor, and in the range, or else in
 * the window.
 *
 * On a narrow screen columns are left out until the rest fits; the value is always there. */
#include "ui/drawer/counters.h"

#include <math.h>
#include <stdio.h>

#include "src/base/units.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/track_ops.h"

#define COUNTERS_LISTED 200

enum { NAME_WIDTH = 20, CELL_WIDTH = 9 };
enum { C_VALUE, C_CHANGE, C_RATE, C_MIN, C_AVERAGE, C_MAX, C_IN_VIEW, C_SAMPLES, COLUMNS };

/* A bit per column that fits after the name; those that say least are left out first. */
static unsigned columns_of(int cols) {
    static const int gives_way[] = {C_IN_VIEW, C_RATE, C_SAMPLES, C_AVERAGE,
                                    C_CHANGE,  C_MIN,  C_MAX};
    unsigned shown = (1u << COLUMNS) - 1;
    int width = 2 + NAME_WIDTH + COLUMNS * CELL_WIDTH;
    for (size_t i = 0; i < sizeof gives_way / sizeof *gives_way && width >= cols; i++) {
        shown &= ~(1u << gives_way[i]);
        width -= CELL_WIDTH;
    }
    return shown;
}

static int name_width(int cols) { /* the value has space, too */
    int most = cols - 3 - CELL_WIDTH;
    if (most > NAME_WIDTH)
        return NAME_WIDTH;
    return most > 1 ? most : 1;
}

static void cell(struct drawer_text *p, enum role role, const char *s) {
    drawer_text_right(p, role, s, p->x + CELL_WIDTH);
}

static void number(struct drawer_text *p, enum role role, bool any, double x, bool sign) {
    char buf[24], text[32];
    snprintf(text, sizeof text, "%s%s", any && sign && x >= 0 ? "+" : "",
             any && !isnan(x) ? curve_number(x, buf) : "-");
    cell(p, role, text);
}

static void value(struct drawer_text *p, enum role role, const struct counter_sample *s,
                  const struct counter_sample *least) {
    char buf[32];
    cell(p, role, s ? curve_text(s, least, CELL_WIDTH - 1, buf) : "-");
}

/* The range, or the window if there is none. */
static void stretch(const struct app *app, int64_t *from, int64_t *to) {
    const struct range *range = session_range(app);
    struct slice_set set = range_slices(range, SLICE_ITER_COUNTERS);
    *from = range->timed ? set.from : app->timeline.edges[0];
    *to = range->timed ? set.to : app->timeline.edges[app->timeline.window.columns];
}

/* The cell of a column is left out unless its bit is set in `shown`. */
static void line(struct drawer_text *p, const struct track *track, bool current, unsigned shown) {
    struct app *app = p->app;
    struct counter_series *s = counter_series(trace_counters(app->trace), track->of);
    const struct counter_sample *now = curve_at(s, app->timeline.cursor), *first;
    int64_t from, to;
    stretch(app, &from, &to);
    size_t n, i = counter_from(s, from), j = counter_from(s, to), min, max;
    double average, delta = 0, seconds = 0;
    char count[32], buf[96];
    first = counter_samples(s, &n);
    bool has_before = now && now > first;
    if (has_before) {
        delta = counter_difference(now, now - 1);
        seconds = (double)(now->at.time - now[-1].at.time) / 1e9;
    }
    drawer_text_say(p, ROLE_GUTTER_CURRENT, current ? "> " : "  ");
    drawer_text_field(p, current ? ROLE_GUTTER_CURRENT : ROLE_TEXT,
                      track_list_name(app->trace, track, buf), name_width(app->grid.cols));
    const struct counter_sample *least = counter_extent(s, i, j, &min, &max) ? &first[min] : NULL;
    bool mean = counter_average(s, from, to, &average);
    if (shown & 1u << C_VALUE)
        value(p, ROLE_VALUE, now, least);
    if (shown & 1u << C_CHANGE)
        number(p, ROLE_TEXT, has_before, delta, true);
    if (shown & 1u << C_RATE)
        number(p, ROLE_TEXT, has_before && seconds > 0, seconds > 0 ? delta / seconds : 0, true);
    if (shown & 1u << C_MIN)
        value(p, ROLE_TEXT, least, NULL);
    if (shown & 1u << C_AVERAGE)
        number(p, ROLE_TEXT, mean, average, false);
    if (shown & 1u << C_MAX)
        value(p, ROLE_TEXT, least ? &first[max] : NULL, least);
    if (shown & 1u << C_IN_VIEW)
        cell(p, ROLE_DIM, units_count(j - i, true, count));
    if (shown & 1u << C_SAMPLES)
        cell(p, ROLE_DIM, units_count(n, true, count));
}

void counters_draw(struct drawer_text *p) {
    static const char *const titles[COLUMNS] = {"value", "change", "rate/s",  "min",
                                                "avg",   "max",    "in view", "samples"};
    struct app *app = p->app;
    const struct track *here = session_track(&app->timeline);
    unsigned shown = columns_of(app->grid.cols);
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_field(p, ROLE_DIM, STR("counter"), name_width(app->grid.cols));
    for (int i = 0; i < COLUMNS; i++)
        if (shown & 1u << i)
            cell(p, ROLE_DIM, i == C_IN_VIEW && session_range(app)->timed ? "in range" : titles[i]);
    drawer_text_next_line(p);
    size_t listed = 0;
    for (size_t i = 0; i < app->timeline.tracks.tracks.n && listed < COUNTERS_LISTED; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[i];
        if (track->kind != &track_counter ||
            !range_has_track(session_range(app), SLICE_ITER_COUNTER_TRACK + track->of))
            continue;
        if (drawer_text_visible(p))
            line(p, track, track == here, shown);
        drawer_text_next_line(p);
        listed++;
    }
    if (listed == 0) {
        drawer_text_say(p, ROLE_DIM,
                        range_any(session_range(app)) ? "  no counters in the range"
                                                      : "  no counters in this trace");
        drawer_text_next_line(p);
    }
}
