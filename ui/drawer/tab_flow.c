/* tab_flow.c - the tab of the flow that is followed: one line for each stop, with the hop that
 * leads to it.
 *
 * A stop is the points of the flow in one slice. Each hop is compared to all hops between the same
 * threads in flows of the same name. The columns of statistics that do not fit are left out. */
#include "ui/drawer/tab_flow.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/flow_nav.h"

#define POINTS_LISTED 1000
#define STOPS_LISTED 100

enum { C_SLICE, C_HOP, C_FLIGHT, C_COUNT, C_P50, C_P95, C_P99, C_MAX, C_VERDICT, COLUMNS };
enum { NAME_LEAST = 19, NAME_MOST = 60, NAME_WITH_TIME = 44, TIME_WIDTH = 14 };

/* *current: the stop of that point. */
static void stops_of(struct trace *trace, uint32_t first, uint32_t *current,
                     struct flow_stats_stops *to, bool *all) {
    const struct flows *flows = trace_flows(trace);
    uint32_t k = first, at = *current;
    *current = UINT32_MAX;
    for (int points = 0; k != NO_POINT && points < POINTS_LISTED;
         k = flow_link(flows, k)->after, points++) {
        uint32_t stop = flow_stats_add(to, trace, k);
        if (to->n > STOPS_LISTED) {
            to->n--;
            break;
        }
        if (k == at)
            *current = stop;
    }
    *all = k == NO_POINT;
}

/* Sets the widths of the columns after the name, 0 for those that do not fit; returns the width of
 * the name. */
static int widths_of(int cols, int width[COLUMNS]) {
    static const int wanted[COLUMNS] = {9, 10, 10, 6, 9, 9, 9, 9, 16};
    static const int gives_way[] = {C_P95,    C_COUNT, C_MAX, C_P99,
                                    C_FLIGHT, C_SLICE, C_P50, C_VERDICT};
    int name = cols - 5; /* without mark, arrow and margin */
    for (int c = 0; c < COLUMNS; c++) {
        width[c] = wanted[c];
        name -= wanted[c];
    }
    for (size_t i = 0; i < sizeof gives_way / sizeof *gives_way && name < NAME_LEAST; i++) {
        name += width[gives_way[i]];
        width[gives_way[i]] = 0;
    }
    if (name < 1)
        return 1;
    return name > NAME_MOST ? NAME_MOST : name;
}

static void cell(struct drawer_text *p, enum role role, const char *s, int width) {
    if (width > 0)
        drawer_text_right(p, role, s, p->x + width);
}

/* "main/2107 Submit" */
static void place(struct drawer_text *p, const struct flow_stats_stop *stop, bool current,
                  int width) {
    struct trace *trace = p->app->trace;
    char thread[PHRASE_TEXT / 2], both[PHRASE_TEXT], when[48];
    struct str name = phrase_thread(trace, stop->place.thread, NULL, thread, sizeof thread);
    struct str slice = phrase_place(trace, &stop->place);
    int times = width >= NAME_WITH_TIME ? TIME_WIDTH : 0;
    struct str text =
        phrase_join(both, sizeof both, name, " ", slice.n > 0 ? slice : STR("in no slice"));
    struct drawer_link link = {.kind = DRAWER_LINK_POINT, .of = stop->point};
    drawer_text_field(p, drawer_text_link(p, &link, current ? ROLE_GUTTER_CURRENT : ROLE_TEXT),
                      text, width - times);
    cell(p, ROLE_DIM, session_point(p->app, stop->first, session_resolution(p->app->trace), when),
         times);
}

struct line {                                  /* of a stop */
    const struct flow_stats_stop *stop, *from; /* from: NULL if no hop leads here */
    bool current;
    const struct aggregate_row *hops; /* between the same threads; NULL: not known */
};

