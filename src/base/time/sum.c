/* sum.c - what takes a quotient or a shift of 128 bits. */
#include "src/base/time/sum.h"

#include <assert.h>
#include <stdio.h>

#include "src/base/wide.h"

#define EXACT (INT64_C(1) << 62)
#define DROPPED 34 /* bits; so 2^96 fits: 2^32 numbers of 64 bits */

static struct wide bits_of(struct sum s) {
    return (struct wide){(uint64_t)s.high - (s.low < 0), (uint64_t)s.low};
}

const char *sum_share_text(int64_t share, char buf[32]) {
    snprintf(buf, 32, "%.1f%%", (double)share / 1e6);
    return buf;
}

const char *sum_share_whole(int64_t share, char buf[32]) {
    snprintf(buf, 32, "%.0f%%", (double)share / 1e6);
    return buf;
}

int64_t sum_key(struct sum s) {
    struct wide bits = bits_of(s);
    if (s.high < 0)
        return INT64_MIN;
    if (s.high == 0 && s.low < EXACT)
        return s.low;
    return bits.hi >> (DROPPED - 2) != 0
               ? INT64_MAX
               : EXACT + (int64_t)(bits.hi << (64 - DROPPED) | bits.lo >> DROPPED);
}

int64_t sum_mean(struct sum s, uint64_t n) {
    assert(n > 0);
    if (s.high == 0 && s.low >= 0) {
        uint64_t size = (uint64_t)s.low, rest = size % n;
        return (int64_t)(size / n + (rest >= n - rest));
    }
    /* The numbers have 64 bits, so the sum of the distances from INT64_MIN is positive, and their
     * mean fits. */
    struct wide all = wide_mul(n, UINT64_C(1) << 63), sum = bits_of(s);
    uint64_t lo = all.lo + sum.lo;
    all = (struct wide){all.hi + sum.hi + (lo < all.lo), lo};
    uint64_t mean = wide_div(all, n).lo, rest = all.lo - mean * n;
    mean += rest >= n - rest;
    return (int64_t)(mean - (UINT64_C(1) << 63));
}
