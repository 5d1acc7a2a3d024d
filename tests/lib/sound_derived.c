/* sound_derived.c - flows, operations and states of the logs: each entry once, in order, linked
 * both ways.
 *
 * Each function counts the entries of one store and follows their links. The sums must be those of
 * the trace. */
#include "tests/lib/sound_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/trace/trace_problems.h"

static bool row(struct lane *lane, char why[200]) {
    if (lane->n == 0)
        FAIL("a row has nothing in it");
    if (!sound_order(lane, why))
        return false;
    for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 3)
        if (!sound_questions(lane, i, why))
            return false;
    return true;
}

static bool async_rows(struct trace *trace, char why[200]) {
    const struct async *async = trace_async(trace);
    uint64_t ops = 0, instants = 0, open = 0;
    for (size_t k = 0; k < async_group_count(async); k++) {
        const struct async_group *g = async_group(async, k);
        for (uint32_t i = 0; i < g->nlanes; i++) {
            if (!row(&g->lanes[i], why))
                return false;
            bool apart = i >= g->apart_from && i < g->apart_to;
            ops += g->lanes[i].n;
            open += !apart && slice_open(lane_at(&g->lanes[i], g->lanes[i].n - 1));
        }
        for (size_t i = 1; i < g->instants.n; i++)
            if (g->instants.v[i].at.time < g->instants.v[i - 1].at.time)
                FAIL("instants of async group %zu are not in order", k);
        instants += g->instants.n;
    }
    if (open != async->state.open.n)
        FAIL("%" PRIu64 " async operations have no end, not %u", open, async->state.open.n);
    if (ops > trace_kind_count(trace, FXT_K_ASYNC_BEGIN) ||
        instants > trace_kind_count(trace, FXT_K_ASYNC_INSTANT))
        FAIL("%" PRIu64 " async operations and %" PRIu64 " instants are too many", ops, instants);
    return true;
}

/* Whether a point comes after one that is later in the file: at one time, by its kind
 * (SEMANTICS 7.1). */
static bool of_later_kind(const struct flows *flows, uint32_t point, uint32_t before) {
    return flow_time(flows, point) == flow_time(flows, before) &&
           flow_point(flows, point).kind > flow_point(flows, before).kind;
}

static bool flow_links(struct trace *trace, char why[200]) {
    const struct flows *flows = trace_flows(trace);
    uint64_t points = 0;
    for (size_t i = 0; i < flow_count(flows); i++) {
        const struct flow *f = flows_at(flows, i);
        /* of arrows: the begin or the last step */
        uint32_t before = NO_POINT, n = 0, source = NO_POINT;
        bool ended = false;
        for (uint32_t at = f->first; at != NO_POINT; at = flow_link(flows, at)->after, n++) {
            const struct flow_link *p = flow_link(flows, at);
            bool end = flow_point(flows, at).kind == FLOW_END,
                 late = end && ended && p->before == NO_POINT;
            if (p->flow != i || (p->before != source && !late) || n >= f->points)
                FAIL("the point %u is not linked as flow %zu has it", at, i);
            ended = ended || end;
            source = end ? source : at;
            if (before != NO_POINT && (flow_time(flows, at) < flow_time(flows, before) ||
                                       (at < before && !of_later_kind(flows, at, before))))
                FAIL("the point %u of flow %zu goes back in time", at, i);
            before = at;
        }
        if (n != f->points || before != f->last || n == 0)
            FAIL("flow %zu has %u points, not %u", i, n, f->points);
        points += n;
    }
    uint64_t placed = 0;
    for (uint32_t thread = 0; thread < flows->state.on_thread.n; thread++) {
        const struct flow_points *on = &flows->state.on_thread.v[thread];
        for (size_t i = 0; i < on->v.n; i++)
            if (flow_thread(flows, on->v.v[i]) != thread || (i > 0 && on->v.v[i] <= on->v.v[i - 1]))
                FAIL("the point %u is not in its place on thread %u", on->v.v[i], thread);
        placed += on->v.n;
    }
    for (uint32_t i = 0; i < flow_point_count(flows); i++)
        placed += flow_thread(flows, i) == NO_THREAD;
    if (placed != flow_point_count(flows))
        FAIL("%" PRIu64 " flow points of %zu are on threads", placed, flow_point_count(flows));
    if (points != flow_point_count(flows) || points != flows->input.log.n)
        FAIL("%" PRIu64 " flow points of %zu are in flows", points, flow_point_count(flows));
    return true;
}

