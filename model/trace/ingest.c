/* ingest.c - the sink of the reader: turns records into processes, threads, events and objects of
 * the model.
 *
 * Durations go from the reader straight into the event buffers of threads (sink_buffer()). Other
 * plain events come as struct plain_event (sink_events()), everything else as a decoded record
 * (sink_record()). All events but durations are batched for the worker. ingest_flush() brings the
 * model up to date with the buffered events (ingest_flush.c).
 *
 * Invariants [T1] to [T7]: trace.c. Times: ns relative to the reader's base. */
#include "model/trace/trace_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/worker.h"
#include "src/fxt/sampled.h"

/* ---- processes and threads ---- */

static uint32_t process_of(struct trace *trace, uint16_t world, uint64_t pid, uint64_t offset) {
    uint32_t i = trace_pid_process(trace, world, pid);
    if (i < trace->processes.n)
        return i;
    struct process *p = err_calloc(1, sizeof *p);
    p->pid = pid;
    p->world = world;
    p->offset = offset;
    vec_push(&trace->processes, p);
    i = (uint32_t)trace->processes.n - 1;
    trace_index_process(trace, i);
    return i;
}

/* Adds the threads that the reader has numbered since the last call [T2]. */
static void add_threads(struct trace *trace) {
    const struct threads *threads = reader_threads(trace->reader);
    while (trace->threads.n < threads_count(threads)) {
        struct thread *t = err_calloc(1, sizeof *t);
        t->number = (uint32_t)trace->threads.n;
        t->id = *threads_id(threads, t->number);
        t->process = NO_PROCESS;
        t->provider = UINT32_MAX;
        t->first = INT64_MAX;
        t->last = t->last_counter = INT64_MIN;
        nest_init(&t->nest);
        t->nest.named = reader_ends_by_name(trace->reader, t->id.offset);
        nest_buffer_init(&t->buffer, &t->nest, &trace->slice_extra);
        if (trace->threads.n == trace->threads.cap)
            worker_wait(trace->slice_extra.worker); /* it reads them (crowd.h) */
        vec_push(&trace->threads, t);
        if (t->id.form == THREAD_PAIR) {
            t->process = process_of(trace, t->id.world, t->id.pid, t->id.offset);
            vec_push(&trace->processes.v[t->process]->threads, t->number);
            trace_index_koid(trace, t);
        }
    }
}

/* ---- records ---- */

/* threads whose event buffers the reader fills: their ends stay in the CPU's cache */
#define MOST_FILLED 512

/* The arguments of an object that have a meaning, the first of each name. */
static void object_arguments(const struct trace *trace, const struct item *item, struct object *o) {
    struct fxt_arguments args = item->record->args;
    struct fxt_argument_value v;
    char buf[24];
    while (record_argument(&args, &v) > 0) {
        struct str name = reader_string_now(trace->reader, &v.name, buf);
        bool integer = v.type == FXT_ARG_INT32 || v.type == FXT_ARG_INT64;
        if (v.type == FXT_ARG_KOID && !o->has_process && str_eq(name, STR("process"))) {
            o->process = v.bits;
            o->has_process = true;
        } else if (v.type == FXT_ARG_KOID && !o->has_thread && str_eq(name, SAMPLED_THREAD)) {
            o->thread = v.bits;
            o->has_thread = true;
        } else if (integer && !o->has_sort_index && (int64_t)v.bits == (int32_t)v.bits &&
                   str_eq(name, STR("sort_index"))) {
            o->sort_index = (int32_t)v.bits;
            o->has_sort_index = true;
        }
        o->has_labels |= v.type == FXT_ARG_STRING && str_eq(name, STR("labels"));
    }
}

