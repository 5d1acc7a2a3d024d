/* offsets.c - :offset, :align and :same-host.
 *
 * An offset moves all times of a trace, and everything is read again. The base of times may be
 * another one then: places that the interface keeps are moved by the difference. */
#include "ui/offsets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter/filter_match.h"
#include "model/query/flow_bounds.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/app.h"
#include "ui/as_track.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/sql/view_sql.h"

#define STEP_BYTES (4u << 20)

/* ---- the trace that something is in ---- */

static size_t file_of_track(struct trace *trace, const struct track *track) {
    uint64_t offset = 0;
    if (track == NULL)
        return trace_reference(trace);
    if (track->kind == &track_trace)
        for (size_t i = 0; i < trace_files(trace); i++)
            if (trace_file_world(trace, i) == track->of)
                return i;
    if (track->kind->thread)
        offset = trace_thread(trace, track->of)->id.offset;
    else if (track->process < trace_process_count(trace))
        offset = trace_process(trace, track->process)->offset;
    return trace_record_file(trace, offset);
}

static size_t file_here(struct app *app) {
    const struct selection *now = &app->timeline.selection;
    if (selection_any(now))
        return trace_record_file(app->trace, now->offset);
    return file_of_track(app->trace, session_track(&app->timeline));
}

/* ---- times that the interface remembers ---- */

static void move(int64_t *time, int64_t by) {
    *time = units_sum(*time, by);
}

static void move_range(struct range *range, int64_t by) {
    move(&range->from, by);
    move(&range->to, by);
}

/* base: of times that are of no trace; here: of those of the trace that the cursor is in. */
static void move_times(struct app *app, int64_t base, int64_t here, const bool *marks,
                       int64_t moved) {
    struct timeline *timeline = &app->timeline;
    move(&timeline->window.from, here);
    move(&timeline->cursor, here);
    move(&timeline->selection.time, here);
    move(&timeline->tracks.window.from, here);
    move(&timeline->tracks.window.to, here);
    for (size_t i = 0; i < timeline->back.n; i++) {
        move(&timeline->back.v[i].from, base);
        move(&timeline->back.v[i].cursor, base);
    }
    for (size_t i = 0; i < timeline->forth.n; i++) {
        move(&timeline->forth.v[i].from, base);
        move(&timeline->forth.v[i].cursor, base);
    }
    move_range(&app->range.range, here);
    move_range(&app->range.dropped, here);
    move_range(&app->range.kept, base);
    move(&app->range.anchor, here);
    move(&app->range.at, here);
    for (int i = 0; i < MARKS; i++)
        move(&app->marks.v[i].time, marks[i] ? units_sum(base, moved) : base);
    for (size_t i = 0; i < app->marks.notes.n; i++)
        move(&app->marks.notes.v[i].time, base);
    move(&app->reload.end, here > base ? here : base);
}

/* ---- an offset ---- */

/* Reads until the base of times is known: all of it if nothing is drawn meanwhile. */
static void read_begin(struct app *app, struct wide *zero) {
    do
        trace_step(app->trace, STEP_BYTES);
    while (trace_state(app->trace) == TRACE_LOADING &&
           (app->printed || !trace_reference_zero(app->trace, zero)));
    trace_reference_zero(app->trace, zero);
}

static bool set(struct app *app, size_t file, int64_t ns) {
    struct wide before = {0, 0}, after = before;
    struct err err;
    bool marks[MARKS], here = file_here(app) == file;
    int64_t was = trace_offset(app->trace, file), moved = units_since(was, ns);
    for (int i = 0; i < MARKS; i++)
        marks[i] = app->marks.v[i].any &&
                   file_of_track(app->trace, track_list_at(&app->timeline.tracks,
                                                           app->marks.v[i].line)) == file;
    bool known = trace_reference_zero(app->trace, &before);
    view_sql_halt(app);
    as_track_halt(app);
    if (!trace_set_offset(app->trace, file, ns, &err)) {
        session_say(app, true, "%s", err.text);
        return false;
    }
    read_begin(app, &after);
    int64_t base = known ? wide_diff(before, after, INT64_MAX) : 0;
    move_times(app, base, here ? units_sum(base, moved) : base, marks, moved);
    if (app->timeline.window_mode == WINDOW_WHOLE && app->timeline.touched)
        app->timeline.window_mode = WINDOW_WHOLE;
    app_update(app);
    app->offsets = (struct offsets_state){.any = true, .fresh = true, .file = file, .before = was};
    return true;
}

