/* ndjson.c - all of a trace as ndjson: one JSON object a line (EXPORT 1 to 3).
 *
 * The trace itself comes first, then entries without a time: providers, processes, threads, objects, modules, blobs,
 * losses. Every entry of the event list follows in its order, then flows and problems. Times are written as ns from the
 * origin, offsets as bytes. Names and categories of an entry are decoded again from its record (detail.h). These
 * strings are valid until the next detail_open(), so arguments open the record a second time. */
#include "model/output/ndjson.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/event_list.h"
#include "model/output/json.h"
#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"

static void line(struct json *j, const char *type) {
    chars_put(j->out, '{');
    j->first = true;
    json_key(j, "type");
    json_string(j, str_of(type));
    j->lines++;
}

static void end_line(struct json *j) {
    chars_text(j->out, "}\n");
    json_write(j);
}

/* The name of a number, or the number if it has none. */
static void name_or_number(struct json *j, const char *field, const char *name, uint64_t number) {
    if (name)
        json_text(j, field, str_of(name));
    else
        json_u64(j, field, number);
}

static void names(struct json *j, struct trace *trace, struct object_owner owner) {
    uint32_t ids[64];
    size_t n = objects_names(trace_kernel_objects(trace), owner, ids, 64);
    if (n > 0)
        json_text(j, "name", trace_name(trace, ids[0]));
    if (n > 1) {
        json_key(j, "names");
        for (size_t i = n - 1; i > 0; i--) {
            chars_put(j->out, i == n - 1 ? '[' : ',');
            json_string(j, trace_name(trace, ids[i]));
        }
        chars_put(j->out, ']');
    }
}

/* Nothing of NO_THREAD. */
static void thread_fields(struct json *j, const struct trace *trace, uint32_t thread) {
    char buf[40];
    bool named;
    if (thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(trace, thread);
    struct event_list_identity id = event_list_identity(trace, t);
    if (id.provider)
        json_u64(j, "provider", id.provider->id);
    if (!id.has_tid)
        json_text(j, "thread", trace_thread_name(trace, t, buf, &named));
    if (id.has_pid)
        json_u64(j, "pid", id.pid);
    if (id.has_tid)
        json_u64(j, "tid", id.tid);
}

/* Modules and mappings may have a process and no thread. */
static void whose(struct json *j, const struct trace *trace, uint32_t thread, const struct detail *d) {
    thread_fields(j, trace, thread);
    if (thread == NO_THREAD)
        json_u64(j, "pid", d->record.thread.pid);
}

static void hex_string(struct json *j, const char *name, struct str s) {
    json_key(j, name);
    chars_put(j->out, '"');
    for (size_t i = 0; i < s.n; i++)
        chars_format(j->out, "%02x", (unsigned char)s.s[i]);
    chars_put(j->out, '"');
}

static void trace_line(struct json *j, struct trace *trace) {
    const char *slash = strrchr(trace_path(trace), '/');
    uint64_t tps, base_tick, base_unix_ns;
    bool has_base;
    char digits[40];
    line(j, "trace");
    json_text(j, "file", str_of(slash ? slash + 1 : trace_path(trace)));
    json_u64(j, "bytes", file_size(trace_file(trace)));
    json_u64(j, "records", reader_records(trace_reader(trace)));
    json_u64(j, "events", trace_events(trace));
    if (trace_events(trace) > 0) {
        json_key(j, "origin_ns");
        chars_text(j->out, wide_text(trace_origin_wide(trace), digits));
        json_u64(j, "span_ns", (uint64_t)trace_last(trace) - (uint64_t)trace_origin(trace));
    }
    if (reader_init(trace_reader(trace), &tps, &base_tick, &base_unix_ns, &has_base)) {
        json_u64(j, "ticks_per_second", tps);
        if (has_base) {
            json_u64(j, "base_tick", base_tick);
            json_u64(j, "base_unix_ns", base_unix_ns);
        }
    }
    if (reader_big_endian(trace_reader(trace)))
        json_word(j, "big_endian", "true");
    if (file_compression(trace_file(trace)) != FILE_PLAIN)
        json_text(j, "compressed", file_compression(trace_file(trace)) == FILE_GZIP ? STR("gzip") : STR("zstd"));
    end_line(j);
}

static int by_offset(const void *a, const void *b) {
    const struct thread *x = *(struct thread *const *)a, *y = *(struct thread *const *)b;
    return x->id.offset < y->id.offset ? -1 : x->id.offset > y->id.offset;
}

static void identities(struct json *j, struct trace *trace) {
    for (size_t i = 0; i < reader_provider_count(trace_reader(trace)); i++) {
        const struct provider *p = reader_provider(trace_reader(trace), i);
        if (p->implicit)
            continue;
        line(j, "provider");
        json_u64(j, "id", p->id);
        json_text(j, "name", p->name);
        end_line(j);
    }
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        line(j, "process");
        json_u64(j, "pid", trace_process(trace, i)->pid);
        names(j, trace, (struct object_owner){trace_process(trace, i)->pid, FXT_OBJECT_PROCESS, false, 0});
        end_line(j);
    }
    size_t n = trace_thread_count(trace);
    struct thread **threads = err_malloc((n + 1) * sizeof *threads);
    for (size_t i = 0; i < n; i++)
        threads[i] = trace_thread(trace, i);
    qsort(threads, n, sizeof *threads, by_offset);
    for (size_t i = 0; i < n; i++) {
        const struct thread *t = threads[i];
        if (trace_thread_hidden(trace, t))
            continue;
        line(j, "thread");
        thread_fields(j, trace, t->number);
        if (t->id.form != THREAD_UNDEFINED)
            names(j, trace, (struct object_owner){t->id.tid, FXT_OBJECT_THREAD, t->id.form == THREAD_PAIR, t->id.pid});
        end_line(j);
    }
    free(threads);
}

