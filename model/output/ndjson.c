/* ndjson.c - all of a trace as ndjson: one JSON object a line (EXPORT 1 to 3).
 *
 * The trace itself comes first, then entries without a time: providers, processes, threads,
 * objects, modules, blobs, losses. Every entry of the event list follows in its order, then flows
 * and problems. Times are written as ns from the origin, offsets as bytes. Names, categories and
 * arguments of an entry are decoded again from its record (detail.h), by two threads (blocks.h).
 * Another record may replace it in memory, so that of an end is read last. */
#include "model/output/ndjson.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/event_list.h"
#include "model/output/json.h"
#include "model/output/lines/blocks.h"
#include "model/output/lines/ndjson_head.h"
#include "model/store/sched_life.h"
#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"
#include "src/base/units.h"

/* ---- entries with a time ---- */

struct timed { /* shared by both makers */
    struct trace *trace;
    struct event_list list;
    int64_t origin;
    struct chars *owners; /* by thread: its fields */
};

struct maker {
    const struct timed *timed;
    struct detail_memo *memo;
    struct json json;
    char apart[BLOCKS_APART];
};

static bool open_record(struct maker *m, struct detail *d, uint64_t offset) {
    return detail_open_by(d, m->timed->trace, offset, m->memo);
}

static void owner_fields(struct maker *m, uint32_t thread) {
    if (thread == NO_THREAD)
        return;
    const struct chars *owner = &m->timed->owners[thread];
    chars_add(m->json.out, (struct str){owner->v, owner->n});
    m->json.first = false;
}

static void time_field(struct maker *m, const struct event_list_entry *e) {
    json_i64(&m->json, "ts", units_since(m->timed->origin, e->time));
}

static void end_entry(struct maker *m, const struct event_list_entry *e) {
    ndjson_head_offset(&m->json, m->timed->trace, e->offset);
    ndjson_head_end(&m->json);
}

static void dur_field(struct maker *m, const struct slice *s, bool damaged) {
    struct json *j = &m->json;
    if (slice_open(s) || damaged)
        json_word(j, "dur", "null");
    else
        json_i64(j, "dur", slice_dur(s));
    if (damaged)
        json_word(j, "damaged", "true");
    if (damaged && !slice_open(s))
        json_i64(j, "damaged_dur", slice_dur(s));
}

/* The arguments of a slice's begin, which is open unless the name was all that is known of it, and
 * those of its end. */
static void slice_arguments(struct maker *m, uint64_t end, struct detail *d, bool known) {
    if (known)
        json_arguments(&m->json, "args", d);
    if (end != 0 && open_record(m, d, end))
        json_arguments(&m->json, "end_args", d);
}

static void slice_line(struct maker *m, const struct event_list_entry *e) {
    const struct slice *s = event_list_slice(m->timed->trace, e);
    struct json *j = &m->json;
    struct detail d;
    bool known = open_record(m, &d, e->offset);
    ndjson_head_line(j, "slice");
    json_u64(j, "id", e->id);
    if (e->parent)
        json_u64(j, "parent", e->parent->id);
    owner_fields(m, e->thread);
    json_text(j, "cat", known ? d.category : STR(""));
    json_text(j, "name", detail_slice_name(&d, known, s));
    time_field(m, e);
    dur_field(m, s, trace_damaged_slice(m->timed->trace, s));
    json_u64(j, "depth", e->depth);
    if (slice_open(s))
        json_word(j, "open", "true");
    slice_arguments(m, trace_end_record(m->timed->trace, s), &d, known);
    end_entry(m, e);
}

/* The slice that an event on a thread is in. */
static void slice_field(struct maker *m, uint32_t thread, struct moment at, bool arrives) {
    const struct event_list_entry *slice = event_list_point_slice(
        &m->timed->list, m->timed->trace, &(struct trace_point){thread, at, arrives});
    if (slice)
        json_u64(&m->json, "slice", slice->id);
}

