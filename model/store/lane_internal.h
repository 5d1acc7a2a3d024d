/* lane_internal.h - shared by lane.c and lane_columns.c: the block index, and access to packed
 * slices. */
#ifndef FXTOP_LANE_INTERNAL_H
#define FXTOP_LANE_INTERNAL_H

#include "model/store/lane.h"
#include "model/store/pack.h"
#include "model/store/vote.h"

#define BLOCK LANE_BLOCK
#define LEVELS 7 /* 16^8 slices: more than a lane can count */

struct block {
    int64_t start; /* of its first slice */
    uint64_t busy; /* time that the slices before it cover, modulo 2^64 */
};

struct lane_index {
    VEC(struct block) blocks;
    VEC(uint32_t) places; /* where each block is packed */
    /* if they are in the index cache, the lane does not change any more */
    struct pack_pieces pieces;
    VEC(int64_t) coarse; /* the start of every 16th block: few enough to stay in a cache */
    /* per block of 16^(level + 2) slices; a packed block knows its own */
    VEC(uint32_t) longest[LEVELS];
    struct votes votes;     /* per block, and further up */
    uint64_t busy;          /* that all blocks cover */
    int64_t most;           /* the longest of the last blocks, less than 16, */
    uint32_t best, best_of; /* its number, and how many blocks those are */
};

/* Checks a stretch of a lane in the index cache when it is first used. */
void lane_look(const struct lane *lane, uint32_t stretch);

static inline const unsigned char *packed_at(const struct lane_index *x, size_t block) {
    return pack_at(&x->pieces, x->places.v[block]);
}

static inline const unsigned char *packed(const struct lane *lane, size_t block) {
    const struct lane_index *x = lane->index;
    const struct cache_far *far = x->pieces.far;
    uint32_t stretch = x->places.v[block] / PACK_CHECKED;
    if (far && __atomic_load_n(&far->checks[stretch], __ATOMIC_RELAXED) != 0)
        lane_look(lane, stretch);
    return packed_at(x, block);
}

static inline void fetch(const void *v, size_t n) {
    for (size_t line = 0; line < n; line += 64)
        __builtin_prefetch((const char *)v + line);
}

#define USUAL 192 /* bytes of a block, as most are */
#define TIMES 128 /* and of its head, starts and durations */

/* The last block of one coarse entry that starts before t; its first block if none does. */
static inline size_t lane_block_below(const struct lane_index *x, size_t coarse, int64_t t) {
    size_t lo = coarse * BLOCK, hi = x->blocks.n - lo < BLOCK ? x->blocks.n : lo + BLOCK;
    /* no branch depends on a time: half of them would be mispredicted */
    for (size_t n = hi - lo; n > 1; n -= n / 2)
        lo = x->blocks.v[lo + n / 2].start < t ? lo + n / 2 : lo;
    return lo;
}

/* Adds the slices [i, j), which have ended. */
void lane_vote(const struct lane *lane, uint32_t i, uint32_t j, struct vote *vote);

#endif
