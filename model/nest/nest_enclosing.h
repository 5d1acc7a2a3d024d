/* nest_enclosing.h - an index of the innermost enclosing slice at a time, for threads whose slices
 * overlap, or end together, on many rows.
 *
 * The rows of overlapping slices are independent: without the index each row would be searched, and
 * there may be as many rows as slices. If slices end together, each may have others in it that
 * begin then. The index takes about 32 bytes a slice. One that ends with a slice around it takes
 * 20 more, and one without length 40 more. It is built in O(n log n), and answers in O(log n).
 *
 * Its pyramids of greatest values are built at once and searched for the last value that is more
 * than another. The block index of a lane (lane.h) grows and is cut, and a counter's (counter.h)
 * holds both extremes and an average: each keeps its own. */
#ifndef FXTOP_NEST_ENCLOSING_H
#define FXTOP_NEST_ENCLOSING_H

#include "model/nest/nest.h"

struct nest_enclosing;

struct nest_enclosing *nest_enclosing_new(const struct nest *nest, const struct slice_extra *extra);
void nest_enclosing_free(struct nest_enclosing *index); /* may be NULL */

/* As nest_at(). */
bool nest_enclosing_at(const struct nest_enclosing *index, int64_t t, uint32_t *row, uint32_t *i);

struct nest_ending { /* which slice that ends at a time and begins before it */
    int64_t time;
    bool any;       /* the innermost; else the innermost of those whose end is written after.. */
    uint64_t after; /* ..this byte of the file */
    bool loose;     /* the end of a complete event is: its record has no place of its own */
};
/* False: there is none, or another slice is around it and ends later. */
bool nest_enclosing_ending(const struct nest_enclosing *index, const struct nest *nest,
                           const struct slice_extra *extra, const struct nest_ending *e,
                           uint32_t *row, uint32_t *i);

/* The innermost slice without length that is around a place: it begins and ends at the time, its
 * begin is written before this byte of the file and its end after it. *row is that of a slice which
 * begins at the time; it stays if there is none. */
bool nest_enclosing_instant(const struct nest_enclosing *index, int64_t t, uint64_t offset,
                            uint32_t *row, uint32_t *i);

/* The damaged slice (nest.h) that a record at a time and a byte of the file is in: the last to
 * begin of those that begin before it, whose end is written after it. in_order: the order of the
 * file is that of time; else its end is later. None begins with a wrong time. */
struct nest_within {
    int64_t time;
    uint64_t offset;
    bool in_order;
};

/* An index that is built when it is first needed, and again after the rows changed.
 * Zero-initialised: empty. */
struct nest_enclosing_cache {
    struct nest_enclosing *index;
    struct nest_damaged_index *damaged; /* NULL: no slice is apart */
    uint64_t version; /* of the nest when it was built, or found not to be needed */
    bool known;
};

/* Builds the index if slices overlap, or begin or end together, on many rows; false: it needs none.
 * Until the rows change again, nest_enclosing_find() changes nothing, so that several threads may
 * ask. */
bool nest_enclosing_prepare(struct nest_enclosing_cache *cache, const struct nest *nest,
                            const struct slice_extra *extra);
/* nest_at(), by the index if it is needed. */
bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest,
                         const struct slice_extra *extra, int64_t t, uint32_t *row, uint32_t *i);
/* nest_enclosing_ending(), likewise. */
bool nest_enclosing_find_ending(struct nest_enclosing_cache *cache, const struct nest *nest,
                                const struct slice_extra *extra, const struct nest_ending *e,
                                uint32_t *row, uint32_t *i);
/* nest_enclosing_instant(), likewise. */
bool nest_enclosing_find_instant(struct nest_enclosing_cache *cache, const struct nest *nest,
                                 const struct slice_extra *extra, int64_t t, uint64_t offset,
                                 uint32_t *row, uint32_t *i);
/* False: it is in none. */
bool nest_enclosing_find_damaged(struct nest_enclosing_cache *cache, const struct nest *nest,
                                 const struct slice_extra *extra, const struct nest_within *of,
                                 uint32_t *row, uint32_t *i);
void nest_enclosing_cache_free(struct nest_enclosing_cache *cache);

#endif
