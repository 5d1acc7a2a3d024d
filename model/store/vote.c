/* vote.c - votes of blocks, and of 16, 64, 256, ... blocks, kept while a lane grows.
 *
 * The vote of 16 blocks is summed up exactly in `run` as they come, since those of the blocks are
 * rounded. The votes of four blocks are made of rounded ones: they only have to decide most
 * columns. The levels above are made of 4 votes of the level below. A cut by one block is undone;
 * after any other, the owner of the slices has to give `run` a new vote. */
#include "model/store/vote.h"

/* The shift that leaves at most so many bits of a number. */
static unsigned excess(uint64_t v, unsigned bits) {
    unsigned has = 64 - (unsigned)__builtin_clzll(v | 1);
    return has > bits ? has - bits : 0;
}

/* Rounds down to 26 bits and an exponent. */
static uint32_t packed_rest(uint64_t rest) {
    unsigned shift = excess(rest, 26);
    return (uint32_t)(rest >> shift) << 6 | shift;
}

void votes_level(struct votes *votes, uint64_t busy) {
    if (votes->levels == NULL)
        votes->levels = err_calloc(1, sizeof *votes->levels);
    struct vote sum = votes->run;
    uint64_t rest = busy - sum.surplus;
    votes->run = VOTE_EMPTY;
    for (int level = 0;; level++) {
        sum.rest = packed_rest(rest);
        vec_push(&votes->levels->v[level], sum);
        size_t n = votes->levels->v[level].n;
        if (level + 1 == VOTE_LEVELS || n % VOTE_FAN != 0)
            return;
        sum = VOTE_EMPTY;
        rest = 0;
        for (size_t i = n - VOTE_FAN; i < n; i++) {
            const struct vote *part = &votes->levels->v[level].v[i];
            rest += part->surplus + vote_rest(part);
            vote_add(&sum, part->name, part->surplus);
        }
        rest -= sum.surplus;
    }
}

static uint16_t packed_time(uint64_t ns) {
    unsigned shift = excess(ns, 10);
    return (uint16_t)(ns >> shift | shift << 10);
}

void votes_add_four(struct votes *votes, const uint64_t busy[VOTE_FOUR]) {
    struct vote sum = VOTE_EMPTY;
    uint64_t total = 0;
    for (size_t i = 0, first = votes->blocks.n - VOTE_FOUR; i < VOTE_FOUR; i++) {
        uint64_t lost = 0;
        struct vote block = votes_block(votes, first + i, busy[i], &lost);
        uint64_t rest = busy[i] - block.surplus;
        vote_add(&sum, block.name, block.surplus);
        total += block.surplus + (rest > lost ? rest - lost : 0);
    }
    vec_push(&votes->fours, ((struct vote_four){sum.name, packed_time(sum.surplus),
                                                packed_time(total - sum.surplus)}));
}

void votes_cut(struct votes *votes, size_t n) {
    if (votes->blocks.n <= n)
        return;
    bool one = votes->blocks.n == n + 1;
    votes->blocks.n = n;
    if (votes->fours.n > n / VOTE_FOUR)
        votes->fours.n = n / VOTE_FOUR;
    votes->run = one ? votes->before : VOTE_EMPTY;
    votes->before = VOTE_EMPTY; /* right at the start of 16 blocks, else stale */
    size_t size = VOTE_FIRST;
    for (int level = 0; votes->levels && level < VOTE_LEVELS; level++, size *= VOTE_FAN)
        if (votes->levels->v[level].n > n / size)
            votes->levels->v[level].n = n / size;
}

bool votes_stale(const struct votes *votes) {
    return votes->run.blocks != votes->blocks.n % VOTE_FIRST;
}

void votes_free(struct votes *votes) {
    for (int level = 0; votes->levels && level < VOTE_LEVELS; level++)
        vec_free(&votes->levels->v[level]);
    free(votes->levels);
    vec_free(&votes->blocks);
    vec_free(&votes->fours);
    votes->levels = NULL;
}

size_t votes_bytes(const struct votes *votes) {
    size_t n = votes->blocks.n * sizeof *votes->blocks.v + votes->fours.n * sizeof *votes->fours.v;
    for (int level = 0; votes->levels && level < VOTE_LEVELS; level++)
        n += votes->levels->v[level].n * sizeof(struct vote);
    return n;
}

void votes_walk(struct votes *votes, struct cache *cache) {
    bool has = votes->levels != NULL;
    cache_vec(cache, &votes->blocks);
    cache_vec(cache, &votes->fours);
    cache_value(cache, votes->run);
    cache_value(cache, has);
    if (!has)
        return;
    if (cache_reads(cache))
        votes->levels = err_calloc(1, sizeof *votes->levels);
    for (int level = 0; level < VOTE_LEVELS; level++)
        cache_vec(cache, &votes->levels->v[level]);
}

size_t votes_above(const struct votes *votes, size_t b, size_t end, struct vote *out) {
    size_t found = 0, size = VOTE_FIRST;
    for (int level = 0; votes->levels && level < VOTE_LEVELS && b % size == 0 && b + size <= end;
         level++, size *= VOTE_FAN) {
        if (b / size >= votes->levels->v[level].n)
            break;
        *out = votes->levels->v[level].v[b / size];
        found = size;
    }
    return found;
}
