/* dissect_record.c - takes a record apart along its layout (src/fxt/record_layout.h).
 *
 * The table has the name and the bits of each field; this file adds what a kind of field shows
 * besides its number: the name of a value, a time, the text of a reference. Fields are added in the
 * order of the table. If record_decode() gave up, the rest of the record is "not decoded"; if it
 * chose between two forms, its choice holds. */
#include <inttypes.h>

#include "model/query/detail.h"
#include "model/query/dissect_field.h"
#include "src/base/text.h"
#include "src/base/units.h"

/* ---- bits of a header ---- */

/* The name of a value, or that it has none. */
static void name_value(struct dissect_cursor *w, size_t i, const struct record_field *f,
                       uint64_t value) {
    enum record_values values = (enum record_values)f->values;
    const char *name = record_layout_value(values, value),
               *meaningless = record_layout_meaningless(values);
    if (name) {
        dissect_field_note(w, i, "%s", name);
    } else if (meaningless) {
        dissect_field_show(w, i);
        dissect_field_fault(w, i, DISSECT_UNKNOWN, meaningless);
    }
}

/* The last provider with this id; without the trace, if the record is of it and its name is known
 * by now. */
static const struct provider *provider_of(const struct dissect_cursor *w, uint64_t id) {
    struct reader *reader = w->place->reader;
    if (w->place->trace == NULL)
        return w->a->provider && w->a->provider->id == id && w->a->provider->declared
                   ? w->a->provider
                   : NULL;
    for (size_t k = reader_provider_count(reader); k-- > 1;) {
        const struct provider *provider = reader_provider(reader, k);
        if (provider->id == id && provider->declared)
            return provider;
    }
    return NULL;
}

static void note_provider(struct dissect_cursor *w, size_t i, uint64_t id) {
    const struct provider *provider = provider_of(w, id);
    char name[96];
    if (provider == NULL)
        return;
    text_plain(name, sizeof name, provider->name, TEXT_TRACK | w->place->text);
    dissect_field_note_shown(w, i, "provider", name);
}

static void note_number(struct dissect_cursor *w, size_t i, const struct record_field *f,
                        uint64_t value) {
    switch (f->kind) {
    case FIELD_TOLERATED:
        if (value != 0)
            dissect_field_note(w, i, "some writers set these");
        break;
    case FIELD_MAGIC:
        dissect_field_hexadecimal(w, i, value);
        if (value != FXT_MAGIC_NUMBER)
            dissect_field_fault(w, i, DISSECT_UNKNOWN, "not the magic number");
        break;
    case FIELD_PROVIDER:
        note_provider(w, i, value);
        break;
    case FIELD_FLAGS:
        dissect_field_note(w, i, "%c%c%c", value & 1 ? 'r' : '-', value & 2 ? 'w' : '-',
                           value & 4 ? 'x' : '-');
        break;
    case FIELD_INDEX:
        if (value == 0)
            dissect_field_note(w, i, "defines nothing");
        break;
    case FIELD_LENGTH:
        dissect_field_note(w, i, "bytes");
        break;
    default:
        break;
    }
    if (f->values)
        name_value(w, i, f, value);
}

static void header_field(struct dissect_cursor *w, const struct record_field *f) {
    size_t i;
    switch (f->kind) {
    case FIELD_RESERVED:
        dissect_field_reserved(w, f);
        return;
    case FIELD_OPAQUE:
        i = dissect_field_undecoded(w, f);
        break;
    case FIELD_CATEGORY:
        i = dissect_field_string_ref(w, f, &w->r.category);
        break;
    case FIELD_NAME:
        i = dissect_field_string_ref(w, f, &w->r.name);
        break;
    case FIELD_THREAD:
        i = dissect_field_thread_ref(w, f, &w->r.thread);
        break;
    case FIELD_INCOMING:
        i = dissect_field_thread_ref(w, f, &w->r.sched.in);
        break;
    default:
        i = dissect_field_bits(w, f);
        note_number(w, i, f, dissect_field_number(w, f));
        break;
    }
    if (f->flags & FIELD_SHOWN)
        dissect_field_show(w, i);
}