static bool series(struct trace *trace, char why[200]) {
    const struct counters *counters = trace_counters(trace);
    uint64_t samples = 0;
    for (size_t k = 0; k < counters->v.n; k++) {
        struct counter_series *s = counters->v.v[k];
        size_t n;
        const struct counter_sample *v = counter_samples(s, &n);
        double min = (double)INFINITY, max = -(double)INFINITY;
        size_t least, most;
        for (size_t i = 0; i < n; i++) {
            double x = counter_value(&v[i]);
            if (!counter_numeric(counter_type(&v[i])))
                FAIL("a sample of counter %zu is of type %u", k, counter_type(&v[i]));
            if (i > 0 &&
                (v[i].at.time < v[i - 1].at.time ||
                 (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset)))
                FAIL("samples of counter %zu are not in order", k);
            if (x < min)
                min = x;
            if (x > max)
                max = x;
        }
        if (counter_extent(s, 0, n, &least, &most) != (min <= max) ||
            (min <= max && (counter_value(&v[least]) != min || counter_value(&v[most]) != max)))
            FAIL("counter %zu reaches from %g to %g, not from sample %zu to %zu", k, min, max,
                 least, most);
        samples += n;
    }
    if (samples != counters->samples)
        FAIL("%" PRIu64 " samples, not %" PRIu64, samples, counters->samples);
    return true;
}

/* Without gaps, except after states that are longer than a duration can be; the last has no end. */
static bool tiled(struct lane *lane, char why[200]) {
    if (!row(lane, why))
        return false;
    for (uint32_t i = 0; i < lane->n; i++)
        if (slice_open(lane_at(lane, i)) != (i + 1 == lane->n) ||
            (i > 0 && slice_dur(lane_at(lane, i - 1)) != SLICE_OPEN - 1 &&
             slice_end(lane_at(lane, i - 1)) != lane_start(lane, i)))
            FAIL("what begins at byte %" PRIu64 " does not follow what is before it",
                 slice_offset(lane_at(lane, i)));
    return true;
}

static bool scheduling(struct trace *trace, char why[200]) {
    const struct sched *sched = trace_sched(trace);
    for (size_t i = 0; i < sched_cpu_count(sched); i++)
        if (!tiled(&sched_cpu(sched, i)->lane, why) ||
            (sched_busy(sched_cpu(sched, i))->n > 0 && !row(sched_busy(sched_cpu(sched, i)), why)))
            return false;
    for (size_t i = 0; i < sched_thread_count(sched); i++) {
        struct sched_thread *t = sched_thread_at(sched, i);
        if (sched_thread(sched, t->thread) != t || trace_stands_for(trace, t->thread) != t->thread)
            FAIL("the states of thread %u stand elsewhere", t->thread);
        if (!tiled(&t->lane, why))
            return false;
        for (uint32_t k = 0; k < t->lane.n; k++)
            if (slice_dur(lane_at(&t->lane, k)) == 0 &&
                !(sched_woken(t, k) && sched_state(t, k) == SCHED_RUNNABLE))
                FAIL("a state of thread %u has no length", t->thread);
    }
    return true;
}

static bool count_bytes(void *ctx, const char *bytes, size_t n) {
    uint64_t *count = ctx;
    (void)bytes;
    *count += n;
    return true;
}

static bool data(struct trace *trace, char why[200]) {
    const struct blobs *blobs = trace_blobs(trace);
    for (size_t i = 0; i < blobs->v.n; i++) {
        const struct blob *b = &blobs->v.v[i];
        uint64_t bytes = 0;
        if (i > 0 && b->offset <= b[-1].offset)
            FAIL("blobs are not in file order at byte %" PRIu64, b->offset);
        if (!blob_read(trace_reader(trace), trace_file(trace), b, count_bytes, &bytes) ||
            bytes != b->bytes)
            FAIL("%" PRIu64 " bytes of the blob at byte %" PRIu64 " can be read, not %" PRIu64,
                 bytes, b->offset, b->bytes);
    }
    return true;
}

static bool occurrences(const struct occurrence *v, size_t n, char why[200]) {
    for (size_t i = 1; i < n; i++)
        if (v[i].at.time < v[i - 1].at.time ||
            (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset))
            FAIL("the record at byte %" PRIu64 " is not in order", v[i].at.offset);
    return true;
}

static bool counts(struct trace *trace, char why[200]) {
    const struct problems *problems = trace_problems(trace);
    for (int notes = 0; notes < 2; notes++) {
        uint64_t n = 0;
        for (int kind = 0; kind < PROBLEM_KINDS; kind++)
            if (notes || !problem_is_note((enum problem_kind)kind))
                n += problems->kinds[kind].count;
        if (n != trace_problem_count(trace, notes))
            FAIL("%" PRIu64 " problems, counted as %" PRIu64 " (notes: %d)", n,
                 trace_problem_count(trace, notes), notes);
    }
    return true;
}

bool sound_derived(struct trace *trace, char why[200]) {
    size_t n_logs, n_profile;
    const struct occurrence *logs = trace_logs(trace, &n_logs),
                            *profile = trace_profile(trace, &n_profile);
    return async_rows(trace, why) && flow_links(trace, why) && series(trace, why) &&
           scheduling(trace, why) && data(trace, why) && occurrences(logs, n_logs, why) &&
           occurrences(profile, n_profile, why) && counts(trace, why);
}
