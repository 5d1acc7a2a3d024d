/* wide.c - unsigned 128-bit arithmetic.
 *
 * Only the product and the quotient care whether the compiler has a 128-bit integer. WIDE_PORTABLE
 * leaves nothing but the two written without it, for the test that holds them against the
 * others. */
#include "src/base/wide.h"

#include <assert.h>
#include <string.h>

#if !defined(__SIZEOF_INT128__) || defined(WIDE_PORTABLE)

/* Four products of 32-bit halves. */
static struct wide mul_portable(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t mid = a1 * b0 + (low >> 32); /* cannot overflow: (2^32-1)^2 + 2^32-1 < 2^64 */
    uint64_t mid2 = a0 * b1 + (uint32_t)mid;
    return (struct wide){a1 * b1 + (mid >> 32) + (mid2 >> 32), mid2 << 32 | (uint32_t)low};
}

/* One digit (base 2^32) of a long division: *rest:next / b with *rest < b, b's top bit set; *rest
 * becomes the remainder. The estimate from b's upper half is at most two too large (Knuth, volume
 * 2, 4.3.1 D). */
static uint64_t digit_portable(uint64_t *rest, uint32_t next, uint64_t b) {
    uint64_t b1 = b >> 32, b0 = (uint32_t)b;
    uint64_t q = *rest / b1, r = *rest % b1;
    while (q >> 32 != 0 || q * b0 > (r << 32 | next)) {
        q--;
        r += b1;
        if (r >> 32 != 0)
            break;
    }
    *rest = (*rest << 32 | next) - q * b; /* modulo 2^64, the true value is smaller than b */
    return q;
}

static struct wide div_portable(struct wide a, uint64_t b) {
    struct wide q = {a.hi / b, 0};
    uint64_t rest = a.hi % b;
    if (rest == 0) {
        q.lo = a.lo / b;
        return q;
    }
    unsigned shift = 0;
    for (; b >> 63 == 0; shift++)
        b <<= 1;
    if (shift > 0)
        rest = rest << shift | a.lo >> (64 - shift);
    uint64_t low = a.lo << shift;
    q.lo = digit_portable(&rest, (uint32_t)(low >> 32), b) << 32;
    q.lo |= digit_portable(&rest, (uint32_t)low, b);
    return q;
}

#endif

#ifndef WIDE_PORTABLE

#ifndef __SIZEOF_INT128__
struct wide wide_mul(uint64_t a, uint64_t b) {
    return mul_portable(a, b);
}
#endif

struct wide wide_div(struct wide a, uint64_t b) {
    assert(b > 0);
    if (a.hi == 0)
        return (struct wide){0, a.lo / b};
#ifdef __SIZEOF_INT128__
    unsigned __int128 q = ((unsigned __int128)a.hi << 64 | a.lo) / b;
    return (struct wide){(uint64_t)(q >> 64), (uint64_t)q};
#else
    return div_portable(a, b);
#endif
}

struct wide wide_scale(struct wide a, uint64_t b, uint64_t c, uint64_t more) {
    struct wide times = wide_div(a, c), whole = wide_mul(times.lo, b);
    struct wide rest = wide_mul(a.lo - times.lo * c, b);
    rest.lo += more;
    rest.hi += rest.lo < more ? 1 : 0;
    rest = wide_div(rest, c);
    whole.lo += rest.lo;
    whole.hi += rest.hi + (whole.lo < rest.lo ? 1 : 0);
    return whole;
}

struct wide wide_add(struct wide a, int64_t b) {
    uint64_t lo = a.lo + (uint64_t)b;
    uint64_t carry = lo < a.lo ? 1 : 0;
    return (struct wide){a.hi + carry - (b < 0 ? 1 : 0), lo}; /* b's upper half is all its sign */
}

int wide_cmp(struct wide a, struct wide b) {
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

struct wide wide_sub(struct wide a, struct wide b) {
    return (struct wide){a.hi - b.hi - (a.lo < b.lo ? 1 : 0), a.lo - b.lo};
}

int64_t wide_diff(struct wide a, struct wide b, int64_t limit) {
    assert(limit >= 0);
    bool negative = wide_cmp(a, b) < 0;
    struct wide d = negative ? wide_sub(b, a) : wide_sub(a, b);
    int64_t size = d.hi != 0 || d.lo > (uint64_t)limit ? limit : (int64_t)d.lo;
    return negative ? -size : size;
}

char *wide_text(struct wide a, char buf[40]) {
    char digits[40];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        struct wide tenth = wide_div(a, 10);
        /* the digit is small: the lower half has it */
        digits[--at] = (char)('0' + (a.lo - tenth.lo * 10));
        a = tenth;
    } while (a.hi != 0 || a.lo != 0);
    return memcpy(buf, digits + at, sizeof digits - at);
}

#endif
