/* sample_counts.c - lists of samples, and binary searches in them. */
#include "model/query/sample_counts.h"

#include "model/query/slice_iter.h"
#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/fxt/sampled.h"

void sample_counts_free(struct sample_counts *counts) {
    for (size_t i = 0; i < counts->threads.n; i++)
        vec_free(&counts->threads.v[i].v);
    vec_free(&counts->threads);
    *counts = (struct sample_counts){0};
}

bool sample_counts_of(const struct trace *trace, uint32_t track) {
    return track < SLICE_ITER_ASYNC && trace_thread(trace, track)->sampled;
}

static const struct sample_list *list_of(struct sample_counts *counts, struct trace *trace,
                                         uint32_t thread) {
    struct str text = SAMPLED_INSTANT;
    size_t n;
    while (counts->threads.n <= thread)
        vec_push(&counts->threads, ((struct sample_list){.made = false}));
    struct sample_list *list = &counts->threads.v[thread];
    if (list->made)
        return list;
    list->made = true;
    uint32_t name = names_find(reader_names(trace_reader(trace)), text.s, text.n);
    const struct instant *v = trace_instants(trace_thread(trace, thread), &n);
    for (size_t i = 0; i < n; i++)
        if (trace_packed_name(trace, v[i].packed) == name)
            vec_push(&list->v, ((struct moment){v[i].time, event_offset(v[i].packed)}));
    return list;
}

/* The number of samples before a moment, or at it in another record before. */
static uint64_t before(const struct sample_list *list, int64_t time, uint64_t offset) {
    const struct moment *v = list->v.v;
    size_t at = 0;
    lower_bound(at, list->v.n, i, v[i].time < time || (v[i].time == time && v[i].offset < offset));
    return at;
}

struct sample_stretch sample_counts_time(struct sample_counts *counts, struct trace *trace,
                                         uint32_t thread, int64_t from, int64_t to) {
    const struct sample_list *list = list_of(counts, trace, thread);
    uint64_t last = to >= trace_end(trace) ? UINT64_MAX : 0;
    struct sample_stretch stretch = {before(list, from, 0), before(list, to, last)};
    return stretch.to < stretch.from ? (struct sample_stretch){0, 0} : stretch;
}

struct sample_stretch sample_counts_slice(struct sample_counts *counts, struct trace *trace,
                                          uint32_t thread, const struct slice *s) {
    const struct sample_list *list = list_of(counts, trace, thread);
    uint64_t last = slice_open(s) ? UINT64_MAX : trace_end_record(trace, s);
    struct sample_stretch stretch = {before(list, s->start, slice_offset(s)),
                                     before(list, trace_slice_end(trace, thread, s), last)};
    return stretch.to < stretch.from ? (struct sample_stretch){stretch.from, stretch.from}
                                     : stretch;
}
