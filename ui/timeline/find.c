/* find.c - going to events by name, to problems, and to a time that was typed.
 *
 * The search (model/query/search.h) numbers tracks its own way: a hit becomes a selection by the
 * kind of event that has the same numbers. A problem names a record; the kinds of tracks look for
 * the event that the record began or ended. */
#include "ui/timeline/find.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/flow_slice.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

/* ---- search ---- */

/* Whether the search numbers events of the kind as it numbered the hit's. */
static bool is_kind(const struct selection_ops *kind, const struct hit *hit) {
    static const uint32_t firsts[] = {SLICE_ITER_LOG_TRACK, SLICE_ITER_STATE_TRACK,
                                      SLICE_ITER_COUNTER_TRACK, SEARCH_ASYNC, 0};
    size_t k = 0;
    while (hit->thread < firsts[k])
        k++;
    return kind->searched && kind->hits == firsts[k] &&
           (firsts[k] > SEARCH_ASYNC || (kind->lane == NULL) == (hit->row == SEARCH_INSTANT));
}

static const struct selection_ops *kind_of(const struct hit *hit) {
    for (size_t k = 0; track_ops[k]; k++)
        for (size_t e = 0; track_ops[k]->events[e]; e++)
            if (is_kind(track_ops[k]->events[e], hit))
                return track_ops[k]->events[e];
    return NULL;
}

/* The slice around a point of a flow; nothing is selected outside any. */
static struct selection point_selection(struct trace *trace, uint32_t point) {
    struct flow_slice_place place = flow_slice_place(trace, point);
    if (!place.in_slice)
        return (struct selection){0};
    return selection_of_slice(trace_thread(trace, place.thread), place.row, place.i);
}

static struct selection hit_selection(struct trace *trace, const struct hit *hit) {
    if (hit->thread == SLICE_ITER_FLOW_TRACK)
        return point_selection(trace, hit->i);
    struct selection at = {.kind = kind_of(hit), .row = hit->row};
    assert(at.kind != NULL); /* all else that the search finds is of a kind with `searched` set */
    at.of = hit->thread - at.kind->hits;
    if (at.kind == &track_thread_state)
        at.of = sched_thread_at(trace_sched(trace), at.of)->thread;
    if (at.kind->lane == NULL)
        return selection_of_moment(trace, at.kind, at.of, hit->i);
    return selection_of_lane(at.kind, at.of, at.row, selection_lane(trace, &at), hit->i);
}

static bool is_there(const struct find_state *find, const struct timeline *timeline) {
    const struct selection *a = &find->landed_on, *b = &timeline->selection;
    return find->has_landed && find->landed_at == timeline->cursor && a->kind == b->kind &&
           a->of == b->of && a->time == b->time && a->offset == b->offset;
}

bool find_hit(const struct app *app, struct hit *hit) {
    const struct selection *p = &app->timeline.selection;
    uint32_t track;
    if (is_there(&app->find, &app->timeline)) {
        *hit = app->find.landed;
        return true;
    }
    if (p->kind == NULL || !selection_searched(app->trace, p->kind, p->of, &track))
        return false;
    uint32_t row = p->kind->lane ? p->row : SEARCH_INSTANT;
    bool single = p->kind->hits > SEARCH_ASYNC;
    *hit = (struct hit){track, single ? 0 : row, p->i, p->time};
    return true;
}

void find_go(struct app *app, const struct hit *hit) {
    struct find_state *find = &app->find;
    struct selection selection = hit_selection(app->trace, hit);
    move_select(app, selection);
    find->has_landed = hit->thread == SLICE_ITER_FLOW_TRACK;
    if (!find->has_landed)
        return;
    uint32_t thread = flow_thread(trace_flows(app->trace), hit->i);
    if (!selection_any(&selection) && thread != NO_THREAD)
        move_show_row(app->trace, &app->timeline, &track_thread, thread, 0);
    move_to_time(app, hit->time, false);
    find->landed = *hit;
    find->landed_on = app->timeline.selection;
    find->landed_at = app->timeline.cursor;
}

