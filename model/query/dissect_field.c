/* dissect_field.c - see part.h. */
#include "model/query/dissect_field.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "src/base/text.h"
#include "src/base/units.h"

/* ---- text ---- */

void part_put(struct walk *w, const char *s, size_t n) {
    vec_reserve(&w->a->text, w->a->text.n + n);
    memcpy(w->a->text.v + w->a->text.n, s, n);
    w->a->text.n += n;
}

static uint32_t text_start(struct walk *w) {
    return (uint32_t)w->a->text.n;
}

static void text_end(struct walk *w) {
    part_put(w, "", 1);
}

static uint32_t text_of(struct walk *w, const char *fmt, va_list ap) {
    char text[160];
    uint32_t start = text_start(w);
    vsnprintf(text, sizeof text, fmt, ap);
    part_put(w, text, strlen(text) + 1);
    return start;
}

static void say_safe(struct walk *w, struct str s, unsigned flags) {
    struct text t = text_begin(s, w->place->text | flags);
    struct glyph g;
    char bytes[4];
    while (text_next(&t, &g))
        for (int i = 0; i < 3 && g.cp[i]; i++)
            part_put(w, bytes, text_utf8(g.cp[i], bytes));
}

/* ---- fields ---- */

static struct anatomy_field *field(struct walk *w, size_t i) {
    return &w->a->v.v[i];
}

void part_fault(struct walk *w, size_t i, enum anatomy_fault what, const char *why) {
    if (w->cut && what == ANATOMY_CONTENTS) { /* they may fit: what is missing is the file's end */
        what = ANATOMY_NO_RECORD;
        why = "cut off";
    }
    w->a->faults |= 1u << what;
    if (i != PART_NONE && field(w, i)->why == NULL) {
        field(w, i)->fault = (uint8_t)what;
        field(w, i)->why = why;
    }
}

size_t part_add(struct walk *w, enum anatomy_unit unit, uint64_t bit, uint64_t bits, const char *name) {
    vec_push(&w->a->v, ((struct anatomy_field){.bit = bit, .bits = bits, .unit = (uint8_t)unit, .name = name}));
    return w->a->v.n - 1;
}

