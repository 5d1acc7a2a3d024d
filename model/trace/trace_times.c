/* trace_times.c - the span of a trace, its first window, and slices with a damaged time
 * (SEMANTICS 4.5 to 4.8).
 *
 * Far times decide the first window alone. Damaged and unset times are in no span. A slice with a
 * damaged time is in no sum, nor is a run of a CPU or a state of a thread. Neither the slices nor
 * the block indexes know that, so sums leave it out by its number in the lane. While nothing is
 * damaged, which is the usual case, a question costs one comparison more. */
#include <stdlib.h>

#include "model/store/sched_life.h"
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
    return trace->part.known && trace->events > 0 && trace->part.to >= first_time(trace);
}

bool trace_part_closed(const struct trace *trace) {
    return trace_is_part(trace) && trace->part.closed;
}

/* Its records were chosen from a whole, whose damaged times have marks: the order of those that are
 * left proves nothing. */
static bool is_chosen(const struct trace *trace) {
    return trace->part.rangeless || trace_is_part(trace);
}

/* Whether the order of the file proves nothing, as of JSON and of an .fxt made from it
 * (SEMANTICS 6.12). */
static bool is_unordered(const struct trace *trace) {
    return file_imported(trace->file) || reader_ends_by_name(trace->reader);
}

int64_t trace_last(const struct trace *trace) {
    if (trace->events == 0)
        return 0;
    return trace_is_part(trace) && trace->part.to > trace->end ? trace->part.to : trace->end;
}

/* A part may begin before its first event, if its times still fit 64 bits. */
static bool begins_earlier(const struct trace *trace) {
    int64_t from = trace->part.from;
    return trace_is_part(trace) && from < first_time(trace) &&
           units_since(from, trace_last(trace)) < INT64_MAX;
}

int64_t trace_origin(const struct trace *trace) {
    return begins_earlier(trace) ? trace->part.from : first_time(trace);
}

struct wide trace_origin_wide(const struct trace *trace) {
    return begins_earlier(trace) ? trace->part.from_wide : reader_min(trace->reader);
}

/* ---- span and window ---- */

/* The reader may be ahead of the nested events: if the span is whole, the model decides. */
int64_t trace_begin(const struct trace *trace) {
    if (trace_is_part(trace)) {
        int64_t origin = trace_origin(trace);
        return trace->part.from > origin ? trace->part.from : origin;
    }
    return trace->events == 0 || trace->span.whole ? first_time(trace) : trace->span.from;
}

int64_t trace_end(const struct trace *trace) {
    if (trace_is_part(trace))
        return trace->part.to;
    return trace->events == 0 || trace->span.whole ? trace_last(trace) : trace->span.to;
}

/* Whether the timeline opens on the bulk, which of a part has to lie in its range. */
static bool opens_on_bulk(const struct trace *trace) {
    const struct bulk_stretch *bulk = &trace->bulk;
    return bulk->far > 0 && bulk->from < trace_end(trace) && bulk->to > trace_begin(trace);
}

int64_t trace_window_begin(const struct trace *trace) {
    int64_t begin = trace_begin(trace);
    return opens_on_bulk(trace) && trace->bulk.from > begin ? trace->bulk.from : begin;
}

int64_t trace_window_end(const struct trace *trace) {
    int64_t end = trace_end(trace);
    return opens_on_bulk(trace) && trace->bulk.to < end ? trace->bulk.to : end;
}

bool trace_has_outside(const struct trace *trace) {
    return trace_begin(trace) > trace_origin(trace) || trace_end(trace) < trace_last(trace);
}

struct wide trace_begin_wide(const struct trace *trace) {
    return wide_add(trace_origin_wide(trace), units_since(trace_origin(trace), trace_begin(trace)));
}

uint64_t trace_far_times(const struct trace *trace) {
    return trace->bulk.far;
}

uint64_t trace_unset_times(const struct trace *trace) {
    return trace->bulk.unset;
}