static struct hit search_from(const struct app *app, bool forward) {
    const struct timeline *timeline = &app->timeline;
    struct hit hit;
    if (find_hit(app, &hit))
        return hit;
    return (struct hit){forward ? UINT32_MAX : 0, 0, 0,
                        selection_any(&timeline->selection) ? timeline->selection.time
                                                            : timeline->cursor};
}

static void look_from_here(struct app *app) {
    struct find_state *find = &app->find;
    find->from = search_from(app, find->forward);
    find->from_version = trace_version(app->trace);
    find->looking = true;
    search_begin(find->search, find->from, find->forward, true);
}

#define ARGUMENTS "arg.*~" /* before a text that no name has */

static void say_no_hit(struct app *app) {
    char safe[80], fault[FILTER_FAULT];
    const char *typed = search_pattern(app->find.search);
    typed += app->find.in_arguments ? strlen(ARGUMENTS) : 0;
    text_plain(safe, sizeof safe, str_of(typed), app->grid.ascii ? TEXT_ASCII : 0);
    if (trace_state(app->trace) == TRACE_COMPLETE && search_fault(app->find.search, fault))
        session_say(app, true, "%s", fault);
    else if (session_like_regex(typed))
        session_say(app, true,
                    "no event matches \"%s\"; a regular expression takes a second slash: //%s",
                    safe, safe);
    else if (app->find.in_arguments)
        session_say(app, true, "no name and no argument matches \"%s\"; t finds tracks", safe);
    else
        session_say(app, true, "no event matches \"%s\"%s", safe,
                    trace_state(app->trace) == TRACE_LOADING ? " so far" : "");
}

/* Another search takes the place of one that is freed or kept elsewhere. */
static void search_replaced(struct app *app, struct search *search) {
    struct find_state *find = &app->find;
    find->search = search;
    find->looking = find->hits_known = find->has_landed = find->in_arguments = false;
    find->hits = 0;
    find->changes++;
    session_layout(app);
}

static void search_set(struct app *app, const char *pattern, bool exact) {
    struct err err;
    struct search *s = search_new(app->trace, pattern, exact, &err);
    if (s == NULL) {
        session_say(app, true, "%s", err.text);
        return;
    }
    search_free(app->find.search);
    search_replaced(app, s);
}

/* The search in all arguments for the text that was typed; NULL: it is no bare text. */
static struct search *search_in_arguments(const struct app *app) {
    const struct filter *filter = search_filter(app->find.search);
    const struct filter_term *term = filter->terms.v;
    char fault[FILTER_FAULT];
    if (filter->exact || filter->terms.n != 1 || term->field != FILTER_TEXT || term->negated ||
        trace_state(app->trace) == TRACE_LOADING || search_fault(app->find.search, fault))
        return NULL;
    struct err err;
    const char *typed = filter_text(filter);
    size_t size = strlen(typed) + sizeof ARGUMENTS;
    char *text = err_malloc(size);
    snprintf(text, size, ARGUMENTS "%s", typed);
    struct search *search = search_new(app->trace, text, false, &err);
    free(text);
    return search;
}

/* No name fits: arguments may. */
static bool look_in_arguments(struct app *app) {
    struct search *search = search_in_arguments(app);
    if (search == NULL)
        return false;
    search_free(app->find.search);
    search_replaced(app, search);
    app->find.in_arguments = true;
    look_from_here(app);
    session_say(app, false, "no name fits: looking in arguments");
    return true;
}

static bool has_moved(const struct app *app) {
    struct hit now = search_from(app, app->find.forward), from = app->find.from;
    return now.thread != from.thread || now.row != from.row || now.i != from.i ||
           now.time != from.time;
}

