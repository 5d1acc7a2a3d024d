/* dissect_field.c - see part.h. */
#include "model/query/dissect_field.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "src/base/text.h"
#include "src/base/units.h"

/* ---- text ---- */

void dissect_field_put(struct dissect_cursor *w, const char *s, size_t n) {
    vec_reserve(&w->a->text, w->a->text.n + n);
    memcpy(w->a->text.v + w->a->text.n, s, n);
    w->a->text.n += n;
}

static uint32_t text_start(struct dissect_cursor *w) {
    return (uint32_t)w->a->text.n;
}

static void text_end(struct dissect_cursor *w) {
    dissect_field_put(w, "", 1);
}

static uint32_t text_of(struct dissect_cursor *w, const char *fmt, va_list ap) {
    char text[160];
    uint32_t start = text_start(w);
    vsnprintf(text, sizeof text, fmt, ap);
    dissect_field_put(w, text, strlen(text) + 1);
    return start;
}

static void say_safe(struct dissect_cursor *w, struct str s, unsigned flags) {
    struct text t = text_begin(s, w->place->text | flags);
    struct glyph g;
    char bytes[4];
    while (text_next(&t, &g))
        for (int i = 0; i < 3 && g.cp[i]; i++)
            dissect_field_put(w, bytes, text_utf8(g.cp[i], bytes));
}

/* ---- fields ---- */

static struct dissect_field *field(struct dissect_cursor *w, size_t i) {
    return &w->a->v.v[i];
}

void dissect_field_fault(struct dissect_cursor *w, size_t i, enum dissect_fault what, const char *why) {
    if (w->cut && what == DISSECT_CONTENTS) { /* they may fit: what is missing is the file's end */
        what = DISSECT_NO_RECORD;
        why = "cut off";
    }
    w->a->faults |= 1u << what;
    if (i != DISSECT_FIELD_NONE && field(w, i)->why == NULL) {
        field(w, i)->fault = (uint8_t)what;
        field(w, i)->why = why;
    }
}

size_t dissect_field_add(struct dissect_cursor *w, enum dissect_unit unit, uint64_t bit, uint64_t bits,
                         const char *name) {
    vec_push(&w->a->v, ((struct dissect_field){.bit = bit, .bits = bits, .unit = (uint8_t)unit, .name = name}));
    return w->a->v.n - 1;
}

