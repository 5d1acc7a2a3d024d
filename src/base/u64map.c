/* u64map.c - open addressing with linear probing; a slot holds key + 1, or 0 if it is free.
 *
 * A full table is replaced by one of twice its size, and each later key moves some slots. So no key
 * takes long. Until all are moved, both tables are asked, the new one first. */
#include "src/base/u64map.h"

#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/hash.h"

#define MOVES 8 /* slots that a key moves: 2 would do */

static struct u64map_entry *find(struct u64map_entry *v, size_t mask, uint64_t key) {
    for (size_t i = (size_t)hash_words(key, 1) & mask;; i = (i + 1) & mask)
        if (v[i].key == 0 || v[i].key == key + 1)
            return &v[i];
}

static void move(struct u64map *map, size_t most) {
    for (; map->old && most > 0; most--) {
        struct u64map_entry from = map->old[map->moved++];
        struct u64map_entry *to = from.key != 0 ? find(map->v, map->mask, from.key - 1) : NULL;
        if (to && to->key == 0)
            *to = from;
        if (map->moved <= map->old_mask)
            continue;
        free(map->old);
        map->old = NULL;
    }
}

void u64map_finish(struct u64map *map) {
    move(map, SIZE_MAX);
}

static void grow(struct u64map *map) {
    size_t size = map->v ? (map->mask + 1) * 2 : 16;
    u64map_finish(map);
    map->old = map->v;
    map->old_mask = map->mask;
    map->moved = 0;
    map->v = err_calloc(size, sizeof *map->v);
    map->mask = size - 1;
}

void u64map_set(struct u64map *map, uint64_t key, uint64_t value) {
    if (map->v == NULL || (map->n + 1) * 4 > (map->mask + 1) * 3)
        grow(map);
    move(map, MOVES);
    struct u64map_entry *e = find(map->v, map->mask, key);
    if (e->key == 0)
        map->n += map->old == NULL || find(map->old, map->old_mask, key)->key == 0;
    *e = (struct u64map_entry){key + 1, value};
}

uint64_t u64map_get(const struct u64map *map, uint64_t key) {
    const struct u64map_entry *e = map->v ? find(map->v, map->mask, key) : NULL;
    if (e && e->key == 0 && map->old)
        e = find(map->old, map->old_mask, key);
    return e && e->key != 0 ? e->value : UINT64_MAX;
}

void u64map_free(struct u64map *map) {
    free(map->v);
    free(map->old);
    *map = (struct u64map){0};
}

size_t u64map_bytes(const struct u64map *map) {
    size_t slots = (map->v ? map->mask + 1 : 0) + (map->old ? map->old_mask + 1 : 0);
    return slots * sizeof *map->v;
}
