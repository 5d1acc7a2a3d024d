/* cut.c - finds the records that a part of a trace needs, and has them written in the order of the
 * file.
 *
 * An entry of the range needs its records: of a slice or an operation both, of a flow all points
 * and the slices around them. cut_sched.c has those of runs and states.
 *
 * An end that ended slices inside of its own is written for each of them: the part may lack the
 * slice around them, or the loss of records (SEMANTICS 6.12). An open slice of a thread that died
 * before the range is not in it.
 *
 * If neither tracks nor a filter are asked for, every record in the range is kept, too. The end of
 * a slice or an operation that does not overlap the range is not. */
#include "model/output/cut/cut.h"
#include "model/query/flow_slice.h"

#include <stdlib.h>

#include "model/output/cut/cut_internal.h"
#include "model/output/event_list.h"
#include "model/output/save_set.h"
#include "model/query/slice_iter.h"
#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/u64map.h"

#define NO_SLICE INT64_MIN /* the thread has no slice in the range */

enum { FLOW_NEEDED = 1, FLOW_LOOKED_AT = 2 };

static void need_slice(struct cut *c, const struct slice *s) {
    uint64_t end = slice_extra_end_offset(trace_slice_extra(c->trace), s);
    cut_need(c, slice_offset(s), REWRITE_WHOLE);
    if (end > 0)
        cut_need(c, end, REWRITE_WHOLE);
}

/* Whether the thread of a slice that never ended had died before the range (SEMANTICS 6.8). */
static bool is_over(const struct cut *c, uint32_t thread, const struct slice *s) {
    return c->asked->range.timed && slice_endless(s) && s->start < c->asked->range.from &&
           trace_open_end(c->trace, thread, s->start) <= c->asked->range.from;
}

static void need_nested(struct cut *c, const struct slice *s) {
    uint64_t end = slice_extra_end_offset(trace_slice_extra(c->trace), s);
    if (end == 0 || trace_end_record(c->trace, s) == end) {
        need_slice(c, s);
        return;
    }
    cut_need(c, slice_offset(s), REWRITE_WHOLE);
    vec_push(&c->v, ((struct needed){end, REWRITE_BARE, slice_offset(s)}));
}

/* The slice of a point, and those around it, as far as they are not needed yet: many points may be
 * inside of many slices. */
static void need_around(struct cut *c, uint32_t point) {
    struct flow_slice_place place = flow_slice_place(c->trace, point);
    uint32_t row = place.row, i = place.i;
    bool any = place.in_slice;
    while (any) {
        const struct nest *nest = &trace_thread(c->trace, place.thread)->nest;
        const struct slice *s = lane_at(nest_row(nest, row), i);
        uint64_t key = u64map_key(slice_offset(s));
        if (u64map_get(&c->around, key) != UINT64_MAX)
            return;
        u64map_set(&c->around, key, 1);
        need_nested(c, s);
        if (is_over(c, place.thread, s))
            cut_need_death(c, place.thread, s->start);
        any = nest_parent(nest, trace_slice_extra(c->trace), row, i, &row, &i);
    }
}

static void need_cpus(struct cut *c) {
    struct slice_set set = range_slices(&c->asked->range, 0);
    for (uint32_t k = 0; k < sched_cpu_count(trace_sched(c->trace)); k++) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(c->trace), k);
        uint32_t i, end;
        for (slice_iter_window(&cpu->lane, set.from, set.to, &i, &end); i < end; i++)
            if (event_list_asked(c->trace, &c->asked->range,
                                 &(struct event_list_entry){.kind = EVENT_LIST_SCHED,
                                                            .thread = k,
                                                            .i = i,
                                                            .time = lane_start(&cpu->lane, i)}))
                cut_need_run(c, cpu, i, 0);
    }
}

/* ---- entries ---- */

/* Whether a file was cut at a range, as a trace that is one file. */
static bool is_part(const struct cut *c, size_t file, bool *closed) {
    if (trace_files(c->trace) > 1)
        return trace_file_is_part(c->trace, file, closed);
    *closed = trace_part_closed(c->trace);
    return trace_is_part(c->trace);
}

