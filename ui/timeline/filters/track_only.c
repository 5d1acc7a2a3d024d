/* track_only.c - :only, the filter of events. */
#include "ui/timeline/filters/track_only.h"

#include "model/query/filter/filter_lanes.h"
#include "ui/timeline/filters/track_subject.h"

/* The rows of what :only leaves. */
bool track_only_step(struct app *app, struct budget *budget) {
    bool news = false;
    if (app->timeline.only == NULL || trace_unflushed(app->trace))
        return false;
    bool more = filter_lanes_step(app->timeline.only, budget, &news);
    app->dirty = app->dirty || news;
    return more;
}

void track_only_say(struct app *app) {
    static const char *const others[] = {[LIST_HIDDEN] = "showing only events that match; x dims the others",
                                         [LIST_DIMMED] = "dimming events that do not match; x shows all",
                                         [LIST_PLAIN] = "showing all events; x hides those that do not match"};
    session_say(app, false, "%s", app->timeline.only ? others[app->timeline.tracks.others] : "showing all events");
}

void track_only_all(struct app *app) {
    filter_lanes_free(app->timeline.only);
    app->timeline.only = NULL;
    if (app->timeline.filter == NULL)
        app->timeline.tracks.others = LIST_HIDDEN;
    track_only_say(app);
}

void track_only_set(struct app *app, const char *text) {
    struct filter *filter = track_subject_filter(app, text);
    if (*text && filter == NULL)
        return;
    filter_lanes_free(app->timeline.only);
    app->timeline.only = filter ? filter_lanes_new(app->trace, filter) : NULL;
    if (app->timeline.tracks.others == LIST_PLAIN)
        app->timeline.tracks.others = LIST_HIDDEN;
    track_only_say(app);
}