static void kernel_object(struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    if (r->faults & FXT_FAULT_NO_EVENT)
        return;
    struct object o = {.koid = r->object.koid,
                       .offset = item->offset,
                       .name = item->name,
                       .world = item->provider->world,
                       .type = r->object.type};
    object_arguments(trace, item, &o);
    objects_add_kernel(&trace->kernel, &o);
    if (o.type == FXT_OBJECT_PROCESS) {
        process_of(trace, o.world, o.koid, o.offset);
    } else if (o.type == FXT_OBJECT_THREAD) {
        struct thread_id id = {
            .pid = o.process, .tid = o.koid, .form = THREAD_PAIR, .offset = o.offset};
        if (!o.has_process)
            id = (struct thread_id){.tid = o.koid, .form = THREAD_TID, .offset = o.offset};
        id.world = o.world;
        threads_intern(reader_threads(trace->reader), &id);
        add_threads(trace);
    }
}

static void user_object(struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    if (r->faults & FXT_FAULT_NO_EVENT)
        return;
    struct object o = {.koid = r->user.pointer,
                       .offset = item->offset,
                       .name = item->name,
                       .world = item->provider->world};
    if (r->thread.index == 0) {
        o.process = r->thread.pid;
        o.has_process = true;
        process_of(trace, o.world, o.process, item->offset);
    } else if (item->thread != NO_THREAD &&
               trace->threads.v[item->thread]->id.form == THREAD_PAIR) {
        o.process = trace->threads.v[item->thread]->id.pid;
        o.has_process = true;
    }
    objects_add_user(&trace->user, &o);
}

static void touch(struct trace *trace, struct thread *t) {
    assert(t != NULL); /* durations and instants have a thread */
    if (!t->touched) {
        t->touched = true;
        vec_push(&trace->touched, t->number);
    }
}

static void written_by(struct thread *t, uint32_t provider) {
    t->provider = provider;
    if (t->providers.n == 0)
        t->nest.writer = provider;
    if (t->providers.n > THREAD_PROVIDERS)
        return;
    for (size_t i = 0; i < t->providers.n; i++)
        if (t->providers.v[i] == provider)
            return;
    vec_push(&t->providers, provider);
}

static inline void instant(struct trace *trace, struct thread *t, int64_t time, uint64_t offset,
                           uint32_t name) {
    assert(t != NULL);
    struct batch_instant *i = batch_next(&trace->batches, BATCH_INSTANT, sizeof *i);
    *i = (struct batch_instant){t, {time, event_pack(offset, name)}};
}

void ingest_count(struct trace *trace, struct thread *t, uint64_t n, int64_t first, int64_t last,
                  bool counter) {
    trace->events += n;
    if (last > trace->end)
        trace->end = last;
    if (t == NULL)
        return;
    int64_t *to = counter ? &t->last_counter : &t->last;
    t->events += n;
    if (first < t->first)
        t->first = first;
    if (last > *to)
        *to = last;
}

/* Whether the durations of a thread go through a crowd: from the first to the last, so they stay in
 * file order. */
static inline bool in_crowd(struct trace *trace, struct thread *t) {
    if (t->way == WAY_NONE) {
        t->way = trace->filled < MOST_FILLED ? WAY_BUFFER : WAY_CROWD;
        trace->filled += t->way == WAY_BUFFER;
    }
    return t->way == WAY_CROWD;
}

static struct duration_buffer *sink_buffer(void *ctx, uint32_t thread,
                                           const struct provider *provider) {
    struct trace *trace = ctx;
    if (thread >= trace->threads.n)
        add_threads(trace);
    struct thread *t = trace->threads.v[thread];
    if (t->provider != provider->number)
        written_by(t, provider->number);
    if (in_crowd(trace, t)) {
        struct crowd *crowd = &trace->crowds[thread % CROWDS];
        if (crowd->space.next == crowd->space.end)
            crowd_make_space(crowd);
        crowd->space.provider = provider;
        return &crowd->space;
    }
    touch(trace, t);
    if (t->buffer.space.next == t->buffer.space.end)
        nest_buffer_make_space(&t->buffer);
    t->buffer.space.provider = provider;
    return &t->buffer.space;
}

