/* flow_nav.c - following a flow from slice to slice.
 *
 * The points of the selected slice are the choices; one of them is current. ( and ) choose among the flows, [ and ] go
 * to the previous and next point of the chosen one. A point without a slice is remembered with the version of the
 * trace, and is current as long as the cursor is on it. */
#include "ui/timeline/flow_nav.h"

#include <string.h>

#include "model/query/flow_slice.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

static const char *const modes[FLOWS_MODES] = {"chain", "direct", "all", "off"};

/* The points of the selected slice; *chosen: which of them. */
static size_t flow_nav_choices(struct app *app, uint32_t points[FLOW_NAV_CHOICES], size_t *chosen) {
    size_t n = 0;
    *chosen = 0;
    if (!selection_is_slice(&app->timeline.selection))
        return 0;
    n = flow_slice_points(app->trace, app->timeline.selection.of, app->timeline.selection.row,
                          app->timeline.selection.i, points, FLOW_NAV_CHOICES);
    if (app->flow.offset != app->timeline.selection.offset) { /* another slice: its first point with a next one */
        app->flow.offset = app->timeline.selection.offset;
        app->flow.choice = 0;
        for (size_t i = n; i > 0; i--)
            if (flow_link(trace_flows(app->trace), points[i - 1])->after != NO_POINT)
                app->flow.choice = (uint32_t)(i - 1);
    }
    if (n > 0)
        *chosen = app->flow.choice % n;
    return n;
}

/* One point per flow: its first one with a next point, or its first. *chosen: the index of the chosen flow. */
static size_t by_flow(struct app *app, uint32_t points[FLOW_NAV_CHOICES], size_t firsts[FLOW_NAV_CHOICES],
                      size_t *chosen) {
    const struct flows *flows = trace_flows(app->trace);
    size_t at, flow = 0, n = flow_nav_choices(app, points, &at);
    for (size_t i = 0; i < n; i++) {
        const struct flow_link *p = flow_link(flows, points[i]);
        size_t k = 0;
        while (k < flow && flow_link(flows, points[firsts[k]])->flow != p->flow)
            k++;
        if (k == flow)
            firsts[flow++] = i;
        else if (flow_link(flows, points[firsts[k]])->after == NO_POINT && p->after != NO_POINT)
            firsts[k] = i;
        if (p->flow == flow_link(flows, points[at])->flow)
            *chosen = k;
    }
    return flow;
}

size_t flow_nav_flows(struct app *app, size_t *chosen) {
    uint32_t points[FLOW_NAV_CHOICES];
    size_t firsts[FLOW_NAV_CHOICES];
    *chosen = 0;
    return by_flow(app, points, firsts, chosen);
}

bool flow_nav_current(struct app *app, uint32_t *point) {
    uint32_t points[FLOW_NAV_CHOICES];
    size_t chosen, n = flow_nav_choices(app, points, &chosen);
    if (n > 0) {
        *point = points[chosen];
        return true;
    }
    *point = app->flow.point;
    const struct flows *flows = trace_flows(app->trace);
    return !selection_any(&app->timeline.selection) && app->flow.point_version == app->reload.version &&
           app->flow.point < flow_point_count(flows) && flow_time(flows, app->flow.point) == app->timeline.cursor;
}

static void go_to(struct app *app, uint32_t point) {
    struct flow_slice_place at = flow_slice_place(app->trace, point);
    if (at.thread == NO_THREAD) {
        session_say(app, false, "that point has no thread");
        return;
    }
    if (at.in_slice) {
        uint32_t points[FLOW_NAV_CHOICES];
        size_t chosen;
        move_select(app, selection_of_slice(trace_thread(app->trace, at.thread), at.row, at.i));
        size_t n = flow_nav_choices(app, points, &chosen);
        for (size_t i = 0; i < n; i++)
            if (points[i] == point)
                app->flow.choice = (uint32_t)i;
        return;
    }
    uint64_t line;
    app->timeline.selection = (struct selection){0};
    if (track_list_find(&app->timeline.tracks, &track_thread, at.thread, 0, &line))
        app->timeline.line = line;
    move_to_time(app, at.start, false);
    app->flow.point = point;
    app->flow.point_version = app->reload.version;
}

static void follow(struct app *app, bool forward) {
    uint32_t point;
    if (!flow_nav_current(app, &point)) {
        session_say(app, false,
                    selection_is_slice(&app->timeline.selection) ? "no flow passes through this slice"
                                                                 : "no slice selected: h, l or Enter selects");
        return;
    }
    const struct flow_link *p = flow_link(trace_flows(app->trace), point);
    uint32_t to = forward ? p->after : p->before;
    const struct flow *f = flows_at(trace_flows(app->trace), p->flow);
    if (to != NO_POINT)
        go_to(app, to);
    else if (forward)
        session_say(app, false,
                    f->unresolved ? "unresolved: several open flows match this point"
                    : f->ended    ? "the flow ends here"
                                  : "the flow stops here: it has no end");
    else
        session_say(app, false, f->begun ? "the flow begins here" : "the flow has no begin");
}

void flow_nav_previous(struct app *app) {
    follow(app, false);
}

void flow_nav_next(struct app *app) {
    follow(app, true);
}

static void choose(struct app *app, int d) {
    uint32_t points[FLOW_NAV_CHOICES];
    size_t firsts[FLOW_NAV_CHOICES], chosen = 0, n = by_flow(app, points, firsts, &chosen);
    if (n < 2) {
        session_say(app, false,
                    n == 1 ? "only one flow passes through this slice" : "no flow passes through this slice");
        return;
    }
    chosen = (chosen + (d > 0 ? 1 : n - 1)) % n;
    app->flow.choice = (uint32_t)firsts[chosen];
    session_say(app, false, "flow %zu of %zu", chosen + 1, n);
}

void flow_nav_choose_previous(struct app *app) {
    choose(app, -1);
}

void flow_nav_choose_next(struct app *app) {
    choose(app, 1);
}

static void say_mode(struct app *app) {
    static const char *const said[FLOWS_MODES] = {"the whole flow of the selected slice", "only its direct hops",
                                                  "all flows in the window", "no arrows"};
    session_say(app, false, "flows %s: %s", modes[app->flow.mode], said[app->flow.mode]);
}

void flow_nav_mode(struct app *app) {
    app->flow.mode = (enum flows_mode)((app->flow.mode + 1) % FLOWS_MODES);
    say_mode(app);
}

void flow_nav_set_mode(struct app *app, const char *name) {
    for (int i = 0; i < FLOWS_MODES; i++)
        if (strcmp(name, modes[i]) == 0) {
            app->flow.mode = (enum flows_mode)i;
            say_mode(app);
            return;
        }
    session_say(app, true, "expected chain, direct, all or off");
}
