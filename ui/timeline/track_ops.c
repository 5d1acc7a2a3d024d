/* track_ops.c - the array of the kinds of tracks. */
#include "ui/timeline/track_ops.h"

#define ADDRESS(name) &name,

const struct track_ops *const track_ops[] = {ALL_TRACKS(ADDRESS) NULL};

size_t track_ops_count(void) {
    return sizeof track_ops / sizeof *track_ops - 1;
}

size_t track_ops_index(const struct track_ops *kind) {
    size_t i = 0;
    while (track_ops[i] != kind)
        i++;
    return i;
}