static void objects(struct json *j, struct trace *trace, const struct objects *list, bool user) {
    struct detail d;
    for (size_t i = 0; i < list->v.n; i++) {
        const struct object *o = &list->v.v[i];
        line(j, user ? "userobject" : "object");
        if (user) {
            if (o->has_process)
                json_u64(j, "pid", o->process);
            json_hex(j, "pointer", o->koid);
        } else {
            json_u64(j, "koid", o->koid);
            name_or_number(j, "kind", fxt_object_name(o->type), o->type);
        }
        json_text(j, "name", trace_name(trace, o->name));
        if (!user && o->has_process)
            json_u64(j, "pid", o->process);
        if (detail_open(&d, trace, o->offset))
            json_arguments(j, "args", &d);
        json_u64(j, "offset", o->offset);
        end_line(j);
    }
}

static void module_line(struct json *j, struct trace *trace, const struct occurrence *o) {
    struct detail d;
    if (!detail_open(&d, trace, o->at.offset) || d.record.kind != o->kind)
        return;
    line(j, "module");
    json_i64(j, "ts", o->at.time - trace_origin(trace));
    whose(j, trace, o->thread, &d);
    json_u64(j, "id", d.record.module.id);
    json_text(j, "name", d.record.payload);
    hex_string(j, "build_id", d.record.module.build_id);
    json_u64(j, "offset", o->at.offset);
    end_line(j);
}

static int occurrence_order(const void *a, const void *b) {
    const struct occurrence *x = *(const struct occurrence *const *)a, *y = *(const struct occurrence *const *)b;
    return x->at.offset < y->at.offset ? -1 : x->at.offset > y->at.offset;
}

static void modules(struct json *j, struct trace *trace) {
    size_t n, found = 0;
    const struct occurrence *v = trace_profile(trace, &n);
    const struct occurrence **in_file = err_malloc((n + 1) * sizeof *in_file);
    for (size_t i = 0; i < n; i++)
        if (v[i].kind == FXT_K_MODULE)
            in_file[found++] = &v[i];
    qsort(in_file, found, sizeof *in_file, occurrence_order);
    for (size_t i = 0; i < found; i++)
        module_line(j, trace, in_file[i]);
    free(in_file);
}

