/* lane_internal.h - shared by lane.c and lane_name.c: the block index, and access to packed slices. */
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
    VEC(uint32_t) places;          /* where each block is packed */
    struct pack_pieces pieces;     /* if they are in the index cache, the lane does not change any more */
    VEC(int64_t) coarse;           /* the start of every 16th block: few enough to stay in a cache */
    VEC(uint32_t) longest[LEVELS]; /* per block of 16^(level + 2) slices; a packed block knows its own */
    struct votes votes;            /* per block, and further up */
    uint64_t busy;                 /* that all blocks cover */
    int64_t most;                  /* the longest of the last blocks, less than 16, */
    uint32_t best, best_of;        /* its number, and how many blocks those are */
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

/* Adds the slices [i, j), which have ended. */
void lane_vote(const struct lane *lane, uint32_t i, uint32_t j, struct vote *vote);

#endif
