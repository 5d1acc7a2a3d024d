/* trace_damaged_sched.c - runs of CPUs and states of threads that a damaged or missing record made
 * (SEMANTICS 4.7).
 *
 * They are in no sum. States have a flag for that. Runs are left out by their number in the
 * lane. */
#include <stdlib.h>

#include "model/store/sched_life.h"
#include "model/trace/trace_internal.h"
#include "src/base/units.h"

static bool state_begins_unset(const struct trace *trace, const struct damaged_state *state) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), state->thread);
    return t && state->i < t->lane.n && trace_unset_begin(trace, &t->lane, state->i);
}

size_t trace_damaged_states(const struct trace *trace) {
    return trace->judged.damaged.states.n;
}

bool trace_damaged_state_at(const struct trace *trace, size_t n, uint32_t *thread, bool *unset) {
    if (n >= trace->judged.damaged.states.n)
        return false;
    *thread = trace->judged.damaged.states.v[n].thread;
    *unset = state_begins_unset(trace, &trace->judged.damaged.states.v[n]);
    return true;
}

struct trace_unset trace_damaged_unset(const struct trace *trace) {
    return trace->damaged_unset;
}

/* The slices and states that begin at an unset time. */
static void count_unset(struct trace *trace) {
    const struct damaged *d = &trace->judged.damaged;
    struct trace_unset *unset = &trace->damaged_unset;
    unset->slices = unset->states = 0;
    for (size_t i = 0; trace->judged.bulk.unset > 0 && i < d->slices.n; i++)
        unset->slices += trace_damaged_is_unset(trace, d->slices.v[i].lane, d->slices.v[i].i);
    for (size_t i = 0; trace->judged.bulk.unset > 0 && i < d->states.n; i++)
        unset->states += state_begins_unset(trace, &d->states.v[i]);
}

uint32_t trace_damaged_next_run(const struct trace *trace, const struct lane *lane, uint32_t i) {
    const struct damaged *damaged = &trace->judged.damaged;
    return damaged->runs.n > 0 ? damaged_next(damaged->runs.v, damaged->runs.n, lane, i)
                               : UINT32_MAX;
}

bool trace_damaged_run(const struct trace *trace, const struct lane *lane, uint32_t i) {
    return trace_damaged_next_run(trace, lane, i) == i;
}

int64_t trace_cpu_busy(const struct trace *trace, struct sched_cpu *cpu, int64_t from, int64_t to) {
    int64_t busy = lane_busy(sched_busy(cpu), from, to);
    for (uint32_t i = trace_damaged_next_run(trace, &cpu->lane, 0); i != UINT32_MAX;
         i = trace_damaged_next_run(trace, &cpu->lane, i + 1)) {
        const struct slice *s = lane_at(&cpu->lane, i);
        int64_t a = s->start > from ? s->start : from, b = slice_end(s) < to ? slice_end(s) : to;
        if (a < b && !(sched_flags(cpu, i) & SCHED_OF_IDLE))
            busy -= units_since(a, b);
    }
    return busy;
}

struct doubted {
    struct trace *trace;
    int64_t from, to; /* times in between are sound */
    bool outside;     /* times that are not in the span are damaged, too */
    bool all;         /* everything was looked at */
    void (*add)(struct trace *trace, const struct lane *lane, uint32_t of, uint32_t i);
    uint32_t of; /* the thread of the lane */
};

/* The times of a file that are sound without a look. A damaged time is far, so only times outside
 * of the bulk are looked at. */
static void bound_doubted(struct doubted *s, const struct judged *of, size_t file) {
    const struct bulk_stretch *bulk = &of->bulk;
    s->outside = s->all && !of->span.whole;
    s->from = s->outside && of->span.from > bulk->from ? of->span.from : bulk->from;
    s->to = s->outside && of->span.to < bulk->to ? of->span.to : bulk->to;
    /* of a part that may be the span of a few times, a damaged one among them */
    if (trace_is_chosen(s->trace, file) && !trace_is_unordered(s->trace, file))
        s->from = s->to = INT64_MAX;
}

