/* slowest.c - goes to slices of the selected one's name by their duration (pick.h). */
#include "ui/drawer/compare/slowest.h"

#include <stdio.h>

#include "model/query/stat/slice/pick.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

/* The kind and name of the selection; false, after a message. */
static bool named(struct app *app, enum slice_iter_kind *kind, uint32_t *name) {
    if (selection_name(app->trace, &app->timeline.selection, kind, name))
        return true;
    session_say(app, false, "select a slice or an operation: the slowest is that of its name");
    return false;
}

static struct pick *ask(struct app *app) {
    return answer_ask(&app->drawer.pick, &pick_ops, app->trace, 0);
}

static void begin(struct app *app) {
    app->drawer.picking = true;
    app->dirty = true;
    slowest_step(app);
}

void slowest_go(struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!named(app, &kind, &name))
        return;
    pick_slowest(ask(app), app->trace, kind, name, NULL);
    begin(app);
}

void slowest_next(struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!named(app, &kind, &name))
        return;
    const struct selection *now = &app->timeline.selection;
    const struct slice *s = selection_slice(app->trace, now);
    struct pick_slice after = {.start = s->start, .dur = slice_dur(s), .offset = slice_offset(s)};
    if (slice_open(s)) { /* it has no rank */
        slowest_go(app);
        return;
    }
    pick_slowest(ask(app), app->trace, kind, name, &after);
    begin(app);
}

void slowest_bucket(struct app *app, int64_t least, int64_t most) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!named(app, &kind, &name))
        return;
    pick_first(ask(app), app->trace, kind, name, least, most);
    begin(app);
}

static struct selection selection_of_pick(struct trace *trace, const struct pick_slice *s) {
    if (s->track < SLICE_ITER_ASYNC)
        return selection_of_slice(trace_thread(trace, s->track), s->row, s->i);
    uint32_t group = s->track - SLICE_ITER_ASYNC;
    struct selection selection = {&track_async_operation, group, s->row, s->i, s->start, s->offset};
    return selection;
}

bool slowest_step(struct app *app) {
    struct drawer_state *drawer = &app->drawer;
    char dur[32], rank[80];
    if (!drawer->picking)
        return false;
    if (!answer_is_of(&drawer->pick, app->trace, 0)) {
        drawer->picking = false;
        session_say(app, false, "the trace has changed: once more");
        return false;
    }
    if (session_work(app, &drawer->pick))
        return true;
    const struct pick *pick = drawer->pick.shown;
    drawer->picking = false;
    app->dirty = true;
    if (!pick->found) {
        session_say(app, false,
                    pick->has_after ? "this is the fastest of its name"
                                    : "none of this name has ended");
        return false;
    }
    int link = drawer->link;
    move_remember(&app->timeline);
    move_select(app, selection_of_pick(app->trace, &pick->best));
    drawer->link = link; /* Enter again goes on */
    const struct aggregate_row *same = tab_name_stats(app);
    session_say(app, false, "%s%s%s", units_duration(pick->best.dur, app->grid.ascii, dur),
                same ? ", " : "", same ? phrase_rank(&same->durations, pick->best.dur, rank) : "");
    return false;
}
