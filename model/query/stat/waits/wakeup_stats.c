/* wakeup_stats.c - wake-up latency, waits by waker, and idle CPUs while a thread was runnable.
 *
 * Runs of the CPUs come first: the state before a run is the wait that it ended, so latencies are
 * known by thread and by CPU at once. Then the runnable and blocked states of all threads are added
 * up, by thread and by waker. Their begins and ends are sorted. Between them are the times when a
 * thread was runnable, to which idle time of each CPU is cut. */
#include "model/query/stat/waits/wakeup_stats.h"

#include "model/query/stat/waits/wakeup.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

/* How many runs or states begin in the range. */
static uint32_t part_of(const struct wakeup_stats *w, const struct lane *lane) {
    uint32_t from = w->range->timed ? lane_from(lane, w->from) : 0;
    uint32_t to = w->range->timed ? lane_from(lane, w->to) : lane->n;
    return to > from ? to - from : 0;
}

void wakeup_stats_init(struct wakeup_stats *w, struct trace *trace, const struct range *range) {
    *w = (struct wakeup_stats){.trace = trace, .range = range, .version = trace_version(trace)};
    w->from = range_begin(range, trace);
    w->to = range_end(range, trace);
    const struct sched *sched = trace_sched(trace);
    for (size_t i = 0; i < sched_cpu_count(sched); i++)
        w->all += 2 * (uint64_t)part_of(w, &sched_cpu(sched, i)->lane);
    for (size_t i = 0; i < sched_thread_count(sched); i++)
        w->all += part_of(w, &sched_thread_at(sched, i)->lane);
}

unsigned wakeup_stats_percent(const struct wakeup_stats *w) {
    return w->done ? 100 : units_percent(w->passed, w->all);
}

static void free_rows(struct wakeup_rows *rows) {
    for (size_t k = 0; k < rows->v.n; k++)
        quantiles_free(&rows->v.v[k].latencies);
    vec_free(&rows->v);
    u64map_free(&rows->by);
}

void wakeup_stats_free(struct wakeup_stats *w) {
    free_rows(&w->threads);
    free_rows(&w->cpus);
    free_rows(&w->wakers);
    quantiles_free(&w->edges);
    vec_free(&w->wanted);
    *w = (struct wakeup_stats){0};
}

static struct wakeup_row *row_of(struct wakeup_rows *rows, uint32_t of) {
    uint64_t known = u64map_get(&rows->by, of);
    if (known == UINT64_MAX) {
        known = rows->v.n;
        u64map_set(&rows->by, of, known);
        vec_push(&rows->v, ((struct wakeup_row){.of = of, .slowest = NO_THREAD, .longest = -1}));
    }
    return &rows->v.v[known];
}

/* The part of [from, to) that is in the range. */
static int64_t cut(const struct wakeup_stats *w, int64_t *from, int64_t *to) {
    *from = *from > w->from ? *from : w->from;
    *to = *to < w->to ? *to : w->to;
    return *from < *to ? units_since(*from, *to) : 0;
}

static bool asked(const struct wakeup_stats *w, uint32_t thread) {
    return range_has_track(w->range, thread);
}

/* ---- runs ---- */

static void add_latency(struct wakeup_row *row, int64_t ns, uint32_t thread, int64_t at) {
    row->wakeups++;
    sum_add(&row->latency, ns);
    quantiles_add(&row->latencies, ns, 0);
    if (ns <= row->longest)
        return;
    row->longest = ns;
    row->slowest = thread;
    row->slowest_at = at;
}

/* The time from the wakeup that led to the state i, which is running, to its begin; false: it was
 * not woken. */
static bool latency_of(struct trace *trace, const struct sched_thread *t, uint32_t i, int64_t *ns) {
    struct wakeup wakeup;
    int64_t runs = lane_start(&t->lane, i);
    if (i == 0 || sched_damaged(t, i - 1))
        return false;
    if (sched_state(t, i - 1) == SCHED_RUNNABLE) {
        *ns = units_since(lane_start(&t->lane, i - 1), runs);
        return sched_woken(t, i - 1);
    }
    if (sched_state(t, i - 1) == SCHED_RUNNING || !wakeup_of(trace, t, i, &wakeup))
        return false;
    *ns = units_since(wakeup.time, runs);
    return *ns >= 0;
}