/* ---- arguments ---- */

static void arg(struct dissect_cursor *w, size_t i, enum dissect_line line) {
    w->a->v.v[i].line = (uint8_t)line;
}

/* The value as --records has it: the same words as detail_value(). */
static void arg_value(struct dissect_cursor *w, size_t i, const struct fxt_argument_value *v) {
    struct detail_argument d = {.type = v->type, .bits = v->bits, .string = v->blob};
    char buf[64];
    dissect_field_plain_value(w, i, detail_value(&d, buf));
    arg(w, i, DISSECT_ARG_VALUE);
    if (w->place->trace == NULL)
        return;
    if (v->type == FXT_ARG_KOID)
        dissect_field_note_name(w, i,
                                objects_koid_name(trace_kernel_objects(w->place->trace),
                                                  w->provider->world, v->bits, OBJECT_ANY));
    else if (v->type == FXT_ARG_POINTER && w->has_pid)
        dissect_field_note_name(w, i,
                                objects_pointer_name(trace_user_objects(w->place->trace),
                                                     w->provider->world, w->pid, v->bits));
}

/* The header h of the next argument; the cursor is in the argument until arg_end(). Returns the
 * field of the size. */
static size_t arg_begin(struct dissect_cursor *w, uint64_t h, const struct fxt_argument_value *v,
                        bool good) {
    const struct record_field *fields = record_layout_argument_header;
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    const char *name = fxt_argument_name((uint8_t)type);
    w->base = w->at++;
    w->header[0] = h;
    size_t i = dissect_field_bits(w, &fields[0]);
    dissect_field_raw(w, i, "%u", type);
    dissect_field_plain_value(w, i, str_of(name ? name : "unknown"));
    if (good)
        arg(w, i, DISSECT_ARG_TYPE);
    if (name == NULL)
        dissect_field_fault(w, i, DISSECT_UNKNOWN, "argument types 11 to 15 are undefined");
    size_t size = dissect_field_bits(w, &fields[1]);
    dissect_field_note(w, size, "words");
    i = dissect_field_string_ref(w, &fields[2], &v->name);
    if (good)
        arg(w, i, DISSECT_ARG_NAME);
    return size;
}

/* One field of an argument. False: what follows does not fit. */
static bool arg_field(struct dissect_cursor *w, const struct record_field *f,
                      const struct fxt_argument_value *v) {
    uint64_t value = dissect_field_number(w, f);
    size_t i;
    switch (f->kind) {
    case FIELD_RESERVED:
        dissect_field_reserved(w, f);
        return true;
    case FIELD_OPAQUE:
        i = dissect_field_undecoded(w, f);
        dissect_field_raw(w, i, "0x%" PRIx64, value);
        arg_value(w, i, v);
        return true;
    case FIELD_VALUE:
        i = dissect_field_bits(w, f);
        if (v->type == FXT_ARG_BLOB)
            dissect_field_raw(w, i, "%" PRIu64, value);
        arg_value(w, i, v);
        return true;
    case FIELD_STRING:
        arg(w, dissect_field_string_ref(w, f, &v->string), DISSECT_ARG_VALUE);
        return true;
    case FIELD_INLINE_TEXT:
        return dissect_field_inline_text(w, f);
    case FIELD_VALUE_WORD:
        if (!dissect_field_word(w, f, &value, &i))
            return false;
        arg_value(w, i, v);
        return true;
    case FIELD_VALUE_BYTES:
        if (dissect_field_words_of(value) <= dissect_field_left(w))
            dissect_field_byte_count(w, dissect_field_stream(w, value, f->name), value);
        return true;
    default:
        dissect_field_rest_undecoded(w);
        return true;
    }
}

/* The words of one argument that record_argument() has taken. */
static void good_argument(struct dissect_cursor *w, uint64_t h, uint64_t size,
                          const struct fxt_argument_value *v) {
    const struct record_layout *l =
        &record_layout_arguments[v->type <= FXT_ARG_BLOB ? v->type : FXT_ARG_BLOB + 1];
    uint64_t avail = w->avail;
    w->avail = w->at + size;
    arg_begin(w, h, v, true);
    for (size_t k = 0; k < l->n; k++)
        if (!arg_field(w, &l->fields[k], v))
            break;
    dissect_field_extra(w);
    w->avail = avail;
}

