/* ranges.c - makes, changes and drops the range.
 *
 * While v extends it, each key is followed by ranges_follow(), which spans the range from the
 * anchor to the cursor. If the key selected an event, the range takes that whole event in. Tags are
 * a set of their own, so that they outlive a range. Without tags a range is of the tracks that a
 * filter of tracks leaves on the screen. */
#include "ui/timeline/range/ranges.h"

#include <stdio.h>
#include <string.h>

#include "model/query/stat/track_scope.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"

/* ---- tracks ---- */

/* The kinds whose tracks a range may have, and their numbers (track_scope.h). */
static const struct {
    const struct track_ops *kind;
    uint32_t base;
} kinds[] = {{&track_thread, 0},
             {&track_async, SLICE_ITER_ASYNC},
             {&track_counter, SLICE_ITER_COUNTER_TRACK},
             {&track_cpu, SCOPE_CPU}};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool is_hidden(const struct trace *trace, const struct track_ops *kind, uint32_t of) {
    return kind == &track_thread && trace_thread_hidden(trace, trace_thread(trace, of));
}

/* Whether a track is of the processes, or the CPUs, of a host. */
static bool is_on_host(struct trace *trace, const struct track_ops *kind, uint32_t of,
                       uint32_t process, uint32_t host) {
    if (kind == &track_cpu)
        return sched_cpu(trace_sched(trace), of)->world == host;
    if (kind == &track_thread)
        return trace_thread(trace, of)->id.world == host;
    return process < trace_process_count(trace) && trace_process(trace, process)->world == host;
}

static bool is_of(struct trace *trace, const struct track_ops *kind, uint32_t of, uint32_t header) {
    uint32_t process = kind->process(trace, of);
    if (track_known_is_host(header))
        return is_on_host(trace, kind, of, process, track_known_host_of(header));
    return process == header;
}

/* Adds the tracks of a process, of the CPUs or of a host to a set. */
static void put_process(struct trace *trace, uint32_t process, struct track_set *set, bool member) {
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t of = 0, n = kinds[k].kind->count(trace); of < n; of++)
            if (is_of(trace, kinds[k].kind, of, process) && !is_hidden(trace, kinds[k].kind, of))
                track_set_put(set, kinds[k].base + of, member);
}

/* The tracks of a line of the list; empty if it is of none of the kinds. */
static struct track_set tracks_of(struct trace *trace, const struct track *track) {
    struct track_set set = {0};
    if (track->kind->header)
        put_process(trace, track->process, &set, true);
    for (size_t k = 0; k < KINDS; k++)
        if (track->kind == kinds[k].kind)
            track_set_put(&set, kinds[k].base + track->of, true);
    return set;
}

static bool has_all(const struct track_set *set, const struct track_set *some) {
    for (size_t i = 0; i < some->v.n; i++)
        if (!track_set_has(set, some->v.v[i]))
            return false;
    return true;
}

static void copy_tracks(struct track_set *to, const struct track_set *from) {
    to->v.n = 0;
    for (size_t i = 0; i < from->v.n; i++)
        vec_push(&to->v, from->v.v[i]);
}

/* Whether a filter hides tracks. */
static bool filter_hides(const struct timeline *timeline) {
    return timeline->filter && timeline->tracks.others == LIST_HIDDEN;
}

static void put_shown(struct trace *trace, const struct track_list *list, struct track_set *set) {
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t of = 0, n = kinds[k].kind->count(trace); of < n; of++) {
            struct track track = {
                .kind = kinds[k].kind, .of = of, .process = kinds[k].kind->process(trace, of)};
            if (!is_hidden(trace, kinds[k].kind, of) && track_list_matches(list, trace, &track))
                track_set_put(set, kinds[k].base + of, true);
        }
    if (set->v.n == 0)
        track_set_put(set, SCOPE_NONE, true);
}

/* Sets the tracks again: the tagged ones, or those that the filter leaves. True: they are others
 * now. */