/* What is said beside the value, where anybody reads it. */
static void raw(struct walk *w, size_t i, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void raw(struct walk *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->raw = text_of(w, fmt, ap);
    va_end(ap);
}

void part_note(struct walk *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->note = text_of(w, fmt, ap);
    va_end(ap);
}

/* Most fields are such, and --records prints all of a trace: so without printf. */
static void number(struct walk *w, size_t i, uint64_t n, unsigned base, const char *prefix, const char *suffix) {
    char digits[24], *p = digits + sizeof digits;
    do
        *--p = "0123456789abcdef"[n % base];
    while ((n /= base) > 0);
    field(w, i)->value = text_start(w);
    part_put(w, prefix, strlen(prefix));
    part_put(w, p, (size_t)(digits + sizeof digits - p));
    part_put(w, suffix, strlen(suffix) + 1);
}

static void decimal(struct walk *w, size_t i, uint64_t n) {
    number(w, i, n, 10, "", "");
}

void part_hexadecimal(struct walk *w, size_t i, uint64_t n) {
    number(w, i, n, 16, "0x", "");
}

static void pair(struct walk *w, size_t i, uint64_t a, uint64_t b) {
    number(w, i, a, 10, "", "/");
    uint32_t start = field(w, i)->value;
    w->a->text.n--; /* the NUL */
    decimal(w, i, b);
    field(w, i)->value = start;
}

void part_byte_count(struct walk *w, size_t i, uint64_t n) {
    number(w, i, n, 10, "", n == 1 ? " byte" : " bytes");
}

void part_hex_bytes(struct walk *w, size_t i, const unsigned char *bytes, uint64_t n) {
    static const char digits[] = "0123456789abcdef";
    field(w, i)->value = text_start(w);
    for (uint64_t k = 0; k < n; k++) {
        const char hex[2] = {digits[bytes[k] >> 4], digits[bytes[k] & 15]};
        part_put(w, hex, 2);
    }
    text_end(w);
}

void part_show(struct walk *w, size_t i) {
    field(w, i)->line = ANATOMY_SHOWN;
}

void part_text_value(struct walk *w, size_t i, struct str s) {
    field(w, i)->quoted = true;
    field(w, i)->value = text_start(w);
    say_safe(w, s, 0);
    text_end(w);
}

static void note_name(struct walk *w, size_t i, uint32_t name) {
    if (name == UINT32_MAX)
        return;
    field(w, i)->note = text_start(w);
    say_safe(w, trace_name(w->place->trace, name), TEXT_TRACK);
    text_end(w);
}

/* Bits lo..hi of word `word`, whose value is `of`, as a decimal number. */
size_t part_bits(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi, const char *name) {
    size_t i = part_add(w, ANATOMY_BITS, word * 64 + lo, hi - lo + 1, name);
    decimal(w, i, FXT_BITS(of, lo, hi));
    return i;
}

size_t part_header(struct walk *w, unsigned lo, unsigned hi, const char *name) {
    return part_bits(w, 0, w->r.header, lo, hi, name);
}

void part_reserved(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi) {
    size_t i = part_bits(w, word, of, lo, hi, "reserved");
    if (FXT_BITS(of, lo, hi) == 0)
        return;
    part_hexadecimal(w, i, FXT_BITS(of, lo, hi));
    part_fault(w, i, ANATOMY_RESERVED, "reserved bits are set");
}

size_t part_undecoded(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi) {
    size_t i = part_add(w, ANATOMY_BITS, word * 64 + lo, hi - lo + 1, "not decoded");
    part_hexadecimal(w, i, FXT_BITS(of, lo, hi));
    return i;
}

uint64_t part_left(const struct walk *w) {
    return w->avail - w->at;
}

uint64_t part_words_of(uint64_t n) {
    return n / 8 + (n % 8 != 0);
}

size_t part_run(struct walk *w, uint64_t n, const char *name) {
    size_t i = part_add(w, ANATOMY_WORDS, w->at * 64, n * 64, name);
    number(w, i, n, 10, "", n == 1 ? " word" : " words");
    w->at += n;
    return i;
}

/* What follows in the record cannot be told. */
void part_rest_undecoded(struct walk *w) {
    if (part_left(w) > 0)
        part_run(w, part_left(w), "not decoded");
}

/* Something that the header promises is not there: said where the size is. */
bool part_lacks(struct walk *w, const char *why) {
    part_fault(w, 1, ANATOMY_CONTENTS, why);
    part_rest_undecoded(w);
    return false;
}

/* One word, in decimal; false where the record has no more. */
bool part_word(struct walk *w, const char *name, const char *why, uint64_t *value, size_t *i) {
    if (part_left(w) == 0)
        return part_lacks(w, why);
    *value = record_word(w->words + w->at, w->swap);
    *i = part_add(w, ANATOMY_WORDS, w->at++ * 64, 64, name);
    decimal(w, *i, *value);
    return true;
}

bool part_shown_word(struct walk *w, const char *name, const char *why, bool hex, size_t *i) {
    uint64_t value;
    if (!part_word(w, name, why, &value, i))
        return false;
    if (hex)
        part_hexadecimal(w, *i, value);
    part_show(w, *i);
    return true;
}

/* `n` bytes, and the zeros that fill their last word; the caller knows that they are there. */
size_t part_stream(struct walk *w, uint64_t n, const char *name) {
    uint64_t start = w->at;
    size_t i = part_add(w, ANATOMY_STREAM, start * 64, n * 8, name);
    w->at += part_words_of(n);
    if (n % 8 == 0)
        return i;
    size_t pad = part_add(w, ANATOMY_STREAM, start * 64 + n * 8, (8 - n % 8) * 8, "padding");
    uint64_t zero = record_word(w->words + w->at - 1, false) >> n % 8 * 8;
    part_byte_count(w, pad, 8 - n % 8);
    if (zero != 0)
        part_fault(w, pad, ANATOMY_RESERVED, "padding is not zero");
    return i;
}

/* Bytes that may be more than are at hand (large records): their text is not needed. */
void part_contents(struct walk *w, size_t length, uint64_t declared) {
    uint64_t most = (w->size - w->at) * 8, n = declared < most ? declared : most, end = w->at + part_words_of(n);
    if (declared > most)
        part_fault(w, length, ANATOMY_CONTENTS, "the contents go past the record");
    if (end <= w->avail) {
        size_t i = part_stream(w, n, "contents");
        part_byte_count(w, i, n);
        return;
    }
    uint64_t here = part_left(w) * 8;
    size_t i = part_add(w, ANATOMY_STREAM, w->at * 64, here * 8, "contents");
    part_byte_count(w, i, n);
    w->at = w->avail;
}

void part_extra(struct walk *w) {
    if (part_left(w) > 0)
        part_fault(w, part_run(w, part_left(w), part_left(w) == 1 ? "extra word" : "extra words"), ANATOMY_EXTRA,
                   "more than the contents that are known");
}

/* ---- references ---- */

static struct str resolve(struct walk *w, const struct fxt_string *s, char buf[24]) {
    return w->place->trace ? reader_string(w->place->reader, w->provider, s, w->offset, buf)
                           : reader_string_now(w->place->reader, s, buf);
}

/* s: as it was decoded; an inline one that was not has no bytes. */
size_t part_string_ref(struct walk *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                       const struct fxt_string *s) {
    uint16_t ref = (uint16_t)FXT_BITS(of, lo, lo + 15);
    struct fxt_string decoded = *s;
    char buf[24];
    size_t i = part_add(w, ANATOMY_BITS, in * 64 + lo, 16, name);
    decoded.ref = ref;
    if (ref & FXT_INLINE && (s->ref != ref || s->bytes == NULL))
        decoded.ref = 0;
    if (ref & FXT_INLINE)
        raw(w, i, "0x%x, inline of %u byte%s", ref, ref & FXT_STRING_MAX, (ref & FXT_STRING_MAX) == 1 ? "" : "s");
    else
        raw(w, i, "%u", ref);
    field(w, i)->elsewhere = (ref & FXT_INLINE) != 0;
    struct str text = resolve(w, &decoded, buf);
    part_text_value(w, i, text);
    if (text.s == buf)
        part_fault(w, i, ANATOMY_UNDEFINED, "this index was never defined");
    return i;
}

/* The stream of an inline string whose reference is field `ref`. */
bool part_inline_string(struct walk *w, size_t ref, uint64_t of, unsigned lo, const char *name) {
    uint16_t value = (uint16_t)FXT_BITS(of, lo, lo + 15);
    if (!(value & FXT_INLINE))
        return true;
    if (part_words_of(value & FXT_STRING_MAX) > part_left(w)) {
        part_fault(w, ref, ANATOMY_CONTENTS, "the inline string goes past the record");
        part_rest_undecoded(w);
        return false;
    }
    const char *bytes = (const char *)(w->words + w->at);
    size_t i = part_stream(w, value & FXT_STRING_MAX, name);
    if (w->place->trace) /* else the reference has said it */
        part_text_value(w, i, (struct str){bytes, value & FXT_STRING_MAX});
    return true;
}

void part_note_thread(struct walk *w, size_t i, uint32_t number) {
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
        part_put(w, " / ", 3);
    }
    say_safe(w, s, TEXT_TRACK);
    text_end(w);
}

