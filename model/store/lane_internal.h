/* lane_internal.h - shared by lane.c and lane_name.c: the block index, and access to slices. */
#ifndef FXTOP_LANE_INTERNAL_H
#define FXTOP_LANE_INTERNAL_H

#include "model/store/lane.h"
#include "model/store/vote.h"

#define BLOCK LANE_BLOCK
#define LEVELS 8 /* 16^8 slices: more than a lane can count */

struct block {
    int64_t start; /* of its first slice */
    uint64_t busy; /* time that the slices before it cover, modulo 2^64 */
};

struct lane_index {
    VEC(struct block) blocks;
    VEC(int64_t) coarse;           /* the start of every 16th of them: few enough to stay in a cache */
    VEC(uint32_t) longest[LEVELS]; /* per block of 16^(level + 1) slices */
    struct votes votes;            /* per block, and further up */
    uint64_t busy;                 /* that all blocks cover */
};

#define CHECKED (CACHE_BLOCK / (uint32_t)sizeof(struct slice)) /* slices that one checksum of the index cache covers */

/* Checks that many slices of a lane in the index cache when they are first used. */
void lane_look(const struct lane *lane, uint32_t block);

static inline struct slice *at(const struct lane *lane, uint32_t i) {
    if (lane->far && __atomic_load_n(&lane->far->checks[i / CHECKED], __ATOMIC_RELAXED) != 0)
        lane_look(lane, i / CHECKED);
    return lane->pieces[i / LANE_PIECE] + i % LANE_PIECE;
}

/* Adds the slices [i, j), which have ended. */
void lane_vote(const struct lane *lane, uint32_t i, uint32_t j, struct vote *vote);

#endif
