/* thread_states.c - sums from sched_life.h for all threads, then the rest from a walk over the
 * states of each. */
#include "model/query/stat/tables/thread_states.h"

#include "model/query/stat/waits/wakeup.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"

#define WAKE_UNITS 16 /* of a wakeup, which is decoded */

void thread_states_free(struct thread_states *s) {
    vec_free(&s->rows);
    *s = (struct thread_states){0};
}

const char *thread_states_name(const struct trace *trace, const struct thread_states_row *row,
                               enum thread_state state) {
    static const char *const names[THREAD_STATES] = {"running", "runnable", "blocked", "other",
                                                     "unknown"};
    const char *name = NULL;
    if (state == THREAD_OTHER && row->count[state] > 0 && row->other != THREAD_OTHER_MIXED)
        name = row->other == THREAD_OTHER_IDLE ? "idle" : sched_state_name(row->other);
    if (state == THREAD_BLOCKED)
        name = trace_state_name(trace, SCHED_BLOCKED);
    return name ? name : names[state];
}

static enum thread_state state_of(const struct sched_thread *t, uint32_t i) {
    uint32_t state = sched_state(t, i);
    if (!sched_life_known(t, i))
        return THREAD_UNKNOWN;
    if (state == SCHED_RUNNING)
        return t->states.v[i] & SCHED_OF_IDLE ? THREAD_OTHER : THREAD_RUNNING;
    if (state == SCHED_RUNNABLE)
        return THREAD_RUNNABLE;
    return state == SCHED_BLOCKED ? THREAD_BLOCKED : THREAD_OTHER;
}

/* The states of a thread in the range: *first up to, without it, *end. */
static void states_of(const struct thread_states *s, const struct sched_thread *t, uint32_t *first,
                      uint32_t *end) {
    struct slice_set set = range_slices(s->range, SLICE_ITER_STATES);
    int64_t last = units_sum(trace_end(s->trace), 1); /* without a damaged time */
    slice_iter_window(&t->lane, set.from, set.to < last ? set.to : last, first, end);
}

/* Adds the row of a thread with its sums, if it is asked for. */
static void add_thread(struct thread_states *s, const struct sched_thread *t) {
    struct thread_states_row row = {.thread = t->thread, .waker = NO_THREAD};
    const struct range *range = s->range;
    const struct thread *thread = trace_thread(s->trace, t->thread);
    if (!trace_thread_scheduled(s->trace, thread) || trace_thread_none(s->trace, thread) ||
        (range->tracks.v.n > 0 && !track_set_has(&range->tracks, t->thread)))
        return;
    int64_t from = range_begin(range, s->trace), to = range_end(range, s->trace);
    struct sched_shares shares = {0};
    if (from < to)
        shares = sched_life_shares(t, from, to);
    row.lived = range_thread_time(range, s->trace, t->thread);
    row.time[THREAD_RUNNING] = shares.run;
    row.time[THREAD_RUNNABLE] = shares.wait;
    row.time[THREAD_BLOCKED] = shares.blocked;
    row.time[THREAD_OTHER] = shares.alive - shares.run - shares.wait - shares.blocked;
    row.time[THREAD_UNKNOWN] = row.lived > shares.alive ? row.lived - shares.alive : 0;
    uint32_t first, last;
    states_of(s, t, &first, &last);
    s->all += last - first;
    vec_push(&s->rows, row);
}

static void add_state(struct thread_states *s, const struct sched_thread *t,
                      struct thread_states_row *row, uint32_t i) {
    enum thread_state state = state_of(t, i);
    const struct slice *slice = lane_at(&t->lane, i);
    int64_t last = trace_end(s->trace), life = sched_life_end(t, slice->start);
    int64_t end = life < last ? life : last;
    if (!slice_open(slice))
        end = slice_end(slice);
    if (state == THREAD_UNKNOWN)
        return;
    uint8_t kind =
        sched_state(t, i) == SCHED_RUNNING ? THREAD_OTHER_IDLE : (uint8_t)sched_state(t, i);
    if (state == THREAD_OTHER)
        row->other = row->count[state] == 0 || row->other == kind ? kind : THREAD_OTHER_MIXED;
    row->count[state]++;
    if (row->count[state] == 1 || units_since(slice->start, end) > row->longest[state]) {
        row->longest[state] = end > slice->start ? units_since(slice->start, end) : 0;
        row->longest_at[state] = slice->start;
    }
}

static void add_waker(struct task *task, struct aggregate *wakers, const struct thread_states *s,
                      const struct sched_thread *t, uint32_t i) {
    struct wakeup wakeup;
    task_spend(task, sched_woken(t, i) ? WAKE_UNITS : 1);
    if (!wakeup_of(s->trace, t, i, &wakeup) || wakeup.thread == NO_THREAD)
        return;
    uint32_t row = aggregate_row(wakers, &(struct aggregate_key){wakeup.thread, 0, 0});
    wakers->rows.v[row].count++;
}

/* The waker that woke it most often, of equals the one with the least number. */
static void choose_waker(struct thread_states_row *row, const struct aggregate *wakers) {
    for (size_t k = 0; k < wakers->rows.n; k++) {
        const struct aggregate_row *waker = &wakers->rows.v[k];
        if (waker->count > row->wakes ||
            (waker->count == row->wakes && waker->key.name < row->waker)) {
            row->wakes = waker->count;
            row->waker = waker->key.name;
        }
    }
}

static void add_states(struct task *task, struct thread_states *s, struct thread_states_row *row) {
    const struct sched_thread *t = sched_thread(trace_sched(s->trace), row->thread);
    struct aggregate wakers = AGGREGATE_INIT(AGGREGATE_NAME);
    uint32_t i, end;
    states_of(s, t, &i, &end);
    for (; i < end && task_spend(task, 1); i++, s->passed++) {
        add_state(s, t, row, i);
        add_waker(task, &wakers, s, t, i);
    }
    choose_waker(row, &wakers);
    aggregate_free(&wakers);
}

void thread_states_make(struct task *task, struct thread_states *s, struct trace *trace,
                        const struct range *range, void (*timed)(void *ctx), void *ctx) {
    const struct sched *sched = trace_sched(trace);
    *s = (struct thread_states){.trace = trace, .range = range};
    for (uint32_t i = 0; i < sched_thread_count(sched) && task_spend(task, WAKE_UNITS); i++)
        add_thread(s, sched_thread_at(sched, i));
    if (task_over(task))
        return;
    s->times = true;
    if (timed)
        timed(ctx);
    for (; s->known < s->rows.n && task_spend(task, WAKE_UNITS); s->known++)
        add_states(task, s, &s->rows.v[s->known]);
}

unsigned thread_states_percent(const struct thread_states *s) {
    return s->times && s->known == s->rows.n ? 100 : units_percent(s->passed, s->all);
}
