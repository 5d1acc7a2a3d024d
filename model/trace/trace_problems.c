/* trace_problems.c - the totals of a trace's problems.
 *
 * `sources` is the one table of what makes up the totals. A source is either a list of problems
 * that its finder keeps, or one kind whose cases are in the model in another form: strays and flags
 * of nests, unfinished flows and operations. Counting and listing both run over the table; an
 * assertion holds the two against each other (not after the index came from the cache: a damaged
 * one may contradict itself). */
#include "model/trace/trace_problems.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/trace/trace_internal.h"
#include "model/trace/trace_life.h"
#include "src/base/err.h"
#include "src/base/units.h"

struct problem_source {
    const struct problems *(*list)(const struct trace *trace); /* or NULL, and then: */
    int kind;
    uint64_t (*count)(const struct trace *trace, int kind);
    void (*add)(const struct trace *trace, int kind, struct problems *all); /* as many as count() */
};

static const struct problems *of_records(const struct trace *trace) {
    return &trace->stream;
}

static const struct problems *of_async(const struct trace *trace) {
    return &trace->derived.async.state.problems;
}

static const struct problems *of_sched(const struct trace *trace) {
    return &trace->derived.sched.state.problems;
}

/* ---- nests ---- */

static const int nest_kinds[] = {PROBLEM_END_WITHOUT_BEGIN, PROBLEM_BEGIN_WITHOUT_END,
                                 PROBLEM_PARTIAL_OVERLAP, PROBLEM_END_NAME_MISMATCH,
                                 PROBLEM_END_LOST};

/* Adds a nest's problems of each of these kinds. */
static inline void count_nest(const struct nest *nest, uint64_t *count) {
    bool named = nest->named;
    count[0] += nest->strays.n;
    /* those that are bounded are open, too */
    count[1] += nest_open(nest) + nest->unended - (nest->dangling != 0);
    count[2] += nest->overlaps;
    count[3] += named ? 0 : nest->mismatches - nest->ends_lost;
    count[4] += named ? nest->mismatches : nest->ends_lost;
}

/* Counts all kinds in one pass: of many threads, most of its cost is that of reading memory. */
static void look_at_nests(struct trace *trace) {
    struct nest_problems *all = &trace->nest_problems;
    if (all->version == trace->version)
        return;
    *all = (struct nest_problems){.version = trace->version};
    for (size_t i = 0; i < trace->threads.n; i++)
        count_nest(&trace->threads.v[i]->nest, all->count);
}

static size_t place_of(int kind) {
    size_t k = 0;
    while (nest_kinds[k] != kind)
        k++;
    return k;
}

static uint64_t count_nests(const struct trace *trace, int kind) {
    return trace->nest_problems.count[place_of(kind)];
}

static void add_strays(const struct trace *trace, int kind, struct problems *all) {
    for (size_t i = 0; i < trace->threads.n; i++) {
        const struct thread *t = trace->threads.v[i];
        for (size_t k = 0; k < t->nest.strays.n; k++)
            problem_add(all, kind, t->nest.strays.v[k].offset, 0, t->nest.strays.v[k].time,
                        t->number);
    }
}

/* The slices of a thread that are open, but bounded. */
static void add_bounded(const struct thread *t, int kind, struct problems *all) {
    uint64_t left = t->nest.unended - (t->nest.dangling != 0);
    for (uint32_t row = 0; row < t->nest.nlanes && left > 0; row++) {
        for (uint32_t k = 0; k < t->nest.lanes[row].n && left > 0; k++) {
            const struct slice *s = lane_at(&t->nest.lanes[row], k);
            if (!slice_open(s) || slice_endless(s))
                continue;
            problem_add(all, kind, slice_offset(s), 0, s->start, t->number);
            left--;
        }
    }
}

static void add_open(const struct trace *trace, int kind, struct problems *all) {
    for (size_t i = 0; i < trace->threads.n; i++) {
        const struct thread *t = trace->threads.v[i];
        add_bounded(t, kind, all);
        for (size_t k = 0; k < t->nest.active.n; k++) {
            const struct slice *s = lane_last(&t->nest.lanes[t->nest.active.v[k]]);
            if (slice_open(s))
                problem_add(all, kind, slice_offset(s), 0, s->start, t->number);
        }
    }
}

