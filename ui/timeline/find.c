#include "ui/timeline/find.h"

#include <string.h>

#include "model/query/detail.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "ui/timeline/move.h"

/* ---- search ---- */

static struct selection hit_pick(struct app *app, const struct hit *hit) {
    size_t n;
    if (hit->thread >= SEARCH_ASYNC && hit->row == SEARCH_INSTANT) {
        uint32_t group = hit->thread - SEARCH_ASYNC;
        const struct async_instant *in = async_instant(async_group(trace_async(app->trace), group), hit->i);
        return (struct selection){SELECTION_ASYNC_INSTANT, group, in->row, hit->i, in->at.time, in->at.offset};
    }
    if (hit->thread >= SEARCH_ASYNC) {
        struct selection selection = {SELECTION_ASYNC, hit->thread - SEARCH_ASYNC, hit->row, hit->i, hit->time, 0};
        selection.offset = slice_offset(selection_slice(app->trace, &selection));
        return selection;
    }
    struct thread *t = trace_thread(app->trace, hit->thread);
    if (hit->row != SEARCH_INSTANT)
        return selection_of_slice(t, hit->row, hit->i);
    const struct instant *in = &trace_instants(t, &n)[hit->i];
    return (struct selection){SELECTION_INSTANT, t->number, 0, hit->i, in->time, event_offset(in->a)};
}

bool find_hit(const struct app *app, struct hit *hit) {
    const struct selection *p = &app->timeline.selection;
    bool async = p->kind == SELECTION_ASYNC || p->kind == SELECTION_ASYNC_INSTANT;
    bool instant = p->kind == SELECTION_INSTANT || p->kind == SELECTION_ASYNC_INSTANT;
    if (p->kind != SELECTION_SLICE && !async && !instant)
        return false;
    *hit = (struct hit){async ? SEARCH_ASYNC + p->of : p->of, instant ? SEARCH_INSTANT : p->row, p->i, p->time};
    return true;
}

static struct hit search_from(const struct app *app, bool forward) {
    struct hit hit;
    if (find_hit(app, &hit))
        return hit;
    return (struct hit){forward ? UINT32_MAX : 0, 0, 0,
                        app->timeline.selection.kind == SELECTION_NONE ? app->timeline.cursor
                                                                       : app->timeline.selection.time};
}

static void search_go(struct app *app, bool forward) {
    struct hit hit;
    bool wrapped = false;
    if (app->find.search == NULL) {
        session_say(app, true, "no search yet: / takes a substring or /regular expression/");
        return;
    }
    if (!search_next(app->find.search, search_from(app, forward), forward, &hit, &wrapped)) {
        char safe[80];
        text_plain(safe, sizeof safe, str_of(search_pattern(app->find.search)), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "no slice, operation or instant matches %s%s", safe,
                trace_state(app->trace) == TRACE_LOADING ? " so far" : "");
        return;
    }
    move_pick(app, hit_pick(app, &hit));
    if (wrapped)
        session_say(app, false, forward ? "search wrapped to the start" : "search wrapped to the end");
}

static void search_set(struct app *app, const char *pattern, bool exact) {
    struct err err;
    struct search *s = search_new(app->trace, pattern, exact, &err);
    if (s == NULL) {
        session_say(app, true, "%s", err.text);
        return;
    }
    search_free(app->find.search);
    app->find.search = s;
    app->find.hits = 0;
    app->find.hits_known = false;
    session_layout(app);
}

