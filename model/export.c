/* export.c - ndjson. Times leave as ns from the origin, offsets as bytes. */
#include "model/export.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model/build.h"
#include "model/detail.h"
#include "src/text.h"

struct json {
    FILE *out;
    bool first; /* in the object: no comma yet */
    uint64_t lines;
};

static void put(void *ctx, const char *bytes, size_t n) {
    fwrite(bytes, 1, n, ctx);
}

static void string(struct json *j, struct str s) {
    putc('"', j->out);
    text_json(s, put, j->out);
    putc('"', j->out);
}

static void key(struct json *j, const char *name) {
    fprintf(j->out, "%s\"%s\":", j->first ? "" : ",", name);
    j->first = false;
}

static void line(struct json *j, const char *type) {
    putc('{', j->out);
    j->first = true;
    key(j, "type");
    string(j, str_of(type));
    j->lines++;
}

static void end_line(struct json *j) {
    fputs("}\n", j->out);
}

static void text_field(struct json *j, const char *name, struct str s) {
    key(j, name);
    string(j, s);
}

static void u64_field(struct json *j, const char *name, uint64_t v) {
    key(j, name);
    fprintf(j->out, "%" PRIu64, v);
}

static void i64_field(struct json *j, const char *name, int64_t v) {
    key(j, name);
    fprintf(j->out, "%" PRId64, v);
}

static void hex_field(struct json *j, const char *name, uint64_t v) {
    key(j, name);
    fprintf(j->out, "\"0x%" PRIx64 "\"", v);
}

static void true_field(struct json *j, const char *name) {
    key(j, name);
    fputs("true", j->out);
}

static void base64(struct json *j, struct str s) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)s.s;
    putc('"', j->out);
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t b = (uint32_t)p[i] << 16 | (i + 1 < s.n ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < s.n ? p[i + 2] : 0);
        putc(digits[b >> 18], j->out);
        putc(digits[b >> 12 & 63], j->out);
        putc(i + 1 < s.n ? digits[b >> 6 & 63] : '=', j->out);
        putc(i + 2 < s.n ? digits[b & 63] : '=', j->out);
    }
    putc('"', j->out);
}

/* "value", where there is one. */
static void value_field(struct json *j, const char *field, const struct detail_argument *a) {
    char buf[64];
    struct str value = detail_value(a, buf);
    switch (a->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
    case FXT_ARG_BOOL:
        key(j, field);
        fwrite(value.s, 1, value.n, j->out);
        break;
    case FXT_ARG_DOUBLE: {
        double x;
        memcpy(&x, &a->bits, sizeof x);
        key(j, field);
        if (isfinite(x))
            fwrite(value.s, 1, value.n, j->out);
        else
            string(j, value);
        break;
    }
    case FXT_ARG_STRING:
    case FXT_ARG_POINTER:
        text_field(j, field, value);
        break;
    case FXT_ARG_BLOB:
        key(j, field);
        base64(j, a->string);
        break;
    default:
        break;
    }
}

static void argument(struct json *j, const struct detail_argument *a) {
    const char *type = fxt_argument_name(a->type);
    putc('{', j->out);
    j->first = true;
    text_field(j, "name", a->name);
    text_field(j, "type", type ? str_of(type) : STR("unknown"));
    value_field(j, "value", a);
    if (a->object.n > 0)
        text_field(j, "object", a->object);
    putc('}', j->out);
    j->first = false;
}

static void arguments(struct json *j, const char *name, struct detail *d) {
    struct fxt_arguments args = d->record.args;
    struct detail_argument a;
    bool any = false;
    while (detail_argument(d, &args, &a)) {
        if (!any)
            key(j, name);
        putc(any ? ',' : '[', j->out);
        argument(j, &a);
        any = true;
    }
    if (any)
        putc(']', j->out);
}

static void names(struct json *j, struct trace *trace, uint8_t type, uint64_t koid, bool has_pid, uint64_t pid) {
    uint32_t ids[64];
    size_t n = objects_names(&trace->kernel, type, koid, has_pid, pid, ids, 64);
    if (n > 0)
        text_field(j, "name", trace_name(trace, ids[0]));
    if (n > 1) {
        key(j, "names");
        for (size_t i = n - 1; i > 0; i--) {
            putc(i == n - 1 ? '[' : ',', j->out);
            string(j, trace_name(trace, ids[i]));
        }
        putc(']', j->out);
    }
}