/* Durations that the reader does not write into the event buffer by itself. */
static void duration(struct trace *trace, struct thread *t, const struct item *item) {
    enum fxt_kind kind = item->record->kind;
    assert(t != NULL);
    struct duration_buffer *buffer = sink_buffer(trace, t->number, item->provider);
    enum nest_event event = (enum nest_event)(kind - FXT_K_DURATION_BEGIN);
    struct duration d = nest_buffer_event(event, item->time, item->end, item->offset, item->name);
    d.dur = record_unended(item->record) ? DURATION_UNENDED : d.dur;
    duration_buffer_add(buffer, t->number, d);
    if (kind != FXT_K_DURATION_END)
        ingest_drop_stats(trace, item);
}

static inline uint32_t process_number(const struct trace *trace, uint32_t thread) {
    return thread == NO_THREAD ? NO_PROCESS : trace->threads.v[thread]->process;
}

/* Each part of a sample is stored for itself: a copy of a whole one would wait for all stores
 * before it. */
static __attribute__((noinline)) void counter(struct trace *trace, const struct plain_event *e,
                                              struct fxt_arguments *args) {
    struct fxt_argument_value v;
    uint32_t process = process_number(trace, e->thread);
    for (unsigned i = 0; record_number(args, &v) > 0; i++) {
        if (!counter_numeric(v.type)) {
            problem_add(&trace->stream, PROBLEM_COUNTER_NOT_NUMERIC, e->offset, 0, e->time,
                        e->thread);
            continue;
        }
        uint32_t argument = reader_name_now(trace->reader, &v.name);
        struct batch_sample *s = batch_next(&trace->batches, BATCH_SAMPLE, sizeof *s);
        s->sample.at.time = e->time;
        s->sample.at.offset = counter_place_of(e->offset, i, v.type);
        s->sample.bits = v.bits;
        s->id = e->id;
        s->process = process;
        s->name = e->name;
        s->argument = argument;
        if (v.type == FXT_ARG_DOUBLE && isnan(counter_value(&s->sample)))
            problem_add(&trace->stream, PROBLEM_COUNTER_NOT_FINITE, e->offset, 0, e->time,
                        e->thread);
    }
}

/* Bits of plain_sched() of arguments: weights of idle threads; the state of a wakeup that an
 * importer made. */
static __attribute__((noinline)) uint64_t sched_bits(const struct trace *trace,
                                                     struct fxt_arguments *args, bool state) {
    struct fxt_argument_value v;
    uint64_t idle = 0;
    char buf[24];
    while (record_argument(args, &v) > 0) {
        bool text = state && v.type == FXT_ARG_STRING,
             idles = v.type == FXT_ARG_INT32 && (int64_t)v.bits == INT32_MIN;
        struct str name = text || idles ? reader_string_now(trace->reader, &v.name, buf) : STR("");
        if (text && str_eq(name, STR("state")))
            return sched_state_lettered(reader_string_now(trace->reader, &v.string, buf));
        idle |= idles && str_eq(name, STR("incoming_weight")) ? PLAIN_IN_IDLE : 0;
        idle |= idles && str_eq(name, STR("outgoing_weight")) ? PLAIN_OUT_IDLE : 0;
    }
    return idle;
}

static inline __attribute__((always_inline)) void scheduling(struct trace *trace,
                                                             const struct plain_event *e,
                                                             struct fxt_arguments *args) {
    struct sched_input *in = &trace->derived.sched.input;
    uint64_t details = e->id;
    bool wakeup = e->kind == FXT_K_WAKEUP;
    if (args->count > 0) /* not in a legacy switch */
        details |= sched_bits(trace, args, wakeup);
    struct sched_event *s = batch_next(&trace->batches, BATCH_SCHED, sizeof *s);
    s->entry.at.time = e->time;
    s->entry.at.offset = sched_mark(e->offset, details);
    s->entry.value = sched_pair(wakeup ? 0 : e->thread, e->thread2);
    s->out_as = wakeup ? NO_THREAD : sched_stand(in, e->thread, ingest_stands_for, trace);
    s->in_as = sched_stand(in, e->thread2, ingest_stands_for, trace);
}

