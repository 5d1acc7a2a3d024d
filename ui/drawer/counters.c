/* counters.c - all counters in view 7, one per line: at the cursor, and in the window. */
#include "ui/drawer/counters.h"

#include <math.h>
#include <stdio.h>

#include "src/base/units.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/track_ops.h"

#define COUNTERS_LISTED 200

enum { NAME_WIDTH = 20, CELL_WIDTH = 9 };
enum { WIDE = 96 }; /* columns of the screen from which on all fit */

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

static void line(struct drawer_text *p, const struct track *track, bool current, bool wide) {
    struct app *app = p->app;
    struct counter_series *s = counter_series(trace_counters(app->trace), track->of);
    const struct counter_sample *now = curve_at(s, app->timeline.cursor), *first;
    size_t n, i = counter_from(s, app->timeline.edges[0]),
              j = counter_from(s, app->timeline.edges[app->timeline.window.columns]), min, max;
    double average, delta = 0, seconds = 0;
    char count[32], buf[96];
    first = counter_samples(s, &n);
    bool has_before = now && now > first;
    if (has_before) {
        delta = counter_difference(now, now - 1);
        seconds = (double)(now->at.time - now[-1].at.time) / 1e9;
    }
    drawer_text_say(p, ROLE_GUTTER_CURRENT, current ? "> " : "  ");
    drawer_text_field(p, current ? ROLE_GUTTER_CURRENT : ROLE_TEXT, track_list_name(app->trace, track, buf),
                      NAME_WIDTH);
    const struct counter_sample *least = counter_extent(s, i, j, &min, &max) ? &first[min] : NULL;
    value(p, ROLE_VALUE, now, least);
    number(p, ROLE_TEXT, has_before, delta, true);
    if (wide)
        number(p, ROLE_TEXT, has_before && seconds > 0, seconds > 0 ? delta / seconds : 0, true);
    value(p, ROLE_TEXT, least, NULL);
    bool mean = counter_average(s, app->timeline.edges[0], app->timeline.edges[app->timeline.window.columns], &average);
    number(p, ROLE_TEXT, mean, average, false);
    value(p, ROLE_TEXT, least ? &first[max] : NULL, least);
    if (wide)
        cell(p, ROLE_DIM, units_count(j - i, true, count));
    cell(p, ROLE_DIM, units_count(n, true, count));
}

void counters_draw(struct drawer_text *p) {
    struct app *app = p->app;
    const struct track *here = session_track(&app->timeline);
    bool wide = app->grid.cols >= WIDE;
    static const struct {
        const char *title;
        bool wide;
    } cells[] = {{"value", false}, {"change", false}, {"rate/s", true},  {"min", false},
                 {"avg", false},   {"max", false},    {"in view", true}, {"samples", false}};
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_field(p, ROLE_DIM, STR("counter"), NAME_WIDTH);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (wide || !cells[i].wide)
            cell(p, ROLE_DIM, cells[i].title);
    drawer_text_next_line(p);
    size_t listed = 0;
    for (size_t i = 0; i < app->timeline.tracks.tracks.n && listed < COUNTERS_LISTED; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[i];
        if (track->kind != &track_counter)
            continue;
        if (drawer_text_visible(p))
            line(p, track, track == here, wide);
        drawer_text_next_line(p);
        listed++;
    }
    if (listed == 0) {
        drawer_text_say(p, ROLE_DIM, "  no counters in this trace");
        drawer_text_next_line(p);
    }
}
