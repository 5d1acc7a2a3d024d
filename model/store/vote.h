/* vote.h - the name that covers most of a stretch of slices, by weighted majority vote (Boyer and
 * Moore).
 *
 * A vote over slices of total length T is a candidate and a surplus S: the candidate covers at
 * least S and at most (T + S) / 2, any other name at most (T - S) / 2. The bounds survive the
 * merging of votes, in any order. So if S is T / 2 or more, the candidate covers at least half of
 * T; otherwise no name covers three quarters of it.
 *
 * The rest R = T - S also only grows as votes are merged: every name leaves at least R / 2 to
 * others. So a part of the slices is enough to decide, if its S or R is already half of the time of
 * all.
 *
 * `struct votes` has a vote for each block of VOTE_BLOCK slices, in 4 bytes, and for each four of
 * them, in 8. Both are rounded down. The votes for each 16, 64, 256, ... blocks are exact, but for
 * their rest. Lengths are ns. */
#ifndef FXTOP_VOTE_H
#define FXTOP_VOTE_H

#include "model/store/slice.h"
#include "src/base/vec.h"
#include "src/io/cache.h"

#define VOTE_BLOCK 16u
#define VOTE_FIRST 16u              /* blocks that make a vote of the first level */
#define VOTE_FAN 4u                 /* votes that make one of the next level */
#define VOTE_NO_NAME EVENT_NAME_MAX /* this and larger ones: the slice does not hold its name */
#define VOTE_LEVELS 6               /* above the blocks */

struct vote {
    uint64_t surplus;
    uint32_t name;
    union {
        uint32_t rest;   /* of a level: vote_rest() has it in ns */
        uint32_t blocks; /* of votes.run: how many it covers */
    };
};

#define VOTE_EMPTY ((struct vote){0, VOTE_NO_NAME, {0}})

/* For a condition that no processor predicts: compilers shall move, not jump. */
#if defined __clang__
#define VOTE_EVEN(condition) __builtin_unpredictable(condition)
#elif defined __GNUC__ && __GNUC__ >= 9
#define VOTE_EVEN(condition) __builtin_expect_with_probability(condition, 1, 0.5)
#else
#define VOTE_EVEN(condition) (condition)
#endif

/* The sum of all weights is below 2^63, or the vote is wrong: no column is as long. */
static inline void vote_add(struct vote *v, uint32_t name, uint64_t weight) {
    int64_t sum = (int64_t)(v->surplus + (VOTE_EVEN(name == v->name) ? weight : -weight)),
            turned = -(uint64_t)sum;
    v->name = VOTE_EVEN(sum < 0) ? name : v->name;
    v->surplus = (uint64_t)(VOTE_EVEN(turned < 0) ? sum : turned);
}

/* The rest of a level's vote, rounded down. */
static inline uint64_t vote_rest(const struct vote *v) {
    return (uint64_t)(v->rest >> 6) << (v->rest & 63);
}

/* The vote of VOTE_FOUR blocks: times are rounded down to 10 bits and an exponent. */
struct vote_four {
    uint32_t name;
    uint16_t surplus, rest;
};

#define VOTE_FOUR 4u

static inline uint64_t vote_time(uint16_t packed) {
    return (uint64_t)(packed & 1023) << (packed >> 10);
}

struct vote_levels {
    VEC(struct vote) v[VOTE_LEVELS];
};

struct votes {
    VEC(uint32_t) blocks; /* name * 32 + the surplus as a share of the busy time; 31: all of it */
    VEC(struct vote_four) fours; /* of each VOTE_FOUR blocks */
    struct vote run;             /* of the last blocks, less than 16 */
    struct vote before;          /* `run` without the last block, for a cut by one block */
    struct vote_levels *levels;  /* NULL while there are less than 16 blocks */
};

/* A block's vote; `busy` is the length of its slices. If it returns true, call votes_level(). */
static inline bool votes_push(struct votes *votes, uint32_t name, uint64_t surplus, uint64_t busy) {
    uint32_t packed = surplus > 0 && name < VOTE_NO_NAME ? name : VOTE_NO_NAME;
    packed =
        packed * 32 + (surplus == busy ? 31 : (uint32_t)(surplus / (busy / 32 + busy / 512 + 2)));
    vec_push(&votes->blocks, packed);
    votes->before = votes->run;
    vote_add(&votes->run, name, surplus);
    return ++votes->run.blocks == VOTE_FIRST;
}

/* Adds the vote of the last 16 blocks to the levels; `busy` is the length of their slices. */
void votes_level(struct votes *votes, uint64_t busy);

/* Adds the vote of the last VOTE_FOUR blocks, whose slices have these lengths; their number is a
 * multiple of it. */
void votes_add_four(struct votes *votes, const uint64_t busy[VOTE_FOUR]);

/* Keeps the first n blocks. */
void votes_cut(struct votes *votes, size_t n);
/* After a cut: the next votes_push() needs a new `run`, a vote over the slices of the last blocks.n
 * % 16 blocks. */
bool votes_stale(const struct votes *votes);
void votes_free(struct votes *votes);
size_t votes_bytes(const struct votes *votes);
void votes_walk(struct votes *votes, struct cache *cache);

/* The largest stretch that begins at block b, ends by `end` and has an exact vote: how many blocks
 * it has; 0: none. */
size_t votes_above(const struct votes *votes, size_t b, size_t end, struct vote *out);

/* The vote of a block, rounded down; adds the most that it lacks to *lost. Without branches, as
 * vote_add(). */
static inline struct vote votes_block(const struct votes *votes, size_t b, uint64_t busy,
                                      uint64_t *lost) {
    uint32_t v = votes->blocks.v[b], share = v % 32;
    uint64_t unit = busy / 32 + busy / 512 + 2, all = -(uint64_t)(share == 31);
    *lost += unit & ~all;
    return (struct vote){(busy & all) | (share * unit & ~all), v / 32, {0}};
}

/* The votes of a level, *n of them; NULL if there are none. */
static inline const struct vote *votes_of_level(const struct votes *votes, unsigned level,
                                                uint32_t *n) {
    *n = votes->levels ? (uint32_t)votes->levels->v[level].n : 0;
    return *n > 0 ? votes->levels->v[level].v : NULL;
}

/* Slices that a vote of a level covers. */
static inline uint32_t votes_size(unsigned level) {
    return VOTE_BLOCK * VOTE_FIRST << 2 * level;
}

#endif