static void add_run(struct wakeup_stats *w, uint32_t cpu, struct sched_run run, int64_t start) {
    const struct sched_thread *t = sched_thread(trace_sched(w->trace), run.thread);
    uint32_t i = t ? lane_before(&t->lane, start) : UINT32_MAX;
    int64_t ns;
    if (run.flags & SCHED_IDLE || !asked(w, run.thread) || i == UINT32_MAX ||
        lane_start(&t->lane, i) != start || sched_state(t, i) != SCHED_RUNNING ||
        !latency_of(w->trace, t, i, &ns))
        return;
    add_latency(row_of(&w->threads, run.thread), ns, run.thread, start);
    add_latency(row_of(&w->cpus, cpu), ns, run.thread, start);
}

static bool runs(struct wakeup_stats *w, struct budget *budget) {
    for (; w->at < sched_cpu_count(trace_sched(w->trace)); w->at++, w->begun = false) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(w->trace), w->at);
        uint32_t end = lane_from(&cpu->lane, w->to);
        if (!w->begun) {
            w->i = lane_from(&cpu->lane, w->from);
            row_of(&w->cpus, (uint32_t)w->at);
        }
        w->begun = true;
        for (; w->i < end; w->i++, w->passed++) {
            if (!budget_spend(budget, 8))
                return false;
            add_run(w, (uint32_t)w->at, sched_run(cpu, w->i), lane_start(&cpu->lane, w->i));
        }
    }
    return true;
}

/* ---- states ---- */

static void add_state(struct wakeup_stats *w, const struct sched_thread *t, uint32_t i) {
    const struct slice *s = lane_at(&t->lane, i);
    int64_t from = s->start, to = slice_end(s);
    uint32_t state = sched_state(t, i), waker = WAKEUP_UNKNOWN;
    struct wakeup wakeup;
    int64_t ns = cut(w, &from, &to);
    if (ns == 0 || (state != SCHED_RUNNABLE && state != SCHED_BLOCKED) || !sched_life_known(t, i))
        return;
    if (state == SCHED_RUNNABLE) {
        quantiles_add(&w->edges, from, 1);
        quantiles_add(&w->edges, to, 0);
    }
    if (!asked(w, t->thread))
        return;
    struct wakeup_row *row = row_of(&w->threads, t->thread);
    sum_add(state == SCHED_RUNNABLE ? &row->runnable : &row->blocked, ns);
    if (state == SCHED_RUNNABLE && !sched_woken(t, i)) /* it was preempted */
        return;
    if (wakeup_of(w->trace, t, state == SCHED_RUNNABLE ? i : i + 1, &wakeup))
        waker = wakeup.thread;
    row = row_of(&w->wakers, waker);
    sum_add(state == SCHED_RUNNABLE ? &row->runnable : &row->blocked, ns);
    row->wakeups += state == SCHED_BLOCKED;
    if (state == SCHED_BLOCKED && ns > row->longest) {
        row->longest = ns;
        row->slowest = t->thread;
        row->slowest_at = from;
    }
}

static bool is_idle(const struct sched_thread *t, uint32_t i) {
    uint32_t n = t->lane.n; /* an idle thread is runnable while it does not run */
    return (t->states.v[i] & SCHED_IDLE) ||
           (i + 1 < n && sched_state(t, i + 1) == SCHED_RUNNING &&
            t->states.v[i + 1] & SCHED_IDLE) ||
           (i > 0 && sched_state(t, i - 1) == SCHED_RUNNING && t->states.v[i - 1] & SCHED_IDLE);
}

static bool states(struct wakeup_stats *w, struct budget *budget) {
    for (; w->at < sched_thread_count(trace_sched(w->trace)); w->at++, w->begun = false) {
        const struct sched_thread *t = sched_thread_at(trace_sched(w->trace), w->at);
        uint32_t end = lane_from(&t->lane, w->to), first = lane_before(&t->lane, w->from);
        if (!w->begun)
            w->i = first == UINT32_MAX ? 0 : first;
        w->begun = true;
        for (; w->i < end; w->i++, w->passed++) {
            if (!budget_spend(budget, 20))
                return false;
            if (!is_idle(t, w->i))
                add_state(w, t, w->i);
        }
    }
    return true;
}

