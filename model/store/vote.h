/* vote.h - the name that covers most of a stretch of slices, by weighted majority vote (Boyer and Moore).
 *
 * A vote over slices of total length T is a candidate and a surplus S: the candidate covers at least S and at most
 * (T + S) / 2, any other name at most (T - S) / 2. The bounds survive the merging of votes, in any order. So if S is
 * T / 2 or more, the candidate covers at least half of T; otherwise no name covers three quarters of it.
 *
 * `struct votes` has a vote for each block of VOTE_BLOCK slices, in 4 bytes, and for each 16, 256 and 4096 blocks. A
 * block's vote is rounded down; the others are exact. Lengths are ns. */
#ifndef FXTOP_VOTE_H
#define FXTOP_VOTE_H

#include "model/store/slice.h"
#include "src/base/vec.h"
#include "src/io/cache.h"

#define VOTE_BLOCK 16u
#define VOTE_FAN 16u                /* votes that make one of the next level */
#define VOTE_NO_NAME EVENT_NAME_MAX /* this and larger ones: the slice does not hold its name */
#define VOTE_LEVELS 3               /* above the blocks */

struct vote {
    uint64_t surplus;
    uint32_t name;
    uint32_t blocks; /* only in votes.run: how many it covers */
};

#define VOTE_EMPTY ((struct vote){0, VOTE_NO_NAME, 0})

/* Without branches: names vary in a way that no processor predicts. */
static inline void vote_add(struct vote *v, uint32_t name, uint64_t weight) {
    bool same = name == v->name, wins = weight > v->surplus;
    uint64_t sum = v->surplus + weight, rest = wins ? weight - v->surplus : v->surplus - weight;
    v->surplus = same ? sum : rest;
    v->name = wins ? name : v->name;
}

struct votes {
    VEC(uint32_t) blocks;       /* name * 32 + the surplus as a share of the busy time; 31: all of it */
    struct vote run;            /* of the last blocks, less than 16 */
    struct vote before;         /* `run` without the last block, for a cut by one block */
    struct vote_levels *levels; /* NULL while there are less than 16 blocks */
};

/* votes.run has 16 blocks: adds it to the levels. */
void votes_level(struct votes *votes);

/* A block's vote; `busy` is the length of its slices. */
static inline void votes_push(struct votes *votes, uint32_t name, uint64_t surplus, uint64_t busy) {
    uint32_t packed = surplus > 0 && name < VOTE_NO_NAME ? name : VOTE_NO_NAME;
    packed = packed * 32 + (surplus == busy ? 31 : (uint32_t)(surplus / (busy / 32 + busy / 512 + 2)));
    vec_push(&votes->blocks, packed);
    votes->before = votes->run;
    vote_add(&votes->run, name, surplus);
    if (++votes->run.blocks == VOTE_FAN)
        votes_level(votes);
}

/* Keeps the first n blocks. */
void votes_cut(struct votes *votes, size_t n);
/* After a cut: the next votes_push() needs a new `run`, a vote over the slices of the last blocks.n % 16 blocks. */
bool votes_stale(const struct votes *votes);
void votes_free(struct votes *votes);
size_t votes_bytes(const struct votes *votes);
void votes_walk(struct votes *votes, struct cache *cache);

/* The largest stretch that begins at block b, ends by `end` and has an exact vote: how many blocks it has; 0: none. */
size_t votes_above(const struct votes *votes, size_t b, size_t end, struct vote *out);

/* The vote of a block, rounded down; adds the most that it lacks to *lost. */
static inline struct vote votes_block(const struct votes *votes, size_t b, uint64_t busy, uint64_t *lost) {
    uint32_t v = votes->blocks.v[b], share = v % 32;
    uint64_t unit = busy / 32 + busy / 512 + 2;
    *lost += share == 31 ? 0 : unit;
    return (struct vote){share == 31 ? busy : share * unit, v / 32, 0};
}

#endif
