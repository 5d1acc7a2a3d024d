/* track_line.c - asks the kind of the line's track. */
#include "ui/timeline/track_line.h"

#include "ui/timeline/track_ops.h"

bool track_line_of(struct trace *trace, const struct track *track, uint32_t row,
                   struct track_line *line) {
    *line = (struct track_line){.track = track, .row = row};
    if (track->kind->line == NULL)
        return false;
    track->kind->line(trace, line);
    return true;
}

bool track_line_at(struct trace *trace, const struct track_list *list, uint64_t at,
                   struct track_line *line) {
    const struct track *track = track_list_at(list, at);
    return track && track_line_of(trace, track, (uint32_t)(at - track->top), line);
}

struct selection track_line_slice(const struct track_line *line, uint32_t i) {
    return selection_of_lane(line->slices, line->track->of, line->row, line->lane, i);
}

struct selection track_line_gap(const struct track_line *line, int64_t time) {
    uint32_t i = line->gaps ? lane_before(line->gaps, time) : UINT32_MAX;
    if (i == UINT32_MAX || slice_end(lane_at(line->gaps, i)) < time)
        return (struct selection){0};
    return selection_of_lane(line->gaps_kind, line->track->of, 0, line->gaps, i);
}

size_t track_line_moments(struct trace *trace, const struct track_line *line) {
    return line->moments ? line->moments->count(trace, line->track->of) : 0;
}

struct moment track_line_moment(struct trace *trace, const struct track_line *line, size_t i) {
    return line->moments->moment(trace, line->track->of, i);
}

uint32_t track_line_row(struct trace *trace, const struct track_line *line, size_t i) {
    return line->moments->row ? line->moments->row(trace, line->track->of, i) : line->row;
}

bool track_line_holds(struct trace *trace, const struct track_line *line, size_t i) {
    return track_line_row(trace, line, i) == line->row;
}

size_t track_line_from(struct trace *trace, const struct track_line *line, int64_t t,
                       uint64_t offset) {
    return selection_moment_from(trace, line->moments, line->track->of, 0,
                                 track_line_moments(trace, line), (struct moment){t, offset});
}

size_t track_line_from_near(struct trace *trace, const struct track_line *line, size_t i,
                            size_t guess, int64_t t) {
    size_t n = track_line_moments(trace, line), step = 1, end = guess < n - i ? i + guess : n;
    if (end < n && track_line_moment(trace, line, end).time < t) {
        for (i = end; step < n - i && track_line_moment(trace, line, i + step).time < t; step *= 2)
            i += step;
        end = step < n - i ? i + step : n;
    } else {
        for (; step < end - i && track_line_moment(trace, line, end - step).time >= t; step *= 2)
            end -= step;
        i = step < end - i ? end - step : i;
    }
    return selection_moment_from(trace, line->moments, line->track->of, i, end,
                                 (struct moment){t, 0});
}

struct selection track_line_selection(struct trace *trace, const struct track_line *line,
                                      size_t i) {
    struct moment m = track_line_moment(trace, line, i);
    return (struct selection){line->moments, line->track->of, line->row,
                              (uint32_t)i,   m.time,          m.offset};
}

/* The track of a filter's answers about events of a kind (filter_lanes.h); UINT32_MAX: it finds
 * none of them. False: nothing of the line is hidden. */
static bool filtered_track(struct trace *trace, const struct track_line *line,
                           const struct selection_ops *kind, uint32_t *track) {
    if (line->left == NULL || kind == NULL || kind == &track_rows_row)
        return false;
    if (kind == &track_cpu_run)
        *track = FILTER_LANES_CPU + line->track->of;
    else if (!selection_searched(trace, kind, line->track->of, track))
        *track = UINT32_MAX;
    return true;
}

struct lane *track_line_left(struct trace *trace, const struct track_line *line) {
    uint32_t track;
    if (!filtered_track(trace, line, line->slices, &track))
        return line->lane;
    return filter_lanes_of(line->left, track, line->row);
}

uint32_t track_line_left_along(struct trace *trace, const struct track_line *line, uint32_t i,
                               int d) {
    uint32_t track;
    return filtered_track(trace, line, line->moments, &track)
               ? filter_lanes_moment_along(line->left, track, i, d)
               : i;
}

bool track_line_holds_next(struct trace *trace, const struct track_line *line, size_t i,
                           size_t *next) {
    int64_t t = track_line_moment(trace, line, i).time,
            later = line->moments->later
                        ? line->moments->later(trace, line->track->of, line->row, t)
                        : t;
    *next = later > t ? track_line_from_near(trace, line, i, 1, later) : i + 1;
    return later <= t && track_line_holds(trace, line, i);
}

/* The slice after (d > 0) or before the selection or, if `now` is NULL, the cursor. */
static struct selection slice_along(struct trace *trace, const struct track_line *line,
                                    const struct selection *now, int64_t cursor, int d) {
    uint32_t i;
    const struct lane *lane = track_line_left(trace, line);
    bool filtered = lane != line->lane;
    int64_t from = now ? now->time : cursor;
    if (lane == NULL)
        return (struct selection){0};
    uint32_t place = now && now->kind == line->slices ? now->i : UINT32_MAX;
    if (place != UINT32_MAX && filtered)
        place = lane_find(lane, now->time, now->offset);
    if (place != UINT32_MAX)
        i = d > 0 ? place + 1 : place - 1; /* before the first: wraps to UINT32_MAX, none */
    else if (d > 0)
        i = now ? lane_before(lane, from) + 1 : lane_from(lane, from); /* UINT32_MAX + 1 is 0 */
    else
        i = lane_from(lane, from) - 1;
    if (i >= lane->n)
        return (struct selection){0};
    if (filtered)
        i = lane_find(line->lane, lane_start(lane, i), slice_offset(lane_at(lane, i)));
    if (i == UINT32_MAX)
        return (struct selection){0};
    return track_line_slice(line, i);
}

/* The moment after or before; not one that is further away than `best`, if that is an event. */
static struct selection moment_along(struct trace *trace, const struct track_line *line,
                                     const struct selection *now, int64_t cursor, int d,
                                     struct selection best) {
    int64_t from = now ? now->time : cursor;
    size_t n = track_line_moments(trace, line), next, k;
    if (now && now->kind == line->moments)
        k = now->i + (d > 0);
    else
        k = track_line_from(trace, line, from, d > 0 && now ? now->offset : 0);
    for (size_t tries = 0; tries < MOMENTS_TRIED && (d > 0 ? k < n : k > 0); tries++) {
        size_t at = track_line_left_along(trace, line, (uint32_t)(d > 0 ? k : k - 1), d);
        if (at == UINT32_MAX)
            break;
        int64_t time = track_line_moment(trace, line, at).time;
        if (selection_any(&best) && (d > 0 ? time > best.time : time < best.time))
            break;
        if (track_line_holds_next(trace, line, at, &next))
            return track_line_selection(trace, line, at);
        k = d > 0 ? next : at;
    }
    return best;
}

struct selection track_line_along(struct trace *trace, const struct track_line *line,
                                  const struct selection *now, int64_t cursor, int d) {
    return moment_along(trace, line, now, cursor, d, slice_along(trace, line, now, cursor, d));
}
