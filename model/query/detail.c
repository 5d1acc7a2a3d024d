/* detail.c - decodes a record again and resolves its names as they were at its place in the file.
 *
 * A record is a few words in memory, and its string indexes are looked up in the provider's tables
 * by offset. A memo spares most of these look-ups: it has the offsets for which each answer holds.
 * Names that need a buffer (of an index without a string) use those of the struct. */
#include "model/query/detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

/* ---- memo ---- */

#define MEMO 1024 /* strings: those of most traces */

struct memo_string { /* the text of a reference from records in the span */
    const struct provider *provider;
    struct index_table_span span;
    struct str text;
    uint16_t ref;
};

struct detail_memo {
    struct provider *provider; /* of records from `from` on, before `to` */
    uint64_t from, to;
    struct memo_string strings[MEMO]; /* by reference, modulo their number */
};

struct detail_memo *detail_memo_new(void) {
    return err_calloc(1, sizeof(struct detail_memo));
}

void detail_memo_free(struct detail_memo *memo) {
    free(memo);
}

static struct provider *provider_of(struct reader *reader, struct detail_memo *m, uint64_t offset) {
    if (offset < m->from || offset >= m->to)
        m->provider = reader_provider_span(reader, offset, &m->from, &m->to);
    return m->provider;
}

static struct str string(struct detail *d, const struct fxt_string *s, char buf[24]) {
    struct reader *reader = trace_reader(d->trace);
    if (d->memo == NULL || s->ref == 0 || s->ref & FXT_INLINE)
        return reader_string(reader, d->provider, s, d->offset, buf);
    struct memo_string *m = &d->memo->strings[s->ref % MEMO];
    if (m->provider == d->provider && m->ref == s->ref && d->offset > m->span.from &&
        d->offset <= m->span.to)
        return m->text;
    *m = (struct memo_string){.provider = d->provider, .ref = s->ref};
    if (reader_string_span(reader, d->provider, s->ref, d->offset, &m->text, &m->span))
        return m->text;
    m->provider = NULL;
    return reader_string(reader, d->provider, s, d->offset, buf);
}

/* ---- records ---- */

bool detail_open_by(struct detail *d, struct trace *trace, uint64_t offset,
                    struct detail_memo *memo) {
    struct reader *reader = trace_reader(trace);
    d->trace = trace;
    d->memo = memo;
    d->offset = offset;
    if (!reader_record_at(reader, offset, &d->record, memo ? NULL : &d->provider))
        return false;
    if (memo)
        d->provider = provider_of(reader, memo, offset);
    d->category = string(d, &d->record.category, d->category_buf);
    d->name = string(d, &d->record.name, d->name_buf);
    return true;
}

bool detail_open(struct detail *d, struct trace *trace, uint64_t offset) {
    return detail_open_by(d, trace, offset, NULL);
}

struct str detail_slice_name(const struct detail *d, bool known, const struct slice *slice) {
    uint32_t name = event_name(slice->begin_word);
    if (name < EVENT_NAME_MAX)
        return trace_name(d->trace, name);
    return known ? d->name : STR("");
}

uint32_t detail_thread(const struct detail *d) {
    return trace_record_thread(d->trace, &d->record, d->provider, d->offset);
}

/* The process of the record's thread, in which pointers have their names. */
static bool process_of(struct detail *d, uint64_t *pid) {
    const struct fxt_thread_ref *t = &d->record.thread;
    unsigned type = FXT_BITS(d->record.header, 0, 3);
    if (type == FXT_KERNEL_OBJECT || type == FXT_SCHEDULING)
        return false; /* no thread is named with their arguments */
    if (t->index == 0) {
        *pid = t->pid;
        return true;
    }
    uint32_t v = index_table_at(&d->provider->threads, t->index, d->offset);
    if (v == 0)
        v = index_table_at(&reader_provider(trace_reader(d->trace), d->provider->shared)->threads,
                           t->index, d->offset);
    if (v == 0)
        return false;
    *pid = threads_id(reader_threads(trace_reader(d->trace)), v - 1)->pid;
    return true;
}

