/* open_index.h - open operations or flows, found by several keys: the latest that was added with a
 * key.
 *
 * Keys are 64-bit hashes that the owner makes (hash_words(), keyed per run); equal hashes count as
 * equal keys. All keys but the first cost nothing until one is asked for, as the first key finds
 * the begin of most ends. They are kept from OPEN_INDEX_FEW open nodes on, because to find all of
 * those later would take long. Memory follows the greatest number that was open at one time. Nodes
 * are numbered from 1; 0 is none. */
#ifndef FXTOP_OPEN_INDEX_H
#define FXTOP_OPEN_INDEX_H

#include "src/base/vec.h"

#include <stdint.h>

#define OPEN_INDEX_KEYS 6
#define OPEN_INDEX_FEW 4096

struct open_who {
    uint64_t id;
    uint32_t process, category, name;
    uint32_t thread; /* if the owner has keys of it */
};

struct open_node {
    uint64_t key[OPEN_INDEX_KEYS];
    uint32_t newer[OPEN_INDEX_KEYS], older[OPEN_INDEX_KEYS]; /* in the bucket of each key */
    uint64_t age;                                            /* number of nodes added before */
    struct open_who who;
    uint32_t value, more, rank; /* the owner's */
};

typedef uint64_t open_index_key(const struct open_who *who, unsigned k);

struct open_index {
    unsigned keys;                      /* of these: */
    unsigned asked;                     /* keys [asked, keys) have no table */
    uint32_t *buckets[OPEN_INDEX_KEYS]; /* NULL: this key was not asked for */
    uint32_t half;                      /* of the buckets, a power of two; 0: there are none */
    /* the first `split` buckets of this half are split; the others hold the keys of both halves */
    uint32_t split;
    uint32_t n, free; /* free: first free node, chained by older[0] */
    uint64_t added;
    open_index_key *key;
    VEC(struct open_node) nodes;
};

/* keys: 1..OPEN_INDEX_KEYS. */
void open_index_init(struct open_index *set, unsigned keys, open_index_key *key);
void open_index_free(struct open_index *set); /* it is empty again */
/* key0: its key 0. */
uint32_t open_index_add(struct open_index *set, const struct open_who *who, uint64_t key0,
                        uint32_t rank, uint32_t value, uint32_t more);
void open_index_remove(struct open_index *set, uint32_t node);
uint32_t open_index_older(const struct open_index *set, unsigned key,
                          uint32_t node);                      /* the one before, of the same key */
void open_index_find_by(struct open_index *set, unsigned key); /* for open_index_latest() alone */

static inline struct open_node *open_index_node(const struct open_index *set, uint32_t node) {
    return &set->nodes.v[node - 1];
}

/* The bucket of a key. */
static inline uint32_t *open_index_bucket(const struct open_index *set, unsigned k, uint64_t hash) {
    uint32_t i = (uint32_t)hash & (set->half * 2 - 1);
    return &set->buckets[k][i < set->half + set->split ? i : i - set->half];
}

/* Whether two that have the same key 0 have the same key k, too. */
typedef bool open_index_alike(const struct open_who *a, const struct open_who *b, unsigned k);

/* The latest node with that key; 0: none. */
static inline uint32_t open_index_latest(struct open_index *set, unsigned k, uint64_t hash) {
    if (set->n == 0)
        return 0;
    if (set->buckets[k] == NULL)
        open_index_find_by(set, k);
    uint32_t at = *open_index_bucket(set, k, hash);
    while (at && open_index_node(set, at)->key[k] != hash)
        at = open_index_node(set, at)->older[k];
    return at;
}

/* open_index_in_family() after the first. */
uint32_t open_index_walk(struct open_index *set, uint32_t from, const struct open_who *who,
                         unsigned k, open_index_alike *alike);

/* The latest node of key k in a family, the nodes of one key 0; 0: none. from: one of the family, 0
 * for none; no later one is of key k. Mostly it is the only one. */
static inline uint32_t open_index_in_family(struct open_index *set, uint32_t from,
                                            const struct open_who *who, unsigned k,
                                            open_index_alike *alike) {
    if (from == 0 || alike(&open_index_node(set, from)->who, who, k))
        return from;
    return open_index_walk(set, from, who, k, alike);
}

#endif
