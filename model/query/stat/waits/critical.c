/* critical.c - walks a critical path back from its end.
 *
 * The walk has reached a time `at` on the thread of the last frame. The state of the thread just
 * before it decides. A state that is no wait becomes a stretch. Blocked time becomes a frame of the
 * waker, down to the begin of that time; then the walk goes on here. Without scheduling slices
 * decide: covered time is a stretch, and uncovered time before a flow's arrival becomes a frame of
 * the flow's source. Idle threads do nothing that can be waited for, so none is entered; and after
 * its end a thread has no path.
 *
 * A thread that is in a frame is not entered again, so there are at most as many frames as threads.
 * Each step moves `at` or adds a frame. */
#include "model/query/stat/waits/critical.h"

#include <stdlib.h>

#include "model/query/flow_slice.h"
#include "model/query/stat/waits/wakeup.h"
#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

#define POINTS_TRIED 4096 /* of a thread, after uncovered time */
#define RUNS_TRIED 8      /* states of a thread, for one in which it runs */

/* The states of a thread; NULL: none is known. A wakeup that is all of them is no state. */
static const struct sched_thread *states_of(struct trace *trace, uint32_t thread) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), thread);
    return t && t->states.n == 1 && sched_woken(t, 0) ? NULL : t;
}

int64_t critical_end(struct trace *trace, uint32_t thread, int64_t from, int64_t to) {
    const struct sched_thread *t = states_of(trace, thread);
    uint32_t i = t && to > from ? lane_before(&t->lane, to - 1) : UINT32_MAX;
    bool over = false;
    for (; i != UINT32_MAX && to > from && !sched_life_known(t, i); i--) {
        if (!sched_life_over(t, i) && over)
            break;
        over = sched_life_over(t, i);
        if (over)
            to = lane_start(&t->lane, i) > from ? lane_start(&t->lane, i) : from;
    }
    return to;
}

void critical_set(struct critical *c, struct trace *trace, uint32_t thread, int64_t from,
                  int64_t to) {
    c->trace = trace;
    c->thread = thread;
    c->from = from;
    c->to = critical_end(trace, thread, from, to);
}

static void begin(struct critical *c) {
    c->threads = trace_thread_count(c->trace);
    c->by_thread = err_calloc(c->threads + 1, sizeof *c->by_thread);
    c->on_path = err_calloc(c->threads + 1, sizeof *c->on_path);
    c->passed = err_calloc(c->threads + 1, sizeof *c->passed);
    c->on_path[c->thread] = true;
    vec_push(&c->frames, ((struct critical_frame){c->thread, 0, c->from}));
    c->at = c->to;
    c->why = CRITICAL_END;
    c->other = NO_THREAD;
}

void critical_free(void *critical) {
    struct critical *c = critical;
    vec_free(&c->v);
    vec_free(&c->frames);
    free(c->by_thread);
    free(c->on_path);
    free(c->passed);
    *c = (struct critical){0};
}

/* ---- steps of the walk ---- */

/* A thread did this from `from` to where the walk is: a stretch, or more of the last one. `why` is
 * CRITICAL_BEFORE, or goes before the reason for which the walk came here. */
static void emit_of(struct critical *c, uint32_t thread, uint32_t state, int64_t from,
                    enum critical_why why, uint32_t other) {
    struct critical_stretch s = {from, c->at, thread, other, (uint8_t)state, (uint8_t)why};
    struct critical_stretch *last = c->v.n > 0 ? &c->v.v[c->v.n - 1] : NULL;
    bool waits = why != CRITICAL_BEFORE;
    if (last && c->why == CRITICAL_BEFORE && last->thread == s.thread && last->state == s.state &&
        (waits ? last->why == s.why && last->other == other : last->why < CRITICAL_NO_WAKER)) {
        last->from = from;
    } else {
        if (!waits) {
            s.why = (uint8_t)c->why;
            s.other = c->other;
        }
        vec_push(&c->v, s);
    }
    c->by_state[state] = units_sum(c->by_state[state], units_since(from, c->at));
    c->by_thread[s.thread] = units_sum(c->by_thread[s.thread], units_since(from, c->at));
    c->at = from;
    c->why = CRITICAL_BEFORE;
    c->other = NO_THREAD;
}

