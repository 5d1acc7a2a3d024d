/* jobs.c - the array of all background work, and the one loop that does it.
 *
 * A job is asked whenever there is time. It checks whether there is work, and works until it is
 * done or time is up. It sets app->dirty if the screen shows its result. Jobs come first
 * in the array if their results are on the screen. To add one: a function and a row. */
#include "ui/jobs.h"

#include "src/base/own_trace.h"
#include "ui/as_track.h"
#include "ui/drawer/compare/slowest.h"
#include "ui/drawer/compare/tab_children.h"
#include "ui/drawer/compare/tab_why.h"
#include "ui/drawer/details.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/colors.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/filters/track_filter.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/tracks.h"
#include "ui/views/sql/view_sql.h"
#include "ui/views/stat/traces/view_traces.h"
#include "ui/views/view.h"
#include "ui/views/view_place.h"

struct background_job {
    const char *name;
    bool (*step)(struct app *app); /* true: there is more to do */
};

/* Statistics of flows while the drawer shows them. */
static bool step_flows(struct app *app) {
    uint32_t point;
    if (!app->drawer.open || app->drawer.tab != DRAWER_FLOWS ||
        !view_is(&app->views, MODE_TIMELINE | MODE_DRAWER) || !flow_nav_current(app, &point))
        return false;
    struct answer *stats = session_flow_stats(app->trace, &app->flow);
    return session_work(app, stats);
}

/* Total and self of all names, for the tab that shows them. */
static bool step_times(struct app *app) {
    return app->drawer.open && app->drawer.tab == DRAWER_SAME &&
           view_is(&app->views, MODE_TIMELINE | MODE_DRAWER) && tab_name_step_times(app);
}

/* Children of the selected slice while the drawer is open. */
static bool step_children(struct app *app) {
    return app->drawer.open && view_is(&app->views, MODE_TIMELINE | MODE_DRAWER) &&
           tab_children_step(app);
}

static bool step_why(struct app *app) {
    return app->drawer.open && app->drawer.tab == DRAWER_WHY &&
           view_is(&app->views, MODE_TIMELINE | MODE_DRAWER) && tab_why_step(app);
}

/* Hits of the search: their number, then the rank of the selected one. */
static bool step_hits(struct app *app) {
    struct find_state *find = &app->find;
    struct hit hit;
    if (find->search == NULL)
        return false;
    if (!find->hits_known) {
        find->hits_known = search_count(find->search, app->work, &find->hits);
        app->dirty = app->dirty || find->hits_known;
    }
    if (!find->hits_known)
        return true;
    if (!find_hit(app, &hit) || search_rank(find->search, &hit) > 0)
        return false;
    bool more = !search_rank_step(find->search, &hit, app->work);
    app->dirty = app->dirty || search_rank(find->search, &hit) > 0;
    return more;
}

/* Their columns below the overview. */
static bool step_hit_columns(struct app *app) {
    bool news = false;
    if (app->find.search == NULL || app->layout.hits < 0)
        return false;
    bool more = draw_overview_hits(app, &news);
    app->dirty = app->dirty || news;
    return more;
}

/* Busy threads above the tracks. */
static bool step_overview(struct app *app) {
    uint64_t version = app->timeline.overview.version;
    if (app->layout.overview < 0)
        return false;
    bool more = draw_overview_update(app);
    app->dirty = app->dirty || app->timeline.overview.version != version;
    return more;
}

/* Headers of processes with many threads. */
static bool step_headers(struct app *app) {
    struct timeline *timeline = &app->timeline;
    bool news = false;
    window_edges(&timeline->window, timeline->edges); /* the overview's are of the whole trace */
    struct process_busy_of of = draw_tracks_busy_of(timeline);
    bool more = process_busy_step(&timeline->busy, app->trace, &of, app->work, &news);
    app->dirty = app->dirty || news;
    return more;
}

/* Rows of tables: filter, order, search, statistics of flows. Then a place in the view that waits
 * for them. */
static bool step_view(struct app *app) {
    if (view_step(app))
        return true;
    return trace_state(app->trace) != TRACE_LOADING && !trace_unflushed(app->trace) &&
           view_place_step(app);
}

static const struct background_job jobs[] = {
    {"find", find_step},             /* the next hit */
    {"slowest", slowest_step},       /* of a name */
    {"list of tracks", tracks_step}, /* if they are many */
    {"tracks", track_filter_step},   /* that hold an event of the filter */
    {"view", step_view},
    {"overview", step_overview},
    {"headers", step_headers},
    {"range", ranges_step}, /* the number of its slices */
    {"flows", step_flows},
    {"samples", details_hot_step},   /* of the thread of the details */
    {"states", details_states_step}, /* of the thread of the selected slice */
    {"name", tab_name_step},         /* durations of all events with the selected one's name */
    {"children", step_children},
    {"why", step_why},     /* after the name, which it needs */
    {"times", step_times}, /* of all names */
    {"hits", step_hits},
    {"hit columns", step_hit_columns},
    {"colours", colors_step},          /* of names */
    {"other trace", view_traces_step}, /* freed */
    {"rows as tracks", as_track_step}, /* may wait a little, too */
    {"query", view_sql_step},          /* last: it may wait a little */
};

static bool step(struct app *app) {
    bool more = false;
    app->asks = true;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs && !task_over(app->work); i++) {
        TRACE_DURATION("jobs", jobs[i].name);
        more = jobs[i].step(app) || more;
    }
    app->asks = false;
    return more || task_over(app->work); /* then some were not asked */
}

bool jobs_step(struct app *app, struct task *task) {
    return session_within(app, task, step);
}