void find_name(struct app *app, const char *pattern) {
    if (*pattern == 0 && app->find.search == NULL)
        return;
    if (*pattern != 0)
        search_set(app, pattern, false);
    if (app->find.search)
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
    if (app->timeline.selection.kind == SELECTION_NONE ||
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

/* The slice of a lane whose record a problem is about: that of its begin, or the one that ended it. */
static bool in_lane(struct app *app, const struct lane *lane, const struct problem_case *c, uint32_t *i) {
    *i = lane_find(lane, c->time, c->offset);
    if (*i != UINT32_MAX)
        return true;
    for (*i = lane_before(lane, c->time); *i != UINT32_MAX; --*i) {
        const struct slice *s = lane_at(lane, *i);
        if (slice_end(s) < c->time)
            return false;
        if (slice_extra_end_offset(trace_slice_extra(app->trace), s) == c->offset)
            return true;
    }
    return false;
}

/* The event that a problem is about; of a flow's point the slice around it. thread: its own. */
static struct selection problem_pick(struct app *app, const struct problem_case *c, uint32_t thread) {
    const struct async *async = trace_async(app->trace);
    uint32_t row, i;
    if (c->offset == 0) /* where a slice without an end has its end */
        return (struct selection){0};
    if (thread != NO_THREAD) {
        const struct thread *t = trace_thread(app->trace, thread);
        for (row = 0; row < nest_rows(&t->nest); row++)
            if (in_lane(app, nest_row(&t->nest, row), c, &i))
                return selection_of_slice(t, row, i);
        struct selection instant = {SELECTION_INSTANT, thread, 0, 0, c->time, c->offset};
        if (selection_find(app->trace, &instant))
            return instant;
        bool flow =
            app->find.problem_kind >= PROBLEM_FLOW_WITHOUT_BEGIN && app->find.problem_kind <= PROBLEM_FLOW_UNRESOLVED;
        if (flow && trace_slice_at(app->trace, t->number, c->time, &row, &i))
            return selection_of_slice(t, row, i);
    }
    for (uint32_t g = 0; g < async_group_count(async); g++)
        for (row = 0; row < async_group_rows(async_group(async, g)); row++) {
            const struct lane *lane = async_group_row(async_group(async, g), row);
            if (in_lane(app, lane, c, &i))
                return (struct selection){
                    SELECTION_ASYNC, g, row, i, lane_at(lane, i)->start, slice_offset(lane_at(lane, i))};
        }
    return (struct selection){0};
}

/* The thread of the event that it is of; not of damage, where what is read may be no record. */
static uint32_t problem_thread(struct app *app, const struct problem_case *c) {
    struct detail d;
    if (c->thread != NO_THREAD || app->find.problem_kind < PROBLEM_UNDEFINED_STRING ||
        !detail_open(&d, app->trace, c->offset) || d.record.kind < FXT_K_INSTANT || d.record.kind > FXT_K_FLOW_END)
        return c->thread;
    return trace_thread_at(app->trace, c->offset);
}

void find_problem(struct app *app) {
    const struct problems *all = trace_problems(app->trace);
    char buf[96], when[48];
    bool again = false;
    for (unsigned tries = 0; tries <= PROBLEM_KINDS; tries++) {
        const struct problem *p = &all->kinds[app->find.problem_kind];
        if (app->find.problem_at < problem_case_count(p)) {
            const struct problem_case *c = problem_case(p, app->find.problem_at++);
            uint32_t thread = problem_thread(app, c);
            app->find.problem_tag = app->find.problem_kind << 32 | app->find.problem_at;
            if (thread != NO_THREAD)
                thread = trace_stands_for(app->trace, thread);
            struct selection selection = problem_pick(app, c, thread);
            move_pick(app, selection);
            if (selection.kind == SELECTION_NONE && thread != NO_THREAD)
                move_show_row(app, TRACK_THREAD, thread, 0);
            if (trace_has_events(app->trace))
                move_to_time(app, c->time, false);
            struct problem one = {.count = 1, .first_offset = c->offset, .detail = c->detail};
            session_say(app, false, "%s%s %zu of %llu, at %s, byte %llu: %s", again ? "wrapped to the first: " : "",
                    problem_name((enum problem_kind)app->find.problem_kind), (size_t)app->find.problem_at,
                    (unsigned long long)p->count,
                    trace_has_events(app->trace) ? session_point(app, c->time, session_resolution(app), when) : "no time",
                    (unsigned long long)c->offset,
                    problem_message((enum problem_kind)app->find.problem_kind, &one, buf));
            return;
        }
        app->find.problem_kind = (app->find.problem_kind + 1) % PROBLEM_KINDS;
        app->find.problem_at = 0;
        again = again || app->find.problem_kind == 0;
    }
    session_say(app, false, "no problems found");
}

void find_time(struct app *app, const char *text) {
    int64_t t;
    if (*text == 0)
        return;
    if (!session_time(app, text, &t)) {
        char safe[60];
        text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "not a time: %s (try 1.5s, 250ms, +20us from the cursor, 50%%)", safe);
        return;
    }
    move_remember(app);
    move_to_time(app, t, true);
}
