/* trace_point.c - the slice that a point belongs to: an instant, a log record, a point of a flow
 * (SEMANTICS 7.4).
 *
 * Mostly it is the innermost slice around the time. A slice that ends at that very time is asked
 * for in the moment before it: what is innermost there, and what is around that, may end so. */
#include "model/trace/trace_internal.h"

/* slices around each other that end at one time; those further out are passed over */
#define PARENTS_TRIED 64

/* Whether the end of a slice is written after the record at `offset`. loose: where the record of a
 * complete event leaves that open, it may be. */
static bool ends_after(const struct trace *trace, const struct slice *s, uint64_t offset,
                       bool loose) {
    if (slice_flags(s) & SLICE_COMPLETE)
        return loose || slice_offset(s) > offset;
    return slice_extra_end_offset(trace_slice_extra(trace), s) > offset;
}

/* The innermost slice that ends at the point; after: only if its end is written after it. */
static bool find_ended(const struct trace *trace, const struct trace_point *p, bool after,
                       bool loose, uint32_t *row, uint32_t *i) {
    const struct nest *nest = &trace->threads.v[p->thread]->nest;
    if (p->at.time == INT64_MIN || !trace_slice_at(trace, p->thread, p->at.time - 1, row, i))
        return false;
    for (unsigned n = 0; n < PARENTS_TRIED; n++) {
        const struct slice *s = lane_at(nest_row(nest, *row), *i);
        int64_t end = slice_end(s);
        if (end > p->at.time)
            return false;
        if (end == p->at.time && (!after || ends_after(trace, s, p->at.offset, loose)))
            return true;
        if (!nest_parent(nest, trace_slice_extra(trace), *row, *i, row, i))
            return false;
    }
    return false;
}

bool trace_point_slice(const struct trace *trace, const struct trace_point *p, uint32_t *row,
                       uint32_t *i) {
    uint32_t ended_row, ended;
    if (p->thread == NO_THREAD)
        return false;
    bool found = trace_slice_at(trace, p->thread, p->at.time, row, i), begins = false;
    if (found && p->arrives)
        return true;
    if (found) {
        const struct slice *s = lane_at(nest_row(&trace->threads.v[p->thread]->nest, *row), *i);
        begins = s->start == p->at.time;
        if (begins && slice_offset(s) < p->at.offset)
            return true;
    }
    /* in JSON an X is where its writer put it */
    bool loose = !begins && reader_ends_by_name(trace->reader);
    if (!find_ended(trace, p, true, loose, &ended_row, &ended) &&
        (found || !find_ended(trace, p, false, loose, &ended_row, &ended)))
        return found;
    *row = ended_row;
    *i = ended;
    return true;
}
