/* chance.h - numbers as if thrown, the same in every run; and a check that costs nothing while it holds. */
#ifndef FXTOP_CHANCE_H
#define FXTOP_CHANCE_H

#include <check.h>
#include <stdint.h>

struct chance {
    uint64_t seed; /* not 0 */
};

static inline uint64_t below(struct chance *c, uint64_t n) {
    c->seed ^= c->seed << 13;
    c->seed ^= c->seed >> 7;
    c->seed ^= c->seed << 17;
    return c->seed % n;
}

/* ck_assert() writes a mark each time it is reached: too slow for millions of checks. */
#define MUST(condition, set)                                                                                           \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("%s (set %d)", #condition, (int)(set));                                                       \
    } while (0)

#endif