/* ---- idle CPUs ---- */

/* The times between edges at which a thread is runnable. Ends come before begins at the same
 * time. */
static bool unite(struct wakeup_stats *w, struct budget *budget) {
    for (; w->at < w->edges.v.n; w->at++) {
        const struct quantiles_value *edge = &w->edges.v.v[w->at];
        if (!budget_spend(budget, 2))
            return false;
        if (edge->id == 1 && w->open++ == 0) {
            if (w->wanted.n > 0 && w->wanted.v[w->wanted.n - 1].to == edge->value)
                continue;
            vec_push(&w->wanted, ((struct wakeup_stretch){edge->value, edge->value}));
        } else if (edge->id == 0 && --w->open == 0) {
            w->wanted.v[w->wanted.n - 1].to = edge->value;
        }
    }
    return true;
}

/* The time of [from, to) in the stretches. */
static int64_t wanted_in(const struct wakeup_stats *w, int64_t from, int64_t to,
                         struct budget *budget) {
    size_t k = 0;
    int64_t sum = 0;
    lower_bound(k, w->wanted.n, i, w->wanted.v[i].to <= from);
    for (; k < w->wanted.n && w->wanted.v[k].from < to; k++) {
        int64_t a = w->wanted.v[k].from > from ? w->wanted.v[k].from : from;
        int64_t b = w->wanted.v[k].to < to ? w->wanted.v[k].to : to;
        sum = units_sum(sum, units_since(a, b));
        budget_spend(budget, 1);
    }
    return sum;
}

static bool idle(struct wakeup_stats *w, struct budget *budget) {
    for (; w->at < sched_cpu_count(trace_sched(w->trace)); w->at++, w->begun = false) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(w->trace), w->at);
        uint32_t end = lane_from(&cpu->lane, w->to), first = lane_before(&cpu->lane, w->from);
        struct wakeup_row *row = row_of(&w->cpus, (uint32_t)w->at);
        if (!w->begun)
            w->i = first == UINT32_MAX ? 0 : first;
        w->begun = true;
        for (; w->i < end; w->i++, w->passed++) {
            const struct slice *s = lane_at(&cpu->lane, w->i);
            int64_t from = s->start, to = slice_end(s);
            if (!budget_spend(budget, 4))
                return false;
            if (!(sched_flags(cpu, w->i) & SCHED_IDLE) ||
                trace_damaged_run(w->trace, &cpu->lane, w->i) || cut(w, &from, &to) == 0)
                continue;
            row->idle = units_sum(row->idle, units_since(from, to));
            row->idle_wanted = units_sum(row->idle_wanted, wanted_in(w, from, to, budget));
        }
    }
    return true;
}

/* ---- all of it ---- */

static bool sort_rows(struct wakeup_stats *w, struct wakeup_rows *rows, struct budget *budget) {
    for (; w->at < rows->v.n; w->at++)
        if (!quantiles_step(&rows->v.v[w->at].latencies, budget))
            return false;
    return true;
}

static bool sort(struct wakeup_stats *w, struct budget *budget) {
    if (!w->begun && !sort_rows(w, &w->threads, budget))
        return false;
    if (!w->begun)
        w->at = 0;
    w->begun = true;
    return sort_rows(w, &w->cpus, budget);
}

bool wakeup_stats_step(struct wakeup_stats *w, struct budget *budget) {
    static bool (*const stages[])(struct wakeup_stats *, struct budget *) = {
        [WAKEUP_RUNS] = runs,   [WAKEUP_STATES] = states, [WAKEUP_EDGES] = NULL,
        [WAKEUP_UNION] = unite, [WAKEUP_IDLE] = idle,     [WAKEUP_SORT] = sort};
    while (!w->done) {
        bool complete = w->stage == WAKEUP_EDGES ? quantiles_step(&w->edges, budget)
                                                 : stages[w->stage](w, budget);
        if (!complete)
            return false;
        w->at = w->i = 0;
        w->begun = false;
        w->stage++;
        w->done = w->stage == WAKEUP_READY;
        if (w->stage == WAKEUP_IDLE || w->done)
            quantiles_free(&w->edges);
    }
    return true;
}
