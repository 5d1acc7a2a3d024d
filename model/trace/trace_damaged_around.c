/* trace_damaged_around.c - slices that are wrong because a begin or an end inside them has a
 * damaged or unset time (SEMANTICS 4.7).
 *
 * Taken by time, that record is elsewhere than in the file. Its other half then closes the slice
 * around it, or leaves the end of that to the one inside. So it goes on outwards: a slice that was
 * open at its place in the file is wrong unless its end closes it in that order, too. None is
 * sought where the order proves nothing. */
#include <stdlib.h>

#include "model/trace/trace_internal.h"
#include "src/base/lower_bound.h"

struct place { /* of such a record */
    uint32_t thread;
    uint32_t name; /* of an operation; else 0, and so is id */
    uint64_t id;
    uint64_t offset;
    bool early; /* an end that closes nothing: a slice around it is open */
};

struct places {
    VEC(struct place) slices, operations; /* by thread, id, name and offset */
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
        if (proves_nothing(trace, offset) || !reader_record_at(trace->reader, offset, &r, &p))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, offset);
        bool early = damaged->v.v[i].time < trace_judged_at(trace, offset)->bulk.from;
        struct place place = {.thread = thread, .offset = offset};
        if (thread >= trace->threads.n)
            continue;
        if (r.kind == FXT_K_DURATION_BEGIN || r.kind == FXT_K_DURATION_END) {
            place.early = early && r.kind == FXT_K_DURATION_END;
            vec_push(&places->slices, place);
        } else if (r.kind == FXT_K_ASYNC_BEGIN || r.kind == FXT_K_ASYNC_END) {
            place.early = early && r.kind == FXT_K_ASYNC_END;
            place.id = r.id;
            place.name = ingest_name_at(trace, offset);
            vec_push(&places->operations, place);
        }
    }
}

/* Begins at an unset time whose slice ends with the others, and ends at one that close nothing. */
static void add_unset(struct trace *trace, struct places *places, uint32_t thread) {
    const struct nest *nest = &trace->threads.v[thread]->nest;
    for (size_t i = 0; i < nest->strays.n; i++) {
        struct nest_stray stray = nest->strays.v[i];
        if (trace_unset_time(trace, stray.offset, stray.time) &&
            !proves_nothing(trace, stray.offset))
            vec_push(&places->slices,
                     ((struct place){.thread = thread, .early = true, .offset = stray.offset}));
    }
    for (uint32_t row = 0; row < nest_rows(nest); row++) {
        const struct lane *lane = nest_row(nest, row);
        for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->judged.bulk.unset_to;
             i++) {
            const struct slice *s = lane_at(lane, i);
            if (!(slice_flags(s) & SLICE_COMPLETE) && trace_lasts_from_unset(trace, s) &&
                !proves_nothing(trace, slice_offset(s)))
                vec_push(&places->slices,
                         ((struct place){.thread = thread, .offset = slice_offset(s)}));
        }
    }
}

