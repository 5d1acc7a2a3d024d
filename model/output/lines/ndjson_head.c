/* ndjson_head.c - the first lines of ndjson (EXPORT 1 to 3): the trace itself, then entries without
 * a time, that is providers, processes, threads, objects, modules, blobs, losses. */
#include "model/output/lines/ndjson_head.h"

#include <stdlib.h>

#include "model/output/event_list.h"
#include "src/base/units.h"

void ndjson_head_line(struct json *j, const char *type) {
    chars_put(j->out, '{');
    j->first = true;
    json_key(j, "type");
    json_string(j, str_of(type));
    j->lines++;
}

void ndjson_head_end(struct json *j) {
    chars_text(j->out, "}\n");
    json_write(j);
}

/* The name of a number, or the number if it has none. */
void ndjson_head_number(struct json *j, const char *field, const char *name, uint64_t number) {
    if (name)
        json_text(j, field, str_of(name));
    else
        json_u64(j, field, number);
}

void ndjson_head_file(struct json *j, const struct trace *trace, uint64_t offset) {
    if (trace_files(trace) > 1)
        json_text(j, "trace", str_of(trace_file_name(trace, trace_record_file(trace, offset))));
}

void ndjson_head_offset(struct json *j, const struct trace *trace, uint64_t offset) {
    struct file_part part = {.begin = 0};
    if (trace_files(trace) > 1)
        trace_file_part(trace, trace_record_file(trace, offset), &part);
    json_u64(j, "offset", offset - part.begin);
    ndjson_head_file(j, trace, offset);
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
void ndjson_head_thread(struct json *j, const struct trace *trace, uint32_t thread) {
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
void ndjson_head_whose(struct json *j, const struct trace *trace, uint32_t thread,
                       const struct detail *d) {
    ndjson_head_thread(j, trace, thread);
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
    ndjson_head_line(j, "trace");
    json_text(j, "file", str_of(slash ? slash + 1 : trace_path(trace)));
    json_u64(j, "bytes", file_size(trace_file(trace)));
    json_u64(j, "records", reader_records(trace_reader(trace)));
    json_u64(j, "events", trace_events(trace));
    if (trace_events(trace) > 0) {
        json_key(j, "origin_ns");
        chars_text(j->out, wide_text(trace_origin_wide(trace), digits));
        bool part = trace_is_part(trace);
        json_u64(j, "span_ns",
                 (uint64_t)(part ? trace_end(trace) : trace_last(trace)) -
                     (uint64_t)(part ? trace_begin(trace) : trace_origin(trace)));
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
        json_text(j, "compressed",
                  file_compression(trace_file(trace)) == FILE_GZIP ? STR("gzip") : STR("zstd"));
    if (file_imported(trace_file(trace)))
        json_text(j, "made_from", str_of(file_imported(trace_file(trace))));
    ndjson_head_end(j);
}

/* A line for each file of several. */
static void file_line(struct json *j, const struct trace *trace, size_t file) {
    const char *path = trace_file_path(trace, file), *slash = strrchr(path, '/');
    const struct align_part *aligned = trace_aligned(trace, file);
    struct file_part part;
    int64_t from, to;
    trace_file_part(trace, file, &part);
    ndjson_head_line(j, "file");
    json_text(j, "file", str_of(slash ? slash + 1 : path));
    json_u64(j, "bytes", part.end - part.begin);
    json_u64(j, "events", trace_file_events(trace, file));
    if (trace_file_span(trace, file, &from, &to)) {
        json_i64(j, "ts", units_since(trace_origin(trace), from));
        json_i64(j, "dur", units_since(from, to));
    }
    json_i64(j, "shift_ns", trace_move(trace, file));
    json_text(j, "method", str_of(align_text(aligned->method)));
    json_u64(j, "host", trace_file_world(trace, file));
    json_text(j, "trace", str_of(trace_file_name(trace, file)));
    ndjson_head_end(j);
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
        ndjson_head_line(j, "provider");
        json_u64(j, "id", p->id);
        json_text(j, "name", p->name);
        ndjson_head_file(j, trace, p->offset);
        ndjson_head_end(j);
    }
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        ndjson_head_line(j, "process");
        json_u64(j, "pid", trace_process(trace, i)->pid);
        names(j, trace,
              (struct object_owner){trace_process(trace, i)->pid, FXT_OBJECT_PROCESS, false, 0,
                                    trace_process(trace, i)->world});
        ndjson_head_file(j, trace, trace_process(trace, i)->offset);
        ndjson_head_end(j);
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
        ndjson_head_line(j, "thread");
        ndjson_head_thread(j, trace, t->number);
        if (t->id.form != THREAD_UNDEFINED)
            names(j, trace,
                  (struct object_owner){t->id.tid, FXT_OBJECT_THREAD, t->id.form == THREAD_PAIR,
                                        t->id.pid, t->id.world});
        ndjson_head_file(j, trace, t->id.offset);
        ndjson_head_end(j);
    }
    free(threads);
}

static void objects(struct json *j, struct trace *trace, const struct objects *list, bool user) {
    struct detail d;
    for (size_t i = 0; i < list->v.n; i++) {
        const struct object *o = &list->v.v[i];
        ndjson_head_line(j, user ? "userobject" : "object");
        if (user) {
            if (o->has_process)
                json_u64(j, "pid", o->process);
            json_hex(j, "pointer", o->koid);
        } else {
            json_u64(j, "koid", o->koid);
            ndjson_head_number(j, "kind", fxt_object_name(o->type), o->type);
        }
        json_text(j, "name", trace_name(trace, o->name));
        if (!user && o->has_process)
            json_u64(j, "pid", o->process);
        if (detail_open(&d, trace, o->offset))
            json_arguments(j, "args", &d);
        ndjson_head_offset(j, trace, o->offset);
        ndjson_head_end(j);
    }
}

static void module_line(struct json *j, struct trace *trace, const struct occurrence *o) {
    struct detail d;
    if (!detail_open(&d, trace, o->at.offset) || d.record.kind != o->kind)
        return;
    ndjson_head_line(j, "module");
    json_i64(j, "ts", units_since(trace_origin(trace), o->at.time));
    ndjson_head_whose(j, trace, o->thread, &d);
    json_u64(j, "id", d.record.module.id);
    json_text(j, "name", d.record.payload);
    hex_string(j, "build_id", d.record.module.build_id);
    ndjson_head_offset(j, trace, o->at.offset);
    ndjson_head_end(j);
}

static int occurrence_order(const void *a, const void *b) {
    const struct occurrence *x = *(const struct occurrence *const *)a,
                            *y = *(const struct occurrence *const *)b;
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
        ndjson_head_line(j, "blob");
        json_text(j, "name", trace_name(trace, b->name));
        if (b->has_category)
            json_text(j, "cat", trace_name(trace, b->category));
        ndjson_head_number(j, "kind", blob_kind(b->type), b->type);
        json_u64(j, "bytes", b->bytes);
        if (b->is_event) {
            json_i64(j, "ts", units_since(trace_origin(trace), b->time));
            ndjson_head_thread(j, trace, b->thread);
        }
        if (detail_open(&d, trace, b->offset))
            json_arguments(j, "args", &d);
        ndjson_head_offset(j, trace, b->offset);
        ndjson_head_end(j);
    }
}

