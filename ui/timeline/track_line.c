#include "ui/timeline/track_line.h"

bool track_line_of(struct trace *trace, const struct track *track, uint32_t row, struct track_line *line) {
    *line = (struct track_line){.track = track, .row = row};
    switch ((enum track_kind)track->kind) {
    case TRACK_THREAD: {
        struct thread *t = trace_thread(trace, track->of);
        if (track->strip && row == 0) {
            line->slices = SELECTION_STATE;
            line->lane = &sched_thread(trace_sched(trace), track->of)->lane;
            return true;
        }
        line->row = row - track->strip;
        line->slices = SELECTION_SLICE;
        line->moments = SELECTION_INSTANT;
        line->lane = line->row < nest_rows(&t->nest) ? nest_row(&t->nest, line->row) : NULL;
        return true;
    }
    case TRACK_ASYNC: {
        struct async_group *g = async_group(trace_async(trace), track->of);
        line->slices = SELECTION_ASYNC;
        line->moments = SELECTION_ASYNC_INSTANT;
        line->lane = row < async_group_rows(g) ? async_group_row(g, row) : NULL;
        return true;
    }
    case TRACK_CPU:
        line->slices = SELECTION_RUN;
        line->lane = &sched_cpu(trace_sched(trace), track->of)->lane;
        return true;
    case TRACK_COUNTER:
        line->moments = SELECTION_SAMPLE;
        return true;
    case TRACK_LOG:
        line->moments = SELECTION_LOG;
        return true;
    case TRACK_PROFILE:
        line->moments = SELECTION_PROFILE;
        return true;
    default:
        return false;
    }
}

bool track_line_at(struct trace *trace, const struct track_list *rows, uint64_t at, struct track_line *line) {
    const struct track *track = track_list_at(rows, at);
    return track && track_line_of(trace, track, (uint32_t)(at - track->top), line);
}

static struct selection lane_pick(enum selection_kind kind, uint32_t of, uint32_t row, const struct lane *lane,
                                  uint32_t i) {
    return (struct selection){kind, of, row, i, lane_at(lane, i)->start, slice_offset(lane_at(lane, i))};
}

struct selection track_line_slice(const struct track_line *line, uint32_t i) {
    return lane_pick(line->slices, line->track->of, line->row, line->lane, i);
}

struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i) {
    return lane_pick(SELECTION_SLICE, thread->number, row, nest_row(&thread->nest, row), i);
}

size_t track_line_moments(struct trace *trace, const struct track_line *line) {
    size_t n = 0;
    switch (line->moments) {
    case SELECTION_INSTANT:
        return trace_instant_count(trace_thread(trace, line->track->of));
    case SELECTION_ASYNC_INSTANT:
        return async_instant_count(async_group(trace_async(trace), line->track->of));
    case SELECTION_SAMPLE:
        counter_samples(counter_series(trace_counters(trace), line->track->of), &n);
        return n;
    case SELECTION_LOG:
        trace_logs(trace, &n);
        return n;
    case SELECTION_PROFILE:
        trace_profile(trace, &n);
        return n;
    default:
        return 0;
    }
}

static struct moment moment_of(struct trace *trace, enum selection_kind kind, uint32_t of, size_t i) {
    size_t n;
    switch (kind) {
    case SELECTION_INSTANT: {
        const struct instant *in = &trace_instants(trace_thread(trace, of), &n)[i];
        return (struct moment){in->time, event_offset(in->a)};
    }
    case SELECTION_ASYNC_INSTANT:
        return async_instant(async_group(trace_async(trace), of), i)->at;
    case SELECTION_SAMPLE: {
        const struct counter_sample *s = &counter_samples(counter_series(trace_counters(trace), of), &n)[i];
        return (struct moment){s->at.time, counter_offset(s)};
    }
    case SELECTION_PROFILE:
        return trace_profile(trace, &n)[i].at;
    default:
        return trace_logs(trace, &n)[i].at;
    }
}

struct moment track_line_moment(struct trace *trace, const struct track_line *line, size_t i) {
    return moment_of(trace, line->moments, line->track->of, i);
}

/* The row an instant stands on: that of the slice around it. */
static uint32_t instant_row(struct trace *trace, uint32_t thread, int64_t time) {
    uint32_t row, i;
    return nest_at(&trace_thread(trace, thread)->nest, trace_slice_extra(trace), time, &row, &i) ? row : 0;
}

uint32_t track_line_row(struct trace *trace, const struct track_line *line, size_t i) {
    switch (line->moments) {
    case SELECTION_INSTANT:
        return instant_row(trace, line->track->of, track_line_moment(trace, line, i).time);
    case SELECTION_ASYNC_INSTANT:
        return async_instant(async_group(trace_async(trace), line->track->of), i)->row;
    default:
        return line->row;
    }
}

bool track_line_holds(struct trace *trace, const struct track_line *line, size_t i) {
    return track_line_row(trace, line, i) == line->row;
}

