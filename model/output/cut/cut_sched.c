/* cut_sched.c - the switches and wakeups that a part needs.
 *
 * A run of a CPU needs the switch at its begin for the incoming thread, and the one at its end for
 * the outgoing one. A state needs the run before it, or the wakeup, and the same of the next state.
 * Such a switch outside of the range is written with the time of the range's edge and without its
 * other thread: the idle thread takes that place, so that the CPU's runs fit together.
 *
 * Some keep their time. Records of a CPU or a thread may be in no order in the file, and would
 * have another one at the edge. A slice or a wakeup may come after a death. The end of a run after
 * the range keeps a dying thread alive. One record takes a thread out that another CPU runs. */
#include "model/output/cut/cut_internal.h"

#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"

static void need_thread(struct cut *c, uint32_t number) {
    c->scheduled.v[trace_stands_for(c->trace, number)] = 1;
}

/* If two processes use a koid, a switch means the one that the file names first (SEMANTICS 5.7). */
void cut_list_threads(struct cut *c) {
    for (uint32_t k = 0; k < c->scheduled.n; k++)
        if (c->scheduled.v[k] && trace_thread(c->trace, k)->id.form == THREAD_PAIR)
            vec_push(&c->threads, trace_thread(c->trace, k)->id);
}

void cut_need_run(struct cut *c, const struct sched_cpu *cpu, uint32_t i, unsigned own) {
    need_thread(c, sched_run(cpu, i).thread);
    const struct slice *s = lane_at(&cpu->lane, i);
    bool first = sched_flags(cpu, i) & SCHED_FIRST; /* its record is that at its end */
    bool before = c->asked->range.timed && slice_end(s) < c->asked->range.from;
    unsigned out = before ? REWRITE_OUT | REWRITE_ENTER : REWRITE_OUT;
    cut_need(c, slice_offset(s), first ? out : REWRITE_IN);
    if (i + 1 < cpu->lane.n)
        cut_need(c, slice_offset(lane_at(&cpu->lane, i + 1)), REWRITE_OUT | own);
}

/* The CPU of the switch at byte `offset`, and the number of the run that begins with it; false: it
 * is no switch. */
static bool run_of(struct cut *c, uint64_t offset, int64_t time, const struct sched_cpu **cpu,
                   uint32_t *i) {
    struct fxt_record r;
    struct provider *provider;
    if (!reader_record_at(trace_reader(c->trace), offset, &r, &provider) ||
        (r.kind != FXT_K_SWITCH_LEGACY && r.kind != FXT_K_SWITCH))
        return false;
    uint32_t place = sched_cpu_place(trace_sched(c->trace), provider->world, r.sched.cpu);
    if (place == UINT32_MAX)
        return false;
    *cpu = sched_cpu(trace_sched(c->trace), place);
    *i = lane_find(&(*cpu)->lane, time, offset);
    return *i != UINT32_MAX && !(sched_flags(*cpu, *i) & SCHED_FIRST);
}

/* The switch or wakeup by which a thread no longer runs. */
static void need_left(struct cut *c, uint64_t offset, int64_t time, unsigned own) {
    const struct sched_cpu *cpu;
    uint32_t run;
    if (run_of(c, offset, time, &cpu, &run) && run > 0)
        cut_need_run(c, cpu, run - 1, own);
    else
        cut_need(c, offset, REWRITE_OUT | own);
}

/* The records that make a state begin. own: REWRITE_OWN if it begins at its own time, or 0. */
static void need_begin(struct cut *c, const struct sched_thread *t, uint32_t i, unsigned own) {
    const struct slice slice = lane_slice(&t->lane, i), *s = &slice;
    const struct sched_cpu *cpu;
    uint32_t run;
    bool runs = sched_state(t, i) == SCHED_RUNNING;
    if (!runs && sched_woken(t, i))
        cut_need(c, slice_offset(s), REWRITE_WHOLE | own);
    else if (!runs)
        need_left(c, slice_offset(s), s->start, own);
    else if (run_of(c, slice_offset(s), s->start, &cpu, &run))
        cut_need_run(c, cpu, run, 0);
    else
        cut_need(c, slice_offset(s), REWRITE_OUT | own); /* it ran since the trace began */
}