/* of a set: by what is known of the file of its record */
static bool is_doubted_of_file(const struct doubted *s, const struct lane *lane, uint32_t i) {
    const struct trace *trace = s->trace;
    uint64_t offset = slice_offset(lane_at(lane, i));
    struct doubted of = {.trace = s->trace, .all = s->all};
    int64_t t = lane_start(lane, i);
    const struct judged *judged = trace_judged_at(trace, offset);
    bound_doubted(&of, judged, trace_record_file(trace, offset));
    if (t >= of.from && t <= of.to)
        return false;
    return (of.outside && (t < judged->span.from || t > judged->span.to)) ||
           damaged_has(&judged->damaged, offset);
}

static bool is_doubted(const struct doubted *s, const struct lane *lane, uint32_t i) {
    int64_t t = lane_start(lane, i);
    if (s->trace->by_file.n > 0)
        return is_doubted_of_file(s, lane, i);
    if (s->outside && (t < s->trace->judged.span.from || t > s->trace->judged.span.to))
        return true;
    return damaged_has(&s->trace->judged.damaged, slice_offset(lane_at(lane, i)));
}

/* Adds the slices of a lane that begin or end at a damaged one of [from, to). None does at those
 * before `next`. */
static uint32_t add_doubted(const struct doubted *s, const struct lane *lane, uint32_t from,
                            uint32_t to, uint32_t next) {
    for (uint32_t i = from; i < to; i++) {
        if (!is_doubted(s, lane, i))
            continue;
        if (i > next)
            s->add(s->trace, lane, s->of, i - 1);
        if (i >= next)
            s->add(s->trace, lane, s->of, i);
        next = i + 1;
    }
    return next;
}

/* The slices of a lane follow each other without a gap: the end of one is the begin of the next. */
static void find_doubted_on(const struct doubted *s, const struct lane *lane) {
    uint32_t early = lane_from(lane, s->from),
             late = s->to == INT64_MAX ? lane->n : lane_from(lane, s->to + 1);
    uint32_t next = add_doubted(s, lane, 0, early, 0);
    add_doubted(s, lane, late > early ? late : early, lane->n, next);
}

static void add_run(struct trace *trace, const struct lane *lane, uint32_t of, uint32_t i) {
    (void)of;
    vec_push(&trace->judged.damaged.runs, ((struct damaged_slice){lane, i}));
}

static void add_state(struct trace *trace, const struct lane *lane, uint32_t of, uint32_t i) {
    (void)lane;
    vec_push(&trace->judged.damaged.states, ((struct damaged_state){of, i}));
}

/* ---- what a damaged record of scheduling would have ended or begun ---- */

struct stretch { /* of the lane of a CPU, or of a thread */
    uint32_t of;
    int64_t from, to;
};

struct stretches {
    VEC(struct stretch) v;
};

