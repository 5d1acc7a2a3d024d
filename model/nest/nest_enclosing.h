/* nest_enclosing.h - an index of the innermost enclosing slice at a time, for threads whose slices
 * overlap.
 *
 * The rows of overlapping slices are independent: without the index each row would be searched, and
 * there may be as many rows as slices. It takes about 32 bytes a slice, O(n log n) to build, and
 * O(log n) for an answer.
 *
 * Its pyramid of greatest ends is built at once and searched for the last end after a time. The
 * block index of a lane (lane.h) grows and is cut, and a counter's (counter.h) holds both extremes
 * and an average: each keeps its own. */
#ifndef FXTOP_NEST_ENCLOSING_H
#define FXTOP_NEST_ENCLOSING_H

#include "model/nest/nest.h"

struct nest_enclosing;

struct nest_enclosing *nest_enclosing_new(const struct nest *nest, const struct slice_extra *extra);
void nest_enclosing_free(struct nest_enclosing *index); /* may be NULL */

/* As nest_at(). */
bool nest_enclosing_at(const struct nest_enclosing *index, int64_t t, uint32_t *row, uint32_t *i);

/* An index that is built when it is first needed, and again after the rows changed.
 * Zero-initialised: empty. */
struct nest_enclosing_cache {
    struct nest_enclosing *index;
    uint64_t version; /* of the nest when it was built */
};

/* Builds the index if the nest has overlapping slices on many rows; false: it needs none. Until the
 * rows change again, nest_enclosing_find() changes nothing, so that several threads may ask. */
bool nest_enclosing_prepare(struct nest_enclosing_cache *cache, const struct nest *nest,
                            const struct slice_extra *extra);
/* nest_at(), by the index if the nest has overlapping slices on many rows. */
bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest,
                         const struct slice_extra *extra, int64_t t, uint32_t *row, uint32_t *i);
void nest_enclosing_cache_free(struct nest_enclosing_cache *cache);

#endif
