/* track_moved.h - processes and threads that were moved by hand: each directly before another one,
 * in each order of the list of tracks. */
#ifndef FXTOP_TRACK_MOVED_H
#define FXTOP_TRACK_MOVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/vec.h"

#define TRACK_MOVED_MOST 200 /* moves that are kept */

struct track_move {
    bool thread;           /* else processes */
    uint32_t process;      /* of the threads; else 0 */
    uint32_t item, before; /* numbers of threads, or places of processes */
};

struct track_moved { /* zero-initialised: none */
    VEC(struct track_move) v;
    VEC(uint32_t) order; /* scratch */
};

/* Adds a move, or takes back the last one if this is its reverse. False: there are too many. */
bool track_moved_add(struct track_moved *moved, const struct track_move *move);
/* The numbers v[0..n) with all moves made: v itself if there are none. Valid until the next call
 * and as long as v. */
const uint32_t *track_moved_order(struct track_moved *moved, bool thread, uint32_t process,
                                  const uint32_t *v, size_t n);
void track_moved_free(struct track_moved *moved);

#endif