static void thread_fields(struct json *j, const struct trace *trace, const struct thread *t) {
    char buf[40];
    bool named;
    switch (t->id.form) {
    case THREAD_UNDEFINED: {
        const struct provider *p = reader_provider(trace->reader, t->id.provider);
        if (!p->implicit)
            u64_field(j, "provider", p->id);
        text_field(j, "thread", trace_thread_name(trace, t, buf, &named));
        break;
    }
    case THREAD_PAIR:
        u64_field(j, "pid", t->id.pid);
        u64_field(j, "tid", t->id.tid);
        break;
    default:
        u64_field(j, "tid", t->id.tid);
        break;
    }
}

/* Modules and mappings may name a process alone. */
static void whose(struct json *j, const struct trace *trace, uint32_t thread, const struct detail *d) {
    if (thread != NO_THREAD)
        thread_fields(j, trace, trace->threads.v[thread]);
    else
        u64_field(j, "pid", d->record.thread.pid);
}

static void hex_string(struct json *j, const char *name, struct str s) {
    key(j, name);
    putc('"', j->out);
    for (size_t i = 0; i < s.n; i++)
        fprintf(j->out, "%02x", (unsigned char)s.s[i]);
    putc('"', j->out);
}

static void trace_line(struct json *j, struct trace *trace) {
    const char *slash = strrchr(trace->path, '/');
    uint64_t tps, base_tick, base_unix_ns;
    bool has_base;
    char digits[40];
    line(j, "trace");
    text_field(j, "file", str_of(slash ? slash + 1 : trace->path));
    u64_field(j, "bytes", file_size(trace->file));
    u64_field(j, "records", reader_records(trace->reader));
    u64_field(j, "events", trace->events);
    if (trace->events > 0) {
        key(j, "origin_ns");
        fputs(wide_text(trace_origin_wide(trace), digits), j->out);
        u64_field(j, "span_ns", (uint64_t)trace_end(trace) - (uint64_t)trace_origin(trace));
    }
    if (reader_init(trace->reader, &tps, &base_tick, &base_unix_ns, &has_base)) {
        u64_field(j, "ticks_per_second", tps);
        if (has_base) {
            u64_field(j, "base_tick", base_tick);
            u64_field(j, "base_unix_ns", base_unix_ns);
        }
    }
    if (reader_big_endian(trace->reader))
        true_field(j, "big_endian");
    if (file_compression(trace->file) != FILE_PLAIN)
        text_field(j, "compressed", file_compression(trace->file) == FILE_GZIP ? STR("gzip") : STR("zstd"));
    end_line(j);
}

static int by_offset(const void *a, const void *b) {
    const struct thread *x = *(struct thread *const *)a, *y = *(struct thread *const *)b;
    return x->id.offset < y->id.offset ? -1 : x->id.offset > y->id.offset;
}

static void identities(struct json *j, struct trace *trace) {
    for (size_t i = 0; i < reader_provider_count(trace->reader); i++) {
        const struct provider *p = reader_provider(trace->reader, i);
        if (p->implicit)
            continue;
        line(j, "provider");
        u64_field(j, "id", p->id);
        text_field(j, "name", p->name);
        end_line(j);
    }
    for (size_t i = 0; i < trace->processes.n; i++) {
        line(j, "process");
        u64_field(j, "pid", trace->processes.v[i]->pid);
        names(j, trace, FXT_OBJECT_PROCESS, trace->processes.v[i]->pid, false, 0);
        end_line(j);
    }
    size_t n = trace->threads.n;
    struct thread **threads = err_malloc((n + 1) * sizeof *threads);
    for (size_t i = 0; i < n; i++)
        threads[i] = trace->threads.v[i];
    qsort(threads, n, sizeof *threads, by_offset);
    for (size_t i = 0; i < n; i++) {
        const struct thread *t = threads[i];
        if (trace_thread_hidden(trace, t))
            continue;
        line(j, "thread");
        thread_fields(j, trace, t);
        if (t->id.form != THREAD_UNDEFINED)
            names(j, trace, FXT_OBJECT_THREAD, t->id.tid, t->id.form == THREAD_PAIR, t->id.pid);
        end_line(j);
    }
    free(threads);
}

