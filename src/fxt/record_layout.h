/* record_layout.h - the layout of every record and argument of fxt(5), as a table.
 *
 * A layout lists the fields of a record after its type and size. First are the bits of its header,
 * lowest first; large blobs have a second header. Then follow words, streams and arguments in the
 * order of the record. The fields of a header cover all of its bits. --records and the view of
 * bytes print records along the table. Resynchronisation takes plausible headers from it, and a
 * test compares it with the lists of fxt(5). Decoding (record.c) is written by hand.
 *
 * Everything here is constant; nothing allocates or fails. */
#ifndef FXTOP_RECORD_LAYOUT_H
#define FXTOP_RECORD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/fxt/fxt.h"

enum record_field_kind {
    /* bits of a header */
    FIELD_NUMBER,
    FIELD_RESERVED,
    FIELD_TOLERATED, /* reserved, but some writers set it */
    FIELD_OPAQUE,    /* bits of a type without a meaning */
    FIELD_MAGIC,     /* the magic number */
    FIELD_PROVIDER,  /* the id of a provider that was introduced before */
    FIELD_FLAGS,     /* access to a mapping: 1 read, 2 write, 4 execute */
    FIELD_INDEX,     /* index to define; 0 defines nothing */
    FIELD_LENGTH,    /* length of a stream, in bytes */
    FIELD_COUNT,     /* number of arguments */
    FIELD_CATEGORY,  /* string references */
    FIELD_NAME,
    FIELD_STRING,   /* the value of an argument */
    FIELD_THREAD,   /* thread references: the record's thread */
    FIELD_INCOMING, /* the incoming thread of a legacy switch */
    FIELD_VALUE,    /* the value of an argument, or the length of its value */

    /* words and streams after the headers */
    FIELD_WORD,
    FIELD_TICK_RATE,    /* ticks per second; 0 makes no sense */
    FIELD_WALL_TIME,    /* ns since 1970 */
    FIELD_TICKS,        /* a time */
    FIELD_END,          /* the time of the end; not before the record's time */
    FIELD_THREAD_KOID,  /* a thread, without its process */
    FIELD_DEFINED,      /* thread id of a thread record */
    FIELD_INLINE_ID,    /* process or thread id: if the reference is inline */
    FIELD_INLINE_TEXT,  /* string: if the reference is inline */
    FIELD_TEXT,         /* string of a given length */
    FIELD_BYTES,        /* bytes of a given length */
    FIELD_LENGTH_WORD,  /* bytes of the contents of a large blob */
    FIELD_CONTENTS,     /* contents of a blob, of a given length */
    FIELD_ADDRESSES,    /* as many words as the header declares */
    FIELD_ARGUMENTS,    /* as many as the header declares */
    FIELD_VALUE_WORD,   /* the value of an argument */
    FIELD_VALUE_BYTES,  /* the value of an argument, of a given length */
    FIELD_UNKNOWN_REST, /* words of a type without a meaning */
};

enum { FIELD_FOLLOWS = FIELD_WORD }; /* the first kind that is no bits of a header */

enum record_field_flags {
    FIELD_SHOWN = 1,   /* --records prints it */
    FIELD_HEX = 2,     /* its number is printed in hexadecimal */
    FIELD_TAIL = 4,    /* a record may end before it; then all fields after it are absent, too */
    FIELD_OMITTED = 8, /* some writers leave it out */
};

/* Sets of values that have names; see record_layout_value(). */
enum record_values {
    VALUES_NONE,
    VALUES_RECORD,
    VALUES_METADATA,
    VALUES_PROVIDER_EVENT,
    VALUES_TRACE_INFO,
    VALUES_EVENT,
    VALUES_SCOPE,
    VALUES_BLOB,
    VALUES_OBJECT,
    VALUES_STATE,
    VALUES_SCHEDULING,
    VALUES_PROFILER,
    VALUES_LARGE,
    VALUES_FORMAT,
    VALUES_SETS
};

struct record_field {
    uint8_t kind; /* enum record_field_kind */
    uint8_t word; /* 0: the header; 1: the second header of a large blob */
    /* bits, both included; after the headers: those of the reference, length or count (0: none) */
    uint8_t lo, hi;
    uint8_t values;  /* enum record_values */
    uint8_t flags;   /* enum record_field_flags */
    uint8_t missing; /* of record_layout_missing() */
    const char *name;
};

/* The fault of a record in which a field after the headers does not fit; NULL: the field always
 * fits. */
const char *record_layout_missing(const struct record_field *field);

struct record_layout {
    const char *section; /* of fxt(5), which has the same list; NULL: none */
    const struct record_field *fields;
    size_t n;

    /* Plausibility. `zero` are the bits of the header that are 0 in all records written today:
     * reserved bits and fields whose only known value is 0. They are all bits if the type or
     * subtype is undefined. `words` is not 0 if the header alone decides the size. It is then the
     * size in words, without a stream whose length in bytes is in bits lo..hi. `longer` is the size
     * of a long form, or 0. */
    uint64_t zero;
    uint8_t words, longer, lo, hi;
};

#define RECORD_UNKNOWN UINT64_MAX

/* By enum fxt_kind, without the type and the size. */
extern const struct record_layout record_layouts[FXT_K_COUNT];

/* The kind of a header by its type and subtype, and the lowest bit of the subtype. */
extern const uint8_t record_layout_kinds[16][16];
extern const uint8_t record_layout_subtype[16];

/* The layout of a record: that of its kind, or of the part of it whose type is known. */
const struct record_layout *record_layout_of(enum fxt_kind kind, uint64_t header);

/* The two fields that every record begins with: its type and its size. Large records have a longer
 * size. */
const struct record_field *record_layout_framing(bool large);

/* The three fields that every argument begins with: its type, its size and the reference to its
 * name. */
extern const struct record_field record_layout_argument_header[3];

/* The fields after them, by enum fxt_argument; the last is for undefined types. */
#define RECORD_ARGUMENTS (FXT_ARG_BLOB + 2)
extern const struct record_layout record_layout_arguments[RECORD_ARGUMENTS];

/* Has a record with this header, whose layout has `words`, this size? */
bool record_layout_exact(const struct record_layout *layout, uint64_t header, uint64_t size);

/* Could a record of `size` words, > 0, have this header? Its type and subtype are known, its
 * reserved bits are zero, and its size is right if the header alone decides it. Returns its layout,
 * else NULL. Inline, because reading asks this of each word of garbage. */
static inline const struct record_layout *record_layout_plausible(uint64_t h, uint64_t size) {
    uint64_t type = FXT_BITS(h, 0, 3);
    const struct record_layout *l =
        &record_layouts[record_layout_kinds[type][h >> record_layout_subtype[type] & 15]];
    return h & l->zero || (l->words > 0 && !record_layout_exact(l, h, size)) ? NULL : l;
}

/* "provider info"; NULL: it has no name */
const char *record_layout_value(enum record_values values, uint64_t value);
/* The fault of a value without a name; NULL: none, it is a mere number. */
const char *record_layout_meaningless(enum record_values values);

#endif
