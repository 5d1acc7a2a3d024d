/* event.h - how the many events are handed on: where in the file and what name in one word, and durations in rooms that
 * the reader fills without a call each. Times are ns relative to the reader's base; offsets are bytes, kept as words. */
#ifndef FXTOP_EVENT_H
#define FXTOP_EVENT_H

#include <stdint.h>

#define EVENT_WORDS (UINT64_C(1) << 37)
#define EVENT_NAME_MAX ((UINT32_C(1) << 27) - 64) /* this name and those above must be decoded again */

/* The record's word [0..36], name (tables.h) [37..63]. */
static inline uint64_t event_pack(uint64_t offset, uint32_t name) {
    return offset << 24 >> 27 | (uint64_t)(name < EVENT_NAME_MAX ? name : EVENT_NAME_MAX) << 37;
}

static inline uint64_t event_offset(uint64_t packed) {
    return packed % EVENT_WORDS * 8;
}

static inline uint32_t event_name(uint64_t packed) { /* EVENT_NAME_MAX: must be decoded again */
    uint32_t name = (uint32_t)(packed >> 37);
    return name < EVENT_NAME_MAX ? name : EVENT_NAME_MAX;
}

struct duration { /* a begin, end or complete event */
    int64_t time;
    int64_t dur; /* of a complete, >= 0; else one of: */
#define DURATION_BEGINS (-1)
#define DURATION_ENDS (-2)
    uint64_t packed; /* event_pack() */
};

struct provider;

struct duration_room { /* a thread's: the reader leaves its durations at `next` */
    struct duration *next, *end;
    const struct provider *provider; /* that all of them until `end` are written by */
};

#endif
