/* draw_counters.c - what the drawer says of all counters in view 7, side by side: at the cursor, and in the window. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/ticks.h"
#include "ui/draw.h"
#include "ui/pane.h"

#define COUNTERS_LISTED 200

enum { NAME_WIDTH = 20, WIDE = 96 }; /* columns; of the screen, from which on all of them have room */

/* Two blanks, the name cut or filled up. */
static void name(struct pane *p, const struct track *track, bool current) {
    struct app *app = p->app;
    char buf[96], safe[128], text[160];
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    struct str s = rows_name(app->trace, track, buf);
    while (text_width(s, flags, 1000) > NAME_WIDTH && s.n > 1)
        s.n--;
    text_plain(safe, sizeof safe, s, flags);
    int width = (int)text_width(str_of(safe), flags, 1000);
    snprintf(text, sizeof text, "%s%s%*s", current ? "> " : "  ", safe, NAME_WIDTH > width ? NAME_WIDTH - width : 0,
             "");
    pane_say(p, current ? ROLE_GUTTER_CURRENT : ROLE_TEXT, text);
}

static void cell(struct pane *p, enum role role, const char *s) {
    char text[48];
    int width = (int)text_width(str_of(s), 0, 40);
    snprintf(text, sizeof text, "%*s%s", width < 9 ? 9 - width : 1, "", s);
    pane_say(p, role, text);
}

static void number(struct pane *p, enum role role, bool any, double x, bool sign) {
    char buf[24], text[32];
    snprintf(text, sizeof text, "%s%s", any && sign && x >= 0 ? "+" : "",
             any && !isnan(x) ? curve_number(x, buf) : "-");
    cell(p, role, text);
}

static void line(struct pane *p, const struct track *track, bool current, bool wide) {
    struct app *app = p->app;
    struct counter_series *s = trace_counters(app->trace)->v.v[track->of];
    const struct counter_sample *now = curve_at(s, app->cursor), *first;
    if (p->line < app->drawer_scroll || p->line >= app->drawer_scroll + p->rows) { /* not shown: nobody asks */
        pane_next_line(p);
        return;
    }
    size_t n, i = counter_from(s, app->edges[0]), j = counter_from(s, app->edges[app->window.columns]);
    double min, max, average, delta = 0, seconds = 0;
    char count[32];
    first = counter_samples(s, &n);
    bool has_before = now && now > first;
    if (has_before) {
        delta = counter_difference(now, now - 1);
        seconds = (double)(now->at.time - now[-1].at.time) / 1e9;
    }
    name(p, track, current);
    number(p, ROLE_VALUE, now != NULL, now ? counter_value(now) : 0, false);
    number(p, ROLE_TEXT, has_before, delta, true);
    if (wide)
        number(p, ROLE_TEXT, has_before && seconds > 0, seconds > 0 ? delta / seconds : 0, true);
    bool any = counter_extent(s, i, j, &min, &max);
    number(p, ROLE_TEXT, any, min, false);
    bool mean = counter_average(s, app->edges[0], app->edges[app->window.columns], &average);
    number(p, ROLE_TEXT, mean, average, false);
    number(p, ROLE_TEXT, any, max, false);
    if (wide)
        cell(p, ROLE_DIM, ticks_count(j - i, true, count));
    cell(p, ROLE_DIM, ticks_count(n, true, count));
    pane_next_line(p);
}

void draw_counters(struct pane *p) {
    struct app *app = p->app;
    const struct track *here = app_track(app);
    bool wide = app->grid.cols >= WIDE;
    char text[160];
    snprintf(text, sizeof text, "  %-20s%9s%9s%s%9s%9s%9s%s%9s", "counter", "value", "change", wide ? "   rate/s" : "",
             "min", "avg", "max", wide ? "  in view" : "", "samples");
    pane_say(p, ROLE_DIM, text);
    pane_next_line(p);
    size_t listed = 0;
    for (size_t i = 0; i < app->rows.tracks.n && listed < COUNTERS_LISTED; i++) {
        const struct track *track = &app->rows.tracks.v[i];
        if (track->kind != TRACK_COUNTER)
            continue;
        line(p, track, track == here, wide);
        listed++;
    }
    if (listed == 0) {
        pane_say(p, ROLE_DIM, "  no counters in this trace");
        pane_next_line(p);
    }
}