/* Each part is stored for itself, as in counter(). */
static inline void operation(struct trace *trace, const struct plain_event *e) {
    struct async_input *in = &trace->derived.async.input;
    struct async_arrival *a = batch_next(&trace->batches, BATCH_ASYNC, sizeof *a);
    struct event_key key = {process_number(trace, e->thread), e->category, e->name, e->thread};
    a->entry.at.time = e->time;
    a->entry.at.offset = async_mark(in, e->offset, (unsigned)(e->kind - FXT_K_ASYNC_BEGIN), key);
    a->entry.value = e->id;
    a->key.who = key.who;
    a->key.category = key.category;
    a->key.name = key.name;
    a->key.thread = key.thread;
}

static void occurrence(struct trace *trace, struct moment at, uint32_t thread, enum fxt_kind kind) {
    struct occurrence *o = batch_next(&trace->batches, BATCH_OCCURRENCE, sizeof *o);
    *o = (struct occurrence){at, thread, (uint8_t)kind};
}

/* A mark is no blob for readers: it belongs to the record after it. */
static bool is_mark(const struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    const struct names *names = reader_names(trace->reader);
    return r->kind == FXT_K_BLOB && r->blob.type == FXT_BLOB_DATA && r->blob.size == 0 &&
           item->name == names_find(names, FXT_DAMAGED.s, FXT_DAMAGED.n);
}

/* An event that only counts: its thread lived then. It has no writer. */
static bool tells_life(const struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    const struct names *names = reader_names(trace->reader);
    return r->kind == FXT_K_LARGE_EVENT && r->blob.there == 0 &&
           item->name == names_find(names, FXT_LIVED.s, FXT_LIVED.n);
}

static void blob(struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    ingest_profile_blob(trace, item);
    if (is_mark(trace, item)) {
        damaged_add(&trace_judged_at(trace, item->offset)->damaged, item->offset + 8 * r->words);
        return;
    }
    blobs_add(&trace->blobs,
              &(struct blob){.name = item->name,
                             .category = item->category,
                             .has_category = r->kind != FXT_K_BLOB,
                             .type = r->kind == FXT_K_BLOB ? r->blob.type : BLOB_LARGE,
                             .bytes = r->blob.there,
                             .offset = item->offset,
                             .is_event = item->is_event,
                             .time = item->time,
                             .thread = item->thread});
}

static inline void flow(struct trace *trace, const struct plain_event *e, bool stays_open) {
    struct flow_point *p = batch_next(&trace->batches, BATCH_FLOW, sizeof *p);
    enum flow_kind kind = (enum flow_kind)(e->kind - FXT_K_FLOW_BEGIN);
    *p = (struct flow_point){{e->time, e->offset},
                             e->id,
                             e->thread,
                             e->category,
                             e->name,
                             process_number(trace, e->thread),
                             kind,
                             stays_open};
}

/* Counts plain events of one writer with their threads. A call of ingest_count() for each takes 1.2
 * % more instructions for a trace of instants. */
static void count_plain(struct trace *trace, const struct plain_event *events, size_t n,
                        const struct provider *provider) {
    struct thread *const *threads = trace->threads.v;
    bool counters = events->kind == FXT_K_COUNTER; /* all of them */
    int64_t end = trace->end;
    for (const struct plain_event *e = events; e < events + n; e++) {
        int64_t time = e->time;
        end = time > end ? time : end;
        if (e->thread == NO_THREAD)
            continue;
        struct thread *t = threads[e->thread];
        if (t->provider != provider->number)
            written_by(t, provider->number);
        t->events++;
        if (time < t->first)
            t->first = time;
        int64_t *last = counters ? &t->last_counter : &t->last;
        if (time > *last)
            *last = time;
    }
    trace->end = end;
    trace->events += n;
}

static void plain_instants(struct trace *trace, const struct plain_event *e, size_t n) {
    struct thread *const *threads = trace->threads.v;
    for (size_t few = n; n > 0; n -= few, few = n) {
        struct batch_instant *to = batch_next_few(&trace->batches, BATCH_INSTANT, sizeof *to, &few);
        for (size_t i = 0; i < few; i++, e++)
            *to++ = (struct batch_instant){threads[e->thread],
                                           {e->time, event_pack(e->offset, e->name)}};
    }
}

