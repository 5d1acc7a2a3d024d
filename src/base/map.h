/* map.h - a hash map from content to a dense number. The owner keeps the content and compares it.
 *
 * Numbers are below UINT32_MAX. Nothing is ever removed. Hashes are those of hash.h, and only their
 * upper half is kept: 11 to 21 bytes an entry, half as much for guesses, and half as much while the
 * map grows. To intern:
 *
 *     uint32_t i = map_intern(&map, hash, same, &query, (uint32_t)all.n);
 *     if (i == all.n)
 *         vec_push(&all, content); */
#ifndef FXTOP_MAP_H
#define FXTOP_MAP_H

#include "src/base/hash.h"

#define MAP_NONE UINT32_MAX /* no such content */

struct map_slot {
    uint32_t number; /* + 1; 0: free */
    uint32_t top;    /* upper half of the hash */
};

struct map_table {
    struct map_slot *slots;
    size_t mask; /* slots - 1, a power of two less one */
};

struct map { /* zero-initialised: empty */
    struct map_table table;
    /* number + 1 or 0, (mask | MAP_GUESSES) + 1; NULL until the first map_guess() */
    uint32_t *guesses;
    size_t n;             /* entries */
    struct map_table old; /* the table before, until all of its slots are moved; or without slots */
    size_t moved;         /* of its slots */
};

/* The number of the content that same(ctx, number) accepts, or MAP_NONE. */
uint32_t map_find(const struct map *map, uint64_t hash,
                  bool (*same)(const void *ctx, uint32_t number), const void *ctx);
/* Fetches what map_find() reads first. */
static inline void map_prefetch(const struct map *map, uint64_t hash) {
    if (map->table.slots)
        __builtin_prefetch(&map->table.slots[hash >> 32 & map->table.mask]);
}
/* Adds content that is not in the map. Guesses are lost if the map grows. */
void map_add(struct map *map, uint64_t hash, uint32_t number);
/* map_find(); content that is not in the map is added as number `next`, which is returned. */
uint32_t map_intern(struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                    const void *ctx, uint32_t next);

/* A direct-mapped cache in front of the map: the slot for a key, any word that differs for most
 * entries. It holds number + 1, or 0; the owner compares the entry. Valid until the next
 * map_add(). */
#define MAP_GUESSES 1023 /* a mask: with few entries nearly each has a slot of its own */
void map_make_guesses(struct map *map);
static inline uint32_t *map_guess(struct map *map, uint64_t key) {
    if (map->guesses == NULL)
        map_make_guesses(map);
    return &map->guesses[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 &
                         (map->table.mask | MAP_GUESSES)];
}
void map_finish(struct map *map); /* leaves one table, to be written elsewhere */
size_t map_bytes(const struct map *map);
void map_free(struct map *map);

#endif
