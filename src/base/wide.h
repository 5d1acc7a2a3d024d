/* wide.h - unsigned 128-bit nanoseconds: 2^64-1 ticks at one tick a second are 1.8e28 ns. */
#ifndef FXTOP_WIDE_H
#define FXTOP_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct wide {
    uint64_t hi, lo;
};

#ifdef __SIZEOF_INT128__
static inline struct wide wide_mul(uint64_t a, uint64_t b) { /* exact */
    unsigned __int128 p = (unsigned __int128)a * b;
    return (struct wide){(uint64_t)(p >> 64), (uint64_t)p};
}
#else
struct wide wide_mul(uint64_t a, uint64_t b);
#endif
static inline uint64_t wide_high(uint64_t a, uint64_t b) { /* the upper half of the product */
    return wide_mul(a, b).hi;
}
struct wide wide_div(struct wide a, uint64_t b); /* truncated; b > 0 */
/* a * b / c, truncated, after `more` was added to the product; a < c * 2^64, b + more < 2^64. */
struct wide wide_scale(struct wide a, uint64_t b, uint64_t c, uint64_t more);
struct wide wide_add(struct wide a, int64_t b); /* modulo 2^128: a negative b may wrap below 0 */
struct wide wide_sub(struct wide a, struct wide b); /* modulo 2^128, as wide_plus() */
static inline struct wide wide_plus(struct wide a, struct wide b) {
    return (struct wide){a.hi + b.hi + (a.lo + b.lo < a.lo), a.lo + b.lo};
}
int wide_cmp(struct wide a, struct wide b); /* -1, 0, 1 */
/* a - b clamped to [-limit, limit]; limit >= 0 */
int64_t wide_diff(struct wide a, struct wide b, int64_t limit);
/* Decimal digits into buf, at most 39 and a NUL; returns buf. */
char *wide_text(struct wide a, char buf[40]);

#endif
