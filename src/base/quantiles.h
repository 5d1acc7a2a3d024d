/* quantiles.h - values put in order, in steps: exact percentiles, where one of them stands, and whose it is.
 *
 * A merge sort that stops when its budget is spent, so that millions of values do not stop the screen. Equal values
 * are in the order of their ids. Questions about order need a quantiles_step() that returned true. */
#ifndef FXTOP_QUANTILES_H
#define FXTOP_QUANTILES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/budget.h"
#include "src/base/vec.h"

struct quantiles_value {
    int64_t value;
    uint32_t id;
};

struct quantiles {
    VEC(struct quantiles_value) v;
    struct quantiles_value *other; /* what is merged into */
    size_t run, at, i, j;       /* length of what is in order; the pair being merged, and how far */
    bool sorted;
};

static inline void quantiles_add(struct quantiles *quantiles, int64_t value, uint32_t id) {
    vec_push(&quantiles->v, ((struct quantiles_value){value, id}));
    quantiles->sorted = false;
    quantiles->run = 0;
    quantiles->at = 0;
}

/* Sorts until the budget is spent. True: all is in order. */
bool quantiles_step(struct quantiles *quantiles, struct budget *budget);
/* The value that so many thousandths of all are not above (nearest rank); of an empty one 0. */
int64_t quantiles_at(const struct quantiles *quantiles, unsigned thousandths);
size_t quantiles_below(const struct quantiles *quantiles, int64_t value); /* how many are less */
void quantiles_free(struct quantiles *quantiles);

#endif
