/* snapshot.h - a copy of the buffers of a flight recorder, in a file of its own. */
#ifndef FXTOP_SNAPSHOT_H
#define FXTOP_SNAPSHOT_H

#include "record/tracee.h"

struct snapshot {       /* borrowed */
    const char *output; /* of the recording: for NAME.END the snapshots are NAME.1.END and so on */
    uint64_t max_size;
    struct output *file; /* of the recording: what it has so far is in the snapshot, too */
    struct ticks_wall begun;
    const struct tracee_config *config;
    struct tracee *const *tracees;
    size_t n;
};

/* Writes the snapshot of a number; one that cannot be made is a line on standard error. */
void snapshot_write(const struct snapshot *snapshot, unsigned number);

#endif
