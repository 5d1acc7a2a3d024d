/* slice.h - one slice in 32 bytes. Times are ns relative to the reader's base; offsets are bytes, kept as words.
 *
 * Nothing is here that the record can tell again: category and arguments are decoded when somebody looks (detail.h).
 * The parent is the slice `parent` of the row above, or, where SLICE_DISPLACED, of the row that nest_parent() knows. */
#ifndef FXTOP_SLICE_H
#define FXTOP_SLICE_H

#include <stdbool.h>
#include <stdint.h>

struct slice {
    int64_t start;
    int64_t dur; /* SLICE_OPEN: it has no end */
    uint64_t a;  /* begin record's word [0..36], name [37..63] */
    uint64_t b;  /* parent [0..31], words from begin to end record [32..59], flags [60..63] */
};

#define SLICE_OPEN INT64_MAX
#define SLICE_NO_PARENT UINT32_MAX
#define SLICE_NAME_MAX ((UINT32_C(1) << 27) - 1) /* this name must be decoded again */
#define SLICE_FAR ((UINT64_C(1) << 28) - 1)      /* the end record's distance is kept aside */
#define SLICE_WORDS (UINT64_C(1) << 37)

enum slice_flag {
    SLICE_COMPLETE = 1,  /* from a complete event */
    SLICE_OVERLAP = 2,   /* the latest slice that had not ended did not contain it */
    SLICE_MISMATCH = 4,  /* its end had another name */
    SLICE_DISPLACED = 8, /* not on the row below its parent's */
};

/* Word by word: a 16-byte load of what was just stored in two halves waits until both have left the processor's queue.
 */
static inline void slice_copy(struct slice *to, const struct slice *from) {
    to->start = __atomic_load_n(&from->start, __ATOMIC_RELAXED);
    to->dur = __atomic_load_n(&from->dur, __ATOMIC_RELAXED);
    to->a = __atomic_load_n(&from->a, __ATOMIC_RELAXED);
    to->b = __atomic_load_n(&from->b, __ATOMIC_RELAXED);
}

static inline uint64_t slice_pack(uint64_t offset, uint32_t name) {
    return (offset / 8) % SLICE_WORDS | (uint64_t)(name < SLICE_NAME_MAX ? name : SLICE_NAME_MAX) << 37;
}

static inline uint64_t slice_offset(const struct slice *s) {
    return s->a % SLICE_WORDS * 8;
}

static inline uint32_t slice_name(const struct slice *s) {
    return (uint32_t)(s->a >> 37);
}

static inline uint32_t slice_parent(const struct slice *s) {
    return (uint32_t)s->b;
}

static inline unsigned slice_flags(const struct slice *s) {
    return (unsigned)(s->b >> 60);
}

static inline uint64_t slice_end_words(const struct slice *s) {
    return s->b >> 32 & SLICE_FAR;
}

/* A time that saturated may make a slice as long as an open one, but only an open one has no end record. */
static inline bool slice_open(const struct slice *s) {
    return s->dur == SLICE_OPEN && (s->b >> 60 & SLICE_COMPLETE) == 0 && slice_end_words(s) == 0;
}

/* INT64_MAX while open. */
static inline int64_t slice_end(const struct slice *s) {
    return slice_open(s) ? INT64_MAX : s->start + s->dur;
}

#endif