static void add_flagged(const struct trace *trace, int kind, struct problems *all) {
    bool overlap = kind == PROBLEM_PARTIAL_OVERLAP;
    unsigned flag = overlap ? SLICE_OVERLAP : SLICE_MISMATCH;
    for (size_t i = 0; i < trace->threads.n; i++) {
        const struct thread *t = trace->threads.v[i];
        uint64_t count[NEST_KINDS] = {0}, left;
        count_nest(&t->nest, count);
        left = count[place_of(kind)];
        for (uint32_t row = 0; row < t->nest.nlanes && left > 0; row++) {
            for (uint32_t k = 0; k < t->nest.lanes[row].n && left > 0; k++) {
                const struct slice *s = lane_at(&t->nest.lanes[row], k);
                if (!(slice_flags(s) & flag) || (!overlap && slice_open(s)))
                    continue;
                bool at_end = kind == PROBLEM_END_NAME_MISMATCH;
                if (!overlap && at_end != (trace_end_record(trace, s) != 0))
                    continue;
                problem_add(all, kind,
                            at_end ? slice_extra_end_offset(&trace->slice_extra, s)
                                   : slice_offset(s),
                            0, at_end ? slice_end(s) : s->start, t->number);
                left--;
            }
        }
    }
}

/* ---- async operations and flows ---- */

static uint64_t count_async_open(const struct trace *trace, int kind) {
    (void)kind;
    return trace->derived.async.state.unfinished;
}

/* An open operation is the last of its row. */
static void add_async_open(const struct trace *trace, int kind, struct problems *all) {
    for (size_t i = 0; i < async_group_count(&trace->derived.async); i++) {
        const struct async_group *g = async_group(&trace->derived.async, i);
        for (uint32_t row = 0; row < async_group_rows(g); row++) {
            const struct lane *lane = async_group_row(g, row);
            const struct slice *s = lane->n > 0 ? lane_at(lane, lane->n - 1) : NULL;
            if (s && slice_open(s))
                problem_add(all, kind, slice_offset(s), 0, s->start, NO_THREAD);
        }
    }
}

static uint64_t count_flows(const struct trace *trace, int kind) {
    const struct flows *flows = &trace->derived.flows;
    switch (kind) {
    case PROBLEM_FLOW_WITHOUT_BEGIN:
        return flows->state.unbegun;
    case PROBLEM_FLOW_UNRESOLVED:
        return flows->state.unresolved;
    case PROBLEM_FLOW_ENDED_AGAIN:
        return flows->state.ended_again;
    case PROBLEM_FLOW_BACKWARDS:
        return flows->state.backwards;
    default:
        return flows->state.begun - flows->state.complete;
    }
}

static void add_flows(const struct trace *trace, int kind, struct problems *all) {
    flows_problems(&trace->derived.flows, kind, all);
}

/* ---- times ---- */

/* Far begins of complete events with a damaged end: these do not count, either. */
static void subtract_far_begins(const struct trace *trace, uint64_t *far) {
    const struct damaged *damaged = &trace->judged.damaged;
    for (size_t i = 0; i < damaged->slices.n; i++) {
        const struct damaged_slice *at = &damaged->slices.v[i];
        const struct slice *s = lane_at(at->lane, at->i);
        /* without a length both times are the same */
        bool apart = slice_flags(s) & SLICE_COMPLETE && slice_end(s) == s->start;
        size_t file = trace_record_file(trace, slice_offset(s));
        if (bulk_is_far(&trace_judged_of(trace, file)->bulk, s->start) &&
            damaged_has(damaged, slice_offset(s)) &&
            (apart || !damaged_has_time(damaged, slice_offset(s), s->start)))
            far[file] -= far[file] > 0;
    }
}

/* Far times that are not damaged, of each file. The caller frees them. */
static uint64_t *far_by_file(const struct trace *trace) {
    size_t n = trace_judged_count(trace);
    uint64_t *far = err_calloc(n, sizeof *far);
    for (size_t i = 0; i < n; i++) {
        const struct judged *of = trace_judged_of(trace, i);
        uint64_t damaged = damaged_far(&of->damaged, &of->bulk);
        far[i] = of->bulk.far > damaged ? of->bulk.far - damaged : 0;
    }
    subtract_far_begins(trace, far);
    return far;
}