static int by_begin(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Puts them in order, and makes one of those that touch: many damaged records may be at the same
 * place. */
static void join_stretches(struct stretches *s) {
    size_t kept = 0;
    if (s->v.n > 1)
        qsort(s->v.v, s->v.n, sizeof *s->v.v, by_begin);
    for (size_t i = 0; i < s->v.n; i++) {
        const struct stretch *next = &s->v.v[i];
        struct stretch *last = kept > 0 ? &s->v.v[kept - 1] : NULL;
        if (last == NULL || last->of != next->of || last->to < next->from)
            s->v.v[kept++] = *next;
        else
            last->to = next->to > last->to ? next->to : last->to;
    }
    s->v.n = kept;
}

/* The slice of a lane without gaps that has the moment after `from`; the first, if it is later. */
static uint32_t after(const struct lane *lane, int64_t from) {
    uint32_t i = lane_from(lane, from + 1);
    return i - (i > 0);
}

/* Adds the slices of such a lane that have a part of [from, to). */
static void add_between(const struct doubted *s, const struct lane *lane, int64_t from,
                        int64_t to) {
    for (uint32_t i = after(lane, from); i < lane->n && lane_start(lane, i) < to; i++)
        if (slice_open(lane_at(lane, i)) || slice_end(lane_at(lane, i)) > from)
            s->add(s->trace, lane, s->of, i);
}

static void doubt_states(struct trace *trace, struct stretches *threads, uint32_t number,
                         int64_t from, int64_t to) {
    if (number != NO_THREAD && number < trace->threads.n)
        vec_push(&threads->v, ((struct stretch){trace_stands_for(trace, number), from, to}));
}

static uint32_t koid_thread(struct trace *trace, uint16_t world, uint64_t tid) {
    struct thread_id id = {.tid = tid, .form = THREAD_TID, .world = world};
    return threads_find(reader_threads(trace->reader), &id);
}

/* The two threads of a switch. */
static void switched(struct trace *trace, const struct fxt_record *r, struct provider *p,
                     uint64_t offset, uint32_t *out, uint32_t *in) {
    bool koids = r->kind == FXT_K_SWITCH;
    struct fxt_record other = *r;
    other.thread = r->sched.in;
    *out = koids ? koid_thread(trace, p->world, r->sched.out_tid)
                 : trace_record_thread(trace, r, p, offset);
    *in = koids ? koid_thread(trace, p->world, r->sched.in_tid)
                : trace_record_thread(trace, &other, p, offset);
}

/* When the run of a CPU at a time ends. */
static int64_t run_end(const struct sched_cpu *cpu, int64_t time) {
    uint32_t i = lane_from(&cpu->lane, time);
    return i < cpu->lane.n ? lane_start(&cpu->lane, i) : INT64_MAX;
}

/* The stretches in which a damaged record is missing: the records before and after it in the file
 * are joined there. It is not known what a switch would have ended or begun until the next one of
 * the CPU. */
static void find_missing(struct trace *trace, const struct damaged_time *d, struct stretches *cpus,
                         struct stretches *threads) {
    struct fxt_record r;
    struct provider *p;
    if (d->from >= d->to || !reader_record_at(trace->reader, d->offset, &r, &p))
        return;
    uint32_t place = sched_cpu_place(trace_sched(trace), p->world, r.sched.cpu);
    if (r.kind == FXT_K_WAKEUP) {
        doubt_states(trace, threads, koid_thread(trace, p->world, r.sched.in_tid), d->from, d->to);
    } else if ((r.kind == FXT_K_SWITCH || r.kind == FXT_K_SWITCH_LEGACY) && place != UINT32_MAX) {
        int64_t end = run_end(sched_cpu(trace_sched(trace), place), d->to);
        uint32_t out_as, in_as;
        switched(trace, &r, p, d->offset, &out_as, &in_as);
        vec_push(&cpus->v, ((struct stretch){place, d->from, d->to}));
        doubt_states(trace, threads, out_as, d->from, end);
        doubt_states(trace, threads, in_as, d->from, end);
    }
}

/* A run without the switch that takes it out is not known. That its thread is runnable after it is
 * a guess. */
static void doubt_runs(struct trace *trace, const struct stretch *s, struct stretches *threads) {
    struct sched_cpu *cpu = sched_cpu(trace_sched(trace), s->of);
    struct doubted runs = {.trace = trace, .add = add_run};
    int64_t end = run_end(cpu, s->to);
    add_between(&runs, &cpu->lane, s->from, s->to);
    for (uint32_t i = after(&cpu->lane, s->from);
         i < cpu->lane.n && lane_start(&cpu->lane, i) < s->to; i++) {
        uint32_t thread = sched_run(cpu, i).thread, guess;
        const struct sched_thread *t = sched_thread(trace_sched(trace), thread);
        doubt_states(trace, threads, thread, s->from, end);
        if (t == NULL || i + 1 >= cpu->lane.n || sched_flags(cpu, i) & SCHED_KNOWN)
            continue;
        int64_t next = lane_start(&cpu->lane, i + 1);
        guess = lane_find(&t->lane, next, slice_offset(lane_at(&cpu->lane, i + 1)));
        if (guess != UINT32_MAX && sched_state(t, guess) == SCHED_RUNNABLE)
            doubt_states(trace, threads, thread, next, next + 1);
    }
}

/* Also a state after the stretch that a wakeup made: it may have been so before. */
static void add_states(const struct doubted *s, const struct sched_thread *t, int64_t from,
                       int64_t to) {
    uint32_t next = lane_from(&t->lane, to);
    add_between(s, &t->lane, from, to);
    if (next < t->lane.n && sched_woken(t, next))
        s->add(s->trace, &t->lane, s->of, next);
}

static void find_all_missing(struct trace *trace) {
    const struct damaged *d = &trace->judged.damaged;
    struct stretches cpus = {{0}}, threads = {{0}};
    struct doubted states = {.trace = trace, .add = add_state};
    for (size_t i = 0; i < d->v.n; i++)
        find_missing(trace, &d->v.v[i], &cpus, &threads);
    join_stretches(&cpus);
    for (size_t i = 0; i < cpus.v.n; i++)
        doubt_runs(trace, &cpus.v.v[i], &threads);
    join_stretches(&threads);
    for (size_t i = 0; i < threads.v.n; i++) {
        const struct stretch *s = &threads.v.v[i];
        const struct sched_thread *t = sched_thread(trace_sched(trace), s->of);
        states.of = s->of;
        if (t)
            add_states(&states, t, s->from, s->to);
    }
    vec_free(&cpus.v);
    vec_free(&threads.v);
}

/* ---- records that are marked ---- */

/* Adds the state of a thread that a record begins, if it begins one. */
static void add_begun(struct trace *trace, uint32_t number, const struct damaged_time *d) {
    uint32_t thread = number < trace->threads.n ? trace_stands_for(trace, number) : NO_THREAD, i;
    const struct sched_thread *t =
        thread == NO_THREAD ? NULL : sched_thread(trace_sched(trace), thread);
    if (t && (i = lane_find(&t->lane, d->time, d->offset)) != UINT32_MAX)
        add_state(trace, &t->lane, thread, i);
}

/* Adds the run and the states that a marked record begins: of a switch made of JSON, those on the
 * sides that have the priority. */
static void add_marked(struct trace *trace, const struct damaged_time *d) {
    struct fxt_record r;
    struct provider *p;
    if (!reader_record_at(trace->reader, d->offset, &r, &p))
        return;
    bool legacy = r.kind == FXT_K_SWITCH_LEGACY;
    if (r.kind == FXT_K_WAKEUP)
        add_begun(trace, koid_thread(trace, p->world, r.sched.in_tid), d);
    if (r.kind != FXT_K_SWITCH && !legacy)
        return;
    bool out = legacy && r.sched.out_priority == FXT_DAMAGED_PRIORITY,
         in = legacy && r.sched.in_priority == FXT_DAMAGED_PRIORITY, all = !out && !in;
    uint32_t place = sched_cpu_place(trace_sched(trace), p->world, r.sched.cpu), out_as, in_as;
    switched(trace, &r, p, d->offset, &out_as, &in_as);
    if (out || all)
        add_begun(trace, out_as, d);
    if (!(in || all))
        return;
    add_begun(trace, in_as, d);
    struct sched_cpu *cpu = place == UINT32_MAX ? NULL : sched_cpu(trace_sched(trace), place);
    uint32_t i = cpu ? lane_find(&cpu->lane, d->time, d->offset) : UINT32_MAX;
    if (i != UINT32_MAX)
        add_run(trace, &cpu->lane, 0, i);
}

/* Records that the order of the file contradicts are doubted as a whole. */
static void find_marked(struct trace *trace) {
    const struct damaged *d = &trace->judged.damaged;
    for (size_t i = 0; i < d->v.n; i++)
        if (d->v.v[i].from >= d->v.v[i].to && damaged_is_marked(d, d->v.v[i].offset))
            add_marked(trace, &d->v.v[i]);
}

static int by_thread(const void *a, const void *b) {
    const struct damaged_state *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

/* Puts the runs and states in order, each once. */
static void sort_scheduled(struct damaged *d) {
    struct damaged_state *v = d->states.v;
    size_t kept = d->states.n < 2 ? d->states.n : 1;
    if (d->states.n > 1)
        qsort(v, d->states.n, sizeof *v, by_thread);
    for (size_t i = 1; i < d->states.n; i++)
        if (by_thread(&v[kept - 1], &v[i]) != 0)
            v[kept++] = v[i];
    d->states.n = kept;
    d->runs.n = damaged_sort(d->runs.v, d->runs.n);
}

/* The thread that state `at` and those after it are of, and the number of the first that is not;
 * NULL: it is gone. */
static struct sched_thread *flagged_thread(const struct trace *trace, const struct damaged *d,
                                           size_t at, size_t *end) {
    const struct damaged_state *v = d->states.v;
    for (*end = at; *end < d->states.n && v[*end].thread == v[at].thread; ++*end)
        ;
    return sched_thread(trace_sched(trace), v[at].thread);
}

static void flag(const struct trace *trace, const struct damaged *d, bool damaged) {
    for (size_t at = 0, end = 0; at < d->states.n; at = end) {
        struct sched_thread *t = flagged_thread(trace, d, at, &end);
        bool changed = false;
        for (; t && at < end; at++) {
            uint32_t i = d->states.v[at].i;
            if (i >= t->states.n || sched_damaged(t, i) == damaged)
                continue;
            sched_life_damage(t, i, damaged);
            changed = true;
        }
        if (changed)
            sched_life_sum(t);
    }
}

/* Whether both have the same states. */
static bool same_states(const struct damaged *a, const struct damaged *b) {
    size_t i = 0;
    while (i < a->states.n && i < b->states.n && a->states.v[i].thread == b->states.v[i].thread &&
           a->states.v[i].i == b->states.v[i].i)
        i++;
    return i == a->states.n && i == b->states.n;
}

/* Whether anything may be doubted. Each lane of a set is looked at as a whole. */
static bool begin_doubted(struct doubted *s) {
    const struct trace *trace = s->trace;
    bool any = false;
    for (size_t i = 0; i < trace_judged_count(trace); i++) {
        const struct judged *of = trace_judged_of(trace, i);
        bound_doubted(s, of, i);
        any = any || s->outside ||
              (of->damaged.v.n > 0 && file_imported(file_part_file(trace->file, i)) == NULL);
    }
    if (trace->by_file.n > 0)
        s->from = s->to = INT64_MAX;
    return any;
}

/* Sums of states (sched_life.h) leave out those with a flag, which states that were derived again
 * do not have. So they get it after each step that may have done so. all: everything was looked at,
 * and times that are not in the span are damaged or unset. */
static void find_scheduled(struct trace *trace, bool all) {
    struct damaged *d = &trace->judged.damaged, before = {.states = {0}};
    const struct sched *sched = &trace->derived.sched;
    struct doubted s = {.trace = trace, .add = add_run, .all = all};
    bool any = begin_doubted(&s);
    bool marked = all && d->marked.n > 0;
    if (!any && !marked && d->states.n == 0 && d->runs.n == 0)
        return;
    before.states.v = d->states.v;
    before.states.n = d->states.n;
    before.states.cap = d->states.cap;
    d->states.v = NULL;
    d->states.n = d->states.cap = d->runs.n = 0;
    for (size_t k = 0; any && k < sched_cpu_count(sched); k++)
        find_doubted_on(&s, &sched_cpu(sched, k)->lane);
    s.add = add_state;
    for (size_t k = 0; any && k < sched_thread_count(sched); k++) {
        s.of = sched_thread_at(sched, k)->thread;
        find_doubted_on(&s, &sched_thread_at(sched, k)->lane);
    }
    if (any)
        find_all_missing(trace);
    if (marked)
        find_marked(trace);
    sort_scheduled(d);
    if (!same_states(&before, d))
        flag(trace, &before, false);
    flag(trace, d, true);
    vec_free(&before.states);
}

void trace_damaged_sched_find(struct trace *trace) {
    find_scheduled(trace, trace->judged.damaged.looked_at == reader_offset(trace->reader));
    count_unset(trace);
}