static void plain_logs(struct trace *trace, const struct plain_event *e, size_t n) {
    for (size_t few = n; n > 0; n -= few, few = n) {
        struct occurrence *to = batch_next_few(&trace->batches, BATCH_OCCURRENCE, sizeof *to, &few);
        for (size_t i = 0; i < few; i++, e++)
            *to++ = (struct occurrence){{e->time, e->offset}, e->thread, FXT_K_LOG};
    }
}

/* Events of one provider are of one file. */
static void plain_flows(struct trace *trace, const struct plain_event *e, size_t n) {
    bool stays_open = reader_ends_by_name(trace->reader, e->offset);
    for (size_t i = 0; i < n; i++)
        flow(trace, &e[i], stays_open);
}

/* The events of a call are of one group (reader.h). */
static void sink_events(void *ctx, const struct plain_event *events, size_t n,
                        const struct provider *provider) {
    struct trace *trace = ctx;
    const struct plain_event *e = events, *end = e + n;
    enum fxt_kind kind = (enum fxt_kind)e->kind;
    if (trace->threads.n != threads_count(reader_threads(trace->reader)))
        add_threads(trace);
    count_plain(trace, events, n, provider);
    if (kind == FXT_K_INSTANT)
        plain_instants(trace, events, n);
    else if (kind == FXT_K_LOG)
        plain_logs(trace, events, n);
    else if (kind == FXT_K_COUNTER)
        for (; e < end; e++) {
            struct fxt_arguments args = plain_arguments(e);
            counter(trace, e, &args);
        }
    else if (plain_is_async(kind))
        for (; e < end; e++)
            operation(trace, e);
    else if (plain_is_flow(kind))
        plain_flows(trace, events, n);
    else
        for (; e < end; e++) {
            struct fxt_arguments args = plain_arguments(e);
            scheduling(trace, e, &args);
        }
    for (e = events;
         trace->profiles.n > 0 && kind >= FXT_K_SWITCH_LEGACY && kind != FXT_K_LOG && e < end; e++)
        ingest_profile_switch(trace, e);
}

/* Takes an event whose record is not plain. An event whose id is lost to a fault is only counted
 * (SEMANTICS 3.11). */
static void event_of(struct trace *trace, struct thread *t, const struct item *item) {
    const struct fxt_record *r = item->record;
    struct fxt_arguments args = r->args;
    struct plain_event e = {.offset = item->offset,
                            .time = item->time,
                            .thread = item->thread,
                            .thread2 = item->thread2,
                            .name = item->name,
                            .category = item->category,
                            .kind = r->kind};
    if (r->kind >= FXT_K_SWITCH_LEGACY) {
        bool legacy = r->kind == FXT_K_SWITCH_LEGACY;
        e.id =
            plain_sched(r->kind, r->sched.cpu, r->sched.state, legacy && r->sched.out_priority == 0,
                        legacy && r->sched.in_priority == 0);
    } else if (r->kind != FXT_K_INSTANT) {
        e.id = r->id;
    }
    if ((r->faults & FXT_FAULT_NO_TAIL) && r->kind != FXT_K_INSTANT && r->kind != FXT_K_COUNTER)
        return;
    if (r->kind == FXT_K_INSTANT)
        instant(trace, t, e.time, e.offset, e.name);
    else if (r->kind == FXT_K_COUNTER)
        counter(trace, &e, &args);
    else if (plain_is_async(r->kind))
        operation(trace, &e);
    else if (plain_is_flow(r->kind))
        flow(trace, &e, reader_ends_by_name(trace->reader, e.offset));
    else {
        scheduling(trace, &e, &args);
        if (trace->profiles.n > 0)
            ingest_profile_switch(trace, &e);
    }
}

/* t: NULL of switches and wakeups alone. */
static void timed(struct trace *trace, struct thread *t, const struct item *item) {
    switch (item->record->kind) {
    case FXT_K_DURATION_BEGIN:
    case FXT_K_DURATION_END:
    case FXT_K_DURATION_COMPLETE:
        duration(trace, t, item);
        break;
    case FXT_K_MODULE:
    case FXT_K_MMAP:
    case FXT_K_BACKTRACE:
        ingest_profile(trace, item);
        /* fall through */
    case FXT_K_LOG:
        occurrence(trace, (struct moment){item->time, item->offset}, item->thread,
                   item->record->kind);
        break;
    case FXT_K_LARGE_EVENT:
        if (tells_life(trace, item))
            break;
        instant(trace, t, item->time, item->offset, item->name);
        blob(trace, item);
        break;
    default:
        event_of(trace, t, item);
        break;
    }
}

