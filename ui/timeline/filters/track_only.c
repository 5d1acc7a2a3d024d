/* track_only.c - :only, the filter of events. */
#include "ui/timeline/filters/track_only.h"

#include <stdio.h>
#include <string.h>

#include "model/query/filter/filter_lanes.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/filters/track_subject.h"

#define MESSAGE 200

static void left_text(const struct app *app, uint64_t hits, char text[MESSAGE]) {
    char safe[80], n[32], fault[FILTER_FAULT];
    bool hides = app->timeline.tracks.others == LIST_HIDDEN;
    text_plain(safe, sizeof safe, str_of(filter_lanes_text(app->timeline.only)),
               app->grid.ascii ? TEXT_ASCII : 0);
    bool none = hits == 0 && trace_state(app->trace) == TRACE_COMPLETE;
    if (none && filter_lanes_fault(app->timeline.only, fault))
        snprintf(text, MESSAGE, "%s; :only shows all again", fault);
    else if (hits == 0)
        snprintf(text, MESSAGE, "no event matches \"%s\"; :only shows all again", safe);
    else
        snprintf(text, MESSAGE, "%s %s %s; x %s", hides ? "showing only" : "marking",
                 units_count(hits, false, n), hits == 1 ? "event" : "events",
                 hides ? "dims the others" : "changes that");
}

/* A message with the number of events that are left; and again with another number, as long as it
 * is shown. */
static void say_left(struct app *app) {
    struct timeline *timeline = &app->timeline;
    uint64_t hits = filter_lanes_hits(timeline->only);
    char text[MESSAGE], before[MESSAGE];
    if (timeline->only_said > 0) {
        left_text(app, timeline->only_said - 1, before);
        if (strcmp(app->message.text, before) != 0)
            return;
    }
    left_text(app, hits, text);
    session_say(app, hits == 0, "%s", text);
    timeline->only_said = hits + 1;
}

bool track_only_step(struct app *app) {
    struct timeline *timeline = &app->timeline;
    bool news = false;
    if (timeline->only == NULL)
        return false;
    bool more = filter_lanes_step(timeline->only, app->work, &news);
    if (!news)
        return more;
    timeline->only_changes++;
    say_left(app);
    app->dirty = true;
    return more;
}

void track_only_say(struct app *app) {
    static const char *const others[] = {
        [LIST_HIDDEN] = "showing only events that match; x dims the others",
        [LIST_DIMMED] = "dimming events that do not match; x shows all",
        [LIST_PLAIN] = "showing all events; x hides those that do not match"};
    session_say(app, false, "%s",
                app->timeline.only ? others[app->timeline.tracks.others] : "showing all events");
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
    app->timeline.only_said = 0;
    track_only_step(app);
}
