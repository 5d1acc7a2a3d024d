/* nest_enclosing.h - which slice of a thread is the innermost around a time, where slices overlap.
 *
 * Overlapping slices stand on rows that say nothing of each other: without this each row would have to be asked, and
 * there may be as many as slices. 24 bytes a slice and some, made in n log n when it is first asked for, and dropped
 * when the rows change; an answer costs log n. */
#ifndef FXTOP_NEST_ENCLOSING_H
#define FXTOP_NEST_ENCLOSING_H

#include "model/nest/nest.h"

struct nest_enclosing;

struct nest_enclosing *nest_enclosing_new(const struct nest *nest, const struct slice_extra *extra);
void nest_enclosing_free(struct nest_enclosing *around); /* may be NULL */

/* nest_at(). */
bool nest_enclosing_at(const struct nest_enclosing *around, int64_t t, uint32_t *row, uint32_t *i);

/* An index that is built when it is first needed, and again after the rows changed. Zero-initialised: empty. */
struct nest_enclosing_cache {
    struct nest_enclosing *index;
    uint64_t version; /* of the nest when it was built */
};

/* nest_at(), by the index if the nest has overlapping slices on many rows. */
bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest, const struct slice_extra *extra,
                         int64_t t, uint32_t *row, uint32_t *i);
void nest_enclosing_cache_free(struct nest_enclosing_cache *cache);

#endif
