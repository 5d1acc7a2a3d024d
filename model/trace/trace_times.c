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
    return trace->judged.part.known && trace->events > 0 &&
           trace->judged.part.to >= first_time(trace);
}

bool trace_part_closed(const struct trace *trace) {
    return trace_is_part(trace) && trace->judged.part.closed;
}

int64_t trace_last(const struct trace *trace) {
    if (trace->events == 0)
        return 0;
    return trace_is_part(trace) && trace->judged.part.to > trace->end ? trace->judged.part.to
                                                                      : trace->end;
}

/* A part may begin before its first event, if its times still fit 64 bits. */
static bool begins_earlier(const struct trace *trace) {
    int64_t from = trace->judged.part.from;
    return trace_is_part(trace) && from < first_time(trace) &&
           units_since(from, trace_last(trace)) < INT64_MAX;
}

int64_t trace_origin(const struct trace *trace) {
    return begins_earlier(trace) ? trace->judged.part.from : first_time(trace);
}

struct wide trace_origin_wide(const struct trace *trace) {
    return begins_earlier(trace) ? trace->judged.part.from_wide : reader_min(trace->reader);
}

/* ---- span and window ---- */

/* The reader may be ahead of the nested events: if the span is whole, the model decides. */
int64_t trace_begin(const struct trace *trace) {
    if (trace_is_part(trace)) {
        int64_t origin = trace_origin(trace);
        return trace->judged.part.from > origin ? trace->judged.part.from : origin;
    }
    return trace->events == 0 || trace->judged.span.whole ? first_time(trace)
                                                          : trace->judged.span.from;
}

int64_t trace_end(const struct trace *trace) {
    if (trace_is_part(trace))
        return trace->judged.part.to;
    return trace->events == 0 || trace->judged.span.whole ? trace_last(trace)
                                                          : trace->judged.span.to;
}

/* Whether the timeline opens on the bulk, which of a part has to lie in its range. */
static bool opens_on_bulk(const struct trace *trace) {
    const struct bulk_stretch *bulk = &trace->judged.bulk;
    return bulk->far > 0 && bulk->from < trace_end(trace) && bulk->to > trace_begin(trace);
}

int64_t trace_window_begin(const struct trace *trace) {
    int64_t begin = trace_begin(trace);
    return opens_on_bulk(trace) && trace->judged.bulk.from > begin ? trace->judged.bulk.from
                                                                   : begin;
}

int64_t trace_window_end(const struct trace *trace) {
    int64_t end = trace_end(trace);
    return opens_on_bulk(trace) && trace->judged.bulk.to < end ? trace->judged.bulk.to : end;
}

bool trace_has_outside(const struct trace *trace) {
    return trace_begin(trace) > trace_origin(trace) || trace_end(trace) < trace_last(trace);
}

struct wide trace_begin_wide(const struct trace *trace) {
    return wide_add(trace_origin_wide(trace), units_since(trace_origin(trace), trace_begin(trace)));
}

uint64_t trace_far_times(const struct trace *trace) {
    return trace->judged.bulk.far;
}

uint64_t trace_unset_times(const struct trace *trace) {
    return trace->judged.bulk.unset;
}

bool trace_unset_time(const struct trace *trace, uint64_t offset, int64_t time) {
    if (trace->judged.bulk.unset == 0)
        return false;
    const struct bulk_stretch *bulk = &trace_judged_at(trace, offset)->bulk;
    return bulk->unset > 0 && time <= bulk->unset_to;
}

bool trace_unset_begin(const struct trace *trace, const struct lane *lane, uint32_t i) {
    return trace_unset_time(trace, slice_offset(lane_at(lane, i)), lane_start(lane, i));
}

bool trace_unset_by_record(const struct trace *trace) {
    return trace->by_file.n > 0 && trace->judged.bulk.unset > 0;
}

bool trace_unset_slice(const struct trace *trace, const struct slice *slice) {
    return trace_unset_time(trace, slice_offset(slice), slice_end(slice));
}

/* ---- after a step ---- */

