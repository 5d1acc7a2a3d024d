#include "ui/timeline/selection.h"

struct selection selection_of_lane(enum selection_kind kind, uint32_t of, uint32_t row, const struct lane *lane,
                                   uint32_t i) {
    return (struct selection){kind, of, row, i, lane_at(lane, i)->start, slice_offset(lane_at(lane, i))};
}

struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i) {
    return selection_of_lane(SELECTION_SLICE, thread->number, row, nest_row(&thread->nest, row), i);
}

size_t selection_moments(struct trace *trace, enum selection_kind kind, uint32_t of) {
    size_t n = 0;
    switch (kind) {
    case SELECTION_INSTANT:
        return of < trace_thread_count(trace) ? trace_instant_count(trace_thread(trace, of)) : 0;
    case SELECTION_ASYNC_INSTANT:
        return of < async_group_count(trace_async(trace)) ? async_instant_count(async_group(trace_async(trace), of)) : 0;
    case SELECTION_SAMPLE:
        if (of < counter_series_count(trace_counters(trace)))
            counter_samples(counter_series(trace_counters(trace), of), &n);
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

struct moment selection_moment(struct trace *trace, enum selection_kind kind, uint32_t of, size_t i) {
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

size_t selection_moment_from(struct trace *trace, enum selection_kind kind, uint32_t of, size_t lo, size_t hi, int64_t t,
                             uint64_t offset) {
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        struct moment m = selection_moment(trace, kind, of, mid);
        if (m.time < t || (m.time == t && m.offset < offset))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t selection_instant_row(struct trace *trace, uint32_t thread, int64_t time) {
    uint32_t row, i;
    return trace_slice_at(trace, thread, time, &row, &i) ? row : 0;
}

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

bool selection_name(struct trace *trace, const struct selection *selection, enum slice_iter_kind *kind, uint32_t *name) {
    bool slice = selection->kind == SELECTION_SLICE;
    const struct slice *s = slice || selection->kind == SELECTION_ASYNC ? selection_slice(trace, selection) : NULL;
    if (s == NULL)
        return false;
    *kind = slice ? SLICE_ITER_SLICES : SLICE_ITER_OPERATIONS;
    *name = trace_packed_name(trace, s->a);
    return true;
}

void selection_place(struct trace *trace, const struct selection *selection, enum track_kind *kind, uint32_t *row) {
    *row = selection->row;
    switch (selection->kind) {
    case SELECTION_SLICE:
    case SELECTION_INSTANT:
        *kind = TRACK_THREAD;
        if (selection->kind == SELECTION_INSTANT)
            *row = selection_instant_row(trace, selection->of, selection->time);
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
    default:
        n = selection_moments(trace, selection->kind, selection->of);
        break;
    }
    selection->i =
        (uint32_t)selection_moment_from(trace, selection->kind, selection->of, 0, n, selection->time, selection->offset);
    return selection->i < n &&
           selection_moment(trace, selection->kind, selection->of, selection->i).offset == selection->offset;
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