static void span_of(const struct cut *c, size_t file, int64_t *from, int64_t *to) {
    *from = trace_begin(c->trace);
    *to = trace_end(c->trace);
    if (trace_files(c->trace) > 1)
        trace_file_span(c->trace, file, from, to);
}

/* The range that the part of a file has. False: it has none. */
static bool part_of(const struct cut *c, size_t file, int64_t *from, int64_t *to) {
    bool closed;
    span_of(c, file, from, to);
    if (c->asked->range.timed) {
        *from = c->asked->range.from;
        *to = c->asked->range.to < *to ? c->asked->range.to : *to;
    }
    return c->asked->range.timed || is_part(c, file, &closed);
}

/* A slice without a known end needs the one that bounds it (SEMANTICS 6.13). */
static void need_bound(struct cut *c, const struct nest *nest, uint32_t row, uint32_t i) {
    const struct lane *lane = nest_row(nest, row);
    int64_t end = slice_end(lane_at(lane, i));
    uint32_t up, parent;
    if (i + 1 < lane->n && lane_start(lane, i + 1) == end)
        need_nested(c, lane_at(lane, i + 1));
    else if (nest_parent(nest, trace_slice_extra(c->trace), row, i, &up, &parent))
        need_nested(c, lane_at(nest_row(nest, up), parent));
}

static void take_slice(struct cut *c, uint32_t thread, uint32_t row, uint32_t i) {
    const struct nest *nest = &trace_thread(c->trace, thread)->nest;
    const struct slice slice = lane_slice(nest_row(nest, row), i), *s = &slice;
    if (is_over(c, thread, s))
        return;
    if (file_derived_at(trace_file(c->trace), slice_offset(s))) {
        if (c->sampled.n == 0 || c->sampled.v[c->sampled.n - 1].row != thread)
            vec_push(&c->sampled, ((struct sampled){thread, false}));
        c->sampled.v[c->sampled.n - 1].before |= s->start < c->asked->range.from;
        return;
    }
    need_nested(c, s);
    if (c->asked->search == NULL && slice_unended(s) && !slice_endless(s))
        need_bound(c, nest, row, i);
    if (c->first.v[thread] == NO_SLICE)
        c->first.v[thread] = INT64_MAX;
}

static void take_entry(struct cut *c, const struct slice_series *s, uint32_t i) {
    if (s->flows) {
        uint32_t flow = flow_link(s->flows, i)->flow;
        unsigned char *known = &c->flows.v[flow];
        if (!(*known & FLOW_LOOKED_AT) &&
            /* walks all of it */
            event_list_flow_asked(c->trace, &c->asked->range, flows_at(s->flows, flow)))
            *known |= FLOW_NEEDED;
        *known |= FLOW_LOOKED_AT;
        if (c->by_time && range_has_time(&c->asked->range, flow_time(s->flows, i)))
            *known |= FLOW_NEEDED;
        return;
    }
    struct event_list_entry e = event_list_entry_of(s, i);
    if (!event_list_asked(c->trace, &c->asked->range, &e))
        return;
    if (e.kind == EVENT_LIST_STATE)
        cut_need_state(c, sched_thread_at(trace_sched(c->trace), e.thread), i);
    else if (e.kind == EVENT_LIST_SLICE)
        take_slice(c, e.thread, s->row, i);
    else if (s->lane)
        need_slice(c, lane_at(s->lane, i));
    else
        cut_need(c, e.offset, REWRITE_WHOLE);
}

/* The value that a counter has when the range begins. */
static void need_value(struct cut *c, struct counter_series *series, uint32_t number) {
    struct event_list_entry e = {
        .kind = EVENT_LIST_COUNTER, .thread = number, .time = c->asked->range.from};
    size_t i = c->asked->range.timed ? counter_from(series, c->asked->range.from) : 0;
    if (i > 0 && event_list_asked(c->trace, &c->asked->range, &e))
        cut_need(c, counter_offset(counter_sample(series, i - 1)), REWRITE_WHOLE);
}