/* The one that ends the arguments: its size is 0, or its contents do not fit. */
static void bad_argument(struct dissect_cursor *w) {
    static const struct fxt_argument_value nothing;
    uint64_t h = record_word(w->words + w->at, w->swap), size = FXT_BITS(h, 4, 15);
    bool more = size > dissect_field_left(w);
    size_t i = arg_begin(w, h, &nothing, false);
    dissect_field_undecoded(w, record_layout_arguments[FXT_ARG_BLOB + 1].fields);
    const char *why =
        more ? "the argument exceeds the record" : "the argument's contents exceed its size";
    dissect_field_fault(w, i, more && w->cut ? DISSECT_CONTENTS : DISSECT_ARGUMENTS,
                        size == 0 ? "an argument of size 0" : why);
    dissect_field_rest_undecoded(w);
}

/* All arguments. False if not all of them are in the record. */
static bool arguments(struct dissect_cursor *w, const struct record_field *f) {
    struct fxt_arguments args = w->r.args;
    struct fxt_argument_value v;
    uint64_t header = w->header[0], base = w->base;
    size_t count = dissect_field_governing(w, f);
    if (args.words != w->words + w->at)
        args = (struct fxt_arguments){.swap = w->swap};
    uint32_t there = args.count;
    while (args.count > 0) {
        uint64_t n = args.n, h = record_word(args.words, args.swap), size;
        if (record_argument(&args, &v) <= 0 || (size = n - args.n) > dissect_field_left(w))
            break;
        /* the file may have changed */
        h = (h & ~FXT_PUT(UINT64_MAX, 4, 15)) | FXT_PUT(size, 4, 15);
        h = (h & ~UINT64_C(15)) | v.type;
        good_argument(w, h, size, &v);
    }
    bool whole = there == w->r.argc && args.count == 0;
    if (!whole) {
        dissect_field_fault(w, count, w->cut ? DISSECT_CONTENTS : DISSECT_ARGUMENTS,
                            record_layout_missing(f));
        if (dissect_field_left(w) > 0)
            bad_argument(w);
    }
    w->header[0] = header;
    w->base = base;
    return whole;
}

/* ---- what follows the headers ---- */

static void note_word(struct dissect_cursor *w, size_t i, const struct record_field *f,
                      uint64_t value) {
    struct thread_id id = {.tid = value, .form = THREAD_TID, .world = w->provider->world};
    char wall[48];
    switch (f->kind) {
    case FIELD_TICK_RATE:
        if (value == 0)
            dissect_field_fault(w, i, DISSECT_VALUE, "0 ticks per second: 1 tick is taken as 1 ns");
        break;
    case FIELD_WALL_TIME:
        dissect_field_note(w, i, "ns since 1970: %s", units_wall(w->r.init.base_unix_ns, wall));
        break;
    case FIELD_END:
        if (value < w->r.ts)
            dissect_field_fault(w, i, DISSECT_VALUE, "it ends before it begins");
        dissect_field_note_ticks(w, i, value);
        break;
    case FIELD_TICKS:
        dissect_field_note_ticks(w, i, value);
        break;
    case FIELD_DEFINED:
        id = (struct thread_id){.pid = w->r.thread_def.pid,
                                .tid = w->r.thread_def.tid,
                                .form = THREAD_PAIR,
                                .world = w->provider->world};
        dissect_field_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
        break;
    case FIELD_THREAD_KOID:
        dissect_field_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
        break;
    case FIELD_LENGTH_WORD:
        dissect_field_note(w, i, "bytes");
        w->length = value;
        w->length_field = i;
        break;
    default:
        break;
    }
    if (f->values)
        name_value(w, i, f, value);
}

/* Whether the inline thread lacks a thread id. A userspace object lacks it if one word is left
 * after header, pointer and name. */