static void instant_line(struct maker *m, const struct event_list_entry *e) {
    struct json *j = &m->json;
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    ndjson_head_line(j, "instant");
    owner_fields(m, e->thread);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    time_field(m, e);
    if (d.record.kind == FXT_K_INSTANT && d.record.scope.present) {
        uint64_t scope = d.record.scope.value;
        ndjson_head_number(j, "scope", fxt_scope_name(scope), scope);
    }
    json_arguments(j, "args", &d);
    slice_field(m, e->thread, (struct moment){e->time, e->offset}, false);
    end_entry(m, e);
}

static void counter_line(struct maker *m, const struct event_list_entry *e) {
    struct trace *trace = m->timed->trace;
    struct json *j = &m->json;
    struct counter_series *series = counter_series(trace_counters(trace), e->thread);
    const struct counter_sample *s = &series->samples.v[e->i];
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    ndjson_head_line(j, "counter");
    owner_fields(m, detail_thread(&d));
    json_text(j, "cat", d.category);
    json_text(j, "name", trace_name(trace, series->name));
    if (!(d.record.faults & FXT_FAULT_NO_TAIL))
        json_u64(j, "id", series->id);
    json_text(j, "series", trace_name(trace, series->argument));
    time_field(m, e);
    json_value_field(j, "value",
                     &(struct detail_argument){.type = counter_type(s), .bits = s->bits});
    end_entry(m, e);
}

static void async_line(struct maker *m, const struct event_list_entry *e) {
    struct trace *trace = m->timed->trace;
    struct json *j = &m->json;
    const struct slice *s = event_list_operation(trace, e);
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    ndjson_head_line(j, "async");
    json_hex(j, "id", d.record.id);
    owner_fields(m, detail_thread(&d));
    json_text(j, "cat", d.category);
    json_text(j, "name", detail_slice_name(&d, true, s));
    time_field(m, e);
    dur_field(m, s, trace_damaged_slice(m->timed->trace, s));
    if (slice_open(s))
        json_word(j, "open", "true");
    json_u64(j, "depth", async_depth(trace_slice_extra(trace), s));
    slice_arguments(m, slice_extra_end_offset(trace_slice_extra(trace), s), &d, true);
    end_entry(m, e);
}

static void async_instant_line(struct maker *m, const struct event_list_entry *e) {
    struct json *j = &m->json;
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    ndjson_head_line(j, "async_instant");
    json_hex(j, "id", d.record.id);
    owner_fields(m, detail_thread(&d));
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    time_field(m, e);
    json_arguments(j, "args", &d);
    end_entry(m, e);
}

static void sched_line(struct maker *m, const struct event_list_entry *e) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(m->timed->trace), e->thread);
    const struct slice *s = lane_at(&cpu->lane, e->i);
    struct json *j = &m->json;
    uint32_t flags = sched_flags(cpu, e->i);
    struct detail d;
    struct detail_argument a;
    ndjson_head_line(j, "sched");
    json_u64(j, "cpu", cpu->number);
    owner_fields(m, sched_run(cpu, e->i).thread);
    time_field(m, e);
    dur_field(m, s, trace_damaged_run(m->timed->trace, &cpu->lane, e->i));
    if (flags & SCHED_KNOWN)
        ndjson_head_number(j, "end_state", sched_state_name(flags & SCHED_LEFT),
                           flags & SCHED_LEFT);
    const char *weight =
        open_record(m, &d, e->offset) ? detail_priority(&d, flags & SCHED_FIRST, &a) : NULL;
    if (weight)
        json_value_field(j, weight, &a);
    end_entry(m, e);
}

/* Adds the reason of a wait, if the record of the state has it as arguments. */
static void wait_fields(struct maker *m, const struct sched_thread *t,
                        const struct event_list_entry *e) {
    struct detail d;
    struct detail_argument a;
    if (sched_state(t, e->i) == SCHED_RUNNING || !open_record(m, &d, e->offset) ||
        d.record.args.count == 0)
        return;
    if (sched_life_word(t, e->i) == SCHED_BLOCKED && detail_letters(&d, true, &a))
        json_text(&m->json, "wait", a.string);
    if (detail_find(&d, "io_wait", &a))
        json_value_field(&m->json, "io_wait", &a);
    if (detail_find(&d, "blocked_function", &a))
        json_value_field(&m->json, "blocked_function", &a);
}

