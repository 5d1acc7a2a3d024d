/* map.c - open addressing with linear probing, at most three quarters full.
 *
 * Each slot holds a number and the upper half of its hash, in one cache line. The upper half also
 * decides the slot, so that growing does not call the owner. A full table is replaced by one of
 * twice its size, and each later entry moves some slots. So no entry takes long. Until all are
 * moved, both tables are asked. */
#include "src/base/map.h"

#include <stdlib.h>

#include "src/base/err.h"

#define MOVES 8 /* slots that an entry moves: 2 would do */

static inline uint32_t find(const struct map_table *table, uint64_t hash,
                            bool (*same)(const void *ctx, uint32_t number), const void *ctx) {
    for (size_t i = (size_t)(hash >> 32) & table->mask;; i = (i + 1) & table->mask) {
        struct map_slot slot = table->slots[i];
        if (slot.number == 0)
            return MAP_NONE;
        if (slot.top == (uint32_t)(hash >> 32) && same(ctx, slot.number - 1))
            return slot.number - 1;
    }
}

uint32_t map_find(const struct map *map, uint64_t hash,
                  bool (*same)(const void *ctx, uint32_t number), const void *ctx) {
    if (map->table.slots == NULL)
        return MAP_NONE;
    uint32_t number = find(&map->table, hash, same, ctx);
    return number == MAP_NONE && map->old.slots ? find(&map->old, hash, same, ctx) : number;
}

static void place(struct map_table *table, struct map_slot slot) {
    size_t i = slot.top & table->mask;
    while (table->slots[i].number != 0)
        i = (i + 1) & table->mask;
    table->slots[i] = slot;
}

static void free_table(struct map_table *table) {
    free(table->slots);
    table->slots = NULL;
}

static void move(struct map *map, size_t most) {
    for (; map->old.slots && most > 0; most--) {
        size_t i = map->moved++;
        if (map->old.slots[i].number != 0)
            place(&map->table, map->old.slots[i]);
        if (map->moved > map->old.mask)
            free_table(&map->old);
    }
}

void map_finish(struct map *map) {
    move(map, SIZE_MAX);
}

static void grow(struct map *map) {
    size_t size = map->table.slots ? (map->table.mask + 1) * 2 : 16;
    map_finish(map);
    map->old = map->table;
    map->moved = 0;
    map->table = (struct map_table){err_calloc(size, sizeof *map->table.slots), size - 1};
    free(map->guesses);
    map->guesses = NULL;
}

void map_add(struct map *map, uint64_t hash, uint32_t number) {
    if (map->table.slots == NULL || (map->n + 1) * 4 > (map->table.mask + 1) * 3)
        grow(map);
    move(map, MOVES);
    place(&map->table, (struct map_slot){number + 1, (uint32_t)(hash >> 32)});
    map->n++;
}

size_t map_bytes(const struct map *map) {
    size_t slots =
        (map->table.slots ? map->table.mask + 1 : 0) + (map->old.slots ? map->old.mask + 1 : 0);
    return slots * sizeof(struct map_slot) +
           (map->guesses ? ((map->table.mask | MAP_GUESSES) + 1) * sizeof *map->guesses : 0);
}

uint32_t map_intern(struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                    const void *ctx, uint32_t next) {
    uint32_t number = map_find(map, hash, same, ctx);
    if (number != MAP_NONE)
        return number;
    map_add(map, hash, next);
    return next;
}

void map_make_guesses(struct map *map) {
    map->guesses = err_calloc((map->table.mask | MAP_GUESSES) + 1, sizeof *map->guesses);
}

void map_free(struct map *map) {
    free_table(&map->table);
    free_table(&map->old);
    free(map->guesses);
    map->guesses = NULL;
}
