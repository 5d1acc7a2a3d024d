/* gaps.c - walks slices by their begins, then the intervals of each CPU.
 *
 * Covered time reaches to the greatest end so far; a slice that begins later ends a gap. When twice as many gaps as
 * are kept have come, they are sorted and the shorter half is dropped. */
#include "model/query/stat/tables/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "model/query/stat/track_scope.h"
#include "src/base/units.h"

#define PRUNE_UNITS 40000 /* of the budget: sorting of 2 * GAPS_KEPT */

void gaps_free(struct gaps *g) {
    slice_order_free(&g->order);
    vec_free(&g->v);
    vec_free(&g->so_far);
    *g = (struct gaps){0};
}

void gaps_begin(struct gaps *g, struct trace *trace, const struct range *range) {
    gaps_free(g);
    g->trace = trace;
    g->range = range;
    g->on = NO_THREAD;
    struct slice_set set = range_slices(range, SLICE_ITER_SLICES);
    set.times = true;
    slice_order_init(&g->order, trace, &set);
    g->all = range_slices_about(range, trace, SLICE_ITER_SLICES);
    for (size_t i = 0; i < sched_cpu_count(trace_sched(trace)); i++)
        g->all += sched_busy(sched_cpu(trace_sched(trace), i))->n;
}

static int longest_first(const void *a, const void *b) {
    const struct gap *x = a, *y = b;
    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->on < y->on ? -1 : x->on > y->on;
}

static void cut_so_far(struct gaps *g) {
    if (g->so_far.n > 1)
        qsort(g->so_far.v, g->so_far.n, sizeof *g->so_far.v, longest_first);
    g->so_far.n = g->so_far.n < GAPS_SO_FAR ? g->so_far.n : GAPS_SO_FAR;
}

/* Once there are enough, the last one bounds those that are taken: the first ones are in order. */
static void add_so_far(struct gaps *g, const struct gap *gap, struct budget *budget) {
    if (g->so_far.n >= GAPS_SO_FAR && gap->duration <= g->so_far.v[GAPS_SO_FAR - 1].duration && g->bounded)
        return;
    vec_push(&g->so_far, *gap);
    if (g->so_far.n < 2 * (size_t)GAPS_SO_FAR)
        return;
    cut_so_far(g);
    g->bounded = true;
    budget_spend(budget, 2 * GAPS_SO_FAR);
}

size_t gaps_so_far(struct gaps *g, struct gap v[GAPS_SO_FAR]) {
    cut_so_far(g);
    g->bounded = g->so_far.n == GAPS_SO_FAR;
    if (g->so_far.n > 0)
        memcpy(v, g->so_far.v, g->so_far.n * sizeof *v);
    return g->so_far.n;
}

unsigned gaps_percent(const struct gaps *g) {
    return g->done ? 100 : units_percent(g->order.passed + g->intervals, g->all);
}

/* The shorter ones are dropped: of threads, or of CPUs. */
static void prune(struct gaps *g) {
    size_t n = g->v.n - g->first;
    if (n > 0)
        qsort(g->v.v + g->first, n, sizeof *g->v.v, longest_first);
    g->v.n = g->first + (n < GAPS_KEPT ? n : GAPS_KEPT);
}

static void add(struct gaps *g, int64_t from, int64_t to, uint32_t on, struct budget *budget) {
    int64_t *total = &g->total[on >= GAPS_CPU];
    if (to <= from)
        return;
    g->count++;
    *total = units_sum(*total, units_since(from, to));
    struct gap gap = {from, units_since(from, to), on};
    vec_push(&g->v, gap);
    add_so_far(g, &gap, budget);
    if (g->v.n - g->first < 2 * (size_t)GAPS_KEPT)
        return;
    prune(g);
    budget_spend(budget, PRUNE_UNITS);
}

/* ---- threads ---- */

static void end_thread(struct gaps *g, struct budget *budget) {
    if (g->on != NO_THREAD && g->any)
        add(g, g->reach, g->end, g->on, budget);
    g->on = NO_THREAD;
}

/* The thread time: from the first event of the thread, in the range, for so long. */
static void begin_thread(struct gaps *g, uint32_t thread) {
    int64_t begin, end, from = range_begin(g->range, g->trace);
    bool ended;
    g->on = thread;
    g->any = false;
    if (trace_thread_span(g->trace, trace_thread(g->trace, thread), &begin, &end, &ended) && begin > from)
        from = begin;
    g->reach = from;
    g->end = units_sum(from, range_thread_time(g->range, g->trace, thread));
}

static bool step_threads(struct gaps *g, struct budget *budget) {
    struct slice_run run;
    while (slice_order_next(&g->order, budget, &run)) {
        if (run.n == 0) {
            end_thread(g, budget);
            begin_thread(g, run.track);
            continue;
        }
        for (uint32_t k = 0; k < run.n; k++) {
            const struct slice *s = &run.v[k];
            int64_t end = slice_iter_end(g->trace, run.track, s);
            g->any = true;
            if (end <= s->start)
                continue; /* it covers nothing */
            if (s->start > g->reach)
                add(g, g->reach, s->start < g->end ? s->start : g->end, g->on, budget);
            g->reach = end > g->reach ? end : g->reach;
        }
        budget_spend(budget, run.n / 4);
    }
    if (!slice_order_done(&g->order))
        return false;
    end_thread(g, budget);
    return true;
}

/* ---- CPUs ---- */

static bool step_cpus(struct gaps *g, struct budget *budget) {
    const struct sched *sched = trace_sched(g->trace);
    int64_t from = range_begin(g->range, g->trace), to = range_end(g->range, g->trace);
    const struct track_set *tracks = &g->range->tracks;
    for (; g->cpu < sched_cpu_count(sched); g->cpu++) {
        if (tracks->v.n > 0 && !track_set_has(tracks, SCOPE_CPU + (uint32_t)g->cpu))
            continue;
        struct lane *busy = sched_busy(sched_cpu(sched, g->cpu));
        uint32_t on = GAPS_CPU + (uint32_t)g->cpu, first, last;
        slice_iter_window(busy, from, to, &first, &last);
        if (g->i < first) {
            g->i = first;
            g->reach = from;
        }
        if (g->i == first)
            g->reach = from;
        for (; g->i < last; g->i++, g->intervals++) {
            const struct slice *s = lane_at(busy, g->i);
            if (!budget_left(budget))
                return false;
            if (s->start > g->reach)
                add(g, g->reach, s->start, on, budget);
            g->reach = slice_end(s) > g->reach ? slice_end(s) : g->reach;
            budget_spend(budget, 1);
        }
        add(g, g->reach, to, on, budget);
        g->i = 0;
        if (!budget_left(budget) && g->cpu + 1 < sched_cpu_count(sched)) {
            g->cpu++;
            return false;
        }
    }
    return true;
}

bool gaps_step(struct gaps *g, struct budget *budget) {
    if (!g->threads_done) {
        g->threads_done = step_threads(g, budget);
        if (g->threads_done)
            slice_order_free(&g->order); /* of deep threads it is large */
        g->i = 0;
        if (g->threads_done)
            prune(g);
        if (g->threads_done)
            g->first = g->v.n;
    }
    if (!g->threads_done || g->done || !step_cpus(g, budget))
        return g->done;
    prune(g);
    if (g->v.n > 0)
        qsort(g->v.v, g->v.n, sizeof *g->v.v, longest_first);
    vec_free(&g->so_far);
    g->done = true;
    return true;
}
