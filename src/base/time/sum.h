/* sum.h - sums of times, exact in 128 bits: a trace of a few saturated times already adds up to
 * more than 2^63 ns.
 *
 * A sum is high * 2^64 + low. So it fits 64 bits if `high` is 0, and then it is `low`. It is shown
 * as at most 2^63-1 ns, which units_duration() marks: ">106751 d". Means, shares and
 * differences are of the exact sums. */
#ifndef FXTOP_SUM_H
#define FXTOP_SUM_H

#include <stdint.h>

struct sum {
    int64_t low, high;
};

#define SUM_AT_LEAST ">=9223372036854775807" /* in exports, a sum that is shown as INT64_MAX */

static inline struct sum sum_from(int64_t n) {
    return (struct sum){n, 0};
}

static inline void sum_add(struct sum *s, int64_t n) {
    if (__builtin_expect(__builtin_add_overflow(s->low, n, &s->low), 0))
        s->high += n < 0 ? -1 : 1;
}

static inline struct sum sum_plus(struct sum a, struct sum b) {
    a.high += b.high;
    sum_add(&a, b.low);
    return a;
}

static inline struct sum sum_minus(struct sum a, struct sum b) {
    a.high -= b.high;
    if (__builtin_expect(__builtin_sub_overflow(a.low, b.low, &a.low), 0))
        a.high += b.low < 0 ? 1 : -1;
    return a;
}

static inline int sum_cmp(struct sum a, struct sum b) { /* -1, 0, 1 */
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

/* The sum as it is shown: INT64_MIN and INT64_MAX if it does not fit. */
static inline int64_t sum_ns(struct sum s) {
    if (__builtin_expect(s.high != 0, 0))
        return s.high < 0 ? INT64_MIN : INT64_MAX;
    return s.low;
}

static inline double sum_double(struct sum s) {
    return (double)s.high * 0x1p64 + (double)s.low;
}

/* The whole part of a number as it is shown, which is no NaN. */
static inline int64_t sum_clamped(double ns) {
    if (ns >= 0x1p63)
        return INT64_MAX;
    return ns < -0x1p63 ? INT64_MIN : (int64_t)ns;
}

/* The part of a whole in units of 1e-8, of which the rest is left out, so that a share is rounded
 * once: when it is printed. 0 of a whole that is not positive. Neither is negative. */
static inline int64_t sum_share(struct sum part, struct sum whole) {
    double all = sum_double(whole);
    /* a quotient of doubles may be a bit less than the whole number that it is */
    return all > 0 ? sum_clamped(sum_double(part) * 1e8 / all + 0x1p-10) : 0;
}

/* A share as percent with a decimal, "5.1%", or without one. Returns buf. */
const char *sum_share_text(int64_t share, char buf[32]);
const char *sum_share_whole(int64_t share, char buf[32]);

/* A number in the order of the sums: it is the sum itself below 2^62, and of a greater one its
 * upper bits. */
int64_t sum_key(struct sum s);

/* The mean of n > 0 numbers whose sum this is, rounded half up. */
int64_t sum_mean(struct sum s, uint64_t n);

#endif
