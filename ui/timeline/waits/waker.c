/* waker.c - finds the wait that is meant, and goes to its waker.
 *
 * A wait is a blocked state, which the next state ends, or a runnable one, which a wakeup began.
 * Within a slice the wait at the cursor goes first, then the longest blocked state, then the
 * longest runnable one. */
#include "ui/timeline/waits/waker.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/query/stat/waits/wakeup.h"
#include "src/base/units.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

#define STATES_TRIED 100000u /* of a slice, so that a key is answered at once */
#define NONE UINT32_MAX

/* The state whose begin was the wakeup that ends the wait of state i; NONE: it is no wait. */
static uint32_t woken_state(const struct sched_thread *t, uint32_t i) {
    uint32_t state = sched_state(t, i);
    if (state == SCHED_BLOCKED)
        return i + 1;
    if (state == SCHED_RUNNABLE)
        return i > 0 && sched_state(t, i - 1) == SCHED_RUNNING ? NONE : i;
    return NONE;
}

/* The longest state of one kind among [i, j) in [from, to); NONE: there is none. */
static uint32_t longest(const struct sched_thread *t, uint32_t state, uint32_t i, uint32_t j,
                        const int64_t in[2]) {
    uint32_t best = NONE;
    int64_t most = 0;
    for (; i < j; i++) {
        const struct slice *s = lane_at(&t->lane, i);
        int64_t a = s->start > in[0] ? s->start : in[0],
                b = slice_end(s) < in[1] ? slice_end(s) : in[1];
        if (sched_state(t, i) != state || woken_state(t, i) == NONE || sched_damaged(t, i) ||
            b <= a || b - a <= most)
            continue;
        best = i;
        most = b - a;
    }
    return best;
}

static uint32_t wait_in(const struct sched_thread *t, int64_t from, int64_t to, int64_t cursor) {
    const int64_t in[2] = {from, to};
    uint32_t i = lane_before(&t->lane, from), j = lane_from(&t->lane, to),
             at = lane_before(&t->lane, cursor);
    if (at != NONE && cursor >= from && cursor < to && woken_state(t, at) != NONE)
        return at;
    i = i == NONE ? 0 : i;
    j = j - i > STATES_TRIED ? i + STATES_TRIED : j;
    uint32_t best = longest(t, SCHED_BLOCKED, i, j, in);
    return best != NONE ? best : longest(t, SCHED_RUNNABLE, i, j, in);
}

/* The thread that is meant, and its state that waits; NONE, after a message. */
static uint32_t wait_of(struct app *app, const struct sched_thread **t) {
    const struct selection *selection = &app->timeline.selection;
    const struct track *track = session_track(&app->timeline);
    uint32_t thread = selection_any(selection) ? selection_thread(app->trace, selection)
                                               : track_list_thread(track);
    int64_t from = app->timeline.cursor, to = units_sum(from, 1);
    *t = thread == NO_THREAD ? NULL : sched_thread(trace_sched(app->trace), thread);
    if (*t == NULL || (*t)->lane.n == 0) {
        session_say(app, false,
                    thread == NO_THREAD
                        ? "b goes to what woke a thread: select one of its states or slices"
                        : "the trace has no scheduling of this thread");
        return NONE;
    }
    if (selection->kind == &track_thread_state && woken_state(*t, selection->i) != NONE)
        return selection->i;
    if (selection_any(selection) && !selection_stretch(app->trace, selection, &from, &to))
        from = selection->time, to = units_sum(from, 1);
    uint32_t i = wait_in(*t, from, to, app->timeline.cursor),
             before = lane_before(&(*t)->lane, from);
    if (i == NONE && before != NONE && before > 0 && !selection_is_slice(selection))
        /* it runs because it was woken before */
        i = woken_state(*t, before - 1) != NONE ? before - 1 : NONE;
    if (i == NONE)
        session_say(app, false,
                    selection_is_slice(selection) ? "the thread does not wait in this slice"
                                                  : "the thread does not wait here");
    return i;
}

/* The innermost slice of the waker, else its state, else its track. */
static void go(struct app *app, const struct wakeup *wakeup) {
    uint32_t row, i;
    struct sched_thread *t = sched_thread(trace_sched(app->trace), wakeup->thread);
    uint32_t state = t ? lane_before(&t->lane, wakeup->time) : NONE;
    if (trace_slice_at(app->trace, wakeup->thread, wakeup->time, &row, &i))
        move_select(app, selection_of_slice(trace_thread(app->trace, wakeup->thread), row, i));
    else if (state != NONE)
        move_select(app,
                    selection_of_lane(&track_thread_state, wakeup->thread, 0, &t->lane, state));
    else
        move_show_row(app->trace, &app->timeline, &track_thread, wakeup->thread, 0);
    move_to_time(app, wakeup->time, false);
}

void waker_go(struct app *app) {
    const struct sched_thread *t;
    struct wakeup wakeup;
    struct str name;
    char buf[40], safe[48];
    bool named;
    uint32_t i = wait_of(app, &t);
    if (i == NONE)
        return;
    if (woken_state(t, i) == t->lane.n) {
        session_say(app, false, "it is blocked to the end of the trace");
    } else if (!wakeup_of(app->trace, t, woken_state(t, i), &wakeup)) {
        session_say(app, false, "the waker is unknown: no record and no flow names it");
    } else if (wakeup.thread == NO_THREAD) {
        session_say(app, false, "woken by thread %" PRIu64 ", of which the trace has no events",
                    wakeup.koid);
    } else {
        go(app, &wakeup);
        name = trace_thread_name(app->trace, trace_thread(app->trace, t->thread), buf, &named);
        text_plain(safe, sizeof safe, name, app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, false, "here %s was woken; < goes back", safe);
    }
}
