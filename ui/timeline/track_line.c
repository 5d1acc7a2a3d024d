#include "ui/timeline/track_line.h"

bool line_of(struct trace *trace, const struct track *track, uint32_t row, struct line *line) {
    *line = (struct line){.track = track, .row = row};
    switch ((enum track_kind)track->kind) {
    case TRACK_THREAD: {
        struct thread *t = trace_thread(trace, track->of);
        if (track->strip && row == 0) {
            line->slices = PICK_STATE;
            line->lane = &sched_thread(trace_sched(trace), track->of)->lane;
            return true;
        }
        line->row = row - track->strip;
        line->slices = PICK_SLICE;
        line->moments = PICK_INSTANT;
        line->lane = line->row < t->nest.nlanes ? &t->nest.lanes[line->row] : NULL;
        return true;
    }
    case TRACK_ASYNC: {
        struct async_group *g = trace_async(trace)->groups.v[track->of];
        line->slices = PICK_ASYNC;
        line->moments = PICK_ASYNC_INSTANT;
        line->lane = row < g->nlanes ? &g->lanes[row] : NULL;
        return true;
    }
    case TRACK_CPU:
        line->slices = PICK_RUN;
        line->lane = &trace_sched(trace)->cpus.v[track->of]->lane;
        return true;
    case TRACK_COUNTER:
        line->moments = PICK_SAMPLE;
        return true;
    case TRACK_LOG:
        line->moments = PICK_LOG;
        return true;
    case TRACK_PROFILE:
        line->moments = PICK_PROFILE;
        return true;
    default:
        return false;
    }
}

bool line_at(struct trace *trace, const struct rows *rows, uint64_t at, struct line *line) {
    const struct track *track = rows_at(rows, at);
    return track && line_of(trace, track, (uint32_t)(at - track->top), line);
}

static struct pick lane_pick(enum pick_kind kind, uint32_t of, uint32_t row, const struct lane *lane, uint32_t i) {
    return (struct pick){kind, of, row, i, lane_at(lane, i)->start, slice_offset(lane_at(lane, i))};
}

struct pick line_slice(const struct line *line, uint32_t i) {
    return lane_pick(line->slices, line->track->of, line->row, line->lane, i);
}

struct pick pick_of_slice(const struct thread *thread, uint32_t row, uint32_t i) {
    return lane_pick(PICK_SLICE, thread->number, row, &thread->nest.lanes[row], i);
}

size_t line_moments(struct trace *trace, const struct line *line) {
    size_t n = 0;
    switch (line->moments) {
    case PICK_INSTANT:
        return trace_thread(trace, line->track->of)->instants.n;
    case PICK_ASYNC_INSTANT:
        return trace_async(trace)->groups.v[line->track->of]->instants.n;
    case PICK_SAMPLE:
        counter_samples(trace_counters(trace)->v.v[line->track->of], &n);
        return n;
    case PICK_LOG:
        trace_logs(trace, &n);
        return n;
    case PICK_PROFILE:
        trace_profile(trace, &n);
        return n;
    default:
        return 0;
    }
}

static struct moment moment_of(struct trace *trace, enum pick_kind kind, uint32_t of, size_t i) {
    size_t n;
    switch (kind) {
    case PICK_INSTANT: {
        const struct instant *in = &trace_instants(trace_thread(trace, of), &n)[i];
        return (struct moment){in->time, event_offset(in->a)};
    }
    case PICK_ASYNC_INSTANT:
        return trace_async(trace)->groups.v[of]->instants.v[i].at;
    case PICK_SAMPLE: {
        const struct counter_sample *s = &counter_samples(trace_counters(trace)->v.v[of], &n)[i];
        return (struct moment){s->at.time, counter_offset(s)};
    }
    case PICK_PROFILE:
        return trace_profile(trace, &n)[i].at;
    default:
        return trace_logs(trace, &n)[i].at;
    }
}

struct moment line_moment(struct trace *trace, const struct line *line, size_t i) {
    return moment_of(trace, line->moments, line->track->of, i);
}

/* The row an instant stands on: that of the slice around it. */
static uint32_t instant_row(struct trace *trace, uint32_t thread, int64_t time) {
    uint32_t row, i;
    return nest_at(&trace_thread(trace, thread)->nest, trace_aside(trace), time, &row, &i) ? row : 0;
}

uint32_t line_row(struct trace *trace, const struct line *line, size_t i) {
    switch (line->moments) {
    case PICK_INSTANT:
        return instant_row(trace, line->track->of, line_moment(trace, line, i).time);
    case PICK_ASYNC_INSTANT:
        return trace_async(trace)->groups.v[line->track->of]->instants.v[i].row;
    default:
        return line->row;
    }
}

bool line_holds(struct trace *trace, const struct line *line, size_t i) {
    return line_row(trace, line, i) == line->row;
}

