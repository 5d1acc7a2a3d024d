/* quantiles.h - values put in order, in steps: exact percentiles, where one of them stands, and whose it is.
 *
 * A merge sort that stops when its budget is spent, so that millions of values do not stop the screen. Equal values
 * stand in the order of their ids. Questions about order are answered once spread_step() has said true. */
#ifndef FXTOP_QUANTILES_H
#define FXTOP_QUANTILES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/vec.h"

struct spread_value {
    int64_t value;
    uint32_t id;
};

struct spread {
    VEC(struct spread_value) v;
    struct spread_value *other; /* what is merged into */
    size_t run, at, i, j;       /* length of what is in order; the pair being merged, and how far */
    bool sorted;
};

static inline void spread_add(struct spread *spread, int64_t value, uint32_t id) {
    vec_push(&spread->v, ((struct spread_value){value, id}));
    spread->sorted = false;
    spread->run = 0;
    spread->at = 0;
}

/* Takes off the budget what it cost, about 100 ns a unit. True: all is in order. */
bool spread_step(struct spread *spread, uint64_t *budget);
/* The value that so many thousandths of all are not above (nearest rank); of an empty one 0. */
int64_t spread_at(const struct spread *spread, unsigned thousandths);
size_t spread_below(const struct spread *spread, int64_t value); /* how many are less */
void spread_free(struct spread *spread);

#endif
