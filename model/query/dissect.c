/* dissect.c - the bytes at an offset of the trace as a list of fields, and that list as a line of
 * --records.
 *
 * dissect_frame() decodes a record and leaves its fields to dissect_record.c. Damage, zeros and the
 * bytes after the last word have one or a few fields of their own. */
#include "model/query/dissect.h"

#include <assert.h>

#include "model/query/dissect_field.h"

/* ---- bytes that are no record ---- */

static void dissect_zero_size(struct dissect_cursor *w) {
    uint64_t h = w->header[0] = record_word(w->words, w->swap);
    const struct record_field *f = record_layout_framing(FXT_BITS(h, 0, 3) == FXT_LARGE);
    const struct record_field rest = {
        .lo = (uint8_t)(f[1].hi + 1), .hi = 63, .name = "not decoded"};
    const char *type = record_layout_value(VALUES_RECORD, FXT_BITS(h, 0, 3));
    size_t i = dissect_field_bits(w, &f[0]);
    if (type)
        dissect_field_note(w, i, "%s", type);
    i = dissect_field_bits(w, &f[1]);
    dissect_field_fault(w, i, DISSECT_NO_RECORD, "size 0: the next record cannot be located");
    dissect_field_undecoded(w, &rest);
    w->at = 1;
    if (dissect_field_left(w) > 0)
        dissect_field_run(w, dissect_field_left(w), "skipped");
}

void dissect_frame(struct dissection *a, const struct dissect_place *place, uint64_t offset,
                   const struct reader_frame *f) {
    struct dissect_cursor w = {.a = a,
                               .place = place,
                               .provider = f->provider,
                               .words = f->words,
                               .at = 1,
                               .avail = f->avail,
                               .offset = offset,
                               .size = f->size,
                               .swap = f->swap,
                               .cut = f->kind == FRAME_CUT};
    size_t i;
    a->v.n = 0;
    a->text.n = 0;
    a->faults = 0;
    a->offset = offset;
    a->size = f->bytes;
    a->frame = (uint8_t)f->kind;
    a->bytes = f->kind == FRAME_BYTES ? f->bytes : f->avail * 8;
    a->provider = f->provider;
    dissect_field_put(&w, "", 1);
    switch (f->kind) {
    case FRAME_RECORD:
    case FRAME_CUT:
        record_decode(&w.r, f->words, f->avail, f->size, f->swap);
        a->kind = w.r.kind;
        dissect_record(&w);
        break;
    case FRAME_ZERO_SIZE:
        dissect_zero_size(&w);
        break;
    case FRAME_ZEROS:
        w.at = 0;
        dissect_field_fault(&w, dissect_field_run(&w, f->avail, "zeros"), DISSECT_NO_RECORD,
                            "zeros where a record should be");
        break;
    case FRAME_BYTES:
        i = dissect_field_add(&w, DISSECT_STREAM, 0, f->bytes * 8, "trailing bytes");
        dissect_field_byte_count(&w, i, f->bytes);
        dissect_field_fault(&w, i, DISSECT_NO_RECORD, "less than a word");
        break;
    }
}

bool dissect_open(struct dissection *a, const struct dissect_place *place, uint64_t offset) {
    struct reader_frame f;
    if (offset % 8 != 0 || !reader_frame_at(place->reader, offset, &f))
        return false;
    dissect_frame(a, place, offset, &f);
    return true;
}

void dissect_free(struct dissection *a) {
    vec_free(&a->v);
    vec_free(&a->text);
}

/* ---- one line ---- */

const char *dissect_fault_name(enum dissect_fault f) {
    static const char *const names[DISSECT_FAULTS] = {
        [DISSECT_FINE] = "",
        [DISSECT_NO_RECORD] = "no whole record",
        [DISSECT_CONTENTS] = "contents exceed the record",
        [DISSECT_ARGUMENTS] = "arguments malformed",
        [DISSECT_RESERVED] = "reserved bits set",
        [DISSECT_UNKNOWN] = "unknown type",
        [DISSECT_UNDEFINED] = "undefined reference",
        [DISSECT_VALUE] = "doubtful value",
        [DISSECT_EXTRA] = "extra words",
    };
    return names[f];
}

static char key_char(char c) {
    if (c == ' ')
        return '_';
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* "outgoing thread ref" is outgoing_thread= in a line. */
static void print_key(const char *name, FILE *out) {
    char key[40];
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, " ref") == 0)
        n -= 4;
    assert(n < sizeof key);
    for (size_t i = 0; i < n; i++)
        key[i] = key_char(name[i]);
    key[n] = '=';
    fwrite(key, 1, n + 1, out);
}

static void print_value(const struct dissection *a, const struct dissect_field *f, FILE *out) {
    if (f->quoted)
        putc('"', out);
    fputs(dissect_text(a, f->value), out);
    if (f->quoted)
        putc('"', out);
    if (f->note_key && f->note)
        fprintf(out, " %s=\"%s\"", f->note_key, dissect_text(a, f->note));
}

void dissect_print(const struct dissection *a, FILE *out) {
    const char *type = "", *before = NULL;
    bool in = false;
    for (size_t i = 0; i < a->v.n; i++) {
        const struct dissect_field *f = &a->v.v[i];
        switch ((enum dissect_line)f->line) {
        case DISSECT_HIDDEN:
            break;
        case DISSECT_SHOWN:
            if (in)
                fputs("} ", out);
            else
                fputs(before == f->name ? "," : " ", out);
            if (before != f->name)
                print_key(f->name, out);
            in = false;
            before = f->name;
            print_value(a, f, out);
            break;
        case DISSECT_ARG_TYPE:
            fputs(in ? ", " : " args={", out);
            in = true;
            type = dissect_text(a, f->value);
            break;
        case DISSECT_ARG_NAME:
            fputs(dissect_text(a, f->value), out);
            putc('=', out);
            fputs(type, out);
            fputs(strcmp(type, "null") == 0 ? ":null" : ":", out);
            break;
        case DISSECT_ARG_VALUE:
            print_value(a, f, out);
            break;
        }
    }
    if (in)
        putc('}', out);
    for (int fault = 1; fault < DISSECT_FAULTS; fault++)
        if (a->faults & 1u << fault)
            fprintf(out, " [%s]", dissect_fault_name((enum dissect_fault)fault));
}
