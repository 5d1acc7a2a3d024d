/* event_key.c - numbers keys of (process or thread, category, name), of processes with the
 * thread. */
#include "model/store/event_key.h"

#include <stdlib.h>

#include "src/base/err.h"

struct query {
    const struct event_keys *event_keys;
    struct event_key key;
};

static bool same(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct event_key *r = &q->event_keys->v.v[i];
    return r->who == q->key.who && r->category == q->key.category && r->name == q->key.name &&
           r->thread == q->key.thread;
}

#define GUESSES_MOST (UINT32_C(1) << 16)
#define GUESSES_A_KEY 16 /* at least, so that few keys share one */
#define GROWTH 4

void event_key_make_guesses(struct event_keys *event_keys, uint32_t n) {
    free(event_keys->guesses);
    event_keys->guesses = err_calloc(n, sizeof *event_keys->guesses);
    event_keys->mask = n - 1;
}

uint32_t event_key_number(struct event_keys *event_keys, struct event_key key, uint32_t *guess) {
    struct query q = {event_keys, key};
    uint64_t hash =
        hash_words((uint64_t)key.who << 32 | key.category, (uint64_t)key.thread << 32 | key.name);
    uint32_t i = map_intern(&event_keys->numbers, hash, same, &q, (uint32_t)event_keys->v.n);
    *guess = i + 1;
    if (i < event_keys->v.n)
        return i;
    vec_push(&event_keys->v, key);
    if (event_keys->mask < GUESSES_MOST - 1 && event_keys->v.n > event_keys->mask / GUESSES_A_KEY)
        event_key_make_guesses(event_keys, (event_keys->mask + 1) * GROWTH);
    return i;
}

uint64_t event_key_far(struct event_keys *event_keys, uint64_t offset, unsigned kind,
                       uint32_t number) {
    u64map_set(&event_keys->far, offset, number);
    return offset >> 3 << 27 | (uint64_t)EVENT_KEY_FAR << 2 | kind;
}

void event_keys_free(struct event_keys *event_keys) {
    vec_free(&event_keys->v);
    map_free(&event_keys->numbers);
    free(event_keys->guesses);
    u64map_free(&event_keys->far);
    *event_keys = (struct event_keys){0};
}

uint64_t event_keys_bytes(const struct event_keys *event_keys) {
    return event_keys->v.n * sizeof *event_keys->v.v + event_keys->numbers.n * 12 +
           u64map_bytes(&event_keys->far) +
           (event_keys->guesses ? ((uint64_t)event_keys->mask + 1) * sizeof *event_keys->guesses
                                : 0);
}
