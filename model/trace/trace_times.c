/* trace_times.c - the span of a trace and its first window (SEMANTICS 4.5 to 4.8).
 *
 * Far times decide the first window alone. Damaged and unset times are in no span. */
#include "model/trace/trace_internal.h"
#include "src/base/units.h"

#define LOOK_AGAIN 8 /* a file that grows is looked at again when it is longer by one in so many */

/* The time of the earliest event. */
static int64_t first_time(const struct trace *trace) {
    return trace->events > 0
               ? wide_diff(reader_min(trace->reader), reader_base(trace->reader), INT64_MAX)
               : 0;
}

bool trace_is_part(const struct trace *trace) {
    return trace->part.known && trace->events > 0 && trace->part.to >= first_time(trace);
}

bool trace_part_closed(const struct trace *trace) {
    return trace_is_part(trace) && trace->part.closed;
}

bool trace_is_chosen(const struct trace *trace) {
    return trace->part.rangeless || trace_is_part(trace);
}

bool trace_is_unordered(const struct trace *trace) {
    return file_imported(trace->file) || reader_ends_by_name(trace->reader, 0);
}

int64_t trace_last(const struct trace *trace) {
    if (trace->events == 0)
        return 0;
    return trace_is_part(trace) && trace->part.to > trace->end ? trace->part.to : trace->end;
}

/* A part may begin before its first event, if its times still fit 64 bits. */
static bool begins_earlier(const struct trace *trace) {
    int64_t from = trace->part.from;
    return trace_is_part(trace) && from < first_time(trace) &&
           units_since(from, trace_last(trace)) < INT64_MAX;
}

int64_t trace_origin(const struct trace *trace) {
    return begins_earlier(trace) ? trace->part.from : first_time(trace);
}

struct wide trace_origin_wide(const struct trace *trace) {
    return begins_earlier(trace) ? trace->part.from_wide : reader_min(trace->reader);
}

/* ---- span and window ---- */

/* The reader may be ahead of the nested events: if the span is whole, the model decides. */
int64_t trace_begin(const struct trace *trace) {
    if (trace_is_part(trace)) {
        int64_t origin = trace_origin(trace);
        return trace->part.from > origin ? trace->part.from : origin;
    }
    return trace->events == 0 || trace->span.whole ? first_time(trace) : trace->span.from;
}

int64_t trace_end(const struct trace *trace) {
    if (trace_is_part(trace))
        return trace->part.to;
    return trace->events == 0 || trace->span.whole ? trace_last(trace) : trace->span.to;
}

/* Whether the timeline opens on the bulk, which of a part has to lie in its range. */
static bool opens_on_bulk(const struct trace *trace) {
    const struct bulk_stretch *bulk = &trace->bulk;
    return bulk->far > 0 && bulk->from < trace_end(trace) && bulk->to > trace_begin(trace);
}

int64_t trace_window_begin(const struct trace *trace) {
    int64_t begin = trace_begin(trace);
    return opens_on_bulk(trace) && trace->bulk.from > begin ? trace->bulk.from : begin;
}

int64_t trace_window_end(const struct trace *trace) {
    int64_t end = trace_end(trace);
    return opens_on_bulk(trace) && trace->bulk.to < end ? trace->bulk.to : end;
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

bool trace_unset_time(const struct trace *trace, int64_t time) {
    return trace->bulk.unset > 0 && time <= trace->bulk.unset_to;
}

bool trace_unset_slice(const struct trace *trace, const struct slice *slice) {
    return trace_unset_time(trace, slice_end(slice));
}

/* ---- after a step ---- */

static void find_span(struct trace *trace) {
    const struct bulk *bulk = reader_bulk(trace->reader, 0);
    struct whole *span = &trace->span;
    span->whole = trace->bulk.unset == 0 && trace->damaged.v.n == 0;
    if (span->whole)
        return;
    bulk_core(bulk, trace->bulk.unset == 0, &span->from, &span->to);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        const struct bulk_case *c = &bulk->cases.v[i];
        bool doubted = trace->damaged.marked.n > 0 || bulk_is_far(&trace->bulk, c->time);
        if (doubted && damaged_has(&trace->damaged, c->offset))
            continue;
        span->from = c->time < span->from ? c->time : span->from;
        span->to = c->time > span->to ? c->time : span->to;
    }
    if (span->from > span->to)
        span->whole = true;
}

