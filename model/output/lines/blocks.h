/* blocks.h - the text of many rows, made in blocks by two threads and written in the order of the
 * rows. */
#ifndef FXTOP_BLOCKS_H
#define FXTOP_BLOCKS_H

#include "model/output/chars.h"

struct worker;

#define BLOCKS_HANDS 2
/* bytes after the state of a maker, so that no cache line is in it and in the other's */
#define BLOCKS_APART 128

/* Appends the text of rows [from, to). `hand` is the state of one of the two makers, which one
 * thread at a time uses; all else is shared and must not change. */
typedef void blocks_make(void *hand, uint64_t from, uint64_t to, struct chars *out);

/* Writes the text of rows [0, n). worker: NULL makes all on the calling thread. Ends early if `out`
 * has failed. */
void blocks_write(struct worker *worker, blocks_make *make, void *const hands[BLOCKS_HANDS],
                  uint64_t n, FILE *out);

#endif
