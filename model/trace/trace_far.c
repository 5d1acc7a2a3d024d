/* trace_far.c - the bulk of a trace's times, and sums without slices that have a far time (SEMANTICS 4.5).
 *
 * The slices of a lane do not overlap and are sorted. So the slices with a far time are the first and the last ones of
 * their lane, and all others lie in one stretch: a sum over the lane is the same sum over that stretch. Neither the
 * slices nor the block indexes know of the bulk, which may change with every step. While nothing is far off, which is
 * the usual case, a question costs one comparison more. */
#include "model/trace/trace_internal.h"
#include "src/base/units.h"

int64_t trace_last(const struct trace *trace) {
    return trace->events > 0 ? trace->end : 0;
}

bool trace_is_part(const struct trace *trace) {
    const struct part *part = &trace->part;
    return part->known && trace->events > 0 && part->to > trace_origin(trace) && part->from < trace_last(trace);
}

/* Whether all times are drawn and summed: one test, as trace_begin() and trace_end() are asked for each slice. */
static bool is_plain(const struct trace *trace) {
    return trace->events == 0 || (trace->bulk.far == 0) & !trace->part.known;
}

static int64_t begin_of(const struct trace *trace) {
    int64_t begin = trace->bulk.far > 0 ? trace->bulk.from : trace_origin(trace);
    return trace_is_part(trace) && trace->part.from > begin ? trace->part.from : begin;
}

static int64_t end_of(const struct trace *trace) {
    int64_t end = trace->bulk.far > 0 ? trace->bulk.to : trace_last(trace);
    return trace_is_part(trace) && trace->part.to < end ? trace->part.to : end;
}

/* The reader may be ahead of the nested events: without far times the model decides. */
int64_t trace_begin(const struct trace *trace) {
    return is_plain(trace) ? trace_origin(trace) : begin_of(trace);
}

int64_t trace_end(const struct trace *trace) {
    return is_plain(trace) ? trace_last(trace) : end_of(trace);
}

bool trace_is_outside(const struct trace *trace, int64_t time) {
    return trace_is_far(trace, time) ||
           (trace_is_part(trace) && (time < trace_begin(trace) || time > trace_end(trace)));
}

bool trace_has_outside(const struct trace *trace) {
    return trace_begin(trace) > trace_origin(trace) || trace_end(trace) < trace_last(trace);
}

struct wide trace_begin_wide(const struct trace *trace) {
    return wide_add(trace_origin_wide(trace), units_since(trace_origin(trace), trace_begin(trace)));
}

uint64_t trace_far_times(const struct trace *trace) {
    return trace->bulk.far;
}

bool trace_is_far(const struct trace *trace, int64_t time) {
    return bulk_is_far(&trace->bulk, time);
}

bool trace_far_slice(const struct trace *trace, const struct slice *slice) {
    return trace->bulk.far > 0 &&
           (trace_is_far(trace, slice->start) || (!slice_open(slice) && trace_is_far(trace, slice_end(slice))));
}

void trace_near_slices(const struct trace *trace, const struct lane *lane, uint32_t *i, uint32_t *end) {
    if (trace->bulk.far == 0)
        return;
    uint32_t first = lane_from(lane, trace->bulk.from);
    uint32_t last = trace->bulk.to == INT64_MAX ? lane->n : lane_from(lane, trace->bulk.to + 1);
    if (last > first && trace_far_slice(trace, lane_at(lane, last - 1)))
        last--;
    *i = first > *i ? first : *i;
    *end = last < *end ? last : *end;
    if (*i > *end)
        *i = *end;
}

void trace_near_stretch(const struct trace *trace, const struct lane *lane, int64_t *from, int64_t *to) {
    uint32_t i = 0, end = lane->n;
    trace_near_slices(trace, lane, &i, &end);
    int64_t first = trace->bulk.from, last = trace->bulk.to;
    if (i > 0) {
        const struct slice *before = lane_at(lane, i - 1);
        int64_t reached = slice_open(before) ? first : slice_end(before);
        first = reached > first ? reached : first;
    }
    if (end < lane->n && lane_start(lane, end) < last)
        last = lane_start(lane, end);
    *from = first > *from ? first : *from;
    *to = last < *to ? last : *to;
}

uint32_t trace_longest(const struct trace *trace, struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t first = i, end = j;
    trace_near_slices(trace, lane, &first, &end);
    return first < end ? lane_longest(lane, first, end) : lane_longest(lane, i, j);
}