bool trace_unset_time(const struct trace *trace, int64_t time) {
    return trace->bulk.unset > 0 && time <= trace->bulk.unset_to;
}

bool trace_unset_slice(const struct trace *trace, const struct slice *slice) {
    return trace_unset_time(trace, slice_end(slice));
}

/* ---- damaged times ---- */

size_t trace_damaged_times(const struct trace *trace) {
    return trace->damaged.v.n;
}

bool trace_damaged_at(const struct trace *trace, uint64_t offset) {
    return trace->damaged.v.n > 0 && damaged_has(&trace->damaged, offset);
}

bool trace_damaged_between(const struct trace *trace, size_t n, uint64_t *offset, int64_t *from,
                           int64_t *to) {
    if (n >= trace->damaged.v.n)
        return false;
    *offset = trace->damaged.v.v[n].offset;
    *from = trace->damaged.v.v[n].from;
    *to = trace->damaged.v.v[n].to;
    return true;
}

size_t trace_damaged_slices(const struct trace *trace) {
    return trace->damaged.slices.n;
}

struct slice trace_damaged_slice_at(const struct trace *trace, size_t n) {
    return lane_slice(trace->damaged.slices.v[n].lane, trace->damaged.slices.v[n].i);
}

/* Whether a slice begins at an unset time, but does not end with it: how long it lasted is not
 * known. */
static bool begins_unset(const struct trace *trace, const struct slice *slice) {
    return trace->bulk.unset > 0 && slice->start == reader_bulk(trace->reader)->zero &&
           slice_end(slice) > trace->bulk.unset_to;
}

static bool is_damaged(const struct trace *trace, const struct slice *slice) {
    if (begins_unset(trace, slice))
        return true;
    if (trace->damaged.v.n == 0)
        return false;
    return damaged_has(&trace->damaged, slice_offset(slice)) ||
           (!slice_open(slice) &&
            damaged_has(&trace->damaged, slice_extra_end_offset(&trace->slice_extra, slice)));
}

/* Before all are found, which is when all is read, they count. */
bool trace_damaged_slice(const struct trace *trace, const struct slice *slice) {
    return trace->damaged.slices.n > 0 && is_damaged(trace, slice);
}

bool trace_damaged_name(struct trace *trace, uint32_t name) {
    const struct damaged_slice *v = trace->damaged.slices.v;
    for (size_t i = 0; i < trace->damaged.slices.n; i++)
        if (trace_packed_name(trace, lane_at(v[i].lane, v[i].i)->begin_word) == name)
            return true;
    return false;
}

uint32_t trace_damaged_next(const struct trace *trace, const struct lane *lane, uint32_t i) {
    const struct damaged *damaged = &trace->damaged;
    return damaged->slices.n > 0 ? damaged_next(damaged->slices.v, damaged->slices.n, lane, i)
                                 : UINT32_MAX;
}

uint32_t trace_longest(const struct trace *trace, struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t longest = UINT32_MAX;
    for (uint32_t from = i; from < j;) {
        uint32_t next = trace_damaged_next(trace, lane, from), to = next < j ? next : j;
        if (from < to) {
            uint32_t k = lane_longest(lane, from, to);
            longest =
                longest == UINT32_MAX || lane_dur(lane, k) > lane_dur(lane, longest) ? k : longest;
        }
        from = to + 1;
    }
    return longest != UINT32_MAX ? longest : lane_longest(lane, i, j);
}

/* Adds the slice of a lane that begins or ends at `time` with a damaged record. */
static void find_on(struct trace *trace, const struct lane *lane, const struct damaged_time *d) {
    uint32_t after = d->time == INT64_MAX ? lane->n : lane_from(lane, d->time + 1);
    /* one of no length may begin where another ends */
    for (uint32_t i = after; i-- > 0 && after - i <= 2;) {
        const struct slice *s = lane_at(lane, i);
        if (slice_offset(s) == d->offset ||
            (!slice_open(s) && slice_extra_end_offset(&trace->slice_extra, s) == d->offset))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
    }
}

