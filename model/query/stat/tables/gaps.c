/* gaps.c - walks slices by their begins, then the covered time of all threads, then intervals of
 * each CPU.
 *
 * Covered time reaches to the greatest end so far; a slice that begins later ends a gap. When twice
 * as many gaps as are kept have come, they are sorted and the shorter half is dropped. */
#include "model/query/stat/tables/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "model/query/slice_order.h"
#include "model/query/stat/track_scope.h"
#include "src/base/sort.h"
#include "src/base/units.h"

#define PRUNE_UNITS 40000 /* sorting of 2 * GAPS_KEPT */

void gaps_free(struct gaps *g) {
    vec_free(&g->v);
    vec_free(&g->covered);
    vec_free(&g->so_far);
    *g = (struct gaps){0};
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
static void add_so_far(struct gaps *g, const struct gap *gap) {
    if (g->so_far.n >= GAPS_SO_FAR && gap->duration <= g->so_far.v[GAPS_SO_FAR - 1].duration &&
        g->bounded)
        return;
    vec_push(&g->so_far, *gap);
    if (g->so_far.n < 2 * (size_t)GAPS_SO_FAR)
        return;
    cut_so_far(g);
    g->bounded = true;
}

size_t gaps_so_far(struct gaps *g, struct gap v[GAPS_SO_FAR]) {
    cut_so_far(g);
    g->bounded = g->so_far.n == GAPS_SO_FAR;
    if (g->so_far.n > 0)
        memcpy(v, g->so_far.v, g->so_far.n * sizeof *v);
    return g->so_far.n;
}

unsigned gaps_percent(const struct gaps *g) {
    return g->done ? 100 : units_percent(g->passed, g->all);
}

/* The shorter ones of the kind under way are dropped. */
static void prune(struct gaps *g) {
    size_t n = g->v.n - g->first;
    if (n > 0)
        qsort(g->v.v + g->first, n, sizeof *g->v.v, longest_first);
    g->v.n = g->first + (n < GAPS_KEPT ? n : GAPS_KEPT);
}

static unsigned kind_of(uint32_t on) {
    if (on >= GAPS_CPU)
        return GAPS_OF_CPUS;
    return on == GAPS_ALL ? GAPS_OF_ALL : GAPS_OF_THREADS;
}

static void add(struct task *task, struct gaps *g, int64_t from, int64_t to, uint32_t on) {
    int64_t *total = &g->total[kind_of(on)];
    if (to <= from)
        return;
    g->count++;
    *total = units_sum(*total, units_since(from, to));
    struct gap gap = {from, units_since(from, to), on};
    vec_push(&g->v, gap);
    add_so_far(g, &gap);
    if (g->v.n - g->first < 2 * (size_t)GAPS_KEPT)
        return;
    prune(g);
    task_spend(task, PRUNE_UNITS);
}

/* ---- threads ---- */

struct thread_gaps {             /* the thread under way */
    uint32_t thread;             /* NO_THREAD: none */
    int64_t reach, end;          /* covered so far; the end of its time */
    bool any;                    /* it has a slice in the range */
    struct gaps_stretch covered; /* the latest stretch of slices without a gap */
};

/* Adds to the stretch of slices, or begins another one. */
static void cover(struct gaps *g, struct thread_gaps *t, int64_t from, int64_t to) {
    struct gaps_stretch *c = &t->covered;
    if (from > c->to) {
        if (c->to > c->from)
            vec_push(&g->covered, *c);
        *c = (struct gaps_stretch){from, to};
    }
    c->to = to > c->to ? to : c->to;
}

/* The thread time: from the first event of the thread, in the range, for so long. */
static struct thread_gaps begin_thread(const struct gaps *g, uint32_t thread) {
    int64_t from = range_begin(g->range, g->trace);
    struct thread_gaps t = {.thread = thread, .reach = from, .covered = {from, from}};
    int64_t begin, end;
    bool ended;
    if (trace_thread_span(g->trace, trace_thread(g->trace, thread), &begin, &end, &ended) &&
        begin > t.reach)
        t.reach = begin;
    t.end = units_sum(t.reach, range_thread_time(g->range, g->trace, thread));
    return t;
}

static void add_slice(struct task *task, struct gaps *g, struct thread_gaps *t,
                      const struct slice *s) {
    int64_t end = slice_iter_end(g->trace, t->thread, s);
    t->any = true;
    if (end <= s->start)
        return; /* it covers nothing */
    cover(g, t, s->start, end);
    if (s->start > t->reach)
        add(task, g, t->reach, s->start < t->end ? s->start : t->end, t->thread);
    t->reach = end > t->reach ? end : t->reach;
}

static void end_thread(struct task *task, struct gaps *g, const struct thread_gaps *t) {
    if (!t->any)
        return;
    add(task, g, t->reach, t->end, t->thread);
    if (t->covered.to > t->covered.from)
        vec_push(&g->covered, t->covered);
    g->threads++;
}

static void of_threads(struct task *task, struct gaps *g) {
    struct slice_set set = range_slices(g->range, SLICE_ITER_SLICES);
    struct thread_gaps t = {.thread = NO_THREAD};
    struct slice_order order;
    struct slice_run run;
    set.times = true;
    slice_order_init(&order, g->trace, &set);
    while (slice_order_next(&order, task, &run)) {
        if (run.n == 0) {
            end_thread(task, g, &t);
            t = begin_thread(g, run.track);
        }
        for (uint32_t k = 0; k < run.n; k++)
            add_slice(task, g, &t, &run.v[k]);
        g->passed += run.n;
        if (!task_spend(task, run.n / 4))
            break;
    }
    if (!task_over(task))
        end_thread(task, g, &t);
    slice_order_free(&order);
}

static int by_begin(const void *a, const void *b) {
    const struct gaps_stretch *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Adds the stretches that no thread covers. */
static void of_all(struct task *task, struct gaps *g) {
    int64_t reach = range_begin(g->range, g->trace), to = range_end(g->range, g->trace);
    if (g->threads > 1 &&
        sort_items(task, g->covered.v, g->covered.n, sizeof *g->covered.v, by_begin)) {
        for (size_t i = 0; i < g->covered.n && reach < to && task_spend(task, 1); i++) {
            const struct gaps_stretch *s = &g->covered.v[i];
            add(task, g, reach, s->from < to ? s->from : to, GAPS_ALL);
            reach = s->to > reach ? s->to : reach;
        }
        add(task, g, reach, to, GAPS_ALL);
    }
    vec_free(&g->covered);
}

/* ---- CPUs ---- */

/* Adds gaps of a CPU. A run with a damaged time is no gap, because the CPU may have been busy. */
static void add_idle(struct task *task, struct gaps *g, const struct sched_cpu *cpu, int64_t from,
                     int64_t to, uint32_t on) {
    uint32_t first = lane_before(&cpu->lane, from), i;
    i = trace_damaged_next_run(g->trace, &cpu->lane, first == UINT32_MAX ? 0 : first);
    for (; i != UINT32_MAX && lane_start(&cpu->lane, i) < to;
         i = trace_damaged_next_run(g->trace, &cpu->lane, i + 1)) {
        const struct slice *s = lane_at(&cpu->lane, i);
        add(task, g, from, s->start, on);
        from = slice_end(s) > from ? slice_end(s) : from;
    }
    add(task, g, from, to, on);
}

static void of_cpu(struct task *task, struct gaps *g, size_t number) {
    struct sched_cpu *cpu = sched_cpu(trace_sched(g->trace), number);
    struct lane *busy = sched_busy(cpu);
    int64_t from = range_begin(g->range, g->trace), to = range_end(g->range, g->trace),
            reach = from;
    uint32_t on = GAPS_CPU + (uint32_t)number, first, last;
    slice_iter_window(busy, from, to, &first, &last);
    for (uint32_t i = first; i < last; i++, g->passed++) {
        const struct slice *s = lane_at(busy, i);
        int64_t end = slice_end(s);
        if (s->start > reach)
            add_idle(task, g, cpu, reach, s->start, on);
        reach = end > reach ? end : reach;
        if (!task_spend(task, 1))
            return;
    }
    add_idle(task, g, cpu, reach, to, on);
}

static uint64_t all_of(const struct gaps *g) {
    uint64_t all = range_slices_about(g->range, g->trace, SLICE_ITER_SLICES);
    for (size_t i = 0; i < sched_cpu_count(trace_sched(g->trace)); i++)
        all += sched_busy(sched_cpu(trace_sched(g->trace), i))->n;
    return all;
}

static void end_kind(struct gaps *g) {
    prune(g);
    g->first = g->v.n;
}

void gaps_make(struct task *task, struct gaps *g, struct trace *trace, const struct range *range) {
    const struct track_set *tracks = &range->tracks;
    *g = (struct gaps){.trace = trace, .range = range};
    g->all = all_of(g);
    of_threads(task, g);
    end_kind(g);
    of_all(task, g);
    end_kind(g);
    for (uint32_t cpu = 0; cpu < sched_cpu_count(trace_sched(trace)) && task_spend(task, 1); cpu++)
        if (tracks->v.n == 0 || track_set_has(tracks, SCOPE_CPU + cpu))
            of_cpu(task, g, cpu);
    if (task_over(task))
        return;
    prune(g);
    if (g->v.n > 0)
        qsort(g->v.v, g->v.n, sizeof *g->v.v, longest_first);
    vec_free(&g->so_far);
    g->done = true;
}
