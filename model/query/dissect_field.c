/* dissect_field.c - how the fields of a dissection are made.
 *
 * Fields are pushed on the list of the dissection, and their texts on its buffer. A field refers to
 * its texts by their offset in the buffer, because both move as they grow. Text of the trace passes
 * text_begin() first. References are resolved as of the record's offset if there is a trace, else
 * as they are now. */
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

void dissect_field_fault(struct dissect_cursor *w, size_t i, enum dissect_fault what,
                         const char *why) {
    if (w->cut && what == DISSECT_CONTENTS) { /* they may fit: the file ends too early */
        what = DISSECT_NO_RECORD;
        why = "cut off";
    }
    w->a->faults |= 1u << what;
    if (i != DISSECT_FIELD_NONE && field(w, i)->why == NULL) {
        field(w, i)->fault = (uint8_t)what;
        field(w, i)->why = why;
    }
}

size_t dissect_field_add(struct dissect_cursor *w, enum dissect_unit unit, uint64_t bit,
                         uint64_t bits, const char *name) {
    vec_push(&w->a->v, ((struct dissect_field){
                           .bit = bit, .bits = bits, .unit = (uint8_t)unit, .name = name}));
    return w->a->v.n - 1;
}

void dissect_field_raw(struct dissect_cursor *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->raw = text_of(w, fmt, ap);
    va_end(ap);
}

void dissect_field_note_shown(struct dissect_cursor *w, size_t i, const char *key,
                              const char *text) {
    field(w, i)->note = text_start(w);
    dissect_field_put(w, text, strlen(text));
    text_end(w);
    field(w, i)->note_key = key;
}

void dissect_field_note(struct dissect_cursor *w, size_t i, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (w->place->trace)
        field(w, i)->note = text_of(w, fmt, ap);
    va_end(ap);
}