static void state_line(struct maker *m, const struct event_list_entry *e) {
    const struct sched_thread *t = sched_thread_at(trace_sched(m->timed->trace), e->thread);
    const struct slice *s = lane_at(&t->lane, e->i);
    uint32_t state = sched_life_word(t, e->i);
    struct json *j = &m->json;
    struct detail d;
    struct detail_argument a;
    ndjson_head_line(j, "state");
    owner_fields(m, t->thread);
    time_field(m, e);
    dur_field(m, s, sched_damaged(t, e->i));
    ndjson_head_number(j, "state", sched_state_name(state), state);
    if (sched_woken(t, e->i) && open_record(m, &d, e->offset) && detail_find(&d, "waker", &a) &&
        a.type == FXT_ARG_KOID)
        json_value_field(j, "waker", &a);
    wait_fields(m, t, e);
    ndjson_head_file(j, m->timed->trace, e->offset);
    ndjson_head_end(j);
}

static void log_line(struct maker *m, const struct event_list_entry *e) {
    struct json *j = &m->json;
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    ndjson_head_line(j, "log");
    owner_fields(m, e->thread);
    time_field(m, e);
    json_text(j, "message", d.record.payload);
    slice_field(m, e->thread, (struct moment){e->time, e->offset}, false);
    end_entry(m, e);
}

static void profile_line(struct maker *m, const struct event_list_entry *e) {
    struct json *j = &m->json;
    struct detail d;
    if (!open_record(m, &d, e->offset))
        return;
    const struct fxt_record *r = &d.record;
    ndjson_head_line(j, r->kind == FXT_K_MMAP ? "mmap" : "backtrace");
    time_field(m, e);
    ndjson_head_whose(j, m->timed->trace, e->thread, &d);
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
    end_entry(m, e);
}

static void entry_line(struct maker *m, const struct event_list_entry *e) {
    size_t losses;
    switch ((enum event_list_kind)e->kind) {
    case EVENT_LIST_SLICE:
        slice_line(m, e);
        break;
    case EVENT_LIST_INSTANT:
        instant_line(m, e);
        break;
    case EVENT_LIST_COUNTER:
        counter_line(m, e);
        break;
    case EVENT_LIST_ASYNC:
        async_line(m, e);
        break;
    case EVENT_LIST_ASYNC_INSTANT:
        async_instant_line(m, e);
        break;
    case EVENT_LIST_SCHED:
        sched_line(m, e);
        break;
    case EVENT_LIST_STATE:
        state_line(m, e);
        break;
    case EVENT_LIST_LOG:
        log_line(m, e);
        break;
    case EVENT_LIST_PROFILE:
        profile_line(m, e);
        break;
    case EVENT_LIST_LOST:
        ndjson_head_lost(&m->json, m->timed->trace, &trace_lost(m->timed->trace, &losses)[e->i]);
        break;
    }
}

static void make_entries(void *hand, uint64_t from, uint64_t to, struct chars *out) {
    struct maker *m = hand;
    m->json.out = out;
    for (uint64_t i = from; i < to; i++)
        entry_line(m, m->timed->list.order[i]);
}

static void flow_line(struct maker *m, uint32_t i) {
    static const char *const kinds[] = {"begin", "step", "end"};
    const struct flows *flows = trace_flows(m->timed->trace);
    const struct flow *f = flows_at(flows, i);
    struct flow_point p = flow_point(flows, f->first);
    struct json *j = &m->json;
    struct detail d;
    if (!event_list_keeps_flow(&m->timed->list, i) || !open_record(m, &d, p.at.offset))
        return;
    ndjson_head_line(j, "flow");
    json_hex(j, "id", p.id);
    json_text(j, "cat", d.category);
    json_text(j, "name", d.name);
    struct str half = f->begun ? STR("no_end") : STR("no_begin");
    json_text(j, "state", flow_complete(f) ? STR("complete") : half);
    json_key(j, "points");
    for (uint32_t k = f->first; k != NO_POINT; k = flow_link(flows, k)->after) {
        p = flow_point(flows, k);
        chars_text(j->out, k == f->first ? "[{" : ",{");
        j->first = true;
        json_text(j, "kind", str_of(kinds[p.kind]));
        owner_fields(m, p.thread);
        json_i64(j, "ts", units_since(m->timed->origin, p.at.time));
        if (trace_damaged_point(m->timed->trace, k)) /* its hops are in no sum */
            json_word(j, "damaged", "true");
        slice_field(m, p.thread, p.at, p.kind != FLOW_BEGIN);
        ndjson_head_offset(j, m->timed->trace, p.at.offset);
        chars_put(j->out, '}');
    }
    chars_put(j->out, ']');
    j->first = false;
    ndjson_head_end(j);
}

