/* event_key.h - packs the origin of an async event or a flow point into one word, its mark, so that
 * a log entry takes 24 bytes.
 *
 * Process, thread, category and name together are a key; keys are numbered. A mark holds the
 * record's offset, the number of the key and the kind of event. Marks sort as their records do.
 * Numbers that do not fit are in a side table, by offset. */
#ifndef FXTOP_MODEL_STORE_EVENT_KEY_H
#define FXTOP_MODEL_STORE_EVENT_KEY_H

#include "src/base/map.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/event.h"

struct event_key {
    uint32_t who; /* place in the trace's processes, or number of the thread */
    uint32_t category, name;
    uint32_t thread; /* its number, if "who" is the process; else 0 */
};

struct event_keys {
    VEC(struct event_key) v;
    struct map numbers;
    struct u64map far; /* by offset */
    uint32_t *guesses; /* numbers + 1, or 0, by a hash of the key; NULL until the first key */
    /* number of guesses - 1; it grows with the keys, so that mostly each has one of its own */
    uint32_t mask;
};

#define EVENT_KEY_GUESSES 1024 /* at first */

/* A mark: word of the record [27..63], number of the key [2..26], kind [0..1]. */
/* this number and higher ones are in the side table */
#define EVENT_KEY_FAR ((UINT32_C(1) << 25) - 1)

void event_key_make_guesses(struct event_keys *event_keys, uint32_t n); /* a power of two */
uint32_t event_key_number(struct event_keys *event_keys, struct event_key key, uint32_t *guess);
uint64_t event_key_far(struct event_keys *event_keys, uint64_t offset, unsigned kind,
                       uint32_t number);

static inline uint64_t event_key_mark(struct event_keys *event_keys, uint64_t offset, unsigned kind,
                                      struct event_key key) {
    if (event_keys->guesses == NULL)
        event_key_make_guesses(event_keys, EVENT_KEY_GUESSES);
    uint64_t hash =
        (uint64_t)(key.who ^ key.thread) << 40 ^ (uint64_t)key.category << 20 ^ key.name;
    uint32_t *guess =
        &event_keys->guesses[hash * UINT64_C(0x9e3779b97f4a7c15) >> 32 & event_keys->mask];
    uint32_t i = *guess - 1;
    const struct event_key *l = *guess ? &event_keys->v.v[i] : NULL;
    if (l == NULL || l->name != key.name || l->who != key.who || l->category != key.category ||
        l->thread != key.thread)
        i = event_key_number(event_keys, key, guess);
    return i < EVENT_KEY_FAR ? offset >> 3 << 27 | (uint64_t)i << 2 | kind
                             : event_key_far(event_keys, offset, kind, i);
}

void event_keys_free(struct event_keys *event_keys);
uint64_t event_keys_bytes(const struct event_keys *event_keys);

static inline uint64_t event_key_offset(uint64_t mark) {
    return mark >> 27 << 3;
}

static inline unsigned event_key_kind(uint64_t mark) {
    return mark & 3;
}

/* The number of the key; EVENT_KEY_FAR: it is in the side table. */
static inline uint32_t event_key_in(uint64_t mark) {
    return mark >> 2 & EVENT_KEY_FAR;
}

static inline const struct event_key *event_key_of(const struct event_keys *event_keys,
                                                   uint64_t mark) {
    uint32_t key = event_key_in(mark);
    return &event_keys->v
                .v[key < EVENT_KEY_FAR ? key
                                       : u64map_get(&event_keys->far, event_key_offset(mark))];
}

#endif
