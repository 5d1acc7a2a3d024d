/* track_set.h - a set of tracks, by their numbers in slice_iter.h.
 *
 * Numbers of threads stay valid until everything is read again (trace_generation()); places of
 * async groups, too. */
#ifndef FXTOP_TRACK_SET_H
#define FXTOP_TRACK_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/vec.h"

struct track_set {
    VEC(uint32_t) v; /* ascending */
};

void track_set_free(struct track_set *set);
bool track_set_has(const struct track_set *set, uint32_t track);
/* Adds or removes a track. */
void track_set_put(struct track_set *set, uint32_t track, bool member);

#endif