/* Not by printf, because most fields are numbers and --records prints those of a whole trace. */
static void number(struct dissect_cursor *w, size_t i, uint64_t n, unsigned base,
                   const char *prefix, const char *suffix) {
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

void dissect_field_hex_bytes(struct dissect_cursor *w, size_t i, const unsigned char *bytes,
                             uint64_t n) {
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

void dissect_field_plain_value(struct dissect_cursor *w, size_t i, struct str s) {
    field(w, i)->value = text_start(w);
    dissect_field_put(w, s.s, s.n);
    text_end(w);
}

void dissect_field_note_name(struct dissect_cursor *w, size_t i, uint32_t name) {
    if (name == UINT32_MAX)
        return;
    field(w, i)->note = text_start(w);
    say_safe(w, trace_name(w->place->trace, name), TEXT_TRACK);
    text_end(w);
}

/* The bits of a row in its header, without a value. */
static size_t bits(struct dissect_cursor *w, const struct record_field *f) {
    return dissect_field_add(w, DISSECT_BITS, (w->base + f->word) * 64 + f->lo, f->hi - f->lo + 1u,
                             f->name);
}

uint64_t dissect_field_number(const struct dissect_cursor *w, const struct record_field *f) {
    return FXT_BITS(w->header[f->word], f->lo, f->hi);
}

size_t dissect_field_bits(struct dissect_cursor *w, const struct record_field *f) {
    size_t i = bits(w, f);
    decimal(w, i, dissect_field_number(w, f));
    return i;
}

void dissect_field_reserved(struct dissect_cursor *w, const struct record_field *f) {
    size_t i = dissect_field_bits(w, f);
    uint64_t value = dissect_field_number(w, f);
    if (value == 0)
        return;
    dissect_field_hexadecimal(w, i, value);
    dissect_field_fault(w, i, DISSECT_RESERVED, "reserved bits are set");
}

size_t dissect_field_undecoded(struct dissect_cursor *w, const struct record_field *f) {
    size_t i = bits(w, f);
    dissect_field_hexadecimal(w, i, dissect_field_number(w, f));
    return i;
}

size_t dissect_field_governing(const struct dissect_cursor *w, const struct record_field *f) {
    uint64_t bit = (w->base + f->word) * 64 + f->lo;
    size_t i = w->a->v.n;
    while (i-- > 0)
        if (w->a->v.v[i].unit == DISSECT_BITS && w->a->v.v[i].bit == bit)
            return i;
    return DISSECT_FIELD_NONE;
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

void dissect_field_rest_undecoded(struct dissect_cursor *w) {
    if (dissect_field_left(w) > 0)
        dissect_field_run(w, dissect_field_left(w), "not decoded");
}

bool dissect_field_lacks(struct dissect_cursor *w, const char *why) {
    dissect_field_fault(w, 1, DISSECT_CONTENTS, why);
    dissect_field_rest_undecoded(w);
    return false;
}

bool dissect_field_word(struct dissect_cursor *w, const struct record_field *f, uint64_t *value,
                        size_t *i) {
    if (dissect_field_left(w) == 0)
        return dissect_field_lacks(w, record_layout_missing(f));
    *value = record_word(w->words + w->at, w->swap);
    *i = dissect_field_add(w, DISSECT_WORDS, w->at++ * 64, 64, f->name);
    if (f->flags & FIELD_HEX)
        dissect_field_hexadecimal(w, *i, *value);
    else
        decimal(w, *i, *value);
    if (f->flags & FIELD_SHOWN)
        dissect_field_show(w, *i);
    return true;
}

size_t dissect_field_stream(struct dissect_cursor *w, uint64_t n, const char *name) {
    uint64_t start = w->at;
    size_t i = dissect_field_add(w, DISSECT_STREAM, start * 64, n * 8, name);
    w->at += dissect_field_words_of(n);
    if (n % 8 == 0)
        return i;
    size_t pad =
        dissect_field_add(w, DISSECT_STREAM, start * 64 + n * 8, (8 - n % 8) * 8, "padding");
    uint64_t zero = record_word(w->words + w->at - 1, false) >> n % 8 * 8;
    dissect_field_byte_count(w, pad, 8 - n % 8);
    if (zero != 0)
        dissect_field_fault(w, pad, DISSECT_RESERVED, "padding is not zero");
    return i;
}

bool dissect_field_fits(struct dissect_cursor *w, const struct record_field *f, uint64_t n) {
    if (dissect_field_words_of(n) <= dissect_field_left(w))
        return true;
    dissect_field_fault(w, dissect_field_governing(w, f), DISSECT_CONTENTS,
                        record_layout_missing(f));
    dissect_field_rest_undecoded(w);
    return false;
}

void dissect_field_contents(struct dissect_cursor *w, const char *name, size_t length,
                            uint64_t declared) {
    uint64_t most = (w->size - w->at) * 8, n = declared < most ? declared : most,
             end = w->at + dissect_field_words_of(n);
    if (declared > most)
        dissect_field_fault(w, length, DISSECT_CONTENTS, "the contents exceed the record");
    if (end <= w->avail) {
        size_t i = dissect_field_stream(w, n, name);
        dissect_field_byte_count(w, i, n);
        return;
    }
    uint64_t here = dissect_field_left(w) * 8;
    size_t i = dissect_field_add(w, DISSECT_STREAM, w->at * 64, here * 8, name);
    dissect_field_byte_count(w, i, n);
    w->at = w->avail;
}

void dissect_field_extra(struct dissect_cursor *w) {
    if (dissect_field_left(w) > 0)
        dissect_field_fault(
            w,
            dissect_field_run(w, dissect_field_left(w),
                              dissect_field_left(w) == 1 ? "extra word" : "extra words"),
            DISSECT_EXTRA, "longer than the known contents");
}

/* ---- references ---- */

static struct str resolve(struct dissect_cursor *w, const struct fxt_string *s, char buf[24]) {
    return w->place->trace ? reader_string(w->place->reader, w->provider, s, w->offset, buf)
                           : reader_string_now(w->place->reader, s, buf);
}

size_t dissect_field_string_ref(struct dissect_cursor *w, const struct record_field *f,
                                const struct fxt_string *s) {
    uint16_t ref = (uint16_t)dissect_field_number(w, f);
    struct fxt_string decoded = *s;
    char buf[24];
    size_t i = bits(w, f);
    decoded.ref = ref;
    if (ref & FXT_INLINE && (s->ref != ref || s->bytes == NULL))
        decoded.ref = 0;
    if (ref & FXT_INLINE)
        dissect_field_raw(w, i, "0x%x, inline of %u byte%s", ref, ref & FXT_STRING_MAX,
                          (ref & FXT_STRING_MAX) == 1 ? "" : "s");
    else
        dissect_field_raw(w, i, "%u", ref);
    field(w, i)->elsewhere = (ref & FXT_INLINE) != 0;
    struct str text = resolve(w, &decoded, buf);
    dissect_field_text_value(w, i, text);
    if (text.s == buf)
        dissect_field_fault(w, i, DISSECT_UNDEFINED, "this index was never registered");
    return i;
}

bool dissect_field_inline_text(struct dissect_cursor *w, const struct record_field *f) {
    uint64_t ref = dissect_field_number(w, f), n = ref & FXT_STRING_MAX;
    if (!(ref & FXT_INLINE))
        return true;
    if (!dissect_field_fits(w, f, n))
        return false;
    const char *bytes = (const char *)(w->words + w->at);
    size_t i = dissect_field_stream(w, n, f->name);
    if (w->place->trace) /* else only the reference shows it */
        dissect_field_text_value(w, i, (struct str){bytes, n});
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

/* The process of the record's thread is where its pointers are looked up. */
static void know_process(struct dissect_cursor *w, const struct record_field *f, uint64_t pid) {
    if (f->kind != FIELD_THREAD)
        return;
    w->pid = pid;
    w->has_pid = true;
}

static void inline_thread(struct dissect_cursor *w, size_t i, const struct record_field *f,
                          const struct fxt_thread_ref *t) {
    dissect_field_raw(w, i, "0, inline");
    field(w, i)->elsewhere = true;
    if (w->r.faults & FXT_FAULT_NO_EVENT) /* its ids were not decoded */
        return;
    dissect_field_show(w, i);
    know_process(w, f, t->pid);
    if (t->no_tid) {
        decimal(w, i, t->pid);
        return;
    }
    struct thread_id id = {
        .pid = t->pid, .tid = t->tid, .form = THREAD_PAIR, .world = w->provider->world};
    pair(w, i, t->pid, t->tid);
    dissect_field_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
}

size_t dissect_field_thread_ref(struct dissect_cursor *w, const struct record_field *f,
                                const struct fxt_thread_ref *t) {
    uint8_t index = (uint8_t)dissect_field_number(w, f);
    struct reader *reader = w->place->reader;
    size_t i = bits(w, f);
    if (index == 0) {
        inline_thread(w, i, f, t);
        return i;
    }
    uint32_t thread = w->place->trace ? reader_thread_at(reader, w->provider, index, w->offset)
                                      : reader_thread_now(reader, index);
    dissect_field_raw(w, i, "%u", index);
    dissect_field_show(w, i);
    if (thread == NO_THREAD) {
        number(w, i, index, 10, "<thread ", ">");
        dissect_field_fault(w, i, DISSECT_UNDEFINED, "this index was never registered");
        return i;
    }
    const struct thread_id *id = threads_id(reader_threads(reader), thread);
    pair(w, i, id->pid, id->tid);
    know_process(w, f, id->pid);
    dissect_field_note_thread(w, i, thread);
    return i;
}

void dissect_field_note_ticks(struct dissect_cursor *w, size_t i, uint64_t ticks) {
    struct trace *trace = w->place->trace;
    char ns[40], since[32];
    if (trace == NULL)
        return;
    struct wide t = reader_ns_at(w->place->reader, w->provider, w->offset, ticks);
    if (!trace_has_events(trace)) {
        dissect_field_note(w, i, "%s ns", wide_text(t, ns));
        return;
    }
    units_point(wide_diff(t, trace_begin_wide(trace), INT64_MAX), 1, true, since);
    dissect_field_note(w, i, "%s ns, %s", wide_text(t, ns), since);
}