static void make_flows(void *hand, uint64_t from, uint64_t to, struct chars *out) {
    struct maker *m = hand;
    m->json.out = out;
    for (uint64_t i = from; i < to; i++)
        flow_line(m, (uint32_t)i);
}

static void make_owners(struct timed *timed) {
    size_t n = trace_thread_count(timed->trace);
    timed->owners = err_calloc(n + 1, sizeof *timed->owners);
    for (size_t i = 0; i < n; i++)
        ndjson_head_thread(&(struct json){.out = &timed->owners[i]}, timed->trace, (uint32_t)i);
}

static void free_owners(struct timed *timed) {
    for (size_t i = 0; i < trace_thread_count(timed->trace); i++)
        vec_free(&timed->owners[i]);
    free(timed->owners);
}

static void timed_lines(struct json *j, struct trace *trace, const struct question *asked,
                        FILE *out) {
    struct timed timed = {.trace = trace, .origin = trace_origin(trace)};
    struct maker makers[BLOCKS_HANDS];
    void *hands[BLOCKS_HANDS];
    event_list_init(&timed.list, trace, true);
    event_list_keep(&timed.list, trace, asked);
    make_owners(&timed);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        makers[i] =
            (struct maker){.timed = &timed, .memo = detail_memo_new(), .json = {.first = true}};
        hands[i] = &makers[i];
    }
    blocks_write(trace_share(trace), make_entries, hands, timed.list.norder, out);
    blocks_write(trace_share(trace), make_flows, hands, flow_count(trace_flows(trace)), out);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        j->lines += makers[i].json.lines;
        detail_memo_free(makers[i].memo);
    }
    free_owners(&timed);
    event_list_free(&timed.list);
}

static void problems_of(struct json *j, struct trace *trace, const struct problems *problems,
                        uint64_t begin, const char *file) {
    char buf[TRACE_PROBLEM_TEXT];
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &problems->kinds[kind];
        if (p->count == 0)
            continue;
        ndjson_head_line(j, "problem");
        json_text(j, "kind", str_of(problem_name((enum problem_kind)kind)));
        json_u64(j, "count", p->count);
        json_u64(j, "first_offset", p->first_offset - begin);
        json_text(j, "message", str_of(trace_problem_message(trace, kind, p, buf)));
        if (problem_is_note((enum problem_kind)kind))
            json_word(j, "note", "true");
        if (file)
            json_text(j, "trace", str_of(file));
        ndjson_head_end(j);
    }
}

static void problem_lines(struct json *j, struct trace *trace) {
    const struct problems *problems = trace_problems(trace);
    bool several = trace_files(trace) > 1;
    if (!several)
        problems_of(j, trace, problems, 0, NULL);
    for (size_t i = 0; i < trace_files(trace) && several && problems->files; i++) {
        struct file_part part;
        trace_file_part(trace, i, &part);
        problems_of(j, trace, &problems->files[i], part.begin, trace_file_name(trace, i));
    }
}

bool export_ndjson_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct chars text = {0};
    struct json j = {.out = &text, .file = out, .first = true};
    errno = 0;
    ndjson_head_write(&j, trace);
    chars_write(&text, out);
    timed_lines(&j, trace, asked, out);
    problem_lines(&j, trace);
    ndjson_head_line(&j, "end");
    json_u64(&j, "lines", j.lines);
    ndjson_head_end(&j);
    chars_write(&text, out);
    vec_free(&text);
    return fflush(out) == 0 && !ferror(out);
}