static bool omits_thread_id(const struct dissect_cursor *w) {
    if (w->r.kind != FXT_K_USERSPACE_OBJECT)
        return w->r.thread.no_tid;
    uint64_t name = FXT_BITS(w->header[0], 24, 39), rest = 2;
    if (name & FXT_INLINE)
        rest += dissect_field_words_of(name & FXT_STRING_MAX);
    if (w->r.args.words)
        return (uint64_t)(w->r.args.words - w->words) - rest == 1;
    return w->avail < 4;
}

static bool stream_field(struct dissect_cursor *w, const struct record_field *f) {
    uint64_t n = dissect_field_number(w, f);
    if (!dissect_field_fits(w, f, n))
        return false;
    const void *bytes = w->words + w->at;
    size_t i = dissect_field_stream(w, n, f->name);
    if (f->kind == FIELD_TEXT)
        dissect_field_text_value(w, i, (struct str){bytes, n});
    else
        dissect_field_hex_bytes(w, i, bytes, n);
    dissect_field_show(w, i);
    return true;
}

static void addresses(struct dissect_cursor *w, const struct record_field *f) {
    uint64_t n = dissect_field_number(w, f), value;
    size_t i;
    if (n > dissect_field_left(w)) {
        dissect_field_fault(w, dissect_field_governing(w, f), DISSECT_CONTENTS,
                            record_layout_missing(f));
        n = dissect_field_left(w);
    }
    for (; n > 0; n--)
        dissect_field_word(w, f, &value, &i);
}

/* One field. False: the record ends before it. */
static bool content_field(struct dissect_cursor *w, const struct record_field *f) {
    uint64_t value;
    size_t i;
    switch (f->kind) {
    case FIELD_INLINE_ID:
        if (dissect_field_number(w, f) != 0 || (f->flags & FIELD_OMITTED && omits_thread_id(w)))
            return true;
        break;
    case FIELD_INLINE_TEXT:
        return dissect_field_inline_text(w, f);
    case FIELD_TEXT:
    case FIELD_BYTES:
        return stream_field(w, f);
    case FIELD_ARGUMENTS:
        return arguments(w, f);
    case FIELD_ADDRESSES:
        addresses(w, f);
        return true;
    case FIELD_CONTENTS:
        if (f->hi > 0) {
            w->length = dissect_field_number(w, f);
            w->length_field = dissect_field_governing(w, f);
        }
        dissect_field_contents(w, f->name, w->length_field, w->length);
        return true;
    case FIELD_UNKNOWN_REST:
        dissect_field_rest_undecoded(w);
        return true;
    default:
        break;
    }
    if (!dissect_field_word(w, f, &value, &i))
        return false;
    note_word(w, i, f, value);
    return true;
}

/* ---- records ---- */

static void framing(struct dissect_cursor *w) {
    const struct record_field *f = record_layout_framing(FXT_BITS(w->r.header, 0, 3) == FXT_LARGE);
    header_field(w, &f[0]);
    size_t size = dissect_field_bits(w, &f[1]);
    dissect_field_note(w, size, "words, %" PRIu64 " bytes", w->size * 8);
    if (w->cut)
        dissect_field_fault(w, size, DISSECT_NO_RECORD,
                            "the record would end after the end of the file");
}

/* Takes the second header of a large blob. */
static bool second_header(struct dissect_cursor *w) {
    if (dissect_field_left(w) == 0)
        return dissect_field_lacks(w, "no space left for the second header");
    w->header[1] = record_word(w->words + w->at++, w->swap);
    return true;
}

void dissect_record(struct dissect_cursor *w) {
    w->header[0] = w->r.header;
    framing(w);
    const struct record_layout *l = record_layout_of((enum fxt_kind)w->r.kind, w->r.header);
    bool two = false;
    for (size_t k = 0; k < l->n; k++) {
        const struct record_field *f = &l->fields[k];
        if (f->word == 1 && !two && !(two = second_header(w)))
            return;
        if (f->flags & FIELD_TAIL && dissect_field_left(w) < l->n - k)
            break;
        if (f->kind < FIELD_FOLLOWS)
            header_field(w, f);
        else if (!content_field(w, f))
            break;
    }
    dissect_field_extra(w);
}