void trace_judged_clear(struct trace *trace) {
    damaged_free(&trace->judged.damaged);
    trace->judged = (struct judged){.span = trace->judged.span};
    for (size_t i = 0; i < trace->by_file.n; i++) {
        damaged_free(&trace->by_file.v[i].damaged);
        trace->by_file.v[i] = (struct judged){.span.whole = true};
    }
    trace->look_file = trace->part_blobs = 0;
}

/* of one file, which is that part of all */
static void find_span(const struct trace *trace, size_t file, struct judged *of) {
    const struct bulk *bulk = reader_bulk(trace->reader, file);
    struct whole *span = &of->span;
    span->whole = of->bulk.unset == 0 && of->damaged.v.n == 0;
    if (span->whole)
        return;
    bulk_core(bulk, of->bulk.unset == 0, &span->from, &span->to);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        const struct bulk_case *c = &bulk->cases.v[i];
        bool doubted = of->damaged.marked.n > 0 || bulk_is_far(&of->bulk, c->time);
        if (doubted && damaged_has(&of->damaged, c->offset))
            continue;
        span->from = c->time < span->from ? c->time : span->from;
        span->to = c->time > span->to ? c->time : span->to;
    }
    if (span->from > span->to)
        span->whole = true;
}

/* ---- of a set ---- */

static void widen(struct whole *whole, int64_t from, int64_t to) {
    whole->from = from < whole->from ? from : whole->from;
    whole->to = to > whole->to ? to : whole->to;
}

/* All times of a part. False: it has none. */
static bool times_of(const struct trace *trace, size_t part, struct whole *times) {
    const struct bulk *bulk = reader_bulk(trace->reader, part);
    struct bulk_stretch any;
    if (!reader_bulk_find(trace->reader, part, &any))
        return false;
    bulk_core(bulk, true, &times->from, &times->to);
    for (size_t k = 0; k < bulk->cases.n; k++)
        widen(times, bulk->cases.v[k].time, bulk->cases.v[k].time);
    return true;
}

/* Whether a file of a set was cut at a range; times: all of its own. */
static bool has_range(const struct judged *of, const struct whole *times) {
    return of->part.known && of->part.to >= times->from;
}

bool trace_is_chosen(const struct trace *trace, size_t file) {
    const struct part *part = &trace_judged_of(trace, file)->part;
    if (trace->by_file.n == 0)
        return part->rangeless || trace_is_part(trace);
    struct whole times;
    return part->rangeless ||
           (times_of(trace, file, &times) && has_range(trace_judged_of(trace, file), &times));
}

bool trace_file_is_part(const struct trace *trace, size_t file, bool *closed) {
    const struct judged *of = trace_judged_of(trace, file);
    struct whole times;
    *closed = of->part.closed;
    return times_of(trace, file, &times) && has_range(of, &times);
}

bool trace_is_unordered(const struct trace *trace, size_t file) {
    struct file_part bounds;
    file_part(trace->file, file, &bounds);
    return file_imported(file_part_file(trace->file, file)) ||
           reader_ends_by_name(trace->reader, bounds.begin);
}

