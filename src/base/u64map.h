/* u64map.h - a map from a number to a number, for the few facts that do not fit where they belong. Keyed hash. */
#ifndef FXTOP_U64MAP_H
#define FXTOP_U64MAP_H

#include <stddef.h>
#include <stdint.h>

struct aside {
    struct aside_entry {
        uint64_t key, value;
    } *v; /* key + 1; 0: free */
    size_t mask, n;
};

void aside_set(struct aside *aside, uint64_t key, uint64_t value); /* key < UINT64_MAX */
uint64_t aside_get(const struct aside *aside, uint64_t key);       /* UINT64_MAX: not there */
void aside_free(struct aside *aside);
size_t aside_bytes(const struct aside *aside);

#endif