static void name_of(const struct app *app, size_t file, char name[60]) {
    text_plain(name, 60, str_of(trace_file_name(app->trace, file)),
               app->grid.ascii ? TEXT_ASCII : 0);
}

static void say_offset(struct app *app, size_t file, const char *more) {
    char name[60], how[TRACE_ALIGNED_TEXT], ns[32];
    int64_t offset = trace_offset(app->trace, file);
    name_of(app, file, name);
    session_say(app, false, "%s: offset %s%s; it begins %s%s", name, offset < 0 ? "-" : "+",
                units_duration(offset < 0 ? -offset : offset, app->grid.ascii, ns),
                trace_aligned_text(app->trace, file, app->grid.ascii, how), more);
}

static bool is_several(struct app *app) {
    if (trace_files(app->trace) > 1)
        return true;
    session_say(app, true, "one trace is open: fxtop FILE FILE opens two");
    return false;
}

/* Finds the trace that a text begins with: the longest name. *rest: the text after it. */
static bool take_name(struct app *app, const char *text, size_t *file, const char **rest) {
    struct err err;
    for (size_t n = strlen(text); n > 0; n--) {
        if (text[n] != '\0' && text[n] != ' ')
            continue;
        if (trace_file_named(app->trace, (struct str){text, n}, file, &err)) {
            *rest = text + n + strspn(text + n, " ");
            return true;
        }
    }
    trace_file_named(app->trace, (struct str){text, strcspn(text, " ")}, file, &err);
    session_say(app, true, "%s", err.text);
    return false;
}

void offsets_type(struct app *app, const char *text) {
    size_t file;
    const char *rest;
    int64_t ns;
    if (!is_several(app) || !take_name(app, text, &file, &rest))
        return;
    if (*rest == '\0') {
        say_offset(app, file, "");
        return;
    }
    bool adds = strncmp(rest, "+=", 2) == 0;
    const char *time = rest + (adds ? 2 : 0);
    time += strspn(time, " ");
    bool minus = *time == '-', sign = minus || *time == '+';
    if (!units_parse(time + sign, strlen(time + sign), &ns)) {
        session_say(app, true, ":offset expects NAME and a time: :offset client +12ms");
        return;
    }
    ns = minus ? -ns : ns;
    if (adds)
        ns = units_sum(trace_offset(app->trace, file), ns);
    if (set(app, file, ns))
        say_offset(app, file, "; u takes it back");
}

void offsets_back(struct app *app) {
    if (!app->offsets.any) {
        session_say(app, false, "no trace was moved");
        return;
    }
    size_t file = app->offsets.file;
    if (set(app, file, app->offsets.before))
        say_offset(app, file, "");
}

/* ---- :align ---- */

static bool take_mark(struct app *app, const char **text, int64_t *time) {
    const char *at = *text;
    if (at[0] != '\'' || at[1] < 'a' || at[1] > 'z' || (at[2] != ' ' && at[2] != '\0'))
        return false;
    const struct mark *mark = &app->marks.v[at[1] - 'a'];
    *time = mark->time;
    *text = at + 2 + strspn(at + 2, " ");
    return mark->any;
}

/* The first event of a file that a filter holds for. */
static bool first_event(struct filter_match *match, struct trace *trace, size_t file,
                        int64_t *first) {
    struct slice_series series;
    uint32_t track = 0, row = 0;
    bool any = false;
    while (slice_iter_series(trace, filter_match_kinds(match), &track, &row, &series))
        for (uint32_t i = 0; i < series.n; i++) {
            int64_t time = slice_iter_time(&series, i);
            if ((any && time >= *first) ||
                trace_record_file(trace, slice_iter_offset(&series, i)) != file ||
                !filter_match_event(match, &series, i))
                continue;
            *first = time;
            any = true;
        }
    return any;
}

static bool by_filter(struct app *app, size_t file, const char *text, int64_t *ns) {
    struct err err;
    struct filter *filter = filter_new(text, false, &err);
    int64_t here, there;
    if (filter == NULL) {
        session_say(app, true, "%s", err.text);
        return false;
    }
    struct filter_match *match = filter_match_new(app->trace, filter);
    filter_match_step(match, NULL);
    bool mine = first_event(match, app->trace, file, &here),
         its = first_event(match, app->trace, trace_reference(app->trace), &there);
    filter_match_free(match);
    filter_free(filter);
    if (mine && its)
        *ns = units_since(here, there);
    else
        session_say(app, true, "no such event in %s",
                    trace_file_name(app->trace, mine ? trace_reference(app->trace) : file));
    return mine && its;
}

