/* lower_bound.h - binary search, one for all sorted things.
 *
 * lower_bound(at, end, i, below) moves the variable `at` to the first index in [at, end) at which
 * `below` is false, or to end. `below` is an expression of the index i. It must be true for some
 * indices and then false for all after them. It is evaluated log2(end - at) + 1 times at most. `at`
 * is of an unsigned type; i is a size_t.
 *
 *     size_t at = 0;
 *     lower_bound(at, n, i, v[i].time < t);         the first at or after t
 *     size_t at = 1;
 *     lower_bound(at, n, i, v[i].offset <= offset); at - 1: the last that begins at or before offset, else the first
 *
 * A macro: the condition is compiled into the loop, with no call for each step. */
#ifndef FXTOP_LOWER_BOUND_H
#define FXTOP_LOWER_BOUND_H

#include <stddef.h>

#define lower_bound(at, end, i, below)                                                             \
    do {                                                                                           \
        for (size_t lower_bound_end = (end); (at) < lower_bound_end;) {                            \
            size_t i = (at) + (lower_bound_end - (at)) / 2;                                        \
            if (below)                                                                             \
                (at) = i + 1;                                                                      \
            else                                                                                   \
                lower_bound_end = i;                                                               \
        }                                                                                          \
    } while (0)

#endif
