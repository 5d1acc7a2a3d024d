/* reader_fast_internal.h - what the loop of reader_fast.c and reader_near.c share: parts of words,
 * arguments, a run. */
#ifndef FXTOP_READER_FAST_INTERNAL_H
#define FXTOP_READER_FAST_INTERNAL_H

#include "src/fxt/reader_internal.h"

#define SLACK 256 /* words: 15 arguments of 15 words, and what is before them */

/* Arguments that were looked at. */
struct seen {
    const uint64_t *at; /* after the last one */
    unsigned good;      /* 1; 0: a fault was found */
    uint32_t sizes;     /* bits 8 to 15 are set if one is long */
};

/* Parts of a word, each read once: bits 16 * i to 16 * i + 15, and the lower half. */
static inline uint32_t quarter(const uint64_t *p, unsigned i) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint16_t __attribute__((may_alias)) part;
    return __atomic_load_n((const part *)p + i, __ATOMIC_RELAXED);
#else
    return (uint16_t)(record_word(p, false) >> 16 * i);
#endif
}

/* Bits 8 * i to 8 * i + 7. */
static inline uint32_t eighth(const uint64_t *p, unsigned i) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __atomic_load_n((const unsigned char *)p + i, __ATOMIC_RELAXED);
#else
    return (uint8_t)(record_word(p, false) >> 8 * i);
#endif
}

static inline uint32_t lower_half(const uint64_t *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint32_t __attribute__((may_alias)) part;
    return __atomic_load_n((const part *)p, __ATOMIC_RELAXED);
#else
    return (uint32_t)record_word(p, false);
#endif
}

/* True if all arguments are usual: no fault, and none is long. */
static inline bool all_good(const struct seen *seen) {
    return (seen->sizes & 0xff00) < seen->good;
}

/* Looks at `count` arguments from seen->at on, of which only the first may be outside of the
 * record. */
static inline __attribute__((always_inline)) void see_arguments(const struct near *near,
                                                                struct seen *seen, uint64_t count) {
    for (; count > 0; count--) {
        uint32_t head = quarter(seen->at, 0), low = (uint8_t)head;
        unsigned string = quarter(seen->at, 2) & near->reference[low];
        seen->good &= near->known[quarter(seen->at, 1)] & near->known[string] & near->whole[low];
        seen->sizes |= head;
        seen->at = (const uint64_t *)((const char *)seen->at + near->bytes[low]);
    }
}

/* Words of an inline string. */
static inline uint64_t stream_words(uint64_t ref) {
    return (((ref & FXT_STRING_MAX) + 7) / 8) & -(ref >> 15);
}

/* ---- the times of a run ---- */

/* A duration in ticks that needs no look at the earliest time: it begins less than `size` after
 * `from`, and is shorter than `size`, a power of two or 0. So it ends by the last tick that the
 * fast path takes. */
struct window {
    uint64_t from, size;
};

static inline struct window window_of(const struct reader *r) {
    uint64_t from = r->provider->earliest, brief = r->provider->clock.brief;
    return (struct window){
        from, from <= brief ? (UINT64_C(1) << 62) >> __builtin_clzll(brief - from + 1) : 0};
}

struct run {
    struct plain_event *next[PLAIN_GROUPS]; /* space for the next ones */
    const uint64_t *safe;  /* events that begin before it cannot reach over the words in memory */
    const uint64_t *limit; /* all end before it */
    uint64_t shift;        /* offset - address */
    int64_t min, time;     /* the earliest, that of the last event */
    uint64_t latest, last; /* ticks; last: the end of the last event */
    uint64_t strings;      /* records that define one: they have no time */
    struct window window;  /* at the provider's earliest time */
};

/* ts, end: ticks. */
static inline void add_time_of_run(struct reader *r, struct run *run, int64_t time, uint64_t ts,
                                   uint64_t end) {
    uint64_t *earliest = &r->provider->earliest;
    run->latest = end > run->latest ? end : run->latest;
    run->last = end;
    run->time = time;
    if (ts < *earliest) { /* rarely: most times follow the earliest */
        run->min = time < run->min ? time : run->min;
        *earliest = ts;
        run->window = window_of(r);
    }
}

/* Type and kind of event in one: kind - FXT_DURATION_BEGIN of a duration, else a larger number. */
static inline uint32_t duration_kind(uint32_t h) {
    uint32_t kind = (h & 0xf000f) - (FXT_DURATION_BEGIN << 16 | FXT_EVENT);
    return kind >> 16 | kind << 16;
}

static inline bool is_duration(uint64_t kind) {
    return kind <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN;
}

/* Counts the events so far as records, and hands them over. */
void reader_hand_over(struct reader *r, struct run *run);

/* Takes the record at w, and those after it that are not for the loop. Returns the word after them;
 * NULL: the first one is not usual. */
const uint64_t *reader_take_others(struct reader *r, const uint64_t *w, struct run *run);

#endif