static const char *signed_duration(const struct app *app, int64_t ns, char buf[40]) {
    char text[32];
    snprintf(buf, 40, "%s%s", ns < 0 ? "-" : "+",
             units_duration(ns < 0 ? -ns : ns, app->grid.ascii, text));
    return buf;
}

/* Hops from the reference bound the offset from below, those to it from above. */
static void by_flows(struct app *app, size_t file) {
    struct flow_bounds b = flow_bounds_of(app->trace, trace_reference(app->trace), file);
    char move_by[40], error[32], name[60];
    int64_t ns;
    name_of(app, file, name);
    if (!b.has_least && !b.has_most) {
        session_say(app, true, "no flow goes between %s and the reference: --join-flows joins more",
                    name);
        return;
    }
    bool both = b.has_least && b.has_most;
    int64_t half = both ? units_since(b.least, b.most) / 2 : 0;
    if (both)
        ns = b.least + half;
    else
        ns = b.has_least ? b.least : b.most;
    if (!set(app, file, units_sum(trace_offset(app->trace, file), ns)))
        return;
    if (both)
        session_say(app, false, "%s: %s +- %s, %u hops, %u violate; u takes it back", name,
                    signed_duration(app, ns, move_by),
                    units_duration(half < 0 ? -half : half, app->grid.ascii, error), b.hops,
                    b.violate);
    else
        session_say(app, false, "%s: %s, at %s: %u hops in one direction; u takes it back", name,
                    signed_duration(app, ns, move_by), b.has_least ? "least" : "most", b.hops);
}

void offsets_align(struct app *app, const char *text) {
    size_t file;
    const char *rest;
    int64_t a, b, ns;
    if (!is_several(app) || !take_name(app, text, &file, &rest))
        return;
    if (*rest == '\0') {
        by_flows(app, file);
        return;
    }
    bool marked = *rest == '\'';
    if (marked && (!take_mark(app, &rest, &a) || !take_mark(app, &rest, &b) || *rest)) {
        session_say(app, true, ":align NAME 'a 'b puts mark b of NAME at mark a: m sets marks");
        return;
    }
    if (marked)
        ns = units_since(b, a);
    else if (!by_filter(app, file, rest, &ns))
        return;
    if (set(app, file, units_sum(trace_offset(app->trace, file), ns)))
        say_offset(app, file, "; u takes it back");
}

/* ---- :same-host ---- */

/* Marks the traces that a list names. */
static bool take_names(struct app *app, const char *text, bool *same) {
    struct err err;
    while (*text) {
        size_t n = strcspn(text, ","), file;
        if (!trace_file_named(app->trace, (struct str){text, n}, &file, &err)) {
            session_say(app, true, "%s", err.text);
            return false;
        }
        same[file] = true;
        text += n + (text[n] == ',');
        text += strspn(text, " ");
    }
    return true;
}

void offsets_same_host(struct app *app, const char *text) {
    size_t n = trace_files(app->trace);
    bool off = strcmp(text, "off") == 0, done;
    struct wide zero = {0, 0};
    struct err err;
    if (!is_several(app))
        return;
    bool *same = err_calloc(n, sizeof *same);
    uint16_t *worlds = err_calloc(n, sizeof *worlds), next = 0;
    for (size_t i = 0; i < n; i++)
        same[i] = *text == '\0';
    done = off || take_names(app, text, same);
    int host = -1;
    for (size_t i = 0; i < n && done; i++) {
        worlds[i] = same[i] && host >= 0 ? (uint16_t)host : next++;
        host = same[i] ? worlds[i] : host;
    }
    if (done) {
        view_sql_halt(app);
        as_track_halt(app);
    }
    if (done && !trace_set_worlds(app->trace, worlds, &err)) {
        session_say(app, true, "%s", err.text);
        done = false;
    }
    free(same);
    free(worlds);
    if (!done)
        return;
    app->offsets.fresh = app->offsets.any = false;
    read_begin(app, &zero);
    app_update(app);
    session_say(app, false, "%u %s%s", trace_hosts(app->trace),
                trace_hosts(app->trace) == 1 ? "host" : "hosts",
                off ? "" : "; :same-host off gives each trace its own");
}