static void stop_line(struct drawer_text *p, const struct line *line, const int width[COLUMNS],
                      int name) {
    struct app *app = p->app;
    const struct flow_stats_stop *stop = line->stop;
    const struct aggregate_row *h = line->hops;
    bool ascii = app->grid.ascii, first = line->from == NULL;
    char text[32];
    drawer_text_glyph(p, ROLE_GUTTER_CURRENT, line->current ? '>' : ' ');
    if (ascii)
        drawer_text_glyph(p, ROLE_ARROW, first ? 'o' : '+');
    else
        drawer_text_glyph(p, ROLE_ARROW, first ? 0x25cf : 0x2570);
    drawer_text_glyph(p, ROLE_ARROW, first ? ' ' : grid_glyph(&app->grid, GLYPH_RIGHT));
    place(p, stop, line->current, name);
    cell(p, ROLE_TEXT,
         stop->place.in_slice
             ? units_duration(units_since(stop->place.start, stop->place.end), ascii, text)
             : "-",
         width[C_SLICE]);
    if (first) {
        drawer_text_next_line(p);
        return;
    }
    int64_t transit = flow_stats_transit(line->from, stop),
            flight = flow_stats_in_flight(line->from, stop);
    enum role role = h && quantiles_slow(&h->durations, transit) ? ROLE_WARN : ROLE_VALUE;
    cell(p, role, units_duration(transit, ascii, text), width[C_HOP]);
    cell(p, ROLE_TEXT, flight > 0 ? units_duration(flight, ascii, text) : "-", width[C_FLIGHT]);
    if (h) {
        cell(p, ROLE_DIM, units_count(h->durations.v.n, true, text), width[C_COUNT]);
        for (int c = C_P50; c <= C_MAX; c++)
            cell(p, ROLE_TEXT,
                 units_duration(quantiles_at(&h->durations, quantiles_shown[c - C_P50]), ascii,
                                text),
                 width[c]);
        flow_stats_verdict(h, transit, text);
        p->x += 2;
        if (width[C_VERDICT] > 0)
            drawer_text_say(p, role == ROLE_WARN ? role : ROLE_DIM, text);
    } else if (stop->damaged) {
        drawer_text_say(p, ROLE_WARN, PHRASE_DAMAGED);
    }
    drawer_text_next_line(p);
}

/* "frame  id 0x2a41  4 points  3 hops  16.60 ms = hops 16.60 ms  rank 1 of 23 (p100.0)", cut if it
 * is too long. */
static void title(struct drawer_text *p, uint32_t flow, size_t of, size_t chosen) {
    struct app *app = p->app;
    const struct flows *flows = trace_flows(app->trace);
    const struct flow *f = flows_at(flows, flow);
    struct phrase words[PHRASE_FLOW];
    char text[64];
    drawer_text_value(p, ROLE_HEADER, trace_name(app->trace, flow_name(flows, f->first)));
    snprintf(text, sizeof text, "  id 0x%" PRIx64 "  ", flow_id(flows, f->first));
    drawer_text_say(p, ROLE_DIM, text);
    int n = phrase_flow(app, flow, words);
    for (int k = flow_complete(f); k < n; k++) {
        int left =
            app->grid.cols - p->x - (int)text_width(str_of(words[k].text), 0, sizeof words->text);
        if (left < 0 && k >= 3)
            break;
        drawer_text_say(p, words[k].role, words[k].text + (k == 1 && flow_complete(f) ? 2 : 0));
    }
    if (of > 1) {
        snprintf(text, sizeof text, "  flow %zu of %zu in this slice: ( and )", chosen + 1, of);
        if (p->x + (int)strlen(text) > app->grid.cols)
            drawer_text_next_line(p);
        drawer_text_say(p, ROLE_DIM, text);
    }
    drawer_text_next_line(p);
}

void tab_flow_draw(struct drawer_text *p) {
    static const char *const titles[COLUMNS] = {"slice", "hop", "in flight", "n", "p50",
                                                "p95",   "p99", "max",       ""};
    struct app *app = p->app;
    const struct flows *flows = trace_flows(app->trace);
    const struct answer *answer = session_flow_stats(app->trace, &app->flow);
    const struct flow_stats *stat = answer->next;
    struct flow_stats_stops stops = {0};
    uint32_t point;
    int width[COLUMNS];
    bool all, known = answer->done;
    size_t chosen, of = flow_nav_flows(app, &chosen);
    if (!flow_nav_current(app, &point)) {
        drawer_text_say(p, ROLE_DIM,
                        !selection_any(&app->timeline.selection)
                            ? "nothing is selected"
                            : "no flow passes through this event");
        drawer_text_next_line(p);
        return;
    }
    uint32_t flow = flow_link(flows, point)->flow;
    title(p, flow, of, chosen);
    stops_of(app->trace, flows_at(flows, flow)->first, &point, &stops, &all);
    int name = widths_of(app->grid.cols, width);
    uint32_t place = flow_stats_place(stat, flow_name(flows, flows_at(flows, flow)->first));
    p->x += 3 + name;
    for (int c = 0; c <= C_FLIGHT || (c < COLUMNS && known); c++)
        cell(p, ROLE_LABEL, titles[c], width[c]);
    if (!known)
        drawer_text_say(p, ROLE_DIM, "  counting");
    drawer_text_next_line(p);
    for (size_t i = 0; i < stops.n; i++) {
        struct line line = {&stops.v[i], NULL, i == point, NULL};
        if (line.stop->from != FLOW_STATS_NO_HOP)
            line.from = &stops.v[line.stop->from];
        if (known && line.from && !line.stop->damaged)
            line.hops =
                flow_stats_between(stat, place, line.from->place.thread, line.stop->place.thread);
        stop_line(p, &line, width, name);
    }
    vec_free(&stops);
    if (!all) {
        drawer_text_say(p, ROLE_DIM, "   and more");
        drawer_text_next_line(p);
    }
}
