/* slice.h - one slice in 24 bytes. Times are ns relative to the reader's base; offsets are bytes, kept as words.
 *
 * Nothing is here that the record or the rows can tell again: category and arguments are decoded when somebody looks
 * (detail.h). The parent of a slice that has a length is the last on the row above that begins no later; one of no
 * length may stand in another of none, so it keeps the number of its parent where its duration would be. */
#ifndef FXTOP_SLICE_H
#define FXTOP_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/fxt/event.h"

struct slice {
    int64_t start;
    uint64_t a; /* the begin record's word [0..36], name [37..63]: event_pack() */
    uint64_t b; /* duration or parent, and words to the end record [0..56], enum slice_end_kind [57..59], flags
                   [60..62]; or [63] set: the duration alone, and the rest instead of the name */
};

#define SLICE_OPEN INT64_MAX /* duration of one that has no end */
#define SLICE_NO_PARENT UINT32_MAX

enum slice_flag {
    SLICE_COMPLETE = 1,  /* from a complete event */
    SLICE_OVERLAP = 2,   /* the latest slice that had not ended did not contain it */
    SLICE_MISMATCH = 4,  /* its end had another name */
    SLICE_DISPLACED = 8, /* not on the row below its parent's */
};

enum slice_end_kind {
    SLICE_HAS_NONE,
    SLICE_HAS_OWN,       /* the record of its begin tells it */
    SLICE_HAS_NEAR,      /* duration [0..32], words from begin to end record [33..56] */
    SLICE_HAS_FAR,       /* the end record's place is kept aside */
    SLICE_NO_LENGTH = 4, /* flag */
};

#define SLICE_BRIEF (INT64_C(1) << 33) /* durations that leave room for a distance */
#define SLICE_NEAR (UINT64_C(1) << 24) /* distances in words that fit */
#define SLICE_LONG (INT64_C(1) << 57)  /* durations that leave room for nothing */
#define SLICE_IS_LONG (UINT64_C(1) << 63)

static inline uint64_t slice_offset(const struct slice *s) {
    return event_offset(s->a);
}

static inline uint32_t slice_name(const struct slice *s) {
    return event_name(s->a);
}

/* end: the end record's byte; UINT64_MAX where it has none. Where the result is slice_far(), the caller keeps it. */
static inline struct slice slice_make(int64_t start, int64_t dur, uint64_t a, uint64_t end, unsigned flags) {
    uint64_t words = (end - event_offset(a)) / 8; /* more than near where the end is none, or stands before */
    bool own = (flags & SLICE_COMPLETE) != 0;
    bool near = !own & (words - 1 < SLICE_NEAR - 1) & (dur < SLICE_BRIEF);
    uint64_t body = (uint64_t)dur | (words << 33 & -(uint64_t)near);
    unsigned kind = SLICE_HAS_FAR - 2u * own - near; /* which it is cannot be foretold: no branch */
    if (end == UINT64_MAX && !own) {
        kind = SLICE_HAS_NONE;
        body = 0;
    }
    uint64_t rest = kind | (dur == 0) << 2 | (flags >> 1) << 3;
    if (body >> 57 == 0)
        return (struct slice){start, a, body | rest << 57};
    return (struct slice){start, a % EVENT_WORDS | (EVENT_NAME_MAX | rest) << 37, body | SLICE_IS_LONG};
}

/* The same for what is usual, with no branch that cannot be foretold: `a` begins and `end` ends it, packed; if they are
 * one, it is a complete event. False, and nothing is written, where it is not usual: a length of none or of seconds,
 * records far from each other. */
static inline bool slice_make_plain(struct slice *s, int64_t start, int64_t dur, uint64_t a, uint64_t end,
                                    bool mismatch) {
    uint64_t words = (end - a) % EVENT_WORDS, pair = words != 0;
    if ((uint64_t)dur - 1 >= SLICE_BRIEF - 1 || words >= SLICE_NEAR)
        return false;
    uint64_t rest = SLICE_HAS_OWN + pair + ((uint64_t)mismatch << 4); /* SLICE_HAS_NEAR follows */
    *s = (struct slice){start, a, (uint64_t)dur | words << 33 | rest << 57};
    return true;
}

static inline unsigned slice_rest(const struct slice *s) {
    return (unsigned)((s->b & SLICE_IS_LONG ? s->a >> 37 : s->b >> 57) & 63);
}

static inline enum slice_end_kind slice_end_kind(const struct slice *s) {
    return (enum slice_end_kind)(slice_rest(s) & 3);
}

static inline bool slice_open(const struct slice *s) {
    return slice_end_kind(s) == SLICE_HAS_NONE;
}

static inline bool slice_far(const struct slice *s) {
    return slice_end_kind(s) == SLICE_HAS_FAR;
}

static inline bool slice_has_length(const struct slice *s) {
    return (slice_rest(s) & SLICE_NO_LENGTH) == 0;
}

static inline unsigned slice_flags(const struct slice *s) {
    unsigned rest = slice_rest(s);
    return (rest >> 3) << 1 | ((rest & 3) == SLICE_HAS_OWN);
}

static inline int64_t slice_dur(const struct slice *s) {
    if (s->b & SLICE_IS_LONG)
        return (int64_t)(s->b & ~SLICE_IS_LONG);
    static const int64_t masks[8] = {0, SLICE_LONG - 1, SLICE_BRIEF - 1, SLICE_LONG - 1};
    unsigned kind = (unsigned)(s->b >> 57) & 7;
    return kind == SLICE_HAS_NONE ? SLICE_OPEN : (int64_t)s->b & masks[kind];
}

/* The number its parent has on its row; only of one that has no length. */
static inline uint32_t slice_parent(const struct slice *s) {
    return (uint32_t)s->b;
}

static inline void slice_set_parent(struct slice *s, uint32_t parent) {
    if (!slice_has_length(s))
        s->b = (s->b & ~(uint64_t)UINT32_MAX) | parent;
}

/* INT64_MAX while open. */
static inline int64_t slice_end(const struct slice *s) {
    return slice_open(s) ? INT64_MAX : s->start + slice_dur(s);
}

/* Words from begin to end record; 0 where they are not here. */
static inline uint64_t slice_end_words(const struct slice *s) {
    return slice_end_kind(s) == SLICE_HAS_NEAR && !(s->b & SLICE_IS_LONG) ? s->b >> 33 & (SLICE_NEAR - 1) : 0;
}

#endif