static void blobs(struct json *j, struct trace *trace) {
    struct detail d;
    for (size_t i = 0; i < blob_count(trace_blobs(trace)); i++) {
        const struct blob *b = blob_at(trace_blobs(trace), i);
        line(j, "blob");
        json_text(j, "name", trace_name(trace, b->name));
        if (b->has_category)
            json_text(j, "cat", trace_name(trace, b->category));
        name_or_number(j, "kind", blob_kind(b->type), b->type);
        json_u64(j, "bytes", b->bytes);
        if (b->is_event) {
            json_i64(j, "ts", b->time - trace_origin(trace));
            thread_fields(j, trace, b->thread);
        }
        if (detail_open(&d, trace, b->offset))
            json_arguments(j, "args", &d);
        json_u64(j, "offset", b->offset);
        end_line(j);
    }
}

static void lost_line(struct json *j, struct trace *trace, const struct lost *l) {
    static const struct {
        const char *argument, *field;
    } counts[] = {{"num_records", "records"}, {"num_bytes", "bytes"}};
    const struct provider *p = reader_provider(trace_reader(trace), l->provider);
    struct detail_argument a;
    line(j, "lost");
    if (!p->implicit)
        json_u64(j, "provider", p->id);
    if (l->has_time)
        json_i64(j, "ts", l->time - trace_origin(trace));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (detail_loss(trace, l, counts[i].argument, &a))
            json_value_field(j, counts[i].field, &a);
    json_u64(j, "offset", l->offset);
    end_line(j);
}

static void timeless_losses(struct json *j, struct trace *trace) {
    size_t n;
    const struct lost *lost = trace_lost(trace, &n);
    for (size_t i = 0; i < n; i++)
        if (!lost[i].has_time)
            lost_line(j, trace, &lost[i]);
}

/* ---- entries with a time ---- */

static void dur_field(struct json *j, const struct slice *s) {
    if (!slice_open(s)) {
        json_i64(j, "dur", slice_dur(s));
        return;
    }
    json_key(j, "dur");
    chars_text(j->out, "null");
}

static void slice_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct slice *s = event_list_slice(trace, e);
    struct detail d;
    bool known = detail_open(&d, trace, e->offset);
    line(j, "slice");
    json_u64(j, "id", e->id);
    if (e->parent)
        json_u64(j, "parent", e->parent->id);
    thread_fields(j, trace, e->thread);
    json_text(j, "cat", known ? d.category : STR(""));
    json_text(j, "name", trace_slice_name(trace, s));
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    json_u64(j, "depth", e->depth);
    if (slice_open(s))
        json_word(j, "open", "true");
    if (known && detail_open(&d, trace, e->offset))
        json_arguments(j, "args", &d);
    uint64_t end = slice_extra_end_offset(trace_slice_extra(trace), s);
    if (end != 0 && detail_open(&d, trace, end))
        json_arguments(j, "end_args", &d);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

/* The slice that an event on a thread is in. */
static void slice_field(struct json *j, struct trace *trace, const struct event_list *t, uint32_t thread,
                        int64_t time) {
    const struct event_list_entry *slice = event_list_slice_at(t, trace, thread, time);
    if (slice)
        json_u64(j, "slice", slice->id);
}

