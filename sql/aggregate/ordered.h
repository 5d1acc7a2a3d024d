/* ordered.h - numbers that come and go, in order: what a percentile over the frame of a window
 * asks.
 *
 * Memory is SQLite's, so its limit counts it. */
#ifndef FXTOP_ORDERED_H
#define FXTOP_ORDERED_H

#include <stdbool.h>
#include <stddef.h>

struct ordered_block;

struct ordered {
    struct ordered_block **v;
    size_t blocks, cap;
    size_t n;         /* numbers in all blocks */
    size_t at, first; /* the block that was asked last, and the place of its first number */
};

/* False: there is no memory for it. */
bool ordered_add(struct ordered *o, double x);
void ordered_remove(struct ordered *o, double x); /* one of the equal ones, if there is any */
/* The k-th number, from 0 on; k < n. Cheap if k is close to the one asked before. */
double ordered_at(struct ordered *o, size_t k);
void ordered_free(struct ordered *o);

#endif
