/* trace_damaged_around.c - operations that are wrong because a damaged begin or end is inside them
 * (SEMANTICS 4.7).
 *
 * Taken by time, that record is elsewhere than in the file, and an end closes the latest operation
 * of its id, name and thread. So each of the same that was open at its place may have another's
 * end. None is sought where the order proves nothing. */
#include <stdlib.h>

#include "model/trace/trace_internal.h"
#include "src/base/lower_bound.h"

struct place { /* of such a record */
    uint32_t thread, name;
    uint64_t id, offset;
    bool early; /* an end that closes nothing: an operation around it is open */
};

struct places {
    VEC(struct place) v; /* by thread, id, name and offset */
};

static void add_damaged(struct trace *trace, struct places *places) {
    const struct damaged *damaged = &trace->judged.damaged;
    for (size_t i = 0; i < damaged->v.n; i++) {
        struct fxt_record r;
        struct provider *p;
        uint64_t offset = damaged->v.v[i].offset;
        if (trace_is_unordered(trace, trace_record_file(trace, offset)) ||
            !reader_record_at(trace->reader, offset, &r, &p) ||
            (r.kind != FXT_K_ASYNC_BEGIN && r.kind != FXT_K_ASYNC_END))
            continue;
        bool early = damaged->v.v[i].time < trace_judged_at(trace, offset)->bulk.from;
        vec_push(&places->v, ((struct place){.thread = trace_record_thread(trace, &r, p, offset),
                                             .name = ingest_name_at(trace, offset),
                                             .id = r.id,
                                             .offset = offset,
                                             .early = early && r.kind == FXT_K_ASYNC_END}));
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
        if (was_open(trace, places->v.v, places->v.n, &owner, s))
            add_around(trace, lane, i);
    }
}

static int by_offset(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void trace_damaged_find_around(struct trace *trace) {
    struct damaged *damaged = &trace->judged.damaged;
    struct places places = {.v = {0}};
    damaged->around.n = 0;
    add_damaged(trace, &places);
    sort_places(places.v.v, places.v.n);
    size_t groups = places.v.n > 0 ? async_group_count(&trace->derived.async) : 0;
    for (size_t k = 0; k < groups; k++) {
        const struct async_group *g = async_group(&trace->derived.async, k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            find_among(trace, &places, async_group_row(g, row));
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