static void find_on_thread(struct trace *trace, const struct damaged_time *d, uint32_t number) {
    const struct nest *nest = &trace->threads.v[number]->nest;
    for (uint32_t row = 0; row < nest_rows(nest); row++)
        find_on(trace, nest_row(nest, row), d);
}

static void find_among_operations(struct trace *trace, const struct damaged_time *d) {
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++) {
        const struct async_group *g = async_group(&trace->derived.async, k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            find_on(trace, async_group_row(g, row), d);
    }
}

/* Adds those of one lane: by their records, of which a source may name many. */
static void find_named_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n; i++)
        if (is_damaged(trace, lane_at(lane, i)))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_unset_on(struct trace *trace, const struct lane *lane) {
    for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->bulk.unset_to; i++)
        if (begins_unset(trace, lane_at(lane, i)))
            vec_push(&trace->damaged.slices, ((struct damaged_slice){lane, i}));
}

static void find_on_all(struct trace *trace,
                        void (*find)(struct trace *trace, const struct lane *lane)) {
    for (size_t k = 0; k < trace->threads.n; k++)
        for (uint32_t row = 0; row < nest_rows(&trace->threads.v[k]->nest); row++)
            find(trace, nest_row(&trace->threads.v[k]->nest, row));
    for (size_t k = 0; k < async_group_count(&trace->derived.async); k++)
        for (uint32_t row = 0; row < async_group_rows(async_group(&trace->derived.async, k)); row++)
            find(trace, async_group_row(async_group(&trace->derived.async, k), row));
}

bool trace_damaged_point(const struct trace *trace, uint32_t point) {
    const struct flows *flows = &trace->derived.flows;
    return trace_damaged_at(trace, flow_offset(flows, point)) ||
           trace_unset_time(trace, flow_time(flows, point));
}

uint64_t trace_damaged_hops(const struct trace *trace) {
    return trace->damaged.hops;
}

static void count_hops(struct trace *trace) {
    const struct flows *flows = &trace->derived.flows;
    uint64_t hops = 0, unset = 0;
    bool any = trace->damaged.v.n > 0 || trace->bulk.unset > 0;
    size_t n = any ? flow_point_count(flows) : 0;
    for (uint32_t point = 0; point < n; point++) {
        const struct flow_link *link = flow_link(flows, point);
        uint32_t before = link->before != NO_POINT ? link->before : point;
        bool goes_on = link->after != NO_POINT && flow_link(flows, link->after)->before == point;
        if (link->before == NO_POINT && goes_on) /* its hop is that of the next point */
            continue;
        hops += trace_damaged_point(trace, point) || trace_damaged_point(trace, before);
        unset += trace_unset_time(trace, flow_time(flows, point)) ||
                 trace_unset_time(trace, flow_time(flows, before));
    }
    trace->damaged.hops = hops;
    trace->damaged_unset.hops = unset;
}

static void find_slices(struct trace *trace) {
    struct damaged *damaged = &trace->damaged;
    bool marked = damaged->marked.n > 0, all = damaged->looked_at == reader_offset(trace->reader);
    damaged->slices.n = 0;
    for (size_t i = 0; i < damaged->v.n && !marked; i++) {
        struct fxt_record r;
        struct provider *p;
        const struct damaged_time *d = &damaged->v.v[i];
        if (!reader_record_at(trace->reader, d->offset, &r, &p))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, d->offset);
        if (r.kind >= FXT_K_DURATION_BEGIN && r.kind <= FXT_K_DURATION_COMPLETE &&
            thread < trace->threads.n)
            find_on_thread(trace, d, thread);
        else if (r.kind == FXT_K_ASYNC_BEGIN || r.kind == FXT_K_ASYNC_END)
            find_among_operations(trace, d);
    }
    if (all && marked) /* once all is read: they may be many */
        find_on_all(trace, find_named_on);
    else if (all && trace->bulk.unset > 0)
        find_on_all(trace, find_unset_on);
    if (all)
        count_hops(trace);
    else if (damaged->v.n == 0)
        damaged->hops = trace->damaged_unset.hops = 0;
    /* both times of one may be damaged */
    damaged->slices.n = damaged_sort(damaged->slices.v, damaged->slices.n);
}