/* A thread reference; t: as it was decoded. there: it was, with its ids where it is inline. */
size_t part_thread_ref(struct walk *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                       const struct fxt_thread_ref *t, bool there, bool main) {
    uint8_t index = (uint8_t)FXT_BITS(of, lo, lo + 7);
    struct reader *reader = w->place->reader;
    struct threads *threads = reader_threads(reader);
    size_t i = part_add(w, ANATOMY_BITS, in * 64 + lo, 8, name);
    if (index == 0) {
        raw(w, i, "0, inline");
        field(w, i)->elsewhere = true;
        if (!there)
            return i;
        part_show(w, i);
        if (t->no_tid) {
            decimal(w, i, t->pid);
        } else {
            struct thread_id id = {.pid = t->pid, .tid = t->tid, .form = THREAD_PAIR};
            pair(w, i, t->pid, t->tid);
            part_note_thread(w, i, threads_find(threads, &id));
        }
        if (main) {
            w->pid = t->pid;
            w->has_pid = true;
        }
        return i;
    }
    struct deftab *own = &w->provider->threads, *shared = &reader_provider(reader, 0)->threads;
    uint32_t v = w->place->trace ? deftab_at(own, index, w->offset) : deftab_get(own, index);
    if (v == 0)
        v = w->place->trace ? deftab_at(shared, index, w->offset) : deftab_get(shared, index);
    raw(w, i, "%u", index);
    part_show(w, i);
    if (v == 0) {
        number(w, i, index, 10, "<thread ", ">");
        part_fault(w, i, ANATOMY_UNDEFINED, "this index was never defined");
        return i;
    }
    const struct thread_id *id = threads_id(threads, v - 1);
    pair(w, i, id->pid, id->tid);
    part_note_thread(w, i, v - 1);
    if (main) {
        w->pid = id->pid;
        w->has_pid = true;
    }
    return i;
}