bool find_step(struct app *app) {
    struct find_state *find = &app->find;
    while (find->looking) {
        struct hit hit;
        bool wrapped;
        if (find->from_version != trace_version(app->trace)) {
            look_from_here(app);
        } else if (has_moved(app)) {
            find->looking = false;
            break;
        }
        enum search_state state = search_step(find->search, app->work, &hit, &wrapped);
        if (state == SEARCH_GOES_ON)
            return true;
        find->looking = false;
        app->dirty = true;
        if (state == SEARCH_NONE && look_in_arguments(app))
            continue;
        if (state == SEARCH_NONE) {
            say_no_hit(app);
            if (find->in_arguments) /* it is again the one that was typed */
                search_set(app, search_pattern(find->search) + strlen(ARGUMENTS), false);
            break;
        }
        find_go(app, &hit);
        if (wrapped)
            session_say(app, false,
                        find->forward ? "search wrapped to the start"
                                      : "search wrapped to the end");
        if (find->again > 0) {
            find->again--;
            look_from_here(app);
        }
    }
    return false;
}

static void search_go(struct app *app, bool forward) {
    struct find_state *find = &app->find;
    if (find->search == NULL) {
        session_say(app, true,
                    "no search yet: / takes a part of a name, or a filter (:help filters)");
        return;
    }
    if (find->looking && find->forward == forward &&
        find->from_version == trace_version(app->trace) && !has_moved(app)) {
        find->again++;
    } else {
        find->again = 0;
        find->forward = forward;
        look_from_here(app);
    }
    find_step(app);
}

static void find_drop(struct app *app) {
    struct find_state *find = &app->find;
    if (find->search)
        session_say(app, false, "search dropped");
    search_free(find->search);
    search_replaced(app, NULL);
}

void find_typed(struct app *app, const char *text) {
    struct find_state *find = &app->find;
    struct err err;
    struct search *s = *text ? search_new(app->trace, text, false, &err) : NULL;
    if (*text && s == NULL)
        return;
    if (!find->typing)
        find->kept = find->search;
    else
        search_free(find->search);
    find->typing = true;
    search_replaced(app, s);
}

void find_cancelled(struct app *app) {
    struct find_state *find = &app->find;
    if (!find->typing)
        return;
    search_free(find->search);
    find->typing = false;
    search_replaced(app, find->kept);
    find->kept = NULL;
}

/* The search for a text as it was typed stays, with the hits counted so far. */
static bool find_taken(struct find_state *find, const char *pattern) {
    if (!find->typing || find->search == NULL || strcmp(search_pattern(find->search), pattern) != 0)
        return false;
    search_free(find->kept);
    find->kept = NULL;
    find->typing = false;
    return true;
}

void find_name(struct app *app, const char *pattern) {
    if (find_taken(&app->find, pattern)) {
        search_go(app, true);
        return;
    }
    find_cancelled(app);
    struct search *before = app->find.search;
    if (*pattern == 0) {
        find_drop(app);
        return;
    }
    search_set(app, pattern, false);
    if (app->find.search != before)
        search_go(app, true);
}

void find_next(struct app *app) {
    search_go(app, true);
}

void find_previous(struct app *app) {
    search_go(app, false);
}

static void same_name(struct app *app, bool forward) {
    struct detail d;
    if (!selection_any(&app->timeline.selection) ||
        !detail_open(&d, app->trace, app->timeline.selection.offset)) {
        session_say(app, false, "nothing selected: h, l or Enter selects");
        return;
    }
    if (d.name.n == 0 || memchr(d.name.s, 0, d.name.n) != NULL) {
        session_say(app, false, "this name cannot be searched for");
        return;
    }
    char *name = err_malloc(d.name.n + 1);
    memcpy(name, d.name.s, d.name.n);
    name[d.name.n] = 0;
    search_set(app, name, true);
    free(name);
    search_go(app, forward);
}

void find_same_next(struct app *app) {
    same_name(app, true);
}

void find_same_previous(struct app *app) {
    same_name(app, false);
}

/* ---- problems, times ---- */