/* The end of a life after which a state is unknown, or dying no end (SEMANTICS 10.7). */
static void need_end_before(struct cut *c, const struct sched_thread *t, uint32_t i) {
    const struct sched_life *life = &t->life;
    uint32_t state = sched_state(t, i);
    if (state == SCHED_UNKNOWN || (state == SCHED_DYING && i < life->dying))
        return;
    if (state != SCHED_DYING && sched_life_word(t, i) != SCHED_UNKNOWN)
        return;
    if (life->dying && i + 1 >= life->dying)
        need_left(c, life->dying_word * 8, lane_start(&t->lane, life->dying - 1), REWRITE_OWN);
    else if (state != SCHED_DYING && life->deaths.n > 0)
        need_left(c, life->deaths.v[life->deaths.n - 1].word * 8,
                  lane_start(&t->lane, (uint32_t)life->deaths.v[life->deaths.n - 1].state),
                  REWRITE_OWN);
}

/* The latest record before the range after which the thread did not run, of one that a CPU runs at
 * its begin all the same. Else it would run at the begin of the part. */
static void need_contradiction(struct cut *c, const struct sched_thread *t, uint32_t i) {
    int64_t from = c->asked->range.from, ran = c->ran.n > 0 ? c->ran.v[t->thread] : INT64_MIN;
    if (i > 0 && lane_start(&t->lane, i) == from)
        i--;
    if (ran == INT64_MIN || sched_state(t, i) == SCHED_RUNNING || lane_start(&t->lane, i) >= from)
        return;
    while (i > 0 && sched_state(t, i - 1) != SCHED_RUNNING && lane_start(&t->lane, i - 1) >= ran)
        i--;
    need_begin(c, t, i, REWRITE_OWN);
    c->left.v[t->thread] = lane_start(&t->lane, i);
}

/* A wakeup at that very time hides the switch that took the thread out. */
void cut_need_contradictions(struct cut *c) {
    const struct sched *sched = trace_sched(c->trace);
    int64_t since = INT64_MAX;
    for (size_t k = 0; k < c->left.n; k++)
        since = c->left.v[k] < since ? c->left.v[k] : since;
    for (size_t k = 0; k < sched_cpu_count(sched) && since < INT64_MAX; k++) {
        const struct sched_cpu *cpu = sched_cpu(sched, k);
        uint32_t i = lane_before(&cpu->lane, since - 1);
        for (i = i == UINT32_MAX ? 0 : i;
             i < cpu->lane.n && lane_start(&cpu->lane, i) < c->asked->range.from; i++)
            if (slice_end(lane_at(&cpu->lane, i)) == c->left.v[sched_run(cpu, i).thread])
                cut_need_run(c, cpu, i, REWRITE_OWN);
    }
}

/* Finds since when CPUs run the threads that they run at the begin of the range. */
void cut_find_runs(struct cut *c) {
    const struct sched *sched = trace_sched(c->trace);
    for (size_t k = 0; k < trace_thread_count(c->trace) && c->asked->range.timed; k++)
        vec_push(&c->ran, INT64_MIN);
    for (size_t k = 0; k < c->ran.n; k++)
        vec_push(&c->left, INT64_MAX);
    for (size_t k = 0; k < sched_cpu_count(sched) && c->asked->range.timed; k++) {
        const struct sched_cpu *cpu = sched_cpu(sched, k);
        uint32_t i = lane_before(&cpu->lane, c->asked->range.from);
        if (i == UINT32_MAX || sched_flags(cpu, i) & SCHED_OF_IDLE)
            continue;
        int64_t start = lane_start(&cpu->lane, i), *ran = &c->ran.v[sched_run(cpu, i).thread];
        *ran = start > *ran ? start : *ran;
    }
}

/* A dying thread that runs again lives on. If it runs after the range, the part needs the run, with
 * its length. Looked for at its last state of the range. */