bool detail_argument(struct detail *d, struct fxt_arguments *args, struct detail_argument *a) {
    struct fxt_argument_value v;
    uint32_t name = UINT32_MAX;
    uint64_t pid;
    uint16_t world = reader_world_at(trace_reader(d->trace), d->offset);
    if (record_argument(args, &v) <= 0)
        return false;
    a->type = v.type;
    a->bits = v.bits;
    a->object = STR("");
    a->object_place = UINT32_MAX;
    a->world = world;
    a->name = string(d, &v.name, a->name_buf);
    a->string = STR("");
    if (v.type == FXT_ARG_STRING)
        a->string = string(d, &v.string, a->string_buf);
    else if (v.type == FXT_ARG_BLOB)
        a->string = v.blob;
    if (v.type == FXT_ARG_KOID) {
        name = objects_koid_name(trace_kernel_objects(d->trace), world, v.bits,
                                 objects_taken(a->name));
        a->object_place = objects_find_koid(trace_kernel_objects(d->trace), world, v.bits,
                                            objects_taken(a->name));
    } else if (v.type == FXT_ARG_POINTER && process_of(d, &pid)) {
        name = objects_pointer_name(trace_user_objects(d->trace), world, pid, v.bits);
        a->object_place = objects_find_pointer(trace_user_objects(d->trace), world, pid, v.bits);
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

bool detail_letters(struct detail *d, bool blocked, struct detail_argument *a) {
    return (blocked || reader_ends_by_name(trace_reader(d->trace), d->offset)) &&
           d->record.args.count > 0 && detail_find(d, "state", a) && a->type == FXT_ARG_STRING &&
           !str_eq(a->string, STR("S"));
}

bool detail_labels(struct detail *d, struct trace *trace, const struct process *process,
                   struct detail_argument *a) {
    const struct objects *objects = trace_kernel_objects(trace);
    if (!objects->labelled)
        return false;
    uint32_t i = objects_find_labelled(objects, process->world, process->pid);
    return i != UINT32_MAX && detail_open(d, trace, object_at(objects, i)->offset) &&
           detail_find(d, "labels", a) && a->type == FXT_ARG_STRING && a->string.n > 0;
}

const char *detail_priority(struct detail *d, bool outgoing, struct detail_argument *a) {
    const struct fxt_record *r = &d->record;
    if (r->kind != FXT_K_SWITCH_LEGACY)
        return detail_find(d, outgoing ? "outgoing_weight" : "incoming_weight", a) ? "weight"
                                                                                   : NULL;
    uint64_t priority = outgoing ? r->sched.out_priority : r->sched.in_priority;
    if (reader_ends_by_name(trace_reader(d->trace),
                            d->offset)) /* states of JSON have none: SEMANTICS 10.6 */
        priority = 0;
    *a = (struct detail_argument){.type = FXT_ARG_UINT32, .bits = priority};
    return "priority";
}

bool detail_loss(struct trace *trace, const struct lost *lost, const char *name,
                 struct detail_argument *a) {
    struct detail d;
    uint32_t row, i;
    if (lost->thread == NO_THREAD)
        return false;
    if (detail_open(&d, trace, lost->offset) && detail_find(&d, name, a) &&
        counter_numeric(a->type))
        return true;
    const struct thread *t = trace_thread(trace, lost->thread);
    if (!trace_find_slice(t, lost->time, lost->offset, &row, &i))
        return false;
    uint64_t end =
        slice_extra_end_offset(trace_slice_extra(trace), lane_at(nest_row(&t->nest, row), i));
    return end != 0 && detail_open(&d, trace, end) && detail_find(&d, name, a) &&
           counter_numeric(a->type);
}

static struct str decimal(bool negative, uint64_t n, char buf[64]) {
    buf[0] = '-';
    size_t length = negative + units_decimal(n, buf + negative);
    buf[length] = '\0';
    return (struct str){buf, length};
}

/* A number of at most 15 digits: it is the nearest double to these digits, so they read back as the
 * same, and no other text of 15 digits does. */
static bool short_double(double x, char buf[64], struct str *text) {
    const uint64_t most = 1000000000000000;
    double size = fabs(x);
    if (!(size < 1e9) || (size < 1e-4 && size > 0) || (size == 0 && signbit(x)))
        return false;
    for (uint64_t scale = 1000000; scale <= most && size * (double)scale < (double)most;
         scale *= 10) {
        uint64_t n = (uint64_t)(size * (double)scale + 0.5), fraction = n % scale;
        if (n >= most || (double)n / (double)scale != size)
            continue;
        *text = decimal(x < 0, n / scale, buf);
        char *to = buf + text->n;
        if (fraction > 0)
            *to++ = '.';
        for (uint64_t place = scale / 10; fraction > 0; fraction %= place, place /= 10)
            *to++ = (char)('0' + fraction / place);
        *to = '\0';
        text->n = (size_t)(to - buf);
        return true;
    }
    return false;
}

static struct str double_text(uint64_t bits, char buf[64]) {
    double x;
    struct str text;
    memcpy(&x, &bits, sizeof x);
    if (isnan(x))
        return STR("NaN");
    if (isinf(x))
        return x < 0 ? STR("-Infinity") : STR("Infinity");
    if (short_double(x, buf, &text))
        return text;
    for (int digits = 15; digits <= 17; digits++) { /* the shortest that reads back as the same */
        snprintf(buf, 64, "%.*g", digits, x);
        if (digits == 17 || strtod(buf, NULL) == x)
            break;
    }
    return str_of(buf);
}

struct str detail_value(const struct detail_argument *a, char buf[64]) {
    switch (a->type) {
    case FXT_ARG_NULL:
        return STR("null");
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return decimal(a->bits >> 63, a->bits >> 63 ? 0 - a->bits : a->bits, buf);
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        return decimal(false, a->bits, buf);
    case FXT_ARG_DOUBLE:
        return double_text(a->bits, buf);
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
