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

#endif