static bool choose_tracks(struct app *app) {
    struct range_state *state = &app->range;
    struct track_set set = {0};
    if (state->own_tracks)
        copy_tracks(&set, &state->range.tracks);
    else if (state->tagged.v.n > 0)
        copy_tracks(&set, &state->tagged);
    else if (state->range.timed && filter_hides(&app->timeline))
        put_shown(app->trace, &app->timeline.tracks, &set);
    bool same = set.v.n == state->range.tracks.v.n && has_all(&set, &state->range.tracks);
    track_set_free(&state->range.tracks);
    state->range.tracks = set;
    state->filter_remade = app->timeline.remade;
    return !same;
}

/* ---- changes ---- */

static void changed(struct app *app) {
    app->range.serial++;
    if (app->range.version != trace_version(app->trace)) {
        app->range.tracks = (uint32_t)track_scope_all(app->trace);
        app->range.version = trace_version(app->trace);
    }
    session_layout(app);
}

static void set_time(struct app *app, int64_t from, int64_t to) {
    range_set_time(&app->range.range, app->trace, from, to);
    choose_tracks(app);
    changed(app);
}

void ranges_set(struct app *app, int64_t from, int64_t to) {
    app->range.extending = app->range.own_tracks = false;
    set_time(app, from, to);
}

bool ranges_keep(struct app *app) {
    struct range_state *state = &app->range;
    if (!state->extending)
        return false;
    state->extending = false;
    if (state->range.from == state->range.to) {
        ranges_drop(app);
        session_say(app, false, "empty range: move the cursor between v and v");
    }
    app->dirty = true;
    return true;
}

void ranges_start(struct app *app) {
    struct range_state *state = &app->range;
    if (ranges_keep(app))
        return;
    state->own_tracks = false;
    state->anchor = state->at = app->timeline.cursor;
    state->seen = app->timeline.selection;
    state->whole_event = false;
    set_time(app, state->anchor, state->anchor);
    state->extending = true;
    session_say(app, false, "range: move to extend it, Enter keeps it, Esc drops it");
}

static bool same_event(const struct selection *a, const struct selection *b) {
    return a->kind == b->kind && a->of == b->of && a->time == b->time && a->offset == b->offset;
}

static void extend(struct app *app) {
    struct range_state *state = &app->range;
    struct timeline *timeline = &app->timeline;
    int64_t from = state->anchor, to = from, begin, end, at = timeline->cursor;
    bool fits = timeline->fit == FIT_FITS;
    if (selection_any(&timeline->selection) &&
        (fits || !same_event(&timeline->selection, &state->seen)))
        state->whole_event = true;
    else if (at != state->at)
        state->whole_event = false;
    state->seen = timeline->selection;
    state->at = at;
    from = at < from ? at : from;
    to = at > to ? at : to;
    if (state->whole_event && selection_stretch(app->trace, &timeline->selection, &begin, &end)) {
        from = begin < from ? begin : from;
        to = end > to ? end : to;
    }
    if (from != state->range.from || to != state->range.to)
        set_time(app, from, to);
}

void ranges_follow(struct app *app) {
    if (app->range.extending)
        extend(app);
    if (app->range.filter_remade != app->timeline.remade && range_any(&app->range.range) &&
        choose_tracks(app))
        changed(app);
}

void ranges_update(struct app *app, bool renewed) {
    struct range_state *state = &app->range;
    if (renewed) {
        ranges_drop(app);
        range_free(&state->kept);
        range_free(&state->dropped);
        state->kept = state->dropped = (struct range){0};
        state->kept_serial += state->has_kept;
        state->has_kept = state->has_dropped = false;
    }
    if (!range_any(&state->range))
        return;
    state->tracks = (uint32_t)track_scope_all(app->trace);
    state->version = trace_version(app->trace);
    if (choose_tracks(app))
        changed(app);
}

/* ---- commands ---- */

void ranges_selection(struct app *app) {
    struct selection *now = &app->timeline.selection;
    int64_t from, to;
    if (!selection_any(now)) {
        session_say(app, false, "nothing selected: h, l or Enter selects");
        return;
    }
    if (!selection_stretch(app->trace, now, &from, &to) || from == to) {
        session_say(app, false,
                    "this event has no length: select a slice, or start a range with v");
        return;
    }
    struct track track = {.kind = now->kind->track, .of = now->of};
    track_set_free(&app->range.range.tracks);
    app->range.range.tracks = tracks_of(app->trace, &track);
    app->range.extending = false;
    app->range.own_tracks = true;
    set_time(app, from, to);
}