void ndjson_head_lost(struct json *j, struct trace *trace, const struct lost *l) {
    static const struct {
        const char *argument, *field;
    } counts[] = {{"num_records", "records"}, {"num_bytes", "bytes"}};
    const struct provider *p = reader_provider(trace_reader(trace), l->provider);
    struct detail_argument a;
    ndjson_head_line(j, "lost");
    if (!p->implicit)
        json_u64(j, "provider", p->id);
    if (l->has_time)
        json_i64(j, "ts", units_since(trace_origin(trace), l->time));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (detail_loss(trace, l, counts[i].argument, &a))
            json_value_field(j, counts[i].field, &a);
    ndjson_head_offset(j, trace, l->offset);
    ndjson_head_end(j);
}

static void timeless_losses(struct json *j, struct trace *trace) {
    size_t n;
    const struct lost *lost = trace_lost(trace, &n);
    for (size_t i = 0; i < n; i++)
        if (!lost[i].has_time)
            ndjson_head_lost(j, trace, &lost[i]);
}

void ndjson_head_write(struct json *j, struct trace *trace) {
    trace_line(j, trace);
    for (size_t i = 0; i < trace_files(trace) && trace_files(trace) > 1; i++)
        file_line(j, trace, i);
    identities(j, trace);
    objects(j, trace, trace_kernel_objects(trace), false);
    objects(j, trace, trace_user_objects(trace), true);
    modules(j, trace);
    blobs(j, trace);
    timeless_losses(j, trace);
}
