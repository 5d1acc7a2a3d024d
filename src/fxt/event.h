/* event.h - the form in which most events leave the reader.
 *
 * The offset of the record and the number of its name are packed into one word. Durations go to a
 * buffer of their thread, which the reader fills without a call for each. Times are ns relative to
 * the reader's base; offsets are bytes, packed as words. */
#ifndef FXTOP_EVENT_H
#define FXTOP_EVENT_H

#include <stdint.h>

#define EVENT_WORDS (UINT64_C(1) << 37)
/* this name and larger ones do not fit: decode the record again */
#define EVENT_NAME_MAX ((UINT32_C(1) << 27) - 64)

/* [0..36] offset in words, [37..63] number of the name (names.h). */
static inline uint64_t event_pack(uint64_t offset, uint32_t name) {
    return offset << 24 >> 27 | (uint64_t)(name < EVENT_NAME_MAX ? name : EVENT_NAME_MAX) << 37;
}

static inline uint64_t event_offset(uint64_t packed) {
    return packed % EVENT_WORDS * 8;
}

static inline uint32_t event_name(uint64_t packed) { /* EVENT_NAME_MAX: decode the record again */
    uint32_t name = (uint32_t)(packed >> 37);
    return name < EVENT_NAME_MAX ? name : EVENT_NAME_MAX;
}

struct duration { /* a begin, end or complete event */
    int64_t time;
    int64_t dur; /* of a complete event, >= 0; of others: */
#define DURATION_BEGINS (-1)
#define DURATION_ENDS (-2)
#define DURATION_UNENDED (-3) /* a complete event without a known end (SEMANTICS 6.13) */
    uint64_t packed;          /* event_pack() */
};

struct provider;

struct duration_buffer { /* the buffer of a thread: the reader stores its next duration at `next` */
    struct duration *next, *end;
    /* NULL; of a buffer that many threads share: the place for the number of the next thread */
    uint32_t *thread;
    const struct provider *provider; /* writer of all durations in the buffer */
};

/* Stores the next duration of a thread in a buffer that is not full. */
static inline void duration_buffer_add(struct duration_buffer *buffer, uint32_t thread,
                                       struct duration duration) {
    if (buffer->thread)
        *buffer->thread++ = thread;
    *buffer->next++ = duration;
}

#endif
