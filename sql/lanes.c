/* lanes.c - rows of the tables counter, sched and thread_state, and bounds.
 *
 * A state that the idle thread left has no flag of its own: the last running state before it has.
 * The first state of a thread that ran from the start has the record of the switch that ended
 * it. */
#include "sql/lanes.h"

#include "sql/family.h"

static const char counter_key, sched_key, state_key;

static double sample_value(const struct rows_lane *lane, uint32_t i) {
    const struct counter_sample *s = (const struct counter_sample *)lane->of + i;
    double x;
    switch (counter_type(s)) {
    case FXT_ARG_DOUBLE:
        memcpy(&x, &s->bits, sizeof x);
        return x;
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
        return (double)s->bits;
    default:
        return (double)(int64_t)s->bits;
    }
}

struct rows *lanes_counters(struct source *source) {
    struct rows *rows = source_find(source, &counter_key);
    const struct counters *counters = trace_counters(source->trace);
    if (rows)
        return rows;
    rows = rows_new(source, 0);
    for (size_t k = 0; k < counter_series_count(counters); k++) {
        size_t n;
        const struct counter_sample *v = counter_samples(counter_series(counters, k), &n);
        rows_add(rows, &(struct rows_lane){.key = source_counter_track(source, (uint32_t)k),
                                           .of = v,
                                           .n = (uint32_t)n,
                                           .owner = (uint32_t)k,
                                           .kind = ROWS_SAMPLES});
    }
    rows->timed = true;
    rows->real = sample_value;
    rows_done(rows);
    source_keep(source, &counter_key, rows, rows_free);
    return rows;
}

/* A legacy switch of priority 0 is idle for the model; here its process must be 0, too. */
static bool is_idle(struct source *source, uint32_t thread, uint64_t offset) {
    const struct thread_id *id = &trace_thread(source->trace, thread)->id;
    struct detail d;
    if (id->form != THREAD_PAIR || id->pid == 0)
        return true;
    return detail_open(&d, source->trace, offset) && d.record.kind != FXT_K_SWITCH_LEGACY;
}

static bool idle_run(struct source *source, const struct rows_lane *lane, uint32_t i) {
    struct sched_run run = sched_run(sched_cpu(trace_sched(source->trace), lane->owner), i);
    return (run.flags & SCHED_OF_IDLE) &&
           is_idle(source, run.thread, slice_offset(lane_at(lane->of, i)));
}

static bool first_run(struct source *source, const struct rows_lane *lane) {
    return sched_flags(sched_cpu(trace_sched(source->trace), lane->owner), 0) & SCHED_FIRST;
}

static bool no_run(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return (i == 0 && first_run(source, lane)) || idle_run(source, lane, i);
}

static int64_t run_thread(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return source_utid(source,
                       sched_run(sched_cpu(trace_sched(source->trace), lane->owner), i).thread);
}

struct rows *lanes_sched(struct source *source) {
    struct rows *rows = source_find(source, &sched_key);
    const struct sched *sched = trace_sched(source->trace);
    if (rows)
        return rows;
    rows = rows_new(source, 0);
    for (size_t k = 0; k < sched_cpu_count(sched); k++) {
        const struct sched_cpu *cpu = sched_cpu(sched, k);
        struct rows_lane lane = {.key = cpu->number,
                                 .of = &cpu->lane,
                                 .n = cpu->lane.n,
                                 .owner = (uint32_t)k,
                                 .kind = ROWS_LANE};
        lane.before = lane.n > 0 && first_run(source, &lane) && !idle_run(source, &lane, 0);
        rows_add(rows, &lane);
    }
    rows->timed = true;
    rows->skip = no_run;
    rows->group = run_thread;
    rows->any_open = lanes_any_open;
    rows_done(rows);
    source_keep(source, &sched_key, rows, rows_free);
    return rows;
}

/* states, to the last one in which the thread ran, or from the first one on */
#define LOOKED_BACK 64u

static bool idle_state(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct sched_thread *t = sched_thread_at(trace_sched(source->trace), lane->owner);
    const struct lane *states = lane->of;
    uint32_t k = i;
    while (k > 0 && i - k < LOOKED_BACK && sched_state(t, k) != SCHED_RUNNING)
        k--;
    if (k == 0 && sched_state(t, k) != SCHED_RUNNING) /* before its first run: that decides */
        while (k < states->n - 1 && k < LOOKED_BACK && sched_state(t, k) != SCHED_RUNNING)
            k++;
    return sched_state(t, k) == SCHED_RUNNING && (t->states.v[k] & SCHED_OF_IDLE) != 0 &&
           is_idle(source, t->thread, slice_offset(lane_at(states, k)));
}