/* ---- damaged runs and states ---- */

static bool state_begins_unset(const struct trace *trace, const struct damaged_state *state) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), state->thread);
    return t && state->i < t->lane.n && trace_unset_time(trace, lane_start(&t->lane, state->i));
}

size_t trace_damaged_states(const struct trace *trace) {
    return trace->damaged.states.n;
}

bool trace_damaged_state_at(const struct trace *trace, size_t n, uint32_t *thread, bool *unset) {
    if (n >= trace->damaged.states.n)
        return false;
    *thread = trace->damaged.states.v[n].thread;
    *unset = state_begins_unset(trace, &trace->damaged.states.v[n]);
    return true;
}

struct trace_unset trace_damaged_unset(const struct trace *trace) {
    return trace->damaged_unset;
}

/* The slices and states that begin at an unset time. */
static void count_unset(struct trace *trace) {
    const struct damaged *d = &trace->damaged;
    struct trace_unset *unset = &trace->damaged_unset;
    unset->slices = unset->states = 0;
    for (size_t i = 0; trace->bulk.unset > 0 && i < d->slices.n; i++)
        unset->slices += trace_unset_time(trace, lane_start(d->slices.v[i].lane, d->slices.v[i].i));
    for (size_t i = 0; trace->bulk.unset > 0 && i < d->states.n; i++)
        unset->states += state_begins_unset(trace, &d->states.v[i]);
}

uint32_t trace_damaged_next_run(const struct trace *trace, const struct lane *lane, uint32_t i) {
    const struct damaged *damaged = &trace->damaged;
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
        if (a < b && !(sched_flags(cpu, i) & SCHED_IDLE))
            busy -= units_since(a, b);
    }
    return busy;
}

struct doubted {
    struct trace *trace;
    int64_t from, to; /* times in between are sound */
    bool outside;     /* times that are not in the span are damaged, too */
    void (*add)(struct trace *trace, const struct lane *lane, uint32_t of, uint32_t i);
    uint32_t of; /* the thread of the lane */
};

static bool is_doubted(const struct doubted *s, const struct lane *lane, uint32_t i) {
    int64_t t = lane_start(lane, i);
    if (s->outside && (t < s->trace->span.from || t > s->trace->span.to))
        return true;
    return damaged_has(&s->trace->damaged, slice_offset(lane_at(lane, i)));
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
    vec_push(&trace->damaged.runs, ((struct damaged_slice){lane, i}));
}

