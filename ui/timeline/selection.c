/* selection.c - what is true of events of all kinds; the rest is in their operations
 * (track_ops.h). */
#include "ui/timeline/selection.h"

#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"

struct selection selection_of_lane(const struct selection_ops *kind, uint32_t of, uint32_t row,
                                   const struct lane *lane, uint32_t i) {
    return (struct selection){
        kind, of, row, i, lane_start(lane, i), slice_offset(lane_at(lane, i))};
}

struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i) {
    return selection_of_lane(&track_thread_slice, thread->number, row, nest_row(&thread->nest, row),
                             i);
}

struct selection selection_of_moment(struct trace *trace, const struct selection_ops *kind,
                                     uint32_t of, size_t i) {
    struct moment m = kind->moment(trace, of, i);
    return (struct selection){kind,        of,     kind->row ? kind->row(trace, of, i) : 0,
                              (uint32_t)i, m.time, m.offset};
}

static bool before(struct moment a, struct moment b) {
    return a.time < b.time || (a.time == b.time && a.offset < b.offset);
}

size_t selection_moment_from(struct trace *trace, const struct selection_ops *kind, uint32_t of,
                             size_t lo, size_t hi, struct moment at) {
    lower_bound(lo, hi, i, before(kind->moment(trace, of, i), at));
    return lo;
}

uint32_t selection_of_record(struct trace *trace, const struct lane *lane, struct moment record) {
    uint32_t i = lane_find(lane, record.time, record.offset);
    if (i != UINT32_MAX)
        return i;
    for (i = lane_before(lane, record.time); i != UINT32_MAX; --i) {
        const struct slice *s = lane_at(lane, i);
        if (slice_end(s) < record.time)
            return UINT32_MAX;
        if (slice_extra_end_offset(trace_slice_extra(trace), s) == record.offset)
            return i;
    }
    return UINT32_MAX;
}

struct lane *selection_lane(struct trace *trace, const struct selection *selection) {
    return selection->kind && selection->kind->lane ? selection->kind->lane(trace, selection)
                                                    : NULL;
}

const struct slice *selection_copy(struct trace *trace, const struct selection *selection,
                                   struct slice *to) {
    struct lane *lane = selection_lane(trace, selection);
    if (lane == NULL || selection->i >= lane->n)
        return NULL;
    *to = lane_slice(lane, selection->i);
    return to;
}

uint32_t selection_row(struct trace *trace, const struct selection *selection) {
    const struct selection_ops *kind = selection->kind;
    return kind->row ? kind->row(trace, selection->of, selection->i) : selection->row;
}

bool selection_find_in(struct selection *selection, uint32_t row, const struct lane *lane) {
    uint32_t i = lane_find(lane, selection->time, selection->offset);
    if (i == UINT32_MAX)
        return false;
    selection->row = row;
    selection->i = i;
    return true;
}

/* The end of a slice; if it is open, of its thread's life or of the trace. */
static int64_t end_of(struct trace *trace, const struct selection *selection,
                      const struct slice *slice) {
    if (selection_is_slice(selection))
        return trace_slice_end(trace, selection->of, slice);
    return slice_open(slice) ? trace_end(trace) : slice_end(slice);
}

bool selection_find(struct trace *trace, struct selection *selection) {
    const struct selection_ops *kind = selection->kind;
    if (kind == NULL)
        return true;
    if (kind->find)
        return kind->find(trace, selection);
    size_t n = kind->count(trace, selection->of);
    struct moment at = {selection->time, selection->offset};
    selection->i = (uint32_t)selection_moment_from(trace, kind, selection->of, 0, n, at);
    return selection->i < n &&
           kind->moment(trace, selection->of, selection->i).offset == selection->offset;
}

uint32_t selection_thread(struct trace *trace, const struct selection *selection) {
    if (selection->kind == NULL)
        return NO_THREAD;
    return selection->kind->thread ? selection->kind->thread(trace, selection)
                                   : trace_thread_at(trace, selection->offset);
}

bool selection_searched(const struct trace *trace, const struct selection_ops *kind, uint32_t of,
                        uint32_t *track) {
    uint32_t place = kind == &track_thread_state ? sched_thread_place(trace_sched(trace), of) : of;
    *track = kind->hits + place;
    return kind->searched && place != UINT32_MAX;
}

bool selection_name(struct trace *trace, const struct selection *selection,
                    enum slice_iter_kind *kind, uint32_t *name) {
    const struct slice *s =
        selection_is_named(selection) ? selection_slice(trace, selection) : NULL;
    if (s == NULL)
        return false;
    *kind = selection->kind->nested ? SLICE_ITER_SLICES : SLICE_ITER_OPERATIONS;
    *name = trace_packed_name(trace, s->begin_word);
    return true;
}

bool selection_is_slice(const struct selection *selection) {
    return selection->kind && selection->kind->nested;
}

bool selection_is_named(const struct selection *selection) {
    return selection->kind && selection->kind->named;
}

/* ---- stretches ---- */

bool selection_stretch(struct trace *trace, const struct selection *selection, int64_t *from,
                       int64_t *to) {
    const struct slice *s = selection_slice(trace, selection);
    if (s == NULL || slice_dur(s) <= 0)
        return false;
    *from = s->start;
    *to = end_of(trace, selection, s);
    return *to > *from;
}

/* The slice or operation around it. A sample holds until the next one: the slice that wrote it
 * matters little. */
static bool around(struct trace *trace, const struct selection *now, int64_t *from, int64_t *to) {
    struct selection parent;
    uint32_t row, i, thread = selection_thread(trace, now);
    if (now->kind->parent && now->kind->parent(trace, now, &parent))
        return selection_stretch(trace, &parent, from, to);
    struct trace_point point = {thread, {now->time, now->offset}, false};
    if (thread == NO_THREAD || now->kind->lasts || !trace_point_slice(trace, &point, &row, &i))
        return false;
    parent = selection_of_slice(trace_thread(trace, thread), row, i);
    return selection_stretch(trace, &parent, from, to);
}

/* From the moment before to the moment after; at the ends of the track as far on the other side. */
static bool between(struct trace *trace, const struct selection *now, int64_t *from, int64_t *to) {
    size_t n = now->kind->count ? now->kind->count(trace, now->of) : 0, at = now->i;
    int64_t before = at > 0 && at < n
                         ? units_since(now->kind->moment(trace, now->of, at - 1).time, now->time)
                         : 0;
    int64_t after =
        at + 1 < n ? units_since(now->time, now->kind->moment(trace, now->of, at + 1).time) : 0;
    int64_t reach = before > after ? before : after;
    *from = units_sum(now->time, -(before > 0 ? before : reach));
    *to = units_sum(now->time, after > 0 ? after : reach);
    return reach > 0 && *from<now->time && * to> now->time;
}

bool selection_surroundings(struct trace *trace, const struct selection *selection, int64_t *from,
                            int64_t *to) {
    return selection_any(selection) &&
           (around(trace, selection, from, to) || between(trace, selection, from, to));
}
