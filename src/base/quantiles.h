/* quantiles.h - sorted values: exact quantiles, the rank of a value, and the number of its owner.
 *
 * Equal values are in the order of their ids. quantiles_at(), quantiles_below() and v.v[] in order
 * are valid after a quantiles_sort() that returned true, until the next quantiles_add(). */
#ifndef FXTOP_QUANTILES_H
#define FXTOP_QUANTILES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/task.h"
#include "src/base/vec.h"

struct quantiles_value {
    int64_t value;
    uint32_t id; /* the caller's */
};

struct quantiles {
    VEC(struct quantiles_value) v;
    bool sorted;
};

static inline void quantiles_add(struct quantiles *quantiles, int64_t value, uint32_t id) {
    vec_push(&quantiles->v, ((struct quantiles_value){value, id}));
    quantiles->sorted = false;
}

/* Puts the values in order, equal ones by their ids; false: the task is cancelled. */
bool quantiles_sort(struct quantiles *quantiles, struct task *task);
/* The least value that at least so many thousandths of all do not exceed (nearest rank); 0 if there
 * are no values. */
int64_t quantiles_at(const struct quantiles *quantiles, unsigned thousandths);
/* number of values that are less */
size_t quantiles_below(const struct quantiles *quantiles, int64_t value);
/* The rank of one of the values: 1 is the longest; equal ones have the rank of the first of
 * them. */
size_t quantiles_rank(const struct quantiles *quantiles, int64_t value);
/* How many thousandths of the other values are less than this one, rounded down, so that 1000 is
 * all of them. False: it is the only one. */
bool quantiles_share(const struct quantiles *quantiles, int64_t value, unsigned *thousandths);
/* Whether a value is unusually large, or small: above the nearest-rank p95, or below p5, of
 * QUANTILES_USUAL or more. */
bool quantiles_slow(const struct quantiles *quantiles, int64_t value);
bool quantiles_fast(const struct quantiles *quantiles, int64_t value);
void quantiles_free(struct quantiles *quantiles);

#define QUANTILES_USUAL 20 /* values at least for the words slow and fast */

/* thousandths of the columns of tables: p50, p95, p99, maximum */
extern const unsigned quantiles_shown[4];

#endif