static void emit(struct critical *c, uint32_t state, int64_t from, enum critical_why why,
                 uint32_t other) {
    emit_of(c, c->frames.v[c->frames.n - 1].thread, state, from, why, other);
}

/* The thread did not live from `from` on. If another one waits for it, the path is on that one
 * meanwhile. */
static void emit_unknown(struct critical *c, int64_t from) {
    const struct critical_frame *frame = &c->frames.v[c->frames.n - 1];
    enum critical_why why = c->why;
    uint32_t other = c->other;
    if (c->frames.n == 1) {
        emit(c, CRITICAL_UNKNOWN, from, CRITICAL_BEFORE, NO_THREAD);
        return;
    }
    emit_of(c, frame[-1].thread, frame->waits, from, CRITICAL_ENDED, frame->thread);
    c->why = why;
    c->other = other;
}

/* The time down to `low`, in which the thread waits, is on the path of another thread, if that is
 * possible. */
static void enter(struct critical *c, uint32_t thread, int64_t low, enum critical_why why,
                  uint32_t waits) {
    uint32_t here = c->frames.v[c->frames.n - 1].thread;
    if (c->on_path[thread]) {
        emit(c, waits, low, CRITICAL_CYCLE, thread);
        return;
    }
    c->on_path[thread] = true;
    vec_push(&c->frames, ((struct critical_frame){thread, waits, low}));
    c->why = why;
    c->other = here;
}

/* Back to the thread that waited. */
static void leave(struct critical *c) {
    c->other = c->frames.v[--c->frames.n].thread;
    c->on_path[c->other] = false;
    c->why = CRITICAL_AGAIN;
}

/* Whether a thread is the idle thread of a CPU: by its run at the walk's time, else by the one
 * before that, else by the one after. Others may run on its CPU meanwhile. */
static bool idles(const struct critical *c, uint32_t thread) {
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), thread);
    uint32_t at = t ? lane_before(&t->lane, c->at - 1) : UINT32_MAX, after = at + 1, i = at;
    for (int tried = 0; tried < RUNS_TRIED && i != UINT32_MAX; tried++, i--)
        if (sched_state(t, i) == SCHED_RUNNING)
            return t->states.v[i] & SCHED_OF_IDLE;
    for (i = after; t && i < t->lane.n && i - after < RUNS_TRIED; i++)
        if (sched_state(t, i) == SCHED_RUNNING)
            return t->states.v[i] & SCHED_OF_IDLE;
    return false;
}

/* State i of the thread is the one before `at`. */
static void by_state(struct critical *c, const struct sched_thread *t, uint32_t i, int64_t low) {
    uint32_t state = sched_state(t, i);
    int64_t from = lane_start(&t->lane, i) > low ? lane_start(&t->lane, i) : low;
    struct wakeup wakeup;
    bool known = sched_life_known(t, i);
    if (known && state == SCHED_BLOCKED) {
        bool woken = wakeup_of(c->trace, t, i + 1, &wakeup) && wakeup.thread != NO_THREAD;
        if (woken && !idles(c, wakeup.thread))
            enter(c, wakeup.thread, from, CRITICAL_WOKE, state);
        else
            emit(c, state, from, woken ? CRITICAL_IDLED : CRITICAL_NO_WAKER, NO_THREAD);
        return;
    }
    bool idle = state == SCHED_RUNNING && t->states.v[i] & SCHED_OF_IDLE;
    if (known || idle)
        emit(c, idle ? CRITICAL_IDLE : state, from, CRITICAL_BEFORE, NO_THREAD);
    else
        emit_unknown(c, from);
}

