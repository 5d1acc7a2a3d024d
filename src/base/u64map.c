/* u64map.c - open addressing with linear probing; a slot holds key + 1, or 0 if it is free. */
#include "src/base/u64map.h"

#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/hash.h"

static struct u64map_entry *find(const struct u64map *map, uint64_t key) {
    for (size_t i = (size_t)hash_words(key, 1) & map->mask;; i = (i + 1) & map->mask)
        if (map->v[i].key == 0 || map->v[i].key == key + 1)
            return &map->v[i];
}

void u64map_set(struct u64map *map, uint64_t key, uint64_t value) {
    if (map->v == NULL || (map->n + 1) * 4 > (map->mask + 1) * 3) {
        struct u64map old = *map;
        size_t size = old.v ? (old.mask + 1) * 2 : 16;
        map->v = err_calloc(size, sizeof *map->v);
        map->mask = size - 1;
        for (size_t i = 0; old.v && i <= old.mask; i++)
            if (old.v[i].key != 0)
                *find(map, old.v[i].key - 1) = old.v[i];
        free(old.v);
    }
    struct u64map_entry *e = find(map, key);
    map->n += e->key == 0;
    *e = (struct u64map_entry){key + 1, value};
}

uint64_t u64map_get(const struct u64map *map, uint64_t key) {
    const struct u64map_entry *e = map->v ? find(map, key) : NULL;
    return e && e->key != 0 ? e->value : UINT64_MAX;
}

void u64map_free(struct u64map *map) {
    free(map->v);
    *map = (struct u64map){0};
}

size_t u64map_bytes(const struct u64map *map) {
    return map->v ? (map->mask + 1) * sizeof *map->v : 0;
}