static void objects(struct json *j, struct trace *trace, const struct objects *list, bool user) {
    struct detail d;
    char kind[16];
    for (size_t i = 0; i < list->v.n; i++) {
        const struct object *o = &list->v.v[i];
        line(j, user ? "userobject" : "object");
        if (user) {
            if (o->has_process)
                u64_field(j, "pid", o->process);
            hex_field(j, "pointer", o->koid);
        } else {
            u64_field(j, "koid", o->koid);
            const char *name = fxt_object_name(o->type);
            snprintf(kind, sizeof kind, "%u", o->type);
            if (name)
                text_field(j, "kind", str_of(name));
            else
                u64_field(j, "kind", o->type);
        }
        text_field(j, "name", trace_name(trace, o->name));
        if (!user && o->has_process)
            u64_field(j, "pid", o->process);
        if (detail_open(&d, trace, o->offset))
            arguments(j, "args", &d);
        u64_field(j, "offset", o->offset);
        end_line(j);
    }
}

static void module_line(struct json *j, struct trace *trace, const struct occurrence *o) {
    struct detail d;
    if (!detail_open(&d, trace, o->at.offset))
        return;
    line(j, "module");
    i64_field(j, "ts", o->at.time - trace_origin(trace));
    whose(j, trace, o->thread, &d);
    u64_field(j, "id", d.record.module.id);
    text_field(j, "name", d.record.payload);
    hex_string(j, "build_id", d.record.module.build_id);
    u64_field(j, "offset", o->at.offset);
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
    for (size_t i = 0; i < trace->blobs.v.n; i++) {
        const struct blob *b = &trace->blobs.v.v[i];
        const char *kind = blob_kind(b->type);
        line(j, "blob");
        text_field(j, "name", trace_name(trace, b->name));
        if (b->has_category)
            text_field(j, "cat", trace_name(trace, b->category));
        if (kind)
            text_field(j, "kind", str_of(kind));
        else
            u64_field(j, "kind", b->type);
        u64_field(j, "bytes", b->bytes);
        if (b->is_event) {
            i64_field(j, "ts", b->time - trace_origin(trace));
            if (b->thread != NO_THREAD)
                thread_fields(j, trace, trace->threads.v[b->thread]);
        }
        if (detail_open(&d, trace, b->offset))
            arguments(j, "args", &d);
        u64_field(j, "offset", b->offset);
        end_line(j);
    }
}

static void lost_line(struct json *j, struct trace *trace, const struct lost *l) {
    static const struct {
        const char *argument, *field;
    } counts[] = {{"num_records", "records"}, {"num_bytes", "bytes"}};
    const struct provider *p = reader_provider(trace->reader, l->provider);
    struct detail_argument a;
    line(j, "lost");
    if (!p->implicit)
        u64_field(j, "provider", p->id);
    if (l->has_time)
        i64_field(j, "ts", l->time - trace_origin(trace));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (detail_loss(trace, l, counts[i].argument, &a))
            value_field(j, counts[i].field, &a);
    u64_field(j, "offset", l->offset);
    end_line(j);
}

static void timeless_losses(struct json *j, struct trace *trace) {
    for (size_t i = 0; i < trace->lost.n; i++)
        if (!trace->lost.v[i].has_time)
            lost_line(j, trace, &trace->lost.v[i]);
}

/* ---- what has a time ---- */

enum entry_kind {
    ENTRY_SLICE,
    ENTRY_INSTANT,
    ENTRY_COUNTER,
    ENTRY_ASYNC,
    ENTRY_ASYNC_INSTANT,
    ENTRY_SCHED,
    ENTRY_STATE,
    ENTRY_LOG,
    ENTRY_PROFILE,
    ENTRY_LOST,
};

struct entry {
    int64_t time;
    uint64_t offset;
    uint32_t thread; /* or its group, series, CPU, list's place */
    uint32_t row, i;
    uint32_t depth;
    uint8_t kind;
    uint32_t id; /* slices */
};

