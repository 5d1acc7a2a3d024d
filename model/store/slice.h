/* slice.h - one slice in 24 bytes. Times are ns relative to the reader's base; offsets are bytes,
 * kept as words.
 *
 * A slice holds only what neither its records nor its row can give again: detail.h decodes category
 * and arguments on demand. The parent of a slice that has a length is the last slice on the row
 * above that begins no later. A slice of no length may be inside another of no length, so it keeps
 * the number of its parent in place of its duration. */
#ifndef FXTOP_SLICE_H
#define FXTOP_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/fxt/event.h"

/* The two words of a slice, bit 63 on the left. `end` is an enum slice_end; 0 a SLICE_NO_LENGTH; f:
 * flags but SLICE_COMPLETE, which is the same as SLICE_END_IN_BEGIN_RECORD.
 *
 *   begin_word    63         37 36                                  0
 *                |    name     |    word of the begin record         |     event_pack()
 *
 *   end_word      63 62..60 59 58..57 56             33 32           0
 *                | 0 |  f  | 0 | end |           duration            |     SLICE_END_IN_BEGIN_RECORD, _IN_SIDE_TABLE
 *                | 0 |  f  | 0 | end | words to the end | duration   |     SLICE_END_DISTANCE
 *                | 0 |  f  | 0 | end |              0                |     SLICE_END_NONE: endless, and so open
 *                | 0 |  f  | 1 | end |             ...   parent      |     no length: [0..31] is the parent's number
 *                | 1 |               duration                        |     a duration of SLICE_LONG or more:
 *
 *   begin_word   | 1..1 | f 0 end |    word of the begin record      |     the name is decoded again
 *
 * A complete event without a known end (SEMANTICS 6.13) is open, too. It is endless, or bounded:
 * then its duration is that of its row, which nothing but pictures and sums may use.
 *
 * Example: a begin at byte 0x1000 (word 0x200) and its end at byte 0x1040 lie 8 words and, say, 100
 * ns apart, with different names: end_word is SLICE_MISMATCH >> 1 << 60 | SLICE_END_DISTANCE << 57
 * | 8 << 33 | 100. */
struct slice {
    int64_t start;
    uint64_t begin_word;
    uint64_t end_word;
};

#define SLICE_OPEN INT64_MAX /* duration of one that has no end */
#define SLICE_NO_PARENT UINT32_MAX

enum slice_flag {
    SLICE_COMPLETE = 1, /* from a complete event */
    SLICE_OVERLAP = 2,  /* the latest slice that had not ended did not contain it */
    /* its end had another name; of a complete event, or an endless slice: SLICE_UNENDED */
    SLICE_MISMATCH = 4,
    SLICE_DISPLACED = 8, /* not on the row below its parent's */
};

/* bounded: a complete event without a known end */
#define SLICE_UNENDED (SLICE_COMPLETE | SLICE_MISMATCH)

enum slice_end { /* where its end record is */
                 SLICE_END_NONE,
                 SLICE_END_IN_BEGIN_RECORD, /* a complete event */
                 SLICE_END_DISTANCE,        /* so many words after the begin record */
                 SLICE_END_IN_SIDE_TABLE,   /* side table: far away, or before it */
                 SLICE_NO_LENGTH = 4,       /* flag */
};

#define SLICE_SHORT (INT64_C(1) << 33)      /* durations below this leave space for a distance */
#define SLICE_DISTANCES (UINT64_C(1) << 24) /* distances below this fit, in words */
#define SLICE_LONG (INT64_C(1) << 57) /* durations from here on leave space for nothing else */
#define SLICE_IS_LONG (UINT64_C(1) << 63)

static inline uint64_t slice_offset(const struct slice *s) {
    return event_offset(s->begin_word);
}

/* EVENT_NAME_MAX: it did not fit, and trace_packed_name() decodes it again from begin_word. */
static inline uint32_t slice_name(const struct slice *s) {
    return event_name(s->begin_word);
}

/* begin: event_pack(). end: the end record's byte; UINT64_MAX if there is none. If the result is
 * slice_end_in_side_table() the caller puts `end` there. */