/* A thread with slices in the range, and states after it alone, has scheduling: it did not run. */
static void need_later_states(struct cut *c) {
    for (uint32_t k = 0; k < c->first.n && c->asked->range.timed; k++) {
        const struct sched_thread *t = sched_thread(trace_sched(c->trace), k);
        if (c->first.v[k] != NO_SLICE && t && t->lane.n > 0 &&
            lane_start(&t->lane, 0) >= c->asked->range.to)
            cut_need_state(c, t, 0);
    }
}

#define EVERY                                                                                      \
    (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS | \
     SLICE_ITER_COUNTERS | SLICE_ITER_STATES | SLICE_ITER_LOGS | SLICE_ITER_FLOWS)

/* Without a filter: all entries of the range on its tracks. */
static void find_all(struct cut *c) {
    struct slice_set set = range_slices(&c->asked->range, 0);
    struct slice_series s;
    uint32_t track = 0, row = 0;
    while (slice_iter_series(c->trace, EVERY, &track, &row, &s)) {
        uint32_t i = 0, end = s.n;
        if (s.lane)
            slice_iter_window(s.lane, set.from, set.to, &i, &end);
        for (; i < end; i++)
            take_entry(c, &s, i);
    }
    for (uint32_t k = 0; k < counter_series_count(trace_counters(c->trace)); k++)
        need_value(c, counter_series(trace_counters(c->trace), k), k);
    need_cpus(c);
    need_later_states(c);
}

static void find_hits(struct cut *c) {
    struct slice_series s;
    struct hit hit;
    uint64_t total;
    search_count(c->asked->search, NULL, &total);
    for (uint64_t k = 0; k < total && search_at(c->asked->search, k, &hit, &s); k++)
        take_entry(c, &s, hit.i);
}

static void need_flows(struct cut *c) {
    const struct flows *flows = trace_flows(c->trace);
    for (uint32_t f = 0; f < flow_count(flows); f++) {
        if (!(c->flows.v[f] & FLOW_NEEDED))
            continue;
        for (uint32_t k = flows_at(flows, f)->first; k != NO_POINT;
             k = flow_link(flows, k)->after) {
            cut_need(c, flow_offset(flows, k), REWRITE_WHOLE);
            if (c->asked->search == NULL)
                need_around(c, k);
        }
    }
}

/* Whether an end that closed nothing may close a slice of the part: it lacks the loss of records by
 * which it did not (SEMANTICS 6.12). */
static bool may_close(struct cut *c, const struct nest *nest, int64_t time) {
    size_t losses;
    trace_lost(c->trace, &losses);
    if (losses == 0 || nest->named || nest_rows(nest) == 0)
        return false;
    if (nest->overlaps > 0)
        return true; /* a slice of any row may be open */
    const struct lane *row = nest_row(nest, 0);
    uint32_t i = time == INT64_MAX ? row->n : lane_from(row, time + 1);
    return i > 0 && (slice_open(lane_at(row, i - 1)) || slice_end(lane_at(row, i - 1)) >= time);
}

/* Ends that close nothing. */
static void need_strays(struct cut *c) {
    for (uint32_t k = 0; k < trace_thread_count(c->trace); k++) {
        const struct nest *nest = &trace_thread(c->trace, k)->nest;
        for (size_t i = 0; i < nest->strays.n; i++)
            if (c->by_time && range_has_time(&c->asked->range, nest->strays.v[i].time) &&
                !may_close(c, nest, nest->strays.v[i].time))
                cut_need(c, nest->strays.v[i].offset, REWRITE_WHOLE);
    }
}

/* The backtrace of a sample. A row does not know whose it is: another thread of the process may
 * have one at that time, too. */
static void need_sample(struct cut *c, const struct thread *row, int64_t time) {
    size_t n, i = 0;
    const struct occurrence *v = trace_profile(c->trace, &n);
    lower_bound(i, n, k, v[k].at.time < time);
    for (; i < n && v[i].at.time == time; i++) {
        if (v[i].kind != FXT_K_BACKTRACE || v[i].thread == NO_THREAD ||
            trace_thread(c->trace, v[i].thread)->id.pid != row->id.pid)
            continue;
        cut_need(c, v[i].at.offset, REWRITE_WHOLE);
        cut_need_leave(c, v[i].thread, time); /* it may be blocked */
    }
}

