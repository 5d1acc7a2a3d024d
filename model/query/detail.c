/* detail.c - decodes a record again and resolves its names as they were at its place in the file.
 *
 * Nothing is cached: a record is a few words in memory, and its string indexes are looked up in the provider's tables
 * by offset. Names that need a buffer (of an index without a string) use those of the struct. */
#include "model/query/detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool detail_open(struct detail *d, struct trace *trace, uint64_t offset) {
    struct reader *reader = trace_reader(trace);
    d->trace = trace;
    d->offset = offset;
    if (!reader_record_at(reader, offset, &d->record, &d->provider))
        return false;
    d->category = reader_string(reader, d->provider, &d->record.category, offset, d->category_buf);
    d->name = reader_string(reader, d->provider, &d->record.name, offset, d->name_buf);
    return true;
}

/* The process of the record's thread, in which pointers have their names. */
static bool process_of(struct detail *d, uint64_t *pid) {
    const struct fxt_thread_ref *t = &d->record.thread;
    if (t->index == 0) {
        *pid = t->pid;
        return true;
    }
    uint32_t v = index_table_at(&d->provider->threads, t->index, d->offset);
    if (v == 0)
        v = index_table_at(&reader_provider(trace_reader(d->trace), 0)->threads, t->index, d->offset);
    if (v == 0)
        return false;
    *pid = threads_id(reader_threads(trace_reader(d->trace)), v - 1)->pid;
    return true;
}

bool detail_argument(struct detail *d, struct fxt_arguments *args, struct detail_argument *a) {
    struct fxt_argument_value v;
    struct reader *reader = trace_reader(d->trace);
    uint32_t name = UINT32_MAX;
    uint64_t pid;
    if (record_argument(args, &v) <= 0)
        return false;
    a->type = v.type;
    a->bits = v.bits;
    a->object = STR("");
    a->object_place = UINT32_MAX;
    a->name = reader_string(reader, d->provider, &v.name, d->offset, a->name_buf);
    a->string = STR("");
    if (v.type == FXT_ARG_STRING)
        a->string = reader_string(reader, d->provider, &v.string, d->offset, a->string_buf);
    else if (v.type == FXT_ARG_BLOB)
        a->string = v.blob;
    if (v.type == FXT_ARG_KOID) {
        name = objects_koid_name(trace_kernel_objects(d->trace), v.bits);
        a->object_place = objects_find_koid(trace_kernel_objects(d->trace), v.bits);
    } else if (v.type == FXT_ARG_POINTER && process_of(d, &pid)) {
        name = objects_pointer_name(trace_user_objects(d->trace), pid, v.bits);
        a->object_place = objects_find_pointer(trace_user_objects(d->trace), pid, v.bits);
    }
    if (name != UINT32_MAX)
        a->object = trace_name(d->trace, name);
    return true;
}

bool detail_find(struct detail *d, const char *name, struct detail_argument *a) {
    struct fxt_arguments args = d->record.args;
    while (detail_argument(d, &args, a))
        if (str_eq(a->name, str_of(name)))
            return true;
    return false;
}

const char *detail_priority(struct detail *d, bool outgoing, struct detail_argument *a) {
    const struct fxt_record *r = &d->record;
    if (r->kind != FXT_K_SWITCH_LEGACY)
        return detail_find(d, outgoing ? "outgoing_weight" : "incoming_weight", a) ? "weight" : NULL;
    *a = (struct detail_argument){.type = FXT_ARG_UINT32,
                                  .bits = outgoing ? r->sched.out_priority : r->sched.in_priority};
    return "priority";
}

bool detail_loss(struct trace *trace, const struct lost *lost, const char *name, struct detail_argument *a) {
    struct detail d;
    uint32_t row, i;
    if (lost->thread == NO_THREAD)
        return false;
    if (detail_open(&d, trace, lost->offset) && detail_find(&d, name, a) && counter_numeric(a->type))
        return true;
    const struct thread *t = trace_thread(trace, lost->thread);
    if (!trace_find_slice(t, lost->time, lost->offset, &row, &i))
        return false;
    uint64_t end = slice_extra_end_offset(trace_slice_extra(trace), lane_at(nest_row(&t->nest, row), i));
    return end != 0 && detail_open(&d, trace, end) && detail_find(&d, name, a) && counter_numeric(a->type);
}

static const char *double_text(uint64_t bits, char buf[64]) {
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isnan(x))
        return "NaN";
    if (isinf(x))
        return x < 0 ? "-Infinity" : "Infinity";
    for (int digits = 15; digits <= 17; digits++) { /* the shortest that reads back as the same */
        snprintf(buf, 64, "%.*g", digits, x);
        if (strtod(buf, NULL) == x)
            break;
    }
    return buf;
}

struct str detail_value(const struct detail_argument *a, char buf[64]) {
    switch (a->type) {
    case FXT_ARG_NULL:
        return STR("null");
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        snprintf(buf, 64, "%" PRId64, (int64_t)a->bits);
        return str_of(buf);
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        snprintf(buf, 64, "%" PRIu64, a->bits);
        return str_of(buf);
    case FXT_ARG_DOUBLE:
        return str_of(double_text(a->bits, buf));
    case FXT_ARG_POINTER:
        snprintf(buf, 64, "0x%" PRIx64, a->bits);
        return str_of(buf);
    case FXT_ARG_BOOL:
        return a->bits ? STR("true") : STR("false");
    case FXT_ARG_STRING:
        return a->string;
    case FXT_ARG_BLOB:
        snprintf(buf, 64, "%zu bytes", a->string.n);
        return str_of(buf);
    default:
        snprintf(buf, 64, "unknown type %u", a->type);
        return str_of(buf);
    }
}
