/* trace_times.c - the span of a trace, its first window, and slices with a damaged time (SEMANTICS 4.5 to 4.8).
 *
 * Far times decide the first window alone. Damaged and unset times are in no span; a slice with a damaged time is in no
 * sum. Neither the slices nor the block indexes know that, so sums leave it out by its number in the lane. While
 * nothing is damaged, which is the usual case, a question costs one comparison more. */
#include "model/trace/trace_internal.h"
#include "src/base/units.h"

#define LOOK_AGAIN 8 /* a file that grows is looked at again when it is longer by one in so many */

int64_t trace_last(const struct trace *trace) {
    return trace->events > 0 ? trace->end : 0;
}

bool trace_is_part(const struct trace *trace) {
    const struct part *part = &trace->part;
    return part->known && trace->events > 0 && part->to > trace_origin(trace) && part->from < trace_last(trace);
}

/* ---- span and window ---- */

/* Whether the span has all times: one test, as trace_begin() and trace_end() are asked for each slice. */
static bool is_plain(const struct trace *trace) {
    return trace->events == 0 || trace->span.whole & !trace->part.known;
}

static int64_t span_begin(const struct trace *trace) {
    return trace->span.whole ? trace_origin(trace) : trace->span.from;
}

static int64_t span_end(const struct trace *trace) {
    return trace->span.whole ? trace_last(trace) : trace->span.to;
}

static int64_t begin_of(const struct trace *trace, int64_t begin) {
    return trace_is_part(trace) && trace->part.from > begin ? trace->part.from : begin;
}

static int64_t end_of(const struct trace *trace, int64_t end) {
    return trace_is_part(trace) && trace->part.to < end ? trace->part.to : end;
}

/* The reader may be ahead of the nested events: if the span is whole, the model decides. */
int64_t trace_begin(const struct trace *trace) {
    return is_plain(trace) ? trace_origin(trace) : begin_of(trace, span_begin(trace));
}

int64_t trace_end(const struct trace *trace) {
    return is_plain(trace) ? trace_last(trace) : end_of(trace, span_end(trace));
}

int64_t trace_window_begin(const struct trace *trace) {
    return trace->bulk.far > 0 ? begin_of(trace, trace->bulk.from) : trace_begin(trace);
}

int64_t trace_window_end(const struct trace *trace) {
    return trace->bulk.far > 0 ? end_of(trace, trace->bulk.to) : trace_end(trace);
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

uint64_t trace_unset_times(const struct trace *trace) {
    return trace->bulk.unset;
}

bool trace_unset_slice(const struct trace *trace, const struct slice *slice) {
    return trace->bulk.unset > 0 && slice_end(slice) <= trace->bulk.unset_to;
}

/* ---- damaged times ---- */

size_t trace_damaged_times(const struct trace *trace) {
    return trace->damaged.v.n;
}

bool trace_damaged_at(const struct trace *trace, uint64_t offset) {
    return trace->damaged.v.n > 0 && damaged_has(&trace->damaged, offset);
}

size_t trace_damaged_slices(const struct trace *trace) {
    return trace->damaged.slices.n;
}

/* Whether a slice begins at an unset time, but does not end with it: how long it lasted is not known. */
static bool begins_unset(const struct trace *trace, const struct slice *slice) {
    return trace->bulk.unset > 0 && slice->start <= trace->bulk.unset_to && slice_end(slice) > trace->bulk.unset_to;
}

static bool is_damaged(const struct trace *trace, const struct slice *slice) {
    if (begins_unset(trace, slice))
        return true;
    if (trace->damaged.v.n == 0)
        return false;
    return damaged_has(&trace->damaged, slice_offset(slice)) ||
           (!slice_open(slice) && damaged_has(&trace->damaged, slice_extra_end_offset(&trace->slice_extra, slice)));
}

/* Before all are found, which is when all is read, they count. */
bool trace_damaged_slice(const struct trace *trace, const struct slice *slice) {
    return trace->damaged.slices.n > 0 && is_damaged(trace, slice);
}

bool trace_damaged_name(struct trace *trace, uint32_t name) {
    const struct damaged_slice *v = trace->damaged.slices.v;
    for (size_t i = 0; i < trace->damaged.slices.n; i++)
        if (trace_packed_name(trace, lane_at(v[i].lane, v[i].i)->begin_word) == name)
            return true;
    return false;
}

uint32_t trace_damaged_next(const struct trace *trace, const struct lane *lane, uint32_t i) {
    return trace->damaged.slices.n > 0 ? damaged_next(&trace->damaged, lane, i) : UINT32_MAX;
}

uint32_t trace_longest(const struct trace *trace, struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t longest = UINT32_MAX;
    for (uint32_t from = i; from < j;) {
        uint32_t next = trace_damaged_next(trace, lane, from), to = next < j ? next : j;
        if (from < to) {
            uint32_t k = lane_longest(lane, from, to);
            longest = longest == UINT32_MAX || lane_dur(lane, k) > lane_dur(lane, longest) ? k : longest;
        }
        from = to + 1;
    }
    return longest != UINT32_MAX ? longest : lane_longest(lane, i, j);
}

/* Adds the slice of a lane that begins or ends at `time` with a damaged record. */
static void find_on(struct trace *trace, const struct lane *lane, const struct damaged_time *d) {
    uint32_t after = d->time == INT64_MAX ? lane->n : lane_from(lane, d->time + 1);
    for (uint32_t i = after; i-- > 0 && after - i <= 2;) { /* one of no length may begin where another ends */
        const struct slice *s = lane_at(lane, i);
        if (slice_offset(s) == d->offset || (!slice_open(s) && slice_extra_end_offset(&trace->slice_extra, s) == d->offset))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
    }
}

static void find_on_thread(struct trace *trace, const struct damaged_time *d, uint32_t number) {
    const struct nest *nest = &trace->threads.v[number]->nest;
    for (uint32_t row = 0; row < nest_rows(nest); row++)
        find_on(trace, nest_row(nest, row), d);
}

static void find_among_operations(struct trace *trace, const struct damaged_time *d) {
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++) {
        const struct async_group *g = async_group(&trace->derived.async, k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            find_on(trace, async_group_row(g, row), d);
    }
}

/* Adds those of one lane: by their records, of which a source may name many. */
static void find_named_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++)
        if (is_damaged(trace, lane_at(lane, i)))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_unset_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->bulk.unset_to; i++)
        if (begins_unset(trace, lane_at(lane, i)))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_on_all(struct trace *trace, void (*find)(struct trace *trace, const struct lane *lane)) {
    for (size_t k = 0; k < trace->threads.n; k++)
        for (uint32_t row = 0; row < nest_rows(&trace->threads.v[k]->nest); row++)
            find(trace, nest_row(&trace->threads.v[k]->nest, row));
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++)
        for (uint32_t row = 0; row < async_group_rows(async_group(&trace->derived.async, k)); row++)
            find(trace, async_group_row(async_group(&trace->derived.async, k), row));
}

