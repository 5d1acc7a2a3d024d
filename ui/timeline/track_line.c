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

struct selection track_line_slice(const struct track_line *line, uint32_t i) {
    return selection_of_lane(line->slices, line->track->of, line->row, line->lane, i);
}

struct moment track_line_moment(struct trace *trace, const struct track_line *line, size_t i) {
    return selection_moment(trace, line->moments, line->track->of, i);
}

uint32_t track_line_row(struct trace *trace, const struct track_line *line, size_t i) {
    switch (line->moments) {
    case SELECTION_INSTANT:
        return selection_instant_row(trace, line->track->of, track_line_moment(trace, line, i).time);
    case SELECTION_ASYNC_INSTANT:
        return async_instant(async_group(trace_async(trace), line->track->of), i)->row;
    default:
        return line->row;
    }
}

bool track_line_holds(struct trace *trace, const struct track_line *line, size_t i) {
    return track_line_row(trace, line, i) == line->row;
}

size_t track_line_moments(struct trace *trace, const struct track_line *line) {
    return selection_moments(trace, line->moments, line->track->of);
}

size_t track_line_from(struct trace *trace, const struct track_line *line, int64_t t, uint64_t offset) {
    return selection_moment_from(trace, line->moments, line->track->of, 0, track_line_moments(trace, line), t, offset);
}

size_t track_line_from_near(struct trace *trace, const struct track_line *line, size_t i, size_t n, int64_t t) {
    size_t step = 1;
    for (; step < n - i && track_line_moment(trace, line, i + step).time < t; step *= 2)
        i += step;
    return selection_moment_from(trace, line->moments, line->track->of, i, step < n - i ? i + step : n, t, 0);
}

struct selection track_line_pick(struct trace *trace, const struct track_line *line, size_t i) {
    struct moment m = track_line_moment(trace, line, i);
    return (struct selection){line->moments, line->track->of, line->row, (uint32_t)i, m.time, m.offset};
}
