/* flow_nav.c - following a flow from slice to slice.
 *
 * The points of the selected slice are the choices; one of them is current. ( and ) choose among
 * the flows, [ and ] go to the previous and next stop of the chosen one. From a slice without
 * points they go to the first point inside it. A point without a slice is remembered with the
 * version of the trace, and is current as long as the cursor is on it. */
#include "ui/timeline/flow_nav.h"

#include <string.h>

#include "model/query/flow_slice.h"
#include "src/base/text.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

static const char *const modes[FLOWS_MODES] = {"chain", "direct", "all", "off"};

/* The points of the selected slice; *chosen: which of them. */
static size_t flow_nav_choices(struct app *app, uint32_t points[FLOW_NAV_CHOICES], size_t *chosen) {
    size_t n = 0;
    *chosen = 0;
    if (!selection_is_slice(&app->timeline.selection))
        return 0;
    n = flow_slice_points(app->trace, app->timeline.selection.of, app->timeline.selection.row,
                          app->timeline.selection.i, points, FLOW_NAV_CHOICES);
    /* another slice: its first point with a next one */
    if (app->flow.offset != app->timeline.selection.offset) {
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

/* One point per flow: its first one with a next point, or its first. *chosen: the index of the
 * chosen flow. */
static size_t by_flow(struct app *app, uint32_t points[FLOW_NAV_CHOICES],
                      size_t firsts[FLOW_NAV_CHOICES], size_t *chosen) {
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
    return !selection_any(&app->timeline.selection) &&
           app->flow.point_version == app->reload.version &&
           app->flow.point < flow_point_count(flows) &&
           flow_time(flows, app->flow.point) == app->timeline.cursor;
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
    char buf[40], name[60];
    bool named;
    app->timeline.selection = (struct selection){0};
    move_show_row(app->trace, &app->timeline, &track_thread, at.thread, 0);
    move_to_time(app, at.start, false);
    app->flow.point = point;
    app->flow.point_version = app->reload.version;
    text_plain(name, sizeof name,
               trace_thread_name(app->trace, trace_thread(app->trace, at.thread), buf, &named),
               app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, false, "on %s at this time, outside any slice", name);
}

/* ---- a whole flow on the screen ---- */

/* The track of a point's slice comes on the screen, besides the current line: by scrolling, or it
 * is pinned. */
static void show_end(struct app *app, const struct flow_slice_place *end) {
    struct timeline *timeline = &app->timeline;
    int pinned = session_pinned_rows(app), height = app->layout.track_rows - pinned - (pinned > 0);
    uint64_t line, now = timeline->line, rows = height > 0 ? (uint64_t)height : 1;
    char buf[96], name[60];
    if (!track_list_find(&timeline->tracks, &track_thread, end->thread,
                         end->in_slice ? end->row : 0, &line) ||
        line < timeline->tracks.pinned)
        return; /* it is not shown, or is on the screen anyway */
    const struct track *track = track_list_at(&timeline->tracks, line);
    line += track->strip && end->in_slice && line + 1 < track->top + track->height;
    if (now < timeline->tracks.pinned)
        now = line; /* it stays on the screen, wherever that is scrolled to */
    uint64_t lo = line < now ? line : now, hi = line < now ? now : line;
    if (hi - lo < rows) {
        if (timeline->top > lo)
            timeline->top = lo;
        else if (timeline->top + rows <= hi)
            timeline->top = hi - rows + 1;
        return;
    }
    text_plain(name, sizeof name, track_list_name(app->trace, track, buf),
               app->grid.ascii ? TEXT_ASCII : 0);
    track_list_pin(&timeline->tracks, track->kind, track->of);
    tracks_update(app->trace, timeline);
    session_say(app, false, "pinned %s, the other end of the flow: P Enter unpins", name);
}

void flow_nav_show(struct app *app, uint32_t point) {
    const struct flows *flows = trace_flows(app->trace);
    const struct flow *flow = flows_at(flows, flow_link(flows, point)->flow);
    int64_t from = flow_time(flows, flow->first), to = flow_time(flows, flow->last);
    uint32_t other =
        flow_thread(flows, point) == flow_thread(flows, flow->last) ? flow->first : flow->last;
    struct flow_slice_place end = flow_slice_place(app->trace, other);
    if (end.thread != NO_THREAD) /* unfolds it; lines are final then */
        move_show_row(app->trace, &app->timeline, &track_thread, end.thread,
                      end.in_slice ? end.row : 0);
    go_to(app, point);
    if (end.thread != NO_THREAD)
        show_end(app, &end);
    move_to_time(app, flow_time(flows, point), from == to);
    if (to > from)
        window_fit(&app->timeline.window, from, to);
}

/* ---- from slice to slice ---- */

/* Selects the first slice inside the selected one that a flow passes through. */
static void descend(struct app *app) {
    const struct selection *now = &app->timeline.selection;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    uint32_t point = flow_slice_below(app->trace, now->of, now->row, now->i);
    char name[80], below[80];
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    text_plain(name, sizeof name, trace_slice_name(app->trace, s), flags);
    if (point == NO_POINT) {
        session_say(app, false, "no flow passes through %s or a slice inside it", name);
        return;
    }
    go_to(app, point);
    text_plain(below, sizeof below,
               trace_slice_name(app->trace, session_slice(app->trace, &app->timeline)), flags);
    session_say(app, false, "no flow in %s itself: the first one inside it is in %s", name, below);
}

#define POINTS_PASSED 4096 /* of one slice, by one key */

/* The next or previous point that is not in the slice of this one, or after many that are;
 * NO_POINT: there is none. */
static uint32_t other_stop(struct trace *trace, uint32_t point, bool forward) {
    const struct flows *flows = trace_flows(trace);
    struct flow_stats_stop here = flow_stats_stop_at(trace, point), there;
    unsigned passed = 0;
    do {
        point = forward ? flow_link(flows, point)->after : flow_link(flows, point)->before;
        if (point != NO_POINT)
            there = flow_stats_stop_at(trace, point);
    } while (point != NO_POINT && passed++ < POINTS_PASSED && flow_stats_join(&here, &there));
    return point;
}

static void follow(struct app *app, bool forward) {
    uint32_t point;
    if (!flow_nav_current(app, &point)) {
        if (selection_is_slice(&app->timeline.selection))
            descend(app);
        else
            session_say(app, false, "no slice selected: h, l or Enter selects");
        return;
    }
    const struct flow_link *p = flow_link(trace_flows(app->trace), point);
    uint32_t to = other_stop(app->trace, point, forward);
    const struct flow *f = flows_at(trace_flows(app->trace), p->flow);
    if (to != NO_POINT)
        go_to(app, to);
    else if (forward && f->unresolved)
        session_say(app, false, "unresolved: several open flows match this point");
    else if (forward)
        session_say(app, false,
                    f->ended ? "the flow ends here" : "the flow stops here: it has no end");
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
        const char *none = selection_any(&app->timeline.selection)
                               ? "no flow passes through this slice"
                               : "no slice selected: h, l or Enter selects";
        session_say(app, false, "%s", n == 1 ? "only one flow passes through this slice" : none);
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
    static const char *const said[FLOWS_MODES] = {"the whole flow of the selected slice",
                                                  "only its direct hops", "all flows in the window",
                                                  "no arrows"};
    session_say(app, false, "flows %s: %s", modes[app->flow.mode], said[app->flow.mode]);
}

void flow_nav_mode(struct app *app) {
    app->flow.mode = (enum flows_mode)((app->flow.mode + 1) % FLOWS_MODES);
    say_mode(app);
}

const char *flow_nav_mode_name(const struct app *app) {
    return modes[app->flow.mode];
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