static void instant_line(struct json *j, struct trace *trace, const struct event_list *t,
                         const struct event_list_entry *e, int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "instant");
    thread_fields(j, trace, e->thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    json_i64(j, "ts", e->time - origin);
    if (d.record.kind == FXT_K_INSTANT && d.record.scope.present) {
        uint64_t scope = d.record.scope.value;
        name_or_number(j, "scope", fxt_scope_name(scope), scope);
    }
    json_arguments(j, "args", &d);
    slice_field(j, trace, t, e->thread, e->time);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void counter_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct counter_series *series = counter_series(trace_counters(trace), e->thread);
    const struct counter_sample *s = &series->samples.v[e->i];
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "counter");
    thread_fields(j, trace, thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", trace_name(trace, series->name));
    if (!(d.record.faults & FXT_FAULT_NO_TAIL))
        json_u64(j, "id", series->id);
    json_text(j, "series", trace_name(trace, series->argument));
    json_i64(j, "ts", e->time - origin);
    json_value_field(j, "value", &(struct detail_argument){.type = counter_type(s), .bits = s->bits});
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void async_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct slice *s = lane_at(async_group_row(async_group(trace_async(trace), e->thread), e->row), e->i);
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "async");
    json_hex(j, "id", d.record.id);
    thread_fields(j, trace, thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", trace_slice_name(trace, s));
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    if (slice_open(s))
        json_word(j, "open", "true");
    json_u64(j, "depth", async_depth(trace_slice_extra(trace), s));
    if (detail_open(&d, trace, e->offset))
        json_arguments(j, "args", &d);
    uint64_t end = slice_extra_end_offset(trace_slice_extra(trace), s);
    if (end != 0 && detail_open(&d, trace, end))
        json_arguments(j, "end_args", &d);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void async_instant_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "async_instant");
    json_hex(j, "id", d.record.id);
    thread_fields(j, trace, thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    json_i64(j, "ts", e->time - origin);
    json_arguments(j, "args", &d);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void sched_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), e->thread);
    const struct slice *s = lane_at(&cpu->lane, e->i);
    uint32_t flags = sched_run(cpu, e->i)->flags;
    struct detail d;
    struct detail_argument a;
    line(j, "sched");
    json_u64(j, "cpu", cpu->number);
    thread_fields(j, trace, sched_run(cpu, e->i)->thread);
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    if (flags & SCHED_KNOWN)
        name_or_number(j, "end_state", sched_state_name(flags & SCHED_LEFT), flags & SCHED_LEFT);
    const char *weight = detail_open(&d, trace, e->offset) ? detail_priority(&d, flags & SCHED_FIRST, &a) : NULL;
    if (weight)
        json_value_field(j, weight, &a);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void state_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct sched_thread *t = sched_thread_at(trace_sched(trace), e->thread);
    const struct slice *s = lane_at(&t->lane, e->i);
    struct detail d;
    struct detail_argument a;
    line(j, "state");
    thread_fields(j, trace, t->thread);
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    name_or_number(j, "state", sched_state_name(sched_state(t, e->i)), sched_state(t, e->i));
    if (sched_woken(t, e->i) && detail_open(&d, trace, e->offset) && detail_find(&d, "waker", &a) &&
        a.type == FXT_ARG_KOID)
        json_value_field(j, "waker", &a);
    end_line(j);
}

static void log_line(struct json *j, struct trace *trace, const struct event_list *t, const struct event_list_entry *e,
                     int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "log");
    thread_fields(j, trace, e->thread);
    json_i64(j, "ts", e->time - origin);
    json_text(j, "message", d.record.payload);
    slice_field(j, trace, t, e->thread, e->time);
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void profile_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    const struct fxt_record *r = &d.record;
    line(j, r->kind == FXT_K_MMAP ? "mmap" : "backtrace");
    json_i64(j, "ts", e->time - origin);
    whose(j, trace, e->thread, &d);
    if (r->kind == FXT_K_MMAP) {
        json_u64(j, "module_id", r->mmap.module_id);
        json_u64(j, "flags", r->mmap.flags);
        json_hex(j, "start", r->mmap.start);
        json_u64(j, "size", r->mmap.size);
        json_hex(j, "virtual_address", r->mmap.address);
    } else {
        json_key(j, "pcs");
        chars_put(j->out, '[');
        for (unsigned i = 0; i < r->backtrace.n; i++) {
            chars_text(j->out, i ? ",\"" : "\"");
            chars_hex(j->out, record_word(r->backtrace.pcs + i, r->swap));
            chars_put(j->out, '"');
        }
        chars_put(j->out, ']');
    }
    json_u64(j, "offset", e->offset);
    end_line(j);
}