static inline struct slice slice_make(int64_t start, int64_t dur, uint64_t begin, uint64_t end,
                                      unsigned flags) {
    /* large if there is no end, or if it precedes the begin */
    uint64_t words = (end - event_offset(begin)) / 8;
    bool own = (flags & SLICE_COMPLETE) != 0;
    bool near = !own & (words - 1 < SLICE_DISTANCES - 1) & (dur < SLICE_SHORT);
    uint64_t body = (uint64_t)dur | (words << 33 & -(uint64_t)near);
    /* Counts down from the last enumerator: complete 3 - 2, near 3 - 1, far 3. A branch would often
     * be mispredicted. */
    unsigned kind = SLICE_END_IN_SIDE_TABLE - 2u * own - near;
    if (end == UINT64_MAX && !own) {
        kind = SLICE_END_NONE;
        body = 0;
    }
    uint64_t rest = kind | (dur == 0) << 2 | (flags >> 1) << 3;
    if (body >> 57 == 0)
        return (struct slice){start, begin, body | rest << 57};
    return (struct slice){start, begin % EVENT_WORDS | (EVENT_NAME_MAX | rest) << 37,
                          body | SLICE_IS_LONG};
}

/* Makes a slice in the usual case, without a branch that is hard to predict. `begin` and `end` are
 * packed; a complete event has the same for both. Returns false, and writes nothing, if the case is
 * not usual: no length, a length of seconds, or records far from each other. */
static inline bool slice_make_plain(struct slice *s, int64_t start, int64_t dur, uint64_t begin,
                                    uint64_t end, bool mismatch) {
    uint64_t words = (end - begin) % EVENT_WORDS, pair = words != 0;
    if ((uint64_t)dur - 1 >= SLICE_SHORT - 1 || words >= SLICE_DISTANCES)
        return false;
    /* SLICE_END_DISTANCE is next */
    uint64_t rest = SLICE_END_IN_BEGIN_RECORD + pair + ((uint64_t)mismatch << 4);
    *s = (struct slice){start, begin, (uint64_t)dur | words << 33 | rest << 57};
    return true;
}

static inline unsigned slice_rest(const struct slice *s) {
    return (unsigned)((s->end_word & SLICE_IS_LONG ? s->begin_word >> 37 : s->end_word >> 57) & 63);
}

static inline enum slice_end slice_end_kind(const struct slice *s) {
    return (enum slice_end)(slice_rest(s) & 3);
}

/* Nothing bounds it, at least so far. */
static inline bool slice_endless(const struct slice *s) {
    return slice_end_kind(s) == SLICE_END_NONE;
}

/* Its end is not known. */
static inline bool slice_open(const struct slice *s) {
    const unsigned mismatch = SLICE_MISMATCH >> 1 << 3,
                   bounded = mismatch | SLICE_END_IN_BEGIN_RECORD;
    return slice_endless(s) || (slice_rest(s) & (mismatch | 3)) == bounded;
}

static inline bool slice_end_in_side_table(const struct slice *s) {
    return slice_end_kind(s) == SLICE_END_IN_SIDE_TABLE;
}

static inline bool slice_has_length(const struct slice *s) {
    return (slice_rest(s) & SLICE_NO_LENGTH) == 0;
}

static inline unsigned slice_flags(const struct slice *s) {
    unsigned rest = slice_rest(s);
    return (rest >> 3) << 1 | ((rest & 3) == SLICE_END_IN_BEGIN_RECORD);
}

static inline int64_t slice_dur(const struct slice *s) {
    if (s->end_word & SLICE_IS_LONG)
        return (int64_t)(s->end_word & ~SLICE_IS_LONG);
    /* no length: 0 */
    static const int64_t masks[8] = {0, SLICE_LONG - 1, SLICE_SHORT - 1, SLICE_LONG - 1};
    unsigned kind = (unsigned)(s->end_word >> 57) & 7;
    return kind == SLICE_END_NONE ? SLICE_OPEN : (int64_t)s->end_word & masks[kind];
}

/* Whether it is a complete event without a known end. */
static inline bool slice_unended(const struct slice *s) {
    return slice_open(s) && (slice_flags(s) & SLICE_MISMATCH) != 0;
}

/* slice_dur(), if the slice is not endless and below SLICE_LONG. */
static inline int64_t slice_dur_brief(const struct slice *s) {
    static const int64_t masks[8] = {0, SLICE_LONG - 1, SLICE_SHORT - 1, SLICE_LONG - 1};
    return (int64_t)s->end_word & masks[s->end_word >> 57 & 7];
}

/* slice_dur(), if the slice is not endless. */
static inline int64_t slice_dur_ended(const struct slice *s) {
    return s->end_word & SLICE_IS_LONG ? (int64_t)(s->end_word & ~SLICE_IS_LONG)
                                       : slice_dur_brief(s);
}

/* The number of its parent on the parent's row; only of a slice that has no length. */
static inline uint32_t slice_parent(const struct slice *s) {
    return (uint32_t)s->end_word;
}