static void widen(struct whole *whole, int64_t from, int64_t to) {
    whole->from = from < whole->from ? from : whole->from;
    whole->to = to > whole->to ? to : whole->to;
}

void trace_bounds_find(struct trace *trace) {
    for (size_t w = 0; w < trace->bounds.n; w++)
        trace->bounds.v[w] = (struct whole){INT64_MAX, INT64_MIN, true};
    for (size_t i = 0; i < trace->spans.n; i++)
        trace->spans.v[i] = (struct whole){INT64_MAX, INT64_MIN, true};
    for (size_t i = 0; i < trace->worlds.n; i++) {
        const struct bulk *bulk = reader_bulk(trace->reader, i);
        struct bulk_stretch any;
        int64_t first, last;
        if (!reader_bulk_find(trace->reader, i, &any))
            continue;
        bulk_core(bulk, true, &first, &last);
        for (size_t k = 0; k < bulk->cases.n; k++) {
            int64_t time = bulk->cases.v[k].time;
            first = time < first ? time : first;
            last = time > last ? time : last;
        }
        widen(&trace->spans.v[trace->worlds.parts[i].file], first, last);
        widen(&trace->bounds.v[trace->worlds.parts[i].world], first, last);
    }
    for (size_t w = 0; w < trace->bounds.n; w++)
        trace->origins.v[w] = trace->bounds.v[w].from;
}

/* Its bounds, if it is one of a set and has an event. */
static const struct whole *bounds_of(const struct trace *trace, uint16_t world) {
    const struct whole *of = world < trace->bounds.n ? &trace->bounds.v[world] : NULL;
    return of && of->from <= of->to ? of : NULL;
}

int64_t trace_world_begin(const struct trace *trace, uint16_t world) {
    const struct whole *of = bounds_of(trace, world);
    return of ? of->from : trace_begin(trace);
}

int64_t trace_world_end(const struct trace *trace, uint16_t world) {
    const struct whole *of = bounds_of(trace, world);
    return of ? of->to : trace_end(trace);
}

void trace_times_find(struct trace *trace) {
    if (trace->worlds.n > 0) {
        trace_bounds_find(trace);
        trace->span.whole = true;
        return;
    }
    reader_bulk_find(trace->reader, 0, &trace->bulk);
    trace_part_find(trace);
    trace_damaged_find(trace);
    find_span(trace);
    trace_damaged_sched_find(trace);
}

/* Whether a look at the order of the file may find damaged times, or the places of marked ones. */
static bool may_find(struct trace *trace) {
    if (trace_is_unordered(trace))
        return false;
    if (trace_is_chosen(trace))
        return trace->damaged.marked.n > 0;
    return trace->bulk.far > 0 && damaged_can_be(trace->reader, &trace->bulk);
}

bool trace_times_look(struct trace *trace, uint64_t bytes) {
    struct damaged *damaged = &trace->damaged;
    uint64_t at = reader_offset(trace->reader);
    bool grows = !file_ended(trace->file);
    if (trace->worlds.n > 0)
        return true;
    if (damaged->look == NULL) {
        reader_bulk_find(trace->reader, 0, &trace->bulk);
        if (at - damaged->looked_at <= (grows ? damaged->looked_at / LOOK_AGAIN : 0))
            return true;
        trace_part_find(trace);
        if (!may_find(trace)) {
            damaged_take_marked(damaged, trace->reader);
            damaged->looked_at = at;
            return true;
        }
    }
    return damaged_look(damaged, trace->reader, trace_is_chosen(trace), &trace->bulk, bytes);
}
