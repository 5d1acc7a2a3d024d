/* thrown.c - writes the text of a trace at random and reads the slices of the model back, one by
 * one.
 *
 * The reading knows nothing of slice_iter.h but the numbers of its tracks and kinds: it goes over
 * the rows that threads and groups have. */
#include "tests/unit/lib/thrown.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define THREADS 5

static void throw_event(FILE *f, struct chance *chance, unsigned threads, unsigned t) {
    unsigned thread = 10 + (unsigned)below(chance, threads), process = 1 + thread % 2,
             name = (unsigned)below(chance, 6);
    unsigned dur = below(chance, 4) == 0 ? 0 : (unsigned)below(chance, 90);
    /* of one: no deep rows, but long ones */
    switch (threads == 1 ? 3 + below(chance, 6) : below(chance, 9)) {
    case 0:
    case 1:
        fprintf(f, "begin %u %u/%u \"c\" \"n%u\"\n", t, process, thread, name);
        break;
    case 2:
        fprintf(f, "end %u %u/%u \"c\" \"n%u\"\n", t, process, thread, name);
        break;
    case 3:
        fprintf(f, "async_begin %u %u/%u \"c\" \"n%u\" id=%u\n", t, process, thread, name, dur % 5);
        break;
    case 4:
        fprintf(f, "async_end %u %u/%u \"c\" \"n%u\" id=%u\n", t, process, thread, name, dur % 5);
        break;
    case 5:
        fprintf(f, "async_instant %u %u/%u \"c\" \"n%u\" id=%u\n", t, process, thread, name,
                dur % 5);
        break;
    case 6:
        fprintf(f, "instant %u %u/%u \"c\" \"n%u\"\n", t, process, thread, name);
        break;
    default:
        fprintf(f, "complete %u %u/%u \"c\" \"n%u\" end=%u\n", t, process, thread, name, t + dur);
        break;
    }
}

/* Loads the text and frees it. */
static struct trace *load(char *text) {
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

struct trace *thrown_trace(struct chance *chance, unsigned events) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    unsigned t = 1;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned i = 0; i < events; i++, t += (unsigned)below(chance, 25))
        throw_event(f, chance, events > THROWN_LONG ? 1 : THREADS, t);
    fclose(f);
    return load(text);
}

struct trace *thrown_nested(struct chance *chance, unsigned events, unsigned ends) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    unsigned t = 1;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned i = 0; i < events; i++, t += below(chance, 2) ? (unsigned)below(chance, 9) : 0) {
        unsigned thread = 10 + (unsigned)below(chance, 2), name = (unsigned)below(chance, 3);
        if (below(chance, 8) == 0)
            fprintf(f, "complete %u 1/%u \"c\" \"n%u\" end=%u\n", t, thread, name, t);
        else
            fprintf(f, "%s %u 1/%u \"c\" \"n%u\"\n", below(chance, 10) < ends ? "end" : "begin", t,
                    thread, name);
    }
    fclose(f);
    return load(text);
}

struct trace *thrown_far(struct chance *chance) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    unsigned t = 1;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned i = 0; i < 1010; i++, t += (unsigned)below(chance, 25))
        throw_event(f, chance, THREADS, t);
    fputs("instant 1 3/20 \"c\" \"before\"\n", f);
    /* the first is around the others of its thread, which contradict it */
    for (unsigned i = 0; i < 3; i++)
        fprintf(f, "complete 0 3/%u \"c\" \"n%u\" end=9000000%u\n", 20 + i, i, i);
    for (unsigned i = 0, at = 1; i < 60; i++, at += (unsigned)below(chance, 9))
        fprintf(f, "%s %u 3/20 \"c\" \"n%u\"\n", below(chance, 10) < 4 ? "end" : "begin", at,
                (unsigned)below(chance, 3));
    fclose(f);
    return load(text);
}

static void add_row(struct thrown_slices *all, const struct lane *lane, struct thrown_slice at) {
    for (at.i = 0; at.i < lane->n; at.i++) {
        at.slice = lane_slice(lane, at.i);
        vec_push(all, at);
    }
}

struct thrown_slices thrown_slices(const struct trace *trace) {
    struct thrown_slices all = {0};
    const struct async *async = trace_async(trace);
    for (uint32_t k = 0; k < trace_thread_count(trace); k++) {
        const struct nest *nest = &trace_thread(trace, k)->nest;
        for (uint32_t row = 0; row < nest_rows(nest); row++)
            add_row(&all, nest_row(nest, row),
                    (struct thrown_slice){{0}, SLICE_ITER_SLICES, k, row, 0});
    }
    for (uint32_t k = 0; k < async_group_count(async); k++) {
        const struct async_group *group = async_group(async, k);
        for (uint32_t row = 0; row < async_group_rows(group); row++)
            add_row(
                &all, async_group_row(group, row),
                (struct thrown_slice){{0}, SLICE_ITER_OPERATIONS, SLICE_ITER_ASYNC + k, row, 0});
    }
    return all;
}

struct slice_set thrown_set(struct chance *chance, const struct trace *trace,
                            const struct thrown_slices *all) {
    static const unsigned kinds[] = {SLICE_ITER_SLICES, SLICE_ITER_OPERATIONS,
                                     SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS};
    struct slice_set set = SLICE_SET_ALL(kinds[below(chance, 3)]);
    uint64_t span = (uint64_t)(trace_end(trace) - trace_origin(trace));
    if (below(chance, 3) == 0 && all->n > 0)
        set.track = all->v[below(chance, all->n)].track;
    if (below(chance, 3) > 0) {
        set.from = trace_origin(trace) + (int64_t)below(chance, span + 1);
        set.to = set.from + 1 + (int64_t)below(chance, below(chance, 2) ? 40 : span + 1);
    }
    return set;
}

struct range thrown_range(struct chance *chance, const struct trace *trace,
                          const struct thrown_slices *all) {
    struct range range = {0};
    uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 10;
    if (below(chance, 4) > 0)
        range_set_time(&range, trace, trace_begin(trace) - 5 + (int64_t)below(chance, span),
                       trace_begin(trace) + (int64_t)below(chance, span));
    for (unsigned k = (unsigned)below(chance, 3); k > 0 && all->n > 0; k--)
        track_set_put(&range.tracks, all->v[below(chance, all->n)].track, true);
    return range;
}

bool thrown_inside(const struct trace *trace, const struct range *range,
                   const struct thrown_slice *s) {
    int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
    bool tracked = range->tracks.v.n == 0;
    for (size_t i = 0; i < range->tracks.v.n; i++)
        tracked = tracked || range->tracks.v.v[i] == s->track;
    if (!tracked || trace_damaged_slice(trace, &s->slice))
        return false;
    if (!range->timed)
        return true;
    bool includes_end = range->to >= trace_end(trace);
    bool begins_before = start < range->to || (includes_end && start == range->to);
    return begins_before && (end > range->from || start >= range->from);
}
