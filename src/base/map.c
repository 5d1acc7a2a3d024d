/* map.c - open addressing with linear probing, at most three quarters full.
 *
 * Each slot holds a number and the upper half of its hash. The upper half also decides the slot, so that growing does
 * not call the owner. */
#include "src/base/map.h"

#include <stdlib.h>

#include "src/base/err.h"

uint32_t map_find(const struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                  const void *ctx) {
    if (map->slots == NULL)
        return MAP_NONE;
    for (size_t i = (size_t)(hash >> 32) & map->mask;; i = (i + 1) & map->mask) {
        uint32_t number = map->slots[i];
        if (number == 0)
            return MAP_NONE;
        if (map->hashes[i] == (uint32_t)(hash >> 32) && same(ctx, number - 1))
            return number - 1;
    }
}

static void map_place(struct map *map, uint32_t top, uint32_t slot) {
    size_t i = top & map->mask;
    while (map->slots[i] != 0)
        i = (i + 1) & map->mask;
    map->slots[i] = slot;
    map->hashes[i] = top;
}

void map_add(struct map *map, uint64_t hash, uint32_t number) {
    if (map->slots == NULL || (map->n + 1) * 4 > (map->mask + 1) * 3) {
        struct map old = *map;
        size_t size = old.slots ? (old.mask + 1) * 2 : 16;
        map->mask = size - 1;
        map->slots = err_calloc(size, sizeof *map->slots);
        map->hashes = err_malloc(size * sizeof *map->hashes);
        map->guesses = NULL;
        for (size_t i = 0; old.slots && i <= old.mask; i++)
            if (old.slots[i] != 0)
                map_place(map, old.hashes[i], old.slots[i]);
        map_free(&old);
    }
    map_place(map, (uint32_t)(hash >> 32), number + 1);
    map->n++;
}

uint32_t map_intern(struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number), const void *ctx,
                    uint32_t next) {
    uint32_t number = map_find(map, hash, same, ctx);
    if (number != MAP_NONE)
        return number;
    map_add(map, hash, next);
    return next;
}

void map_make_guesses(struct map *map) {
    map->guesses = err_calloc((map->mask | MAP_GUESSES) + 1, sizeof *map->guesses);
}

void map_free(struct map *map) {
    free(map->slots);
    free(map->hashes);
    free(map->guesses);
    map->slots = NULL;
    map->hashes = NULL;
    map->guesses = NULL;
}
