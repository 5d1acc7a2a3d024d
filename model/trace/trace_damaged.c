/* trace_damaged.c - slices, operations and hops with a damaged time (SEMANTICS 4.7).
 *
 * A slice with a damaged time is in no sum. Neither the slices nor the block indexes know that, so
 * sums leave it out by its number in the lane. While nothing is damaged, which is the usual case, a
 * question costs one comparison more. */
#include <stdlib.h>

#include "model/trace/trace_internal.h"
#include "src/base/lower_bound.h"

size_t trace_damaged_times(const struct trace *trace) {
    return trace->judged.damaged.v.n;
}

bool trace_damaged_at(const struct trace *trace, uint64_t offset) {
    return trace->judged.damaged.v.n > 0 && damaged_has(&trace->judged.damaged, offset);
}

bool trace_damaged_between(const struct trace *trace, size_t n, uint64_t *offset, int64_t *from,
                           int64_t *to) {
    if (n >= trace->judged.damaged.v.n)
        return false;
    *offset = trace->judged.damaged.v.v[n].offset;
    *from = trace->judged.damaged.v.v[n].from;
    *to = trace->judged.damaged.v.v[n].to;
    return true;
}

bool trace_damaged_before(const struct trace *trace, uint64_t offset, int64_t *time) {
    const struct damaged *damaged = &trace->judged.damaged;
    size_t i = 0;
    lower_bound(i, damaged->v.n, k, damaged->v.v[k].offset < offset);
    if (i == damaged->v.n || damaged->v.v[i].offset != offset ||
        (damaged->v.v[i].from == 0 && damaged->v.v[i].to == 0))
        return false;
    *time = damaged->v.v[i].from;
    return true;
}

size_t trace_damaged_slices(const struct trace *trace) {
    return trace->judged.damaged.slices.n;
}

struct slice trace_damaged_slice_at(const struct trace *trace, size_t n) {
    return lane_slice(trace->judged.damaged.slices.v[n].lane, trace->judged.damaged.slices.v[n].i);
}

bool trace_is_zero(const struct trace *trace, uint64_t offset, int64_t time) {
    if (trace->judged.bulk.unset == 0)
        return false;
    size_t file = trace_record_file(trace, offset);
    return trace_judged_of(trace, file)->bulk.unset > 0 &&
           time == reader_bulk(trace->reader, file)->zero;
}

/* Whether a slice begins at an unset time, but does not end with it: how long it lasted is not
 * known. */
static bool lasts_from_unset(const struct trace *trace, const struct slice *slice) {
    uint64_t offset = slice_offset(slice);
    return trace_is_zero(trace, offset, slice->start) &&
           slice_end(slice) > trace_judged_at(trace, offset)->bulk.unset_to;
}

static bool has_damaged_end(const struct trace *trace, const struct slice *slice) {
    return !slice_open(slice) &&
           damaged_has(&trace->judged.damaged, slice_extra_end_offset(&trace->slice_extra, slice));
}

static bool has_damaged_record(const struct trace *trace, const struct slice *slice) {
    return damaged_has(&trace->judged.damaged, slice_offset(slice)) ||
           has_damaged_end(trace, slice);
}

unsigned trace_damaged_parts(const struct trace *trace, const struct slice *slice) {
    if (slice_flags(slice) & SLICE_COMPLETE)
        return 0;
    return (trace_damaged_at(trace, slice_offset(slice)) ? TRACE_DAMAGED_BEGIN : 0) |
           (has_damaged_end(trace, slice) ? TRACE_DAMAGED_END : 0);
}

bool trace_damaged_by_time(const struct trace *trace, const struct slice *slice) {
    return lasts_from_unset(trace, slice) ||
           (trace->judged.damaged.v.n > 0 && has_damaged_record(trace, slice));
}

bool trace_damaged_untold(const struct trace *trace, const struct slice *slice) {
    return trace->judged.damaged.slices.n > 0 && !trace_damaged_by_time(trace, slice) &&
           slice_is_apart(&trace->slice_extra, slice);
}

static bool is_damaged(const struct trace *trace, const struct slice *slice) {
    return trace_damaged_by_time(trace, slice) || slice_is_apart(&trace->slice_extra, slice);
}

bool trace_damaged_is_unset(const struct trace *trace, const struct lane *lane, uint32_t i) {
    const struct slice *s = lane_at(lane, i);
    return trace_unset_begin(trace, lane, i) ||
           (slice_is_apart(&trace->slice_extra, s) && !has_damaged_record(trace, s));
}