/* The samples of the stacks that rows have when the range begins, and the next ones after it: with
 * these the last ones in it last as long. */
static void need_stacks(struct cut *c) {
    int64_t from = c->asked->range.from, to = c->asked->range.to;
    for (size_t k = 0; k < c->sampled.n && c->asked->search == NULL && c->asked->range.timed; k++) {
        struct thread *row = trace_thread(c->trace, c->sampled.v[k].row);
        size_t n, i = 0;
        const struct instant *samples = trace_instants(row, &n);
        lower_bound(i, n, s, samples[s].time < from);
        if (i > 0 && c->sampled.v[k].before)
            need_sample(c, row, samples[i - 1].time);
        lower_bound(i, n, s, samples[s].time < to);
        if (i < n)
            need_sample(c, row, samples[i].time);
    }
}

/* Mappings, backtraces, and losses. Modules and the mappings before the end of the range are kept
 * by sides_of(). */
static void need_others(struct cut *c) {
    size_t n;
    const struct occurrence *v = trace_profile(c->trace, &n);
    for (uint32_t i = 0; i < n && c->asked->search == NULL; i++)
        if (event_list_asked(c->trace, &c->asked->range,
                             &(struct event_list_entry){.kind = EVENT_LIST_PROFILE,
                                                        .thread = v[i].thread,
                                                        .i = i,
                                                        .time = v[i].at.time}))
            cut_need(c, v[i].at.offset, REWRITE_WHOLE);
    const struct lost *lost = trace_lost(c->trace, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!lost[i].has_time || range_has_time(&c->asked->range, lost[i].time))
            cut_need(c, lost[i].offset, REWRITE_WHOLE);
}

/* Whether a damaged record is missing at a time of the range (SEMANTICS 4.7). */
static bool is_missing(struct cut *c, size_t damaged, struct fxt_record *r, uint64_t *offset) {
    const struct range *range = &c->asked->range;
    struct provider *p;
    int64_t from, to;
    return trace_damaged_between(c->trace, damaged, offset, &from, &to) && from < to &&
           from < range->to && to > range->from &&
           reader_record_at(trace_reader(c->trace), *offset, r, &p);
}

static bool is_among(const struct cut *c, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, c->missing.n, k, c->missing.v[k] < offset);
    return i < c->missing.n && c->missing.v[i] == offset;
}

/* Records with a damaged time: switches and wakeups make the states around them unknown in the
 * part, too, and answers leave out the slices and operations of the others. */
static void need_missing(struct cut *c) {
    size_t slices = c->by_time ? trace_damaged_slices(c->trace) : 0;
    for (size_t k = 0; c->by_time && k < trace_damaged_times(c->trace); k++) {
        struct fxt_record r;
        uint64_t offset;
        if (!is_missing(c, k, &r, &offset))
            continue;
        if (r.kind >= FXT_K_SWITCH_LEGACY && r.kind <= FXT_K_WAKEUP)
            cut_need(c, offset, REWRITE_WHOLE);
        else
            vec_push(&c->missing, offset);
    }
    for (size_t k = 0; k < slices && c->missing.n > 0; k++) {
        const struct slice s = trace_damaged_slice_at(c->trace, k);
        uint64_t end = slice_extra_end_offset(trace_slice_extra(c->trace), &s);
        if (is_among(c, slice_offset(&s)) || is_among(c, end))
            need_nested(c, &s);
    }
}

static int by_offset(const void *a, const void *b) {
    const struct needed *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

/* Sorts the needed records and merges those of the same offset. A bare end stays for each slice. */
static void sort_needed(struct cut *c) {
    struct needed *v = c->v.v;
    size_t n = c->v.n, kept = 0;
    if (n > 1)
        qsort(v, n, sizeof *v, by_offset);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || v[kept - 1].offset != v[i].offset)
            v[kept++] = v[i];
        else if (v[i].of == 0)
            v[kept - 1].sides |= v[i].sides;
        else if (v[kept - 1].of != v[i].of)
            v[kept - 1].sides += REWRITE_BARE;
        v[kept - 1].of = v[i].of;
    }
    c->v.n = kept;
}