/* ---- threads without scheduling ---- */

/* The begin of the outermost slice that covers the ns before `at`; false: none does. */
static bool covered(const struct critical *c, uint32_t thread, int64_t at, int64_t *begin) {
    const struct nest *nest = &trace_thread(c->trace, thread)->nest;
    uint32_t row, i;
    /* row 0 has all outermost slices */
    if (nest->displaced == 0 && trace_damaged_slices(c->trace) == 0) {
        i = nest_rows(nest) > 0 ? lane_before(nest_row(nest, 0), at - 1) : UINT32_MAX;
        if (i == UINT32_MAX ||
            trace_slice_end(c->trace, thread, lane_at(nest_row(nest, 0), i)) < at)
            return false;
        *begin = lane_start(nest_row(nest, 0), i);
        return true;
    }
    bool covers = false, any = trace_slice_at(c->trace, thread, at - 1, &row, &i);
    while (any) {
        const struct slice *s = lane_at(nest_row(nest, row), i);
        if (trace_slice_end(c->trace, thread, s) >= at && !trace_damaged_slice(c->trace, s)) {
            covers = true;
            *begin = s->start;
        }
        any = nest_parent(nest, trace_slice_extra(c->trace), row, i, &row, &i);
    }
    return covers;
}

struct gap {          /* time that no slice covers */
    int64_t from, to; /* INT64_MIN, INT64_MAX: no slice before it, after it */
    int64_t reach;    /* the latest end of slices that begin at its end */
};

/* The time without slices around the ns before `at`. A slice of no length ends it, too. */
static struct gap gap_at(const struct critical *c, uint32_t thread, int64_t at) {
    const struct nest *nest = &trace_thread(c->trace, thread)->nest;
    uint32_t rows =
        nest->displaced == 0 && trace_damaged_slices(c->trace) == 0 && nest_rows(nest) > 0
            ? 1
            : nest_rows(nest);
    struct gap gap = {INT64_MIN, INT64_MAX, INT64_MIN};
    for (uint32_t row = 0; row < rows; row++) {
        const struct lane *lane = nest_row(nest, row);
        uint32_t k = lane_before(lane, at - 1), next = lane_from(lane, at);
        while (k != UINT32_MAX && trace_damaged_slice(c->trace, lane_at(lane, k)))
            k--; /* before the first one: UINT32_MAX */
        while (next < lane->n && trace_damaged_slice(c->trace, lane_at(lane, next)))
            next++;
        int64_t end =
            k == UINT32_MAX ? INT64_MIN : trace_slice_end(c->trace, thread, lane_at(lane, k));
        gap.from = end > gap.from ? end : gap.from;
        if (next == lane->n || lane_start(lane, next) > gap.to)
            continue;
        end = trace_slice_end(c->trace, thread, lane_at(lane, next));
        if (lane_start(lane, next) < gap.to || end > gap.reach)
            gap.reach = end;
        gap.to = lane_start(lane, next);
    }
    return gap;
}

/* The thread from which a point's flow came, if it came from another one. */
static bool arrives(const struct flows *flows, uint32_t point, uint32_t thread, uint32_t *source) {
    uint32_t from = flow_link(flows, point)->before;
    if (from == NO_POINT)
        return false;
    *source = flow_thread(flows, from);
    return *source != thread;
}

/* The first flow that arrives in the rest of the gap from `at` on: at a point without a slice, or
 * at a slice that begins at its end. */