/* The event that a problem is about, or the slice around the point of a flow. thread: that of the
 * record. */
static struct selection problem_selection(struct trace *trace, const struct find_state *find,
                                          const struct problem_case *c, uint32_t thread) {
    struct selection found = {0};
    uint32_t row, i;
    if (c->offset == 0) /* a slice without an end: there is no record to go to */
        return found;
    for (size_t k = 0; track_ops[k]; k++)
        if (track_ops[k]->find &&
            track_ops[k]->find(trace, (struct moment){c->time, c->offset}, thread, &found))
            return found;
    bool flow = find->problem_kind >= PROBLEM_FLOW_WITHOUT_BEGIN &&
                find->problem_kind <= PROBLEM_FLOW_UNRESOLVED;
    flow = flow || find->problem_kind == PROBLEM_FLOW_ENDED_AGAIN ||
           find->problem_kind == PROBLEM_FLOW_BACKWARDS;
    if (!flow || thread == NO_THREAD)
        return (struct selection){0};
    const struct thread *t = trace_thread(trace, thread);
    return trace_slice_at(trace, t->number, c->time, &row, &i) ? selection_of_slice(t, row, i)
                                                               : (struct selection){0};
}

/* The thread of the event that the problem is about. Damage has none: the bytes there may be no
 * record. */
static uint32_t problem_thread(struct trace *trace, const struct find_state *find,
                               const struct problem_case *c) {
    struct detail d;
    if (c->thread != NO_THREAD || find->problem_kind < PROBLEM_UNDEFINED_STRING ||
        !detail_open(&d, trace, c->offset) || d.record.kind < FXT_K_INSTANT ||
        d.record.kind > FXT_K_FLOW_END)
        return c->thread;
    return trace_thread_at(trace, c->offset);
}

#define HIT_NAMED 3 /* threads that are named at a loss */

/* Records of a provider were lost: goes to the first of its threads, and names some. Returns their
 * number. */
static unsigned show_loss(struct app *app, const struct lost *lost, char *names, size_t size) {
    const struct track_list *tracks = &app->timeline.tracks;
    unsigned hit = 0;
    for (size_t i = 0; i < tracks->tracks.n; i++) {
        const struct track *track = &tracks->tracks.v[i];
        uint32_t thread = track_list_thread(track);
        char buf[96], name[40];
        if (thread == NO_THREAD ||
            !trace_thread_written_by(trace_thread(app->trace, thread), lost->provider))
            continue;
        if (hit++ == 0)
            app->timeline.line = move_track_line(track);
        text_plain(name, sizeof name, track_list_name(app->trace, track, buf),
                   app->grid.ascii ? TEXT_ASCII : 0);
        size_t n = strlen(names);
        if (hit <= HIT_NAMED)
            snprintf(names + n, size - n, "%s %s", hit > 1 ? "," : " of", name);
    }
    return hit;
}

/* The threads that a case is about, for its message. */
static void show_losers(struct app *app, const struct problem_case *c, char names[160]) {
    size_t n;
    const struct lost *lost = trace_lost(app->trace, &n);
    unsigned hit = 0;
    names[0] = 0;
    for (size_t i = 0; i < n && hit == 0; i++)
        if (lost[i].offset == c->offset && lost[i].thread == NO_THREAD)
            hit = show_loss(app, &lost[i], names, 100);
    if (hit > HIT_NAMED)
        snprintf(names + strlen(names), 40, " and %u more", hit - HIT_NAMED);
}