static void add_state(struct trace *trace, const struct lane *lane, uint32_t of, uint32_t i) {
    (void)lane;
    vec_push(&trace->damaged.states, ((struct damaged_state){of, i}));
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

static uint32_t koid_thread(struct trace *trace, uint64_t tid) {
    struct thread_id id = {.tid = tid, .form = THREAD_TID};
    return threads_find(reader_threads(trace->reader), &id);
}

/* The two threads of a switch. */
static void switched(struct trace *trace, const struct fxt_record *r, struct provider *p,
                     uint64_t offset, uint32_t *out, uint32_t *in) {
    bool koids = r->kind == FXT_K_SWITCH;
    struct fxt_record other = *r;
    other.thread = r->sched.in;
    *out = koids ? koid_thread(trace, r->sched.out_tid) : trace_record_thread(trace, r, p, offset);
    *in =
        koids ? koid_thread(trace, r->sched.in_tid) : trace_record_thread(trace, &other, p, offset);
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
    uint32_t place = sched_cpu_place(trace_sched(trace), r.sched.cpu);
    if (r.kind == FXT_K_WAKEUP) {
        doubt_states(trace, threads, koid_thread(trace, r.sched.in_tid), d->from, d->to);
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
    const struct damaged *d = &trace->damaged;
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
        add_begun(trace, koid_thread(trace, r.sched.in_tid), d);
    if (r.kind != FXT_K_SWITCH && !legacy)
        return;
    bool out = legacy && r.sched.out_priority == FXT_DAMAGED_PRIORITY,
         in = legacy && r.sched.in_priority == FXT_DAMAGED_PRIORITY, all = !out && !in;
    uint32_t place = sched_cpu_place(trace_sched(trace), r.sched.cpu), out_as, in_as;
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
    const struct damaged *d = &trace->damaged;
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

/* Sums of states (sched_life.h) leave out those with a flag, which states that were derived again
 * do not have. So they get it after each step that may have done so. A damaged time is far, so only
 * times outside of the bulk are looked at. all: everything was looked at, and times that are not in
 * the span are damaged or unset. */
static void find_scheduled(struct trace *trace, bool all) {
    struct damaged *d = &trace->damaged, before = {.states = {0}};
    const struct sched *sched = &trace->derived.sched;
    const struct bulk_stretch *bulk = &trace->bulk;
    struct doubted s = {.trace = trace, .outside = all && !trace->span.whole, .add = add_run};
    s.from = s.outside && trace->span.from > bulk->from ? trace->span.from : bulk->from;
    s.to = s.outside && trace->span.to < bulk->to ? trace->span.to : bulk->to;
    /* of a part that may be the span of a few times, a damaged one among them */
    if (is_chosen(trace) && !is_unordered(trace))
        s.from = s.to = INT64_MAX;
    bool any = s.outside || (d->v.n > 0 && file_imported(trace->file) == NULL);
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

/* ---- after a step ---- */

static void find_span(struct trace *trace) {
    const struct bulk *bulk = reader_bulk(trace->reader);
    struct whole *span = &trace->span;
    span->whole = trace->bulk.unset == 0 && trace->damaged.v.n == 0;
    if (span->whole)
        return;
    bulk_core(bulk, trace->bulk.unset == 0, &span->from, &span->to);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        const struct bulk_case *c = &bulk->cases.v[i];
        bool doubted = trace->damaged.marked.n > 0 || bulk_is_far(&trace->bulk, c->time);
        if (doubted && damaged_has(&trace->damaged, c->offset))
            continue;
        span->from = c->time < span->from ? c->time : span->from;
        span->to = c->time > span->to ? c->time : span->to;
    }
    if (span->from > span->to)
        span->whole = true;
}

void trace_times_find(struct trace *trace) {
    reader_bulk_find(trace->reader, &trace->bulk);
    trace_part_find(trace);
    find_slices(trace);
    find_span(trace);
    find_scheduled(trace, trace->damaged.looked_at == reader_offset(trace->reader));
    count_unset(trace);
}

/* Whether a look at the order of the file may find damaged times, or the places of marked ones. */
static bool may_find(struct trace *trace) {
    if (is_unordered(trace))
        return false;
    if (is_chosen(trace))
        return trace->damaged.marked.n > 0;
    return trace->bulk.far > 0 && damaged_can_be(trace->reader, &trace->bulk);
}

bool trace_times_look(struct trace *trace, uint64_t bytes) {
    struct damaged *damaged = &trace->damaged;
    uint64_t at = reader_offset(trace->reader);
    bool grows = !file_ended(trace->file);
    if (damaged->look == NULL) {
        reader_bulk_find(trace->reader, &trace->bulk);
        if (at - damaged->looked_at <= (grows ? damaged->looked_at / LOOK_AGAIN : 0))
            return true;
        trace_part_find(trace);
        if (!may_find(trace)) {
            damaged_take_marked(damaged, trace->reader);
            damaged->looked_at = at;
            return true;
        }
    }
    return damaged_look(damaged, trace->reader, is_chosen(trace), &trace->bulk, bytes);
}