/* Finds the files of a set that have nothing in the range. */
static void find_outside(struct cut *c) {
    const struct range *range = &c->asked->range;
    for (size_t i = 0; i < trace_files(c->trace); i++) {
        int64_t from, to;
        span_of(c, i, &from, &to);
        vec_push(&c->outside, trace_files(c->trace) > 1 && range->timed &&
                                  (to < range->from || from >= range->to));
    }
}

static bool is_outside(const struct cut *c, uint64_t offset) {
    return c->outside.v[trace_record_file(c->trace, offset)];
}

/* Slices and states that outlast their file are not in a range after its end, where nothing is
 * shown. */
static void drop_outside(struct cut *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->v.n; i++)
        if (!is_outside(c, c->v.v[i].offset))
            c->v.v[kept++] = c->v.v[i];
    c->v.n = kept;
}

/* ---- writing ---- */

/* A record that is kept is the first of its thread so far. */
static void see(struct cut *c, const struct item *item) {
    int64_t *first = item->thread < c->first.n ? &c->first.v[item->thread] : NULL;
    if (item->is_event && first && *first != NO_SLICE && item->time < *first &&
        !trace_damaged_at(c->trace, item->offset))
        *first = item->time;
}

/* The sides of a record that are kept; 0: none. Records come in file order. */
static unsigned sides_kept(struct cut *c, const struct item *item) {
    const struct range *range = &c->asked->range;
    enum fxt_kind kind = item->record->kind;
    unsigned sides = 0;
    for (; c->at < c->v.n && c->v.v[c->at].offset <= item->offset; c->at++)
        if (c->v.v[c->at].offset == item->offset)
            sides |= c->v.v[c->at].sides;
    if (kind == FXT_K_THREAD || kind == FXT_K_PROVIDER_EVENT)
        return kind == FXT_K_THREAD ? 0 : sides;
    if (item->is_event && sides == 0 && is_outside(c, item->offset))
        return 0;
    if (kind == FXT_K_MODULE || (kind == FXT_K_MMAP && (!range->timed || item->time < range->to)))
        return REWRITE_WHOLE;
    bool part = kind == FXT_K_DURATION_BEGIN || kind == FXT_K_DURATION_END ||
                kind == FXT_K_DURATION_COMPLETE || kind == FXT_K_ASYNC_BEGIN ||
                kind == FXT_K_ASYNC_END;
    if (!item->is_event || (c->by_time && !part && range_has_time(range, item->time)))
        return REWRITE_WHOLE;
    return sides;
}

static unsigned sides_of(void *ctx, const struct item *item) {
    unsigned sides = sides_kept(ctx, item);
    if (sides != 0)
        see(ctx, item);
    return sides;
}

static void add_life(struct cut *c, uint32_t thread, int64_t time, bool before) {
    struct wide ns = wide_add(reader_base(trace_reader(c->trace)), time);
    vec_push(&c->lives, ((struct rewrite_life){&trace_thread(c->trace, thread)->id, ns, before}));
}

/* Shares are of the time that threads with slices lived. The event with which that began may not be
 * in the part, nor those after a death. */
static void find_life(struct cut *c, size_t file, uint32_t k) {
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), k);
    const struct thread_id *id = &trace_thread(c->trace, k)->id;
    int64_t from, to, begin, end;
    if (trace_record_file(c->trace, id->offset) != file || c->outside.v[file] ||
        !part_of(c, file, &from, &to))
        return;
    bool ended, stated = t && c->asked->search == NULL && t->lane.n > 0 && t->lane.start <= from;
    if (c->first.v[k] == NO_SLICE ||
        !trace_thread_span(c->trace, trace_thread(c->trace, k), &begin, &end, &ended))
        return;
    if (!stated && begin < c->first.v[k] && c->first.v[k] > from)
        add_life(c, k, begin > from ? begin : from, begin <= from);
    if (t && sched_life_end(t, from) < to && (!ended || end > to))
        add_life(c, k, to, true);
}

/* A thread of several files belongs to that which has its first record. */
static bool life_of(void *ctx, size_t file, size_t n, struct rewrite_life *life) {
    struct cut *c = ctx;
    if (n == 0)
        c->lives.n = 0;
    for (uint32_t k = 0; n == 0 && k < c->first.n; k++)
        find_life(c, file, k);
    if (n < c->lives.n)
        *life = c->lives.v[n];
    return n < c->lives.n;
}