/* Selects the event of a case, and names the case. */
static void show_case(struct app *app, const struct problem_case *c, bool again) {
    struct find_state *find = &app->find;
    int kind = (int)find->problem_kind;
    const struct problem *p = &trace_problems(app->trace)->kinds[kind];
    char buf[TRACE_PROBLEM_TEXT], when[48], names[160] = "";
    uint32_t thread = problem_thread(app->trace, find, c);
    if (thread != NO_THREAD)
        thread = trace_stands_for(app->trace, thread);
    struct selection selection = problem_selection(app->trace, find, c, thread);
    move_select(app, selection);
    if (!selection_any(&selection) && thread != NO_THREAD)
        move_show_row(app->trace, &app->timeline, &track_thread, thread, 0);
    if (kind == PROBLEM_RECORDS_LOST)
        show_losers(app, c, names);
    bool timed = trace_has_events(app->trace) && c->time != PROBLEM_NO_TIME;
    if (timed)
        move_to_time(app, c->time, false);
    struct problem one = problem_alone(c);
    session_say(app, false, "%s%s %zu of %llu, %s%s%sbyte %llu: %s%s",
                again ? "wrapped to the first: " : "", problem_name(kind), (size_t)find->problem_at,
                (unsigned long long)p->count, timed ? "at " : "",
                timed ? session_point(app, c->time, session_resolution(app->trace), when) : "",
                timed ? ", " : "", (unsigned long long)c->offset,
                trace_problem_message(app->trace, kind, &one, buf), names);
}

/* PROBLEM_KINDS follows the last kind. problem_at is 1 there: the next case is a repetition. */
static void go_to_next_kind(struct find_state *find) {
    find->problem_kind = (uint64_t)problem_next_kind((int)find->problem_kind);
    find->problem_at = find->problem_kind == PROBLEM_KINDS;
}

void find_problem(struct app *app) {
    const struct problems *all = trace_problems(app->trace);
    struct find_state *find = &app->find;
    bool again = false;
    for (unsigned tries = 0; tries <= PROBLEM_KINDS + 1; tries++) {
        const struct problem *p =
            find->problem_kind < PROBLEM_KINDS ? &all->kinds[find->problem_kind] : NULL;
        if (p && find->problem_at < problem_case_count(p)) {
            const struct problem_case *c = problem_case(p, find->problem_at++);
            find->problem_tag = find->problem_kind << 32 | find->problem_at;
            show_case(app, c, again);
            return;
        }
        again = again || (p == NULL && find->problem_at > 0);
        go_to_next_kind(find);
    }
    session_say(app, false, "no problems found");
}

void find_problem_kind(struct app *app) {
    if (app->find.problem_kind < PROBLEM_KINDS && app->find.problem_at > 0)
        go_to_next_kind(&app->find);
    find_problem(app);
}

void find_moment(struct app *app, int64_t t) {
    move_remember(&app->timeline);
    move_to_time(app, t, true);
    if (selection_any(&app->timeline.selection))
        move_to_line(app, app->timeline.line);
}

void find_say_outside(struct app *app, int64_t t) {
    char when[48];
    if (app->timeline.cursor != t)
        session_say(app, false, "the trace %s at %s", app->timeline.cursor < t ? "ends" : "begins",
                    session_point(app, app->timeline.cursor, session_resolution(app->trace), when));
}

void find_window(struct app *app, const char *text) {
    struct range range = {0};
    struct err err;
    int64_t width, from;
    if (strstr(text, "..")) {
        if (session_typed_range(app, text, &range, &err))
            move_show(app, range.from, units_since(range.from, range.to));
        else
            session_say(app, true, "%s", err.text);
    } else if (session_duration(text, &width) && width > 0) {
        if (__builtin_sub_overflow(app->timeline.cursor, width / 2, &from))
            from = INT64_MIN;
        move_show(app, from, width);
    } else {
        char safe[60];
        text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "no duration and no range: %s (try 20us, 1.2s..1.3s)", safe);
    }
}

void find_time(struct app *app, const char *text) {
    int64_t t;
    if (*text == 0)
        return;
    if (strstr(text, "..")) {
        find_window(app, text);
        return;
    }
    if (!session_time(app, text, &t)) {
        char why[320];
        session_say(app, true, "%s", session_not_a_time(app, text, why));
        return;
    }
    find_moment(app, t);
    find_say_outside(app, t);
}
