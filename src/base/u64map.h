/* u64map.h - a map from 64-bit numbers to 64-bit numbers, for side tables.
 *
 * Hashes are keyed (hash.h). An entry takes 21 to 43 bytes, and half as much again while the map
 * grows. Nothing is ever removed. */
#ifndef FXTOP_U64MAP_H
#define FXTOP_U64MAP_H

#include <stddef.h>
#include <stdint.h>

struct u64map {
    struct u64map_entry {
        uint64_t key, value;
    } * v; /* key + 1; 0: free */
    size_t mask, n;
    struct u64map_entry *old; /* the table before, until all of its slots are moved; or NULL */
    size_t old_mask, moved;   /* moved: of its slots */
};

/* Makes any number a key: UINT64_MAX is none, so it shares the key of its neighbour. */
static inline uint64_t u64map_key(uint64_t n) {
    return n == UINT64_MAX ? UINT64_MAX - 1 : n;
}

void u64map_set(struct u64map *map, uint64_t key, uint64_t value); /* key < UINT64_MAX */
uint64_t u64map_get(const struct u64map *map, uint64_t key);       /* UINT64_MAX: not there */
void u64map_finish(struct u64map *map); /* leaves one table, to be written elsewhere */
void u64map_free(struct u64map *map);
size_t u64map_bytes(const struct u64map *map);

#endif