/* Does nothing to a slice that has a length. */
static inline void slice_set_parent(struct slice *s, uint32_t parent) {
    if (!slice_has_length(s))
        s->end_word = (s->end_word & ~(uint64_t)UINT32_MAX) | parent;
}

/* INT64_MAX while endless. */
static inline int64_t slice_end(const struct slice *s) {
    return slice_endless(s) ? INT64_MAX : s->start + slice_dur(s);
}

/* Words from begin to end record; 0 unless SLICE_END_DISTANCE. */
static inline uint64_t slice_end_words(const struct slice *s) {
    return slice_end_kind(s) == SLICE_END_DISTANCE && !(s->end_word & SLICE_IS_LONG)
               ? s->end_word >> 33 & (SLICE_DISTANCES - 1)
               : 0;
}

/* ---- what does not fit into the 24 bytes: a side table, asked by key ----
 *
 * The owner of the trace implements the functions. Both threads may call set() and get() at one
 * time (src/base/worker.h). end_name() reads the file, so only the reader thread calls it. */

struct worker;

struct slice_extra {
    void *ctx;
    uint32_t (*end_name)(void *ctx, uint64_t offset); /* name in the record there, decoded again */
    void (*set)(void *ctx, uint64_t key, uint64_t value);
    uint64_t (*get)(void *ctx, uint64_t key); /* UINT64_MAX: no such key */
    struct worker *worker; /* nests event buffers; NULL: the thread that adds events does */
    /* Whether records of a writer were lost between two byte offsets. NULL: none were. */
    bool (*lost)(void *ctx, uint32_t writer, uint64_t from, uint64_t to);
};

/* Keys: byte offset of the slice's begin record, plus one of these. */
#define SLICE_EXTRA_END 0 /* byte offset of its end record */
/* row of the parent of a displaced slice; NEST_NO_ROW: it has none; SLICE_APART: nor may it have */
#define SLICE_EXTRA_PARENT_ROW 1
#define SLICE_EXTRA_DEPTH 2 /* depth of an async operation, if not 0 */
/* 1: SLICE_MISMATCH means that a slice has lost its end, and that of another ended it */
#define SLICE_EXTRA_LOST 3
/* time of the end of a slice that a damaged time makes end before its begin, without its sign bit:
 * nest_damaged_end() */
#define SLICE_EXTRA_EARLY_END 4

/* ---- slices with a wrong time (SEMANTICS 4.7, 4.8) ----
 *
 * They are set apart, on rows of their own: in no other slice, and around none. */

/* in place of the row of the parent of one that is apart; of one whose begin has a wrong time */
#define SLICE_APART (UINT32_MAX - 1)
#define SLICE_APART_BEGIN (UINT32_MAX - 2)

static inline bool slice_is_apart(const struct slice_extra *extra, const struct slice *s) {
    uint64_t row = slice_flags(s) & SLICE_DISPLACED
                       ? extra->get(extra->ctx, slice_offset(s) + SLICE_EXTRA_PARENT_ROW)
                       : 0;
    return row == SLICE_APART || row == SLICE_APART_BEGIN;
}

/* Which times are wrong. */
struct slice_damage {
    /* Whether the time of a begin or an end is wrong, and its place in the file is not. */
    bool (*record)(const void *ctx, uint64_t offset, int64_t time);
    /* The time before such a record, of its thread. False: it is not known. */
    bool (*before)(const void *ctx, uint64_t offset, int64_t *time);
    /* Whether a slice has such a time, or another that is wrong. */
    bool (*slice)(const void *ctx, const struct slice *s);
    const void *ctx;
};

/* Byte offset of the end record of a slice; 0 if it has none. */
uint64_t slice_extra_end_offset(const struct slice_extra *extra, const struct slice *slice);
void slice_extra_close_rare(const struct slice_extra *extra, struct slice *slice, int64_t time,
                            uint64_t offset, unsigned flags);

/* Ends an open slice at `time`, by the record at byte `offset`; adds `flags` (enum slice_flag). */
static inline void slice_extra_close(const struct slice_extra *extra, struct slice *s, int64_t time,
                                     uint64_t offset, unsigned flags) {
    bool plain = s->end_word == 0; /* open, without flags */
    if (!plain || !slice_make_plain(s, s->start, time - s->start, s->begin_word,
                                    event_pack(offset, 0), flags == SLICE_MISMATCH))
        slice_extra_close_rare(extra, s, time, offset, flags);
}

#endif