static uint64_t count_far(const struct trace *trace, int kind) {
    uint64_t *far = far_by_file(trace), sum = 0;
    (void)kind;
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        sum += far[i];
    free(far);
    return sum;
}

/* There are so many of a file, of which some were added. */
static void set_count(struct problems *all, size_t file, int kind, uint64_t count) {
    struct problem *whole = &all->kinds[kind];
    if (all->files == NULL) {
        whole->count = count;
        return;
    }
    struct problem *of = &all->files[file].kinds[kind];
    whole->count += count - of->count;
    of->count = count;
}

/* Adds a time if it is far. The detail is the distance to the bulk, ns. */
static void add_if_far(const struct trace *trace, int kind, uint64_t offset, int64_t time,
                       struct problems *all) {
    const struct bulk_stretch *most = &trace_judged_at(trace, offset)->bulk;
    if (!bulk_is_far(most, time) || damaged_has(&trace->judged.damaged, offset))
        return;
    int64_t away = time < most->from ? units_since(time, most->from) : units_since(most->to, time);
    problem_add(all, kind, offset, (uint64_t)away, time, NO_THREAD);
}

/* Times of 0 that are not unset, and ends of what began there, are no cases: the first of each is
 * shown. */
static void add_far_of(const struct trace *trace, size_t file, int kind, uint64_t far,
                       struct problems *all) {
    const struct bulk *bulk = reader_bulk(trace->reader, file);
    bool unset = trace_judged_of(trace, file)->bulk.unset > 0;
    if (bulk->zeros > 0 && !unset)
        add_if_far(trace, kind, bulk->zero_offset, bulk->zero, all);
    if (bulk->zero_ends.n > 0 && !unset)
        add_if_far(trace, kind, bulk->zero_ends_offset, bulk->zero_ends.first, all);
    for (size_t i = 0; i < bulk->cases.n; i++)
        add_if_far(trace, kind, bulk->cases.v[i].offset, bulk->cases.v[i].time, all);
    if (all->worlds && (all->files == NULL || all->files[file].kinds[kind].count == 0))
        problem_add(all, kind, reader_part_begin(trace->reader, file), 0, PROBLEM_NO_TIME,
                    NO_THREAD); /* none that was kept */
    set_count(all, file, kind, far);
}

static void add_far(const struct trace *trace, int kind, struct problems *all) {
    uint64_t *far = far_by_file(trace);
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        if (far[i] > 0)
            add_far_of(trace, i, kind, far[i], all);
    free(far);
}

static bool is_source(const struct trace *trace, size_t file) {
    return file_imported(file_part_file(trace->file, file)) != NULL;
}

/* Counts none of a source: those are problems of the stream, which say what is wrong. */
static uint64_t count_damaged(const struct trace *trace, int kind) {
    uint64_t n = 0;
    (void)kind;
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        n += is_source(trace, i) ? 0 : trace_judged_of(trace, i)->damaged.v.n;
    return n;
}

static void add_damaged_of(const struct trace *trace, size_t file, int kind, struct problems *all) {
    const struct damaged *damaged = &trace_judged_of(trace, file)->damaged;
    for (size_t i = 0; i < damaged->v.n; i++) {
        const struct damaged_time *d = &damaged->v.v[i];
        problem_add_source(all, kind, d->offset, 0, d->time,
                           damaged_is_marked(damaged, d->offset)
                               ? "a time that was damaged before; in no sum"
                               : NULL);
    }
}

static void add_damaged(const struct trace *trace, int kind, struct problems *all) {
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        if (!is_source(trace, i))
            add_damaged_of(trace, i, kind, all);
}

static uint64_t count_unset(const struct trace *trace, int kind) {
    (void)kind;
    return trace_unset_times(trace);
}

static void add_unset(const struct trace *trace, int kind, struct problems *all) {
    for (size_t i = 0; i < trace_judged_count(trace); i++) {
        const struct bulk *bulk = reader_bulk(trace->reader, i);
        uint64_t unset = trace_judged_of(trace, i)->bulk.unset;
        if (unset == 0)
            continue;
        problem_add(all, kind, bulk->zero_offset, 0, bulk->zero, NO_THREAD);
        set_count(all, i, kind, unset);
    }
}