static int by_owner(const struct place *x, const struct place *y) {
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = by_owner(x, y);
    return order != 0 ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

static void sort_places(struct place *v, size_t n) {
    if (n > 1)
        qsort(v, n, sizeof *v, by_place);
    for (size_t i = n; i-- > 0;) /* each knows whether a later one is early */
        v[i].early = v[i].early || (i + 1 < n && by_owner(&v[i], &v[i + 1]) == 0 && v[i + 1].early);
}

/* Whether a slice of that owner was open at one of n places. */
static bool was_open(const struct trace *trace, const struct place *v, size_t n,
                     const struct place *owner, const struct slice *s) {
    size_t i = 0;
    lower_bound(i, n, k,
                by_owner(&v[k], owner) < 0 ||
                    (by_owner(&v[k], owner) == 0 && v[k].offset <= slice_offset(s)));
    if (i == n || by_owner(&v[i], owner) != 0)
        return false;
    return slice_open(s) ? v[i].early
                         : v[i].offset < slice_extra_end_offset(&trace->slice_extra, s);
}

static void add_around(struct trace *trace, const struct lane *lane, uint32_t i) {
    struct damaged *damaged = &trace->judged.damaged;
    vec_push(&damaged->slices, ((struct damaged_slice){lane, i}));
    vec_push(&damaged->around, slice_offset(lane_at(lane, i)));
}

/* A begin or an end of a thread, by offset: one record may be the end of several slices. */
struct edge {
    uint64_t offset;
    const struct lane *lane; /* NULL: it is an end */
    uint32_t i;
};

struct edges {
    VEC(struct edge) v, open;
};

static int by_file(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* All begins and ends of slices that are no complete events. */
static void add_edges(const struct trace *trace, const struct nest *nest, struct edges *edges) {
    for (size_t i = 0; i < nest->strays.n; i++)
        vec_push(&edges->v, ((struct edge){.offset = nest->strays.v[i].offset}));
    for (uint32_t row = 0; row < nest_rows(nest); row++) {
        const struct lane *lane = nest_row(nest, row);
        for (uint32_t i = 0; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            uint64_t end = slice_open(s) ? 0 : slice_extra_end_offset(&trace->slice_extra, s);
            if (slice_flags(s) & SLICE_COMPLETE)
                continue;
            vec_push(&edges->v, ((struct edge){slice_offset(s), lane, i}));
            if (end != 0)
                vec_push(&edges->v, ((struct edge){.offset = end}));
        }
    }
    if (edges->v.n > 1)
        qsort(edges->v.v, edges->v.n, sizeof *edges->v.v, by_file);
}

/* Finds those that were open at a place, and that another end closes in the order of the file. */
static void find_on(struct trace *trace, const struct places *places, uint32_t thread) {
    const struct place owner = {.thread = thread};
    struct edges edges = {.v = {0}};
    add_edges(trace, &trace->threads.v[thread]->nest, &edges);
    for (size_t k = 0; k < edges.v.n; k++) {
        const struct edge *edge = &edges.v.v[k];
        if (edge->lane) {
            vec_push(&edges.open, *edge);
            continue;
        }
        if (edges.open.n == 0)
            continue;
        const struct edge *begin = &edges.open.v[--edges.open.n];
        const struct slice *s = lane_at(begin->lane, begin->i);
        bool same =
            !slice_open(s) && slice_extra_end_offset(&trace->slice_extra, s) == edge->offset;
        if (!same && was_open(trace, places->slices.v, places->slices.n, &owner, s))
            add_around(trace, begin->lane, begin->i);
    }
    for (size_t k = 0; k < edges.open.n; k++) { /* that no end closes in that order */
        const struct slice *s = lane_at(edges.open.v[k].lane, edges.open.v[k].i);
        if (!slice_open(s) && was_open(trace, places->slices.v, places->slices.n, &owner, s))
            add_around(trace, edges.open.v[k].lane, edges.open.v[k].i);
    }
    vec_free(&edges.v);
    vec_free(&edges.open);
}

/* An end closes the latest operation of its id, name and thread: only such are around it. */
static void find_among(struct trace *trace, const struct places *places, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++) {
        const struct slice *s = lane_at(lane, i);
        struct fxt_record r;
        struct provider *p;
        uint64_t offset = slice_offset(s);
        if (!reader_record_at(trace->reader, offset, &r, &p))
            continue;
        const struct place owner = {.thread = trace_record_thread(trace, &r, p, offset),
                                    .id = r.id,
                                    .name = ingest_name_at(trace, offset)};
        if (was_open(trace, places->operations.v, places->operations.n, &owner, s))
            add_around(trace, lane, i);
    }
}

static int by_offset(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void trace_damaged_find_around(struct trace *trace, bool all) {
    struct damaged *damaged = &trace->judged.damaged;
    struct places places = {.slices = {0}};
    damaged->around.n = 0;
    add_damaged(trace, &places);
    for (uint32_t k = 0; all && trace->judged.bulk.unset > 0 && k < trace->threads.n; k++)
        add_unset(trace, &places, k);
    sort_places(places.slices.v, places.slices.n);
    sort_places(places.operations.v, places.operations.n);
    for (size_t i = 0; i < places.slices.n; i++)
        if (i == 0 || places.slices.v[i].thread != places.slices.v[i - 1].thread)
            find_on(trace, &places, places.slices.v[i].thread);
    size_t groups = places.operations.n > 0 ? async_group_count(&trace->derived.async) : 0;
    for (size_t k = 0; k < groups; k++) {
        const struct async_group *g = async_group(&trace->derived.async, k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            find_among(trace, &places, async_group_row(g, row));
    }
    if (damaged->around.n > 1)
        qsort(damaged->around.v, damaged->around.n, sizeof *damaged->around.v, by_offset);
    vec_free(&places.slices);
    vec_free(&places.operations);
}

bool trace_damaged_around(const struct trace *trace, const struct slice *slice) {
    const struct damaged *damaged = &trace->judged.damaged;
    uint64_t offset = slice_offset(slice);
    size_t at = 0;
    lower_bound(at, damaged->around.n, i, damaged->around.v[i] < offset);
    return at < damaged->around.n && damaged->around.v[at] == offset;
}
