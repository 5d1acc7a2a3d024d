/* sequence.h - the state of a sequence of packets: what it has interned, and its defaults.
 *
 * A writer sends each text once and then its number. If packets of it were lost, the numbers mean
 * nothing until it clears its state and sends all again. */
#ifndef FXTOP_SEQUENCE_H
#define FXTOP_SEQUENCE_H

#include "src/base/u64map.h"
#include "src/fxt/writer.h"

/* Fields of InternedData that are read. */
enum sequence_kind {
    SEQUENCE_CATEGORY,
    SEQUENCE_NAME,
    SEQUENCE_KEY, /* name of an annotation */
    SEQUENCE_LOCATION,
    SEQUENCE_FUNCTION,
    SEQUENCE_FRAME,
    SEQUENCE_CALLSTACK,
    SEQUENCE_LOG,
    SEQUENCE_SYMBOL, /* of the kernel */
    SEQUENCE_TEXT,   /* value of an annotation */
    SEQUENCE_CORRELATION,
    SEQUENCE_KINDS
};

struct sequence_entry { /* bytes of `text`: a text, or the message as it is */
    size_t at, n;
    struct writer_string ref; /* of a text that was written as a name */
    bool written;
};

struct sequence_tables {
    struct u64map by_iid[SEQUENCE_KINDS];
    struct u64map sums; /* of counters whose values are differences: uuid -> bits of a double */
    VEC(struct sequence_entry) v;
    VEC(char) text;
};

struct sequence {
    uint64_t id;
    bool valid;                     /* its state is known */
    struct sequence_tables *tables; /* NULL: nothing is interned */
    /* Defaults. */
    bool has_clock, has_track;
    uint64_t clock, track;
    VEC(char) defaults; /* TrackEventDefaults */
    /* The legacy ThreadDescriptor. */
    bool has_thread;
    uint64_t pid, tid;
    uint64_t time_us; /* the latest time that was given as a difference */
};

struct sequences {
    VEC(struct sequence *) v;
    struct u64map by_id;
    struct sequence *last;
};

struct sequence *sequence_get(struct sequences *all, uint64_t id);
void sequence_free(struct sequences *all);
/* All that it has interned means nothing from now on. */
void sequence_clear(struct sequence *s);
/* Reads InternedData. */
void sequence_intern(struct sequence *s, struct str interned);
/* Reads TracePacketDefaults. */
void sequence_set_defaults(struct sequence *s, struct str defaults);

/* An entry, or NULL; valid until the next packet. */
struct sequence_entry *sequence_find(const struct sequence *s, enum sequence_kind kind,
                                     uint64_t iid);
static inline struct str sequence_text(const struct sequence *s, const struct sequence_entry *e) {
    return (struct str){s->tables->text.v + e->at, e->n};
}
/* Adds a difference to the value of a counter, which is 0 at first. */
double sequence_sum(struct sequence *s, uint64_t uuid, double difference);
/* Its bytes; empty: there is none. */
struct str sequence_bytes(const struct sequence *s, enum sequence_kind kind, uint64_t iid);

#endif
