/* track_filter.c - the filter of tracks: the listed tracks, and the treatment of the others.
 *
 * A new filter is asked about every track in steps (track_verdicts.h); then the list of tracks is
 * made again. So keys are answered while a filter is typed, however many tracks there are. The
 * first letter keeps the filter and the line from before, for Esc. Events that a filter asks for
 * are counted by a search, and then all tracks are asked again. */
#include "ui/timeline/filters/track_filter.h"

#include <string.h>

#include "model/query/filter/filter_track.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/timeline/filters/track_subject.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

/* The number of a track among those of its kind; headers count by process. */
static uint32_t verdict_place(const struct track *track) {
    if (track->kind->count || track->process == LIST_CPUS || track_known_is_host(track->process))
        return track->of;
    return track->process == NO_PROCESS ? 0 : track->process + 1;
}

static bool is_wanted(void *ctx, struct trace *trace, const struct track *track) {
    struct timeline *timeline = ctx;
    uint8_t *verdict = track_verdicts_at(&timeline->verdicts, trace_version(trace),
                                         track_ops_index(track->kind), verdict_place(track));
    if (*verdict == VERDICT_UNKNOWN)
        *verdict = track_subject_matches(trace, track, timeline->filter, timeline->events,
                                         timeline->events_known)
                       ? VERDICT_SHOWS
                       : VERDICT_HIDES;
    return *verdict == VERDICT_SHOWS;
}

#define ASK_UNITS 40 /* to ask the filter about a track */

/* Asks the filter about all tracks of a kind; false: time is up before. */
static bool ask_kind(struct app *app, const struct track_ops *kind) {
    struct timeline *timeline = &app->timeline;
    struct track_verdicts *v = &timeline->verdicts;
    const struct track_list *list = &timeline->tracks;
    bool header = kind == &track_process;
    uint32_t n = 0;
    if (header)
        n = (uint32_t)trace_process_count(app->trace);
    else if (kind->count)
        n = kind->count(app->trace);
    for (; v->next < n; v->next++) {
        if (task_over(app->work))
            return false;
        task_spend(app->work, ASK_UNITS);
        uint32_t of = v->next;
        struct track track = {
            .kind = kind, .of = header ? 0 : of, .process = header ? of : NO_PROCESS};
        if (kind->process)
            track.process = kind->process(app->trace, of);
        bool wanted = is_wanted(timeline, app->trace, &track);
        bool counts = !header && track_list_shows(list, kind) &&
                      (kind->shown == NULL || kind->shown(list, app->trace, of));
        v->of += counts;
        v->hits += counts && wanted;
    }
    v->next = 0;
    return true;
}

/* The list of tracks, after the filter is known for all of them. */
static void list_verdicts(struct app *app) {
    struct timeline *timeline = &app->timeline;
    struct filter_typing *typing = &timeline->typing;
    timeline->verdicts.pending = false;
    uint32_t row;
    struct track now = tracks_current(timeline, &row);
    if (typing->again) {
        now = typing->before;
        row = typing->row;
    }
    if (!tracks_update_at(app->trace, timeline, &now, row) && timeline->filter)
        tracks_to_first(app->trace, timeline); /* the filter hides the current one */
    if (typing->again && !typing->on)
        /* as far as there are lines: the controller scrolls to the current one */
        timeline->top = typing->top;
    typing->again = typing->on;
    app->dirty = true;
}

static bool ask_step(struct app *app) {
    struct track_verdicts *v = &app->timeline.verdicts;
    if (!v->pending)
        return false;
    if (v->version != trace_version(app->trace))
        track_verdicts_begin(v, trace_version(app->trace));
    for (; app->timeline.filter && v->kind < track_ops_count(); v->kind++)
        if (!ask_kind(app, track_ops[v->kind]))
            return true;
    list_verdicts(app);
    return false;
}

static void ask_again(struct app *app) {
    track_verdicts_begin(&app->timeline.verdicts, trace_version(app->trace));
}

/* A message, if the filter asks for what the whole trace does not have; else false. */
static bool say_fault(struct app *app) {
    const struct timeline *timeline = &app->timeline;
    char fault[FILTER_FAULT];
    bool any = timeline->events && timeline->events_known &&
               trace_state(app->trace) == TRACE_COMPLETE && search_fault(timeline->events, fault);
    if (any)
        session_say(app, true, "%s", fault);
    return any;
}

