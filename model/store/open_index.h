/* open_index.h - what is open now, found by several keys at once: the latest that was added of each.
 *
 * Keys are 64-bit hashes that the owner makes of who is open (map_hash2(), keyed per run); equal hashes are taken for
 * equal keys. All but the first cost nothing until one is asked for: most ends belong to what their own first key
 * finds. Memory is that of the most that were open at one time. Nodes are numbered from 1; 0 is none. */
#ifndef FXTOP_OPEN_INDEX_H
#define FXTOP_OPEN_INDEX_H

#include "src/base/vec.h"

#include <stdint.h>

#define OPENSET_KEYS 4

struct open_who {
    uint64_t id;
    uint32_t process, category, name;
};

struct open_node {
    uint64_t key[OPENSET_KEYS];
    uint32_t newer[OPENSET_KEYS], older[OPENSET_KEYS]; /* in the bucket of each key */
    uint64_t age;                                      /* how many were added before */
    struct open_who who;
    uint32_t value;
    uint32_t rank; /* of the latest of key 0: how many of that key are open */
};

typedef uint64_t openset_key(const struct open_who *who, unsigned k);

struct openset {
    unsigned keys;                   /* of these: */
    uint32_t *buckets[OPENSET_KEYS]; /* NULL: nobody has asked for this key */
    uint32_t mask, n, free;          /* free: chained by older[0] */
    uint64_t added;
    openset_key *key;
    VEC(struct open_node) nodes;
};

/* keys: 1..OPENSET_KEYS. */
void openset_init(struct openset *set, unsigned keys, openset_key *key);
void openset_free(struct openset *set); /* and is empty again */
/* key0: its key 0; before: the latest of that key. */
uint32_t openset_add(struct openset *set, const struct open_who *who, uint64_t key0, uint32_t before, uint32_t value);
void openset_remove(struct openset *set, uint32_t node);
uint32_t openset_latest(struct openset *set, unsigned key, uint64_t hash);
uint32_t openset_older(const struct openset *set, unsigned key, uint32_t node); /* the one before, of the same key */

static inline struct open_node *openset_node(const struct openset *set, uint32_t node) {
    return &set->nodes.v[node - 1];
}

#endif
