/* dissect_field.h - how the fields of a dissection are made: bits, words, streams, references.
 *
 * The inside of dissect.c and dissect_record.c. A cursor goes through the words of one record;
 * nothing is read at or past `avail`. A struct record_field (src/fxt/record_layout.h) names a field
 * and its bits, in the headers that the cursor has. Functions that return false have reported what
 * is missing, and have taken the rest of the record as not decoded. Fields are known by their index
 * in the list, since the list moves as it grows. */
#ifndef FXTOP_DISSECT_FIELD_H
#define FXTOP_DISSECT_FIELD_H

#include "model/query/dissect.h"
#include "src/fxt/record.h"
#include "src/fxt/record_layout.h"

#define DISSECT_FIELD_NONE SIZE_MAX /* no field */

struct dissect_cursor {
    struct dissection *a;
    const struct dissect_place *place;
    struct provider *provider;
    const uint64_t *words;
    uint64_t at, avail;    /* words: the next one, the end of those in memory */
    uint64_t offset, size; /* of the record: bytes, words */
    uint64_t base;         /* word of the header that is dissected: 0, or that of an argument */
    uint64_t header[2];    /* it, and the second header of a large blob */
    uint64_t length;       /* of the contents of a large blob, in bytes */
    size_t length_field;
    bool swap, cut; /* cut: the file ends before the record */
    bool has_pid;
    uint64_t pid; /* of the record's thread, for pointers */
    struct fxt_record r;
};

/* Text. The first byte of the text is a NUL, so that 0 is the empty string. */
void dissect_field_put(struct dissect_cursor *w, const char *s, size_t n);

/* Fields: functions that add one return its index. */
size_t dissect_field_add(struct dissect_cursor *w, enum dissect_unit unit, uint64_t bit,
                         uint64_t bits, const char *name);
void dissect_field_fault(struct dissect_cursor *w, size_t i, enum dissect_fault what,
                         const char *why);
void dissect_field_show(struct dissect_cursor *w, size_t i); /* in a line of --records, too */

/* Raw values and notes, made only if there is a trace. */
void dissect_field_raw(struct dissect_cursor *w, size_t i, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void dissect_field_note(struct dissect_cursor *w, size_t i, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* In a line of --records, too, under that key. */
void dissect_field_note_shown(struct dissect_cursor *w, size_t i, const char *key,
                              const char *text);
/* UINT32_MAX: none */
void dissect_field_note_name(struct dissect_cursor *w, size_t i, uint32_t name);
void dissect_field_note_thread(struct dissect_cursor *w, size_t i, uint32_t number);
void dissect_field_note_ticks(struct dissect_cursor *w, size_t i, uint64_t ticks);

/* Values. */
void dissect_field_hexadecimal(struct dissect_cursor *w, size_t i, uint64_t n);
void dissect_field_byte_count(struct dissect_cursor *w, size_t i, uint64_t n); /* "1 byte" */
void dissect_field_hex_bytes(struct dissect_cursor *w, size_t i, const unsigned char *bytes,
                             uint64_t n);
void dissect_field_text_value(struct dissect_cursor *w, size_t i, struct str s);
/* not a text of the trace */
void dissect_field_plain_value(struct dissect_cursor *w, size_t i, struct str s);

/* Bits of a header. */
uint64_t dissect_field_number(const struct dissect_cursor *w, const struct record_field *f);
size_t dissect_field_bits(struct dissect_cursor *w, const struct record_field *f); /* in decimal */
void dissect_field_reserved(struct dissect_cursor *w, const struct record_field *f);
size_t dissect_field_undecoded(struct dissect_cursor *w, const struct record_field *f);
/* s: the string as it was decoded; one that is inline and was not decoded has no bytes. */
size_t dissect_field_string_ref(struct dissect_cursor *w, const struct record_field *f,
                                const struct fxt_string *s);
/* t: the thread as it was decoded. */
size_t dissect_field_thread_ref(struct dissect_cursor *w, const struct record_field *f,
                                const struct fxt_thread_ref *t);
/* The field of the header bits that govern f: its length or its reference. */
size_t dissect_field_governing(const struct dissect_cursor *w, const struct record_field *f);

/* ---- the words after the headers ---- */
uint64_t dissect_field_left(const struct dissect_cursor *w); /* words */
uint64_t dissect_field_words_of(uint64_t bytes);
/* `n` words without a meaning. */
size_t dissect_field_run(struct dissect_cursor *w, uint64_t n, const char *name);
void dissect_field_rest_undecoded(struct dissect_cursor *w);
/* Words after the contents that are known. */
void dissect_field_extra(struct dissect_cursor *w);
/* Reports, at the size of the record, that something does not fit into it. Returns false. */
bool dissect_field_lacks(struct dissect_cursor *w, const char *why);
/* Reports, at the field that governs f, that its n bytes do not fit into the record; true if they
 * do. */
bool dissect_field_fits(struct dissect_cursor *w, const struct record_field *f, uint64_t n);
bool dissect_field_word(struct dissect_cursor *w, const struct record_field *f, uint64_t *value,
                        size_t *i);
/* `n` bytes, and the zeros that fill their last word; they fit. */
size_t dissect_field_stream(struct dissect_cursor *w, uint64_t n, const char *name);
/* The stream of an inline string; true if the string is not inline. */
bool dissect_field_inline_text(struct dissect_cursor *w, const struct record_field *f);
/* Bytes, of which a large record may have more than are in memory. length: the field that declares
 * them. */
void dissect_field_contents(struct dissect_cursor *w, const char *name, size_t length,
                            uint64_t declared);

/* dissect_record.c: takes the record apart that w->r is. */
void dissect_record(struct dissect_cursor *w);

#endif