static int slice_id_order(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int entry_order(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

struct timed {
    VEC(struct entry) v;
    VEC(uint64_t *) row_start; /* by thread: place in v of each row's first slice */
};

static void collect(struct trace *trace, struct timed *t) {
    for (size_t k = 0; k < trace->threads.n; k++) {
        struct thread *th = trace->threads.v[k];
        uint64_t *rows = err_malloc((th->nest.nlanes + 1) * sizeof *rows);
        size_t n;
        for (uint32_t row = 0; row < th->nest.nlanes; row++) {
            const struct lane *lane = &th->nest.lanes[row];
            rows[row] = t->v.n;
            for (uint32_t i = 0; i < lane->n; i++)
                vec_push(&t->v, ((struct entry){.time = lane->v[i].start,
                                                .offset = slice_offset(&lane->v[i]),
                                                .thread = th->number,
                                                .row = row,
                                                .i = i,
                                                .kind = ENTRY_SLICE}));
        }
        vec_push(&t->row_start, rows);
        const struct instant *in = trace_instants(th, &n);
        for (size_t i = 0; i < n; i++)
            vec_push(&t->v, ((struct entry){.time = in[i].time,
                                            .offset = in[i].a % SLICE_WORDS * 8,
                                            .thread = th->number,
                                            .kind = ENTRY_INSTANT}));
    }
}

static void add(struct timed *t, enum entry_kind kind, const struct moment *at, size_t thread, uint32_t row, size_t i) {
    vec_push(&t->v, ((struct entry){.time = at->time, .offset = at->offset & ~UINT64_C(7), .thread = (uint32_t)thread,
                                    .row = row, .i = (uint32_t)i, .kind = (uint8_t)kind}));
}

static void add_lane(struct timed *t, enum entry_kind kind, const struct lane *lane, size_t thread, uint32_t row) {
    for (uint32_t i = 0; i < lane->n; i++)
        add(t, kind, &(struct moment){lane->v[i].start, slice_offset(&lane->v[i])}, thread, row, i);
}

static void collect_others(struct trace *trace, struct timed *t) {
    size_t n;
    for (size_t k = 0; k < trace->async.groups.n; k++) {
        const struct async_group *g = trace->async.groups.v[k];
        for (uint32_t row = 0; row < g->nlanes; row++)
            add_lane(t, ENTRY_ASYNC, &g->lanes[row], k, row);
        for (size_t i = 0; i < g->instants.n; i++)
            add(t, ENTRY_ASYNC_INSTANT, &g->instants.v[i].at, k, 0, i);
    }
    for (size_t k = 0; k < trace->counters.v.n; k++) {
        const struct counter_sample *v = counter_samples(trace->counters.v.v[k], &n);
        for (size_t i = 0; i < n; i++)
            add(t, ENTRY_COUNTER, &v[i].at, k, 0, i);
    }
    for (size_t k = 0; k < trace->sched.cpus.n; k++)
        add_lane(t, ENTRY_SCHED, &trace->sched.cpus.v[k]->lane, k, 0);
    for (size_t k = 0; k < trace->sched.threads.n; k++)
        add_lane(t, ENTRY_STATE, &trace->sched.threads.v[k]->lane, k, 0);
    const struct occurrence *v = trace_logs(trace, &n);
    for (size_t i = 0; i < n; i++)
        add(t, ENTRY_LOG, &v[i].at, v[i].thread, 0, i);
    v = trace_profile(trace, &n);
    for (size_t i = 0; i < n; i++)
        if (v[i].kind != FXT_K_MODULE)
            add(t, ENTRY_PROFILE, &v[i].at, v[i].thread, 0, i);
    for (size_t i = 0; i < trace->lost.n; i++)
        if (trace->lost.v[i].has_time)
            add(t, ENTRY_LOST, &(struct moment){trace->lost.v[i].time, trace->lost.v[i].offset}, 0, 0, i);
}

/* A parent stands in a row above: rows in order, each depth follows from one that is known. */
static void depths(struct trace *trace, struct timed *t) {
    for (size_t k = 0; k < trace->threads.n; k++) {
        const struct nest *nest = &trace->threads.v[k]->nest;
        for (uint32_t row = 0; row < nest->nlanes; row++) {
            for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
                uint32_t prow, p;
                struct entry *e = &t->v.v[t->row_start.v[k][row] + i];
                if (nest_parent(nest, &trace->nest_aside, row, i, &prow, &p))
                    e->depth = t->v.v[t->row_start.v[k][prow] + p].depth + 1;
            }
        }
    }
}

static void dur_field(struct json *j, const struct slice *s) {
    if (!slice_open(s)) {
        i64_field(j, "dur", s->dur);
        return;
    }
    key(j, "dur");
    fputs("null", j->out);
}

static void slice_line(struct json *j, struct trace *trace, const struct timed *t, const struct entry *e,
                       int64_t origin) {
    const struct thread *th = trace->threads.v[e->thread];
    const struct slice *s = &th->nest.lanes[e->row].v[e->i];
    struct detail d;
    uint32_t prow, p;
    bool known = detail_open(&d, trace, e->offset);
    line(j, "slice");
    u64_field(j, "id", e->id);
    if (nest_parent(&th->nest, &trace->nest_aside, e->row, e->i, &prow, &p))
        u64_field(j, "parent", t->v.v[t->row_start.v[e->thread][prow] + p].id);
    thread_fields(j, trace, th);
    text_field(j, "cat", known ? d.category : STR(""));
    text_field(j, "name", trace_name(trace, trace_packed_name(trace, s->a)));
    i64_field(j, "ts", e->time - origin);
    dur_field(j, s);
    u64_field(j, "depth", e->depth);
    if (slice_open(s))
        true_field(j, "open");
    if (known && detail_open(&d, trace, e->offset))
        arguments(j, "args", &d);
    uint64_t end = nest_end_offset(&trace->nest_aside, s);
    if (end != 0 && detail_open(&d, trace, end))
        arguments(j, "end_args", &d);
    u64_field(j, "offset", e->offset);
    end_line(j);
}

/* The slice that an event on a thread is in. */
static void slice_field(struct json *j, struct trace *trace, const struct timed *t, uint32_t thread, int64_t time) {
    uint32_t row, i;
    if (thread != NO_THREAD && nest_at(&trace->threads.v[thread]->nest, &trace->nest_aside, time, &row, &i))
        u64_field(j, "slice", t->v.v[t->row_start.v[thread][row] + i].id);
}

static void instant_line(struct json *j, struct trace *trace, const struct timed *t, const struct entry *e,
                         int64_t origin) {
    static const char *const scopes[] = {"thread", "process", "global"};
    const struct thread *th = trace->threads.v[e->thread];
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "instant");
    thread_fields(j, trace, th);
    text_field(j, "cat", d.category);
    text_field(j, "name", d.name);
    i64_field(j, "ts", e->time - origin);
    if (d.record.scope.present) {
        if (d.record.scope.value < 3)
            text_field(j, "scope", str_of(scopes[d.record.scope.value]));
        else
            u64_field(j, "scope", d.record.scope.value);
    }
    arguments(j, "args", &d);
    slice_field(j, trace, t, e->thread, e->time);
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void counter_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    struct counter_series *series = trace->counters.v.v[e->thread];
    const struct counter_sample *s = &series->samples.v[e->i];
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "counter");
    if (thread != NO_THREAD)
        thread_fields(j, trace, trace->threads.v[thread]);
    text_field(j, "cat", d.category);
    text_field(j, "name", trace_name(trace, series->name));
    if (!(d.record.faults & FXT_FAULT_NO_TAIL))
        u64_field(j, "id", series->id);
    text_field(j, "series", trace_name(trace, series->argument));
    i64_field(j, "ts", e->time - origin);
    value_field(j, "value", &(struct detail_argument){.type = counter_type(s), .bits = s->bits});
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void async_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    const struct slice *s = &trace->async.groups.v[e->thread]->lanes[e->row].v[e->i];
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "async");
    hex_field(j, "id", d.record.id);
    if (thread != NO_THREAD)
        thread_fields(j, trace, trace->threads.v[thread]);
    text_field(j, "cat", d.category);
    text_field(j, "name", trace_name(trace, trace_packed_name(trace, s->a)));
    i64_field(j, "ts", e->time - origin);
    dur_field(j, s);
    if (slice_open(s))
        true_field(j, "open");
    u64_field(j, "depth", async_depth(s));
    if (detail_open(&d, trace, e->offset))
        arguments(j, "args", &d);
    uint64_t end = nest_end_offset(&trace->nest_aside, s);
    if (end != 0 && detail_open(&d, trace, end))
        arguments(j, "end_args", &d);
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void async_instant_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    struct detail d;
    uint32_t thread = trace_thread_at(trace, e->offset);
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "async_instant");
    hex_field(j, "id", d.record.id);
    if (thread != NO_THREAD)
        thread_fields(j, trace, trace->threads.v[thread]);
    text_field(j, "cat", d.category);
    text_field(j, "name", d.name);
    i64_field(j, "ts", e->time - origin);
    arguments(j, "args", &d);
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void state_field(struct json *j, const char *field, uint32_t state) {
    const char *name = sched_state_name(state);
    if (name)
        text_field(j, field, str_of(name));
    else
        u64_field(j, field, state);
}