bool track_filter_step(struct app *app) {
    struct timeline *timeline = &app->timeline;
    uint64_t hits;
    if (track_only_step(app) || ask_step(app))
        return true;
    if (timeline->events == NULL)
        return false;
    bool known = search_count(timeline->events, app->work, &hits) &&
                 search_flow_threads_step(timeline->events, app->work);
    if (!known)
        return true;
    if (timeline->events_known && timeline->events_version == trace_version(app->trace))
        return false;
    timeline->events_known = true;
    if (!timeline->typing.on)
        say_fault(app);
    timeline->events_version = trace_version(app->trace);
    ask_again(app);
    return ask_step(app);
}

static void say_filter(struct app *app) {
    static const char *const others[] = {[LIST_HIDDEN] = "showing only matching tracks",
                                         [LIST_DIMMED] = "dimming tracks that do not match",
                                         [LIST_PLAIN] = "marking matching tracks"};
    if (say_fault(app))
        return;
    session_say(app, false, "%s%s",
                app->timeline.filter ? others[app->timeline.tracks.others] : "showing all tracks",
                app->timeline.filter ? "; x changes that" : "");
}

static void drop_filter(struct timeline *timeline) {
    filter_free(timeline->filter);
    search_free(timeline->events);
    timeline->filter = NULL;
    timeline->events = NULL;
    timeline->events_known = false;
}

void track_filter_free(struct timeline *timeline) {
    drop_filter(timeline);
    filter_free(timeline->typing.filter);
    search_free(timeline->typing.events);
    timeline->typing = (struct filter_typing){0};
    track_verdicts_free(&timeline->verdicts);
}

/* A filter takes the place of one that is freed or kept elsewhere. The list follows within the
 * time of the key, or as a job. */
static void put_filter(struct app *app, struct filter *filter, struct search *events, bool known) {
    struct timeline *timeline = &app->timeline;
    timeline->filter = filter;
    timeline->events = events;
    timeline->events_known = known;
    timeline->tracks.match = filter ? is_wanted : NULL;
    timeline->tracks.match_ctx = timeline;
    ask_again(app);
    ask_step(app);
}

static bool is_text_of(const struct filter *filter, const char *text) {
    return filter ? strcmp(filter_text(filter), text) == 0 : *text == 0;
}

/* The first letter keeps the state of the screen before it. */
static void begin_typing(struct timeline *timeline) {
    struct filter_typing *typing = &timeline->typing;
    *typing = (struct filter_typing){.on = true,
                                     .filter = timeline->filter,
                                     .events = timeline->events,
                                     .events_known = timeline->events_known,
                                     .again = true,
                                     .top = timeline->top};
    typing->before = tracks_current(timeline, &typing->row);
}

void track_filter_typed(struct app *app, const char *text) {
    struct timeline *timeline = &app->timeline;
    struct err err;
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if ((*text && filter == NULL) || is_text_of(timeline->filter, text)) {
        filter_free(filter);
        return;
    }
    if (timeline->typing.on)
        drop_filter(timeline);
    else
        begin_typing(timeline);
    put_filter(app, filter,
               filter ? search_of(app->trace, filter_track_events(filter, app->trace)) : NULL,
               false);
}

void track_filter_cancelled(struct app *app) {
    struct timeline *timeline = &app->timeline;
    struct filter_typing *typing = &timeline->typing;
    if (!typing->on)
        return;
    drop_filter(timeline);
    typing->on = false;
    typing->again = true;
    put_filter(app, typing->filter, typing->events, typing->events_known);
    typing->filter = NULL;
    typing->events = NULL;
}

/* The filter as it was typed stays, with its verdicts so far. */
static bool filter_taken(struct timeline *timeline, const char *text) {
    struct filter_typing *typing = &timeline->typing;
    if (!typing->on || !is_text_of(timeline->filter, text))
        return false;
    filter_free(typing->filter);
    search_free(typing->events);
    *typing = (struct filter_typing){0};
    return true;
}

void track_filter_set(struct app *app, const char *text) {
    if (!filter_taken(&app->timeline, text)) {
        track_filter_cancelled(app);
        struct filter *filter = track_subject_filter(app, text);
        if (*text && filter == NULL)
            return;
        drop_filter(&app->timeline);
        put_filter(app, filter,
                   filter ? search_of(app->trace, filter_track_events(filter, app->trace)) : NULL,
                   false);
    }
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