static bool first_state(struct source *source, const struct rows_lane *lane) {
    const struct sched_thread *t = sched_thread_at(trace_sched(source->trace), lane->owner);
    return sched_state(t, 0) == SCHED_RUNNING && t->lane.n > 1 &&
           slice_offset(lane_at(&t->lane, 0)) == slice_offset(lane_at(&t->lane, 1));
}

static bool no_state(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return (i == 0 && first_state(source, lane)) || idle_state(source, lane, i);
}

struct rows *lanes_states(struct source *source) {
    struct rows *rows = source_find(source, &state_key);
    const struct sched *sched = trace_sched(source->trace);
    if (rows)
        return rows;
    rows = rows_new(source, 0);
    for (size_t k = 0; k < sched_thread_count(sched); k++) {
        const struct sched_thread *t = sched_thread_at(sched, k);
        struct rows_lane lane = {.key = source_utid(source, t->thread),
                                 .of = &t->lane,
                                 .n = t->lane.n,
                                 .owner = (uint32_t)k,
                                 /* so that lanes of one key have an order */
                                 .row = (uint32_t)k,
                                 .kind = ROWS_LANE};
        lane.before = lane.n > 0 && first_state(source, &lane) && !idle_state(source, &lane, 0);
        rows_add(rows, &lane);
    }
    rows->timed = true;
    rows->skip = no_state;
    rows->any_open = lanes_any_open;
    rows_done(rows);
    source_keep(source, &state_key, rows, rows_free);
    return rows;
}

static bool leave_out(struct source *source, bool damaged) {
    source->left_out |= damaged ? SLICE_ITER_STATES : 0;
    return damaged;
}

bool lanes_run_damaged(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return leave_out(source, trace_damaged_run(source->trace, lane->of, i));
}

bool lanes_state_damaged(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return leave_out(source,
                     sched_damaged(sched_thread_at(trace_sched(source->trace), lane->owner), i));
}

/* ---- bounds ---- */

struct span_of { /* the rows that count; a damaged or unset time is in no span (SEMANTICS 4.7) */
    int64_t begin, end;
};

static struct span_of rows_that_count(const struct source *source) {
    struct trace *trace = source->trace;
    if (trace_damaged_times(trace) + trace_unset_times(trace) == 0)
        return (struct span_of){INT64_MIN, INT64_MAX};
    return (struct span_of){source_time(source, trace_begin(trace)),
                            source_time(source, trace_end(trace))};
}

static bool counts(struct source *source, const struct rows *rows, const struct rows_lane *lane,
                   uint32_t i, struct span_of span) {
    int64_t ts = rows_ts(source, lane, i), dur = rows_dur(lane, i);
    bool inside = ts >= span.begin && ts <= span.end &&
                  (dur <= 0 || span.end == INT64_MAX || dur <= span.end - ts);
    return inside && !(rows->skip && rows->skip(source, lane, i));
}

/* Rows of a lane never overlap, so its last row that counts ends last. */
static void widen(struct source *source, const struct rows *rows, struct span_of span) {
    for (size_t k = 0; k < rows->v.n; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        uint32_t first = 0, last = lane->n;
        while (first < lane->n && !counts(source, rows, lane, first, span))
            first++;
        while (last > first && !counts(source, rows, lane, last - 1, span))
            last--;
        if (first == last)
            continue;
        int64_t ts = rows_ts(source, lane, first), end = rows_ts(source, lane, last - 1),
                dur = rows_dur(lane, last - 1);
        if (dur > 0 && __builtin_add_overflow(end, dur, &end))
            end = INT64_MAX;
        source->start = !source->bounded || ts < source->start ? ts : source->start;
        source->end = !source->bounded || end > source->end ? end : source->end;
        source->bounded = true;
    }
}

void lanes_bounds(struct source *source, int64_t *start, int64_t *end) {
    if (!source->bounded) {
        struct span_of span = rows_that_count(source);
        widen(source, family_rows(source), span);
        widen(source, lanes_counters(source), span);
        widen(source, lanes_sched(source), span);
        widen(source, lanes_states(source), span);
        source->bounded = true;
        if (trace_is_part(source->trace)) {
            source->start = source_time(source, trace_begin(source->trace));
            source->end = source_time(source, trace_end(source->trace));
        }
    }
    *start = source->start;
    *end = source->end;
}