static void sched_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    const struct sched_cpu *cpu = trace->sched.cpus.v[e->thread];
    const struct slice *s = &cpu->lane.v[e->i];
    uint32_t flags = sched_slice_flags(s);
    struct detail d;
    struct detail_argument a;
    line(j, "sched");
    u64_field(j, "cpu", cpu->number);
    thread_fields(j, trace, trace->threads.v[slice_name(s)]);
    i64_field(j, "ts", e->time - origin);
    dur_field(j, s);
    if (flags & SCHED_KNOWN)
        state_field(j, "end_state", flags & SCHED_LEFT);
    if (detail_open(&d, trace, e->offset)) {
        bool first = flags & SCHED_FIRST;
        if (d.record.kind == FXT_K_SWITCH_LEGACY)
            u64_field(j, "priority", first ? d.record.sched.out_priority : d.record.sched.in_priority);
        else if (detail_find(&d, first ? "outgoing_weight" : "incoming_weight", &a))
            value_field(j, "weight", &a);
    }
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void state_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    const struct sched_thread *t = trace->sched.threads.v[e->thread];
    const struct slice *s = &t->lane.v[e->i];
    struct detail d;
    struct detail_argument a;
    line(j, "state");
    thread_fields(j, trace, trace->threads.v[t->thread]);
    i64_field(j, "ts", e->time - origin);
    dur_field(j, s);
    state_field(j, "state", slice_name(s));
    if ((sched_slice_flags(s) & SCHED_WOKEN) && detail_open(&d, trace, e->offset) && detail_find(&d, "waker", &a) &&
        a.type == FXT_ARG_KOID)
        value_field(j, "waker", &a);
    end_line(j);
}