static void entry_line(struct json *j, struct trace *trace, const struct event_list *t,
                       const struct event_list_entry *e, int64_t origin) {
    size_t losses;
    switch ((enum event_list_kind)e->kind) {
    case EVENT_LIST_SLICE:
        slice_line(j, trace, e, origin);
        break;
    case EVENT_LIST_INSTANT:
        instant_line(j, trace, t, e, origin);
        break;
    case EVENT_LIST_COUNTER:
        counter_line(j, trace, e, origin);
        break;
    case EVENT_LIST_ASYNC:
        async_line(j, trace, e, origin);
        break;
    case EVENT_LIST_ASYNC_INSTANT:
        async_instant_line(j, trace, e, origin);
        break;
    case EVENT_LIST_SCHED:
        sched_line(j, trace, e, origin);
        break;
    case EVENT_LIST_STATE:
        state_line(j, trace, e, origin);
        break;
    case EVENT_LIST_LOG:
        log_line(j, trace, t, e, origin);
        break;
    case EVENT_LIST_PROFILE:
        profile_line(j, trace, e, origin);
        break;
    case EVENT_LIST_LOST:
        lost_line(j, trace, &trace_lost(trace, &losses)[e->i]);
        break;
    }
}

static void flow_lines(struct json *j, struct trace *trace, const struct event_list *t) {
    static const char *const kinds[] = {"begin", "step", "end"};
    const struct flows *flows = trace_flows(trace);
    struct detail d;
    for (size_t i = 0; i < flow_count(flows); i++) {
        const struct flow *f = flows_at(flows, i);
        struct flow_point p = flow_point(flows, f->first);
        if (!event_list_keeps_flow(t, i) || !detail_open(&d, trace, p.at.offset))
            continue;
        line(j, "flow");
        json_hex(j, "id", p.id);
        json_text(j, "cat", d.category);
        json_text(j, "name", d.name);
        json_text(j, "state", flow_complete(f) ? STR("complete") : f->begun ? STR("no_end") : STR("no_begin"));
        json_key(j, "points");
        for (uint32_t k = f->first; k != NO_POINT; k = flow_link(flows, k)->after) {
            p = flow_point(flows, k);
            chars_text(j->out, k == f->first ? "[{" : ",{");
            j->first = true;
            json_text(j, "kind", str_of(kinds[p.kind]));
            thread_fields(j, trace, p.thread);
            json_i64(j, "ts", p.at.time - trace_origin(trace));
            slice_field(j, trace, t, p.thread, p.at.time);
            json_u64(j, "offset", p.at.offset);
            chars_put(j->out, '}');
        }
        chars_put(j->out, ']');
        j->first = false;
        end_line(j);
    }
}

static void timed_lines(struct json *j, struct trace *trace, const struct question *asked) {
    struct event_list t;
    int64_t origin = trace_origin(trace);
    event_list_init(&t, trace, true);
    event_list_keep(&t, trace, asked);
    for (size_t i = 0; i < t.norder; i++)
        entry_line(j, trace, &t, t.order[i], origin);
    flow_lines(j, trace, &t);
    event_list_free(&t);
}

static void problem_lines(struct json *j, struct trace *trace) {
    const struct problems *problems = trace_problems(trace);
    char buf[96];
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &problems->kinds[kind];
        if (p->count == 0)
            continue;
        line(j, "problem");
        json_text(j, "kind", str_of(problem_name((enum problem_kind)kind)));
        json_u64(j, "count", p->count);
        json_u64(j, "first_offset", p->first_offset);
        json_text(j, "message", str_of(problem_message((enum problem_kind)kind, p, buf)));
        if (problem_is_note((enum problem_kind)kind))
            json_word(j, "note", "true");
        end_line(j);
    }
}

bool export_ndjson_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct chars text = {0};
    struct json j = {.out = &text, .file = out, .first = true};
    errno = 0;
    trace_line(&j, trace);
    identities(&j, trace);
    objects(&j, trace, trace_kernel_objects(trace), false);
    objects(&j, trace, trace_user_objects(trace), true);
    modules(&j, trace);
    blobs(&j, trace);
    timeless_losses(&j, trace);
    timed_lines(&j, trace, asked);
    problem_lines(&j, trace);
    line(&j, "end");
    json_u64(&j, "lines", j.lines);
    end_line(&j);
    chars_write(&text, out);
    vec_free(&text);
    return fflush(out) == 0 && !ferror(out);
}
