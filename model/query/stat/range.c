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
    range->to_end = range->to >= trace_end(trace);
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

int64_t range_begin(const struct range *range, const struct trace *trace) {
    int64_t begin = trace_begin(trace);
    return range->timed && range->from > begin ? range->from : begin;
}

int64_t range_end(const struct range *range, const struct trace *trace) {
    int64_t end = trace_end(trace);
    return range->timed && range->to < end ? range->to : end;
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