/* Before all are found, which is when all is read, they count. */
bool trace_damaged_slice(const struct trace *trace, const struct slice *slice) {
    return trace->judged.damaged.slices.n > 0 && is_damaged(trace, slice);
}

bool trace_damaged_name(const struct trace *trace, uint32_t name) {
    size_t at = 0;
    lower_bound(at, trace->judged.damaged.names.n, i, trace->judged.damaged.names.v[i] < name);
    return at < trace->judged.damaged.names.n && trace->judged.damaged.names.v[at] == name;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void list_names(struct trace *trace) {
    struct damaged *d = &trace->judged.damaged;
    d->names.n = 0;
    for (size_t i = 0; i < d->slices.n; i++)
        vec_push(&d->names, trace_packed_name(
                                trace, lane_at(d->slices.v[i].lane, d->slices.v[i].i)->begin_word));
    if (d->names.n > 1)
        qsort(d->names.v, d->names.n, sizeof *d->names.v, by_number);
}

uint32_t trace_damaged_next(const struct trace *trace, const struct lane *lane, uint32_t i) {
    const struct damaged *damaged = &trace->judged.damaged;
    return damaged->slices.n > 0 ? damaged_next(damaged->slices.v, damaged->slices.n, lane, i)
                                 : UINT32_MAX;
}

uint32_t trace_longest(const struct trace *trace, struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t longest = UINT32_MAX;
    for (uint32_t from = i; from < j;) {
        uint32_t next = trace_damaged_next(trace, lane, from), to = next < j ? next : j;
        if (from < to) {
            uint32_t k = lane_longest(lane, from, to);
            longest =
                longest == UINT32_MAX || lane_dur(lane, k) > lane_dur(lane, longest) ? k : longest;
        }
        from = to + 1;
    }
    return longest != UINT32_MAX ? longest : lane_longest(lane, i, j);
}

/* Adds the slice of a lane that begins or ends at `time` with a damaged record. */
static void find_on(struct trace *trace, const struct lane *lane, const struct damaged_time *d) {
    uint32_t after = d->time == INT64_MAX ? lane->n : lane_from(lane, d->time + 1);
    /* one of no length may begin where another ends */
    for (uint32_t i = after; i-- > 0 && after - i <= 2;) {
        const struct slice *s = lane_at(lane, i);
        if (slice_offset(s) == d->offset ||
            (!slice_open(s) && slice_extra_end_offset(&trace->slice_extra, s) == d->offset))
            vec_push(&trace->judged.damaged.slices, ((struct damaged_slice){lane, i}));
    }
}

/* Adds those of one lane by their records, as if no order was known. */
static void find_recorded_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++)
        if (has_damaged_record(trace, lane_at(lane, i)))
            vec_push(&trace->judged.damaged.slices, ((struct damaged_slice){lane, i}));
}

struct owned { /* a damaged time */
    uint32_t thread;
    size_t i;
};

/* Looks for n damaged times in all rows of their thread. */
static void find_owned(struct trace *trace, const struct owned *owned, size_t n) {
    const struct nest *nest = &trace->threads.v[owned->thread]->nest;
    uint32_t rows = nest_rows(nest);
    uint64_t slices = 0;
    for (uint32_t row = 0; row < rows; row++)
        slices += nest_row(nest, row)->n;
    bool each = n > slices / (rows + 1); /* it is less work than to look for each time */
    for (uint32_t row = 0; row < rows; row++) {
        if (each)
            find_recorded_on(trace, nest_row(nest, row));
        for (size_t i = 0; i < n && !each; i++)
            find_on(trace, nest_row(nest, row), &trace->judged.damaged.v.v[owned[i].i]);
    }
}

