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
    uint32_t from = w->range.timed ? lane_from(lane, w->from) : 0;
    uint32_t to = w->range.timed ? lane_from(lane, w->past) : lane->n;
    return to > from ? to - from : 0;
}

static void begin(struct wakeup_stats *w) {
    const struct sched *sched = trace_sched(w->trace);
    w->from = range_begin(&w->range, w->trace);
    w->to = range_end(&w->range, w->trace);
    bool to_end = !w->range.timed || w->range.to_end;
    w->past = to_end && w->to < INT64_MAX ? w->to + 1 : w->to;
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

static void release(void *stats) {
    struct wakeup_stats *w = stats;
    free_rows(&w->threads);
    free_rows(&w->cpus);
    free_rows(&w->wakers);
    range_free(&w->range);
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
    return range_has_track(&w->range, thread);
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
    if (run.flags & SCHED_OF_IDLE || !asked(w, run.thread) || i == UINT32_MAX ||
        lane_start(&t->lane, i) != start || sched_state(t, i) != SCHED_RUNNING ||
        !latency_of(w->trace, t, i, &ns))
        return;
    add_latency(row_of(&w->threads, run.thread), ns, run.thread, start);
    add_latency(row_of(&w->cpus, cpu), ns, run.thread, start);
}

static void add_runs(struct task *task, struct wakeup_stats *w) {
    for (size_t k = 0; k < sched_cpu_count(trace_sched(w->trace)); k++) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(w->trace), k);
        uint32_t end = lane_from(&cpu->lane, w->past);
        row_of(&w->cpus, (uint32_t)k);
        for (uint32_t i = lane_from(&cpu->lane, w->from); i < end; i++, w->passed++) {
            if (!task_spend(task, 8))
                return;
            add_run(w, (uint32_t)k, sched_run(cpu, i), lane_start(&cpu->lane, i));
        }
    }
}

/* ---- states ---- */

/* edges: begins (id 1) and ends (id 0) of runnable states. */
static void add_state(struct wakeup_stats *w, const struct sched_thread *t, uint32_t i,
                      struct quantiles *edges) {
    const struct slice *s = lane_at(&t->lane, i);
    int64_t from = s->start, to = slice_end(s);
    uint32_t state = sched_state(t, i), waker = WAKEUP_UNKNOWN;
    struct wakeup wakeup;
    int64_t ns = cut(w, &from, &to);
    if (ns == 0 || (state != SCHED_RUNNABLE && state != SCHED_BLOCKED) || !sched_life_known(t, i))
        return;
    if (state == SCHED_RUNNABLE) {
        quantiles_add(edges, from, 1);
        quantiles_add(edges, to, 0);
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
    return (t->states.v[i] & SCHED_OF_IDLE) ||
           (i + 1 < n && sched_state(t, i + 1) == SCHED_RUNNING &&
            t->states.v[i + 1] & SCHED_OF_IDLE) ||
           (i > 0 && sched_state(t, i - 1) == SCHED_RUNNING && t->states.v[i - 1] & SCHED_OF_IDLE);
}

/* The run or state of a lane in which the range begins, or its first one. */
static uint32_t first_in(const struct wakeup_stats *w, const struct lane *lane) {
    uint32_t first = lane_before(lane, w->from);
    return first == UINT32_MAX ? 0 : first;
}

static void add_states(struct task *task, struct wakeup_stats *w, struct quantiles *edges) {
    for (size_t k = 0; k < sched_thread_count(trace_sched(w->trace)); k++) {
        const struct sched_thread *t = sched_thread_at(trace_sched(w->trace), k);
        bool none = trace_thread_none(w->trace, trace_thread(w->trace, t->thread));
        uint32_t end = lane_from(&t->lane, w->to);
        for (uint32_t i = first_in(w, &t->lane); i < end; i++, w->passed++) {
            if (!task_spend(task, 20))
                return;
            if (!none && !is_idle(t, i))
                add_state(w, t, i, edges);
        }
    }
}

/* ---- idle CPUs ---- */

struct wakeup_stretch {
    int64_t from, to;
};

/* Times when at least one thread was runnable: in order, apart. */
struct wanted {
    VEC(struct wakeup_stretch) v;
};

/* The times between edges at which a thread is runnable. Ends come before begins at the same
 * time. */
static void unite(struct task *task, const struct quantiles *edges, struct wanted *wanted) {
    int64_t open = 0; /* runnable states around the current edge */
    for (size_t at = 0; at < edges->v.n; at++) {
        const struct quantiles_value *edge = &edges->v.v[at];
        if (!task_spend(task, 2))
            return;
        if (edge->id == 1 && open++ == 0) {
            if (wanted->v.n > 0 && wanted->v.v[wanted->v.n - 1].to == edge->value)
                continue;
            vec_push(&wanted->v, ((struct wakeup_stretch){edge->value, edge->value}));
        } else if (edge->id == 0 && --open == 0) {
            wanted->v.v[wanted->v.n - 1].to = edge->value;
        }
    }
}

/* The time of [from, to) in the stretches. */
static int64_t wanted_in(struct task *task, const struct wanted *wanted, int64_t from, int64_t to) {
    const struct wakeup_stretch *v = wanted->v.v;
    size_t k = 0;
    int64_t sum = 0;
    lower_bound(k, wanted->v.n, i, v[i].to <= from);
    for (; k < wanted->v.n && v[k].from < to; k++) {
        int64_t a = v[k].from > from ? v[k].from : from, b = v[k].to < to ? v[k].to : to;
        sum = units_sum(sum, units_since(a, b));
        if (!task_spend(task, 1))
            break;
    }
    return sum;
}

static void add_idle(struct task *task, struct wakeup_stats *w, const struct wanted *wanted) {
    for (size_t k = 0; k < sched_cpu_count(trace_sched(w->trace)); k++) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(w->trace), k);
        uint32_t end = lane_from(&cpu->lane, w->to);
        struct wakeup_row *row = row_of(&w->cpus, (uint32_t)k);
        for (uint32_t i = first_in(w, &cpu->lane); i < end; i++, w->passed++) {
            const struct slice *s = lane_at(&cpu->lane, i);
            int64_t from = s->start, to = slice_end(s);
            if (!task_spend(task, 4))
                return;
            if (!(sched_flags(cpu, i) & SCHED_OF_IDLE) ||
                trace_damaged_run(w->trace, &cpu->lane, i) || cut(w, &from, &to) == 0)
                continue;
            row->idle = units_sum(row->idle, units_since(from, to));
            row->idle_wanted = units_sum(row->idle_wanted, wanted_in(task, wanted, from, to));
        }
    }
}

/* ---- all of it ---- */

static void sort_rows(struct task *task, struct wakeup_rows *rows) {
    for (size_t k = 0; k < rows->v.n && !task_over(task); k++)
        quantiles_sort(&rows->v.v[k].latencies, task);
}

static void make(struct task *task, void *stats) {
    struct wakeup_stats *w = stats;
    struct quantiles edges = {0};
    struct wanted wanted = {{0}};
    begin(w);
    add_runs(task, w);
    if (!task_over(task))
        add_states(task, w, &edges);
    w->waits = true;
    if (!task_over(task) && quantiles_sort(&edges, task))
        unite(task, &edges, &wanted);
    quantiles_free(&edges);
    w->idle = true;
    if (!task_over(task))
        add_idle(task, w, &wanted);
    vec_free(&wanted.v);
    sort_rows(task, &w->threads);
    sort_rows(task, &w->cpus);
    w->done = !task_over(task);
}

const struct answer_ops wakeup_stats_ops = {sizeof(struct wakeup_stats), make, release};