static void sink_record(void *ctx, const struct item *item) {
    struct trace *trace = ctx;
    const struct fxt_record *r = item->record;
    if (trace->threads.n != threads_count(reader_threads(trace->reader)))
        add_threads(trace);
    struct thread *t = item->thread == NO_THREAD ? NULL : trace->threads.v[item->thread];
    if (item->is_event) {
        if (r->thread.no_tid)
            process_of(trace, item->provider->world, r->thread.pid, item->offset);
        if (trace->timeless < trace->lost.n)
            ingest_date_losses(trace, item->time);
        if (t && t->provider != item->provider->number && !tells_life(trace, item))
            written_by(t, item->provider->number);
        timed(trace, t, item);
        /* these are counted by their nests */
        if (r->kind < FXT_K_DURATION_BEGIN || r->kind > FXT_K_DURATION_COMPLETE)
            ingest_count(trace, t, 1, item->time, item->end, r->kind == FXT_K_COUNTER);
        return;
    }
    if (record_name_lost(r)) /* SEMANTICS 3.11 */
        return;
    switch (r->kind) {
    case FXT_K_BLOB:
    case FXT_K_LARGE_ATTACHMENT:
        blob(trace, item);
        break;
    case FXT_K_KERNEL_OBJECT:
        kernel_object(trace, item);
        break;
    case FXT_K_USERSPACE_OBJECT:
        user_object(trace, item);
        break;
    case FXT_K_PROVIDER_EVENT:
        if (r->provider.event == 0)
            ingest_records_lost(trace, item);
        break;
    default:
        break;
    }
}

static void sink_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                         int64_t time) {
    struct trace *trace = ctx;
    problem_add(&trace->stream, kind, offset, detail, time, NO_THREAD);
}

static void sink_ended(void *ctx) {
    ingest_profile_end(ctx);
}

/* ---- the side table and names, for nesting ---- */

uint32_t ingest_name_at(struct trace *trace, uint64_t offset) {
    struct fxt_record r;
    struct provider *provider;
    char buf[24];
    if (!reader_record_at(trace->reader, offset, &r, &provider))
        return 0;
    struct str s = reader_string(trace->reader, provider, &r.name, offset, buf);
    return names_intern(reader_names(trace->reader), s.s, s.n);
}

static uint32_t end_name(void *ctx, uint64_t offset) {
    return ingest_name_at(ctx, offset);
}

static void side_table_put(void *ctx, uint64_t key, uint64_t value) {
    struct trace *trace = ctx;
    worker_lock(trace->slice_extra.worker);
    u64map_set(&trace->side_table, key, value);
    worker_unlock(trace->slice_extra.worker);
}

static uint64_t side_table_take(void *ctx, uint64_t key) {
    const struct trace *trace = ctx;
    worker_lock(trace->slice_extra.worker);
    uint64_t value = u64map_get(&trace->side_table, key);
    worker_unlock(trace->slice_extra.worker);
    return value;
}

/* ---- start, end ---- */

static void sink_time(void *ctx, const struct item *item) {
    struct trace *trace = ctx;
    if (!item->is_event) {
        sink_record(ctx, item);
        return;
    }
    bool ends = item->record->kind == FXT_K_DURATION_COMPLETE;
    int64_t last = ends ? item->end : item->time;
    trace->events++;
    trace->end = last > trace->end ? last : trace->end;
}