void ranges_window(struct app *app) {
    const struct window *w = &app->timeline.window;
    int64_t from = w->from, to = window_edge(w, w->columns);
    int64_t begin = session_begin(app->trace, &app->timeline);
    int64_t end = session_end(app->trace, &app->timeline, &app->reload);
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    if (from >= to)
        session_say(app, false, "the window shows no time of the trace");
    else
        ranges_set(app, from, to);
}

void ranges_tag(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    struct range_state *state = &app->range;
    struct track_set some = track ? tracks_of(app->trace, track) : (struct track_set){0};
    if (some.v.n == 0) {
        session_say(
            app, false,
            "nothing to tag here: threads, operations, counters, CPUs and processes can be");
        track_set_free(&some);
        return;
    }
    if (state->own_tracks)
        copy_tracks(&state->tagged, &state->range.tracks);
    bool member = !has_all(&state->tagged, &some);
    for (size_t i = 0; i < some.v.n; i++)
        track_set_put(&state->tagged, some.v.v[i], member);
    track_set_free(&some);
    state->own_tracks = false;
    choose_tracks(app);
    changed(app);
    char text[96];
    if (state->tagged.v.n == 0)
        session_say(app, false, "no track is tagged: a range is of all that are shown");
    else
        session_say(app, false, "%s; Space again takes this off", session_range_text(app, text));
}

void ranges_tag_track(struct app *app, const struct track *track) {
    struct track_set some = tracks_of(app->trace, track);
    for (size_t i = 0; i < some.v.n; i++)
        track_set_put(&app->range.tagged, some.v.v[i], true);
    track_set_free(&some);
    app->range.own_tracks = false;
    choose_tracks(app);
    changed(app);
}

bool ranges_tagged_at(const struct app *app, size_t i, struct track *track) {
    const struct track_set *set =
        app->range.own_tracks ? &app->range.range.tracks : &app->range.tagged;
    if (i >= set->v.n)
        return false;
    size_t k = KINDS;
    while (k > 1 && kinds[k - 1].base > set->v.v[i]) /* their bases ascend */
        k--;
    *track = (struct track){.kind = kinds[k - 1].kind, .of = set->v.v[i] - kinds[k - 1].base};
    return true;
}

uint32_t ranges_thread_here(const struct app *app) {
    const struct track *track = session_track(&app->timeline);
    uint32_t thread = track_list_thread(track), only = NO_THREAD;
    size_t n = 0;
    for (uint32_t k = 0; track && track->kind->header && k < trace_thread_count(app->trace); k++)
        if (trace_thread(app->trace, k)->process == track->process) {
            only = k;
            n++;
        }
    return thread == NO_THREAD && n == 1 ? only : thread;
}

bool ranges_two_threads(struct app *app, uint32_t threads[2]) {
    const struct range_state *state = &app->range;
    const struct track_set *tagged = state->own_tracks ? &state->range.tracks : &state->tagged;
    size_t n = 0;
    /* operations and others follow */
    while (n < tagged->v.n && tagged->v.v[n] < trace_thread_count(app->trace))
        n++;
    threads[0] = n > 0 ? tagged->v.v[0] : NO_THREAD;
    threads[1] = n == 2 ? tagged->v.v[1] : ranges_thread_here(app);
    bool two = n > 0 && n <= 2 && threads[1] != NO_THREAD && threads[0] != threads[1];
    if (!two)
        session_say(app, true, "tag two threads: Space on each of them, then :compare threads");
    return two;
}

void ranges_zoom(struct app *app) {
    const struct range *range = session_range(app);
    int64_t end = session_end(app->trace, &app->timeline, &app->reload);
    if (!range->timed) {
        session_say(app, false,
                    "no range: v starts one, r takes the selected event, %% the window");
        return;
    }
    app->timeline.window_mode = WINDOW_PLACED;
    window_fit(&app->timeline.window, range->from, range->to);
    if (app->timeline.cursor < range->from || app->timeline.cursor > range->to)
        /* a trace that came again may be shorter */
        app->timeline.cursor = range->from < end ? range->from : end;
}