static void need_run_after(struct cut *c, const struct sched_thread *t, uint32_t i) {
    const struct range *range = &c->asked->range;
    bool dying = false, last = range->timed && i + 1 < t->lane.n;
    last = last && lane_start(&t->lane, i + 1) >= range->to;
    for (uint32_t k = i + 1; last && !dying && k > 0; k--) {
        uint32_t state = sched_state(t, k - 1);
        dying = state == SCHED_DYING;
        last = state != SCHED_RUNNING && state != SCHED_DEAD &&
               lane_start(&t->lane, k - 1) > range->from;
    }
    while (dying && ++i < t->lane.n && sched_state(t, i) != SCHED_DEAD) {
        const struct slice s = lane_slice(&t->lane, i);
        const struct sched_cpu *cpu;
        uint32_t run;
        if (sched_state(t, i) != SCHED_RUNNING)
            continue;
        if (run_of(c, slice_offset(&s), s.start, &cpu, &run))
            cut_need_run(c, cpu, run, REWRITE_OWN);
        return;
    }
}

/* The state of a thread is unknown if a wakeup is all of it (SEMANTICS 10.7). So the last wakeup
 * before the range needs the state before it. */
static void need_known(struct cut *c, const struct sched_thread *t, uint32_t i) {
    bool last = i > 0 && i + 1 == t->lane.n && lane_start(&t->lane, i) <= c->asked->range.from;
    if (c->asked->range.timed && last && sched_woken(t, i) && sched_life_known(t, i))
        need_begin(c, t, i - 1, REWRITE_OWN);
}

void cut_need_state(struct cut *c, const struct sched_thread *t, uint32_t i) {
    const struct thread *thread = trace_thread(c->trace, t->thread);
    bool ended = sched_state(t, i) == SCHED_DYING || sched_state(t, i) == SCHED_DEAD;
    bool later = nest_open(&thread->nest) > 0 || thread->last > lane_start(&t->lane, i);
    need_thread(c, t->thread);
    /* at its own time: later ones are of the next life */
    need_begin(c, t, i, ended && later ? REWRITE_OWN : 0);
    need_end_before(c, t, i);
    need_contradiction(c, t, i);
    need_known(c, t, i);
    need_run_after(c, t, i);
    if (i + 1 < t->lane.n)
        need_begin(c, t, i + 1, 0);
}

void cut_need_leave(struct cut *c, uint32_t thread, int64_t time) {
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), thread);
    uint32_t i = t ? lane_from(&t->lane, time) : 0;
    if (t == NULL || i >= t->lane.n || lane_start(&t->lane, i) != time ||
        sched_state(t, i) == SCHED_RUNNING)
        return;
    need_thread(c, t->thread);
    need_begin(c, t, i, REWRITE_OWN);
}

void cut_need_death(struct cut *c, uint32_t thread, int64_t begun) {
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), thread);
    uint32_t i = t ? lane_from(&t->lane, sched_life_end(t, begun)) : 0;
    if (t == NULL || i >= t->lane.n)
        return;
    need_thread(c, t->thread);
    need_begin(c, t, i, REWRITE_OWN);
}

/* ---- the order of a CPU's records ---- */

static struct needed *needed_at(struct cut *c, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, c->v.n, k, c->v.v[k].offset < offset);
    return i < c->v.n && c->v.v[i].offset == offset ? &c->v.v[i] : NULL;
}

/* The run at the range's begin keeps its time if its thread does not run any more, as another CPU's
 * switch has it: that would come before it. */
static void order_contradiction(struct cut *c, const struct sched_cpu *cpu) {
    uint32_t i = lane_before(&cpu->lane, c->asked->range.from);
    struct needed *n = i != UINT32_MAX ? needed_at(c, slice_offset(lane_at(&cpu->lane, i))) : NULL;
    if (n == NULL || sched_flags(cpu, i) & (SCHED_FIRST | SCHED_OF_IDLE))
        return;
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), sched_run(cpu, i).thread);
    uint32_t state = t ? lane_before(&t->lane, c->asked->range.from) : UINT32_MAX;
    if (state != UINT32_MAX && sched_state(t, state) != SCHED_RUNNING)
        n->sides |= REWRITE_OWN;
}

/* Has all records of a CPU before the range written with their own times, up to the last one that
 * needs it: at the range's begin, it would come after later records. */
