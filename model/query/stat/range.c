/* range.c - which slices are in a range, and how long threads lived in it. */
#include "model/query/stat/range.h"

#include "src/base/units.h"

void range_free(struct range *range) {
    track_set_free(&range->tracks);
}

void range_copy(struct range *to, const struct range *from) {
    if (to == from)
        return;
    range_free(to);
    *to = *from;
    to->tracks = (struct track_set){0};
    for (size_t i = 0; i < from->tracks.v.n; i++)
        vec_push(&to->tracks.v, from->tracks.v.v[i]);
}

void range_set_time(struct range *range, const struct trace *trace, int64_t from, int64_t to) {
    range->timed = true;
    range->from = from < to ? from : to;
    range->to = from < to ? to : from;
    int64_t end = trace_end(trace);
    /* at the end of a part and after it there may be more than the source's range had */
    if (trace_is_part(trace) && range->to > end)
        range->to_end = range->to >= trace_last(trace);
    else
        range->to_end = range->to >= end && (!trace_is_part(trace) || trace_part_closed(trace));
}

struct slice_set range_slices(const struct range *range, unsigned kinds) {
    struct slice_set set = SLICE_SET_ALL(kinds);
    if (range->timed) {
        set.from = range->from;
        set.to = range->to_end && range->to < INT64_MAX ? range->to + 1 : range->to;
    }
    set.tracks = range->tracks.v.n > 0 ? &range->tracks : NULL;
    return set;
}

/* The part of `all` slices that is in the range if it is that of their first row. */
static uint64_t part_about(const struct slice_set *set, const struct lane *row, uint64_t all) {
    uint32_t first = 0, last = 0;
    if (row->n == 0 || (set->from == INT64_MIN && set->to == INT64_MAX))
        return all;
    slice_iter_window(row, set->from, set->to, &first, &last);
    return (uint64_t)((double)all * (last - first) / row->n);
}

#define ROWS_ASKED 1000   /* of async operations */
#define TRACKS_ASKED 4096 /* of many, besides those with more than their part of all slices */

/* The slices of a track, and its first row; 0: it has none in the set. Tracks are threads, then
 * groups of operations. */
static uint64_t slices_of(const struct trace *trace, const struct slice_set *set, uint32_t track,
                          const struct lane **first) {
    uint64_t n = 0;
    if (set->tracks && !track_set_has(set->tracks, track))
        return 0;
    if (track < SLICE_ITER_ASYNC) {
        const struct nest *nest = &trace_thread(trace, track)->nest;
        *first = nest_rows(nest) > 0 ? nest_row(nest, 0) : NULL;
        return *first ? nest->slices : 0;
    }
    const struct async_group *g = async_group(trace_async(trace), track - SLICE_ITER_ASYNC);
    for (uint32_t row = 0; row < async_group_rows(g) && row < ROWS_ASKED; row++)
        n += async_group_row(g, row)->n;
    *first = n > 0 ? async_group_row(g, 0) : NULL;
    return n;
}

uint64_t range_slices_about(const struct range *range, const struct trace *trace, unsigned kinds) {
    struct slice_set set = range_slices(range, kinds);
    uint32_t threads = kinds & SLICE_ITER_SLICES ? (uint32_t)trace_thread_count(trace) : 0;
    uint32_t groups =
        kinds & SLICE_ITER_OPERATIONS ? (uint32_t)async_group_count(trace_async(trace)) : 0;
    uint32_t tracks = threads + groups, stride = tracks / TRACKS_ASKED + 1;
    uint64_t all = 0, asked = 0, inside = 0;
    const struct lane *row;
    for (uint32_t i = 0; i < tracks; i++) {
        uint64_t n = slices_of(trace, &set, i < threads ? i : SLICE_ITER_ASYNC + i - threads, &row);
        all += n;
        if (n == 0 || (i % stride != 0 && n <= all / TRACKS_ASKED))
            continue;
        asked += n;
        inside += part_about(&set, row, n);
    }
    return asked > 0 ? inside + (uint64_t)((double)(all - asked) * (double)inside / (double)asked)
                     : all;
}

#define TRACKS_SPLIT 20000 /* of more the slices are not asked in one go */

bool range_split(const struct range *range, const struct trace *trace, unsigned kinds,
                 struct track_set parts[2]) {
    struct slice_set set = range_slices(range, kinds);
    uint32_t threads = kinds & SLICE_ITER_SLICES ? (uint32_t)trace_thread_count(trace) : 0;
    uint32_t groups =
        kinds & SLICE_ITER_OPERATIONS ? (uint32_t)async_group_count(trace_async(trace)) : 0;
    uint64_t sums[2] = {0, 0};
    const struct lane *row;
    for (uint32_t i = 0; i < threads + groups && threads + groups <= TRACKS_SPLIT; i++) {
        uint32_t track = i < threads ? i : SLICE_ITER_ASYNC + i - threads;
        uint64_t n = slices_of(trace, &set, track, &row);
        bool second = sums[1] < sums[0];
        if (n == 0)
            continue;
        sums[second] += part_about(&set, row, n);
        track_set_put(&parts[second], track, true);
    }
    return parts[0].v.n > 0 && parts[1].v.n > 0;
}

int64_t range_begin(const struct range *range, const struct trace *trace) {
    int64_t begin = trace_begin(trace);
    return range->timed && range->from > begin ? range->from : begin;
}

int64_t range_end(const struct range *range, const struct trace *trace) {
    int64_t end = trace_end(trace);
    return range->timed && range->to < end ? range->to : end;
}

void range_halves(const struct range *range, const struct trace *trace, struct range *a,
                  struct range *b) {
    int64_t from = range_begin(range, trace), to = range_end(range, trace),
            mid = from + units_since(from, to) / 2;
    range_copy(a, range);
    range_copy(b, range);
    range_set_time(a, trace, from, mid);
    range_set_time(b, trace, mid, to);
}

int64_t range_thread_time(const struct range *range, const struct trace *trace, uint32_t thread) {
    int64_t begin, end, from = range_begin(range, trace), to = range_end(range, trace);
    bool ended;
    if (!trace_thread_span(trace, trace_thread(trace, thread), &begin, &end, &ended))
        return 0;
    from = begin > from ? begin : from;
    to = ended && end < to ? end : to;
    return from < to ? units_since(from, to) : 0;
}

int64_t range_running(const struct range *range, const struct trace *trace, uint32_t thread) {
    const struct thread *t = trace_thread(trace, thread);
    if (!trace_thread_scheduled(trace, t))
        return -1;
    int64_t from = range_begin(range, trace), to = range_end(range, trace);
    return from < to ? trace_thread_cpu_time(trace, t, from, to) : 0;
}
