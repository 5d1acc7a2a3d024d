/* map.h - a hash map from content to a dense number. The owner keeps the content and compares it. */
#ifndef FXTOP_MAP_H
#define FXTOP_MAP_H

#include "src/base/hash.h"

#define MAP_NONE UINT32_MAX /* no such content */

/* A keyed open-addressing map from a hash to a dense number; the owner compares. */
struct map {
    uint32_t *slots; /* number + 1, 0: free */
    uint32_t *hashes;
    uint32_t *guesses; /* at least as many; NULL until the first map_guess() */
    size_t mask, n;
};

/* Calls same(ctx, number) on candidates; returns the number, or UINT32_MAX. */
uint32_t map_find(const struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                  const void *ctx);
void map_add(struct map *map, uint64_t hash, uint32_t number);
/* A direct-mapped cache in front of the map: the slot for a key, any word that differs for most entries. It holds
 * number + 1, or 0; the owner compares the entry. Valid until the next map_add(). */
#define MAP_GUESSES 1023 /* a mask: of few, all differ mostly */
void map_make_guesses(struct map *map);
static inline uint32_t *map_guess(struct map *map, uint64_t key) {
    if (map->guesses == NULL)
        map_make_guesses(map);
    return &map->guesses[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (map->mask | MAP_GUESSES)];
}
void map_free(struct map *map);

#endif