/* The words of an inline thread. ids: how many of the two there are. */
bool part_inline_thread(struct walk *w, uint64_t index, unsigned ids, const char *pid, const char *tid) {
    uint64_t value;
    size_t i;
    return index != 0 || (part_word(w, pid, "the inline process id does not fit", &value, &i) &&
                          (ids < 2 || part_word(w, tid, "the inline thread id does not fit", &value, &i)));
}

bool part_inline_ids(struct walk *w, uint64_t index) {
    return part_inline_thread(w, index, 2, "process id", "thread id");
}

/* A thread that is named by its koid alone. */
bool part_koid_thread(struct walk *w, const char *name, const char *why) {
    uint64_t tid;
    size_t i;
    if (!part_word(w, name, why, &tid, &i))
        return false;
    part_show(w, i);
    struct thread_id id = {.tid = tid, .form = THREAD_TID};
    part_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
    return true;
}

bool part_ticks(struct walk *w, const char *name, const char *why, uint64_t *value, size_t *i) {
    struct trace *trace = w->place->trace;
    char ns[40], since[32];
    if (!part_word(w, name, why, value, i))
        return false;
    part_show(w, *i);
    if (trace == NULL)
        return true;
    struct wide t = reader_ns_at(w->place->reader, w->provider, w->offset, *value);
    if (!trace_has_events(trace)) {
        part_note(w, *i, "%s ns", wide_text(t, ns));
        return true;
    }
    ticks_point(wide_diff(t, trace_origin_wide(trace), INT64_MAX), 1, true, since);
    part_note(w, *i, "%s ns, %s", wide_text(t, ns), since);
    return true;
}

bool part_timestamp(struct walk *w) {
    uint64_t value;
    size_t i;
    return part_ticks(w, "timestamp", "there is no room for the timestamp", &value, &i);
}

/* ---- arguments ---- */

static void arg(struct walk *w, size_t i, enum anatomy_line line) {
    field(w, i)->line = (uint8_t)line;
}

/* The value as --records has it: the same words as detail_value(). */
static void arg_value(struct walk *w, size_t i, const struct fxt_argument_value *v) {
    struct detail_argument d = {.type = v->type, .bits = v->bits, .string = v->blob};
    char buf[64];
    struct str s = detail_value(&d, buf);
    field(w, i)->value = text_start(w);
    part_put(w, s.s, s.n);
    text_end(w);
    arg(w, i, ANATOMY_ARG_VALUE);
    if (w->place->trace == NULL)
        return;
    if (v->type == FXT_ARG_KOID)
        note_name(w, i, objects_koid_name(trace_kernel_objects(w->place->trace), v->bits));
    else if (v->type == FXT_ARG_POINTER && w->has_pid)
        note_name(w, i, objects_pointer_name(trace_user_objects(w->place->trace), w->pid, v->bits));
}

static size_t arg_header(struct walk *w, uint64_t h, const struct fxt_argument_value *v, bool good) {
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    const char *name = fxt_argument_name((uint8_t)type);
    uint64_t in = w->at++;
    size_t i = part_bits(w, in, h, 0, 3, "argument type");
    raw(w, i, "%u", type);
    field(w, i)->value = text_start(w);
    part_put(w, name ? name : "unknown", strlen(name ? name : "unknown") + 1);
    if (good)
        arg(w, i, ANATOMY_ARG_TYPE);
    if (name == NULL)
        part_fault(w, i, ANATOMY_UNKNOWN, "argument types 11 to 15 have no meaning");
    size_t size = part_bits(w, in, h, 4, 15, "argument size");
    part_note(w, size, "words");
    i = part_string_ref(w, in, h, 16, "argument name ref", &v->name);
    if (good)
        arg(w, i, ANATOMY_ARG_NAME);
    return size;
}

