/* ndjson.c - all of a trace as ndjson: one JSON object a line (EXPORT 1 to 3).
 *
 * The trace itself comes first, then entries without a time: providers, processes, threads, objects, modules, blobs,
 * losses. Every entry of the event list follows in its order, then flows and problems. Times are written as ns from the
 * origin, offsets as bytes. Names and categories of an entry are decoded again from its record (detail.h). These
 * strings are valid until the next detail_open(), so arguments open the record a second time. */
#include "model/output/ndjson.h"

#include <errno.h>
#include "model/output/event_list.h"
#include "model/output/json.h"
#include "model/output/lines/ndjson_head.h"
#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"

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
    ndjson_head_line(j, "slice");
    json_u64(j, "id", e->id);
    if (e->parent)
        json_u64(j, "parent", e->parent->id);
    ndjson_head_thread(j, trace, e->thread);
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
    ndjson_head_end(j);
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
    ndjson_head_line(j, "instant");
    ndjson_head_thread(j, trace, e->thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    json_i64(j, "ts", e->time - origin);
    if (d.record.kind == FXT_K_INSTANT && d.record.scope.present) {
        uint64_t scope = d.record.scope.value;
        ndjson_head_number(j, "scope", fxt_scope_name(scope), scope);
    }
    json_arguments(j, "args", &d);
    slice_field(j, trace, t, e->thread, e->time);
    json_u64(j, "offset", e->offset);
    ndjson_head_end(j);
}

static void counter_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct counter_series *series = counter_series(trace_counters(trace), e->thread);
    const struct counter_sample *s = &series->samples.v[e->i];
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    ndjson_head_line(j, "counter");
    ndjson_head_thread(j, trace, thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", trace_name(trace, series->name));
    if (!(d.record.faults & FXT_FAULT_NO_TAIL))
        json_u64(j, "id", series->id);
    json_text(j, "series", trace_name(trace, series->argument));
    json_i64(j, "ts", e->time - origin);
    json_value_field(j, "value", &(struct detail_argument){.type = counter_type(s), .bits = s->bits});
    json_u64(j, "offset", e->offset);
    ndjson_head_end(j);
}

static void async_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct slice *s = lane_at(async_group_row(async_group(trace_async(trace), e->thread), e->row), e->i);
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    ndjson_head_line(j, "async");
    json_hex(j, "id", d.record.id);
    ndjson_head_thread(j, trace, thread);
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
    ndjson_head_end(j);
}

static void async_instant_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    ndjson_head_line(j, "async_instant");
    json_hex(j, "id", d.record.id);
    ndjson_head_thread(j, trace, thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    json_i64(j, "ts", e->time - origin);
    json_arguments(j, "args", &d);
    json_u64(j, "offset", e->offset);
    ndjson_head_end(j);
}

static void sched_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), e->thread);
    const struct slice *s = lane_at(&cpu->lane, e->i);
    uint32_t flags = sched_run(cpu, e->i)->flags;
    struct detail d;
    struct detail_argument a;
    ndjson_head_line(j, "sched");
    json_u64(j, "cpu", cpu->number);
    ndjson_head_thread(j, trace, sched_run(cpu, e->i)->thread);
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    if (flags & SCHED_KNOWN)
        ndjson_head_number(j, "end_state", sched_state_name(flags & SCHED_LEFT), flags & SCHED_LEFT);
    const char *weight = detail_open(&d, trace, e->offset) ? detail_priority(&d, flags & SCHED_FIRST, &a) : NULL;
    if (weight)
        json_value_field(j, weight, &a);
    json_u64(j, "offset", e->offset);
    ndjson_head_end(j);
}

static void state_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    const struct sched_thread *t = sched_thread_at(trace_sched(trace), e->thread);
    const struct slice *s = lane_at(&t->lane, e->i);
    struct detail d;
    struct detail_argument a;
    ndjson_head_line(j, "state");
    ndjson_head_thread(j, trace, t->thread);
    json_i64(j, "ts", e->time - origin);
    dur_field(j, s);
    ndjson_head_number(j, "state", sched_state_name(sched_state(t, e->i)), sched_state(t, e->i));
    if (sched_woken(t, e->i) && detail_open(&d, trace, e->offset) && detail_find(&d, "waker", &a) &&
        a.type == FXT_ARG_KOID)
        json_value_field(j, "waker", &a);
    ndjson_head_end(j);
}

static void log_line(struct json *j, struct trace *trace, const struct event_list *t, const struct event_list_entry *e,
                     int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    ndjson_head_line(j, "log");
    ndjson_head_thread(j, trace, e->thread);
    json_i64(j, "ts", e->time - origin);
    json_text(j, "message", d.record.payload);
    slice_field(j, trace, t, e->thread, e->time);
    json_u64(j, "offset", e->offset);
    ndjson_head_end(j);
}

static void profile_line(struct json *j, struct trace *trace, const struct event_list_entry *e, int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    const struct fxt_record *r = &d.record;
    ndjson_head_line(j, r->kind == FXT_K_MMAP ? "mmap" : "backtrace");
    json_i64(j, "ts", e->time - origin);
    ndjson_head_whose(j, trace, e->thread, &d);
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
    ndjson_head_end(j);
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
        ndjson_head_lost(j, trace, &trace_lost(trace, &losses)[e->i]);
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
        ndjson_head_line(j, "flow");
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
            ndjson_head_thread(j, trace, p.thread);
            json_i64(j, "ts", p.at.time - trace_origin(trace));
            slice_field(j, trace, t, p.thread, p.at.time);
            json_u64(j, "offset", p.at.offset);
            chars_put(j->out, '}');
        }
        chars_put(j->out, ']');
        j->first = false;
        ndjson_head_end(j);
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
        ndjson_head_line(j, "problem");
        json_text(j, "kind", str_of(problem_name((enum problem_kind)kind)));
        json_u64(j, "count", p->count);
        json_u64(j, "first_offset", p->first_offset);
        json_text(j, "message", str_of(problem_message((enum problem_kind)kind, p, buf)));
        if (problem_is_note((enum problem_kind)kind))
            json_word(j, "note", "true");
        ndjson_head_end(j);
    }
}

bool export_ndjson_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct chars text = {0};
    struct json j = {.out = &text, .file = out, .first = true};
    errno = 0;
    ndjson_head_write(&j, trace);
    timed_lines(&j, trace, asked);
    problem_lines(&j, trace);
    ndjson_head_line(&j, "end");
    json_u64(&j, "lines", j.lines);
    ndjson_head_end(&j);
    chars_write(&text, out);
    vec_free(&text);
    return fflush(out) == 0 && !ferror(out);
}
