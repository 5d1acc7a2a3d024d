/* track_only.c - :only, the filter of events. */
#include "ui/timeline/filters/track_only.h"

#include "model/query/filter/filter_lanes.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/filters/track_subject.h"

/* A message with the number of events that are left. */
static void say_left(struct app *app) {
    const struct filter_lanes *only = app->timeline.only;
    char safe[80], n[32];
    uint64_t hits = filter_lanes_hits(only);
    text_plain(safe, sizeof safe, str_of(filter_lanes_text(only)), app->grid.ascii ? TEXT_ASCII : 0);
    if (hits == 0)
        session_say(app, true, "no event matches \"%s\"; :only shows all again", safe);
    else
        session_say(app, false, "%s %s %s; x %s", app->timeline.tracks.others == LIST_HIDDEN ? "showing only" : "marking",
                    units_count(hits, false, n), hits == 1 ? "event" : "events",
                    app->timeline.tracks.others == LIST_HIDDEN ? "dims the others" : "changes that");
}

bool track_only_step(struct app *app, struct budget *budget) {
    struct timeline *timeline = &app->timeline;
    bool news = false;
    if (timeline->only == NULL)
        return false;
    bool more = filter_lanes_step(timeline->only, budget, &news);
    if (!news)
        return more;
    timeline->only_changes++;
    if (!timeline->only_said)
        say_left(app);
    timeline->only_said = true;
    app->dirty = true;
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
    app->timeline.only_said = false;
    track_only_step(app, &app->answer);
}
