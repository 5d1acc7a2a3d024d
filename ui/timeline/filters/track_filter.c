/* track_filter.c - the filter of tracks: which are listed, and what is done to the others. */
#include "ui/timeline/filters/track_filter.h"

#include "model/query/filter/filter_track.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/timeline/filters/track_subject.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/tracks.h"

static bool is_wanted(void *ctx, struct trace *trace, const struct track *track) {
    const struct timeline *timeline = ctx;
    return track_subject_matches(trace, track, timeline->filter, timeline->events, timeline->events_known);
}

bool track_filter_step(struct app *app, struct budget *budget) {
    struct timeline *timeline = &app->timeline;
    uint64_t hits;
    if (track_only_step(app, budget))
        return true;
    if (timeline->events == NULL || trace_unflushed(app->trace))
        return false;
    bool known = search_count(timeline->events, budget, &hits) && search_flow_threads_step(timeline->events, budget);
    if (known && !timeline->events_known) {
        timeline->events_known = true;
        tracks_update(app->trace, timeline);
        app->dirty = true;
    }
    return !known;
}

static void say_filter(struct app *app) {
    static const char *const others[] = {[LIST_HIDDEN] = "showing only matching tracks",
                                         [LIST_DIMMED] = "dimming tracks that do not match",
                                         [LIST_PLAIN] = "marking matching tracks"};
    session_say(app, false, "%s%s", app->timeline.filter ? others[app->timeline.tracks.others] : "showing all tracks",
                app->timeline.filter ? "; x changes that" : "");
}

void track_filter_free(struct timeline *timeline) {
    filter_free(timeline->filter);
    search_free(timeline->events);
    timeline->filter = NULL;
    timeline->events = NULL;
    timeline->events_known = false;
}

void track_filter_set(struct app *app, const char *text) {
    struct filter *filter = track_subject_filter(app, text);
    if (*text && filter == NULL)
        return;
    track_filter_free(&app->timeline);
    app->timeline.filter = filter;
    app->timeline.events = filter ? search_of(app->trace, filter_track_events(filter)) : NULL;
    app->timeline.tracks.match = filter ? is_wanted : NULL;
    app->timeline.tracks.match_ctx = &app->timeline;
    tracks_update(app->trace, &app->timeline);
    say_filter(app);
}

void track_filter_others(struct app *app) {
    if (app->timeline.filter == NULL && app->timeline.only == NULL) {
        session_say(app, false, "no filter: & filters tracks, :only events");
        return;
    }
    app->timeline.tracks.others = (app->timeline.tracks.others + 1) % (LIST_PLAIN + 1);
    tracks_update(app->trace, &app->timeline);
    if (app->timeline.only && app->timeline.filter == NULL)
        track_only_say(app);
    else
        say_filter(app);
}