/* The records around a damaged time may be left out, so that the part would not contradict it. */
static bool is_damaged(void *ctx, uint64_t offset) {
    return trace_damaged_at(((struct cut *)ctx)->trace, offset);
}

static int64_t within(int64_t time, int64_t begin, int64_t end) {
    if (time < begin)
        return begin;
    return time < end ? time : end;
}

/* The range of a file's part as it is written. That asked for may reach beyond the file, so the
 * part is their overlap. */
static struct rewrite_range range_of(const struct cut *c, size_t file) {
    const struct range *asked = &c->asked->range;
    struct wide base = reader_base(trace_reader(c->trace));
    struct rewrite_range range = {.closed = asked->to_end};
    int64_t from, to;
    span_of(c, file, &from, &to);
    if (asked->timed) {
        /* the end of a file that ends in the range is in it */
        range.closed = range.closed || (trace_files(c->trace) > 1 && to < asked->to);
        int64_t begin = within(asked->from, from, to), end = within(asked->to, from, to);
        from = begin;
        to = end;
    } else if (!is_part(c, file, &range.closed)) {
        return range;
    }
    range.from = wide_add(base, from);
    range.to = wide_add(base, to);
    return range;
}

/* Writes the parts of the files of a set as an archive. */
static bool write_set(const struct cut *c, struct rewrite_choice *choice, FILE *out,
                      struct err *err) {
    VEC(struct rewrite_range) ranges = {0};
    for (size_t i = 0; i < trace_files(c->trace); i++)
        vec_push(&ranges, range_of(c, i));
    choice->ranges = ranges.v;
    bool done = save_set_chosen(c->trace, choice, out, err);
    vec_free(&ranges);
    return done;
}

bool cut_write(struct trace *trace, const struct question *asked, unsigned redact, FILE *out,
               struct err *err) {
    struct cut c = {.trace = trace, .asked = asked};
    struct wide base = reader_base(trace_reader(trace));
    c.by_time = asked->range.tracks.v.n == 0 && asked->search == NULL;
    for (size_t i = 0; i < flow_count(trace_flows(trace)); i++)
        vec_push(&c.flows, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        vec_push(&c.scheduled, 0);
        vec_push(&c.first, NO_SLICE);
    }
    find_outside(&c);
    cut_find_runs(&c);
    if (asked->search)
        find_hits(&c);
    else
        find_all(&c);
    cut_need_contradictions(&c);
    need_strays(&c);
    need_others(&c);
    need_stacks(&c);
    need_missing(&c);
    drop_outside(&c);
    need_flows(&c);
    sort_needed(&c);
    cut_order(&c);
    cut_list_threads(&c);
    struct rewrite_choice choice = {.sides = sides_of,
                                    .numbers = reader_threads(trace_reader(trace)),
                                    .damaged = is_damaged,
                                    .ctx = &c,
                                    .part = true,
                                    .redact = redact,
                                    .symbols = trace_symbols(trace),
                                    .providers = reader_wanted(trace_reader(trace)),
                                    .base = &base};
    if (asked->range.timed) {
        choice.timed = true;
        choice.begin = wide_add(base, asked->range.from);
        choice.end = wide_add(base, asked->range.to);
    }
    choice.threads = c.threads.v;
    choice.nthreads = c.threads.n;
    choice.life = life_of;
    bool done;
    if (trace_files(trace) > 1) {
        done = write_set(&c, &choice, out, err);
    } else {
        choice.range = range_of(&c, 0);
        done = rewrite_file(trace_file(trace), &choice, out, err);
    }
    u64map_free(&c.around);
    vec_free(&c.sampled);
    vec_free(&c.missing);
    vec_free(&c.outside);
    vec_free(&c.threads);
    vec_free(&c.lives);
    vec_free(&c.first);
    vec_free(&c.left);
    vec_free(&c.ran);
    vec_free(&c.scheduled);
    vec_free(&c.flows);
    vec_free(&c.v);
    return done;
}