void ranges_compare(struct app *app) {
    char text[96];
    if (!range_any(&app->range.range)) {
        session_say(app, false,
                    "no range to keep: v starts one, r takes the selected event, %% the window");
        return;
    }
    ranges_keep(app);
    range_copy(&app->range.kept, &app->range.range);
    app->range.has_kept = true;
    app->range.kept_serial++;
    session_say(app, false, "kept for comparison: %s", session_range_text(app, text));
}

void ranges_drop(struct app *app) {
    struct range_state *state = &app->range;
    if (!range_any(&state->range) && state->tagged.v.n == 0)
        return;
    range_copy(&state->dropped, &state->range);
    state->has_dropped = state->range.from < state->range.to;
    range_free(&state->range);
    state->range = (struct range){0};
    state->tagged.v.n = 0;
    state->extending = state->own_tracks = false;
    changed(app);
}

void ranges_toggle(struct app *app) {
    struct range_state *state = &app->range;
    char text[96];
    if (range_any(&state->range)) {
        ranges_drop(app);
        session_say(app, false, "whole trace; v brings the range back");
    } else if (state->has_dropped) {
        range_copy(&state->range, &state->dropped);
        state->own_tracks = state->range.tracks.v.n > 0;
        changed(app);
        session_say(app, false, "%s; v drops it", session_range_text(app, text));
    } else {
        session_say(
            app, false,
            "no range: on the timeline v starts one, r takes the selected event, %% the window");
    }
}

void ranges_type(struct app *app, const char *text) {
    struct range range = {0};
    struct err err;
    if (strcmp(text, "off") == 0)
        ranges_drop(app);
    else if (strcmp(text, "window") == 0)
        ranges_window(app);
    else if (strcmp(text, "selection") == 0)
        ranges_selection(app);
    else if (session_typed_range(app, text, &range, &err))
        ranges_set(app, range.from, range.to);
    else
        session_say(app, true, "%s", err.text);
}

/* ---- its text ---- */

static void make(struct task *task, void *data) {
    struct range_count *count = data;
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, count->trace, &count->set);
    while (slice_iter_next(&iter, task, &run))
        count->slices += run.n;
}

static const struct answer_ops ops = {sizeof(struct range_count), make, NULL};

bool ranges_step(struct app *app) {
    struct range_state *state = &app->range;
    if (!range_any(&state->range))
        return false;
    if (!answer_is_of(&state->slices, app->trace, state->serial)) {
        struct range_count *count = answer_ask(&state->slices, &ops, app->trace, state->serial);
        count->trace = app->trace;
        count->set = range_slices(&state->range, SLICE_ITER_SLICES);
    }
    return session_work(app, &state->slices);
}

static bool counted(const struct app *app, uint64_t *slices) {
    const struct answer *answer = &app->range.slices;
    if (!answer->done || !answer_is_of(answer, app->trace, app->range.serial))
        return false;
    *slices = ((const struct range_count *)answer->shown)->slices;
    return true;
}

const char *ranges_text(const struct app *app, char buf[128]) {
    const struct range_state *state = &app->range;
    char words[96], count[32];
    uint64_t slices = 0;
    buf[0] = 0;
    if (!range_any(&state->range))
        return buf;
    session_range_text(app, words);
    char *tracks = strstr(words, "  ");
    if (tracks)
        *tracks = 0;
    const char *n = counted(app, &slices) ? units_count(slices, false, count) : "counting";
    snprintf(buf, 128, "%s  %s%s%s%s", words, n, slices == 1 ? " slice" : " slices",
             tracks ? "  " : "", tracks ? tracks + 2 : "");
    return buf;
}

bool ranges_tagged(const struct app *app, const struct track *track) {
    const struct range_state *state = &app->range;
    const struct track_set *set = state->own_tracks ? &state->range.tracks : &state->tagged;
    if (set->v.n == 0)
        return false;
    for (size_t k = 0; k < KINDS; k++)
        if (track->kind == kinds[k].kind)
            return track_set_has(set, kinds[k].base + track->of);
    return false;
}