/* Of [lo, hi). */
static size_t moments_from(struct trace *trace, enum pick_kind kind, uint32_t of, size_t lo, size_t hi, int64_t t,
                           uint64_t offset) {
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        struct moment m = moment_of(trace, kind, of, mid);
        if (m.time < t || (m.time == t && m.offset < offset))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t line_from(struct trace *trace, const struct line *line, int64_t t, uint64_t offset) {
    return moments_from(trace, line->moments, line->track->of, 0, line_moments(trace, line), t, offset);
}

size_t line_from_near(struct trace *trace, const struct line *line, size_t i, size_t n, int64_t t) {
    size_t step = 1;
    for (; step < n - i && line_moment(trace, line, i + step).time < t; step *= 2)
        i += step;
    return moments_from(trace, line->moments, line->track->of, i, step < n - i ? i + step : n, t, 0);
}

struct pick line_pick(struct trace *trace, const struct line *line, size_t i) {
    struct moment m = line_moment(trace, line, i);
    return (struct pick){line->moments, line->track->of, line->row, (uint32_t)i, m.time, m.offset};
}

/* ---- picks ---- */

struct lane *pick_lane(struct trace *trace, const struct pick *pick) {
    switch (pick->kind) {
    case PICK_SLICE:
        return &trace_thread(trace, pick->of)->nest.lanes[pick->row];
    case PICK_ASYNC:
        return &trace_async(trace)->groups.v[pick->of]->lanes[pick->row];
    case PICK_STATE: {
        struct sched_thread *t = sched_thread(trace_sched(trace), pick->of);
        return t ? &t->lane : NULL;
    }
    case PICK_RUN:
        return &trace_sched(trace)->cpus.v[pick->of]->lane;
    default:
        return NULL;
    }
}

const struct slice *pick_slice(struct trace *trace, const struct pick *pick) {
    struct lane *lane = pick_lane(trace, pick);
    return lane && pick->i < lane->n ? lane_at(lane, pick->i) : NULL;
}

void pick_place(struct trace *trace, const struct pick *pick, enum track_kind *kind, uint32_t *row) {
    *row = pick->row;
    switch (pick->kind) {
    case PICK_SLICE:
    case PICK_INSTANT:
        *kind = TRACK_THREAD;
        if (pick->kind == PICK_INSTANT)
            *row = instant_row(trace, pick->of, pick->time);
        break;
    case PICK_STATE:
        *kind = TRACK_THREAD;
        break;
    case PICK_ASYNC:
    case PICK_ASYNC_INSTANT:
        *kind = TRACK_ASYNC;
        break;
    case PICK_RUN:
        *kind = TRACK_CPU;
        break;
    case PICK_SAMPLE:
        *kind = TRACK_COUNTER;
        break;
    case PICK_PROFILE:
        *kind = TRACK_PROFILE;
        break;
    default:
        *kind = TRACK_LOG;
        break;
    }
}

static bool find_lane(struct pick *pick, uint32_t row, const struct lane *lane) {
    uint32_t i = lane_find(lane, pick->time, pick->offset);
    if (i == UINT32_MAX)
        return false;
    pick->row = row;
    pick->i = i;
    return true;
}

bool pick_find(struct trace *trace, struct pick *pick) {
    size_t n = 0;
    switch (pick->kind) {
    case PICK_NONE:
        return true;
    case PICK_SLICE:
        return pick->of < trace_thread_count(trace) &&
               trace_find_slice(trace_thread(trace, pick->of), pick->time, pick->offset, &pick->row, &pick->i);
    case PICK_ASYNC: {
        if (pick->of >= trace_async(trace)->groups.n)
            return false;
        const struct async_group *g = trace_async(trace)->groups.v[pick->of];
        for (uint32_t row = 0; row < g->nlanes; row++)
            if (find_lane(pick, row, &g->lanes[row]))
                return true;
        return false;
    }
    case PICK_STATE: {
        const struct sched_thread *t = sched_thread(trace_sched(trace), pick->of);
        return t && find_lane(pick, 0, &t->lane);
    }
    case PICK_RUN:
        return pick->of < trace_sched(trace)->cpus.n && find_lane(pick, 0, &trace_sched(trace)->cpus.v[pick->of]->lane);
    case PICK_INSTANT:
        if (pick->of >= trace_thread_count(trace))
            return false;
        n = trace_thread(trace, pick->of)->instants.n;
        break;
    case PICK_ASYNC_INSTANT:
        if (pick->of >= trace_async(trace)->groups.n)
            return false;
        n = trace_async(trace)->groups.v[pick->of]->instants.n;
        break;
    case PICK_SAMPLE:
        if (pick->of >= trace_counters(trace)->v.n)
            return false;
        counter_samples(trace_counters(trace)->v.v[pick->of], &n);
        break;
    case PICK_LOG:
        trace_logs(trace, &n);
        break;
    case PICK_PROFILE:
        trace_profile(trace, &n);
        break;
    }
    pick->i = (uint32_t)moments_from(trace, pick->kind, pick->of, 0, n, pick->time, pick->offset);
    return pick->i < n && moment_of(trace, pick->kind, pick->of, pick->i).offset == pick->offset;
}

uint32_t pick_thread(struct trace *trace, const struct pick *pick) {
    size_t n;
    switch (pick->kind) {
    case PICK_NONE:
        return NO_THREAD;
    case PICK_SLICE:
    case PICK_INSTANT:
    case PICK_STATE:
        return pick->of;
    case PICK_RUN:
        return pick_slice(trace, pick) ? trace_sched(trace)->cpus.v[pick->of]->runs.v[pick->i].thread : NO_THREAD;
    case PICK_LOG:
        return trace_logs(trace, &n)[pick->i].thread;
    case PICK_PROFILE:
        return trace_profile(trace, &n)[pick->i].thread;
    default:
        return trace_thread_at(trace, pick->offset);
    }
}
