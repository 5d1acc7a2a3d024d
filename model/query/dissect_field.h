/* dissect_field.h - the parts that records are made of, as fields of an anatomy: bits, words, streams, references, arguments.
 *
 * The inside of anatomy.c. A walk goes through the words of one record; nothing is read at or past `avail`. Functions
 * that return false have said what is missing, and have taken the rest of the record as not decoded. Fields are known
 * by their place in the list, since the list moves as it grows. */
#ifndef FXTOP_DISSECT_FIELD_H
#define FXTOP_DISSECT_FIELD_H

#include "model/query/dissect.h"
#include "src/fxt/record.h"

#define DISSECT_FIELD_NONE SIZE_MAX /* no field */

struct dissect_cursor { /* `at` is behind the first header when it begins */
    struct dissection *a;
    const struct dissect_place *place;
    struct provider *provider;
    const uint64_t *words;
    uint64_t at, avail; /* words */
    uint64_t offset, size;
    bool swap, cut; /* cut: the words end, not the record */
    uint64_t pid;   /* of the record's thread, for pointers */
    bool has_pid;
    struct fxt_record r;
};

/* Text: its first byte is a NUL, so that 0 is the empty one. */
void dissect_field_put(struct dissect_cursor *w, const char *s, size_t n);

/* Fields: what is added returns its place. Notes are made only where there is a trace to ask. */
void dissect_field_fault(struct dissect_cursor *w, size_t i, enum dissect_fault what, const char *why);
size_t dissect_field_add(struct dissect_cursor *w, enum dissect_unit unit, uint64_t bit, uint64_t bits,
                         const char *name);
void dissect_field_note(struct dissect_cursor *w, size_t i, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void dissect_field_hexadecimal(struct dissect_cursor *w, size_t i, uint64_t n);
void dissect_field_byte_count(struct dissect_cursor *w, size_t i, uint64_t n); /* "1 byte" */
void dissect_field_hex_bytes(struct dissect_cursor *w, size_t i, const unsigned char *bytes, uint64_t n);
void dissect_field_show(struct dissect_cursor *w, size_t i); /* in a line of --records, too */
void dissect_field_text_value(struct dissect_cursor *w, size_t i, struct str s);
/* Bits lo..hi of word `word`, whose value is `of`, as a decimal number. */
size_t dissect_field_bits(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi,
                          const char *name);
/* The same of the record's header. */
size_t dissect_field_header(struct dissect_cursor *w, unsigned lo, unsigned hi, const char *name);
void dissect_field_reserved(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi);
size_t dissect_field_undecoded(struct dissect_cursor *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi);
uint64_t dissect_field_left(const struct dissect_cursor *w); /* words */
uint64_t dissect_field_words_of(uint64_t n);
/* `n` words without more about them. */
size_t dissect_field_run(struct dissect_cursor *w, uint64_t n, const char *name);
/* What follows in the record cannot be told. */
void dissect_field_rest_undecoded(struct dissect_cursor *w);
/* Something that the header promises is not there: said where the size is. */
bool dissect_field_lacks(struct dissect_cursor *w, const char *why);
/* One word, in decimal; false where the record has no more. */
bool dissect_field_word(struct dissect_cursor *w, const char *name, const char *why, uint64_t *value, size_t *i);
bool dissect_field_shown_word(struct dissect_cursor *w, const char *name, const char *why, bool hex, size_t *i);
/* `n` bytes, and the zeros that fill their last word; the caller knows that they are there. */
size_t dissect_field_stream(struct dissect_cursor *w, uint64_t n, const char *name);
/* Bytes that may be more than are at hand (large records): their text is not needed. */
void dissect_field_contents(struct dissect_cursor *w, size_t length, uint64_t declared);
/* What is left behind known contents. */
void dissect_field_extra(struct dissect_cursor *w);
/* s: as it was decoded; an inline one that was not has no bytes. */
size_t dissect_field_string_ref(struct dissect_cursor *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                                const struct fxt_string *s);
/* The stream of an inline string whose reference is field `ref`. */
bool dissect_field_inline_string(struct dissect_cursor *w, size_t ref, uint64_t of, unsigned lo, const char *name);
void dissect_field_note_thread(struct dissect_cursor *w, size_t i, uint32_t number);
/* A thread reference; t: as it was decoded. there: it was, with its ids where it is inline. */
size_t dissect_field_thread_ref(struct dissect_cursor *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                                const struct fxt_thread_ref *t, bool there, bool main);
/* The words of an inline thread. ids: how many of the two there are. */
bool dissect_field_inline_thread(struct dissect_cursor *w, uint64_t index, unsigned ids, const char *pid,
                                 const char *tid);
bool dissect_field_inline_ids(struct dissect_cursor *w, uint64_t index);
/* A thread that is named by its koid alone. */
bool dissect_field_koid_thread(struct dissect_cursor *w, const char *name, const char *why);
/* A word that is a time. */
bool dissect_field_ticks(struct dissect_cursor *w, const char *name, const char *why, uint64_t *value, size_t *i);
bool dissect_field_timestamp(struct dissect_cursor *w);
/* count: the field that says how many. False where not all are there. */
bool dissect_field_arguments(struct dissect_cursor *w, size_t count);
/* Arguments, and nothing behind them. */
void dissect_field_rest(struct dissect_cursor *w, size_t count);

#endif