/* Of [lo, hi). */
static size_t moments_from(struct trace *trace, enum selection_kind kind, uint32_t of, size_t lo, size_t hi, int64_t t,
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

size_t track_line_from(struct trace *trace, const struct track_line *line, int64_t t, uint64_t offset) {
    return moments_from(trace, line->moments, line->track->of, 0, track_line_moments(trace, line), t, offset);
}

size_t track_line_from_near(struct trace *trace, const struct track_line *line, size_t i, size_t n, int64_t t) {
    size_t step = 1;
    for (; step < n - i && track_line_moment(trace, line, i + step).time < t; step *= 2)
        i += step;
    return moments_from(trace, line->moments, line->track->of, i, step < n - i ? i + step : n, t, 0);
}

struct selection track_line_pick(struct trace *trace, const struct track_line *line, size_t i) {
    struct moment m = track_line_moment(trace, line, i);
    return (struct selection){line->moments, line->track->of, line->row, (uint32_t)i, m.time, m.offset};
}

/* ---- picks ---- */

struct lane *selection_lane(struct trace *trace, const struct selection *selection) {
    switch (selection->kind) {
    case SELECTION_SLICE:
        return nest_row(&trace_thread(trace, selection->of)->nest, selection->row);
    case SELECTION_ASYNC:
        return async_group_row(async_group(trace_async(trace), selection->of), selection->row);
    case SELECTION_STATE: {
        struct sched_thread *t = sched_thread(trace_sched(trace), selection->of);
        return t ? &t->lane : NULL;
    }
    case SELECTION_RUN:
        return &sched_cpu(trace_sched(trace), selection->of)->lane;
    default:
        return NULL;
    }
}

const struct slice *selection_slice(struct trace *trace, const struct selection *selection) {
    struct lane *lane = selection_lane(trace, selection);
    return lane && selection->i < lane->n ? lane_at(lane, selection->i) : NULL;
}

void selection_place(struct trace *trace, const struct selection *selection, enum track_kind *kind, uint32_t *row) {
    *row = selection->row;
    switch (selection->kind) {
    case SELECTION_SLICE:
    case SELECTION_INSTANT:
        *kind = TRACK_THREAD;
        if (selection->kind == SELECTION_INSTANT)
            *row = instant_row(trace, selection->of, selection->time);
        break;
    case SELECTION_STATE:
        *kind = TRACK_THREAD;
        break;
    case SELECTION_ASYNC:
    case SELECTION_ASYNC_INSTANT:
        *kind = TRACK_ASYNC;
        break;
    case SELECTION_RUN:
        *kind = TRACK_CPU;
        break;
    case SELECTION_SAMPLE:
        *kind = TRACK_COUNTER;
        break;
    case SELECTION_PROFILE:
        *kind = TRACK_PROFILE;
        break;
    default:
        *kind = TRACK_LOG;
        break;
    }
}

static bool find_lane(struct selection *selection, uint32_t row, const struct lane *lane) {
    uint32_t i = lane_find(lane, selection->time, selection->offset);
    if (i == UINT32_MAX)
        return false;
    selection->row = row;
    selection->i = i;
    return true;
}

bool selection_find(struct trace *trace, struct selection *selection) {
    size_t n = 0;
    switch (selection->kind) {
    case SELECTION_NONE:
        return true;
    case SELECTION_SLICE:
        return selection->of < trace_thread_count(trace) &&
               trace_find_slice(trace_thread(trace, selection->of), selection->time, selection->offset, &selection->row,
                                &selection->i);
    case SELECTION_ASYNC: {
        if (selection->of >= async_group_count(trace_async(trace)))
            return false;
        const struct async_group *g = async_group(trace_async(trace), selection->of);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            if (find_lane(selection, row, async_group_row(g, row)))
                return true;
        return false;
    }
    case SELECTION_STATE: {
        const struct sched_thread *t = sched_thread(trace_sched(trace), selection->of);
        return t && find_lane(selection, 0, &t->lane);
    }
    case SELECTION_RUN:
        return selection->of < sched_cpu_count(trace_sched(trace)) &&
               find_lane(selection, 0, &sched_cpu(trace_sched(trace), selection->of)->lane);
    case SELECTION_INSTANT:
        if (selection->of >= trace_thread_count(trace))
            return false;
        n = trace_instant_count(trace_thread(trace, selection->of));
        break;
    case SELECTION_ASYNC_INSTANT:
        if (selection->of >= async_group_count(trace_async(trace)))
            return false;
        n = async_instant_count(async_group(trace_async(trace), selection->of));
        break;
    case SELECTION_SAMPLE:
        if (selection->of >= counter_series_count(trace_counters(trace)))
            return false;
        counter_samples(counter_series(trace_counters(trace), selection->of), &n);
        break;
    case SELECTION_LOG:
        trace_logs(trace, &n);
        break;
    case SELECTION_PROFILE:
        trace_profile(trace, &n);
        break;
    }
    selection->i =
        (uint32_t)moments_from(trace, selection->kind, selection->of, 0, n, selection->time, selection->offset);
    return selection->i < n &&
           moment_of(trace, selection->kind, selection->of, selection->i).offset == selection->offset;
}

uint32_t selection_thread(struct trace *trace, const struct selection *selection) {
    size_t n;
    switch (selection->kind) {
    case SELECTION_NONE:
        return NO_THREAD;
    case SELECTION_SLICE:
    case SELECTION_INSTANT:
    case SELECTION_STATE:
        return selection->of;
    case SELECTION_RUN:
        return selection_slice(trace, selection)
                   ? sched_run(sched_cpu(trace_sched(trace), selection->of), selection->i)->thread
                   : NO_THREAD;
    case SELECTION_LOG:
        return trace_logs(trace, &n)[selection->i].thread;
    case SELECTION_PROFILE:
        return trace_profile(trace, &n)[selection->i].thread;
    default:
        return trace_thread_at(trace, selection->offset);
    }
}