static int by_lane(const void *a, const void *b) {
    const struct damaged_slice *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static void sort_slices(struct damaged *damaged) {
    struct damaged_slice *v = damaged->slices.v;
    size_t n = damaged->slices.n < 2 ? damaged->slices.n : 1;
    if (damaged->slices.n > 1)
        qsort(v, damaged->slices.n, sizeof *v, by_lane);
    for (size_t i = 1; i < damaged->slices.n; i++) /* both of its times may be damaged */
        if (by_lane(&v[n - 1], &v[i]) != 0)
            v[n++] = v[i];
    damaged->slices.n = n;
}

static void find_slices(struct trace *trace) {
    struct damaged *damaged = &trace->damaged;
    bool imported = file_imported(trace->file) != NULL, all = damaged->looked_at == reader_offset(trace->reader);
    damaged->slices.n = 0;
    for (size_t i = 0; i < damaged->v.n && !imported; i++) {
        struct fxt_record r;
        struct provider *p;
        const struct damaged_time *d = &damaged->v.v[i];
        if (!reader_record_at(trace->reader, d->offset, &r, &p))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, d->offset);
        if (r.kind >= FXT_K_DURATION_BEGIN && r.kind <= FXT_K_DURATION_COMPLETE && thread < trace->threads.n)
            find_on_thread(trace, d, thread);
        else if (r.kind == FXT_K_ASYNC_BEGIN || r.kind == FXT_K_ASYNC_END)
            find_among_operations(trace, d);
    }
    if (all && imported && damaged->v.n > 0) /* once all is read: they may be many */
        find_on_all(trace, find_named_on);
    else if (all && trace->bulk.unset > 0)
        find_on_all(trace, find_unset_on);
    sort_slices(damaged);
}

/* ---- after a step ---- */

static void find_span(struct trace *trace) {
    const struct bulk *bulk = reader_bulk(trace->reader);
    struct whole *span = &trace->span;
    span->whole = trace->bulk.unset == 0 && trace->damaged.v.n == 0;
    if (span->whole)
        return;
    bulk_core(bulk, trace->bulk.unset == 0, &span->from, &span->to);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        const struct bulk_case *c = &bulk->cases.v[i];
        bool doubted = file_imported(trace->file) || bulk_is_far(&trace->bulk, c->time);
        if (doubted && damaged_has(&trace->damaged, c->offset))
            continue;
        span->from = c->time < span->from ? c->time : span->from;
        span->to = c->time > span->to ? c->time : span->to;
    }
    if (span->from > span->to)
        span->whole = true;
}

void trace_times_find(struct trace *trace) {
    reader_bulk_find(trace->reader, &trace->bulk);
    trace_part_find(trace);
    find_slices(trace);
    find_span(trace);
}

bool trace_times_look(struct trace *trace, uint64_t bytes) {
    struct damaged *damaged = &trace->damaged;
    uint64_t at = reader_offset(trace->reader);
    bool grows = !file_ended(trace->file);
    if (damaged->look == NULL) {
        reader_bulk_find(trace->reader, &trace->bulk);
        if (at - damaged->looked_at <= (grows ? damaged->looked_at / LOOK_AGAIN : 0))
            return true;
        if (trace->bulk.far == 0 || file_imported(trace->file) || !damaged_can_be(trace->reader, &trace->bulk)) {
            damaged->v.n = file_imported(trace->file) ? damaged->v.n : 0;
            damaged->looked_at = at;
            return true;
        }
    }
    return damaged_look(damaged, trace->reader, &trace->bulk, bytes);
}