void ingest_start(struct trace *trace) {
    struct sink sink = {trace, sink_buffer, sink_events, sink_record, sink_problem, sink_ended};
    if (trace->options.times)
        sink = (struct sink){trace, NULL, NULL, sink_time, sink_problem, NULL};
    trace->reader = reader_new(trace->file, &sink);
    reader_only(trace->reader, trace->options.providers);
    trace->judged.span.whole = true;
    for (size_t i = 0; i < trace->by_file.n; i++)
        trace->by_file.v[i].span.whole = true;
    trace->slice_extra = (struct slice_extra){trace,           end_name, side_table_put,
                                              side_table_take, NULL,     ingest_lost_between};
    trace->slice_extra.worker = worker_new();
    trace->ktrace_drop_stats = names_intern(reader_names(trace->reader), "ktrace_drop_stats", 17);
    trace->kernel_meta = names_intern(reader_names(trace->reader), "kernel:meta", 11);
    ingest_watch_losses(trace);
    trace->all_version = trace->counted_version = trace->nest_problems.version = UINT64_MAX;
    for (int i = 0; i < CROWDS; i++)
        crowd_init(&trace->crowds[i], &trace->threads.v, trace->slice_extra.worker);
    batches_init(&trace->batches, &trace->derived, trace->reader, &trace->slice_extra);
    async_init(&trace->derived.async);
    flows_init(&trace->derived.flows);
    if (trace->worlds.n > 0) {
        trace->stream.worlds = trace->all.worlds = trace->derived.async.state.problems.worlds =
            trace->derived.sched.state.problems.worlds = &trace->worlds;
        trace->derived.async.state.worlds = trace->derived.sched.state.worlds =
            trace->derived.flows.input.worlds = trace->derived.counters.worlds = &trace->worlds;
        trace->derived.flows.input.joins_all = trace->set->joins_all;
        trace->derived.flows.input.joins_category = NO_CATEGORY;
        if (trace->set->joins_category)
            trace->derived.flows.input.joins_category =
                names_intern(reader_names(trace->reader), trace->set->joins_category,
                             strlen(trace->set->joins_category));
        trace->blobs.worlds = &trace->worlds;
        for (size_t i = 0; trace->archived && i < trace->set->n; i++)
            reader_part_archived(trace->reader, i, archived_part(trace->archived, i));
        for (size_t i = 0; i < trace->worlds.n; i++)
            reader_place_part(trace->reader, i, trace->worlds.parts[i].world,
                              i < trace->shifts.n ? trace->shifts.v[i] : 0);
    }
    trace->end = INT64_MIN;
}

void ingest_clear(struct trace *trace, bool again) {
    ingest_flush_stop(trace);
    trace_mend_clear(trace);
    worker_free(trace->slice_extra.worker);
    trace->slice_extra.worker = NULL;
    for (int i = 0; i < CROWDS; i++)
        crowd_free(&trace->crowds[i]);
    trace->filled = 0;
    batches_free(&trace->batches);
    trace_remains_take(&trace->remains, trace->threads.v, trace->threads.n, again);
    vec_free(&trace->threads);
    for (size_t i = 0; i < trace->processes.n; i++) {
        vec_free(&trace->processes.v[i]->threads);
        free(trace->processes.v[i]);
    }
    vec_free(&trace->processes);
    map_free(&trace->by_pid);
    trace->by_pid = (struct map){0};
    vec_free(&trace->touched);
    vec_free(&trace->lost);
    nest_losses_free(&trace->losses);
    trace->losses = (struct nest_losses){0};
    u64map_free(&trace->side_table);
    u64map_free(&trace->tids);
    async_free(&trace->derived.async);
    flows_free(&trace->derived.flows);
    counters_free(&trace->derived.counters);
    sched_free(&trace->derived.sched);
    blobs_free(&trace->blobs);
    vec_free(&trace->derived.lists.logs.v);
    vec_free(&trace->derived.lists.profile.v);
    trace->derived.lists = (struct occurrence_lists){0};
    vec_free(&trace->derived.unsorted.threads);
    vec_free(&trace->source_faults);
    trace->timeless = trace->flushed = 0;
    trace->released = false;
    objects_free(&trace->kernel);
    objects_free(&trace->user);
    problems_free(&trace->stream);
    problems_free(&trace->all);
    trace->events = 0;
    trace->end = INT64_MIN;
    trace_judged_clear(trace);
    reader_free(trace->reader);
    trace->reader = NULL;
}
