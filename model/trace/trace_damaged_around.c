/* trace_damaged_around.c - slices that are wrong because a begin or an end inside them has a
 * damaged or unset time (SEMANTICS 4.7).
 *
 * Taken by time, that record is elsewhere than in the file. Its other half then closes the slice
 * around it, or leaves the end of that to the one inside. So it goes on outwards: all slices are
 * wrong that were open at its place in the file. None is sought where that order proves nothing. */
#include <stdlib.h>

#include "model/trace/trace_internal.h"
#include "src/base/lower_bound.h"

struct place { /* of such a record */
    uint32_t thread;
    bool early; /* an end that closes nothing: a slice around it is open */
    uint64_t offset;
};

struct places {
    VEC(struct place) v; /* by thread and offset */
};

static bool proves_nothing(const struct trace *trace, uint64_t offset) {
    return trace_is_unordered(trace, trace_record_file(trace, offset));
}

static void add_damaged(struct trace *trace, struct places *places) {
    const struct damaged *damaged = &trace->judged.damaged;
    for (size_t i = 0; i < damaged->v.n; i++) {
        struct fxt_record r;
        struct provider *p;
        uint64_t offset = damaged->v.v[i].offset;
        if (proves_nothing(trace, offset) || !reader_record_at(trace->reader, offset, &r, &p) ||
            (r.kind != FXT_K_DURATION_BEGIN && r.kind != FXT_K_DURATION_END))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, offset);
        bool early = r.kind == FXT_K_DURATION_END &&
                     damaged->v.v[i].time < trace_judged_at(trace, offset)->bulk.from;
        if (thread < trace->threads.n)
            vec_push(&places->v, ((struct place){thread, early, offset}));
    }
}

/* Begins at an unset time whose slice ends with the others, and ends at one that close nothing. */
static void add_unset(struct trace *trace, struct places *places, uint32_t thread) {
    const struct nest *nest = &trace->threads.v[thread]->nest;
    for (size_t i = 0; i < nest->strays.n; i++) {
        struct nest_stray stray = nest->strays.v[i];
        if (trace_unset_time(trace, stray.offset, stray.time) &&
            !proves_nothing(trace, stray.offset))
            vec_push(&places->v, ((struct place){thread, true, stray.offset}));
    }
    for (uint32_t row = 0; row < nest_rows(nest); row++) {
        const struct lane *lane = nest_row(nest, row);
        for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->judged.bulk.unset_to;
             i++) {
            const struct slice *s = lane_at(lane, i);
            if (!(slice_flags(s) & SLICE_COMPLETE) && trace_lasts_from_unset(trace, s) &&
                !proves_nothing(trace, slice_offset(s)))
                vec_push(&places->v, ((struct place){thread, false, slice_offset(s)}));
        }
    }
}

static int by_thread(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Whether a slice was open at one of n places of its thread. */
static bool was_open(const struct trace *trace, const struct place *v, size_t n,
                     uint64_t last_early, const struct slice *s) {
    uint64_t begin = slice_offset(s);
    size_t i = 0;
    lower_bound(i, n, k, v[k].offset <= begin);
    if (!slice_open(s))
        return i < n && v[i].offset < slice_extra_end_offset(&trace->slice_extra, s);
    return i < n && last_early > begin;
}

static void find_on(struct trace *trace, const struct place *v, size_t n) {
    const struct nest *nest = &trace->threads.v[v->thread]->nest;
    struct damaged *damaged = &trace->judged.damaged;
    uint64_t last_early = 0;
    for (size_t i = 0; i < n; i++)
        last_early = v[i].early ? v[i].offset : last_early;
    for (uint32_t row = 0; row < nest_rows(nest); row++) {
        const struct lane *lane = nest_row(nest, row);
        for (uint32_t i = 0; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            if (slice_flags(s) & SLICE_COMPLETE || !was_open(trace, v, n, last_early, s))
                continue;
            vec_push(&damaged->slices, ((struct damaged_slice){lane, i}));
            vec_push(&damaged->around, slice_offset(s));
        }
    }
}

static int by_offset(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void trace_damaged_find_around(struct trace *trace, bool all) {
    struct damaged *damaged = &trace->judged.damaged;
    struct places places = {{0}};
    damaged->around.n = 0;
    add_damaged(trace, &places);
    for (uint32_t k = 0; all && trace->judged.bulk.unset > 0 && k < trace->threads.n; k++)
        add_unset(trace, &places, k);
    if (places.v.n > 1)
        qsort(places.v.v, places.v.n, sizeof *places.v.v, by_thread);
    for (size_t from = 0, to = 0; from < places.v.n; from = to) {
        while (to < places.v.n && places.v.v[to].thread == places.v.v[from].thread)
            to++;
        find_on(trace, places.v.v + from, to - from);
    }
    if (damaged->around.n > 1)
        qsort(damaged->around.v, damaged->around.n, sizeof *damaged->around.v, by_offset);
    vec_free(&places.v);
}

bool trace_damaged_around(const struct trace *trace, const struct slice *slice) {
    const struct damaged *damaged = &trace->judged.damaged;
    uint64_t offset = slice_offset(slice);
    size_t at = 0;
    lower_bound(at, damaged->around.n, i, damaged->around.v[i] < offset);
    return at < damaged->around.n && damaged->around.v[at] == offset;
}
