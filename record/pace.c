/* pace.c - how long a recording waits until it looks for new records again.
 *
 * While much comes, ticks are frequent. So little of a half is left when it is full, and its provider gets it back soon.
 * When nothing comes, they are rare. */
#include "record/pace.h"

#define BYTES (UINT64_C(1) << 20) /* that the file may grow by between ticks */
#define QUIET 20                  /* ticks without news, after which they are rare */

uint64_t pace_next(struct pace *p, uint64_t now, uint64_t bytes, bool live) {
    uint64_t grown = bytes - p->bytes, took = now - p->last;
    p->last = now;
    p->bytes = bytes;
    if (++p->quiet > QUIET && !live)
        return PACE_IDLE;
    if (grown <= BYTES || took >= PACE_IDLE)
        return PACE_TICK;
    uint64_t next = took * BYTES / grown;
    return next < PACE_SHORTEST ? PACE_SHORTEST : next < PACE_TICK ? next : PACE_TICK;
}