/* The span of a file is without its damaged and unset times; that of a part is its range. */
void trace_bounds_find(struct trace *trace) {
    for (size_t w = 0; w < trace->bounds.n; w++)
        trace->bounds.v[w] = (struct whole){INT64_MAX, INT64_MIN, true};
    for (size_t w = 0; w < trace->origins.n; w++)
        trace->origins.v[w] = INT64_MAX;
    for (size_t i = 0; i < trace->spans.n; i++)
        trace->spans.v[i] = (struct whole){INT64_MAX, INT64_MIN, true};
    for (size_t i = 0; i < trace->worlds.n; i++) {
        const struct world_part *at = &trace->worlds.parts[i];
        const struct judged *of = &trace->by_file.v[at->file];
        struct whole times, span;
        bool whole = of->span.whole && !of->part.known; /* else derived words change nothing */
        if ((i != at->file && !whole) || !times_of(trace, i, &times))
            continue;
        span = of->span.whole ? times : of->span;
        if (has_range(of, &times)) {
            widen(&times, of->part.from, of->part.from);
            span = (struct whole){of->part.from, of->part.to, false};
        }
        widen(&trace->spans.v[at->file], span.from, span.to);
        widen(&trace->bounds.v[at->world], span.from, span.to);
        if (times.from < trace->origins.v[at->world])
            trace->origins.v[at->world] = times.from;
    }
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

/* All files together: their bulks, spans and damaged records. */
static void join_files(struct trace *trace) {
    struct judged *all = &trace->judged;
    all->bulk = (struct bulk_stretch){INT64_MAX, INT64_MIN, 0, 0, BULK_NO_ZERO};
    all->span = (struct whole){INT64_MAX, INT64_MIN, true};
    all->damaged.v.n = all->damaged.marked.n = 0;
    for (size_t i = 0; i < trace->by_file.n; i++) {
        const struct judged *of = &trace->by_file.v[i];
        const struct whole *span = &trace->spans.v[i];
        if (span->from > span->to)
            continue;
        all->bulk.from = of->bulk.from < all->bulk.from ? of->bulk.from : all->bulk.from;
        all->bulk.to = of->bulk.to > all->bulk.to ? of->bulk.to : all->bulk.to;
        all->bulk.far += of->bulk.far;
        all->bulk.unset += of->bulk.unset;
        if (of->bulk.unset > 0 && of->bulk.unset_to > all->bulk.unset_to)
            all->bulk.unset_to = of->bulk.unset_to;
        widen(&all->span, span->from, span->to);
        all->span.whole = all->span.whole && of->span.whole && !of->part.known;
        damaged_join(&all->damaged, &of->damaged);
    }
}

/* ---- */

void trace_times_judge(struct trace *trace) {
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        reader_bulk_find(trace->reader, i, &trace_judged_of(trace, i)->bulk);
    trace_part_find(trace);
    for (size_t i = 0; i < trace->by_file.n; i++)
        find_span(trace, i, &trace->by_file.v[i]);
    if (trace->by_file.n > 0) {
        trace_bounds_find(trace);
        join_files(trace);
    } else {
        find_span(trace, 0, &trace->judged);
    }
}

void trace_times_find(struct trace *trace) {
    trace_times_judge(trace);
    trace_damaged_find(trace);
    trace_damaged_sched_find(trace);
}

/* Whether a look at the order of a file may find damaged times, or the places of marked ones. */
static bool may_find(struct trace *trace, size_t file) {
    const struct judged *of = trace_judged_of(trace, file);
    if (trace_is_unordered(trace, file))
        return false;
    if (trace_is_chosen(trace, file))
        return of->damaged.marked.n > 0;
    return of->bulk.far > 0 && damaged_can_be(trace->reader, file, &of->bulk);
}

/* Looks at one file, as trace_times_look() does. */
static bool look_at_file(struct trace *trace, size_t file, uint64_t bytes) {
    struct judged *of = trace_judged_of(trace, file);
    if (of->damaged.look == NULL && !may_find(trace, file)) {
        damaged_take_marked(&of->damaged, trace->reader);
        return true;
    }
    return damaged_look(&of->damaged, trace->reader, &trace->worlds, file,
                        trace_is_chosen(trace, file), &of->bulk, bytes);
}

bool trace_times_look(struct trace *trace, uint64_t bytes) {
    struct damaged *damaged = &trace->judged.damaged;
    uint64_t at = reader_offset(trace->reader);
    bool grows = !file_ended(trace->file);
    size_t *file = &trace->look_file;
    if (*file == 0 && trace_judged_of(trace, 0)->damaged.look == NULL) {
        for (size_t i = 0; i < trace_judged_count(trace); i++)
            reader_bulk_find(trace->reader, i, &trace_judged_of(trace, i)->bulk);
        if (at - damaged->looked_at <= (grows ? damaged->looked_at / LOOK_AGAIN : 0))
            return true;
        trace_part_find(trace);
    }
    for (; *file < trace_judged_count(trace); ++*file)
        if (!look_at_file(trace, *file, bytes))
            return false;
    *file = 0;
    damaged->looked_at = at;
    return true;
}

void trace_times_stop(struct trace *trace) {
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        damaged_stop(&trace_judged_of(trace, i)->damaged);
    trace->look_file = 0;
}