static int by_thread(const void *a, const void *b) {
    const struct owned *x = a, *y = b;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Finds slices of the damaged times of one trace, whose order is known. Operations are apart. */
static void find_unmarked(struct trace *trace) {
    const struct damaged *damaged = &trace->judged.damaged;
    VEC(struct owned) owned = {0};
    for (size_t i = 0; i < damaged->v.n; i++) {
        struct fxt_record r;
        struct provider *p;
        uint64_t offset = damaged->v.v[i].offset;
        if (!reader_record_at(trace->reader, offset, &r, &p))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, offset);
        if (r.kind >= FXT_K_DURATION_BEGIN && r.kind <= FXT_K_DURATION_COMPLETE &&
            thread < trace->threads.n)
            vec_push(&owned, ((struct owned){thread, i}));
    }
    if (owned.n > 1)
        qsort(owned.v, owned.n, sizeof *owned.v, by_thread);
    for (size_t i = 0, n; i < owned.n; i += n) {
        for (n = 1; i + n < owned.n && owned.v[i + n].thread == owned.v[i].thread;)
            n++;
        find_owned(trace, owned.v + i, n);
    }
    vec_free(&owned);
}

/* Adds those of one lane: by their records, of which a source may name many. */
static void find_named_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++)
        if (is_damaged(trace, lane_at(lane, i)))
            vec_push(&trace->judged.damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_unset_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->judged.bulk.unset_to; i++)
        if (lasts_from_unset(trace, lane_at(lane, i)))
            vec_push(&trace->judged.damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_on_all(struct trace *trace,
                        void (*find)(struct trace *trace, const struct lane *lane)) {
    for (size_t k = 0; k < trace->threads.n; k++)
        for (uint32_t row = 0; row < nest_rows(&trace->threads.v[k]->nest); row++)
            find(trace, nest_row(&trace->threads.v[k]->nest, row));
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++)
        for (uint32_t row = 0; row < async_group_rows(async_group(&trace->derived.async, k)); row++)
            find(trace, async_group_row(async_group(&trace->derived.async, k), row));
}

static bool is_unset(const struct trace *trace, uint32_t point) {
    const struct flows *flows = &trace->derived.flows;
    return trace_unset_time(trace, flow_offset(flows, point), flow_time(flows, point));
}

bool trace_damaged_point(const struct trace *trace, uint32_t point) {
    const struct flows *flows = &trace->derived.flows;
    return trace_damaged_at(trace, flow_offset(flows, point)) || is_unset(trace, point);
}

uint64_t trace_damaged_hops(const struct trace *trace) {
    return trace->judged.damaged.hops;
}

static void count_hops(struct trace *trace) {
    const struct flows *flows = &trace->derived.flows;
    uint64_t hops = 0, unset = 0;
    bool any = trace->judged.damaged.v.n > 0 || trace->judged.bulk.unset > 0;
    size_t n = any ? flow_point_count(flows) : 0;
    for (uint32_t point = 0; point < n; point++) {
        const struct flow_link *link = flow_link(flows, point);
        uint32_t before = link->before != NO_POINT ? link->before : point;
        bool goes_on = link->after != NO_POINT && flow_link(flows, link->after)->before == point;
        if (link->before == NO_POINT && goes_on) /* its hop is that of the next point */
            continue;
        hops += trace_damaged_point(trace, point) || trace_damaged_point(trace, before);
        unset += is_unset(trace, point) || is_unset(trace, before);
    }
    trace->judged.damaged.hops = hops;
    trace->damaged_unset.hops = unset;
}

static void add_row(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++)
        vec_push(&trace->judged.damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_apart(struct trace *trace) {
    for (size_t k = 0; k < trace->threads.n; k++) {
        const struct nest *nest = &trace->threads.v[k]->nest;
        for (uint32_t row = nest_sound_rows(nest); row < nest_rows(nest); row++)
            add_row(trace, nest_row(nest, row));
    }
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++) {
        const struct async_group *g = async_group(&trace->derived.async, k);
        for (uint32_t row = g->apart_from; row < g->apart_to; row++)
            add_row(trace, async_group_row(g, row));
    }
}

void trace_damaged_find(struct trace *trace) {
    struct damaged *damaged = &trace->judged.damaged;
    bool marked = damaged->marked.n > 0, all = damaged->looked_at == reader_offset(trace->reader);
    damaged->slices.n = 0;
    if (!marked)
        find_unmarked(trace);
    find_apart(trace);
    if (all && marked) /* once all is read: they may be many */
        find_on_all(trace, find_named_on);
    else if (all && trace->judged.bulk.unset > 0)
        find_on_all(trace, find_unset_on);
    if (all)
        count_hops(trace);
    else if (damaged->v.n == 0)
        damaged->hops = trace->damaged_unset.hops = 0;
    /* both times of one may be damaged */
    damaged->slices.n = damaged_sort(damaged->slices.v, damaged->slices.n);
    list_names(trace);
}