static void order_before(struct cut *c, const struct sched_cpu *cpu) {
    uint64_t least = UINT64_MAX;
    bool own = false;
    int64_t from = c->asked->range.from;
    for (uint32_t i = from == INT64_MAX ? cpu->lane.n : lane_from(&cpu->lane, from + 1); i-- > 0;) {
        uint64_t offset = slice_offset(lane_at(&cpu->lane, i));
        struct needed *n = sched_flags(cpu, i) & SCHED_FIRST ? NULL : needed_at(c, offset);
        if (n == NULL)
            continue;
        own = own || offset > least || n->sides & REWRITE_OWN;
        if (own)
            n->sides |= REWRITE_OWN;
        least = offset < least ? offset : least;
    }
}

/* The same after the range. */
static void order_after(struct cut *c, const struct sched_cpu *cpu) {
    uint64_t most = 0;
    bool own = false;
    for (uint32_t i = lane_from(&cpu->lane, c->asked->range.to); i < cpu->lane.n; i++) {
        uint64_t offset = slice_offset(lane_at(&cpu->lane, i));
        struct needed *n = sched_flags(cpu, i) & SCHED_FIRST ? NULL : needed_at(c, offset);
        if (n == NULL)
            continue;
        own = own || offset < most || n->sides & REWRITE_OWN;
        if (own)
            n->sides |= REWRITE_OWN;
        most = offset > most ? offset : most;
    }
}

/* The latest time before the range whose record of a thread, at the range's begin, would come after
 * a later record of that thread; INT64_MIN: none. */
static int64_t disorder_of(struct cut *c, const struct sched_thread *t) {
    uint64_t least = UINT64_MAX;
    bool own = false;
    int64_t from = c->asked->range.from;
    for (uint32_t i = from == INT64_MAX ? t->lane.n : lane_from(&t->lane, from + 1); i-- > 0;) {
        struct needed *n = needed_at(c, slice_offset(lane_at(&t->lane, i)));
        if (n == NULL)
            continue;
        if (!(n->sides & REWRITE_OWN) && (own || n->offset > least))
            return lane_start(&t->lane, i);
        own = own || n->sides & REWRITE_OWN;
        least = n->offset < least ? n->offset : least;
    }
    return INT64_MIN;
}

/* Gives the records of a lane their own times, from slice `first` on. */
static void own_until(struct cut *c, const struct lane *lane, uint32_t first, int64_t until) {
    for (uint32_t i = until == INT64_MAX ? lane->n : lane_from(lane, until + 1); i-- > first;) {
        struct needed *n = needed_at(c, slice_offset(lane_at(lane, i)));
        if (n)
            n->sides |= REWRITE_OWN;
    }
}

/* A thread's records may be of several CPUs. All that is not later gets its own time, so that the
 * order of the CPUs holds, too. */
static void order_threads(struct cut *c) {
    const struct sched *sched = trace_sched(c->trace);
    int64_t until = INT64_MIN;
    for (uint32_t k = 0; k < sched_thread_count(sched) && c->asked->range.timed; k++) {
        int64_t time = disorder_of(c, sched_thread_at(sched, k));
        until = time > until ? time : until;
    }
    for (uint32_t k = 0; k < sched_cpu_count(sched) && until != INT64_MIN; k++) {
        const struct sched_cpu *cpu = sched_cpu(sched, k);
        bool since_begin = cpu->lane.n > 0 && sched_flags(cpu, 0) & SCHED_FIRST;
        own_until(c, &cpu->lane, since_begin, until);
    }
    for (uint32_t k = 0; k < sched_thread_count(sched) && until != INT64_MIN; k++)
        own_until(c, &sched_thread_at(sched, k)->lane, 0, until);
}

static void order_cpus(struct cut *c) {
    for (uint32_t k = 0; k < sched_cpu_count(trace_sched(c->trace)) && c->asked->range.timed; k++) {
        order_contradiction(c, sched_cpu(trace_sched(c->trace), k));
        order_before(c, sched_cpu(trace_sched(c->trace), k));
        order_after(c, sched_cpu(trace_sched(c->trace), k));
    }
}

void cut_order(struct cut *c) {
    order_cpus(c);
    order_threads(c);
}