static const struct problem_source sources[] = {
    {.list = of_records},
    {.list = of_async},
    {.list = of_sched},
    {NULL, PROBLEM_END_WITHOUT_BEGIN, count_nests, add_strays},
    {NULL, PROBLEM_BEGIN_WITHOUT_END, count_nests, add_open},
    {NULL, PROBLEM_PARTIAL_OVERLAP, count_nests, add_flagged},
    {NULL, PROBLEM_END_NAME_MISMATCH, count_nests, add_flagged},
    {NULL, PROBLEM_END_LOST, count_nests, add_flagged},
    {NULL, PROBLEM_ASYNC_BEGIN_WITHOUT_END, count_async_open, add_async_open},
    {NULL, PROBLEM_FLOW_WITHOUT_BEGIN, count_flows, add_flows},
    {NULL, PROBLEM_FLOW_WITHOUT_END, count_flows, add_flows},
    {NULL, PROBLEM_FLOW_UNRESOLVED, count_flows, add_flows},
    {NULL, PROBLEM_FLOW_ENDED_AGAIN, count_flows, add_flows},
    {NULL, PROBLEM_FLOW_BACKWARDS, count_flows, add_flows},
    {NULL, PROBLEM_FAR_OFF_TIME, count_far, add_far},
    {NULL, PROBLEM_DAMAGED_TIME, count_damaged, add_damaged},
    {NULL, PROBLEM_UNSET_TIME, count_unset, add_unset},
};

#define SOURCES (sizeof sources / sizeof *sources)

/* ---- both answers ---- */

const struct problems *trace_problems(struct trace *trace) {
    struct problems *all = &trace->all;
    if (trace->all_version == trace->version)
        return all;
    look_at_nests(trace);
    problems_free(all);
    for (size_t i = 0; i < SOURCES; i++) {
        const struct problem_source *s = &sources[i];
        uint64_t before = s->list ? 0 : all->kinds[s->kind].count;
        if (s->list)
            problems_merge(all, s->list(trace));
        else if (s->count(trace, s->kind) > 0)
            s->add(trace, s->kind, all);
        assert(s->list || trace->cache ||
               all->kinds[s->kind].count - before == s->count(trace, s->kind));
        (void)before;
    }
    trace->all_version = trace->version;
    return all;
}

const struct problems *trace_damage(const struct trace *trace) {
    return &trace->stream;
}

const char *trace_place_text(const struct trace *trace, uint64_t offset,
                             char buf[TRACE_PLACE_TEXT]) {
    struct import_place at;
    struct file_part part;
    buf[0] = '\0'; /* what is at the end is no event */
    file_part(trace->file, file_part_at(trace->file, offset), &part);
    bool known = offset < part.end && file_import_source(trace->file, offset, &at);
    if (known && at.line == IMPORT_NO_LINES)
        snprintf(buf, TRACE_PLACE_TEXT, "byte %" PRIu64 ": ", at.byte);
    else if (known)
        snprintf(buf, TRACE_PLACE_TEXT, "line %" PRIu64 ", column %" PRIu64 ": ", at.line + 1,
                 at.column + 1);
    return buf;
}

const char *trace_problem_message(const struct trace *trace, int kind,
                                  const struct problem *problem, char buf[TRACE_PROBLEM_TEXT]) {
    char place[TRACE_PLACE_TEXT], said[96];
    if (problem->why)
        return problem->why;
    snprintf(buf, TRACE_PROBLEM_TEXT, "%s%s", trace_place_text(trace, problem->first_offset, place),
             problem_message(kind, problem, said));
    return buf;
}

static uint64_t count(const struct trace *trace, bool notes) {
    uint64_t n = 0;
    for (size_t i = 0; i < SOURCES; i++) {
        const struct problem_source *s = &sources[i];
        for (int kind = 0; s->list && kind < PROBLEM_KINDS; kind++)
            if (notes || !problem_is_note(kind))
                n += s->list(trace)->kinds[kind].count;
        if (s->list == NULL && (notes || !problem_is_note(s->kind)))
            n += s->count(trace, s->kind);
    }
    return n;
}

uint64_t trace_problem_count(struct trace *trace, bool notes) {
    if (trace->counted_version != trace->version) {
        look_at_nests(trace);
        for (int i = 0; i < 2; i++)
            trace->counted[i] = count(trace, i == 1);
        trace->counted_version = trace->version;
    }
    return trace->counted[notes];
}
