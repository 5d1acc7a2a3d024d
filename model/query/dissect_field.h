/* dissect_field.h - the parts that records are made of, as fields of an anatomy: bits, words, streams, references, arguments.
 *
 * The inside of anatomy.c. A walk goes through the words of one record; nothing is read at or past `avail`. Functions
 * that return false have said what is missing, and have taken the rest of the record as not decoded. Fields are known
 * by their place in the list, since the list moves as it grows. */
#ifndef FXTOP_DISSECT_FIELD_H
#define FXTOP_DISSECT_FIELD_H

#include "model/query/dissect.h"
#include "src/fxt/record.h"

#define PART_NONE SIZE_MAX /* no field */

struct walk { /* `at` is behind the first header when it begins */
    struct anatomy *a;
    const struct anatomy_place *place;
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
void part_put(struct walk *w, const char *s, size_t n);

/* Fields: what is added returns its place. Notes are made only where there is a trace to ask. */
void part_fault(struct walk *w, size_t i, enum anatomy_fault what, const char *why);
size_t part_add(struct walk *w, enum anatomy_unit unit, uint64_t bit, uint64_t bits, const char *name);
void part_note(struct walk *w, size_t i, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void part_hexadecimal(struct walk *w, size_t i, uint64_t n);
void part_byte_count(struct walk *w, size_t i, uint64_t n); /* "1 byte" */
void part_hex_bytes(struct walk *w, size_t i, const unsigned char *bytes, uint64_t n);
void part_show(struct walk *w, size_t i); /* in a line of --records, too */
void part_text_value(struct walk *w, size_t i, struct str s);
/* Bits lo..hi of word `word`, whose value is `of`, as a decimal number. */
size_t part_bits(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi, const char *name);
/* The same of the record's header. */
size_t part_header(struct walk *w, unsigned lo, unsigned hi, const char *name);
void part_reserved(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi);
size_t part_undecoded(struct walk *w, uint64_t word, uint64_t of, unsigned lo, unsigned hi);
uint64_t part_left(const struct walk *w); /* words */
uint64_t part_words_of(uint64_t n);
/* `n` words without more about them. */
size_t part_run(struct walk *w, uint64_t n, const char *name);
/* What follows in the record cannot be told. */
void part_rest_undecoded(struct walk *w);
/* Something that the header promises is not there: said where the size is. */
bool part_lacks(struct walk *w, const char *why);
/* One word, in decimal; false where the record has no more. */
bool part_word(struct walk *w, const char *name, const char *why, uint64_t *value, size_t *i);
bool part_shown_word(struct walk *w, const char *name, const char *why, bool hex, size_t *i);
/* `n` bytes, and the zeros that fill their last word; the caller knows that they are there. */
size_t part_stream(struct walk *w, uint64_t n, const char *name);
/* Bytes that may be more than are at hand (large records): their text is not needed. */
void part_contents(struct walk *w, size_t length, uint64_t declared);
/* What is left behind known contents. */
void part_extra(struct walk *w);
/* s: as it was decoded; an inline one that was not has no bytes. */
size_t part_string_ref(struct walk *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                       const struct fxt_string *s);
/* The stream of an inline string whose reference is field `ref`. */
bool part_inline_string(struct walk *w, size_t ref, uint64_t of, unsigned lo, const char *name);
void part_note_thread(struct walk *w, size_t i, uint32_t number);
/* A thread reference; t: as it was decoded. there: it was, with its ids where it is inline. */
size_t part_thread_ref(struct walk *w, uint64_t in, uint64_t of, unsigned lo, const char *name,
                       const struct fxt_thread_ref *t, bool there, bool main);
/* The words of an inline thread. ids: how many of the two there are. */
bool part_inline_thread(struct walk *w, uint64_t index, unsigned ids, const char *pid, const char *tid);
bool part_inline_ids(struct walk *w, uint64_t index);
/* A thread that is named by its koid alone. */
bool part_koid_thread(struct walk *w, const char *name, const char *why);
/* A word that is a time. */
bool part_ticks(struct walk *w, const char *name, const char *why, uint64_t *value, size_t *i);
bool part_timestamp(struct walk *w);
/* count: the field that says how many. False where not all are there. */
bool part_arguments(struct walk *w, size_t count);
/* Arguments, and nothing behind them. */
void part_rest(struct walk *w, size_t count);

#endif
