/* chance.h - pseudo-random numbers that are the same in every run and on every machine.
 *
 * Two generators of Marsaglia and Vigna, both with a period of 2^64 - 1: chance_next() is
 * xorshift64, chance_star() is xorshift64*, whose low bits are better. A seed must not be 0. */
#ifndef FXTOP_CHANCE_H
#define FXTOP_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t seed; /* not 0 */
};

static inline uint64_t chance_next(struct chance *c) {
    c->seed ^= c->seed << 13;
    c->seed ^= c->seed >> 7;
    c->seed ^= c->seed << 17;
    return c->seed;
}

static inline uint64_t chance_star(struct chance *c) {
    c->seed ^= c->seed >> 12;
    c->seed ^= c->seed << 25;
    c->seed ^= c->seed >> 27;
    return c->seed * UINT64_C(2685821657736338717);
}

/* One of 0 to n - 1, by chance_next(). */
static inline uint64_t below(struct chance *c, uint64_t n) {
    return chance_next(c) % n;
}

#endif
