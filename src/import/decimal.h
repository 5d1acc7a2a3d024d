/* decimal.h - decimal numbers in the texts of traces, read digit by digit: nothing is rounded on
 * the way.
 */
#ifndef FXTOP_DECIMAL_H
#define FXTOP_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

#define DECIMAL_SECOND UINT64_C(1000000000) /* in ns */

/* Digits alone. False: there are none, others are between them, or the number is beyond 2^64-1. */
static inline bool decimal_u64(struct str text, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.s[i] < '0' || text.s[i] > '9' ||
            __builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(text.s[i] - '0'), value))
            return false;
    }
    return text.n > 0;
}

/* The digits after the point of a number of seconds as ns; beyond nine the tenth rounds. */
static inline bool decimal_fraction(struct str text, uint64_t *ns) {
    uint64_t value = 0;
    for (size_t i = 0; i < 9; i++) {
        if (i < text.n && (text.s[i] < '0' || text.s[i] > '9'))
            return false;
        value = value * 10 + (i < text.n ? (uint64_t)(text.s[i] - '0') : 0);
    }
    *ns = value + (text.n > 9 && text.s[9] >= '5');
    return text.n > 0;
}

#endif
