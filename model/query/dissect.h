/* dissect.h - splits a record into its fields, to the bit, with the names of fxt(5) and the faults
 * of each field.
 *
 * Each bit of the words in memory is in exactly one field, whatever the words are. --records prints
 * the fields that have `line` set, the view of bytes prints all; so both have the same names and
 * values. All text is safe to print (text_plain()). A struct dissection may be filled again and
 * again; it keeps its memory until dissect_free(). */
#ifndef FXTOP_DISSECT_H
#define FXTOP_DISSECT_H

#include <stdio.h>

#include "model/trace/trace.h"

enum dissect_unit {
    DISSECT_BITS,   /* of one word, counted from its lowest */
    DISSECT_WORDS,  /* whole words */
    DISSECT_STREAM, /* bytes, in the order of the file; an empty stream has no bits */
};

enum dissect_fault {
    DISSECT_FINE,
    DISSECT_NO_RECORD, /* the record cannot be framed */
    DISSECT_CONTENTS,  /* contents exceed the record */
    DISSECT_ARGUMENTS, /* arguments malformed */
    DISSECT_RESERVED,  /* reserved bits or padding that are not 0 */
    DISSECT_UNKNOWN,   /* an undefined type */
    DISSECT_UNDEFINED, /* an index that was never registered */
    DISSECT_VALUE,     /* a value that makes no sense */
    DISSECT_EXTRA,     /* words that no field covers */
    DISSECT_FAULTS
};

/* The part that a field has in a line of --records. */
enum dissect_line {
    DISSECT_HIDDEN,
    DISSECT_SHOWN,    /* name=value */
    DISSECT_ARG_TYPE, /* {name=type:value} of one argument; null has no value */
    DISSECT_ARG_NAME,
    DISSECT_ARG_VALUE,
};

/* Texts are places in dissection.text, 0 for none: `raw` the number in the record, `value` its
 * meaning, `note` a name or an explanation, which may need the whole trace. */
struct dissect_field {
    /* start and length: word * 64 + bit of the word; of streams word * 64 + byte * 8 */
    uint64_t bit, bits;
    const char *name;
    const char *why; /* the fault in words; NULL: none */
    uint32_t raw, value, note;
    uint8_t unit, fault, line; /* enum dissect_unit, dissect_fault, dissect_line */
    bool quoted;               /* the value is text of the trace */
    /* in a line of --records the note is a text of this name; NULL: it is left out */
    const char *note_key;
    bool elsewhere; /* a reference whose target is another field: raw is all that is shown here */
};

struct dissection {
    VEC(struct dissect_field) v;
    VEC(char) text;
    uint64_t offset, size; /* bytes */
    /* that the fields cover: less than size if only a part of a large record is in memory */
    uint64_t bytes;
    uint8_t frame;   /* enum reader_frame_kind */
    uint8_t kind;    /* enum fxt_kind; valid for FRAME_RECORD and FRAME_CUT */
    unsigned faults; /* 1 << enum dissect_fault */
    const struct provider *provider;
};

/* The place of a record: the meaning of its references. */
struct dissect_place {
    struct reader *reader;
    /* NULL: while it is read, references mean what they do now, and there are no notes */
    struct trace *trace;
    unsigned text; /* enum text_flags */
};

/* Dissects the bytes at an offset (a multiple of 8): a record, damage, or the rest of a file.
 * False: the file has none. */
bool dissect_open(struct dissection *a, const struct dissect_place *place, uint64_t offset);
/* Dissects words in memory; nothing else is read. */
void dissect_frame(struct dissection *a, const struct dissect_place *place, uint64_t offset,
                   const struct reader_frame *frame);
void dissect_free(struct dissection *a);

/* " name=value ... args={...} [fault]", as --records prints it after the record's kind. */
void dissect_print(const struct dissection *a, FILE *out);

const char *dissect_fault_name(enum dissect_fault fault); /* "contents exceed the record" */
static inline const char *dissect_text(const struct dissection *a, uint32_t at) {
    return a->text.v + at;
}

#endif