static bool next_arrival(struct critical *c, uint32_t thread, const struct gap *gap,
                         uint32_t *source, struct task *task) {
    const struct flows *flows = trace_flows(c->trace);
    struct critical_passed before = c->passed[thread];
    size_t n, k = 0, first;
    const uint32_t *points = flow_points_on(flows, thread, &n);
    bool none = true; /* from `first` on */
    lower_bound(k, n, i, flow_time(flows, points[i]) < c->at);
    first = k;
    for (size_t tried = 0; k < n && tried < POINTS_TRIED; k++, tried++) {
        if (k >= before.from && k < before.to)
            k = before.to;
        if (none)
            c->passed[thread] = (struct critical_passed){first, k};
        if (k == n)
            return false;
        int64_t time = flow_time(flows, points[k]);
        if (time > gap->to && time > gap->reach) /* a point at the very end is in the slice */
            return false;
        task_spend(task, 4);
        if (!arrives(flows, points[k], thread, source))
            continue;
        none = false;
        struct flow_slice_place place = flow_slice_place(c->trace, points[k]);
        if (place.in_slice ? place.start == gap->to : time <= gap->to)
            return true;
    }
    return false;
}

/* The latest arrival before `at`, which another piece of the gap is before; at most as early as
 * `low`. */
static int64_t last_arrival(const struct critical *c, uint32_t thread, int64_t low) {
    const struct flows *flows = trace_flows(c->trace);
    size_t n, k = 0;
    uint32_t source;
    const uint32_t *points = flow_points_on(flows, thread, &n);
    lower_bound(k, n, i, flow_time(flows, points[i]) < c->at);
    for (size_t tried = 0; k > 0 && tried < POINTS_TRIED && flow_time(flows, points[k - 1]) > low;
         k--, tried++)
        if (arrives(flows, points[k - 1], thread, &source))
            return flow_time(flows, points[k - 1]);
    return low;
}

static void by_slices(struct critical *c, uint32_t thread, int64_t low, struct task *task) {
    int64_t from;
    uint32_t source = NO_THREAD;
    if (covered(c, thread, c->at, &from)) {
        emit(c, CRITICAL_COVERED, from > low ? from : low, CRITICAL_BEFORE, NO_THREAD);
        return;
    }
    struct gap gap = gap_at(c, thread, c->at);
    low = gap.from > low ? gap.from : low;
    bool arrival = next_arrival(c, thread, &gap, &source, task);
    low = last_arrival(c, thread, low);
    if (arrival && !idles(c, source))
        enter(c, source, low, CRITICAL_SENT, CRITICAL_NO_SLICE);
    else
        emit(c, CRITICAL_NO_SLICE, low, CRITICAL_BEFORE, NO_THREAD);
}

static void step(struct critical *c, struct task *task) {
    const struct critical_frame *frame = &c->frames.v[c->frames.n - 1];
    const struct sched_thread *t = states_of(c->trace, frame->thread);
    uint32_t i = t ? lane_before(&t->lane, c->at - 1) : UINT32_MAX;
    if (c->v.n == CRITICAL_MOST)
        emit(c, CRITICAL_REST, c->from, CRITICAL_BEFORE, NO_THREAD);
    else if (i != UINT32_MAX)
        by_state(c, t, i, frame->low);
    else
        by_slices(c, frame->thread, frame->low, task);
}

void critical_make(struct task *task, void *critical) {
    struct critical *c = critical;
    begin(c);
    while (c->at > c->from) {
        if (c->at <= c->frames.v[c->frames.n - 1].low)
            leave(c);
        else
            step(c, task);
        if (!task_spend(task, 12))
            return;
    }
    c->done = true;
}

const struct answer_ops critical_ops = {sizeof(struct critical), critical_make, critical_free};

size_t critical_threads(const struct critical *c, uint32_t *threads, size_t n) {
    size_t found = 0, kept = 0;
    for (uint32_t i = 0; i < c->threads; i++) {
        if (c->by_thread[i] == 0)
            continue;
        found++;
        size_t at = kept;
        while (at > 0 && c->by_thread[threads[at - 1]] < c->by_thread[i])
            at--;
        if (at == n)
            continue;
        kept += kept < n;
        for (size_t k = kept - 1; k > at; k--)
            threads[k] = threads[k - 1];
        threads[at] = i;
    }
    return found;
}
