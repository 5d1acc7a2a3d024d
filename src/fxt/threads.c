/* threads.c - interned thread ids.
 *
 * Ids are in a vector by number, and a map finds the number of an id. map_guess() has the number
 * last found for a key of pid and tid, so that a thread that was seen before costs a comparison. */
#include "src/fxt/threads.h"

#include <stdlib.h>

#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/io/cache.h"

struct threads {
    VEC(struct thread_id) all;
    struct map map;
};

struct threads *threads_new(void) {
    return err_calloc(1, sizeof(struct threads));
}

void threads_free(struct threads *threads) {
    if (threads == NULL)
        return;
    vec_free(&threads->all);
    map_free(&threads->map);
    free(threads);
}

void threads_persist(struct threads *threads, struct cache *cache) {
    cache_vec(cache, &threads->all);
    cache_map(cache, &threads->map);
}

struct thread_query {
    const struct threads *threads;
    const struct thread_id *id;
};

static bool same_thread(const void *ctx, uint32_t number) {
    const struct thread_query *q = ctx;
    const struct thread_id *a = &q->threads->all.v[number], *b = q->id;
    return a->pid == b->pid && a->tid == b->tid && a->form == b->form && a->index == b->index &&
           a->provider == b->provider && a->world == b->world;
}

static uint64_t thread_hash(const struct thread_id *id) {
    return hash_words(id->pid ^ (uint64_t)id->form << 61 ^ (uint64_t)id->provider << 20 ^
                          (uint64_t)id->world << 44,
                      id->tid + id->index);
}

uint32_t threads_find(const struct threads *threads, const struct thread_id *id) {
    struct thread_query q = {threads, id};
    return map_find(&threads->map, thread_hash(id), same_thread, &q);
}

uint32_t threads_intern(struct threads *threads, const struct thread_id *id) {
    struct thread_query q = {threads, id};
    uint32_t number =
        map_intern(&threads->map, thread_hash(id), same_thread, &q, (uint32_t)threads->all.n);
    if (number == threads->all.n)
        vec_push(&threads->all, *id);
    return number;
}

uint32_t threads_intern_ids(struct threads *threads, uint16_t world, enum thread_form form,
                            uint64_t pid, uint64_t tid, uint64_t offset) {
    uint64_t key = tid ^ pid << 32 ^ (uint64_t)form << 63 ^ (uint64_t)world << 48;
    uint32_t guess = *map_guess(&threads->map, key);
    if (guess) {
        const struct thread_id *t = &threads->all.v[guess - 1];
        if (t->tid == tid && t->pid == pid && t->form == form && t->world == world)
            return guess - 1;
    }
    uint32_t number = threads_intern(
        threads, &(struct thread_id){
                     .pid = pid, .tid = tid, .form = form, .world = world, .offset = offset});
    *map_guess(&threads->map, key) = number + 1;
    return number;
}

uint32_t threads_count(const struct threads *threads) {
    return (uint32_t)threads->all.n;
}

const struct thread_id *threads_id(const struct threads *threads, uint32_t number) {
    return &threads->all.v[number];
}