static void log_line(struct json *j, struct trace *trace, const struct timed *t, const struct entry *e, int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    line(j, "log");
    if (e->thread != NO_THREAD)
        thread_fields(j, trace, trace->threads.v[e->thread]);
    i64_field(j, "ts", e->time - origin);
    text_field(j, "message", d.record.payload);
    slice_field(j, trace, t, e->thread, e->time);
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void profile_line(struct json *j, struct trace *trace, const struct entry *e, int64_t origin) {
    struct detail d;
    if (!detail_open(&d, trace, e->offset))
        return;
    const struct fxt_record *r = &d.record;
    line(j, r->kind == FXT_K_MMAP ? "mmap" : "backtrace");
    i64_field(j, "ts", e->time - origin);
    whose(j, trace, e->thread, &d);
    if (r->kind == FXT_K_MMAP) {
        u64_field(j, "module_id", r->mmap.module_id);
        u64_field(j, "flags", r->mmap.flags);
        hex_field(j, "start", r->mmap.start);
        u64_field(j, "size", r->mmap.size);
        hex_field(j, "virtual_address", r->mmap.address);
    } else {
        key(j, "pcs");
        putc('[', j->out);
        for (unsigned i = 0; i < r->backtrace.n; i++)
            fprintf(j->out, "%s\"0x%" PRIx64 "\"", i ? "," : "", record_word(r->backtrace.pcs + i, r->swap));
        putc(']', j->out);
    }
    u64_field(j, "offset", e->offset);
    end_line(j);
}

static void entry_line(struct json *j, struct trace *trace, const struct timed *t, const struct entry *e, int64_t origin) {
    switch ((enum entry_kind)e->kind) {
    case ENTRY_SLICE:
        slice_line(j, trace, t, e, origin);
        break;
    case ENTRY_INSTANT:
        instant_line(j, trace, t, e, origin);
        break;
    case ENTRY_COUNTER:
        counter_line(j, trace, e, origin);
        break;
    case ENTRY_ASYNC:
        async_line(j, trace, e, origin);
        break;
    case ENTRY_ASYNC_INSTANT:
        async_instant_line(j, trace, e, origin);
        break;
    case ENTRY_SCHED:
        sched_line(j, trace, e, origin);
        break;
    case ENTRY_STATE:
        state_line(j, trace, e, origin);
        break;
    case ENTRY_LOG:
        log_line(j, trace, t, e, origin);
        break;
    case ENTRY_PROFILE:
        profile_line(j, trace, e, origin);
        break;
    case ENTRY_LOST:
        lost_line(j, trace, &trace->lost.v[e->i]);
        break;
    }
}

static void flow_lines(struct json *j, struct trace *trace, const struct timed *t) {
    static const char *const kinds[] = {"begin", "step", "end"};
    const struct flows *flows = &trace->flows;
    struct detail d;
    for (size_t i = 0; i < flows->v.n; i++) {
        const struct flow *f = &flows->v.v[i];
        const struct flow_point *p = &flows->points.v[f->first];
        if (!detail_open(&d, trace, flow_offset(p)))
            continue;
        line(j, "flow");
        hex_field(j, "id", p->id);
        text_field(j, "cat", d.category);
        text_field(j, "name", d.name);
        text_field(j, "state", flow_complete(f) ? STR("complete") : f->begun ? STR("no_end") : STR("no_begin"));
        key(j, "points");
        for (uint32_t k = f->first; k != NO_POINT; k = flows->points.v[k].after) {
            p = &flows->points.v[k];
            fputs(k == f->first ? "[{" : ",{", j->out);
            j->first = true;
            text_field(j, "kind", str_of(kinds[flow_kind(p)]));
            if (p->thread != NO_THREAD)
                thread_fields(j, trace, trace->threads.v[p->thread]);
            i64_field(j, "ts", p->at.time - trace_origin(trace));
            slice_field(j, trace, t, p->thread, p->at.time);
            u64_field(j, "offset", flow_offset(p));
            putc('}', j->out);
        }
        putc(']', j->out);
        j->first = false;
        end_line(j);
    }
}

static void timed_lines(struct json *j, struct trace *trace) {
    struct timed t = {0};
    int64_t origin = trace_origin(trace);
    collect(trace, &t);
    collect_others(trace, &t);
    depths(trace, &t);
    struct entry **order = err_malloc((t.v.n + 1) * sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < t.v.n; i++)
        if (t.v.v[i].kind == ENTRY_SLICE)
            order[n++] = &t.v.v[i];
    qsort(order, n, sizeof *order, slice_id_order);
    for (size_t i = 0; i < n; i++)
        order[i]->id = (uint32_t)i;
    for (n = 0; n < t.v.n; n++)
        order[n] = &t.v.v[n];
    qsort(order, n, sizeof *order, entry_order);
    for (size_t i = 0; i < n; i++)
        entry_line(j, trace, &t, order[i], origin);
    free(order);
    flow_lines(j, trace, &t);
    for (size_t i = 0; i < t.row_start.n; i++)
        free(t.row_start.v[i]);
    vec_free(&t.row_start);
    vec_free(&t.v);
}

static void problem_lines(struct json *j, struct trace *trace) {
    const struct problems *problems = trace_problems(trace);
    char buf[96];
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &problems->kinds[kind];
        if (p->count == 0)
            continue;
        line(j, "problem");
        text_field(j, "kind", str_of(problem_name((enum problem_kind)kind)));
        u64_field(j, "count", p->count);
        u64_field(j, "first_offset", p->first_offset);
        text_field(j, "message", str_of(problem_message((enum problem_kind)kind, p, buf)));
        if (problem_is_note((enum problem_kind)kind))
            true_field(j, "note");
        end_line(j);
    }
}

bool export_ndjson(struct trace *trace, FILE *out) {
    struct json j = {out, true, 0};
    errno = 0;
    trace_line(&j, trace);
    identities(&j, trace);
    objects(&j, trace, &trace->kernel, false);
    objects(&j, trace, &trace->user, true);
    modules(&j, trace);
    blobs(&j, trace);
    timeless_losses(&j, trace);
    timed_lines(&j, trace);
    problem_lines(&j, trace);
    line(&j, "end");
    u64_field(&j, "lines", j.lines);
    end_line(&j);
    return fflush(out) == 0 && !ferror(out);
}
