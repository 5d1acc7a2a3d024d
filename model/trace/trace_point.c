/* trace_point.c - the slice that a point belongs to: an instant, a log record, a point of a flow
 * (SEMANTICS 7.4).
 *
 * Mostly it is the innermost slice around the time. A slice that ends at that very time, or begins
 * and ends then, is asked for by where its records are in the file. */
#include "model/trace/trace_internal.h"

bool trace_slice_ending(const struct trace *trace, uint32_t thread, const struct nest_ending *e,
                        uint32_t *row, uint32_t *i) {
    struct thread *of = trace->threads.v[thread];
    return nest_enclosing_find_ending(&of->enclosing, &of->nest, trace_slice_extra(trace), e, row,
                                      i);
}

/* Goes from a slice that begins or ends at the time of the point to the innermost one around it
 * which the point is in: the samples of a profiler come after begins and ends in the file. False:
 * there is none. Other slices stay. */
static bool in_frame(const struct trace *trace, const struct trace_point *p, uint32_t *row,
                     uint32_t *i) {
    const struct nest *nest = &trace->threads.v[p->thread]->nest;
    const struct slice_extra *extra = trace_slice_extra(trace);
    struct slice s = lane_slice(nest_row(nest, *row), *i);
    if (!trace_is_sampled(trace, slice_offset(&s)))
        return true;
    while (slice_offset(&s) > p->at.offset ||
           (slice_end(&s) <= p->at.time && slice_extra_end_offset(extra, &s) < p->at.offset)) {
        if (!nest_parent(nest, extra, *row, *i, row, i))
            return false;
        s = lane_slice(nest_row(nest, *row), *i);
    }
    return true;
}

/* Whether a point is in a damaged slice, which began after slice i of a row, if there is one. */
static bool in_damaged(const struct trace *trace, const struct trace_point *p, bool found,
                       uint32_t *row, uint32_t *i) {
    struct thread *of = trace->threads.v[p->thread];
    bool in_order = !trace_is_unordered(trace, trace_record_file(trace, p->at.offset));
    struct nest_within within = {p->at.time, p->at.offset, in_order};
    uint32_t damaged_row, damaged;
    if (nest_sound_rows(&of->nest) == nest_rows(&of->nest) || (found && !in_order) ||
        !nest_enclosing_find_damaged(&of->enclosing, &of->nest, trace_slice_extra(trace), &within,
                                     &damaged_row, &damaged))
        return false;
    if (found && lane_start(nest_row(&of->nest, *row), *i) >
                     lane_start(nest_row(&of->nest, damaged_row), damaged))
        return false;
    *row = damaged_row;
    *i = damaged;
    return true;
}

/* The slice that a point is in, of those that are not damaged. */
static bool sound_slice(const struct trace *trace, const struct trace_point *p, uint32_t *row,
                        uint32_t *i) {
    uint32_t ended_row, ended;
    bool found = trace_slice_at(trace, p->thread, p->at.time, row, i), begins = false;
    if (found && p->arrives)
        return true;
    if (found) {
        struct thread *of = trace->threads.v[p->thread];
        const struct slice *s = lane_at(nest_row(&of->nest, *row), *i);
        begins = s->start == p->at.time;
        bool lasts = slice_end(s) > p->at.time && slice_offset(s) < p->at.offset;
        if (begins && (lasts || nest_enclosing_find_instant(&of->enclosing, &of->nest,
                                                            trace_slice_extra(trace), p->at.time,
                                                            p->at.offset, row, i)))
            return true;
    }
    /* in JSON an X is where its writer put it */
    bool loose = !begins && reader_ends_by_name(trace->reader, p->at.offset);
    struct nest_ending ending = {p->at.time, .after = p->at.offset, .loose = loose},
                       any = {p->at.time, .any = true};
    if (!trace_slice_ending(trace, p->thread, &ending, &ended_row, &ended) &&
        (found || !trace_slice_ending(trace, p->thread, &any, &ended_row, &ended)))
        return found && (!begins || in_frame(trace, p, row, i));
    *row = ended_row;
    *i = ended;
    return found || in_frame(trace, p, row, i);
}

bool trace_point_slice(const struct trace *trace, const struct trace_point *p, uint32_t *row,
                       uint32_t *i) {
    if (p->thread == NO_THREAD)
        return false;
    bool found = sound_slice(trace, p, row, i);
    return in_damaged(trace, p, found, row, i) || found;
}