/* What is said beside the value, where anybody reads it. */
static void raw(struct dissect_cursor *w, size_t i, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void raw(struct dissect_cursor *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->raw = text_of(w, fmt, ap);
    va_end(ap);
}

void dissect_field_note(struct dissect_cursor *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->note = text_of(w, fmt, ap);
    va_end(ap);
}

/* Most fields are such, and --records prints all of a trace: so without printf. */
static void number(struct dissect_cursor *w, size_t i, uint64_t n, unsigned base, const char *prefix,
                   const char *suffix) {
    char digits[24], *p = digits + sizeof digits;
    do
        *--p = "0123456789abcdef"[n % base];
    while ((n /= base) > 0);
    field(w, i)->value = text_start(w);
    dissect_field_put(w, prefix, strlen(prefix));
    dissect_field_put(w, p, (size_t)(digits + sizeof digits - p));
    dissect_field_put(w, suffix, strlen(suffix) + 1);
}

static void decimal(struct dissect_cursor *w, size_t i, uint64_t n) {
    number(w, i, n, 10, "", "");
}

void dissect_field_hexadecimal(struct dissect_cursor *w, size_t i, uint64_t n) {
    number(w, i, n, 16, "0x", "");
}

static void pair(struct dissect_cursor *w, size_t i, uint64_t a, uint64_t b) {
    number(w, i, a, 10, "", "/");
    uint32_t start = field(w, i)->value;
    w->a->text.n--; /* the NUL */
    decimal(w, i, b);
    field(w, i)->value = start;
}

void dissect_field_byte_count(struct dissect_cursor *w, size_t i, uint64_t n) {
    number(w, i, n, 10, "", n == 1 ? " byte" : " bytes");
}

void dissect_field_hex_bytes(struct dissect_cursor *w, size_t i, const unsigned char *bytes, uint64_t n) {
    static const char digits[] = "0123456789abcdef";
    field(w, i)->value = text_start(w);
    for (uint64_t k = 0; k < n; k++) {
        const char hex[2] = {digits[bytes[k] >> 4], digits[bytes[k] & 15]};
        dissect_field_put(w, hex, 2);
    }
    text_end(w);
}

void dissect_field_show(struct dissect_cursor *w, size_t i) {
    field(w, i)->line = DISSECT_SHOWN;
}

void dissect_field_text_value(struct dissect_cursor *w, size_t i, struct str s) {
    field(w, i)->quoted = true;
    field(w, i)->value = text_start(w);
    say_safe(w, s, 0);
    text_end(w);
}

static void note_name(struct dissect_cursor *w, size_t i, uint32_t name) {
    if (name == UINT32_MAX)
        return;
    field(w, i)->note = text_start(w);
    say_safe(w, trace_name(w->place->trace, name), TEXT_TRACK);
    text_end(w);
}

/* Bits lo..hi of word `word`, whose value is `of`, as a decimal number. */
size_t dissect_field_bits(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi,
                          const char *name) {
    size_t i = dissect_field_add(w, DISSECT_BITS, word * 64 + lo, hi - lo + 1, name);
    decimal(w, i, FXT_BITS(of, lo, hi));
    return i;
}

size_t dissect_field_header(struct dissect_cursor *w, unsigned lo, unsigned hi, const char *name) {
    return dissect_field_bits(w, 0, w->r.header, lo, hi, name);
}

void dissect_field_reserved(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi) {
    size_t i = dissect_field_bits(w, word, of, lo, hi, "reserved");
    if (FXT_BITS(of, lo, hi) == 0)
        return;
    dissect_field_hexadecimal(w, i, FXT_BITS(of, lo, hi));
    dissect_field_fault(w, i, DISSECT_RESERVED, "reserved bits are set");
}

size_t dissect_field_undecoded(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi) {
    size_t i = dissect_field_add(w, DISSECT_BITS, word * 64 + lo, hi - lo + 1, "not decoded");
    dissect_field_hexadecimal(w, i, FXT_BITS(of, lo, hi));
    return i;
}

uint64_t dissect_field_left(const struct dissect_cursor *w) {
    return w->avail - w->at;
}

uint64_t dissect_field_words_of(uint64_t n) {
    return n / 8 + (n % 8 != 0);
}

size_t dissect_field_run(struct dissect_cursor *w, uint64_t n, const char *name) {
    size_t i = dissect_field_add(w, DISSECT_WORDS, w->at * 64, n * 64, name);
    number(w, i, n, 10, "", n == 1 ? " word" : " words");
    w->at += n;
    return i;
}

/* What follows in the record cannot be told. */
void dissect_field_rest_undecoded(struct dissect_cursor *w) {
    if (dissect_field_left(w) > 0)
        dissect_field_run(w, dissect_field_left(w), "not decoded");
}

/* Something that the header promises is not there: said where the size is. */
bool dissect_field_lacks(struct dissect_cursor *w, const char *why) {
    dissect_field_fault(w, 1, DISSECT_CONTENTS, why);
    dissect_field_rest_undecoded(w);
    return false;
}

/* One word, in decimal; false where the record has no more. */
bool dissect_field_word(struct dissect_cursor *w, const char *name, const char *why, uint64_t *value, size_t *i) {
    if (dissect_field_left(w) == 0)
        return dissect_field_lacks(w, why);
    *value = record_word(w->words + w->at, w->swap);
    *i = dissect_field_add(w, DISSECT_WORDS, w->at++ * 64, 64, name);
    decimal(w, *i, *value);
    return true;
}

bool dissect_field_shown_word(struct dissect_cursor *w, const char *name, const char *why, bool hex, size_t *i) {
    uint64_t value;
    if (!dissect_field_word(w, name, why, &value, i))
        return false;
    if (hex)
        dissect_field_hexadecimal(w, *i, value);
    dissect_field_show(w, *i);
    return true;
}

/* `n` bytes, and the zeros that fill their last word; the caller knows that they are there. */
size_t dissect_field_stream(struct dissect_cursor *w, uint64_t n, const char *name) {
    uint64_t start = w->at;
    size_t i = dissect_field_add(w, DISSECT_STREAM, start * 64, n * 8, name);
    w->at += dissect_field_words_of(n);
    if (n % 8 == 0)
        return i;
    size_t pad = dissect_field_add(w, DISSECT_STREAM, start * 64 + n * 8, (8 - n % 8) * 8, "padding");
    uint64_t zero = record_word(w->words + w->at - 1, false) >> n % 8 * 8;
    dissect_field_byte_count(w, pad, 8 - n % 8);
    if (zero != 0)
        dissect_field_fault(w, pad, DISSECT_RESERVED, "padding is not zero");
    return i;
}

/* Bytes that may be more than are at hand (large records): their text is not needed. */
void dissect_field_contents(struct dissect_cursor *w, size_t length, uint64_t declared) {
    uint64_t most = (w->size - w->at) * 8, n = declared < most ? declared : most,
             end = w->at + dissect_field_words_of(n);
    if (declared > most)
        dissect_field_fault(w, length, DISSECT_CONTENTS, "the contents exceed the record");
    if (end <= w->avail) {
        size_t i = dissect_field_stream(w, n, "contents");
        dissect_field_byte_count(w, i, n);
        return;
    }
    uint64_t here = dissect_field_left(w) * 8;
    size_t i = dissect_field_add(w, DISSECT_STREAM, w->at * 64, here * 8, "contents");
    dissect_field_byte_count(w, i, n);
    w->at = w->avail;
}

void dissect_field_extra(struct dissect_cursor *w) {
    if (dissect_field_left(w) > 0)
        dissect_field_fault(
            w, dissect_field_run(w, dissect_field_left(w), dissect_field_left(w) == 1 ? "extra word" : "extra words"),
            DISSECT_EXTRA, "longer than the known contents");
}

/* ---- references ---- */

static struct str resolve(struct dissect_cursor *w, const struct fxt_string *s, char buf[24]) {
    return w->place->trace ? reader_string(w->place->reader, w->provider, s, w->offset, buf)
                           : reader_string_now(w->place->reader, s, buf);
}

/* s: as it was decoded; an inline one that was not has no bytes. */
size_t dissect_field_string_ref(struct dissect_cursor *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                                const struct fxt_string *s) {
    uint16_t ref = (uint16_t)FXT_BITS(of, lo, lo + 15);
    struct fxt_string decoded = *s;
    char buf[24];
    size_t i = dissect_field_add(w, DISSECT_BITS, in * 64 + lo, 16, name);
    decoded.ref = ref;
    if (ref & FXT_INLINE && (s->ref != ref || s->bytes == NULL))
        decoded.ref = 0;
    if (ref & FXT_INLINE)
        raw(w, i, "0x%x, inline of %u byte%s", ref, ref & FXT_STRING_MAX, (ref & FXT_STRING_MAX) == 1 ? "" : "s");
    else
        raw(w, i, "%u", ref);
    field(w, i)->elsewhere = (ref & FXT_INLINE) != 0;
    struct str text = resolve(w, &decoded, buf);
    dissect_field_text_value(w, i, text);
    if (text.s == buf)
        dissect_field_fault(w, i, DISSECT_UNDEFINED, "this index was never registered");
    return i;
}

/* The stream of an inline string whose reference is field `ref`. */
bool dissect_field_inline_string(struct dissect_cursor *w, size_t ref, uint64_t of, unsigned lo, const char *name) {
    uint16_t value = (uint16_t)FXT_BITS(of, lo, lo + 15);
    if (!(value & FXT_INLINE))
        return true;
    if (dissect_field_words_of(value & FXT_STRING_MAX) > dissect_field_left(w)) {
        dissect_field_fault(w, ref, DISSECT_CONTENTS, "the inline string exceeds the record");
        dissect_field_rest_undecoded(w);
        return false;
    }
    const char *bytes = (const char *)(w->words + w->at);
    size_t i = dissect_field_stream(w, value & FXT_STRING_MAX, name);
    if (w->place->trace) /* else the reference has said it */
        dissect_field_text_value(w, i, (struct str){bytes, value & FXT_STRING_MAX});
    return true;
}

void dissect_field_note_thread(struct dissect_cursor *w, size_t i, uint32_t number) {
    struct trace *trace = w->place->trace;
    char process[40], thread[40];
    bool named_process = false, named;
    if (trace == NULL || number == NO_THREAD || number >= trace_thread_count(trace))
        return;
    const struct thread *t = trace_thread(trace, trace_stands_for(trace, number));
    struct str p = STR(""), s = trace_thread_name(trace, t, thread, &named);
    if (t->process != NO_PROCESS)
        p = trace_process_name(trace, trace_process(trace, t->process), process, &named_process);
    if (!named && !named_process)
        return;
    field(w, i)->note = text_start(w);
    if (named_process) {
        say_safe(w, p, TEXT_TRACK);
        dissect_field_put(w, " / ", 3);
    }
    say_safe(w, s, TEXT_TRACK);
    text_end(w);
}

/* A thread reference; t: as it was decoded. there: it was, with its ids where it is inline. */
size_t dissect_field_thread_ref(struct dissect_cursor *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                                const struct fxt_thread_ref *t, bool there, bool main) {
    uint8_t index = (uint8_t)FXT_BITS(of, lo, lo + 7);
    struct reader *reader = w->place->reader;
    struct threads *threads = reader_threads(reader);
    size_t i = dissect_field_add(w, DISSECT_BITS, in * 64 + lo, 8, name);
    if (index == 0) {
        raw(w, i, "0, inline");
        field(w, i)->elsewhere = true;
        if (!there)
            return i;
        dissect_field_show(w, i);
        if (t->no_tid) {
            decimal(w, i, t->pid);
        } else {
            struct thread_id id = {.pid = t->pid, .tid = t->tid, .form = THREAD_PAIR};
            pair(w, i, t->pid, t->tid);
            dissect_field_note_thread(w, i, threads_find(threads, &id));
        }
        if (main) {
            w->pid = t->pid;
            w->has_pid = true;
        }
        return i;
    }
    struct index_table *own = &w->provider->threads, *shared = &reader_provider(reader, 0)->threads;
    uint32_t v = w->place->trace ? index_table_at(own, index, w->offset) : index_table_get(own, index);
    if (v == 0)
        v = w->place->trace ? index_table_at(shared, index, w->offset) : index_table_get(shared, index);
    raw(w, i, "%u", index);
    dissect_field_show(w, i);
    if (v == 0) {
        number(w, i, index, 10, "<thread ", ">");
        dissect_field_fault(w, i, DISSECT_UNDEFINED, "this index was never registered");
        return i;
    }
    const struct thread_id *id = threads_id(threads, v - 1);
    pair(w, i, id->pid, id->tid);
    dissect_field_note_thread(w, i, v - 1);
    if (main) {
        w->pid = id->pid;
        w->has_pid = true;
    }
    return i;
}

/* The words of an inline thread. ids: how many of the two there are. */
bool dissect_field_inline_thread(struct dissect_cursor *w, uint64_t index, unsigned ids, const char *pid,
                                 const char *tid) {
    uint64_t value;
    size_t i;
    return index != 0 || (dissect_field_word(w, pid, "the inline process id does not fit", &value, &i) &&
                          (ids < 2 || dissect_field_word(w, tid, "the inline thread id does not fit", &value, &i)));
}

bool dissect_field_inline_ids(struct dissect_cursor *w, uint64_t index) {
    return dissect_field_inline_thread(w, index, 2, "process id", "thread id");
}

/* A thread that is named by its koid alone. */
bool dissect_field_koid_thread(struct dissect_cursor *w, const char *name, const char *why) {
    uint64_t tid;
    size_t i;
    if (!dissect_field_word(w, name, why, &tid, &i))
        return false;
    dissect_field_show(w, i);
    struct thread_id id = {.tid = tid, .form = THREAD_TID};
    dissect_field_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
    return true;
}

bool dissect_field_ticks(struct dissect_cursor *w, const char *name, const char *why, uint64_t *value, size_t *i) {
    struct trace *trace = w->place->trace;
    char ns[40], since[32];
    if (!dissect_field_word(w, name, why, value, i))
        return false;
    dissect_field_show(w, *i);
    if (trace == NULL)
        return true;
    struct wide t = reader_ns_at(w->place->reader, w->provider, w->offset, *value);
    if (!trace_has_events(trace)) {
        dissect_field_note(w, *i, "%s ns", wide_text(t, ns));
        return true;
    }
    units_point(wide_diff(t, trace_origin_wide(trace), INT64_MAX), 1, true, since);
    dissect_field_note(w, *i, "%s ns, %s", wide_text(t, ns), since);
    return true;
}

bool dissect_field_timestamp(struct dissect_cursor *w) {
    uint64_t value;
    size_t i;
    return dissect_field_ticks(w, "timestamp", "no space left for the timestamp", &value, &i);
}

/* ---- arguments ---- */

static void arg(struct dissect_cursor *w, size_t i, enum dissect_line line) {
    field(w, i)->line = (uint8_t)line;
}

/* The value as --records has it: the same words as detail_value(). */
static void arg_value(struct dissect_cursor *w, size_t i, const struct fxt_argument_value *v) {
    struct detail_argument d = {.type = v->type, .bits = v->bits, .string = v->blob};
    char buf[64];
    struct str s = detail_value(&d, buf);
    field(w, i)->value = text_start(w);
    dissect_field_put(w, s.s, s.n);
    text_end(w);
    arg(w, i, DISSECT_ARG_VALUE);
    if (w->place->trace == NULL)
        return;
    if (v->type == FXT_ARG_KOID)
        note_name(w, i, objects_koid_name(trace_kernel_objects(w->place->trace), v->bits));
    else if (v->type == FXT_ARG_POINTER && w->has_pid)
        note_name(w, i, objects_pointer_name(trace_user_objects(w->place->trace), w->pid, v->bits));
}

static size_t arg_header(struct dissect_cursor *w, uint64_t h, const struct fxt_argument_value *v, bool good) {
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    const char *name = fxt_argument_name((uint8_t)type);
    uint64_t in = w->at++;
    size_t i = dissect_field_bits(w, in, h, 0, 3, "argument type");
    raw(w, i, "%u", type);
    field(w, i)->value = text_start(w);
    dissect_field_put(w, name ? name : "unknown", strlen(name ? name : "unknown") + 1);
    if (good)
        arg(w, i, DISSECT_ARG_TYPE);
    if (name == NULL)
        dissect_field_fault(w, i, DISSECT_UNKNOWN, "argument types 11 to 15 are undefined");
    size_t size = dissect_field_bits(w, in, h, 4, 15, "argument size");
    dissect_field_note(w, size, "words");
    i = dissect_field_string_ref(w, in, h, 16, "argument name ref", &v->name);
    if (good)
        arg(w, i, DISSECT_ARG_NAME);
    return size;
}

/* Walks the words of one argument that record_argument() has taken. */
static void good_argument(struct dissect_cursor *w, uint64_t h, uint64_t size, const struct fxt_argument_value *v) {
    uint64_t in = w->at, avail = w->avail, x;
    size_t i, name, value = DISSECT_FIELD_NONE;
    w->avail = in + size;
    name = arg_header(w, h, v, true) + 1;
    switch (v->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
        arg_value(w, dissect_field_bits(w, in, h, 32, 63, "value"), v);
        break;
    case FXT_ARG_STRING:
        value = dissect_field_string_ref(w, in, h, 32, "value ref", &v->string);
        arg(w, value, DISSECT_ARG_VALUE);
        dissect_field_reserved(w, in, h, 48, 63);
        break;
    case FXT_ARG_BOOL:
        arg_value(w, dissect_field_bits(w, in, h, 32, 32, "value"), v);
        dissect_field_reserved(w, in, h, 33, 63);
        break;
    case FXT_ARG_BLOB:
        i = dissect_field_bits(w, in, h, 32, 63, "value length");
        raw(w, i, "%" PRIu64, FXT_BITS(h, 32, 63));
        arg_value(w, i, v);
        break;
    case FXT_ARG_NULL:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_POINTER:
    case FXT_ARG_KOID:
        dissect_field_reserved(w, in, h, 32, 63);
        break;
    default:
        i = dissect_field_undecoded(w, in, h, 32, 63);
        raw(w, i, "0x%" PRIx64, FXT_BITS(h, 32, 63));
        arg_value(w, i, v);
        break;
    }
    if (dissect_field_inline_string(w, name, h, 16, "argument name")) {
        switch (v->type) {
        case FXT_ARG_INT64:
        case FXT_ARG_UINT64:
        case FXT_ARG_DOUBLE:
        case FXT_ARG_POINTER:
        case FXT_ARG_KOID:
            if (dissect_field_word(w, "value", "the value does not fit", &x, &i))
                arg_value(w, i, v);
            break;
        case FXT_ARG_STRING:
            dissect_field_inline_string(w, value, h, 32, "value");
            break;
        case FXT_ARG_BLOB:
            if (dissect_field_words_of(FXT_BITS(h, 32, 63)) <= dissect_field_left(w)) {
                i = dissect_field_stream(w, FXT_BITS(h, 32, 63), "value");
                dissect_field_byte_count(w, i, FXT_BITS(h, 32, 63));
            }
            break;
        default:
            break;
        }
    }
    if (v->type > FXT_ARG_BLOB)
        dissect_field_rest_undecoded(w);
    else
        dissect_field_extra(w);
    w->avail = avail;
}

/* The one that ends the arguments: its size is none, or its contents do not fit. */
static void bad_argument(struct dissect_cursor *w) {
    static const struct fxt_argument_value nothing;
    uint64_t in = w->at, h = record_word(w->words + in, w->swap), size = FXT_BITS(h, 4, 15);
    bool more = size > dissect_field_left(w);
    size_t i = arg_header(w, h, &nothing, false);
    dissect_field_undecoded(w, in, h, 32, 63);
    dissect_field_fault(w, i, more && w->cut ? DISSECT_CONTENTS : DISSECT_ARGUMENTS,
                        size == 0 ? "an argument of size 0"
                        : more    ? "the argument exceeds the record"
                                  : "the argument's contents exceed its size");
    dissect_field_rest_undecoded(w);
}

/* count: the field that says how many. False where not all are there. */
bool dissect_field_arguments(struct dissect_cursor *w, size_t count) {
    struct fxt_arguments args = w->r.args;
    struct fxt_argument_value v;
    if (args.words != w->words + w->at)
        args = (struct fxt_arguments){.swap = w->swap};
    uint32_t there = args.count;
    while (args.count > 0) {
        uint64_t n = args.n, h = record_word(args.words, args.swap), size;
        if (record_argument(&args, &v) <= 0 || (size = n - args.n) > dissect_field_left(w))
            break;
        h = (h & ~FXT_PUT(UINT64_MAX, 4, 15)) | FXT_PUT(size, 4, 15);
        h = (h & ~UINT64_C(15)) | v.type;
        good_argument(w, h, size, &v);
    }
    if (there == w->r.argc && args.count == 0)
        return true;
    dissect_field_fault(w, count, w->cut ? DISSECT_CONTENTS : DISSECT_ARGUMENTS, "fewer are present");
    if (dissect_field_left(w) > 0)
        bad_argument(w);
    return false;
}

void dissect_field_rest(struct dissect_cursor *w, size_t count) {
    if (dissect_field_arguments(w, count))
        dissect_field_extra(w);
}