/* Walks the words of one argument that record_argument() has taken. */
static void good_argument(struct walk *w, uint64_t h, uint64_t size, const struct fxt_argument_value *v) {
    uint64_t in = w->at, avail = w->avail, x;
    size_t i, name, value = PART_NONE;
    w->avail = in + size;
    name = arg_header(w, h, v, true) + 1;
    switch (v->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
        arg_value(w, part_bits(w, in, h, 32, 63, "value"), v);
        break;
    case FXT_ARG_STRING:
        value = part_string_ref(w, in, h, 32, "value ref", &v->string);
        arg(w, value, ANATOMY_ARG_VALUE);
        part_reserved(w, in, h, 48, 63);
        break;
    case FXT_ARG_BOOL:
        arg_value(w, part_bits(w, in, h, 32, 32, "value"), v);
        part_reserved(w, in, h, 33, 63);
        break;
    case FXT_ARG_BLOB:
        i = part_bits(w, in, h, 32, 63, "value length");
        raw(w, i, "%" PRIu64, FXT_BITS(h, 32, 63));
        arg_value(w, i, v);
        break;
    case FXT_ARG_NULL:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_POINTER:
    case FXT_ARG_KOID:
        part_reserved(w, in, h, 32, 63);
        break;
    default:
        i = part_undecoded(w, in, h, 32, 63);
        raw(w, i, "0x%" PRIx64, FXT_BITS(h, 32, 63));
        arg_value(w, i, v);
        break;
    }
    if (part_inline_string(w, name, h, 16, "argument name")) {
        switch (v->type) {
        case FXT_ARG_INT64:
        case FXT_ARG_UINT64:
        case FXT_ARG_DOUBLE:
        case FXT_ARG_POINTER:
        case FXT_ARG_KOID:
            if (part_word(w, "value", "the value does not fit", &x, &i))
                arg_value(w, i, v);
            break;
        case FXT_ARG_STRING:
            part_inline_string(w, value, h, 32, "value");
            break;
        case FXT_ARG_BLOB:
            if (part_words_of(FXT_BITS(h, 32, 63)) <= part_left(w)) {
                i = part_stream(w, FXT_BITS(h, 32, 63), "value");
                part_byte_count(w, i, FXT_BITS(h, 32, 63));
            }
            break;
        default:
            break;
        }
    }
    if (v->type > FXT_ARG_BLOB)
        part_rest_undecoded(w);
    else
        part_extra(w);
    w->avail = avail;
}

/* The one that ends the arguments: its size is none, or its contents do not fit. */
static void bad_argument(struct walk *w) {
    static const struct fxt_argument_value nothing;
    uint64_t in = w->at, h = record_word(w->words + in, w->swap), size = FXT_BITS(h, 4, 15);
    bool more = size > part_left(w);
    size_t i = arg_header(w, h, &nothing, false);
    part_undecoded(w, in, h, 32, 63);
    part_fault(w, i, more && w->cut ? ANATOMY_CONTENTS : ANATOMY_ARGUMENTS,
               size == 0 ? "an argument of size 0"
               : more    ? "the argument goes past the record"
                         : "the argument's contents go past its size");
    part_rest_undecoded(w);
}

/* count: the field that says how many. False where not all are there. */
bool part_arguments(struct walk *w, size_t count) {
    struct fxt_arguments args = w->r.args;
    struct fxt_argument_value v;
    if (args.words != w->words + w->at)
        args = (struct fxt_arguments){.swap = w->swap};
    uint32_t there = args.count;
    while (args.count > 0) {
        uint64_t n = args.n, h = record_word(args.words, args.swap), size;
        if (record_argument(&args, &v) <= 0 || (size = n - args.n) > part_left(w))
            break;
        h = (h & ~FXT_PUT(UINT64_MAX, 4, 15)) | FXT_PUT(size, 4, 15);
        h = (h & ~UINT64_C(15)) | v.type;
        good_argument(w, h, size, &v);
    }
    if (there == w->r.argc && args.count == 0)
        return true;
    part_fault(w, count, w->cut ? ANATOMY_CONTENTS : ANATOMY_ARGUMENTS, "not as many are there");
    if (part_left(w) > 0)
        bad_argument(w);
    return false;
}

void part_rest(struct walk *w, size_t count) {
    if (part_arguments(w, count))
        part_extra(w);
}
