/* track_set.c - a set of tracks as a sorted array.
 *
 * A question is a binary search. A range asks once for each track, and users tag few of them.
 * Tracks that are added in ascending order cost O(1) each. */
#include "model/query/track_set.h"

#include <string.h>

#include "src/base/lower_bound.h"

void track_set_free(struct track_set *set) {
    vec_free(&set->v);
}

/* The number of members below `track`. */
static size_t below(const struct track_set *set, uint32_t track) {
    size_t at = 0, n = set->v.n;
    if (n > 0 && set->v.v[n - 1] < track)
        return n;
    lower_bound(at, n, i, set->v.v[i] < track);
    return at;
}

bool track_set_has(const struct track_set *set, uint32_t track) {
    size_t at = below(set, track);
    return at < set->v.n && set->v.v[at] == track;
}

void track_set_put(struct track_set *set, uint32_t track, bool member) {
    size_t at = below(set, track);
    bool there = at < set->v.n && set->v.v[at] == track;
    if (there == member)
        return;
    if (!member) {
        memmove(set->v.v + at, set->v.v + at + 1, (set->v.n - at - 1) * sizeof *set->v.v);
        set->v.n--;
        return;
    }
    vec_push(&set->v, 0);
    memmove(set->v.v + at + 1, set->v.v + at, (set->v.n - 1 - at) * sizeof *set->v.v);
    set->v.v[at] = track;
}
